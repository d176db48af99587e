//! e^x − 1 and what is made of it, of `f32`: `exp_m1`, `sinh`, `cosh`.
//!
//! In: any `f32`. Out: the function's value. Assumes: nothing.
//! Method: in `f64`, t = 2^z − 1 as (2^k − 1) + 2^k·(2^f − 1) with z = x·log₂ e = k + f; `sinh` is
//! (t + t/(t + 1))/2, `cosh` (e + 1/e)/2 with e = t + 1. No step cancels.

use super::tanh::exp2_tail;
use crate::math::bits::{ROUND, power};
use std::f64::consts::LOG2_E;

/// From here on e^z is beyond `f32`.
const OVERFLOW: f64 = 140.0;

/// e^x − 1, within 0.51 ulp (measured: 0.505, over all `f32`).
#[inline(always)]
pub fn exp_m1(x: f32) -> f32 {
    let z = f64::from(x) * LOG2_E;
    let z = if z > OVERFLOW { OVERFLOW } else { z };
    let z = if z < -OVERFLOW { -OVERFLOW } else { z };
    (minus_one(z) as f32).copysign(x)
}

/// Hyperbolic sine, within 0.51 ulp (measured: 0.503, 10^8 points).
#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let t = minus_one(exponent(x));
    ((0.5 * (t + t / (t + 1.0))) as f32).copysign(x)
}

/// Hyperbolic cosine, within 0.51 ulp (measured: 0.501, 10^8 points).
#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let e = minus_one(exponent(x)) + 1.0;
    (0.5 * (e + 1.0 / e)) as f32
}

#[inline(always)]
fn exponent(x: f32) -> f64 {
    let z = f64::from(x.abs()) * LOG2_E;
    if z > OVERFLOW { OVERFLOW } else { z }
}

/// 2^z − 1 for |z| < 1000.
#[inline(always)]
pub(super) fn minus_one(z: f64) -> f64 {
    let shifted = z + ROUND;
    let f = z - (shifted - ROUND);
    let scale = power(shifted);
    (scale - 1.0) + scale * (f * exp2_tail(f))
}
