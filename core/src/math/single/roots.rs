//! `cbrt` and `hypot` of `f32`.
//!
//! In: any `f32`s. Out: the root. Assumes: nothing.
//! Method: in `f64`, where neither squares nor cubes overflow and squares are exact; the cube root
//! from that of `f64`, whose guess needs one step of Newton's less.

use crate::math::double::roots::{refined, third};

/// Cube root, within 0.51 ulp (measured: 0.500, all 2^32 inputs).
#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let t = refined(size, third(size));
    let y = t + (size / (t * t) - t) * (1.0 / 3.0);
    let plain = (size > 0.0) & (size < f64::INFINITY);
    if plain { (y as f32).copysign(x) } else { x }
}

/// √(x² + y²) without overflow in between, within 0.51 ulp (measured: 0.500, 10^8 points); ∞ if
/// either is infinite.
#[inline(always)]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let distance = (a * a + b * b).sqrt() as f32;
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { distance }
}
