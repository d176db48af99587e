//! Scalar operations.
//!
//! In: an operation, its operands, the type of its result. Out: the result, or the error of an
//! integer division by zero or of a `usize` that leaves its range.

mod float;
mod int;

use super::TroubleKind;
use crate::prims::{MathsFn, Method, Scalar, ScalarOp};
use crate::typed::ir::Const;
use std::cmp::Ordering;

/// The functions that the run time computes in its own way; tests hand them in.
pub trait Maths {
    /// `function` of `x`, or of `x` and `y` if it takes two.
    fn of_f32(&self, function: MathsFn, x: f32, y: f32) -> f32;
    /// `function` of `x`, or of `x` and `y` if it takes two.
    fn of_f64(&self, function: MathsFn, x: f64, y: f64) -> f64;
    /// `x^n`
    fn powi_f32(&self, x: f32, n: i32) -> f32;
    /// `x^n`
    fn powi_f64(&self, x: f64, n: i32) -> f64;
}

/// `op` of `args`, of type `result`; `checked` as in [`crate::typed::ir::ExprKind::Scalar`].
pub(super) fn apply(
    op: ScalarOp,
    checked: bool,
    args: &[Const],
    result: Scalar,
    maths: &dyn Maths,
) -> Result<Const, TroubleKind> {
    if let Some((_, holds)) = COMPARISONS.iter().find(|(known, _)| *known == op) {
        return Ok(truth(holds.contains(&ordering(args[0], args[1]))));
    }
    if op == ScalarOp::Cast {
        return Ok(cast(args[0], result));
    }
    if let Some(holds) = class(op, args[0]) {
        return Ok(truth(holds));
    }
    match args[0].ty {
        Scalar::Bool => Ok(truth(logic(op, args))),
        Scalar::F16 | Scalar::Bf16 => half(op, checked, args, result, maths),
        Scalar::F32 => Ok(f32_const(float::apply_f32(op, args, maths))),
        Scalar::F64 => Ok(f64_const(float::apply_f64(op, args, maths))),
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize => int::apply(op, checked, args, result),
    }
}

/// A float of 16 bits: computed as `f32`, then rounded.
fn half(
    op: ScalarOp,
    checked: bool,
    args: &[Const],
    result: Scalar,
    maths: &dyn Maths,
) -> Result<Const, TroubleKind> {
    let wider = |x: &Const| match x.ty.is_half() {
        true => cast(*x, Scalar::F32),
        false => *x,
    };
    let args: Vec<Const> = args.iter().map(wider).collect();
    let exact = apply(op, checked, &args, Scalar::F32, maths)?;
    Ok(cast(exact, result))
}

/// The number of elements `n as ty`.
pub fn cast_size(n: usize, ty: Scalar) -> Const {
    cast(int::wrap(Scalar::Usize, n as i128), ty)
}

/// The number `n` in the integer type `ty`, which holds it.
pub(super) fn integer(ty: Scalar, n: i128) -> Const {
    let scalar = int::wrap(ty, n);
    assert_eq!(int::number(scalar), n, "an integer of type {}", ty.name());
    scalar
}

/// The number that an integer scalar stands for.
pub(super) fn number(scalar: Const) -> i128 {
    int::number(scalar)
}

/// What `op` starts from: `op(neutral, x)` is `x`, to the bit.
pub fn neutral(op: ScalarOp, ty: Scalar) -> Const {
    match op {
        ScalarOp::Add if ty.is_float() => cast(f64_const(-0.0), ty),
        ScalarOp::Mul if ty.is_float() => cast(f64_const(1.0), ty),
        ScalarOp::Min | ScalarOp::Max if ty.is_float() => cast(f64_const(f64::NAN), ty),
        ScalarOp::Min => int::wrap(ty, int::greatest(ty)),
        ScalarOp::Max => int::wrap(ty, int::least(ty)),
        ScalarOp::Add | ScalarOp::BitOr | ScalarOp::BitXor => Const { ty, bits: 0 },
        ScalarOp::Mul => Const { ty, bits: 1 },
        ScalarOp::BitAnd if ty == Scalar::Bool => truth(true),
        ScalarOp::BitAnd => int::wrap(ty, -1),
        other => panic!("{other:?} is not a recognised operator"),
    }
}

/// Whether `a` comes before `b`: the order of `min`, in which -0 < +0 and NaN comes last.
pub(super) fn smaller(a: Const, b: Const) -> bool {
    rank(a, b) == Ordering::Less
}

