//! Every visibility.
#![allow(
    clippy::redundant_pub_crate,
    reason = "the opposite of `unreachable_pub`"
)]

mod deep {
    pub(crate) mod deeper {
        ragged::accel! {
            /// For the crate.
            pub(crate) fn of_crate(x: i32) -> i32 { x }

            /// For the module around.
            pub(super) fn of_super(x: i32) -> i32 { x }

            /// For a module by path.
            pub(in crate::visibility) fn of_path(x: i32) -> i32 { x }

            /// For this module.
            pub(self) fn of_self(x: i32) -> i32 { x }
        }

        pub(crate) fn all(x: i32) -> ragged::Result<i32> {
            Ok(of_crate(x)? + of_self(x)?)
        }
    }

    pub(super) fn all(x: i32) -> ragged::Result<i32> {
        Ok(deeper::of_super(x)? + deeper::all(x)?)
    }
}

/// Uses all of them.
///
/// # Errors
/// None.
pub fn all(x: i32) -> ragged::Result<i32> {
    Ok(deep::all(x)? + deep::deeper::of_path(x)? + deep::deeper::of_crate(x)?)
}

mod private_structs {
    ragged::accel! {
        struct Inner { a: f32 }

        #[derive(Debug)]
        pub(crate) struct Shown { pub(crate) a: f32, b: f32 }

        pub(crate) fn shown(xs: [f32]) -> [Shown] {
            for x in xs { Inner { a: x } }.map(|it| Shown { a: it.a, b: it.a })
        }
    }

    impl Shown {
        pub(crate) fn total(self) -> f32 {
            self.a + self.b
        }
    }
}

/// Through them.
///
/// # Errors
/// None.
pub fn totals(xs: &[f32]) -> ragged::Result<Vec<f32>> {
    let shown = private_structs::shown(xs)?;
    Ok(shown.into_iter().map(|it| it.total() - it.a).collect())
}

#[test]
fn run() {
    assert_eq!(all(1), Ok(5));
    assert_eq!(totals(&[1.0]), Ok(vec![1.0]));
}
