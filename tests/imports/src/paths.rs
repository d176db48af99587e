//! Plain imports, groups, new names.

use crate::library;

ragged::accel! {
    use crate::library::scaled_dot;

    /// By one name.
    pub fn twice(xs: [f32]) -> f32 { 2.0 * scaled_dot(xs, xs) }
}

pub mod groups {
    //! Groups and new names.
    ragged::accel! {
        use crate::library::{deep::ten_times, norm as length, scaled_dot};

        /// All three.
        pub fn all(xs: [f32; n]) -> (f32, f32, [f32; n]) {
            (length(xs), scaled_dot(xs, xs), ten_times(xs))
        }

        use super::super::library::r#type;

        /// A raw name, an import between functions.
        pub fn raw(x: i32) -> i32 { r#type(x) }
    }
}

pub mod relative {
    //! Paths that start elsewhere.
    use crate::library::norm;

    ragged::accel! {
        use super::library::first_rows;
        use self::norm;

        /// Through names of the module around.
        pub fn both(xs: [f32; 2]) -> f32 { first_rows(xs) + norm(xs) }
    }
}

pub mod generics {
    //! Generic functions: the source comes, not an instance.
    ragged::accel! {
        use crate::library::mean_of;

        /// Two types, one of them not an instance over there.
        pub fn means(xs: [f32], ys: [f64]) -> (f32, f64) { (mean_of(xs, 1.0), mean_of(ys, 2.0)) }

        /// Passed as a function.
        pub fn passed(xs: [f32]) -> f32 { apply(xs, |ys| mean_of(ys, 0.0)) }

        fn apply(xs: [f32], f: impl Fn([f32]) -> f32) -> f32 { f(xs) }
    }
}

pub mod restricted {
    //! Visibilities.
    ragged::accel! {
        use crate::library::{of_crate, of_parent};

        /// Both.
        pub fn both(x: i32) -> i32 { of_crate(x) + of_parent(x) }
    }
}

pub use library::deep::ten_times as renamed_outside;

pub mod reexported {
    //! Through a `pub use` with another name.
    ragged::accel! {
        use crate::paths::renamed_outside;

        /// It.
        pub fn again(xs: [f32]) -> [f32] { renamed_outside(renamed_outside(xs)) }
    }
}
