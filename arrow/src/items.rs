//! Record batches as sequences.
//!
//! In: what gives record batches, and the names of columns. Out: their rows, one after the other.
//! Assumes: nothing.

use core::error;
use core::iter::FusedIterator;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::{BooleanBuffer, ScalarBuffer};

use crate::columns::{Row, Rows, rows};
use crate::error::{Error, Result};
use crate::scalar::{Scalar, stored, without_nulls, wrong};

/// What errors of what gives batches become.
type Boxed = Box<dyn error::Error + Send + Sync>;

/// The rows of these columns of record batches, one after the other: numbers or `bool`s, for a
/// `Seq<T>`, [`Row`]s, for a `Seq<[T]>`, or tuples of these, with a column for each. Rows of one
/// batch stay in its memory while they are computed; those of a chunk that goes over the end of a
/// batch are copied into it. Batches come from an `arrow_array::RecordBatchReader` or any other iterator
/// of `Result`s of them; one at a time is in memory, and the one before as long as its rows are computed.
///
/// After an error there are no further rows. Panics if there are not as many columns as an item has
/// fields.
///
/// ```
/// use arrow_array::{Float64Array, RecordBatch, StringArray};
/// use ragged_arrow::{Row, items};
/// use std::sync::Arc;
///
/// ragged::accel! {
///     /// The weight of names that are not empty.
///     pub fn weight(xs: Seq<([u8], f64)>) -> f64 {
///         xs.map(|(name, x)| if name.len() > 0 { x } else { 0.0 }).sum()
///     }
/// }
///
/// let batch = RecordBatch::try_from_iter([
///     ("x", Arc::new(Float64Array::from(vec![1.5, 2.0, 4.0])) as _),
///     ("name", Arc::new(StringArray::from(vec!["fig", "", "plum"])) as _),
/// ])?;
/// let batches = [ragged_arrow::Result::Ok(batch)];
/// assert_eq!(weight(items::<(Row<u8>, f64)>(batches, &["name", "x"]))?, 5.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn items<T: Item>(
    batches: impl IntoIterator<Item = core::result::Result<RecordBatch, impl Into<Boxed>>>,
    columns: &[&str],
) -> Items<T, impl Iterator<Item = core::result::Result<RecordBatch, impl Into<Boxed>>>> {
    assert_eq!(columns.len(), T::FIELDS, "a column for each field");
    Items {
        batches: batches.into_iter(),
        names: columns.iter().map(|&name| name.to_owned()).collect(),
        columns: None,
        next: 0,
        len: 0,
        is_over: false,
    }
}

/// What an item may be: a field, or a tuple of up to five.
pub trait Item: Sized {
    /// How many fields it has.
    const FIELDS: usize;
    /// The columns of a batch.
    #[doc(hidden)]
    type Columns;
    #[doc(hidden)]
    fn columns(arrays: &[ArrayRef]) -> Result<Self::Columns>;
    #[doc(hidden)]
    fn get(columns: &Self::Columns, at: usize) -> Self;
}

/// What a field of an item may be: a number, a `bool`, or a [`Row`] of numbers.
pub trait Field: Sized {
    /// A column of such fields.
    #[doc(hidden)]
    type Column;
    #[doc(hidden)]
    fn column(array: &dyn Array) -> Result<Self::Column>;
    #[doc(hidden)]
    fn get(column: &Self::Column, at: usize) -> Self;
}

impl<T: Scalar> Field for T {
    type Column = ScalarBuffer<T>;

    fn column(array: &dyn Array) -> Result<ScalarBuffer<T>> {
        stored(array).cloned()
    }

    #[inline]
    fn get(column: &ScalarBuffer<T>, at: usize) -> T {
        column[at]
    }
}

impl<T: Scalar> Field for Row<T> {
    type Column = Rows<T>;

    fn column(array: &dyn Array) -> Result<Rows<T>> {
        rows(array)
    }

    #[inline]
    fn get(column: &Rows<T>, at: usize) -> Row<T> {
        column.row(at)
    }
}

impl Field for bool {
    type Column = BooleanBuffer;

    fn column(array: &dyn Array) -> Result<BooleanBuffer> {
        let column = array.as_boolean_opt();
        let column = column.ok_or_else(|| wrong::<bool>("", array))?;
        without_nulls(array)?;
        Ok(column.values().clone())
    }

    #[inline]
    fn get(column: &BooleanBuffer, at: usize) -> bool {
        column.value(at)
    }
}

impl<F: Field> Item for F {
    const FIELDS: usize = 1;
    type Columns = F::Column;

    fn columns(arrays: &[ArrayRef]) -> Result<F::Column> {
        F::column(&arrays[0])
    }

    #[inline]
    fn get(column: &F::Column, at: usize) -> F {
        F::get(column, at)
    }
}

macro_rules! tuples {
    ($(($($field:ident $at:tt)+))*) => { $(
        impl<$($field: Field),+> Item for ($($field,)+) {
            const FIELDS: usize = [$($at),+].len();
            type Columns = ($($field::Column,)+);

            fn columns(arrays: &[ArrayRef]) -> Result<Self::Columns> {
                Ok(($($field::column(&arrays[$at])?,)+))
            }

            #[inline]
            fn get(columns: &Self::Columns, at: usize) -> Self {
                ($($field::get(&columns.$at, at),)+)
            }
        }
    )* };
}

tuples! {
    (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
}

/// The rows of record batches: see [`items`].
pub struct Items<T: Item, I> {
    batches: I,
    names: Vec<String>,
    /// Those of the batch whose rows are given.
    columns: Option<T::Columns>,
    next: usize,
    len: usize,
    is_over: bool,
}

impl<T, I, E> Items<T, I>
where
    T: Item,
    I: Iterator<Item = core::result::Result<RecordBatch, E>>,
    E: Into<Boxed>,
{
    /// Takes the next batch; `false` if there is none.
    #[cold]
    fn refill(&mut self) -> Result<bool> {
        self.columns = None;
        let Some(batch) = self.batches.next() else {
            return Ok(false);
        };
        let batch = batch.map_err(|error| Error::Batches(error.into()))?;
        let arrays = self.names.iter().map(|name| {
            let column = batch.column_by_name(name);
            column.cloned().ok_or_else(|| Error::NoColumn(name.clone()))
        });
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        self.columns = Some(T::columns(&arrays)?);
        (self.next, self.len) = (0, batch.num_rows());
        Ok(true)
    }
}

impl<T, I, E> Iterator for Items<T, I>
where
    T: Item,
    I: Iterator<Item = core::result::Result<RecordBatch, E>>,
    E: Into<Boxed>,
{
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Result<T>> {
        loop {
            if let Some(columns) = &self.columns
                && self.next < self.len
            {
                self.next += 1;
                return Some(Ok(T::get(columns, self.next - 1)));
            }
            if self.is_over {
                return None;
            }
            match self.refill() {
                Ok(true) => {}
                Ok(false) => self.is_over = true,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<T, I, E> FusedIterator for Items<T, I>
where
    T: Item,
    I: Iterator<Item = core::result::Result<RecordBatch, E>>,
    E: Into<Boxed>,
{
}
