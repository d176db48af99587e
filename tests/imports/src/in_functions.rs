//! Blocks in function bodies that import, and that are imported from there.

/// Imports into a body.
///
/// # Errors
/// None.
pub fn outer(xs: &[f32]) -> ragged::Result<f32> {
    ragged::accel! {
        use crate::library::scaled_dot;

        pub fn inner(xs: [f32]) -> f32 { scaled_dot(xs, xs) + 1.0 }
    }
    inner(xs)
}

/// Imports from the same body.
///
/// # Errors
/// None.
pub fn beside(xs: &[i32]) -> ragged::Result<Vec<i32>> {
    mod steps {
        ragged::accel! {
            pub(super) fn more(xs: [i32; n]) -> [i32; n] { for x in xs { x + 1 } }
        }
    }
    ragged::accel! {
        use steps::more;

        pub fn most(xs: [i32; n]) -> [i32; n] { more(more(xs)) }
    }
    most(xs)
}
