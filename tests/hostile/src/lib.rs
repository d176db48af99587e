//! Blocks of `ragged` in surroundings that break careless macros. Everything here must compile
//! without a warning, under clippy too, and in each edition: the packages `edition2018` and
//! `edition2021` are made of the same files.
//!
//! ```
//! // A block in a doctest is a block in a function body.
//! ragged::accel! {
//!     /// Twice.
//!     pub fn double(xs: [i32; n]) -> [i32; n] { for x in xs { 2 * x } }
//! }
//! assert_eq!(double(&[1, 2]), Ok(vec![2, 4]));
//! ```
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    rust_2018_idioms,
    unreachable_pub,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_qualifications,
    let_underscore_drop,
    missing_debug_implementations,
    missing_copy_implementations,
    variant_size_differences
)]

pub mod delimiters;
pub mod documented;
pub mod functions;
pub mod internal_names;
pub mod later_keywords;
pub mod no_prelude;
pub mod outside;
pub mod reexport;
pub mod shadowed;
pub mod shadowed_crates;
pub mod shadowed_macros;
pub mod visibility;
