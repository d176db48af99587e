//! `pow` of `f64`.
//!
//! In: any two `f64`. Out: x^y with the special cases of IEEE 754 (C's `pow`, Rust's `powf`).
//! Assumes: nothing.
//! Method: 2^(y·log₂|x|). The product reaches 1075, so log₂ must be right to about 2^-65: it and
//! the product are unevaluated sums of a number of 26 bits and a rest, for which the large partial
//! products are exact (Dekker).

use super::exp::tail;
use super::pair::Pair;
use crate::math::bits::{
    ROUND_BIASED, SIGN, exponent_and_mantissa, poly, small_power, split_power, top,
};

/// x^y, within 0.9 ulp (measured: 0.815, 10^7 points); so exact where the power is an `f64`.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    let base = x.abs();
    let magnitude = exp2(product(base, y));
    let is_one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (y.abs() == f64::INFINITY));
    if is_one {
        1.0
    } else {
        with_sign(magnitude, x, y)
    }
}

/// [`pow`] of every lane: the same bits, at less than the cost if every base is positive and normal
/// and every exponent below 10^20.
#[inline(always)]
pub fn pow_lanes<const L: usize>(x: [f64; L], y: [f64; L]) -> [f64; L] {
    let mut out = x;
    let mut special = 0;
    for l in 0..L {
        let plain = (x[l] >= f64::MIN_POSITIVE) & (x[l] < f64::INFINITY) & (y[l].abs() <= HUGE);
        special |= u64::from(!plain);
    }
    if special != 0 {
        for l in 0..L {
            out[l] = pow(x[l], y[l]);
        }
    } else {
        for l in 0..L {
            out[l] = exp2(bounded(times(y[l], log2(x[l], 1023.0))));
        }
    }
    out
}

/// x to a whole power: 1, x, x², x³ and 1/x as products and quotient, else as [`pow`].
#[inline(always)]
pub fn powi(x: f64, n: i32) -> f64 {
    let magnitude = exp2(product(x.abs(), f64::from(n)));
    let sign = if n & 1 == 0 { 0 } else { x.to_bits() & SIGN };
    let power = f64::from_bits(magnitude.to_bits() ^ sign);
    small_power!(x, n, power)
}

/// From here on every power is 0, 1 or ∞, since |log₂| ≥ 2^-53 unless it is 0.
const HUGE: f64 = 1e20;

/// y·log₂(base), its absolute value bounded by 1100.
#[inline(always)]
fn product(base: f64, y: f64) -> Pair {
    let bounded_y = if y > HUGE { HUGE } else { y };
    let bounded_y = if bounded_y < -HUGE { -HUGE } else { bounded_y };
    let (z, rest) = times(bounded_y, long_log2(base));
    let edge = if base == 0.0 { f64::NEG_INFINITY } else { base };
    let is_edge = !((base > 0.0) & (base < f64::INFINITY));
    bounded((if is_edge { bounded_y * edge } else { z }, rest))
}

/// log₂ of a positive number, subnormal ones included.
#[inline(always)]
pub(super) fn long_log2(x: f64) -> Pair {
    const TWO54: f64 = (1u64 << 54) as f64;
    let subnormal = x < f64::MIN_POSITIVE;
    let scaled = if subnormal { x * TWO54 } else { x };
    log2(scaled, if subnormal { 1023.0 + 54.0 } else { 1023.0 })
}

/// y·(high + low).
#[inline(always)]
fn times(y: f64, (log_high, log_low): Pair) -> Pair {
    let cut = top(y);
    let whole = cut * log_high;
    let part = (y - cut) * log_high + y * log_low;
    let sum = whole + part;
    (sum, (whole - sum) + part)
}

/// Clamped to where 2^z is 0 or ∞ for sure.
#[inline(always)]
pub(super) fn bounded((z, rest): Pair) -> Pair {
    let rest = if z.abs() <= 1100.0 { rest } else { 0.0 };
    let z = if z > 1100.0 { 1100.0 } else { z };
    (if z < -1100.0 { -1100.0 } else { z }, rest)
}

