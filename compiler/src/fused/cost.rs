//! What it costs to compute an element again instead of storing it.
//!
//! In: bodies of segmented operations. Out: a rough count of scalar operations, memory reads
//! included. Only comparisons with [`CHEAP`] and the decision on threads depend on it.

use crate::flat::ir::{Body, Op};
use crate::prims::{Scalar, ScalarOp};

/// Up to this cost an element is computed again rather than stored: a memory round trip costs more.
pub const CHEAP: u32 = 4;

/// Cost of a loop in a body, whose trip count is not known.
const LOOP: u32 = 200;

/// Operations per element of `body`, without the producers that it reads.
pub fn body_cost(body: &Body) -> u32 {
    body.stmts
        .iter()
        .map(|stmt| op_cost(&stmt.op))
        .fold(0, u32::saturating_add)
}

fn op_cost(op: &Op) -> u32 {
    match op {
        Op::Scalar(op, _) => scalar_cost(*op, None),
        Op::Check { .. } | Op::Len(_) => 0,
        Op::Read { .. } => 1,
        Op::Literal(elems) => elems.len() as u32,
        Op::Update { .. } => 2,
        Op::If { then, else_, .. } => 1 + body_cost(then) + body_cost(else_),
        Op::Loop(it) => LOOP + 10 * (body_cost(&it.cond) + body_cost(&it.body)),
        Op::Seg(_) => LOOP,
    }
}

/// Cost of one scalar operation, in additions.
pub fn scalar_cost(op: ScalarOp, ty: Option<Scalar>) -> u32 {
    match op {
        ScalarOp::Exp | ScalarOp::Ln => 20,
        ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tanh => 30,
        ScalarOp::Pow => 60,
        ScalarOp::Div | ScalarOp::Rem if ty.is_some_and(Scalar::is_int) => 10,
        ScalarOp::Div | ScalarOp::Rem | ScalarOp::Sqrt => 4,
        ScalarOp::Neg
        | ScalarOp::Not
        | ScalarOp::Cast
        | ScalarOp::Abs
        | ScalarOp::Floor
        | ScalarOp::Ceil
        | ScalarOp::Round
        | ScalarOp::Trunc
        | ScalarOp::CountOnes
        | ScalarOp::CountZeros
        | ScalarOp::LeadingZeros
        | ScalarOp::TrailingZeros
        | ScalarOp::Add
        | ScalarOp::Sub
        | ScalarOp::Mul
        | ScalarOp::BitAnd
        | ScalarOp::BitOr
        | ScalarOp::BitXor
        | ScalarOp::Shl
        | ScalarOp::Shr
        | ScalarOp::RotateLeft
        | ScalarOp::RotateRight
        | ScalarOp::Min
        | ScalarOp::Max
        | ScalarOp::Eq
        | ScalarOp::Ne
        | ScalarOp::Lt
        | ScalarOp::Le
        | ScalarOp::Gt
        | ScalarOp::Ge
        | ScalarOp::Clamp
        | ScalarOp::Select => 1,
    }
}
