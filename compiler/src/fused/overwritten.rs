//! Arrays that are changed in place, and when.
//!
//! In: a statement of a flat function. Out: the arrays whose elements it assigns. One that is not read
//! afterwards is changed where it lies; a delayed array that reads it would be a reader, and the whole
//! of it be copied for what is often one row: so that is stored instead (`plan.rs`).

use crate::flat::ir::{Body, Consumer, Op};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// By array, when it is changed.
#[derive(Default)]
pub struct Changes(HashMap<Var, Vec<usize>>);

impl Changes {
    /// These arrays change at this time.
    pub fn add(&mut self, arrays: Vec<Var>, time: usize) {
        for array in arrays {
            self.0.entry(array).or_default().push(time);
        }
    }

    /// Whether an array changes after the one time and before the other.
    pub fn between(&self, array: Var, first: usize, last: usize) -> bool {
        let times = self.0.get(&array);
        times.is_some_and(|it| it.iter().any(|time| (first + 1..last).contains(time)))
    }
}

/// The arrays whose elements a statement assigns, in loops and branches of it too.
pub fn changes(op: &Op) -> Vec<Var> {
    match op {
        Op::Update { array, .. } => vec![*array],
        Op::Loop(it) => {
            let inside = changes_in(&it.body);
            let state = it.params.iter().zip(&it.init);
            let changed = state.filter(|(param, _)| inside.contains(param));
            changed.filter_map(|(_, init)| variable(init)).collect()
        }
        Op::If { then, else_, .. } => [changes_in(then), changes_in(else_)].concat(),
        Op::Seg(seg) => match &seg.consumer {
            Consumer::Scatter { into, .. } => into.clone(),
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Fold { .. }
            | Consumer::Sort(_) => Vec::new(),
        },
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) => {
            Vec::new()
        }
    }
}

fn changes_in(body: &Body) -> Vec<Var> {
    let stmts = body.stmts.iter();
    stmts.flat_map(|stmt| changes(&stmt.op)).collect()
}

fn variable(atom: &Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }
}
