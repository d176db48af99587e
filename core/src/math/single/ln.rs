//! `ln` of `f32`.
//!
//! In: any `f32`. Out: its natural logarithm. Assumes: nothing.
//! Method: x = 2^k · m with m in [√½, √2), f = m − 1 (exact), ln x = k·ln 2 + f − f²/2 + f³·P(f)
//! with a minimax polynomial P; k·ln 2 + f is summed exactly (Dekker), so that only the last
//! addition rounds visibly. No division: it costs more than the longer polynomial.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
use crate::level::{self, MAX_LANES};
use crate::math::bits::poly;

const MANTISSA: u32 = (1 << 23) - 1;
const ONE: u32 = 127 << 23;
const SQRT_HALF: u32 = 0x3f35_04f3;
const TWO23: f32 = (1 << 23) as f32;

/// The first 15 bits of ln 2: its product with k is exact.
const LN2_HIGH: f32 = 0.693_145_75;
const LN2_LOW: f32 = 1.428_606_8e-6;

/// The coefficients of (ln(1 + f) − f + f²/2)/f³.
const TAIL: [f32; 9] = [
    0.333_333_13,
    -0.250_001_16,
    0.200_021_43,
    -0.166_623_49,
    0.142_147_47,
    -0.124_966_42,
    0.120_075_59,
    -0.112_130_68,
    0.059_606_05,
];

macro_rules! tail {
    ($($f:tt)+) => {
        poly!(
            $($f)+;
            TAIL[0], TAIL[1], TAIL[2], TAIL[3], TAIL[4], TAIL[5], TAIL[6], TAIL[7], TAIL[8]
        )
    };
}

/// ln x, within 0.95 ulp (measured: 0.933, over all `f32`); −∞ for ±0, NaN below.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    let (k, f) = parts(x);
    let whole = k * LN2_HIGH;
    let high = whole + f;
    let low = f - (high - whole);
    at_edges(
        x,
        high + (f * f * (f * tail!(f) - 0.5) + (low + k * LN2_LOW)),
    )
}

/// [`ln`] of every lane: the same bits, with AVX-512 at less than the cost if all are positive normal numbers.
#[inline(always)]
pub fn ln_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES } {
        level::assert_highest();
        // SAFETY: the line before.
        return unsafe { avx512::ln(x) };
    }
    let mut y = x;
    for l in 0..L {
        y[l] = ln(x[l]);
    }
    y
}

/// ln x of fused operations, within 0.95 ulp (measured: 0.824, over all `f32`); at the edges as [`ln`].
#[inline(always)]
pub(in crate::math) fn ln_fused(x: f32) -> f32 {
    let (k, f) = parts(x);
    let high = k.mul_add(LN2_HIGH, f);
    let low = k.mul_add(LN2_HIGH, -high) + f;
    let tail = f.mul_add(tail!(horner f), -0.5);
    at_edges(x, high + (f * f).mul_add(tail, k.mul_add(LN2_LOW, low)))
}

/// x = 2^k·(1 + f), for x that are positive and finite.
#[inline(always)]
fn parts(x: f32) -> (f32, f32) {
    let subnormal = x < f32::MIN_POSITIVE;
    let scaled = if subnormal { x * TWO23 } else { x };
    let bias = if subnormal { 127 + 23 } else { 127 };
    let bits = scaled.to_bits().wrapping_add(ONE - SQRT_HALF);
    let k = (bits >> 23).wrapping_sub(bias) as i32 as f32;
    (k, f32::from_bits((bits & MANTISSA) + SQRT_HALF) - 1.0)
}

/// `y`, the logarithm of a positive and finite `x`, or what that of any other is.
#[inline(always)]
fn at_edges(x: f32, y: f32) -> f32 {
    let edge = if x < 0.0 { f32::NAN } else { x };
    let edge = if x == 0.0 { f32::NEG_INFINITY } else { edge };
    if (x > 0.0) & (x < f32::INFINITY) {
        y
    } else {
        edge
    }
}
