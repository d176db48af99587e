//! What other languages have and the language has not.

use ragged::accel;

accel! {
    pub fn power(x: f32) -> f32 { x ** 2 }

    pub fn conditional(a: bool, b: i32, c: i32) -> i32 { a ? b : c }

    pub fn comprehension(xs: [f32]) -> [f32] { [x * 2.0 for x in xs] }

    pub fn lambda(xs: [f32]) -> [f32] { xs.map(x => x + 1.0) }

    pub fn and(a: bool, b: bool) -> bool { a and b }

    pub fn increment(n: usize) -> usize { let mut i = n; i++; i }

    pub fn slice(xs: [f32]) -> [f32] { xs[1:3] }

    pub fn colon(x: f32): f32 { x }

    pub fn untyped(x) -> f32 { x }

    pub fn product(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] { a @ b }

    pub fn two_ranges(n: usize, m: usize) -> [[usize; m]; n] { for i in 0..n, j in 0..m { i + j } }

    pub fn comma(xs: [f32, n]) -> f32 { xs.sum() }
}

fn main() {}
