//! Values of a row's elements that depend on where these lie in the array of all rows.
//!
//! In: the body of a kernel over a row, where the row starts, and the index in it. Out: whether it uses
//! both for nothing but their sum. Assumes a body that holds scalars.

use crate::fused::ir::{Body, Op, Stmt};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;

/// Whether a body uses two variables for nothing but sums that have both.
pub fn uses_only_sum(body: &Body, start: Var, index: Var) -> bool {
    let parts = [(start, Part::Start), (index, Part::Index)];
    Uses(parts.into_iter().collect()).body(body)
}

/// What a number is the sum of, besides others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Index,
}

/// Numbers that have one part without the other.
struct Uses(HashMap<Var, Part>);

impl Uses {
    fn part(&self, atom: Atom) -> Option<Part> {
        match atom {
            Atom::Var(var) => self.0.get(&var).copied(),
            Atom::Const(_) => None,
        }
    }

    fn whole(&self, atoms: &[Atom]) -> bool {
        atoms.iter().all(|atom| self.part(*atom).is_none())
    }

    fn body(&mut self, body: &Body) -> bool {
        body.stmts.iter().all(|stmt| self.stmt(stmt)) && self.whole(&body.results)
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Scalar(ScalarOp::Add, args) => self.sum(stmt.outs[0], args),
            Op::Scalar(_, args) => self.whole(args),
            Op::Read { index, .. } => self.whole(&[*index]),
            Op::Check { ok, values, .. } => self.whole(&[*ok]) && self.whole(values),
            Op::Len { .. } => true,
            Op::If { cond, then, else_ } => {
                self.whole(&[*cond]) && self.body(then) && self.body(else_)
            }
            Op::Loop(it) => self.whole(&it.init) && self.body(&it.cond) && self.body(&it.body),
            Op::Literal(_) | Op::Update { .. } | Op::Kernel(_) => false,
        }
    }

    fn sum(&mut self, out: Var, args: &[Atom]) -> bool {
        let mut parts = args.iter().filter_map(|arg| self.part(*arg));
        match (parts.next(), parts.next()) {
            (None, _) => true,
            (Some(part), None) => {
                self.0.insert(out, part);
                true
            }
            (Some(one), Some(other)) => one != other,
        }
    }
}
