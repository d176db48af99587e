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

fn main() {}
