//! Nested array programs, compiled while Rust compiles.
pub use ragged_macros::accel;
pub use ragged_core::{ArrayArg, AsArray, Error, ErrorKind, Level, Result};


/// What emitted code names; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use ragged_core::math::{Maths, Order, cast};
    pub use ragged_core::*;
    pub use std::clone::Clone;
    pub use std::default::Default;
    pub use std::option::Option::{None, Some};
    pub use std::result::Result::{Err, Ok};
    pub use std::vec::Vec;
}
