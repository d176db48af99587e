//! Nested Rust arrays as dense arrays: they are contiguous and in row-major order already.
//!
//! In: slices and vectors of them. Out: their elements as arguments, or as places for results.
//! Assumes: nothing.

use std::borrow::Cow;
use std::mem::{self, ManuallyDrop};
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

use super::out::Home;
use super::{ArrayArg, AsDense, AsDenseOut, DenseArg, DenseOut, DenseVec};
use crate::kernel::Element;

/// What the items are of an array of `T` with `RANK` axes: arrays, one level for each axis but the
/// outermost.
pub trait Row<T: Element, const RANK: usize>: Copy {
    /// The array of these items.
    fn dense(rows: &[Self]) -> DenseArg<'_, T, RANK>;

    /// The shape of an array of `len` items.
    #[doc(hidden)]
    fn shape(len: usize) -> [usize; RANK];

    /// The elements of these items.
    #[doc(hidden)]
    fn elements(rows: &mut [Self]) -> &mut [T];

    /// The memory of these items.
    #[doc(hidden)]
    fn memory(rows: Vec<Self>) -> Vec<T>;

    /// `len` items, of as many elements.
    #[doc(hidden)]
    fn rows(elements: Vec<T>, len: usize) -> Vec<Self>;
}

/// `len` rows of these elements, in their memory if that holds whole rows.
///
/// # Safety
/// `R` is nested arrays of `T`.
unsafe fn regrouped<T: Element, R: Copy>(mut elements: Vec<T>, len: usize) -> Vec<R> {
    let Some(width) = size_of::<R>()
        .checked_div(size_of::<T>())
        .filter(|it| *it > 0)
    else {
        let start = NonNull::dangling();
        // SAFETY: rows of no elements have nothing to initialise, and need no memory.
        return unsafe { Vec::from_raw_parts(start.as_ptr(), len, len) };
    };
    assert_eq!(elements.len(), width * len, "whole rows");
    if !elements.capacity().is_multiple_of(width) {
        elements.shrink_to_fit();
    }
    if !elements.capacity().is_multiple_of(width) {
        let mut rows: Vec<R> = Vec::with_capacity(len);
        // SAFETY: there are as many elements as these rows have, which lie there like them.
        unsafe {
            let to: *mut T = rows.as_mut_ptr().cast();
            to.copy_from_nonoverlapping(elements.as_ptr(), elements.len());
            rows.set_len(len);
        }
        return rows;
    }
    let mut elements = ManuallyDrop::new(elements);
    let (start, capacity) = (elements.as_mut_ptr(), elements.capacity() / width);
    // SAFETY: the memory is of `capacity * width` elements, which is that of `capacity` rows, and
    // aligned like them; the first `len` are initialised. `elements` does not free it.
    unsafe { Vec::from_raw_parts(start.cast(), len, capacity) }
}

macro_rules! rows {
    ($($rank:literal: $ty:ty, [$($inner:ident)*],
        $($flat:ident $flat_mut:ident $flat_vec:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element $(, const $inner: usize)*> Row<T, $rank> for $ty {
            #[inline]
            fn dense(rows: &[Self]) -> DenseArg<'_, T, $rank> {
                DenseArg {
                    shape: Self::shape(rows.len()),
                    elements: ArrayArg::borrowed(rows$(.$flat())*),
                }
            }

            #[inline]
            fn shape(len: usize) -> [usize; $rank] {
                [len $(, $inner)*]
            }

            #[inline]
            fn elements(rows: &mut [Self]) -> &mut [T] {
                rows$(.$flat_mut())*
            }

            #[inline]
            fn memory(rows: Vec<Self>) -> Vec<T> {
                rows$(.$flat_vec())*
            }

            #[inline]
            fn rows(elements: Vec<T>, len: usize) -> Vec<Self> {
                // SAFETY: this type is nested arrays of `T`.
                unsafe { regrouped(elements, len) }
            }
        }
    )* };
}

rows! {
    2: [T; A], [A],
        as_flattened as_flattened_mut into_flattened;
    3: [[T; B]; A], [A B],
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened;
    4: [[[T; C]; B]; A], [A B C],
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened;
    5: [[[[T; D]; C]; B]; A], [A B C D],
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened;
    6: [[[[[T; E]; D]; C]; B]; A], [A B C D E],
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened
        as_flattened as_flattened_mut into_flattened;
}

macro_rules! as_dense {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        as_dense!(@one {$($generics)*} &$ty);
        as_dense!(@one {$($generics)*} &mut $ty);
        as_dense!(@one {$($generics)*} &&$ty);
        as_dense!(@one {$($generics)*} &&mut $ty);
    )* };
    (@one {$($generics:tt)*} $ty:ty) => {
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element, R: Row<T, RANK>, const RANK: usize $($generics)*> AsDense<T, RANK> for $ty {
            #[inline]
            fn dense_arg(&self) -> DenseArg<'_, T, RANK> {
                R::dense(&self[..])
            }
        }
    };
}

as_dense! {
    {} [R];
    {, const N: usize} [R; N];
    {} Vec<R>;
    {} Box<[R]>;
    {} Rc<[R]>;
    {} Arc<[R]>;
    {} Rc<Vec<R>>;
    {} Arc<Vec<R>>;
    {} Cow<'_, [R]>;
}

impl<T: Element, R: Row<T, RANK>, const RANK: usize> Home<T, RANK> for Vec<R> {
    fn put(&mut self, made: DenseVec<T, RANK>) {
        let len = made.shape()[0];
        *self = R::rows(made.into_vec(), len);
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, R: Row<T, RANK>, const RANK: usize> AsDenseOut<T, RANK> for Vec<R> {
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        let mut fixed = R::shape(0).map(Some);
        fixed[0] = None;
        DenseOut::fixed(R::memory(mem::take(self)), fixed, self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, R: Row<T, RANK>, const RANK: usize> AsDenseOut<T, RANK> for [R] {
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        let shape = R::shape(self.len());
        DenseOut::slice(R::elements(self), shape)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, R: Row<T, RANK>, const N: usize, const RANK: usize> AsDenseOut<T, RANK>
    for [R; N]
{
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        self[..].dense_out()
    }
}
