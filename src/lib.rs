//! `ragged` is a pure array language inside Rust. Functions over arrays are written in a block
//! [`accel!`], whose grammar is Rust's, and compiled while Rust compiles: chains of operators become
//! single loops that run on all cores, in the widest vector registers that the processor has. A
//! result has the same bits on any number of threads and on any x86-64 processor, but for functions
//! that waive it with `#[fast]`.
//!
//! ```
//! ragged::accel! {
//!     pub fn variance(xs: [f64; n]) -> f64 {
//!         let mean = xs.mean();
//!         for x in xs { (x - mean) * (x - mean) }.sum() / n as f64
//!     }
//! }
//!
//! assert_eq!(variance(&[1.0, 2.0, 6.0]), Ok(14.0 / 3.0));
//! ```
//!
//! Each `pub fn` of a block is a Rust function that borrows its arrays and returns a [`Result`]. What
//! goes wrong while it runs is an [`Error`] with the place in the block and the values, never a
//! panic:
//!
//! ```
//! # ragged::accel! {
//! #     pub fn variance(xs: [f64; n]) -> f64 {
//! #         let mean = xs.mean();
//! #         for x in xs { (x - mean) * (x - mean) }.sum() / n as f64
//! #     }
//! # }
//! let error = variance(&[]).unwrap_err();
//! assert_eq!(error.function(), "variance");
//! assert_eq!(error.kind().to_string(), "`mean` of an empty array");
//! ```
//!
//! What the compiler made of a function stands in a constant beside it:
//!
//! ```
//! # ragged::accel! {
//! #     pub fn variance(xs: [f64; n]) -> f64 {
//! #         let mean = xs.mean();
//! #         for x in xs { (x - mean) * (x - mean) }.sum() / n as f64
//! #     }
//! # }
//! assert!(variance::EXPLAIN.starts_with("variance: kernels 2, intermediates 0, regular"));
//! ```
//!
//! Arrays of arrays, `[[T; m]; n]`, are taken from `ndarray` arrays of any strides and nested Rust
//! arrays, and returned as [`Dense`]; what is done to each row may use every operator again:
//!
//! ```
//! use ndarray::array;
//!
//! ragged::accel! {
//!     pub fn product(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] {
//!         let columns = b.transpose();
//!         for row in a { for column in columns { zip(row, column).map(|(x, y)| x * y).sum() } }
//!     }
//! }
//!
//! let a = array![[1.0, 2.0], [3.0, 4.0]];
//! assert_eq!(product(&a, a.t()), Ok(array![[5.0, 11.0], [11.0, 25.0]]));
//! ```
//!
//! Arrays of arrays of any lengths are [`Ragged`], nested to any depth: one vector of elements, and
//! one of offsets per level. They are made of nested vectors, of offsets or lengths and values, of
//! compressed sparse rows, of matrices, or row by row, and compared with nested lists; [`RaggedView`]
//! borrows offsets and values from elsewhere:
//!
//! ```
//! use ragged::{Ragged, RaggedView};
//!
//! let words = Ragged::from(vec![vec!['a'], vec![], vec!['n', 'o']]);
//! assert_eq!((words.len(), words.row(2)), (3, &['n', 'o'][..]));
//! assert_eq!((words.offsets(), words.values()), (&[0, 1, 1, 3][..], &['a', 'n', 'o'][..]));
//!
//! let lines = RaggedView::new(&[0, 1, 3], &words)?;
//! assert_eq!(format!("{lines:?}"), "[[['a']], [[], ['n', 'o']]]");
//!
//! let matrix = Ragged::from_csr(&[0, 2, 2], &[0, 7], &[1.0, 2.0])?;
//! assert_eq!(format!("{matrix:?}"), "[[(0, 1.0), (7, 2.0)], []]");
//! # Ok::<(), ragged::RaggedError>(())
//! ```
//!
//! The language is described in `docs/language.md`: types, sizes, every operator with an example,
//! errors, the exact order in which sums are made, and what is not supported yet. How exact the
//! scalar functions are is in `docs/maths.md`.
//!
//! # Features
//!
//! * `ndarray` (default): arrays and views of the crate `ndarray` as arguments, and its arrays as
//!   results of several axes ([`Dense`]). Without it these are a [`DenseVec`].
//! * `complex`: complex numbers in blocks, `Complex<f32>` and `Complex<f64>`, which are those of the
//!   crate `num-complex`.
//! * `half`: floats of 16 bits in blocks, `f16` and `bf16`, which are those of the crate `half`.
//! * `mmap`: files mapped into memory, `Mapped`, as arrays and sequences.
//! * `csv`: columns of CSV files as sequences, `seq::csv`.
//! * `indicatif`: progress bars of sequences, `seq::indicatif`.
//! * `tracing`: a span of the crate `tracing` around each chunk of a sequence, of level `DEBUG`.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

