//! Axes that are not there.

use ragged::accel;

accel! {
    pub fn too_far(t: [[f32; m]; n]) -> [f32] { t.sum_axis(2) }

    pub fn from_behind(t: [[f32; m]; n]) -> [f32] { t.sum_axis(-1) }

    pub fn of_one(xs: [f32]) -> f32 { xs.max_axis(1) }

    pub fn chosen(t: [[f32; m]; n], axis: usize) -> [f32] { t.sum_axis(axis) }

    pub fn scalar(x: f32) -> f32 { x.sum_axis(0) }

    pub fn flat(xs: [f32]) -> [[f32]] { xs.transpose() }

    pub fn one_axis(t: [[f32; m]; n]) -> [[f32; n]; m] { t.transpose(1) }

    pub fn same_axis(t: [[f32; m]; n]) -> [[f32; m]; n] { t.transpose(1, 1) }

    pub fn flattened(xs: [f32]) -> [f32] { xs.flatten() }

    pub fn spread(t: [[f32; m]; n]) -> [f32] { t.broadcast(n) }
}

accel! {
    pub fn seven(a: [[[[[[[f32; g]; f]; e]; d]; c]; b]; n]) -> usize { n }

    pub fn made(n: usize) -> (usize, [[[[[[[usize; n]; n]; n]; n]; n]; n]; n]) {
        (n, generate((n, n, n, n, n, n, n), |a, b, c, d, e, f, g| a + b + c + d + e + f + g))
    }

    pub fn uneven(rows: [[[[[[[u8]]]]]]]) -> usize { rows.len() }

    pub fn in_a_tuple(a: [([[[[[[f32; f]; e]; d]; c]; b]; n], u8)]) -> usize { a.len() }

    pub fn items(a: Seq<[[[[[[[f32; g]; f]; e]; d]; c]; b]; n]>) -> usize { a.count(|_| true) }

    /// Six are none too many.
    pub fn six(a: [([[[[[f32; f]; e]; d]; c]; b], u8); n]) -> usize { n }
}

fn main() {}
