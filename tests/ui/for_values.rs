//! `for` with a value is an array; `for` without one is a loop.

use ragged::accel;

accel! {
    pub fn unused(xs: [f32]) -> f32 {
        for x in xs { x * 2.0 }
        1.0
    }

    pub fn assigns(xs: [f32]) -> [f32] {
        let mut total = 0.0;
        for x in xs { total += x; total }
    }

    pub fn closure_assigns(xs: [f32]) -> [f32] {
        let mut total = 0.0;
        xs.map(|x| { total += x; total })
    }

    pub fn counts(n: usize) -> usize {
        for i in n { i + 1 }
    }

    pub fn leaves(xs: [f32]) -> [f32] {
        for x in xs {
            if x < 0.0 { break; }
            x
        }
    }

    pub fn no_value(xs: [f32]) -> f32 {
        xs.sum();
    }

    pub fn half(x: f32) -> f32 {
        if x > 0.0 { x }
    }

    pub fn early(x: f32) -> f32 {
        for y in 0..3 { if x < y as f32 { return; } }
        x
    }

    pub fn out_of_all(xs: [f32]) -> [f32] {
        for x in xs { if x < 0.0 { return xs; } else { x } }
    }

    pub fn of_another_type(xs: [f32]) -> f32 {
        for x in xs { if x < 0.0 { return true; } }
        let first = return xs[0];
        first
    }
}

fn main() {}