/// Compiles a block of array functions.
///
/// The block holds functions, structs, constants and `use` items for functions of other blocks. It
/// stands wherever items may, and with any brackets. It expands to
///
/// * for each `pub fn` a function of the same name and visibility, with its docs. Arrays are taken as
///   `impl` [`AsArray`] and returned as `Vec`, arrays of arrays as `impl` [`AsDense`] and [`Dense`],
///   scalars and products of scalars go by value, and the result is a [`Result`];
/// * beside it a type of the same name, with `EXPLAIN: &str`, which says what was compiled, and a
///   function `into(out, …)`, which writes the result into what the caller has, an
///   [`impl AsArrayOut`](AsArrayOut) for an array, an [`impl AsDenseOut`](AsDenseOut) for an array
///   of arrays;
/// * each `struct`, as `Clone + Copy + Default`.
///
/// Mistakes in the block are compile errors in the language's own terms, at the user's tokens.
///
/// ```
/// use ragged::accel;
///
/// accel! {
///     /// The index and value of the element that is farthest from `x`.
///     pub fn farthest(xs: [f32], x: f32) -> (usize, f32) {
///         let at = xs.map(|y| abs(y - x)).argmax();
///         (at, xs[at])
///     }
/// }
///
/// assert_eq!(farthest(&[1.0, -7.0, 5.0], 0.0), Ok((1, -7.0)));
/// ```
pub use ragged_macros::accel;

pub use ragged_core::{
    ArrayArg, ArrayOut, AsArray, AsArrayOut, AsDense, AsDenseOut, AsProducts, AsRagged,
    AsRaggedOut, Dense, DenseArg, DenseOut, DenseVec, DenseView, Error, ErrorKind, Level, Ragged,
    RaggedArg, RaggedError, RaggedOut, RaggedView, Result, SeqItem, Whole,
};
#[cfg(feature = "mmap")]
pub use ragged_core::{Mapped, MappedRow};

/// What the types of arrays of arrays, [`Ragged`] and [`RaggedView`], are made of.
pub mod nested {
    pub use ragged_core::ragged::{
        EqRow, IntoRow, IntoView, Item, Nested, RaggedIntoIter, RaggedIter, RaggedOf, Values,
    };
}

/// What sequences are made of: [`SeqItem`] says what their items may be, [`seq::Stream`] is the
/// iterator over their results, [`seq::Limits`] how much memory they may take, and [`seq::read`] makes
/// sequences of files.
pub mod seq {
    pub use ragged_core::seq::{
        Append, Chunk, Event, Fallible, Indices, Items, Limits, Plain, Progress, Quota, Rows,
        Source, SourceError, Stage, Stream, Trace, Watch, read,
    };

    #[cfg(feature = "csv")]
    pub mod csv;
    #[cfg(feature = "indicatif")]
    pub mod indicatif;
}

/// The memory of large arrays, from 128 KiB on, which is kept between calls: see
/// "Memory" in `docs/language.md`.
pub mod memory {
    pub use ragged_core::recycle::{keep_at_most, kept, recycle};
}

/// What emitted code names; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__ragged_complex_items as complex_items;
    pub use crate::__ragged_echo as echo;
    pub use crate::__ragged_half_items as half_items;
    pub use ragged_core::math::{Estimates, FUSING, Maths, MulAdd, Order, Rough, Rsqrt, cast};
    pub use ragged_core::*;
    pub use std::clone::Clone;
    pub use std::default::Default;
    pub use std::hint::{black_box, select_unpredictable as choose};
    pub use std::mem::{MaybeUninit, drop};
    pub use std::ops::Range;
    pub use std::option::Option::{self, None, Some};
    pub use std::result::Result::{Err, Ok};
    pub use std::vec::Vec;
}

/// A function or struct with floats of 16 bits in it.
#[cfg(feature = "half")]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_half_items {
    ($($items:tt)*) => { $($items)* };
}

/// A function or struct with floats of 16 bits in it.
#[cfg(not(feature = "half"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_half_items {
    ($($items:tt)*) => {
        $crate::__ragged_missing_half!();
    };
}

/// What is said of floats of 16 bits without the feature.
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_missing_half {
    () => {
        compile_error!(
            "`f16` and `bf16` need the feature `half` of `ragged`\nhelp: write `ragged = { version = \"0.1\", features = [\"half\"] }` in Cargo.toml"
        );
    };
}

/// A function or struct with complex numbers in it.
#[cfg(feature = "complex")]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_complex_items {
    ($($items:tt)*) => { $($items)* };
}

/// A function or struct with complex numbers in it.
#[cfg(not(feature = "complex"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_complex_items {
    ($($items:tt)*) => {
        $crate::__ragged_missing_complex!();
    };
}

/// What is said of complex numbers without the feature.
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_missing_complex {
    () => {
        compile_error!(
            "complex numbers need the feature `complex` of `ragged`\nhelp: write `ragged = { version = \"0.1\", features = [\"complex\"] }` in Cargo.toml"
        );
    };
}

/// The examples of the manual and the README, as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/language.md")]
    mod language {}
    #[doc = include_str!("../docs/nesting.md")]
    mod nesting {}
    #[doc = include_str!("../README.md")]
    mod readme {}
}

/// The text of a block that does not compile, for editors only.
#[cfg(rust_analyzer)]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_echo {
    ($($block:tt)*) => {
        const _: () = { $($block)* };
    };
}

/// The text of a block that does not compile, for editors only.
#[cfg(not(rust_analyzer))]
#[doc(hidden)]
#[macro_export]
macro_rules! __ragged_echo {
    ($($block:tt)*) => {};
}
