//! Why a value is of another type than it must be.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    pub fn field(x: i32) -> Point { Point { x: x, y: 0.0 } }

    pub fn base(x: f32) -> Point { Point { x: x, ..x } }

    pub fn elements(n: i32) -> [f32] { [1.0, n] }

    pub fn length(n: i32) -> [f32] { [0.0; n] }

    pub fn slice(xs: [f32], i: i32) -> [f32] { xs[i..] }

    pub fn bounds(n: usize, k: i32) -> [usize] { n..k }

    pub fn loops(n: usize) -> usize { let mut i = n; while n { i = i - 1; } i }

    pub fn ends(n: usize) -> usize { loop { if n > 1 { break 1.0; } break n; } }

    pub fn asserts(n: usize) -> usize { assert!(n); n }

    pub fn both(n: usize, b: bool) -> bool { b && n }

    pub fn rotates(n: u32, k: usize) -> u32 { n.rotate_left(k) }

    pub fn power(x: f32) -> f32 { x.powi(2.0) }

    pub fn wraps(n: i32) -> i32 { n.wrapping_pow(n) }

    pub fn larger(x: f32, n: i32) -> f32 { max(x, n) }

    pub fn qualified(x: f64) -> f32 { f32::sqrt(x) }

    fn passed(f: impl Fn(f32) -> f32, n: i32) -> f32 { f(n) }

    fn applied(x: f32, f: impl Fn(f32) -> f32) -> f32 { f(x) }

    pub fn wanted(x: f32, n: i32) -> f32 { applied(x, |y| n) }

    pub fn flags(xs: [f32]) -> [f32] { xs.filter(|x| 1) }

    pub fn default(flags: [bool]) -> usize { flags.position_or(-1.0) }

    pub fn first(xs: [f32]) -> usize { xs.position() }

    pub fn shape(xs: [f32]) -> [[f32]] { xs.reshape((2.0, 3)) }

    pub fn written(x: f32) -> i32 { let n: i32 = x; n }

    pub fn size(xs: [f32], n: i32) -> f32 { let ys: [f32; n] = xs; ys.sum() }

    pub fn later(ps: [Point]) -> i32 { let mut qs = []; let n: i32 = qs[0].x; qs = ps; n }
}

accel! {
    const LIMIT: f32 = 1u32;

    pub fn limited(x: f32) -> f32 { min(x, LIMIT) }
}

fn main() {}
