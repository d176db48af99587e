//! Integer operations: computed in `i128`, then wrapped to the type.

use super::super::TroubleKind;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::typed::ir::Const;

/// `op` of integers; rotations take their amount, counts give their result as `result`.
pub(super) fn apply(
    op: ScalarOp,
    checked: bool,
    args: &[Const],
    result: Scalar,
) -> Result<Const, TroubleKind> {
    match op {
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul => arithmetic(op, checked, args[0], args[1]),
        ScalarOp::Div
        | ScalarOp::Rem
        | ScalarOp::DivEuclid
        | ScalarOp::RemEuclid
        | ScalarOp::DivCeil => division(op, args[0], args[1]),
        ScalarOp::Method(method) => Ok(called(method, args, result)),
        ScalarOp::Neg
        | ScalarOp::Not
        | ScalarOp::Abs
        | ScalarOp::BitAnd
        | ScalarOp::BitOr
        | ScalarOp::BitXor
        | ScalarOp::Shl
        | ScalarOp::Shr
        | ScalarOp::RotateLeft
        | ScalarOp::RotateRight
        | ScalarOp::Min
        | ScalarOp::Max
        | ScalarOp::Clamp => Ok(wrap(args[0].ty, total(op, args))),
        ScalarOp::CountOnes
        | ScalarOp::CountZeros
        | ScalarOp::LeadingZeros
        | ScalarOp::TrailingZeros => Ok(wrap(result, i128::from(count(op, args[0])))),
        ScalarOp::Cast
        | ScalarOp::Sqrt
        | ScalarOp::Floor
        | ScalarOp::Ceil
        | ScalarOp::Round
        | ScalarOp::Trunc
        | ScalarOp::Maths(_)
        | ScalarOp::Powi
        | ScalarOp::Eq
        | ScalarOp::Ne
        | ScalarOp::Lt
        | ScalarOp::Le
        | ScalarOp::Gt
        | ScalarOp::Ge
        | ScalarOp::Before(_)
        | ScalarOp::Precedes
        | ScalarOp::Select
        | ScalarOp::Fast(_) => panic!("{op:?} gives no integer of integers"),
    }
}

/// The number that an integer (or `bool`) stands for.
pub(super) fn number(x: Const) -> i128 {
    if x.ty.is_signed_int() {
        i128::from(x.bits as i64)
    } else {
        i128::from(x.bits)
    }
}

/// `x` modulo 2^bits, in the type.
pub(super) fn wrap(ty: Scalar, x: i128) -> Const {
    let bits = match ty {
        Scalar::I8 => x as i8 as u64,
        Scalar::I16 => x as i16 as u64,
        Scalar::I32 => x as i32 as u64,
        Scalar::I64 => x as i64 as u64,
        Scalar::U8 => u64::from(x as u8),
        Scalar::U16 => u64::from(x as u16),
        Scalar::U32 => u64::from(x as u32),
        Scalar::U64 | Scalar::Usize => x as u64,
        Scalar::Bool | Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64 => {
            panic!("{} is no integer type", ty.name())
        }
    };
    Const { ty, bits }
}

/// The number of the type that is nearest to `x`.
pub(super) fn saturate(ty: Scalar, x: i128) -> Const {
    wrap(ty, x.clamp(least(ty), greatest(ty)))
}

/// The type's smallest number.
pub(super) fn least(ty: Scalar) -> i128 {
    if ty.is_signed_int() {
        -(1 << (ty.bits() - 1))
    } else {
        0
    }
}

/// The type's largest number.
pub(super) fn greatest(ty: Scalar) -> i128 {
    least(ty) + ((1 << ty.bits()) - 1)
}

fn arithmetic(op: ScalarOp, checked: bool, a: Const, b: Const) -> Result<Const, TroubleKind> {
    let (x, y) = (number(a), number(b));
    let exact = match op {
        ScalarOp::Add => x.checked_add(y),
        ScalarOp::Sub => x.checked_sub(y),
        // Of two u64 it may exceed i128.
        ScalarOp::Mul => x.checked_mul(y),
        other => panic!("{other:?} is no arithmetic operator"),
    };
    let in_range = |z: &i128| (0..=greatest(Scalar::Usize)).contains(z);
    if checked && a.ty == Scalar::Usize && !exact.as_ref().is_some_and(in_range) {
        let (left, right) = (a.bits, b.bits);
        return Err(match op {
            ScalarOp::Sub => TroubleKind::SizeUnderflow { left, right },
            _ => TroubleKind::SizeOverflow { left, right },
        });
    }
    Ok(wrap(a.ty, exact.unwrap_or_else(|| x.wrapping_mul(y))))
}

