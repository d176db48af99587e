//! What is outside of a body that is being written, and what of it can move there.

use super::facts::Mark;
use super::ir::{Atom, Extent, Op, Stmt};
use super::lower::Lower;
use crate::ids::Var;

/// What is outside of a body.
#[derive(Clone)]
pub(super) struct Outside {
    /// Variables up to here are.
    pub(super) vars: usize,
    /// And these, which have moved.
    moved: Vec<Var>,
    /// What is known of sizes there.
    facts: Mark,
}

impl Outside {
    pub(super) fn new(vars: usize, facts: Mark) -> Self {
        Outside {
            vars,
            moved: Vec::new(),
            facts,
        }
    }

    /// What was known of sizes when the body began.
    pub(super) fn facts(&self) -> Mark {
        self.facts
    }

    pub(super) fn has(&self, var: Var) -> bool {
        var.index() < self.vars || self.moved.contains(&var)
    }

    pub(super) fn knows(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => self.has(var),
        }
    }

    /// Whether a statement can stand outside; from then on it does.
    pub(super) fn takes(&mut self, stmt: &Stmt) -> bool {
        let moves = match &stmt.op {
            Op::Scalar(_, args) => args.iter().all(|arg| self.knows(*arg)),
            Op::Len { .. }
            | Op::Check { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Par(_) => false,
        };
        if moves {
            self.moved.extend(&stmt.outs);
        }
        moves
    }
}

impl Lower<'_> {
    /// Whether an extent in the innermost open body is known outside of it. What a check in the body
    /// says of it does not count: the array was made before that.
    pub(super) fn is_outside(&self, extent: &Extent, outside: &Outside) -> bool {
        let size = self.facts.normal_at(&extent.size, outside.facts);
        let homes = self.facts.homes(&size);
        outside.knows(extent.value) || homes.iter().all(|home| outside.knows(*home))
    }

    /// What will be outside of the innermost open body when all that can has moved there.
    pub(super) fn with_movable(&self, outside: &Outside) -> Outside {
        let mut outside = outside.clone();
        for stmt in self.written() {
            outside.takes(stmt);
        }
        outside
    }
}
