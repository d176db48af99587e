//! Operators of later versions.

use ragged::accel;

accel! {
    pub fn use_sort(xs: [f32]) -> [f32] { xs.sort() }

    pub fn free(xs: [f32]) -> [f32] { sort(xs) }

    pub fn use_dedup(xs: [usize]) -> [usize] { dedup(xs) }

    pub fn method(x: f32) -> f32 { x.powf(3.0) }
}

accel! {
    /// A function of the block may have the name of a later operator.
    pub fn sort(xs: [f32]) -> f32 { xs.sum() }

    pub fn as_method(xs: [f32]) -> f32 { xs.sort() + xs.merge(xs) }
}

fn main() {}
