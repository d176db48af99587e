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
/// memory where that suffices. A vector of nested Rust arrays, `Vec<[T; N]>`, takes the result's
/// outermost length only; a slice of such arrays none.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` with {RANK} axes cannot be written into `{Self}`",
    label = "expected an owned array of `{T}` with {RANK} axes",
    note = "pass a `&mut` of what the function returns, `Dense<{T}, {RANK}>`, which is resized, or of \
            a `Vec` of Rust arrays, whose rows have exactly the result's lengths"
)]
pub trait AsDenseOut<T: Element, const RANK: usize> {
    /// Where the elements and the lengths go.
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK>;
}

/// Where the elements and the lengths of a result go. After an error, nothing is there.
pub struct DenseOut<'a, T: Element, const RANK: usize>(Place<'a, T, RANK>);

enum Place<'a, T: Element, const RANK: usize> {
    /// An array that is made, and then given to its home.
    Made {
        made: DenseVec<T, RANK>,
        home: &'a mut dyn Home<T, RANK>,
        fixed: [Option<usize>; RANK],
    },
    /// All lengths are given.
    Slice {
        elements: &'a mut [T],
        shape: [usize; RANK],
        fixed: [Option<usize>; RANK],
    },
}

/// Where the lengths of a result go.
pub struct ShapeOut<'a, const RANK: usize> {
    shape: &'a mut [usize; RANK],
    /// The lengths that a result has to have.
    fixed: [Option<usize>; RANK],
}

impl<const RANK: usize> ShapeOut<'_, RANK> {
    /// Says what shape the result has.
    ///
    /// Errors: `OutOfMemory` if its lengths but those that are 0 give more than memory can hold;
    /// `ResultLength`.
    pub fn set(self, shape: [usize; RANK]) -> Result<(), Failure> {
        for (len, fixed) in shape.iter().zip(self.fixed) {
            match fixed {
                Some(room) if room != *len => {
                    return Err(Failure::ResultLength { len: *len, room });
                }
                Some(_) | None => {}
            }
        }
        if count(&shape).is_none() {
            return Err(Failure::OutOfMemory { bytes: usize::MAX });
        }
        *self.shape = shape;
        Ok(())
    }
}

/// What takes an array once it is made.
pub(super) trait Home<T, const RANK: usize> {
    fn put(&mut self, made: DenseVec<T, RANK>);
}

impl<'a, T: Element, const RANK: usize> DenseOut<'a, T, RANK> {
    /// Writes into `memory`, and then gives it to `home`.
    pub(super) fn new(memory: Vec<T>, home: &'a mut dyn Home<T, RANK>) -> Self {
        DenseOut::fixed(memory, [None; RANK], home)
    }

    /// The same, of an array that has some lengths already.
    pub(super) fn fixed(
        memory: Vec<T>,
        fixed: [Option<usize>; RANK],
        home: &'a mut dyn Home<T, RANK>,
    ) -> Self {
        let made = DenseVec::over(memory);
        DenseOut(Place::Made { made, home, fixed })
    }

    /// Writes into `elements`, which are those of an array of this shape.
    pub(super) fn slice(elements: &'a mut [T], shape: [usize; RANK]) -> Self {
        let fixed = shape.map(Some);
        DenseOut(Place::Slice {
            elements,
            shape,
            fixed,
        })
    }

    /// The two places.
    #[inline]
    pub fn parts(&mut self) -> (ArrayOut<'_, T>, ShapeOut<'_, RANK>) {
        match &mut self.0 {
            Place::Made { made, fixed, .. } => {
                let (elements, shape) = made.parts();
                let fixed = *fixed;
                (ArrayOut::vec(elements), ShapeOut { shape, fixed })
            }
            Place::Slice {
                elements,
                shape,
                fixed,
            } => {
                let fixed = *fixed;
                (ArrayOut::slice(elements), ShapeOut { shape, fixed })
            }
        }
    }
}

impl<T: Element, const RANK: usize> Drop for DenseOut<'_, T, RANK> {
    fn drop(&mut self) {
        match &mut self.0 {
            Place::Made { made, home, .. } => home.put(mem::take(made).settled()),
            Place::Slice { .. } => {}
        }
    }
}

impl<T, const RANK: usize> Home<T, RANK> for DenseVec<T, RANK> {
    fn put(&mut self, made: DenseVec<T, RANK>) {
        *self = made;
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const RANK: usize> AsDenseOut<T, RANK> for DenseVec<T, RANK> {
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        DenseOut::new(mem::take(self).into_vec(), self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const RANK: usize, A: AsDenseOut<T, RANK> + ?Sized> AsDenseOut<T, RANK>
    for &mut A
{
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        (**self).dense_out()
    }
}
