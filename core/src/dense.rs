//! Dense arrays of several dimensions as arguments: one trait, one impl per Rust type.
//!
//! In: what a user passes for an array of `RANK` axes. Out: its lengths, and its elements as one
//! slice in row-major order, borrowed where they lie like that; or, for kernels that read them in
//! place, as they lie. Assumes: nothing.

#[cfg(feature = "ndarray")]
mod ndarray;
mod nested;
mod out;
mod owned;

use std::borrow::Cow;

use crate::args::ArrayArg;
use crate::error::Failure;
use crate::in_place::Source;
use crate::kernel::Element;

pub use nested::Row;
pub use out::{AsDenseOut, DenseOut, ShapeOut};
pub(crate) use owned::view;
pub use owned::{Dense, DenseVec, DenseView};

/// What may be passed for an array of `T` with `RANK` axes, `[[T; m]; n]` and deeper: arrays of
/// `ndarray` (its default feature) by reference and views of them, nested Rust arrays, slices and
/// vectors of these, [`DenseVec`], and [`DenseArg`] for anything else.
///
/// There are no impls for generic wrappers, so that `f(&array![[1.0, 2.0]])` and `f(&[[1.0, 2.0]])`
/// take the element type from `f`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}` with {RANK} axes",
    label = "expected an array of `{T}` with {RANK} axes",
    note = "pass a reference to an `ndarray` 0.17 array of {RANK} axes, a view, or nested Rust arrays; \
            `DenseArg::new(shape, &elements)` makes an argument of a flat slice"
)]
pub trait AsDense<T: Element, const RANK: usize> {
    /// The lengths and the elements. Those that are not contiguous and in row-major order are copied,
    /// once, where they are asked for.
    fn dense_arg(&self) -> DenseArg<'_, T, RANK>;
}

/// A dense array as an argument: the lengths of its axes, the outermost first, and its elements in
/// row-major order (the last index runs fastest).
///
/// ```
/// use ragged_core::DenseArg;
///
/// let elements = [1, 2, 3, 4, 5, 6];
/// let rows = DenseArg::new([2, 3], &elements).unwrap();
/// assert_eq!((rows.shape(), rows.elements()), ([2, 3], Ok(&elements[..])));
/// assert!(DenseArg::new([2, 2], &elements).is_none());
/// ```
#[derive(Debug)]
pub struct DenseArg<'a, T: Element, const RANK: usize> {
    shape: [usize; RANK],
    elements: ArrayArg<'a, T>,
}

impl<'a, T: Element, const RANK: usize> DenseArg<'a, T, RANK> {
    /// `elements`, borrowed or owned, as an array of this shape; `None` if there are not as many as
    /// it says.
    pub fn new(shape: [usize; RANK], elements: impl Into<Cow<'a, [T]>>) -> Option<Self> {
        let elements: Cow<'a, [T]> = elements.into();
        let elements = (count(&shape) == Some(elements.len())).then(|| elements.into())?;
        Some(DenseArg { shape, elements })
    }

    /// The lengths of the axes, the outermost first.
    #[inline]
    pub fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The elements in row-major order; of a view that is not contiguous a copy, which is made the
    /// first time.
    ///
    /// Errors: `OutOfMemory` if they have to be copied, and cannot be.
    #[inline]
    pub fn elements(&self) -> Result<&[T], Failure> {
        self.elements.elements()
    }

    /// Where the elements are, for kernels that read them there.
    ///
    /// Errors: as [`DenseArg::elements`], but for views, of which nothing is copied here.
    #[doc(hidden)]
    #[inline]
    pub fn source(&self) -> Result<Source<'_, T>, Failure> {
        self.elements.source()
    }

    /// Whether they are contiguous where they were: then [`DenseArg::elements`] copies nothing.
    pub fn is_borrowed(&self) -> bool {
        self.elements.is_borrowed()
    }

    /// The lengths and the elements.
    #[inline]
    pub(crate) fn into_parts(self) -> ([usize; RANK], ArrayArg<'a, T>) {
        (self.shape, self.elements)
    }

    /// The same, for as long as it is borrowed.
    fn reborrow(&self) -> DenseArg<'_, T, RANK> {
        let (shape, elements) = (self.shape, self.elements.reborrow());
        DenseArg { shape, elements }
    }
}

/// How many elements an array of this shape has; `None` if its lengths but those that are 0 give
/// more than memory can hold (`ndarray` has the same limit).
fn count(shape: &[usize]) -> Option<usize> {
    let mut lens = shape.iter().filter(|len| **len != 0);
    let product = lens.try_fold(1_usize, |product, len| product.checked_mul(*len))?;
    isize::try_from(product).ok()?;
    Some(if shape.contains(&0) { 0 } else { product })
}

/// Impls for types of this crate.
macro_rules! as_dense {
    ($($ty:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, const RANK: usize> AsDense<T, RANK> for $ty {
            #[inline]
            fn dense_arg(&self) -> DenseArg<'_, T, RANK> {
                self.reborrow()
            }
        }
    )* };
}

as_dense! { DenseArg<'_, T, RANK>, &DenseArg<'_, T, RANK> }
as_dense! { &DenseVec<T, RANK>, &mut DenseVec<T, RANK>, &&DenseVec<T, RANK> }
