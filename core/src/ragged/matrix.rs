//! Matrices of `ndarray` as arrays of rows of one length, and back.
//!
//! In: a matrix of any strides, or rows. Out: its rows; or the matrix, if the rows have one length.
//! Assumes: nothing.

use ndarray::{Array2, ArrayBase, ArrayView2, Data, Ix2};

use super::{Ragged, RaggedError, RaggedView};
use crate::kernel::Element;
use crate::memory;

impl<T: Element> From<Array2<T>> for Ragged<T> {
    /// The rows of an `n` × `m` matrix: `n` rows of length `m`.
    ///
    /// Cost: the `n + 1` offsets; elements that lie in row-major order are moved, others copied once.
    ///
    /// ```
    /// use ndarray::array;
    /// use ragged_core::Ragged;
    ///
    /// let mut rows = Ragged::from(array![[1, 2], [3, 4]]);
    /// rows.push([5]);
    /// assert_eq!(rows, vec![vec![1, 2], vec![3, 4], vec![5]]);
    /// ```
    fn from(matrix: Array2<T>) -> Self {
        match matrix.is_standard_layout() {
            true => Ragged::made(offsets_of(matrix.dim()), into_elements(matrix)),
            false => matrix.view().into(),
        }
    }
}

impl<T: Element> From<ArrayView2<'_, T>> for Ragged<T> {
    /// A copy of the rows of an `n` × `m` matrix of any strides: `n` rows of length `m`.
    ///
    /// Cost: the `n + 1` offsets and one pass over the elements, which copies as much at once as lies
    /// in row-major order: all elements, or a row.
    ///
    /// ```
    /// use ndarray::array;
    /// use ragged_core::Ragged;
    ///
    /// let matrix = array![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(Ragged::from(matrix.t()), [[1, 4], [2, 5], [3, 6]]);
    /// ```
    fn from(matrix: ArrayView2<'_, T>) -> Self {
        Ragged::made(offsets_of(matrix.dim()), copied(matrix))
    }
}

impl<T: Element, S: Data<Elem = T>> From<&ArrayBase<S, Ix2, T>> for Ragged<T> {
    /// As that of a view: `&Array2<T>`, and references to all other matrices.
    fn from(matrix: &ArrayBase<S, Ix2, T>) -> Self {
        matrix.view().into()
    }
}

impl<T: Element> TryFrom<Ragged<T>> for Array2<T> {
    type Error = RaggedError;

    /// The matrix of rows that have one length: of `n` rows of length `m` it has shape `(n, m)`, of
    /// no rows `(0, 0)`.
    ///
    /// Cost: a pass over the offsets; the elements are moved. Errors: [`RaggedError::Uneven`] names
    /// the first row that has another length than row 0.
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use ragged_core::Ragged;
    ///
    /// let rows = Ragged::from(vec![vec![1, 2], vec![3, 4]]);
    /// assert_eq!(Array2::try_from(rows), Ok(array![[1, 2], [3, 4]]));
    ///
    /// let rows = Ragged::from(vec![vec![1, 2], vec![3, 4], vec![5]]);
    /// let error = Array2::try_from(rows).unwrap_err();
    /// assert_eq!(error.to_string(), "row 2 has length 1, but row 0 has length 2");
    /// ```
    fn try_from(rows: Ragged<T>) -> Result<Self, RaggedError> {
        let shape = shape_of(rows.view())?;
        let (_offsets, values) = rows.into_parts();
        Ok(shaped(shape, values))
    }
}

impl<T: Element> TryFrom<&Ragged<T>> for Array2<T> {
    type Error = RaggedError;

    /// As that of the array by value, with a copy of the elements.
    fn try_from(rows: &Ragged<T>) -> Result<Self, RaggedError> {
        rows.view().try_into()
    }
}

impl<T: Element> TryFrom<RaggedView<'_, T>> for Array2<T> {
    type Error = RaggedError;

    /// As that of the array by value, with a copy of the elements.
    fn try_from(rows: RaggedView<'_, T>) -> Result<Self, RaggedError> {
        let shape = shape_of(rows)?;
        Ok(shaped(shape, rows.own_values().to_vec()))
    }
}

/// Where rows of one length begin, and where the last one ends.
fn offsets_of((rows, columns): (usize, usize)) -> Vec<i64> {
    let mut offsets = memory::with_room(rows + 1);
    // No overflow: a matrix has `isize::MAX` elements at most.
    offsets.extend((0..=rows).map(|row| (row * columns) as i64));
    offsets
}

/// The elements of a matrix in row-major order, in the memory that they have.
fn into_elements<T>(matrix: Array2<T>) -> Vec<T> {
    let n = matrix.len();
    let (mut elements, first) = matrix.into_raw_vec_and_offset();
    // What the matrix was cut out of, if it was.
    let first = first.unwrap_or(0);
    elements.truncate(first + n);
    elements.drain(..first);
    elements
}

fn copied<T: Element>(matrix: ArrayView2<'_, T>) -> Vec<T> {
    let mut elements = memory::with_room(matrix.len());
    if let Some(slice) = matrix.as_slice() {
        elements.extend_from_slice(slice);
        return elements;
    }
    for row in matrix.outer_iter() {
        match row.as_slice() {
            Some(slice) => elements.extend_from_slice(slice),
            None => elements.extend(row),
        }
    }
    elements
}

/// How many rows there are, and their length, 0 if there are none.
fn shape_of<T: Element>(rows: RaggedView<'_, T>) -> Result<(usize, usize), RaggedError> {
    let first = rows.lens().next().unwrap_or(0);
    let mut lengths = rows.lens().enumerate();
    match lengths.find(|(_, length)| *length != first) {
        None => Ok((rows.len(), first)),
        Some((row, length)) => Err(RaggedError::Uneven { row, length, first }),
    }
}

fn shaped<T>(shape: (usize, usize), values: Vec<T>) -> Array2<T> {
    Array2::from_shape_vec(shape, values).expect("the rows are as many values as the shape says")
}
