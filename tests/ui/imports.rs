//! Calls into other blocks that do not work.

pub mod linalg {
    ragged::accel! {
        pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }

        pub fn private_of_file(x: f32) -> f32 { helper(x) }

        fn helper(x: f32) -> f32 { x }
    }

    pub fn plain(x: f32) -> f32 { x }

    pub mod other {
        ragged::accel! {
            pub fn dotp(xs: [f64]) -> f64 { xs.sum() }
        }
    }
}

mod wrong_path {
    ragged::accel! {
        use crate::linalg::dot;

        pub fn a(xs: [f32]) -> f32 { dot(xs, xs) }
    }
}

mod wrong_module {
    ragged::accel! {
        use crate::linear::dotp;

        pub fn b(xs: [f32]) -> f32 { dotp(xs, xs) }
    }
}

mod not_exported {
    ragged::accel! {
        use crate::linalg::helper;

        pub fn c(x: f32) -> f32 { helper(x) }
    }
}

mod plain_rust {
    ragged::accel! {
        use crate::linalg::plain;

        pub fn d(x: f32) -> f32 { plain(x) }
    }
}

mod twice {
    ragged::accel! {
        use crate::linalg::dotp;
        use crate::linalg::other::dotp;

        pub fn e(xs: [f32]) -> f32 { dotp(xs, xs) }
    }
}

mod hidden_by_own {
    ragged::accel! {
        use crate::linalg::dotp;

        fn dotp(xs: [f32]) -> f32 { xs.sum() }

        pub fn f(xs: [f32]) -> f32 { dotp(xs) }
    }
}

mod operator_name {
    ragged::accel! {
        use crate::linalg::dotp as sum;

        pub fn g(xs: [f32]) -> f32 { sum(xs, xs) }
    }
}

mod helpers_stay {
    ragged::accel! {
        use crate::linalg::private_of_file;

        pub fn h(x: f32) -> f32 { private_of_file(x) + helper(x) }
    }
}

mod globs {
    ragged::accel! {
        use crate::linalg::*;

        pub fn i(xs: [f32]) -> f32 { dotp(xs, xs) }
    }
}

mod types {
    ragged::accel! {
        use crate::linalg::dotp;

        pub fn j(xs: [f64]) -> f32 { dotp(xs, xs) }
    }
}

mod no_use {
    ragged::accel! {
        pub fn k(xs: [f32]) -> f32 { crate::linalg::dotp(xs, xs) }
    }
}

fn main() -> ragged::Result<()> {
    plain_rust::d(1.0)?;
    types::j(&[1.0])?;
    Ok(())
}
