//! Files and other readers as sequences: lines, records, blocks of numbers.
//!
//! In: anything that is [`Read`](std::io::Read). Out: iterators that are passed for a sequence as they are: their
//! items are `Ok` of a [`Part`] of what was read, or the error of the reader.
//! Assumes: nothing.
//!
//! | for | items | function |
//! |---|---|---|
//! | `Seq<[u8]>` | lines | [`lines`] |
//! | | what stands between separators | [`separated`] |
//! | | records of one size | [`fixed`] |
//! | | records behind their lengths | [`prefixed`] |
//! | `Seq<[T]>`, `Seq<[T; n]>` | blocks of numbers | [`blocks`] |
//! | `Seq<T>` | numbers | [`numbers`] |
//!
//! Readers are read through a buffer of their own, so a plain [`File`](std::fs::File) does, and items
//! are parts of it, so none of them has memory of its own. What one `read` gives is handed on before
//! the next, so that pipes and sockets are followed closely. After an error there are no further items.
//!
//! ```
//! use ragged_core::seq::read;
//! use std::io;
//!
//! let text = "to be or\r\nnot to be";
//! let lines: io::Result<Vec<_>> = read::lines(text.as_bytes()).collect();
//! assert_eq!(lines?, [b"to be or", &b"not to be"[..]]);
//!
//! let bytes = [1.0_f32, 2.0, 3.0].map(f32::to_le_bytes).concat();
//! let blocks: io::Result<Vec<_>> = read::blocks::<f32>(&bytes[..], 2).collect();
//! assert_eq!(blocks?, [vec![1.0, 2.0], vec![3.0]]);
//! # io::Result::Ok(())
//! ```

mod blocks;
mod number;
mod part;
mod records;
mod window;

pub use blocks::{Blocks, Numbers, blocks, numbers};
pub use number::Number;
pub use part::Part;
pub use records::{Fixed, Lines, Prefix, Prefixed, Separated, fixed, lines, prefixed, separated};
