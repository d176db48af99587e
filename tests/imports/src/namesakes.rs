//! Imports whose blocks have helpers, structs and constants of the same names.

ragged::accel! {
    use crate::library::scaled_dot;
    use crate::library::deep::ten_times;

    const SCALE: f32 = 1000.0;

    struct Pair { c: f32 }

    fn helper(x: f32, y: f32) -> Pair { Pair { c: x + y * SCALE } }

    /// Each sees its own.
    pub fn mixed(xs: [f32; n]) -> (f32, [f32; n], f32) {
        (scaled_dot(xs, xs), ten_times(xs), helper(1.0, 2.0).c)
    }
}

pub mod operators {
    //! An import of the name of an operator, as with a function of the block.
    ragged::accel! {
        use crate::library::norm as sum;

        /// The import's.
        pub fn hidden(xs: [f32]) -> f32 { sum(xs) }
    }
}
