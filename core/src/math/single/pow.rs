//! `pow` of `f32`.
//!
//! In: any two `f32`. Out: x^y with the special cases of IEEE 754 (C's `pow`, Rust's `powf`).
//! Assumes: nothing.
//! Method: 2^(y·log₂|x|) in `f64`, right to about 2^-33; special cases by selects.

use super::tanh::exp2_tail;
use crate::math::bits::{ROUND, exponent_and_mantissa, poly, power, small_power};

/// x^y, within 0.51 ulp (measured: 0.501, 10^8 points).
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let (base, exponent) = (f64::from(x.abs()), f64::from(y));
    let edge = if base == 0.0 { f64::NEG_INFINITY } else { base };
    let is_edge = !((base > 0.0) & (base < f64::INFINITY));
    let magnitude = exp2(exponent * if is_edge { edge } else { log2(base) });
    let is_one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (y.abs() == f32::INFINITY));
    if is_one {
        1.0
    } else {
        with_sign(magnitude, x, exponent)
    }
}

/// [`pow`] of every lane: the same bits, at less than the cost if every base is positive and
/// finite.
#[inline(always)]
pub fn pow_lanes<const L: usize>(x: [f32; L], y: [f32; L]) -> [f32; L] {
    let mut out = x;
    let mut special = 0;
    for l in 0..L {
        let plain = (x[l] > 0.0) & (x[l] < f32::INFINITY) & (y[l].abs() < f32::INFINITY);
        special |= u32::from(!plain);
    }
    if special != 0 {
        for l in 0..L {
            out[l] = pow(x[l], y[l]);
        }
    } else {
        for l in 0..L {
            out[l] = exp2(f64::from(y[l]) * log2(f64::from(x[l])));
        }
    }
    out
}

/// x to a whole power: 1, x, x², x³ and 1/x as products and quotient, else as [`pow`].
#[inline(always)]
pub fn powi(x: f32, n: i32) -> f32 {
    let base = f64::from(x.abs());
    let magnitude = exp2(f64::from(n) * log2(base));
    let sign = if n & 1 == 0 {
        0
    } else {
        x.to_bits() & (1 << 31)
    };
    let power = f32::from_bits(magnitude.to_bits() ^ sign);
    small_power!(x, n, power)
}

/// 2^z.
#[inline(always)]
pub(super) fn exp2(z: f64) -> f32 {
    let z = if z > 200.0 { 200.0 } else { z };
    let z = if z < -200.0 { -200.0 } else { z };
    let shifted = z + ROUND;
    let f = z - (shifted - ROUND);
    ((1.0 + f * exp2_tail(f)) * power(shifted)) as f32
}

/// log₂ of a number that is not negative.
#[inline(always)]
pub(super) fn log2(x: f64) -> f64 {
    let (exponent, m) = exponent_and_mantissa(x);
    let f = m - 1.0;
    let s = f / (m + 1.0);
    let y = (exponent - 1023.0) + s * atanh_tail(s * s);
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { x };
    if x > 0.0 && x < f64::INFINITY {
        y
    } else {
        edge
    }
}

/// 2·atanh(s)/(s·ln 2), of w = s².
#[inline(always)]
pub(super) fn atanh_tail(w: f64) -> f64 {
    poly!(
        w;
        2.885390081777844, 0.9617966941250873, 0.5770779386906341, 0.41220964702331647,
        0.3198886445649946, 0.283155104663809
    )
}

/// The sign of x^y: an odd y hands on the sign of x, a fraction has no power of a negative x.
#[inline(always)]
fn with_sign(magnitude: f32, x: f32, y: f64) -> f32 {
    let size = y.abs();
    let size = if size < EVEN { size } else { EVEN };
    let is_integer = nearest(size) == size;
    let is_odd = is_integer & (nearest(0.5 * size) != 0.5 * size);
    let sign = if is_odd { x.to_bits() & (1 << 31) } else { 0 };
    let signed = f32::from_bits(magnitude.to_bits() ^ sign);
    if (x < 0.0) & (x > f32::NEG_INFINITY) & !is_integer {
        f32::NAN
    } else {
        signed
    }
}

/// Every `f32` from here on is an even integer.
const EVEN: f64 = (1u64 << 25) as f64;

#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + ROUND) - ROUND
}
