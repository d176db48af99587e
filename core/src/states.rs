//! Products of scalars as the arrays that a sequential loop carries.
//!
//! In: arrays of one length each. Out: views of them and of parts of memory, room for the next ones.
//! Assumes: nothing; the unsafe methods pass their caller's promises on to each component.

use crate::error::Failure;
use crate::kernel::{Element, Product};
use crate::memory;
use crate::out::ArrayOut;
use crate::recycle::Buffer;
use crate::tuples::for_tuples;

/// A product of elements, `(A,)`, `(A, B)`, … to 12, of each of which a loop carries an array.
pub trait States: Product {
    /// One array per component.
    type Arrays: Sync;
    /// What is read of each.
    type Views<'a>;
    /// Bytes of an element of the first component.
    #[doc(hidden)]
    const FIRST: usize;

    /// Empty arrays.
    #[doc(hidden)]
    fn none() -> Self::Arrays;
    /// The whole arrays.
    #[doc(hidden)]
    fn views(arrays: &Self::Arrays) -> Self::Views<'_>;
    /// Where `n` elements of each array lie; `None` if one has fewer.
    #[doc(hidden)]
    fn filled(arrays: &mut Self::Arrays, n: usize) -> Option<Self::Bases>;
    /// Asks for `count` elements of each component, from `at` on. Only speed depends on it.
    #[doc(hidden)]
    fn fetch(bases: Self::Bases, at: usize, count: usize);
    /// `count` elements of each component, from `at` on.
    ///
    /// # Safety
    /// They have been written, and while the views live nobody writes them.
    #[doc(hidden)]
    unsafe fn window<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Views<'a>;
    /// Makes room for `n` elements in each array, and says where they go.
    #[doc(hidden)]
    fn room(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure>;
    /// At least `n` elements in each array, the first time zeros, and says where they are: from the
    /// start of a cache line on.
    #[doc(hidden)]
    fn zeros(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure>;
    /// The arrays as places for results.
    #[doc(hidden)]
    fn places(arrays: &mut Self::Arrays) -> Self::Outs<'_>;
    /// Declares `n` elements of each array written.
    ///
    /// # Safety
    /// `room` succeeded for so many, and each has been written since.
    #[doc(hidden)]
    unsafe fn written(arrays: &mut Self::Arrays, n: usize);
    /// Moves `count` elements of each component from `from` to `to`; the places may overlap.
    ///
    /// # Safety
    /// All of them are the caller's alone, and have been written.
    #[doc(hidden)]
    unsafe fn shift(bases: Self::Bases, from: usize, to: usize, count: usize);
}

macro_rules! states {
    ($First:ident - 0 $(, $T:ident $before:tt $i:tt)*) => {
        states!(@all $First; $First 0 $(, $T $i)*);
    };
    (@all $First:ident; $($T:ident $i:tt),+) => {
        impl<$($T: Element),+> States for ($($T,)+) {
            const FIRST: usize = size_of::<$First>();
            type Arrays = ($(Buffer<$T>,)+);
            type Views<'a> = ($(&'a [$T],)+);

            fn none() -> Self::Arrays {
                ($(Buffer::<$T>::default(),)+)
            }

            fn views(arrays: &Self::Arrays) -> Self::Views<'_> {
                ($(&arrays.$i[..],)+)
            }

            fn filled(arrays: &mut Self::Arrays, n: usize) -> Option<Self::Bases> {
                let all = true $(&& arrays.$i.len() >= n)+;
                all.then(|| ($(arrays.$i.as_vec().as_mut_ptr(),)+))
            }

            #[inline(always)]
            fn fetch(bases: Self::Bases, at: usize, count: usize) {
                $(memory::fetch(bases.$i.wrapping_add(at), count);)+
            }

            #[inline(always)]
            unsafe fn window<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Views<'a> {
                // SAFETY: the caller has written these elements, and leaves them alone.
                ($(unsafe { core::slice::from_raw_parts(bases.$i.add(at), count) },)+)
            }

            fn room(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure> {
                $(memory::reserve(arrays.$i.as_vec(), n)?;)+
                Ok(($(arrays.$i.as_vec().as_mut_ptr(),)+))
            }

            fn zeros(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure> {
                Ok(($(memory::zeros_from_line(arrays.$i.as_vec(), n)?,)+))
            }

            fn places(arrays: &mut Self::Arrays) -> Self::Outs<'_> {
                ($(ArrayOut::buffer(&mut arrays.$i),)+)
            }

            unsafe fn written(arrays: &mut Self::Arrays, n: usize) {
                // SAFETY: the caller has made room for `n` elements of each component, and written
                // them.
                unsafe { $(arrays.$i.as_vec().set_len(n);)+ }
            }

            #[inline(always)]
            unsafe fn shift(bases: Self::Bases, from: usize, to: usize, count: usize) {
                // SAFETY: the caller owns both places.
                unsafe { $(bases.$i.add(to).copy_from(bases.$i.add(from), count);)+ }
            }
        }
    };
}

for_tuples!(states);
