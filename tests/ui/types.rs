//! Types that do not fit.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    pub fn mixed(x: f32, y: f64) -> f32 { x + y }

    pub fn result(x: f32) -> i32 { x * 2.0 }

    pub fn condition(x: i32) -> i32 { if x { 1 } else { 2 } }

    pub fn branches(c: bool) -> f32 { if c { 1.0 } else { 2 } }

    pub fn index(xs: [f32], i: i32) -> f32 { xs[i] }

    pub fn literal(x: u8) -> u8 { x + 300 }

    pub fn negative(x: u32) -> u32 { x + -1 }

    pub fn array_plus(xs: [f32], ys: [f32]) -> [f32] { xs + ys }

    pub fn scaled(xs: [f32]) -> [f32] { 2.0 * xs }

    pub fn field(p: Point) -> f32 { p.z }

    pub fn of_element(ps: [Point]) -> [f32] { ps.x }

    pub fn make(x: f32) -> Point { Point { x } }

    pub fn minus(x: bool) -> bool { -x }

    pub fn floats(x: i32) -> i32 { x.sqrt() }

    pub fn scalars(x: f32) -> f32 { x.sum() }

    pub fn cast(x: f32) -> bool { x as bool }

    pub fn element(xs: [f32]) -> [f32] { let mut ys = xs; ys[0] = 1; ys }

    pub fn shapes(xs: [f32]) -> f32 { xs.map(|x| x > 0.0).sum() }

    pub fn call(x: f32) -> f32 { mixed(x, x) }

    pub fn no_call(xs: [f32]) -> usize { xs.len }

    pub fn no_call_either(x: f32) -> f32 { x.sqrt }

    pub fn float_condition(x: f32) -> i32 { if x { 1 } else { 2 } }

    pub fn unknown() -> usize { let xs = []; xs.len() }
}

fn main() {}
