//! Dense arrays as results: where a function puts elements and lengths.
//!
//! In: what a user passes to `NAME::into` for an array of several axes. Out: where the skeletons
//! write. Assumes: a function that succeeds has set the shape and has written as many elements.

use super::{DenseVec, count};
use crate::error::Failure;
use crate::kernel::Element;
use crate::out::ArrayOut;

/// What an array of `T` with `RANK` axes may be written into by `NAME::into`: a [`DenseVec`], which
/// takes the result's shape and keeps its memory where that suffices.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` with {RANK} axes cannot be written into `{Self}`",
    label = "expected a `DenseVec<{T}, {RANK}>`",
    note = "pass `&mut DenseVec<{T}, {RANK}>`, which is resized"
)]
pub trait AsDenseOut<T: Element, const RANK: usize> {
    /// Where the elements and the lengths go.
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK>;
}

/// Where the elements and the lengths of a result go.
#[derive(Debug)]
pub struct DenseOut<'a, T: Element, const RANK: usize> {
    elements: ArrayOut<'a, T>,
    shape: &'a mut [usize; RANK],
}

impl<'a, T: Element, const RANK: usize> DenseOut<'a, T, RANK> {
    pub(super) fn new(elements: &'a mut Vec<T>, shape: &'a mut [usize; RANK]) -> Self {
        // After an error there is nothing to be read.
        *shape = [0; RANK];
        let elements = ArrayOut::vec(elements);
        DenseOut { elements, shape }
    }

    /// The two places.
    #[inline]
    pub fn parts(self) -> (ArrayOut<'a, T>, &'a mut [usize; RANK]) {
        (self.elements, self.shape)
    }
}

/// The shape of a result.
///
/// Errors: `OutOfMemory` if its lengths but those that are 0 give more than memory can hold.
pub fn result_shape<const RANK: usize>(shape: [usize; RANK]) -> Result<[usize; RANK], Failure> {
    match count(&shape) {
        Some(_) => Ok(shape),
        None => Err(Failure::OutOfMemory { bytes: usize::MAX }),
    }
}

macro_rules! as_dense_out {
    ($($ty:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, const RANK: usize> AsDenseOut<T, RANK> for $ty {
            #[inline]
            fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
                self.places()
            }
        }
    )* };
}

as_dense_out! { DenseVec<T, RANK>, &mut DenseVec<T, RANK> }
