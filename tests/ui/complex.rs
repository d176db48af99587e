//! Complex numbers that do not fit, and what is said where their feature is off.

use ragged::accel;

accel! {
    pub fn order(z: Complex<f32>, w: Complex<f32>) -> bool { z < w }

    pub fn least(zs: [Complex<f32>]) -> Complex<f32> { zs.min() }

    pub fn mean(zs: [Complex<f32>]) -> Complex<f32> { zs.mean() }

    pub fn rest(z: Complex<f32>) -> Complex<f32> { z % z }

    pub fn kinds(z: Complex<f32>, w: Complex<f64>) -> Complex<f32> { z + w }

    pub fn real(z: Complex<f32>, x: f64) -> Complex<f32> { z * x }

    pub fn whole(z: Complex<f64>) -> Complex<f64> { 2 * z }

    pub fn integers(z: Complex<i32>) -> i32 { 1 }

    pub fn of_integers() -> i32 { let z = complex(1, 2); 1 }

    pub fn of_two_types(x: f32, y: f64) -> Complex<f32> { complex(x, y) }

    pub fn one_part(x: f32) -> Complex<f32> { complex(x) }

    pub fn no_type(z: Complex) -> f32 { z.re }

    pub fn field(z: Complex<f32>) -> f32 { z.imag }

    pub fn sine(z: Complex<f32>) -> Complex<f32> { z.sin() }

    pub fn conjugate(x: f32) -> f32 { x.conj() }

    pub fn two_conjugates(z: Complex<f32>) -> Complex<f32> { conj(z, z) }

    pub fn wider(z: Complex<f32>) -> Complex<f64> { z as Complex<f64> }

    pub fn cast(z: Complex<f32>) -> f32 { z as f32 }

    pub fn made() -> Complex<f32> { Complex { re: 1.0 } }

    pub fn apart(z: Complex<f32>) -> f32 { let Complex { re, im } = z; re }

    pub fn length(z: Complex<f32>) -> f32 { z.norm() }

    pub fn turned(z: Complex<f32>) -> Complex<f32> { Complex::new(-z.im, z.re) }
}

accel! {
    pub fn two_types(z: Complex<f32, f32>) -> f32 { z.re }
}

ragged::__ragged_missing_complex!();

fn main() {}
