//! Arrays whose elements are computed where they are read, whoever reads them.
//!
//! In: operations, as they are made. Out: what an element of each such array costs, with all that it
//! reads. No more than what `fused/plan.rs` finds: what is cheap here is so there.

use crate::flat::ir::{Consumer, Op, Seg};
use crate::fused::cost::{
    CHEAP, CHEAP_POSITIONS, body_cost, most_position_cost, spent_on_positions,
};
use crate::hash::HashMap;
use crate::ids::Var;

/// What elements cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// To compute them.
    element: u32,
    /// To find where they are.
    positions: u32,
}

/// The arrays that operations build.
#[derive(Default)]
pub struct Costs {
    /// What elements cost; `None` where they may be stored.
    built: HashMap<Var, Option<Cost>>,
}

impl Costs {
    /// Takes note of what `op` gives.
    pub fn note(&mut self, outs: &[Var], op: &Op) {
        let Op::Seg(seg) = op else { return };
        let cost = self.of(seg);
        self.built.extend(outs.iter().map(|out| (*out, cost)));
    }

    /// Whether an array is one of these.
    pub fn knows(&self, array: Var) -> bool {
        self.built.get(&array).is_some_and(Option::is_some)
    }

    fn of(&self, seg: &Seg) -> Option<Cost> {
        let spent = spent_on_positions(&seg.body);
        let mut cost = Cost {
            element: body_cost(&seg.body).saturating_sub(spent),
            positions: most_position_cost(&seg.body),
        };
        for stmt in &seg.body.stmts {
            match &stmt.op {
                Op::Scalar(..) | Op::Len { .. } => {}
                Op::Read { array, index } => {
                    let read = match self.built.get(array) {
                        Some(built) => (*built)?,
                        None => Cost::default(),
                    };
                    cost.element += read.element;
                    cost.positions += read.positions + index.len() as u32;
                }
                Op::Check { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::If { .. }
                | Op::Loop(_)
                | Op::Seg(_) => return None,
            }
        }
        let cheap = cost.element <= CHEAP && cost.positions <= CHEAP_POSITIONS;
        (cheap && matches!(seg.consumer, Consumer::Build)).then_some(cost)
    }
}
