//! Columns as arrays.
//!
//! In: a column. Out: a slice, or rows.
//! Assumes: nothing.

use core::fmt;
use core::ops::{Deref, Range};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{ByteArrayType, GenericBinaryType, GenericStringType};
use arrow_array::{Array, OffsetSizeTrait};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use ragged::{ArrayArg, AsArray, AsRagged, RaggedArg, RaggedView, Whole};

use crate::error::Result;
use crate::scalar::{Scalar, stored, without_nulls, wrong};

/// The numbers of a column, where they are.
///
/// Errors: another type, nulls.
pub fn values<T: Scalar>(array: &dyn Array) -> Result<&[T]> {
    stored(array).map(|values| &values[..])
}

/// The lists of a column, whose elements stay where they are: `List`, `LargeList` and `FixedSizeList`
/// of numbers; for bytes also texts and `Binary`.
///
/// Errors: another type, nulls in the column or in its lists.
pub fn rows<T: Scalar>(array: &dyn Array) -> Result<Rows<T>> {
    let rows = with_nulls(array)?;
    without_nulls(array)?;
    Ok(rows)
}

/// The same, where a null is any list.
fn with_nulls<T: Scalar>(array: &dyn Array) -> Result<Rows<T>> {
    if let Some(rows) = lists::<T, i64>(array) {
        return rows;
    }
    if let Some(rows) = lists::<T, i32>(array) {
        return rows;
    }
    if let Some(lists) = array.as_fixed_size_list_opt() {
        let len = i64::from(lists.value_length());
        let offsets = (0..=lists.len() as i64).map(|row| row * len).collect();
        return Rows::of(Offsets::Made(offsets), lists.values());
    }
    let rows = None
        .or_else(|| bytes::<T, GenericBinaryType<i64>>(array))
        .or_else(|| bytes::<T, GenericStringType<i64>>(array))
        .or_else(|| bytes::<T, GenericBinaryType<i32>>(array))
        .or_else(|| bytes::<T, GenericStringType<i32>>(array));
    rows.ok_or_else(|| wrong::<T>("lists of ", array))
}

fn lists<T: Scalar, O: Offset>(array: &dyn Array) -> Option<Result<Rows<T>>> {
    let lists = array.as_list_opt::<O>()?;
    Some(Rows::of(O::wide(lists.offsets()), lists.values()))
}

fn bytes<T: Scalar, A: ByteArrayType<Offset: Offset>>(array: &dyn Array) -> Option<Rows<T>> {
    let texts = array.as_bytes_opt::<A>()?;
    Some(Rows {
        values: T::of_bytes(texts.values())?,
        offsets: A::Offset::wide(texts.offsets()),
    })
}

/// Integers that are offsets.
trait Offset: OffsetSizeTrait {
    fn wide(offsets: &OffsetBuffer<Self>) -> Offsets;
}

impl Offset for i64 {
    fn wide(offsets: &OffsetBuffer<i64>) -> Offsets {
        Offsets::Held(offsets.clone())
    }
}

impl Offset for i32 {
    fn wide(offsets: &OffsetBuffer<i32>) -> Offsets {
        Offsets::Made(offsets.iter().copied().map(i64::from).collect())
    }
}

/// The lists of a column: they are passed for a `[[T]]`. They share the column's memory.
#[derive(Clone)]
pub struct Rows<T: Scalar> {
    offsets: Offsets,
    values: ScalarBuffer<T>,
}

#[derive(Clone)]
enum Offsets {
    /// The column's own.
    Held(OffsetBuffer<i64>),
    Made(Vec<i64>),
}

impl<T: Scalar> Rows<T> {
    /// The rows that these offsets cut out of numbers.
    fn of(offsets: Offsets, values: &dyn Array) -> Result<Self> {
        let all = T::stored(values).ok_or_else(|| wrong::<T>("lists of ", values))?;
        let rows = Rows {
            offsets,
            values: all.clone(),
        };
        if let [first, .., last] = rows.offsets() {
            // Nulls in other parts are not theirs.
            without_nulls(&values.slice(*first as usize, (last - first) as usize))?;
        }
        Ok(rows)
    }

    fn offsets(&self) -> &[i64] {
        match &self.offsets {
            Offsets::Held(offsets) => offsets,
            Offsets::Made(offsets) => offsets,
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.offsets().len().saturating_sub(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows, borrowed.
    ///
    /// Cost: a pass over the offsets.
    pub fn view(&self) -> RaggedView<'_, T> {
        let view = RaggedView::new(self.offsets(), &self.values[..]);
        view.expect("offsets of Arrow are in order, and within what they cut")
    }

    /// Row `i`, which shares the column's memory. Panics if there is none.
    pub fn row(&self, i: usize) -> Row<T> {
        let (begin, end) = (self.offsets()[i], self.offsets()[i + 1]);
        let column = self.values.clone();
        let range = begin as usize..end as usize;
        assert!(range.start <= range.end && range.end <= column.len());
        Row { column, range }
    }
}

impl<T: Scalar> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: Scalar> AsRagged<T, 1> for &Rows<T> {
    fn ragged_arg(&self) -> RaggedArg<'_, T, 1> {
        self.view().into()
    }
}

/// A list of a column, as the slice that it is; an item of a `Seq<[T]>`. It shares the column's memory, where
/// rows of a chunk stay that follow each other.
#[derive(Clone)]
pub struct Row<T: Scalar> {
    column: ScalarBuffer<T>,
    range: Range<usize>,
}

impl<T: Scalar> Deref for Row<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.column[self.range.clone()]
    }
}

impl<T: Scalar> PartialEq for Row<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Scalar> fmt::Debug for Row<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: Scalar> AsArray<T> for &Row<T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        ArrayArg::borrowed(self)
    }

    fn whole(&self) -> Option<Whole<T>> {
        Some(Arc::new(self.column.clone()))
    }
}
