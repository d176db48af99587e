//! Macros of the standard library that mean something else.
#![allow(unused_macros, reason = "they are there to be in the way")]

macro_rules! vec {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! assert {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! debug_assert {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! format {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! panic {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! unreachable {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! file {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! concat {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! stringify {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! matches {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! compile_error {
    ($($t:tt)*) => {
        not_a_name!()
    };
}
macro_rules! accel {
    ($($t:tt)*) => {
        not_a_name!()
    };
}

ragged::accel! {
    /// Checks.
    pub fn checked(xs: [i32], by: i32) -> [i32] {
        assert!(by > 1, "too small");
        for x in xs { assert!(x != 7); x / (by - 1) }
    }

    /// A literal.
    pub fn literal() -> [i32] { [1, 2, 3] }
}

#[test]
fn run() {
    std::assert_eq!(checked(&[2], 3), Ok(std::vec![1]));
    let error = checked(&[2, 7], 3).unwrap_err();
    std::assert!(error.file().ends_with("shadowed_macros.rs"));
    std::assert_eq!(literal(), Ok(std::vec![1, 2, 3]));
}
