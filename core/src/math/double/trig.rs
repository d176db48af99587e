//! `sin`, `cos` and `tan` of `f64`.
//!
//! In: any `f64`. Out: its sine, cosine or tangent. Assumes: nothing.
//! Method: |x| = q·π/2 + (high + low). Below 2^14 Cody–Waite with π/2 in pieces of 39, 39 and 53
//! bits: the products with q are exact but for the last, and 117 bits are enough, since no such x is
//! nearer than 2^-60 to a multiple of π/2. Above, [Payne–Hanek](super::payne_hanek).

use super::pair::{ordered_sum, product, quotient};
use super::payne_hanek;
use crate::math::bits::{ROUND, SIGN, poly};

/// From here on the large reduction is needed.
const LARGE: f64 = (1u64 << 14) as f64;

const PIO2_HIGH: f64 = 1.5707963267923333;
const PIO2_MIDDLE: f64 = 2.5633441515905732e-12;
const PIO2_LOW: f64 = 3.9455541665632055e-24;

/// An angle in [−π/4, π/4] as high + low, and a count of quarter turns in the low bits.
pub(super) type Angle = (f64, f64, u64);

/// sin x, within 0.9 ulp (measured: 0.806, 10^7 points), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    odd(x, angle(x.abs()))
}

/// cos x, within 0.9 ulp (measured: 0.802, 10^7 points), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    even(angle(x.abs()))
}

/// tan x, within 1.0 ulp (measured: 0.955, 10^7 points), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn tan(x: f64) -> f64 {
    slope(x, angle(x.abs()))
}

/// [`sin`] of every lane: the same bits, at a fifth of the cost if no lane is large.
#[inline(always)]
pub fn sin_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = sin(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = odd(x[l], small_angle(x[l].abs()));
        }
    }
    y
}

/// [`cos`] of every lane: the same bits, at a fifth of the cost if no lane is large.
#[inline(always)]
pub fn cos_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = cos(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = even(small_angle(x[l].abs()));
        }
    }
    y
}

/// [`tan`] of every lane: the same bits, at less than the cost if no lane is large.
#[inline(always)]
pub fn tan_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = tan(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = slope(x[l], small_angle(x[l].abs()));
        }
    }
    y
}

#[inline(always)]
fn any_large<const L: usize>(x: &[f64; L]) -> bool {
    let mut any = 0;
    for l in 0..L {
        any |= u64::from(x[l].abs() >= LARGE);
    }
    any != 0
}

#[inline(always)]
fn angle(x: f64) -> Angle {
    let small = small_angle(x);
    let large = payne_hanek::angle(x);
    let is_large = x >= LARGE;
    (
        if is_large { large.0 } else { small.0 },
        if is_large { large.1 } else { small.1 },
        if is_large { large.2 } else { small.2 },
    )
}

#[inline(always)]
fn small_angle(x: f64) -> Angle {
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let q = shifted - ROUND;
    let first = x - q * PIO2_HIGH;
    let second = q * PIO2_MIDDLE;
    let sum = first - second;
    let rest = ((first - sum) - second) - q * PIO2_LOW;
    let high = sum + rest;
    (high, (sum - high) + rest, shifted.to_bits())
}

#[inline(always)]
fn odd(x: f64, (high, low, q): Angle) -> f64 {
    let y = wave(high, low, q);
    f64::from_bits(y.to_bits() ^ (x.to_bits() & SIGN))
}

#[inline(always)]
fn even((high, low, q): Angle) -> f64 {
    wave(high, low, q.wrapping_add(1))
}

/// sin(high + low + q·π/2).
#[inline(always)]
fn wave(high: f64, low: f64, q: u64) -> f64 {
    let w = high * high;
    let half = 0.5 * w;
    let near = 1.0 - half;
    let sin = high + (high * w * sin_tail(w) + low * near);
    let cos = near + (((1.0 - near) - half) + (w * w * cos_tail(w) - high * low));
    let y = if q & 1 == 0 { sin } else { cos };
    f64::from_bits(y.to_bits() ^ ((q << 62) & SIGN))
}

/// tan(high + low + q·π/2) with the sign of x: sine over cosine, both with their rests.
#[inline(always)]
fn slope(x: f64, (high, low, q): Angle) -> f64 {
    let (w, w_low) = product(high, high);
    let half = 0.5 * w;
    let near = 1.0 - half;
    let sin = ordered_sum(high, high * w * sin_tail(w) + low * near);
    let rest = w * w * cos_tail(w) - (high * low + 0.5 * w_low);
    let cos = ordered_sum(near, ((1.0 - near) - half) + rest);
    let odd = q & 1 != 0;
    let (n, d) = if odd {
        ((-cos.0, -cos.1), sin)
    } else {
        (sin, cos)
    };
    let (y, y_low) = quotient(n, d);
    f64::from_bits((y + y_low).to_bits() ^ (x.to_bits() & SIGN))
}

/// (sin r − r)/r³, of w = r².
#[inline(always)]
fn sin_tail(w: f64) -> f64 {
    poly!(
        w;
        -0.16666666666666632, 0.00833333333332248, -0.00019841269829846725,
        2.7557313702159458e-6, -2.5050759362406388e-8, 1.589685253519563e-10
    )
}

/// (cos r − 1 + r²/2)/r⁴, of w = r².
#[inline(always)]
fn cos_tail(w: f64) -> f64 {
    poly!(
        w;
        0.0416666666666666, -0.0013888888888874465, 2.4801587289662233e-5,
        -2.7557314397473136e-7, 2.08757287012159e-9, -1.1359899983269046e-11
    )
}
