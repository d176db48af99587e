//! `atan`, `atan2`, `asin` and `acos` of `f32`.
//!
//! In: any `f32`s. Out: the angle in radians. Assumes: nothing.
//! Method: in `f64`. The tangent num/den ≤ 1 is taken relative to 0 or 1, whichever is nearer:
//! t = (num − c·den)/(den + c·num) is at most tan(π/8) and a polynomial does. Arcsines above ½ are
//! π/2 − 2·asin √((1 − x)/2).

use crate::math::bits::poly;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// The tangent of π/8.
const MIDDLE: f64 = 0.41421356237309503;

/// Arctangent, within 0.51 ulp (measured: 0.500, 10^8 points).
#[inline(always)]
pub fn atan(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let steep = size > 1.0;
    let (num, den) = if steep { (1.0, size) } else { (size, 1.0) };
    let flat = angle(num, den);
    ((if steep { FRAC_PI_2 - flat } else { flat }) as f32).copysign(x)
}

/// The angle of the point (x, y), from −π to π, within 0.51 ulp (measured: 0.500, 10^8 points);
/// that of Rust's `y.atan2(x)`.
#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (f64::from(x.abs()), f64::from(y.abs()));
    let steep = b > a;
    let (num, den) = if steep { (a, b) } else { (b, a) };
    let both_infinite = num == f64::INFINITY;
    let num = if both_infinite { 1.0 } else { num };
    let den = if both_infinite | (den == 0.0) {
        1.0
    } else {
        den
    };
    let flat = angle(num, if den == f64::INFINITY { f64::MAX } else { den });
    let right = if steep { FRAC_PI_2 - flat } else { flat };
    let angle = if x.is_sign_negative() {
        PI - right
    } else {
        right
    };
    let signed = (angle as f32).copysign(y);
    if x.is_nan() | y.is_nan() {
        f32::NAN
    } else {
        signed
    }
}

/// The angle whose tangent is num/den ≤ 1.
#[inline(always)]
fn angle(num: f64, den: f64) -> f64 {
    let far = num > MIDDLE * den;
    let (n, d) = if far {
        (num - den, den + num)
    } else {
        (num, den)
    };
    let t = n / d;
    let w = t * t;
    let near = t + t
        * w
        * poly!(
            w;
            -0.3333333251127202, 0.19999904869466562, -0.1428203244096975, 0.11044967669080435,
            -0.08477667783308872, 0.0474667818443886
        );
    near + if far { FRAC_PI_4 } else { 0.0 }
}

/// Arcsine, within 0.51 ulp (measured: 0.500, 10^8 points); NaN beyond 1.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let (arc, far) = half_arc(f64::from(x.abs()));
    ((if far { FRAC_PI_2 - 2.0 * arc } else { arc }) as f32).copysign(x)
}

/// Arccosine, within 0.51 ulp (measured: 0.500, 10^8 points); NaN beyond 1.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let (arc, far) = half_arc(f64::from(x.abs()));
    let y = if far { 2.0 * arc } else { FRAC_PI_2 - arc };
    (if x < 0.0 { PI - y } else { y }) as f32
}

/// asin x below ½; above asin √((1 − x)/2), and that it is so.
#[inline(always)]
fn half_arc(x: f64) -> (f64, bool) {
    let far = x >= 0.5;
    let w = if far { 0.5 * (1.0 - x) } else { x * x };
    let s = if far { w.sqrt() } else { x };
    let arc = s + s
        * w
        * poly!(
            w;
            0.16666667189842205, 0.07499948155627527, 0.04466016360959988, 0.03011025279282627,
            0.024618357463922325, 0.007469155242041242, 0.0346929207967296
        );
    (arc, far)
}
