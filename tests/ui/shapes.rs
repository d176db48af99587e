//! Lengths that contradict each other in a body.

use ragged::accel;

accel! {
    pub fn reshaped(xs: [f32; 6]) -> [[f32]] { xs.reshape((4, 2)) }

    pub fn assigned(xs: [f32; n]) -> [f32; n] { let mut ys = xs; ys[1..3] = [1.0, 2.0, 3.0]; ys }

    pub fn first_value(rows: [[f32; 3]; n]) -> [f32; 3] {
        rows.reduce([0.0; 4], |a, b| zip(a, b).map(|(x, y)| x + y))
    }

    fn both(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }

    pub fn passes_one_less(xs: [f32]) -> f32 { both(xs, xs[1..]) }
}

fn main() {}
