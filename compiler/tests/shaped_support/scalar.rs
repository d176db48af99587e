//! Scalar operations of the evaluator.

use ragged_compiler::prims::{Extreme, Method, Scalar, ScalarOp};
use ragged_compiler::typed::ir::Const;

/// `op` of `args`, of type `ty`. A division by zero is a mistake of the caller.
pub fn apply(op: ScalarOp, args: &[Const], ty: Scalar) -> Const {
    let first = args[0];
    match op {
        ScalarOp::Select => return if first.bits != 0 { args[1] } else { args[2] },
        ScalarOp::Cast => return cast(first, ty),
        _ => {}
    }
    if first.ty.is_float() {
        floats(op, args, ty)
    } else {
        integers(op, args, ty)
    }
}

pub fn number(x: Const) -> i128 {
    if x.ty.is_signed_int() {
        i128::from(x.bits as i64)
    } else {
        i128::from(x.bits)
    }
}

pub fn float(x: Const) -> f64 {
    match x.ty {
        Scalar::F32 => f64::from(f32::from_bits(x.bits as u32)),
        _ => f64::from_bits(x.bits),
    }
}

pub fn integer(ty: Scalar, n: i128) -> Const {
    let unused = 64 - ty.bits();
    let bits = if ty.is_signed_int() {
        (((n as i64) << unused) >> unused) as u64
    } else if ty == Scalar::Bool {
        u64::from(n != 0)
    } else {
        ((n as u64) << unused) >> unused
    };
    Const { ty, bits }
}

pub fn rounded(ty: Scalar, x: f64) -> Const {
    let bits = match ty {
        Scalar::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    Const { ty, bits }
}

fn cast(x: Const, ty: Scalar) -> Const {
    match (x.ty.is_float(), ty.is_float()) {
        (true, true) => rounded(ty, float(x)),
        (true, false) => saturated(ty, float(x)),
        (false, true) if ty == Scalar::F32 => {
            let bits = u64::from((number(x) as f32).to_bits());
            Const { ty, bits }
        }
        (false, true) => rounded(ty, number(x) as f64),
        (false, false) => integer(ty, number(x)),
    }
}

fn saturated(ty: Scalar, x: f64) -> Const {
    let values = 1i128 << ty.bits();
    let (lo, hi) = if ty.is_signed_int() {
        (-values / 2, values / 2 - 1)
    } else {
        (0, values - 1)
    };
    integer(ty, (x as i128).clamp(lo, hi))
}

fn floats(op: ScalarOp, args: &[Const], ty: Scalar) -> Const {
    let x = float(args[0]);
    let y = args.get(1).map_or(0.0, |y| float(*y));
    let truth = |truth: bool| integer(Scalar::Bool, i128::from(truth));
    let min = |a: f64, b: f64| {
        let a_first = a < b || b.is_nan() || a == b && a.is_sign_negative();
        if a_first { a } else { b }
    };
    let max = |a: f64, b: f64| {
        let a_last = a > b || b.is_nan() || a == b && a.is_sign_positive();
        if a_last { a } else { b }
    };
    let alike = |a: f64, b: f64| a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits();
    let value = match op {
        ScalarOp::Neg => -x,
        ScalarOp::Abs => x.abs(),
        ScalarOp::Sqrt => x.sqrt(),
        ScalarOp::Floor => x.floor(),
        ScalarOp::Add => x + y,
        ScalarOp::Sub => x - y,
        ScalarOp::Mul => x * y,
        ScalarOp::Div => x / y,
        ScalarOp::Min => min(x, y),
        ScalarOp::Max => max(x, y),
        ScalarOp::Eq => return truth(x == y),
        ScalarOp::Ne => return truth(x != y),
        ScalarOp::Lt => return truth(x < y),
        ScalarOp::Le => return truth(x <= y),
        ScalarOp::Gt => return truth(x > y),
        ScalarOp::Ge => return truth(x >= y),
        ScalarOp::Before(Extreme::Min) => return truth(!alike(x, y) && alike(min(x, y), x)),
        ScalarOp::Before(Extreme::Max) => return truth(!alike(x, y) && alike(max(x, y), x)),
        ScalarOp::Precedes => return truth(x.total_cmp(&y).is_lt()),
        ScalarOp::Method(Method::IsSignNegative) => return truth(x.is_sign_negative()),
        other => panic!("{other:?} of floats: not needed so far"),
    };
    rounded(ty, value)
}

fn integers(op: ScalarOp, args: &[Const], ty: Scalar) -> Const {
    let x = number(args[0]);
    let y = args.get(1).map_or(0, |y| number(*y));
    let result = match op {
        ScalarOp::Neg => -x,
        ScalarOp::Not if ty == Scalar::Bool => 1 - x,
        ScalarOp::Not => !x,
        ScalarOp::Abs => x.abs(),
        ScalarOp::Add => x + y,
        ScalarOp::Sub => x - y,
        ScalarOp::Mul => x.wrapping_mul(y),
        ScalarOp::Div => x / y,
        ScalarOp::Rem => x % y,
        ScalarOp::Min => x.min(y),
        ScalarOp::Max => x.max(y),
        ScalarOp::Clamp => x.max(y).min(number(args[2])),
        ScalarOp::BitAnd => x & y,
        ScalarOp::BitOr => x | y,
        ScalarOp::BitXor => x ^ y,
        ScalarOp::Eq => i128::from(x == y),
        ScalarOp::Ne => i128::from(x != y),
        ScalarOp::Before(Extreme::Min) => i128::from(x < y),
        ScalarOp::Before(Extreme::Max) => i128::from(x > y),
        ScalarOp::Lt => i128::from(x < y),
        ScalarOp::Le => i128::from(x <= y),
        ScalarOp::Gt => i128::from(x > y),
        ScalarOp::Ge => i128::from(x >= y),
        other => panic!("{other:?} of integers: not needed so far"),
    };
    integer(ty, result)
}
