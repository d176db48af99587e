//! `ln_1p` of `f32`, and the inverse hyperbolic functions, which are logarithms of 1 + v.
//!
//! In: any `f32`. Out: the function's value. Assumes: nothing.
//! Method: in `f64`; asinh x has v = x + x²/(1 + √(1 + x²)), acosh x has v = t + √(t·(x + 1)) with
//! t = x − 1, atanh x is half of that with v = 2x/(1 − x): no v cancels.

use super::pow::atanh_tail;
use crate::math::bits::exponent_and_mantissa;
use std::f64::consts::LN_2;

/// ln(1 + x), within 0.51 ulp (measured: 0.500, over all `f32`).
#[inline(always)]
pub fn ln_1p(x: f32) -> f32 {
    let y = ln_1p_of(f64::from(x)) as f32;
    let edge = if x < -1.0 { f32::NAN } else { x };
    let edge = if x == -1.0 { f32::NEG_INFINITY } else { edge };
    let plain = (x > -1.0) & (x < f32::INFINITY) & (x != 0.0);
    if plain { y } else { edge }
}

/// Inverse hyperbolic sine, within 0.51 ulp (measured: 0.500, 10^8 points).
#[inline(always)]
pub fn asinh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let square = size * size;
    let v = size + square / (1.0 + (1.0 + square).sqrt());
    let y = ln_1p_of(v) as f32;
    (if x.abs() < f32::INFINITY { y } else { x }).copysign(x)
}

/// Inverse hyperbolic cosine, within 0.51 ulp (measured: 0.500, 10^8 points); NaN below 1.
#[inline(always)]
pub fn acosh(x: f32) -> f32 {
    let long = f64::from(x);
    let t = long - 1.0;
    let y = ln_1p_of(t + (t * (long + 1.0)).sqrt()) as f32;
    let edge = if x < 1.0 { f32::NAN } else { x };
    if (x >= 1.0) & x.is_finite() { y } else { edge }
}

/// Inverse hyperbolic tangent, within 0.51 ulp (measured: 0.500, 10^8 points); ±∞ of ±1, NaN
/// beyond.
#[inline(always)]
pub fn atanh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let y = (0.5 * ln_1p_of((size + size) / (1.0 - size))) as f32;
    let edge = if size == 1.0 { f32::INFINITY } else { f32::NAN };
    (if size < 1.0 { y } else { edge }).copysign(x)
}

/// ln(1 + v) for −1 < v < ∞: what the sum 1 + v rounds away counts only where k is 0, and there v
/// itself is taken.
#[inline(always)]
fn ln_1p_of(v: f64) -> f64 {
    let (exponent, m) = exponent_and_mantissa(1.0 + v);
    let k = exponent - 1023.0;
    let f = if k == 0.0 { v } else { m - 1.0 };
    let s = f / (2.0 + f);
    (k + s * atanh_tail(s * s)) * LN_2
}
