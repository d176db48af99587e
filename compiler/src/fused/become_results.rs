//! Arrays whose memory becomes that of a result.
//!
//! In: a fused function and its last uses. Out: what it yields, what branches yield to become that, and what was
//! changed in place until it was that. Assumes arrays are assigned once.

use crate::fused::ir::{Body, Function, Op, Sink, Stmt};
use crate::fused::liveness::LastUses;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// What becomes a result; with `in_loops`, what trips of loops yield to become one, too, although each makes it
/// anew.
pub fn become_results(function: &Function, last: &LastUses, in_loops: bool) -> HashSet<Var> {
    let mut survey = Survey {
        last,
        in_loops,
        results: variables(&function.body.results).collect(),
    };
    survey.body(&function.body);
    survey.results
}

struct Survey<'f> {
    last: &'f LastUses,
    in_loops: bool,
    results: HashSet<Var>,
}

impl Survey<'_> {
    /// Notes what the results among a body's arrays are made of in place, last statement first.
    fn body(&mut self, body: &Body) {
        for stmt in body.stmts.iter().rev() {
            match &stmt.op {
                Op::Update { array, .. } => self.goes_on(stmt, &[*array]),
                Op::Kernel(kernel) => {
                    if let Sink::Scatter { into, .. } | Sink::Append { into } = &kernel.sink {
                        self.goes_on(stmt, into);
                    }
                }
                Op::If { then, else_, .. } => {
                    self.yields(then, &stmt.outs);
                    self.yields(else_, &stmt.outs);
                }
                Op::Loop(it) if self.in_loops => self.yields(&it.body, &stmt.outs),
                Op::Loop(_)
                | Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_) => {}
            }
        }
    }

    /// A statement changes these arrays to make its outs, in place if that is their last use.
    fn goes_on(&mut self, stmt: &Stmt, changed: &[Var]) {
        for (array, out) in changed.iter().zip(&stmt.outs) {
            if self.results.contains(out) && self.last.is_last(stmt, *array) {
                self.results.insert(*array);
            }
        }
    }

    /// A body yields what `outs` are.
    fn yields(&mut self, body: &Body, outs: &[Var]) {
        for (out, atom) in outs.iter().zip(&body.results) {
            if let Atom::Var(array) = atom
                && self.results.contains(out)
                // Else that is a copy.
                && self.last.is_last(body, *array)
            {
                self.results.insert(*array);
            }
        }
        self.body(body);
    }
}

fn variables(atoms: &[Atom]) -> impl Iterator<Item = Var> {
    atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    })
}
