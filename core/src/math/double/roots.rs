//! `cbrt` and `hypot` of `f64`.
//!
//! In: any `f64`s. Out: the root. Assumes: nothing.
//! Method of `cbrt`: a third of the bits as a first guess (right to 2^-5), a polynomial in how far
//! its cube is off (2^-23), that raised a little and cut to 23 bits, so that its square is exact and
//! the quotient by it below it, one step of Halley's.
//! Method of `hypot`: the sum of the exact squares, its root with the rest; large and small arguments
//! are scaled by a power of two.

use super::pair::{product, root, sum};
use crate::math::bits::{SIGN, poly};

/// Cube root, within 0.67 ulp (measured: 0.667, 10^7 points).
#[inline(always)]
pub fn cbrt(x: f64) -> f64 {
    const TWO54: f64 = (1u64 << 54) as f64;
    const TWO18: f64 = (1u64 << 18) as f64;
    let size = x.abs();
    let subnormal = size < f64::MIN_POSITIVE;
    let scaled = if subnormal { size * TWO54 } else { size };
    let guess = refined(scaled, third(scaled));
    let t = f64::from_bits((guess.to_bits() + (1 << 31)) & !((1 << 30) - 1));
    let r = scaled / (t * t);
    let y = t + t * ((r - t) / ((t + t) + r));
    let y = if subnormal { y * (1.0 / TWO18) } else { y };
    let plain = (size > 0.0) & (size < f64::INFINITY);
    if plain { y.copysign(x) } else { x }
}

/// The cube root of a normal number, to about 2^-5.
#[inline(always)]
pub(in crate::math) fn third(x: f64) -> f64 {
    /// Two thirds of the bias of the exponents, less what makes the largest error least.
    const OFFSET: u64 = 715_094_163;
    let upper = (x.to_bits() & !SIGN) >> 32;
    let upper_third = (upper * 0xaaaa_aaab) >> 33;
    f64::from_bits((upper_third + OFFSET) << 32)
}

/// A cube root that is right to 2^-23, from one that is right to 2^-5.
#[inline(always)]
pub(in crate::math) fn refined(x: f64, guess: f64) -> f64 {
    let r = (guess * guess) * (guess / x);
    guess
        * poly!(
            r;
            1.8729310008965496, -1.8727220526285502, 1.6028055790102043, -0.7458403713239917,
            0.14282582639879562
        )
}

/// √(x² + y²) without overflow or underflow in between, within 0.76 ulp (measured: 0.738, 10^7
/// points);
/// ∞ if either is infinite.
#[inline(always)]
pub fn hypot(x: f64, y: f64) -> f64 {
    const LARGE: f64 = (1u128 << 100) as f64 * (1u128 << 100) as f64 * (1u128 << 100) as f64;
    const HUGE: f64 = LARGE * LARGE;
    let (a, b) = (x.abs(), y.abs());
    let most = if a > b { a } else { b };
    let (scale, back) = if most > LARGE {
        (1.0 / HUGE, HUGE)
    } else {
        (1.0, 1.0)
    };
    let (scale, back) = if most < 1.0 / LARGE {
        (HUGE, 1.0 / HUGE)
    } else {
        (scale, back)
    };
    let (a, b) = (a * scale, b * scale);
    let ((p, p_low), (q, q_low)) = (product(a, a), product(b, b));
    let (s, s_low) = sum(p, q);
    let (r, r_low) = root((s, s_low + (p_low + q_low)));
    let infinite = (x.abs() == f64::INFINITY) | (y.abs() == f64::INFINITY);
    if infinite {
        f64::INFINITY
    } else {
        (r + r_low) * back
    }
}
