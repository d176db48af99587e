//! What elements of delayed arrays cost.
//!
//! In: the body of an operation that builds arrays. Out: what decides whether its elements are computed
//! where they are read (`plan.rs`).

use crate::flat::flatten::holds_seg;
use crate::flat::ir::{Body, Op, VarInfo};
use crate::fused::cost::{CHEAP, CHEAP_POSITIONS, body_cost, spent_on_positions};

/// What an element costs with everything that is fused into it.
#[derive(Clone, Copy)]
pub struct Total {
    /// Of the element, without `positions`.
    pub cost: u32,
    /// Of where it reads.
    pub positions: u32,
    /// Whether it reads where its element would be.
    pub in_order: bool,
    /// Whether it holds checks.
    pub may_fail: bool,
    /// Whether it holds conditionals or loops.
    pub branches: bool,
    /// Whether it holds operations, or arrays of its own.
    pub nested: bool,
}

impl Total {
    /// Of an operation's body, without what is fused into it and where it reads.
    pub fn of(body: &Body, vars: &[VarInfo]) -> Total {
        let (all, positions) = (body_cost(body), spent_on_positions(body));
        Total {
            cost: all.saturating_sub(positions),
            positions: 0,
            in_order: true,
            may_fail: may_fail(body),
            branches: branches(body),
            nested: holds_seg(body, vars),
        }
    }

    /// Whether it is computed again rather than stored.
    pub fn is_cheap(self) -> bool {
        self.cost <= CHEAP && self.positions <= CHEAP_POSITIONS && !self.branches && !self.nested
    }

    /// Adds what an element of a delayed array costs that is read.
    pub fn add(&mut self, other: Total) {
        self.cost = self.cost.saturating_add(other.cost);
        self.positions = self.positions.saturating_add(other.positions);
        self.may_fail |= other.may_fail;
        self.branches |= other.branches;
        self.nested |= other.nested;
    }
}

/// Whether a body holds checks.
pub fn may_fail(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Check { .. } => true,
        Op::If { then, else_, .. } => may_fail(then) || may_fail(else_),
        Op::Loop(it) => may_fail(&it.cond) || may_fail(&it.body),
        Op::Seg(seg) => may_fail(&seg.body),
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => {
            false
        }
    })
}

fn branches(body: &Body) -> bool {
    body.stmts
        .iter()
        .any(|stmt| matches!(stmt.op, Op::If { .. } | Op::Loop(_)))
}
