//! Lengths that contradict each other in a body, and what is not compiled yet.

use ragged::accel;

accel! {
    pub fn reshaped(xs: [f32; 6]) -> [[f32]] { xs.reshape((4, 2)) }

    pub fn assigned(xs: [f32; n]) -> [f32; n] { let mut ys = xs; ys[1..3] = [1.0, 2.0, 3.0]; ys }

    pub fn first_value(rows: [[f32; 3]; n]) -> [f32; 3] {
        rows.reduce([0.0; 4], |a, b| zip(a, b).map(|(x, y)| x + y))
    }

    pub fn shown(xs: [f32]) -> [f32] { for x in xs { 2.0 * dbg!(x + 1.0) } }

    pub fn leaves(xs: [f32]) -> f32 {
        let mut total = 0.0;
        for x in xs { total += if x > 3.0 { break } else { x }; }
        total
    }

    struct Marker { }

    pub fn marks(ms: [Marker]) -> usize { ms.len() }

    pub fn lists_of_marks(ms: [[Marker]]) -> usize { ms.len() }
}

fn main() {}
