//! Literals and named constants of scalar types, as [`Const`]s.

use crate::prims::Scalar;
use crate::syntax::ir::{Literal, LiteralValue};
use crate::typed::ir::Const;

/// Names of the constants of scalar types.
pub(super) const ASSOCIATED: &[&str] = &[
    "MAX",
    "MIN",
    "BITS",
    "INFINITY",
    "NEG_INFINITY",
    "NAN",
    "EPSILON",
    "MIN_POSITIVE",
    "PI",
    "E",
    "TAU",
];

/// The constant `value` of type `ty`, if it fits.
pub(super) fn int(value: i128, ty: Scalar) -> Option<Const> {
    let (lo, hi) = int_range(ty)?;
    let fits = (lo..=hi).contains(&value);
    // Two's complement: the low 64 bits.
    fits.then_some(Const {
        ty,
        bits: value as u64,
    })
}

/// The constant `value` of float type `ty`, rounded.
pub(super) fn float(value: f64, ty: Scalar) -> Const {
    let bits = if ty == Scalar::F32 {
        u64::from((value as f32).to_bits())
    } else {
        value.to_bits()
    };
    Const { ty, bits }
}

/// `true` or `false`.
pub(super) fn boolean(value: bool) -> Const {
    Const {
        ty: Scalar::Bool,
        bits: u64::from(value),
    }
}

/// Least and greatest value of an integer type.
pub(super) fn int_range(ty: Scalar) -> Option<(i128, i128)> {
    if !ty.is_int() {
        return None;
    }
    Some(if ty.is_signed_int() {
        let half = 1i128 << (ty.bits() - 1);
        (-half, half - 1)
    } else {
        (0, (1i128 << ty.bits()) - 1)
    })
}

/// The value of an integer or `bool` constant.
pub(super) fn as_int(value: Const) -> i128 {
    if value.ty.is_signed_int() {
        i128::from(value.bits as i64)
    } else {
        i128::from(value.bits)
    }
}

/// A literal (or its negation) as a value of type `ty`; `None` if it does not fit.
pub(super) fn constant(literal: &Literal, negative: bool, ty: Scalar) -> Option<Const> {
    match &literal.value {
        LiteralValue::Bool(value) => (ty == Scalar::Bool).then(|| boolean(*value)),
        LiteralValue::Int(value) if ty.is_int() => int(if negative { -*value } else { *value }, ty),
        LiteralValue::Int(value) => decimal(&value.to_string(), negative, ty),
        LiteralValue::Float(text) => decimal(text, negative, ty),
    }
}

fn decimal(text: &str, negative: bool, ty: Scalar) -> Option<Const> {
    let bits = match ty {
        Scalar::F32 => {
            let value: f32 = text.parse().ok()?;
            let value = if negative { -value } else { value };
            value.is_finite().then(|| u64::from(value.to_bits()))
        }
        Scalar::F64 => {
            let value: f64 = text.parse().ok()?;
            let value = if negative { -value } else { value };
            value.is_finite().then(|| value.to_bits())
        }
        _ => None,
    };
    Some(Const { ty, bits: bits? })
}

/// The literal as written.
pub(super) fn show(literal: &Literal, negative: bool) -> String {
    let sign = if negative { "-" } else { "" };
    match &literal.value {
        LiteralValue::Bool(value) => value.to_string(),
        LiteralValue::Int(value) => format!("{sign}{value}"),
        LiteralValue::Float(text) => format!("{sign}{text}"),
    }
}

/// `T::name`
pub(super) fn associated(ty: Scalar, name: &str) -> Option<Const> {
    if let Some((lo, hi)) = int_range(ty) {
        return match name {
            "MAX" => int(hi, ty),
            "MIN" => int(lo, ty),
            "BITS" => int(i128::from(ty.bits()), Scalar::U32),
            _ => None,
        };
    }
    match ty {
        Scalar::F32 => float_constant(
            name,
            f64::from(f32::MAX),
            f64::from(f32::EPSILON),
            f64::from(f32::MIN_POSITIVE),
        ),
        Scalar::F64 => float_constant(name, f64::MAX, f64::EPSILON, f64::MIN_POSITIVE),
        _ => None,
    }
    .map(|value| float(value, ty))
}

fn float_constant(name: &str, max: f64, epsilon: f64, min_positive: f64) -> Option<f64> {
    Some(match name {
        "MAX" => max,
        "MIN" => -max,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        "EPSILON" => epsilon,
        "MIN_POSITIVE" => min_positive,
        "PI" => std::f64::consts::PI,
        "E" => std::f64::consts::E,
        "TAU" => std::f64::consts::TAU,
        _ => return None,
    })
}

/// The greatest value below `value`, if there is one.
pub(super) fn before(value: Const) -> Option<Const> {
    match value.ty {
        Scalar::F32 => {
            let next = f32::from_bits(value.bits as u32).next_down();
            Some(float(f64::from(next), Scalar::F32))
        }
        Scalar::F64 => Some(float(f64::from_bits(value.bits).next_down(), Scalar::F64)),
        ty => int(as_int(value) - 1, ty),
    }
}

/// The value of a float constant.
pub(super) fn as_float(value: Const) -> f64 {
    if value.ty == Scalar::F32 {
        f64::from(f32::from_bits(value.bits as u32))
    } else {
        f64::from_bits(value.bits)
    }
}

/// `a < b` of two constants of one type.
pub(super) fn less(a: Const, b: Const) -> bool {
    if a.ty.is_float() {
        as_float(a) < as_float(b)
    } else {
        as_int(a) < as_int(b)
    }
}
