//! Functions that Rust's arrays and iterators have and the language spells otherwise.

use ragged::accel;

accel! {
    pub fn collects(xs: [f32]) -> [f32] { xs.map(|x| x + 1.0).collect() }

    pub fn copies(xs: [f32]) -> [f32] { xs.to_vec() }

    pub fn unwraps(xs: [f32]) -> f32 { xs.max().unwrap() }

    pub fn clones(xs: [f32]) -> [f32] { xs.clone() }

    pub fn converts(x: f32) -> f64 { x.into() }

    pub fn of_a_type(x: f32) -> f64 { f64::from(x) }

    pub fn contracts(a: f32, b: f32, c: f32) -> f32 { a.mul_add(b, c) }

    pub fn does(xs: [f32]) -> [f32] { xs.for_each(|x| x + 1.0) }

    pub fn empty(xs: [f32]) -> bool { xs.is_empty() }

    pub fn element(xs: [f32], i: usize) -> f32 { xs.get(i) }

    pub fn pushes(xs: [f32]) -> [f32] { let mut ys = xs; ys.push(1.0); ys }

    pub fn reverses(xs: [f32]) -> [f32] { xs.reverse() }

    pub fn checks(x: i32, y: i32) -> i32 { x.checked_add(y) }

    pub fn random(n: usize) -> [f32] { random_f32(n) }

    pub fn tabulates(n: usize) -> [usize] { tabulate(n, |i| i * i) }
}

fn main() {}
