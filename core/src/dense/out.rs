//! Dense arrays as results: where a function puts elements and lengths.
//!
//! In: what a user passes to `NAME::into` for an array of several axes. Out: where the skeletons
//! write. Assumes: a function that succeeds has set the shape and has written as many elements.

use core::mem;

use super::{DenseVec, count};
use crate::error::Failure;
use crate::kernel::Element;
use crate::out::ArrayOut;

/// What an array of `T` with `RANK` axes may be written into by `NAME::into`: an array of `ndarray`
/// (its default feature) or a [`DenseVec`], by `&mut`. Each takes the result's shape and keeps its
/// memory where that suffices.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` with {RANK} axes cannot be written into `{Self}`",
    label = "expected an owned array of `{T}` with {RANK} axes",
    note = "pass a `&mut` of what the function returns, `Dense<{T}, {RANK}>`, which is resized"
)]
pub trait AsDenseOut<T: Element, const RANK: usize> {
    /// Where the elements and the lengths go.
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK>;
}

/// Where the elements and the lengths of a result go. After an error, nothing is there.
pub struct DenseOut<'a, T: Element, const RANK: usize> {
    made: DenseVec<T, RANK>,
    home: &'a mut dyn Home<T, RANK>,
}

/// What takes an array once it is made.
pub(super) trait Home<T, const RANK: usize> {
    fn put(&mut self, made: DenseVec<T, RANK>);
}

impl<'a, T: Element, const RANK: usize> DenseOut<'a, T, RANK> {
    /// Writes into `memory`, and then gives it to `home`.
    pub(super) fn new(memory: Vec<T>, home: &'a mut dyn Home<T, RANK>) -> Self {
        let made = DenseVec::over(memory);
        DenseOut { made, home }
    }

    /// The two places.
    #[inline]
    pub fn parts(&mut self) -> (ArrayOut<'_, T>, &mut [usize; RANK]) {
        let (elements, shape) = self.made.parts();
        (ArrayOut::vec(elements), shape)
    }
}

impl<T: Element, const RANK: usize> Drop for DenseOut<'_, T, RANK> {
    fn drop(&mut self) {
        self.home.put(mem::take(&mut self.made).settled());
    }
}

impl<T, const RANK: usize> Home<T, RANK> for DenseVec<T, RANK> {
    fn put(&mut self, made: DenseVec<T, RANK>) {
        *self = made;
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

#[diagnostic::do_not_recommend]
impl<T: Element, const RANK: usize> AsDenseOut<T, RANK> for DenseVec<T, RANK> {
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        DenseOut::new(mem::take(self).into_vec(), self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const RANK: usize, A: AsDenseOut<T, RANK>> AsDenseOut<T, RANK> for &mut A {
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        (**self).dense_out()
    }
}
