//! What operations on scalars take and give.

use crate::prims::{Scalar, ScalarFn, ScalarOp};

/// How many operands the operation takes.
pub(super) fn arity(op: ScalarOp) -> usize {
    match op {
        ScalarOp::Neg
        | ScalarOp::Not
        | ScalarOp::Cast
        | ScalarOp::Abs
        | ScalarOp::Sqrt
        | ScalarOp::Floor
        | ScalarOp::Ceil
        | ScalarOp::Round
        | ScalarOp::Trunc
        | ScalarOp::CountOnes
        | ScalarOp::CountZeros
        | ScalarOp::LeadingZeros
        | ScalarOp::TrailingZeros => 1,
        ScalarOp::Maths(function) => function.record().arity,
        ScalarOp::Method(function) => function.record().arity,
        ScalarOp::Clamp | ScalarOp::Select | ScalarOp::Fast(_) => 3,
        ScalarOp::Add
        | ScalarOp::Sub
        | ScalarOp::Mul
        | ScalarOp::Div
        | ScalarOp::Rem
        | ScalarOp::BitAnd
        | ScalarOp::BitOr
        | ScalarOp::BitXor
        | ScalarOp::Shl
        | ScalarOp::Shr
        | ScalarOp::RotateLeft
        | ScalarOp::RotateRight
        | ScalarOp::Min
        | ScalarOp::Max
        | ScalarOp::DivEuclid
        | ScalarOp::RemEuclid
        | ScalarOp::DivCeil
        | ScalarOp::Powi
        | ScalarOp::Before(_)
        | ScalarOp::Precedes
        | ScalarOp::Eq
        | ScalarOp::Ne
        | ScalarOp::Lt
        | ScalarOp::Le
        | ScalarOp::Gt
        | ScalarOp::Ge => 2,
    }
}

/// As the function's record says; `b` is any type where there is no second operand.
fn recorded(function: &ScalarFn, a: Scalar, b: Scalar, out: Scalar) -> bool {
    let taken = function.domain.has(a);
    taken && out == function.gives.of(a) && (function.arity == 1 || b == function.rest.of(a))
}

/// Whether the operation takes operands of these types and gives `out`.
pub(super) fn fits(op: ScalarOp, [a, b, c]: [Scalar; 3], out: Scalar) -> bool {
    let number = |ty: Scalar| ty != Scalar::Bool;
    match op {
        ScalarOp::Cast => out != Scalar::Bool,
        ScalarOp::Not => a == out && !out.is_float(),
        ScalarOp::Neg | ScalarOp::Abs => a == out && number(out),
        ScalarOp::Sqrt | ScalarOp::Floor | ScalarOp::Ceil | ScalarOp::Round | ScalarOp::Trunc => {
            a == out && out.is_float()
        }
        ScalarOp::CountOnes
        | ScalarOp::CountZeros
        | ScalarOp::LeadingZeros
        | ScalarOp::TrailingZeros => a.is_int() && out == Scalar::U32,
        ScalarOp::Add
        | ScalarOp::Sub
        | ScalarOp::Mul
        | ScalarOp::Div
        | ScalarOp::Rem
        | ScalarOp::DivEuclid
        | ScalarOp::RemEuclid
        | ScalarOp::Min
        | ScalarOp::Max => a == out && b == out && number(out),
        ScalarOp::Powi => a == out && b == Scalar::I32 && out.is_float(),
        ScalarOp::DivCeil => a == out && b == out && out.is_unsigned_int(),
        ScalarOp::Maths(function) => recorded(function.record(), a, b, out),
        ScalarOp::Method(function) => recorded(function.record(), a, b, out),
        ScalarOp::BitAnd | ScalarOp::BitOr | ScalarOp::BitXor => {
            a == out && b == out && !out.is_float()
        }
        ScalarOp::Shl | ScalarOp::Shr | ScalarOp::RotateLeft | ScalarOp::RotateRight => {
            a == out && a.is_int() && b.is_int()
        }
        ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge => {
            a == b && out == Scalar::Bool
        }
        ScalarOp::Before(_) => a == b && number(a) && out == Scalar::Bool,
        ScalarOp::Precedes => a == b && a.is_float() && out == Scalar::Bool,
        ScalarOp::Clamp => a == out && b == out && c == out && number(out),
        ScalarOp::Select => a == Scalar::Bool && b == out && c == out,
        ScalarOp::Fast(_) => false,
    }
}