/// Whether `a` comes after `b`: the order of `max`, in which -0 < +0 and NaN comes first.
pub(super) fn larger(a: Const, b: Const) -> bool {
    match (float_value(a), float_value(b)) {
        (Some(x), Some(y)) if x.is_nan() || y.is_nan() => !x.is_nan() && y.is_nan(),
        _ => rank(a, b) == Ordering::Greater,
    }
}

fn rank(a: Const, b: Const) -> Ordering {
    match (float_value(a), float_value(b)) {
        (Some(x), Some(y)) => match x.partial_cmp(&y) {
            Some(Ordering::Equal) => y.is_sign_negative().cmp(&x.is_sign_negative()),
            Some(unequal) => unequal,
            None => x.is_nan().cmp(&y.is_nan()),
        },
        _ => number(a).cmp(&number(b)),
    }
}

/// In which orders of their operands the comparisons hold; `None` is that of NaN.
const COMPARISONS: [(ScalarOp, &[Option<Ordering>]); 6] = {
    use Ordering::{Equal, Greater, Less};
    [
        (ScalarOp::Eq, &[Some(Equal)]),
        (ScalarOp::Ne, &[Some(Less), Some(Greater), None]),
        (ScalarOp::Lt, &[Some(Less)]),
        (ScalarOp::Le, &[Some(Less), Some(Equal)]),
        (ScalarOp::Gt, &[Some(Greater)]),
        (ScalarOp::Ge, &[Some(Greater), Some(Equal)]),
    ]
};

/// Whether a number is of the kind that `op` asks for; `None` if it asks for nothing.
fn class(op: ScalarOp, x: Const) -> Option<bool> {
    let ScalarOp::Method(method) = op else {
        return None;
    };
    if method == Method::IsPowerOfTwo {
        return Some(number(x).count_ones() == 1);
    }
    let x = float_value(x)?;
    match method {
        Method::IsNan => Some(x.is_nan()),
        Method::IsFinite => Some(x.is_finite()),
        Method::IsInfinite => Some(x.is_infinite()),
        Method::IsSignNegative => Some(x < 0.0 || x == 0.0 && x.is_sign_negative()),
        Method::IsSignPositive => Some(x > 0.0 || x == 0.0 && x.is_sign_positive()),
        _number => None,
    }
}

/// As Rust's `partial_cmp`.
fn ordering(a: Const, b: Const) -> Option<Ordering> {
    match (float_value(a), float_value(b)) {
        (Some(x), Some(y)) => x.partial_cmp(&y),
        _ => Some(number(a).cmp(&number(b))),
    }
}

/// Rust's `as`; to a float of 16 bits by way of `f32`.
fn cast(x: Const, to: Scalar) -> Const {
    match (float_value(x), to) {
        (_, Scalar::F16 | Scalar::Bf16) => {
            let value = float_value(cast(x, Scalar::F32)).expect("a float");
            let bits = to.float_bits(value);
            Const { ty: to, bits }
        }
        (Some(x), Scalar::F64) => f64_const(x),
        (Some(x), Scalar::F32) => f32_const(x as f32),
        (Some(x), to) => int::saturate(to, x as i128),
        (None, Scalar::F64) => f64_const(number(x) as f64),
        (None, Scalar::F32) => f32_const(number(x) as f32),
        (None, to) => int::wrap(to, number(x)),
    }
}

fn logic(op: ScalarOp, args: &[Const]) -> bool {
    let arg = |i: usize| args[i].bits != 0;
    match op {
        ScalarOp::Not => !arg(0),
        ScalarOp::BitAnd => arg(0) & arg(1),
        ScalarOp::BitOr => arg(0) | arg(1),
        ScalarOp::BitXor => arg(0) ^ arg(1),
        other => panic!("{other:?} of bool"),
    }
}

/// The value of a float, exactly.
fn float_value(x: Const) -> Option<f64> {
    x.ty.is_float().then(|| x.ty.float_value(x.bits))
}

fn truth(x: bool) -> Const {
    let bits = u64::from(x);
    Const {
        ty: Scalar::Bool,
        bits,
    }
}

fn f32_const(x: f32) -> Const {
    let bits = u64::from(x.to_bits());
    Const {
        ty: Scalar::F32,
        bits,
    }
}

fn f64_const(x: f64) -> Const {
    let bits = x.to_bits();
    Const {
        ty: Scalar::F64,
        bits,
    }
}
