//! Dense arrays as results.
//!
//! In: elements in row-major order and the lengths of the axes. Out: the array that users get.
//! Assumes: nothing. A [`DenseVec`] has as many elements as its shape says.

use core::ops::{Index, IndexMut};

use super::{ArrayArg, DenseArg, count};
use crate::kernel::Element;

/// What a function returns for an array of `RANK` axes: an array of `ndarray` with the feature of
/// that name (a default one), else a [`DenseVec`]. Both have `shape()`, `len()`, `iter()` in
/// row-major order, and elements `a[[i, j]]`.
#[cfg(feature = "ndarray")]
pub type Dense<T, const RANK: usize> = ndarray::Array<T, ndarray::Dim<[usize; RANK]>>;

/// What a function returns for an array of `RANK` axes: an array of `ndarray` with the feature of
/// that name (a default one), else a [`DenseVec`]. Both have `shape()`, `len()`, `iter()` in
/// row-major order, and elements `a[[i, j]]`.
#[cfg(not(feature = "ndarray"))]
pub type Dense<T, const RANK: usize> = DenseVec<T, RANK>;

/// A dense array of `RANK` axes that lies among others: a view of `ndarray` with the feature of that
/// name, else a [`DenseArg`].
#[cfg(feature = "ndarray")]
pub type DenseView<'a, T, const RANK: usize> =
    ndarray::ArrayView<'a, T, ndarray::Dim<[usize; RANK]>>;

/// A dense array of `RANK` axes that lies among others: a view of `ndarray` with the feature of that
/// name, else a [`DenseArg`].
#[cfg(not(feature = "ndarray"))]
pub type DenseView<'a, T, const RANK: usize> = DenseArg<'a, T, RANK>;

/// A dense array: a vector in row-major order (the last index runs fastest), and the lengths of its
/// axes.
///
/// ```
/// use ragged_core::DenseVec;
///
/// let rows = DenseVec::new([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
/// assert_eq!((rows[[1, 0]], rows.shape(), rows.len()), (4, &[2, 3][..], 6));
/// assert_eq!(rows.into_vec(), [1, 2, 3, 4, 5, 6]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DenseVec<T, const RANK: usize> {
    shape: [usize; RANK],
    elements: Vec<T>,
}

/// The array of this shape that these elements are. Panics if they are not as many.
#[cfg(feature = "ndarray")]
pub(crate) fn view<T, const RANK: usize>(
    shape: [usize; RANK],
    elements: &[T],
) -> DenseView<'_, T, RANK>
where
    ndarray::Dim<[usize; RANK]>: ndarray::Dimension,
{
    let mut dim = ndarray::Dim::<[usize; RANK]>::default();
    ndarray::Dimension::slice_mut(&mut dim).copy_from_slice(&shape);
    DenseView::from_shape(dim, elements).expect("as many elements as the shape says")
}

/// The array of this shape that these elements are. Panics if they are not as many.
#[cfg(not(feature = "ndarray"))]
pub(crate) fn view<T: Element, const RANK: usize>(
    shape: [usize; RANK],
    elements: &[T],
) -> DenseView<'_, T, RANK> {
    DenseArg::new(shape, elements).expect("as many elements as the shape says")
}

impl<T, const RANK: usize> DenseVec<T, RANK> {
    /// `elements` as an array of this shape; `None` if there are not as many as it says.
    pub fn new(shape: [usize; RANK], elements: Vec<T>) -> Option<Self> {
        (count(&shape) == Some(elements.len())).then_some(DenseVec { shape, elements })
    }

    /// The lengths of the axes, the outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements in row-major order.
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }

    /// The elements in row-major order, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// The elements in row-major order, one by one.
    pub fn iter(&self) -> core::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// The elements in row-major order, without a copy.
    pub fn into_vec(self) -> Vec<T> {
        self.elements
    }

    /// No array yet, in this memory; [`DenseVec::settled`] makes it one.
    pub(super) fn over(memory: Vec<T>) -> Self {
        let (shape, elements) = ([0; RANK], memory);
        DenseVec { shape, elements }
    }

    /// To be written: afterwards there are as many elements as the shape says.
    pub(crate) fn parts(&mut self) -> (&mut Vec<T>, &mut [usize; RANK]) {
        (&mut self.elements, &mut self.shape)
    }

    /// The array, if elements and shape have both been written, else no elements.
    pub(super) fn settled(mut self) -> Self {
        if count(&self.shape) != Some(self.elements.len()) {
            self.elements.clear();
            self.shape = [0; RANK];
        }
        self
    }

    fn position(&self, index: [usize; RANK]) -> usize {
        let axes = index.iter().zip(&self.shape);
        axes.fold(0, |position, (at, len)| {
            assert!(
                at < len,
                "index {index:?} is out of range for an array of shape {:?}",
                self.shape
            );
            position * len + at
        })
    }
}

impl<T: Element, const RANK: usize> DenseVec<T, RANK> {
    /// As an argument.
    pub(super) fn reborrow(&self) -> DenseArg<'_, T, RANK> {
        DenseArg {
            shape: self.shape,
            elements: ArrayArg::borrowed(&self.elements),
        }
    }
}

/// No elements, on no axis.
impl<T, const RANK: usize> Default for DenseVec<T, RANK> {
    fn default() -> Self {
        DenseVec {
            shape: [0; RANK],
            elements: Vec::new(),
        }
    }
}

impl<T, const RANK: usize> Index<[usize; RANK]> for DenseVec<T, RANK> {
    type Output = T;

    fn index(&self, index: [usize; RANK]) -> &T {
        &self.elements[self.position(index)]
    }
}

impl<T, const RANK: usize> IndexMut<[usize; RANK]> for DenseVec<T, RANK> {
    fn index_mut(&mut self, index: [usize; RANK]) -> &mut T {
        let position = self.position(index);
        &mut self.elements[position]
    }
}

impl<'a, T, const RANK: usize> IntoIterator for &'a DenseVec<T, RANK> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
