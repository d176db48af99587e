//! `use` items of a block that cannot be followed.

use ragged::accel;

accel! {
    #[allow(unused_imports)]
    use crate::linalg::dotp;

    pub use crate::linalg::norm;

    use crate::linalg::{self, scale};

    use crate::linalg::{};

    use std::f64::consts::PI;

    use core::cmp::{max, min};

    pub fn f(x: f32) -> f32 { x }
}

fn main() {
    let _ = f(1.0);
}
