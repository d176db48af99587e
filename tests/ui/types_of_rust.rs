//! Types that Rust has and the language has not.

use ragged::accel;

accel! {
    pub fn boxed(x: Box<[f32]>) -> f32 { x.sum() }

    pub fn qualified(p: crate::Point) -> f32 { p.x }

    pub fn vector(xs: std::vec::Vec<f32>) -> f32 { xs.sum() }

    pub fn complex(z: num_complex::Complex<f32>) -> f32 { z.re }

    pub fn never(x: f32) -> ! { x }

    pub fn pointer(xs: *const f32) -> f32 { 1.0 }

    pub fn a_macro(x: real!()) -> f32 { 1.0 }

    pub fn many(xs: Seq<f32, n>) -> f32 { 1.0 }

    pub fn matrix(a: [f32; n, m]) -> f32 { a.sum() }

    pub fn pointer_to_function(f: fn(f32) -> f32) -> f32 { f(1.0) }

    pub fn object(f: dyn Fn(f32) -> f32) -> f32 { f(1.0) }

    pub fn returned(k: f32) -> impl Fn(f32) -> f32 { |x| k * x }

    pub fn mutates(f: impl FnMut(f32) -> f32) -> f32 { f(1.0) }

    pub fn no_result(f: impl Fn(f32)) -> f32 { f(1.0); 1.0 }

    pub fn number(x: impl Num) -> f32 { 1.0 }

    pub fn sendable(f: impl Fn(f32) -> f32 + Send + Sync) -> f32 { f(1.0) }
}

fn main() {}
