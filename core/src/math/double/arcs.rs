//! `atan`, `atan2`, `asin` and `acos` of `f64`.
//!
//! In: any `f64`s. Out: the angle in radians. Assumes: nothing.
//! Method of `atan2`: with num ≤ den the absolute values of the arguments, the quotient is taken
//! relative to the nearest c of 0, ½ and 1: t = (num − c·den)/(den + c·num) is at most 0.236, and the
//! angle atan c + atan t, from a multiple of π/2 up or down. t has its remainder, the constants have
//! theirs, so that only the last addition rounds visibly.
//! Method of `asin`: below ½ a polynomial; above, π/2 − 2·asin √((1 − x)/2), the root with its rest.

use super::pair::{Pair, ordered_sum, product, root, sum};
use crate::math::bits::poly;

const PIO2: Pair = (std::f64::consts::FRAC_PI_2, 6.123233995736766e-17);
const PI: Pair = (std::f64::consts::PI, 1.2246467991473532e-16);
const ATAN_HALF: Pair = (0.4636476090008061, 2.2698777452961687e-17);
const PIO4: Pair = (std::f64::consts::FRAC_PI_4, 3.061616997868383e-17);

/// Between the angles of 0 and ½, and of ½ and 1.
const FIRST: f64 = 0.2360679774997897;
const SECOND: f64 = 0.7207592200561265;

/// Arctangent, within 0.65 ulp (measured: 0.631, 10^7 points).
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    let size = x.abs();
    let steep = size > 1.0;
    let (num, den) = if steep { (1.0, size) } else { (size, 1.0) };
    let small = num < SMALL * den;
    angle(num, den, num / den, small, steep, false).copysign(x)
}

/// The angle of the point (x, y), from −π to π, within 0.65 ulp (measured: 0.592, 10^7 points);
/// that of Rust's `y.atan2(x)`.
#[inline(always)]
pub fn atan2(y: f64, x: f64) -> f64 {
    let (a, b) = (x.abs(), y.abs());
    let steep = b > a;
    let (num, den) = if steep { (a, b) } else { (b, a) };
    let both_infinite = num == f64::INFINITY;
    let num = if both_infinite { 1.0 } else { num };
    let den = if both_infinite | (den == 0.0) {
        1.0
    } else {
        den
    };
    let ratio = num / den;
    let small = ratio < SMALL;
    let scale = if den > HUGE * HUGE { 1.0 / HUGE } else { 1.0 };
    let scale = if den < 1.0 / HUGE { HUGE } else { scale };
    let angle = angle(
        num * scale,
        den * scale,
        ratio,
        small,
        steep,
        x.is_sign_negative(),
    );
    let angle = angle.copysign(y);
    if x.is_nan() | y.is_nan() {
        f64::NAN
    } else {
        angle
    }
}

/// Where arguments are scaled.
const HUGE: f64 =
    (1u128 << 127) as f64 * (1u128 << 127) as f64 * (1u128 << 127) as f64 * (1u128 << 127) as f64;

/// Below this quotient the angle is the quotient.
const SMALL: f64 = 1.0 / (1u64 << 30) as f64;

/// The angle whose tangent is num/den ≤ 1, measured from the axis that the flags name.
#[inline(always)]
fn angle(num: f64, den: f64, ratio: f64, small: bool, steep: bool, behind: bool) -> f64 {
    let (t, t_low, nearest) = turned(num, den);
    let w = t * t;
    let tail = t_low + t * (w * atan_tail(w));
    let (t, tail) = if small { (ratio, 0.0) } else { (t, tail) };
    let axis = if behind { PI } else { (0.0, 0.0) };
    let axis = if steep { PIO2 } else { axis };
    let sign = if steep != behind { -1.0 } else { 1.0 };
    let (start, start_low) = sum(axis.0, sign * nearest.0);
    let (high, low) = ordered_sum(start, sign * t);
    high + (low + (start_low + (axis.1 + sign * (nearest.1 + tail))))
}

/// t with its remainder, and atan c.
#[inline(always)]
fn turned(num: f64, den: f64) -> (f64, f64, Pair) {
    let (c, nearest) = if num < FIRST * den {
        (0.0, (0.0, 0.0))
    } else {
        (0.5, ATAN_HALF)
    };
    let (c, nearest) = if num > SECOND * den {
        (1.0, PIO4)
    } else {
        (c, nearest)
    };
    let (n, n_low) = sum(num, -c * den);
    let (d, d_low) = ordered_sum(den, c * num);
    let t = n / d;
    let (p, p_low) = product(t, d);
    (t, (((n - p) - p_low) + (n_low - t * d_low)) / d, nearest)
}

/// (atan(t)/t − 1)/w, of w = t².
#[inline(always)]
fn atan_tail(w: f64) -> f64 {
    poly!(
        w;
        -0.33333333333333004, 0.1999999999980739, -0.14285714247242867, 0.11111107392343003,
        -0.09090709826978796, 0.07686060352763334, -0.06552067752135167, 0.047272303264994
    )
}

/// Arcsine, within 0.7 ulp (measured: 0.662, 10^7 points); NaN beyond 1.
#[inline(always)]
pub fn asin(x: f64) -> f64 {
    let (s, rest, far) = half_arc(x.abs());
    let (high, low) = ordered_sum(PIO2.0, -2.0 * s);
    let near = high + (low + (PIO2.1 - 2.0 * rest));
    (if far { near } else { s + rest }).copysign(x)
}

/// Arccosine, within 0.7 ulp (measured: 0.626, 10^7 points); NaN beyond 1.
#[inline(always)]
pub fn acos(x: f64) -> f64 {
    let (s, rest, far) = half_arc(x.abs());
    let (start, step) = if x < 0.0 {
        (PI, -2.0)
    } else {
        ((0.0, 0.0), 2.0)
    };
    let (start, step) = if far {
        (start, step)
    } else {
        (PIO2, -1.0f64.copysign(x))
    };
    let (high, low) = ordered_sum(start.0, step * s);
    high + (low + (start.1 + step * rest))
}

/// asin x below ½; above asin √((1 − x)/2), and that it is so.
#[inline(always)]
fn half_arc(x: f64) -> (f64, f64, bool) {
    let far = x >= 0.5;
    let w = if far { 0.5 * (1.0 - x) } else { x * x };
    let (s, s_low) = root((w, 0.0));
    let (s, s_low) = if far { (s, s_low) } else { (x, 0.0) };
    (s, s_low + s * (w * asin_tail(w)), far)
}

/// (asin(s)/s − 1)/w, of w = s².
#[inline(always)]
fn asin_tail(w: f64) -> f64 {
    poly!(
        w;
        0.16666666666666763, 0.07499999999970129, 0.04464285717523784, 0.030381942678484524,
        0.022372215793779033, 0.01735159785636578, 0.01398098663129297, 0.011397581294822495,
        0.010787564896026903, 0.003679314318017438, 0.021772167589290497, -0.021089049885427313,
        0.03268395547218537
    )
}