/// log₂(x · 2^(1023 − bias)) of a positive normal number.
#[inline(always)]
fn log2(x: f64, bias: f64) -> Pair {
    let (exponent, m) = exponent_and_mantissa(x);
    let k = exponent - bias;
    let (whole, part) = log2_mantissa(m);
    let high = top((whole + part) + k);
    (high, part - ((high - k) - whole))
}

/// log₂ m for m in [√½, √2): with s = (m − 1)/(m + 1), w = s² and P a minimax polynomial,
/// s·(3 + w + 3w²·P(w))·2/(3 ln 2).
#[inline(always)]
fn log2_mantissa(m: f64) -> Pair {
    const SCALE: f64 = 0.9617966939259756;
    const SCALE_TOP: f64 = 0.9617966860532761;
    const SCALE_REST: f64 = 7.872699542894897e-9;
    let (s, s_rest) = quotient(m);
    let square = s * s;
    let square_rest = s_rest * (s + s + s_rest);
    let w = square + square_rest;
    let small = square_rest + w * w * atanh_tail(w);
    let factor = top(3.0 + (square + small));
    let factor_rest = small - ((factor - 3.0) - square);
    let whole = s * factor;
    let part = s_rest * factor + (s + s_rest) * factor_rest;
    let cut = top(whole + part);
    let rest = part - (cut - whole);
    (cut * SCALE_TOP, rest * SCALE + cut * SCALE_REST)
}

/// (m − 1)/(m + 1).
#[inline(always)]
fn quotient(m: f64) -> Pair {
    let f = m - 1.0;
    let sum = 2.0 + f;
    let sum_rest = f - (sum - 2.0);
    let inverse = 1.0 / sum;
    let s = top(f * inverse);
    let cut = top(sum);
    let remainder = ((f - s * cut) - s * (sum - cut)) - s * sum_rest;
    (s, remainder * inverse)
}

/// 3·(atanh(s)/s − 1 − w/3)/w², of w = s².
#[inline(always)]
fn atanh_tail(w: f64) -> f64 {
    poly!(
        w;
        3.0 * 0.19999999999999987, 3.0 * 0.14285714285723522, 3.0 * 0.11111111108535054,
        3.0 * 0.09090909463557116, 3.0 * 0.07692276512298021, 3.0 * 0.06668232151509135,
        3.0 * 0.05835929567336065, 3.0 * 0.06006736838515723
    )
}

/// 2^(z + rest).
#[inline(always)]
pub(super) fn exp2((z, rest): Pair) -> f64 {
    const LN2: f64 = std::f64::consts::LN_2;
    const LN2_TOP: f64 = 0.6931471675634384;
    const LN2_REST: f64 = 1.2996506893889889e-8;
    let shifted = z + ROUND_BIASED;
    let f = z - (shifted - ROUND_BIASED);
    let cut = top(f);
    let high = cut * LN2_TOP;
    let low = (f - cut) * LN2_TOP + (f * LN2_REST + rest * LN2);
    let r = high + low;
    let one_and_high = 1.0 + high;
    let lost = high - (one_and_high - 1.0);
    let y = one_and_high + (lost + (r * r * tail(r) + low));
    let (first, second) = split_power(shifted);
    y * first * second
}

/// The sign of x^y: an odd y hands on the sign of x, a fraction has no power of a negative x.
#[inline(always)]
fn with_sign(magnitude: f64, x: f64, y: f64) -> f64 {
    let size = y.abs();
    let size = if size < EVEN { size } else { EVEN };
    let is_integer = (size >= INTEGER) | (nearest(size) == size);
    let is_odd = is_integer & (nearest(0.5 * size) != 0.5 * size);
    let sign = if is_odd { x.to_bits() & SIGN } else { 0 };
    let signed = f64::from_bits(magnitude.to_bits() ^ sign);
    if (x < 0.0) & (x > f64::NEG_INFINITY) & !is_integer {
        f64::NAN
    } else {
        signed
    }
}

/// Every `f64` from here on is an integer; adding it rounds lesser ones to integers.
const INTEGER: f64 = (1u64 << 52) as f64;

/// Every `f64` from here on is an even integer.
const EVEN: f64 = (1u64 << 53) as f64;

/// The nearest integer to 0 ≤ x ≤ 2^52.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + INTEGER) - INTEGER
}
