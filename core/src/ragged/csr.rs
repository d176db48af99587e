//! Compressed sparse rows: where rows begin, columns, values.
//!
//! In: the three arrays, with any integers. Out: an array of rows of (column, value), and back.
//! Assumes: nothing.

use super::{Ragged, RaggedError, check};
use crate::kernel::Element;

impl<T: Element> Ragged<(usize, T)> {
    /// The rows of a compressed sparse matrix, each a list of (column, value); row `i` is between
    /// `row_offsets[i]` and `row_offsets[i + 1]`. Any integers will do.
    ///
    /// Errors: what is wrong with the offsets; a negative column; not as many columns as values.
    ///
    /// ```
    /// use ragged_core::Ragged;
    ///
    /// let rows = Ragged::from_csr(&[0_usize, 2, 2, 3], &[0_u32, 2, 1], &[5.0, 6.0, 7.0])?;
    /// assert_eq!(format!("{rows:?}"), "[[(0, 5.0), (2, 6.0)], [], [(1, 7.0)]]");
    /// let (row_offsets, columns, values) = rows.into_csr();
    /// assert_eq!((row_offsets, columns), (vec![0, 2, 2, 3], vec![0, 2, 1]));
    /// assert_eq!(values, [5.0, 6.0, 7.0]);
    /// # Ok::<(), ragged_core::RaggedError>(())
    /// ```
    pub fn from_csr<O, C>(
        row_offsets: &[O],
        columns: &[C],
        values: &[T],
    ) -> Result<Self, RaggedError>
    where
        O: Copy + TryInto<i64>,
        C: Copy + TryInto<usize>,
    {
        if columns.len() != values.len() {
            let (columns, values) = (columns.len(), values.len());
            return Err(RaggedError::Columns { columns, values });
        }
        let offsets = integers(row_offsets, "offset")?;
        check::all(&offsets, values.len())?;
        let columns = integers(columns, "column")?;
        let pairs = columns.into_iter().zip(values.iter().copied());
        Ok(Ragged::made(offsets, pairs.collect()))
    }

    /// The compressed sparse matrix of rows of (column, value): where the rows begin (one more than
    /// there are rows), the columns, and the values.
    pub fn into_csr(self) -> (Vec<usize>, Vec<usize>, Vec<T>) {
        let (offsets, pairs) = self.into_parts();
        let offsets = offsets.into_iter().map(|offset| offset as usize);
        let (columns, values) = pairs.into_iter().unzip();
        (offsets.collect(), columns, values)
    }
}

fn integers<A, B>(from: &[A], what: &'static str) -> Result<Vec<B>, RaggedError>
where
    A: Copy + TryInto<B>,
{
    let converted = from.iter().enumerate().map(|(at, x)| {
        let converted = (*x).try_into();
        converted.map_err(|_| RaggedError::OutOfRange { what, at })
    });
    converted.collect()
}
