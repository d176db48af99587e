//! Errors inside of imported functions.

ragged::accel! {
    use crate::library::{at, quotients, scaled_dot};

    /// Divides over there.
    pub fn halves(xs: [i32], by: i32) -> i32 { quotients(xs, by).sum() }

    /// Asserts over there.
    pub fn element(xs: [f32], i: usize) -> f32 { at(xs, i) }

    /// Fails here.
    pub fn here(xs: [i32], i: usize) -> i32 { xs[i] }

    /// Sizes differ: the signature over there says that they must not.
    pub fn sizes(xs: [f32], ys: [f32]) -> f32 { scaled_dot(xs, ys) }
}
