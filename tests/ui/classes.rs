//! Operators and functions on values that they are not for.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    pub fn equal_arrays(xs: [f32; n], ys: [f32; n]) -> bool { xs == ys }

    pub fn equal_structs(p: Point, q: Point) -> bool { p == q }

    pub fn add_tuples(a: (f32, f32), b: (f32, f32)) -> (f32, f32) { a + b }

    pub fn add_flags(a: bool, b: bool) -> bool { a + b }

    pub fn multiply_flags(a: bool, b: bool) -> bool { a * b }

    pub fn minus(n: usize) -> usize { -n }

    pub fn minus_array(xs: [f32]) -> [f32] { -xs }

    pub fn not_float(x: f32) -> f32 { !x }

    pub fn power(n: i32) -> i32 { pow(n, 2) }

    pub fn roots(xs: [f32]) -> [f32] { sqrt(xs) }

    pub fn product(flags: [bool]) -> bool { flags.product() }

    pub fn mean(xs: [i32]) -> f64 { xs.mean() }

    pub fn nearest(xs: [(f32, f32)]) -> usize { xs.argmin() }

    pub fn sums(a: [[f32; m]; n]) -> [f32] { a.sum() }

    pub fn running(a: [[f32; m]; n]) -> [[f32; m]; n] { a.scan(add) }

    pub fn flags(xs: [f32]) -> bool { xs.all() }

    pub fn root(n: i32) -> i32 { n.isqrt() }
}

fn main() {}
