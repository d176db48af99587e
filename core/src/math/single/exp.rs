//! `exp` of `f32`.
//!
//! In: any `f32`. Out: e^x. Assumes: nothing.
//! Method: Cody–Waite reduction x = k·ln 2 + r, |r| ≤ ½ ln 2, with ln 2 in two parts and the second
//! part kept out of the rounding of r; a minimax polynomial for (e^r − 1 − r)/r²; 2^k in two
//! factors, so that subnormal results round once. Where all results of a block are normal numbers, k
//! is added to their exponents instead, or, with AVX-512, `vscalef` scales them.
//!
//! Note [Far below]: where a product is subnormal, Intel's processors leave the vector to microcode, which takes
//! 130 cycles instead of half a one; so they do, in vain, for products down to 2^-159 (of `f64`
//! about 2^-1087), which are 0, but not below. So what stands for numbers of which the power is 0 is far below
//! the first of them. `vscalef` takes 210 cycles for any result below the normal numbers, and is not asked for any.

#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
use crate::level::{self, MAX_LANES};
use crate::math::bits::poly;

/// Rounds below 2^22, and leaves k in the low bits.
const ROUND: f32 = 12_582_912.0;

/// The same, and leaves k + 254 there: as even, so that halves are rounded alike.
const ROUND_BIASED: f32 = ROUND + 254.0;

/// A number of which the power is infinite.
const MOST: f32 = 89.0;

/// Of what is less the power is 0.
const ZERO: f32 = -104.0;

/// What stands for such numbers. See Note [Far below].
const LEAST: f32 = -120.0;

/// The first 15 bits of ln 2: its product with k is exact.
const LN2_HIGH: f32 = 0.693_145_75;
const LN2_LOW: f32 = 1.428_606_8e-6;

/// The coefficients of (e^r − 1 − r)/r².
const TAIL: [f32; 5] = [
    0.5,
    0.166_665_15,
    0.041_666_586,
    0.008_369_319,
    0.001_392_118,
];

macro_rules! tail {
    ($($r:tt)+) => { poly!($($r)+; TAIL[0], TAIL[1], TAIL[2], TAIL[3], TAIL[4]) };
}

/// e^x, within 0.95 ulp (measured: 0.938, over all `f32`).
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let (y, shifted) = parts(within_range(x), ROUND_BIASED);
    scale(y, shifted)
}

/// [`exp`] of every lane: the same bits, at less than the cost if all are normal numbers.
#[inline(always)]
pub fn exp_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES } {
        level::assert_highest();
        // SAFETY: the line before.
        return unsafe { avx512::exp(x) };
    }
    let mut y = x;
    if all_normal(&x) {
        for l in 0..L {
            let (part, shifted) = parts(x[l], ROUND);
            y[l] = scale_normal(part, shifted);
        }
    } else {
        for l in 0..L {
            y[l] = exp(x[l]);
        }
    }
    y
}

/// e^x of fused operations, within 1.1 ulp (measured: 1.024, over all `f32`).
#[inline(always)]
pub(in crate::math) fn exp_fused(x: f32) -> f32 {
    let (y, shifted) = parts_fused(within_range(x), ROUND_BIASED);
    scale(y, shifted)
}

/// [`exp_fused`] of every lane: the same bits, at less than the cost if all are normal numbers.
#[inline(always)]
pub(in crate::math) fn exp_fused_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    let mut y = x;
    if all_normal(&x) {
        for l in 0..L {
            let (part, shifted) = parts_fused(x[l], ROUND);
            y[l] = scale_normal(part, shifted);
        }
    } else {
        for l in 0..L {
            y[l] = exp_fused(x[l]);
        }
    }
    y
}

/// e^x as y·2^k with y next to 1: y and `k + round`.
#[inline(always)]
fn parts(x: f32, round: f32) -> (f32, f32) {
    let shifted = x * std::f32::consts::LOG2_E + round;
    let k = shifted - round;
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    (1.0 + (high + (r * r * tail!(r) - low)), shifted)
}