fn division(op: ScalarOp, a: Const, b: Const) -> Result<Const, TroubleKind> {
    let (x, y) = (number(a), number(b));
    if y == 0 {
        return Err(TroubleKind::DivisionByZero);
    }
    let exact = match op {
        ScalarOp::Div => x / y,
        ScalarOp::Rem => x % y,
        ScalarOp::DivEuclid => x.div_euclid(y),
        ScalarOp::RemEuclid => x.rem_euclid(y),
        ScalarOp::DivCeil => (x + y - 1) / y,
        other => panic!("{other:?} is no division"),
    };
    Ok(wrap(a.ty, exact))
}

/// Operations without errors, before wrapping.
fn total(op: ScalarOp, args: &[Const]) -> i128 {
    let x = number(args[0]);
    let arg = |i: usize| number(args[i]);
    match op {
        ScalarOp::Neg => -x,
        ScalarOp::Not => !x,
        ScalarOp::Abs => x.abs(),
        ScalarOp::BitAnd => x & arg(1),
        ScalarOp::BitOr => x | arg(1),
        ScalarOp::BitXor => x ^ arg(1),
        ScalarOp::Shl => x << amount(args),
        ScalarOp::Shr => x >> amount(args),
        ScalarOp::RotateLeft => rotate_left(args[0], amount(args)),
        ScalarOp::RotateRight => rotate_left(args[0], args[0].ty.bits() - amount(args)),
        ScalarOp::Min => x.min(arg(1)),
        ScalarOp::Max => x.max(arg(1)),
        ScalarOp::Clamp => x.max(arg(1)).min(arg(2)),
        other => panic!("{other:?} has errors or another result type"),
    }
}

/// Rust's methods that have no error.
fn called(method: Method, args: &[Const], result: Scalar) -> Const {
    let ty = args[0].ty;
    let (x, bits, width) = (number(args[0]), pattern(args[0]), ty.bits());
    let y = || number(args[1]);
    match method {
        Method::Signum => wrap(ty, x.signum()),
        Method::LeadingOnes => {
            let zeros = pattern(wrap(ty, !x)).leading_zeros();
            wrap(result, i128::from(zeros - (u128::BITS - width)))
        }
        Method::TrailingOnes => wrap(result, i128::from((!bits).trailing_zeros().min(width))),
        Method::SwapBytes => wrap(ty, (bits.swap_bytes() >> (u128::BITS - width)) as i128),
        Method::ReverseBits => wrap(ty, (bits.reverse_bits() >> (u128::BITS - width)) as i128),
        Method::Isqrt => wrap(ty, x.isqrt()),
        Method::AbsDiff => wrap(result, (x - y()).abs()),
        Method::UnsignedAbs => wrap(result, x.abs()),
        // The low bits of a product are those of the product of the low bits.
        Method::WrappingPow => wrap(ty, x.wrapping_pow(y() as u32)),
        Method::SaturatingAdd => saturate(ty, x + y()),
        Method::SaturatingSub => saturate(ty, x - y()),
        Method::SaturatingMul => saturate(ty, x.saturating_mul(y())),
        Method::Recip
        | Method::Fract
        | Method::ToDegrees
        | Method::ToRadians
        | Method::IsNan
        | Method::IsFinite
        | Method::IsInfinite
        | Method::IsSignNegative
        | Method::IsSignPositive
        | Method::IsPowerOfTwo => panic!("{method:?} gives no integer"),
    }
}

/// The amount of a shift or rotation, modulo the width.
fn amount(args: &[Const]) -> u32 {
    let width = i128::from(args[0].ty.bits());
    number(args[1]).rem_euclid(width) as u32
}

fn rotate_left(x: Const, by: u32) -> i128 {
    let bits = pattern(x);
    ((bits << by) | (bits >> (x.ty.bits() - by))) as i128
}

fn count(op: ScalarOp, x: Const) -> u32 {
    let (bits, width) = (pattern(x), x.ty.bits());
    match op {
        ScalarOp::CountOnes => bits.count_ones(),
        ScalarOp::CountZeros => width - bits.count_ones(),
        ScalarOp::LeadingZeros => bits.leading_zeros() - (u128::BITS - width),
        ScalarOp::TrailingZeros => bits.trailing_zeros().min(width),
        other => panic!("{other:?} counts nothing"),
    }
}

/// The bits of `x`, no more than its type has.
fn pattern(x: Const) -> u128 {
    u128::from(x.bits) & ((1 << x.ty.bits()) - 1)
}
