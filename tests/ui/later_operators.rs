//! Operators of later versions.

use ragged::accel;

accel! {
    pub fn use_tabulate(xs: [f32]) -> [f32] { xs.tabulate() }

    pub fn free(xs: [f32]) -> [f32] { tabulate(xs) }

    pub fn make(n: usize) -> [usize] { produce(n) }

    pub fn method(x: f32) -> f32 { x.powf(3.0) }
}

accel! {
    /// A function of the block may have the name of a later operator.
    pub fn tabulate(xs: [f32]) -> f32 { xs.sum() }

    pub fn as_method(xs: [f32]) -> f32 { xs.tabulate() + xs.elements(xs) }
}

fn main() {}
