//! What one tries on arrays that goes otherwise here.

use ragged::accel;

accel! {
    pub fn number_and_array(xs: [f32]) -> [f32] { 1.0 + xs }

    pub fn array_and_number(xs: [f32]) -> [f32] { xs - 1.0 }

    pub fn arrays(xs: [f32; n], ys: [f32; n]) -> [f32; n] { xs * ys }

    pub fn some(xs: [f32]) -> [bool] { xs == 1.0 }

    pub fn power(x: f32, y: f32) -> f32 { x ^ y }

    pub fn power_of_integer(n: i32) -> i32 { n.pow(2) }

    pub fn all(xs: [f32]) -> bool { xs.all() }

    pub fn none(ns: [u32]) -> usize { ns.count() }

    pub fn scanned(xs: [f32]) -> [f32] { xs.scan(0.0, |a, b| a + b) }

    pub fn reduced(xs: [f32]) -> f32 { xs.reduce(|a, b| a + b) }

    pub fn squares(xs: [f32]) -> f32 { xs.sum(|x| x * x) }

    pub fn largest_square(xs: [f32]) -> f32 { xs.max(|x| x * x) }

    pub fn along(a: [[f32; m]; n]) -> [f32; m] { a.sum(0) }

    pub fn of_all(a: [[f32; m]; n]) -> f32 { a.sum() }

    pub fn element(a: [[f32; m]; n]) -> f32 { a[[0, 1]] }

    pub fn exchanged(xs: [f32; n]) -> [f32; n] {
        let mut ys = xs;
        ys.swap(0, 1);
        ys
    }

    pub fn rolled(xs: [f32]) -> [f32] { xs.roll(1) }

    pub fn beside(a: [[f32; m]; n], b: [[f32; k]; n]) -> [[f32]] { hstack(a, b) }

    pub fn positive(xs: [f32]) -> [f32] { xs.max(0.0) }

    pub fn closest(xs: [f32]) -> f32 { xs.min_by_key(|x| abs(x)) }

    pub fn farthest(xs: [f32]) -> f32 { xs.max_by(|x| abs(x)) }

    pub fn first_pair(ps: [(f32, i32)]) -> (f32, i32) { ps.min() }

    struct Person { age: u32, size: f32 }

    pub fn eldest(people: [Person]) -> usize { people.argmax() }

    pub fn along_last(a: [[f32; m]; n]) -> [[f32; m]; n] { a.scan_axis(|x, y| x + y, 1) }

    pub fn shaped(xs: [f32; n]) -> [[f32; 2]; 3] { xs.reshape([3, 2]) }

    pub fn set(n: usize, k: usize) -> [f32; n] {
        let mut xs = fill(0.0, n);
        xs[0..k] = 1.0;
        xs
    }

    pub fn last(xs: [f32]) -> f32 { xs[-1] }

    pub fn positions(xs: [f32; n]) -> [f32; n] { for (i, x) in xs { x * i as f32 } }

    pub fn but_last(xs: [f32]) -> [f32] { xs[..-1] }
}

fn main() {}
