//! Arrays of arrays of any lengths.
//!
//! In: offsets and values, nested vectors, rows one by one. Out: [`Ragged`], which owns them, and
//! [`RaggedView`], which borrows them; as arguments and results of compiled functions `arg` and
//! `out`.
//! Assumes: nothing. Offsets are looked at once, when an array is made; wrong ones (see
//! [`Ragged::made`]) would panic where a row is asked for.
//!
//! Note \[Offsets\]. Row `i` holds the values `offsets[i]..offsets[i + 1]`, so there is one more
//! offset than there are rows. An array that owns its values has 0 as its first offset, and as its
//! last the number of its values. A view may leave out values on both sides: its rows are slices of
//! longer offsets, which stay as they are. The values of an array of arrays of arrays are an array
//! of arrays, whose rows they count.

mod arg;
mod check;
mod copied;
mod csr;
mod equal;
mod item;
#[cfg(feature = "ndarray")]
mod matrix;
mod nested;
mod out;
mod owned;
mod products;
mod rectangular;
mod rows_by_value;
mod view;

pub use arg::{AsRagged, RaggedArg};
pub use check::RaggedError;
pub use copied::List;
pub use equal::EqRow;
pub use item::{IntoView, Item, Values};
pub use nested::IntoRow;
pub use out::{AsRaggedOut, Nested, RaggedOf, RaggedOut};
pub use owned::Ragged;
pub use products::{AsProducts, Checks, Products};
pub use rows_by_value::RaggedIntoIter;
pub use view::{RaggedIter, RaggedView};
