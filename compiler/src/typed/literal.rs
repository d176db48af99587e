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
    let bits = ty.float_bits(value);
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
    let value: f64 = match ty {
        // Rounded once.
        Scalar::F32 => f64::from(text.parse::<f32>().ok()?),
        Scalar::F16 | Scalar::Bf16 | Scalar::F64 => text.parse().ok()?,
        _ => return None,
    };
    let bits = ty.float_bits(if negative { -value } else { value });
    ty.float_value(bits)
        .is_finite()
        .then_some(Const { ty, bits })
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
    let (max, epsilon, min_positive) = match ty {
        Scalar::F16 => (65504.0, power(-10), power(-14)),
        Scalar::Bf16 => ((2.0 - power(-7)) * power(127), power(-7), power(-126)),
        Scalar::F32 => (
            f64::from(f32::MAX),
            f64::from(f32::EPSILON),
            f64::from(f32::MIN_POSITIVE),
        ),
        Scalar::F64 => (f64::MAX, f64::EPSILON, f64::MIN_POSITIVE),
        _ => return None,
    };
    float_constant(name, max, epsilon, min_positive).map(|value| float(value, ty))
}

fn power(exponent: i32) -> f64 {
    2.0f64.powi(exponent)
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
        ty if ty.is_float() => Some(next_down(value)),
        ty => int(as_int(value) - 1, ty),
    }
}

/// As `f64::next_down`, of any float type.
fn next_down(value: Const) -> Const {
    let Const { ty, bits } = value;
    let sign = 1 << (ty.bits() - 1);
    let bits = match as_float(value) {
        x if x.is_nan() || x == f64::NEG_INFINITY => bits,
        0.0 => sign | 1,
        x if x < 0.0 => bits + 1,
        _positive => bits - 1,
    };
    Const { ty, bits }
}

/// The value of a float constant.
pub(super) fn as_float(value: Const) -> f64 {
    value.ty.float_value(value.bits)
}

/// `a < b` of two constants of one type.
pub(super) fn less(a: Const, b: Const) -> bool {
    if a.ty.is_float() {
        as_float(a) < as_float(b)
    } else {
        as_int(a) < as_int(b)
    }
}
