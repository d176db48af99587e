//! Assignments.

use ragged::accel;

accel! {
    pub fn not_mut(n: i32) -> i32 { let i = n; i += 1; i }

    pub fn parameter(n: i32) -> i32 { n = 1; n }

    pub fn element(xs: [f32]) -> [f32] { xs[0] = 1.0; xs }

    pub fn ty(n: i32) -> i32 { let mut i = n; i = 1.5; i }

    pub fn uninitialised(c: bool) -> i32 { let x; if c { x = 1; } else { x = 2; } x }

    pub fn endless(n: i32) -> i32 { loop { } }

    pub fn outside(n: i32) -> i32 { break; n }
}

accel! {
    pub fn value(n: i32) -> i32 { n + 1 = 3; n }
}

fn main() {}
