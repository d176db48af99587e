//! Modules named as the crates that emitted code needs.

#[allow(dead_code, reason = "it is there to be in the way")]
mod core {}
#[allow(dead_code, reason = "it is there to be in the way")]
mod std {}
#[allow(dead_code, reason = "it is there to be in the way")]
mod alloc {}
#[allow(dead_code, reason = "it is there to be in the way")]
mod ragged {}
#[allow(dead_code, reason = "it is there to be in the way")]
mod ragged_core {}

::ragged::accel! {
    /// A scan, a failure, a struct.
    pub fn everything(xs: [i32], by: i32) -> ([i32], i32) { (xs.scan(|a, b| a + b), xs.sum() / by) }

    /// A struct.
    #[derive(Debug)]
    pub struct Pair {
        /// First.
        pub a: i32,
    }

    /// It.
    pub fn pairs(xs: [i32]) -> [Pair] { for a in xs { Pair { a } } }
}

pub mod importing {
    //! An import where `ragged` is a module too.
    #[allow(dead_code, reason = "it is there to be in the way")]
    mod ragged {}

    ::ragged::accel! {
        use super::everything;

        /// Calls it.
        pub fn total(xs: [i32]) -> i32 { let (_, total) = everything(xs, 1); total }
    }
}

#[test]
fn run() {
    assert_eq!(everything(&[1, 2], 1), Ok((vec![1, 3], 3)));
    assert!(everything(&[1, 2], 0).is_err());
    assert_eq!(pairs(&[1]).unwrap()[0].a, 1);
    assert_eq!(importing::total(&[1, 2]), Ok(3));
}
