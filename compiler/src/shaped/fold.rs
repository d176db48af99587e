//! Scalar operations on constants, and with operands that change nothing.
//!
//! Integers and truth values only: that keeps index arithmetic readable. All else is left to rustc.

use super::ir::Atom;
use crate::prims::{Scalar, ScalarOp};
use crate::typed::ir::Const;

/// The result of an operation on constants.
pub(super) fn fold(op: ScalarOp, args: &[Atom], ty: Scalar) -> Option<Atom> {
    let mut constants = Vec::with_capacity(args.len());
    for arg in args {
        match arg {
            Atom::Const(constant) if !constant.ty.is_float() => constants.push(*constant),
            Atom::Const(_) | Atom::Var(_) => return None,
        }
    }
    let &first = constants.first()?;
    let result = match (op, constants.get(1)) {
        (ScalarOp::Cast, _) => cast(first, ty)?,
        (ScalarOp::Not, _) if ty == Scalar::Bool => truth(first.bits == 0),
        (_, Some(second)) => binary(op, first, *second, ty)?,
        (_, None) => return None,
    };
    Some(Atom::Const(result))
}

fn binary(op: ScalarOp, left: Const, right: Const, ty: Scalar) -> Option<Const> {
    let (a, b) = (number(left), number(right));
    if let Some(holds) = compare(op, a, b) {
        return Some(truth(holds));
    }
    if ty == Scalar::Bool {
        return logic(op, a != 0, b != 0).map(truth);
    }
    let number = match op {
        ScalarOp::Add => a + b,
        ScalarOp::Sub => a - b,
        // Two of 64 bits may make more than 127; those below 64 are right.
        ScalarOp::Mul => a.wrapping_mul(b),
        ScalarOp::Div => a.checked_div(b)?,
        ScalarOp::Rem => a.checked_rem(b)?,
        ScalarOp::Min => a.min(b),
        ScalarOp::Max => a.max(b),
        _ => return None,
    };
    Some(wrap(ty, number))
}

fn compare(op: ScalarOp, a: i128, b: i128) -> Option<bool> {
    Some(match op {
        ScalarOp::Eq => a == b,
        ScalarOp::Ne => a != b,
        ScalarOp::Lt => a < b,
        ScalarOp::Le => a <= b,
        ScalarOp::Gt => a > b,
        ScalarOp::Ge => a >= b,
        _ => return None,
    })
}

fn logic(op: ScalarOp, a: bool, b: bool) -> Option<bool> {
    Some(match op {
        ScalarOp::BitAnd => a & b,
        ScalarOp::BitOr => a | b,
        ScalarOp::BitXor => a ^ b,
        _ => return None,
    })
}

/// Rust's `as` from an integer or a truth value.
fn cast(from: Const, ty: Scalar) -> Option<Const> {
    let number = number(from);
    Some(match ty {
        // Those of 16 bits by way of `f32`.
        Scalar::F16 | Scalar::Bf16 | Scalar::F32 => Const {
            ty,
            bits: ty.float_bits(f64::from(number as f32)),
        },
        Scalar::F64 => Const {
            ty,
            bits: (number as f64).to_bits(),
        },
        Scalar::Bool => return None,
        Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize => wrap(ty, number),
    })
}

/// What the operation is where one operand decides.
pub(super) fn simplify(op: ScalarOp, args: &[Atom], ty: Scalar) -> Option<Atom> {
    if let (ScalarOp::Select, &[Atom::Const(condition), then, else_]) = (op, args) {
        return Some(if condition.bits != 0 { then } else { else_ });
    }
    if ty.is_float() {
        return None;
    }
    let &[left, right] = args else { return None };
    match (op, is(left, 0), is(right, 0), is(left, 1), is(right, 1)) {
        (ScalarOp::Add, true, ..) => Some(right),
        (ScalarOp::Add | ScalarOp::Sub, _, true, ..) => Some(left),
        (ScalarOp::Mul, _, _, true, _) => Some(right),
        (ScalarOp::Mul, _, _, _, true) => Some(left),
        _ if is_bool(left) || is_bool(right) => connective(op, left, right),
        _ => None,
    }
}

fn connective(op: ScalarOp, left: Atom, right: Atom) -> Option<Atom> {
    let (constant, other) = match (left, right) {
        (Atom::Const(_), _) => (left, right),
        _ => (right, left),
    };
    match (op, is(constant, 1)) {
        (ScalarOp::BitAnd, true) | (ScalarOp::BitOr, false) => Some(other),
        (ScalarOp::BitAnd, false) | (ScalarOp::BitOr, true) => Some(constant),
        _ => None,
    }
}

fn is_bool(atom: Atom) -> bool {
    matches!(atom, Atom::Const(constant) if constant.ty == Scalar::Bool)
}

fn is(atom: Atom, number: u64) -> bool {
    matches!(atom, Atom::Const(constant) if !constant.ty.is_float() && constant.bits == number)
}

/// The number that an integer or truth value stands for.
fn number(constant: Const) -> i128 {
    if constant.ty.is_signed_int() {
        i128::from(constant.bits as i64)
    } else {
        i128::from(constant.bits)
    }
}

/// `number` modulo the width of `ty`, as [`Const`] holds it.
pub(super) fn wrap(ty: Scalar, number: i128) -> Const {
    let unused = 64 - ty.bits();
    let bits = if ty.is_signed_int() {
        (((number as i64) << unused) >> unused) as u64
    } else {
        ((number as u64) << unused) >> unused
    };
    Const { ty, bits }
}

fn truth(truth: bool) -> Const {
    Const {
        ty: Scalar::Bool,
        bits: u64::from(truth),
    }
}
