//! `exp` of `f64`.
//!
//! In: any `f64`. Out: e^x. Assumes: nothing.
//! Method: as for `f32` (Cody–Waite, minimax polynomial, 2^k in two factors).

use crate::math::bits::{ROUND_BIASED, poly, split_power};

/// The first 41 bits of ln 2: its product with k is exact.
const LN2_HIGH: f64 = 0.693147180559663;
const LN2_LOW: f64 = 2.8235290563031577e-13;

/// A number of which the power is 0, far below the first of them: see Note [Far below] in `math/single/exp.rs`. (Those
/// between are so few that another operation for each number would cost more.)
const LEAST: f64 = -770.0;

/// (e^r − 1 − r)/r² for |r| ≤ ½ ln 2.
macro_rules! tail {
    ($($r:tt)+) => {
        poly!(
            $($r)+;
            0.5, 0.16666666666666685, 0.04166666666666667, 0.008333333333315757,
            0.0013888888888881714, 0.00019841269899407077, 2.480158733316684e-5,
            2.7557231997627923e-6, 2.7557263034875495e-7, 2.511298549853405e-8,
            2.0919294791469903e-9
        )
    };
}

/// e^x, within 0.95 ulp (measured: 0.883, 10^7 points).
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = within_range(x);
    let (shifted, high, low) = reduce(x);
    let r = high - low;
    scale(1.0 + (high + (r * r * tail(r) - low)), shifted)
}

/// [`exp`] of every lane. (Where all are normal numbers, less would do, but it is no faster.)
#[inline(always)]
pub fn exp_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let mut y = x;
    for l in 0..L {
        y[l] = exp(x[l]);
    }
    y
}

/// e^x of fused operations, within 1.1 ulp (measured: 0.993, 10^7 points).
#[inline(always)]
pub(in crate::math) fn exp_fused(x: f64) -> f64 {
    let x = within_range(x);
    let shifted = x.mul_add(std::f64::consts::LOG2_E, ROUND_BIASED);
    let k = shifted - ROUND_BIASED;
    let high = k.mul_add(-LN2_HIGH, x);
    let r = k.mul_add(-LN2_LOW, high);
    scale(1.0 + (r * r).mul_add(tail!(fused r), r), shifted)
}

/// [`exp_fused`] of every lane.
#[inline(always)]
pub(in crate::math) fn exp_fused_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let mut y = x;
    for l in 0..L {
        y[l] = exp_fused(x[l]);
    }
    y
}

/// `x`, or where e^x is infinite or 0 a number of which it is too.
#[inline(always)]
fn within_range(x: f64) -> f64 {
    let x = if x > 710.0 { 710.0 } else { x };
    if x < LEAST { LEAST } else { x }
}

/// y·2^k, from `k + ROUND_BIASED`.
#[inline(always)]
fn scale(y: f64, shifted: f64) -> f64 {
    let (first, second) = split_power(shifted);
    y * first * second
}

/// x = k·ln 2 + (high − low): `(k + ROUND_BIASED, high, low)`.
#[inline(always)]
pub(super) fn reduce(x: f64) -> (f64, f64, f64) {
    let shifted = x * std::f64::consts::LOG2_E + ROUND_BIASED;
    let k = shifted - ROUND_BIASED;
    (shifted, x - k * LN2_HIGH, k * LN2_LOW)
}

/// The same as a function.
#[inline(always)]
pub(super) fn tail(r: f64) -> f64 {
    tail!(r)
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::math::far_below!(zero: [-745.14, -746.0, -755.0, -769.9, -770.0, -770.1, -1e300, f64::MIN, f64::NEG_INFINITY], least: [-744.5, -745.1]);
}
