//! Rows that nobody reads as such.
//!
//! In: bodies, and the arrays of rows that are made of arrays of their elements. Out: the bodies without
//! those of them that are not used: all that read them know the place in the row.

use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::{Atom, Body, Consumer, Op, Par, Stmt};

/// Takes `rows` out of `body` where they are not used.
pub(super) fn without_unused<T>(body: &mut Body, rows: &HashMap<Var, T>) {
    if !rows.is_empty() {
        let used = HashSet::default();
        Unused { rows, used }.body(body);
    }
}

struct Unused<'r, T> {
    rows: &'r HashMap<Var, T>,
    used: HashSet<Var>,
}

impl<T> Unused<'_, T> {
    /// From the end on: what only unused rows use is not used.
    fn body(&mut self, body: &mut Body) {
        self.uses(&body.results);
        let mut kept = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts).into_iter().rev() {
            if !self.is_unused(&stmt) {
                self.op(&mut stmt.op);
                kept.push(stmt);
            }
        }
        kept.reverse();
        body.stmts = kept;
    }

    fn is_unused(&self, stmt: &Stmt) -> bool {
        let mut outs = stmt.outs.iter();
        !stmt.outs.is_empty()
            && outs.all(|out| self.rows.contains_key(out) && !self.used.contains(out))
    }

    fn uses(&mut self, atoms: &[Atom]) {
        let vars = atoms.iter().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        });
        self.used.extend(vars);
    }

    fn op(&mut self, op: &mut Op) {
        match op {
            Op::Scalar(_, args) | Op::Literal(args) => self.uses(args),
            Op::Check { ok, values, .. } => {
                self.uses(&[*ok]);
                self.uses(values);
            }
            Op::Len { array, .. } => self.uses(&[Atom::Var(*array)]),
            Op::Read { array, index } => {
                self.uses(&[Atom::Var(*array)]);
                self.uses(index);
            }
            Op::Update {
                array,
                index,
                value,
            } => {
                self.uses(&[Atom::Var(*array), *value]);
                self.uses(index);
            }
            Op::If { cond, then, else_ } => {
                self.uses(&[*cond]);
                self.body(then);
                self.body(else_);
            }
            Op::Loop(it) => {
                self.uses(&it.init);
                self.body(&mut it.body);
                self.body(&mut it.cond);
            }
            Op::Par(par) => self.par(par),
        }
    }

    fn par(&mut self, par: &mut Par) {
        self.uses(&[par.extent]);
        match &mut par.consumer {
            Consumer::Build | Consumer::Sort(_) => {}
            Consumer::Rows { offsets } => self.used.extend(&*offsets),
            Consumer::Reduce { init, combine } => {
                self.uses(init);
                self.body(&mut combine.body);
            }
            Consumer::Scan { init, combine, .. } => {
                init.iter().for_each(|init| self.uses(init));
                self.body(&mut combine.body);
            }
            Consumer::Fold { init, step, .. } => {
                self.uses(init);
                self.body(step);
            }
            Consumer::Scatter { into, .. } => self.used.extend(&*into),
        }
        self.body(&mut par.body);
    }
}