/// The same of fused operations.
#[inline(always)]
fn parts_fused(x: f32, round: f32) -> (f32, f32) {
    let shifted = x.mul_add(std::f32::consts::LOG2_E, round);
    let k = shifted - round;
    let high = k.mul_add(-LN2_HIGH, x);
    let r = k.mul_add(-LN2_LOW, high);
    (1.0 + (r * r).mul_add(tail!(horner r), r), shifted)
}

/// Whether e to the power of each lane is neither infinite nor less than a normal number; not if one is
/// NaN.
#[inline(always)]
fn all_normal<const L: usize>(x: &[f32; L]) -> bool {
    !any_from(x, 87.0)
}

/// Whether a lane is `bound` or more in magnitude, or NaN; `bound` is positive and finite. Sometimes also if
/// none is, at levels of fewer than 32 lanes.
#[inline(always)]
fn any_from<const L: usize>(x: &[f32; L], bound: f32) -> bool {
    #[cfg(target_arch = "x86_64")]
    if const { L == 32 } {
        // SAFETY: the line before; the processor has AVX2.
        return !level::is_found::<32>() || unsafe { any_from_of_32(x.as_ptr(), bound) };
    }
    let mut below = 1;
    for l in 0..L {
        below &= u32::from(x[l].abs() < bound);
    }
    below == 0
}

/// By hand, since LLVM puts the conditions of 32 lanes into an order of its own before it combines them, which
/// takes as long as what they decide on.
///
/// # Safety
/// There are 32 numbers; the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn any_from_of_32(x: *const f32, bound: f32) -> bool {
    use core::arch::x86_64::*;
    // SAFETY: promised by the caller.
    unsafe {
        let sign = _mm256_set1_epi32(i32::MIN);
        let magnitude = |at| _mm256_andnot_si256(sign, _mm256_loadu_si256(x.add(at).cast()));
        let low = _mm256_max_epi32(magnitude(0), magnitude(8));
        let high = _mm256_max_epi32(magnitude(16), magnitude(24));
        let largest = _mm256_max_epi32(low, high);
        // NaN is greater than all others.
        let below = _mm256_set1_epi32(bound.to_bits().cast_signed() - 1);
        let from = _mm256_cmpgt_epi32(largest, below);
        _mm256_movemask_epi8(from) != 0
    }
}

/// `x`, or where e^x is infinite or 0 a number of which it is too.
#[inline(always)]
fn within_range(x: f32) -> f32 {
    let x = if x > MOST { MOST } else { x };
    if x < ZERO { LEAST } else { x }
}

/// y·2^k, from `k + ROUND_BIASED`.
#[inline(always)]
fn scale(y: f32, shifted: f32) -> f32 {
    let biased = shifted.to_bits();
    let half = biased >> 1;
    let rest = biased.wrapping_sub(half);
    y * f32::from_bits(half << 23) * f32::from_bits(rest << 23)
}

/// y·2^k where that is a normal number, from `k + ROUND`, all bits of which lie above those that are left.
#[inline(always)]
fn scale_normal(y: f32, shifted: f32) -> f32 {
    f32::from_bits(y.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_lane_counts<const L: usize>() {
        crate::level::best();
        for lane in 0..L {
            for from in [
                87.0,
                -87.0,
                1e38,
                f32::INFINITY,
                -f32::INFINITY,
                f32::NAN,
                -f32::NAN,
            ] {
                let mut x = [86.999_99; L];
                assert!(!any_from(&x, 87.0));
                x[lane] = from;
                assert!(any_from(&x, 87.0));
                x[lane] = -86.999_99;
                assert!(!any_from(&x, 87.0));
            }
        }
    }

    #[test]
    fn a_lane_from_the_bound_on_is_found() {
        each_lane_counts::<1>();
        each_lane_counts::<16>();
        if crate::level::best() >= crate::level::Level::V3 {
            each_lane_counts::<32>();
        }
        each_lane_counts::<64>();
    }

    crate::math::far_below!(zero: [-103.98, -104.0, -104.01, -110.0, -119.9, -120.0, -1e30, f32::MIN, f32::NEG_INFINITY], least: [-103.2, -103.9]);
}
