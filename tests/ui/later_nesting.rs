//! Operators that hold array operations.

use ragged::accel;

accel! {
    fn total(xs: [f32], k: f32) -> f32 { xs.map(|x| x * k).sum() }

    pub fn in_reduce(xs: [f32], ys: [f32]) -> f32 {
        ys.reduce(0.0, |a, b| a + total(xs, b))
    }
}

accel! {
    pub fn of_rows(a: [[f32; m]; n]) -> [[f32; m]; n] {
        a.scan(|x, y| zip(x, y).map(|(p, q)| p - q))
    }
}

fn main() {}
