//! Columns of [Arrow](https://arrow.apache.org) as arrays and sequences of [`ragged`], and back; with
//! the feature `parquet` those of Parquet files.
//!
//! | of Arrow | for | by |
//! |---|---|---|
//! | a column of numbers | `[T]` | [`values`], without a copy |
//! | a column of lists of numbers, of texts or of bytes | `[[T]]`, `[[u8]]` | [`rows`], elements without a copy |
//! | record batches, one after the other | `Seq<T>`, `Seq<[T]>`, `Seq<([T], U)>` | [`items`] |
//! | `Vec<T>`, `Ragged<T>` back | columns | [`array()`], [`list`], without a copy |
//!
//! Offsets of Arrow's large lists are those of `ragged`, and stay where they are. Those of plain lists
//! have 32 bits and are widened: 8 bytes for each row are written. Slices of columns are what they
//! show. The language has no nulls: a column with any is an error, [`Error::Nulls`]; what they are to
//! be, Arrow's kernels can say before.
//!
//! ```
//! use arrow_array::types::Int64Type;
//! use arrow_array::{ListArray, RecordBatch};
//! use ragged_arrow::{Row, items, list, rows};
//! use std::sync::Arc;
//!
//! ragged::accel! {
//!     pub fn sums(rows: [[i64]]) -> [i64] { for row in rows { row.sum() } }
//!     pub fn squares(rows: [[i64]]) -> [[i64]] { for row in rows { row.map(|x| x * x) } }
//!     pub fn longest(rows: Seq<[i64]>) -> usize { rows.map(|row| row.len()).max_or(0) }
//! }
//!
//! let lists = [vec![1, 2], vec![], vec![3]].map(|row| Some(row.into_iter().map(Some)));
//! let column = ListArray::from_iter_primitive::<Int64Type, _, _>(lists);
//! let given = rows::<i64>(&column)?;
//! assert_eq!(sums(&given)?, [3, 0, 3]);
//! assert_eq!(list(squares(&given)?).value_offsets(), [0, 2, 2, 3]);
//!
//! let batch = RecordBatch::try_from_iter([("xs", Arc::new(column) as _)])?;
//! let batches = vec![ragged_arrow::Result::Ok(batch.clone()), Ok(batch)];
//! assert_eq!(longest(items::<Row<i64>>(batches, &["xs"]))?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod back;
mod columns;
mod error;
mod items;
#[cfg(feature = "parquet")]
pub mod parquet;
mod scalar;

pub use back::{array, list};
pub use columns::{Row, Rows, rows, values};
pub use error::{Error, Result};
pub use items::{Field, Item, Items, items};
pub use scalar::Scalar;
