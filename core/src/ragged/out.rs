//! Arrays of arrays as results: where a function puts offsets and elements.
//!
//! In: what a user passes to `NAME::into` for an array of arrays of any lengths. Out: where the
//! skeletons write. Assumes: a function that says [`RaggedOut::done`] has written all of them.

use core::mem;

use super::{Ragged, check};
use crate::kernel::Element;
use crate::out::ArrayOut;

/// An owned array of `T` with `LEVELS` levels of rows, 1 to 5: `RaggedOf<f64, 2>` is
/// `Ragged<Ragged<f64>>`.
pub type RaggedOf<T, const LEVELS: usize> = <T as Nested<LEVELS>>::Ragged;

/// Elements of arrays with `LEVELS` levels of rows: all are, for 1 to 5 levels.
pub trait Nested<const LEVELS: usize>: Element {
    /// Such an array.
    type Ragged;

    /// The array with these offsets, the outermost first, and elements. They are not looked at; see
    /// [`Ragged::made`].
    #[doc(hidden)]
    fn made(offsets: [Vec<i64>; LEVELS], elements: Vec<Self>) -> Self::Ragged;

    /// The memory of an array.
    #[doc(hidden)]
    fn memory(ragged: Self::Ragged) -> ([Vec<i64>; LEVELS], Vec<Self>);
}

/// What an array of `T` with `LEVELS` levels of rows may be written into by `NAME::into`: an owned
/// `Ragged` of that depth, by `&mut`. It takes the result's rows and keeps its memory where that
/// suffices.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` with rows of any lengths, {LEVELS} deep, cannot be written into `{Self}`",
    label = "expected an owned array of rows of `{T}`, {LEVELS} deep",
    note = "pass a `&mut Ragged<{T}>` (1 deep; a `&mut Ragged<Ragged<{T}>>` is 2 deep), which is resized"
)]
pub trait AsRaggedOut<T: Element, const LEVELS: usize> {
    /// Where the offsets and the elements go.
    fn ragged_out(&mut self) -> RaggedOut<'_, T, LEVELS>;
}

/// Where the offsets and the elements of a result go. Without [`RaggedOut::done`], after an error
/// that is, no rows are there.
///
/// ```
/// use ragged_core::{AsRaggedOut, Ragged};
///
/// let mut rows = Ragged::from([[7, 8, 9]]);
/// let mut out = rows.ragged_out();
/// let (elements, [ends]) = out.parts();
/// elements.copy(&[1, 2]).unwrap();
/// ends.copy(&[0, 0, 2]).unwrap();
/// out.done();
/// drop(out);
/// assert_eq!(format!("{rows:?}"), "[[], [1, 2]]");
///
/// drop(rows.ragged_out());
/// assert!(rows.is_empty());
/// ```
pub struct RaggedOut<'a, T: Element, const LEVELS: usize> {
    offsets: [Vec<i64>; LEVELS],
    elements: Vec<T>,
    done: bool,
    home: &'a mut dyn Home<T, LEVELS>,
}

/// What takes an array once it is made.
trait Home<T, const LEVELS: usize> {
    fn put(&mut self, offsets: [Vec<i64>; LEVELS], elements: Vec<T>);
}

impl<'a, T: Element, const LEVELS: usize> RaggedOut<'a, T, LEVELS> {
    /// Writes into this memory, and then gives it to `home`.
    fn new(memory: ([Vec<i64>; LEVELS], Vec<T>), home: &'a mut dyn Home<T, LEVELS>) -> Self {
        let (offsets, elements) = memory;
        RaggedOut {
            offsets,
            elements,
            done: false,
            home,
        }
    }

    /// The places of the elements and, for each level, the outermost first, of the offsets. These
    /// are absolute: the first is 0, and the last is how many rows (elements) are below.
    #[inline]
    pub fn parts(&mut self) -> (ArrayOut<'_, T>, [ArrayOut<'_, i64>; LEVELS]) {
        let offsets = self.offsets.each_mut().map(ArrayOut::vec);
        (ArrayOut::vec(&mut self.elements), offsets)
    }

    /// Declares all offsets and elements written.
    pub fn done(&mut self) {
        let offsets = self.offsets.each_ref().map(|offsets| &offsets[..]);
        debug_assert_eq!(
            check::levels(check::all, &offsets, self.elements.len()),
            Ok(())
        );
        self.done = true;
    }
}

impl<T: Element, const LEVELS: usize> Drop for RaggedOut<'_, T, LEVELS> {
    fn drop(&mut self) {
        if !self.done {
            self.offsets.iter_mut().for_each(Vec::clear);
            self.elements.clear();
        }
        let offsets = self.offsets.each_mut().map(mem::take);
        self.home.put(offsets, mem::take(&mut self.elements));
    }
}

/// For each number of levels what the rows of the outermost one hold, and names for the offsets.
macro_rules! levels {
    ($($levels:literal: $item:ty, [$($offsets:ident)*];)*) => { $(
        impl<T: Element> Nested<$levels> for T {
            type Ragged = Ragged<$item>;

            fn made([$($offsets),*]: [Vec<i64>; $levels], elements: Vec<T>) -> Ragged<$item> {
                levels! { @made elements, $($offsets)* }
            }

            fn memory(ragged: Ragged<$item>) -> ([Vec<i64>; $levels], Vec<T>) {
                $(let ($offsets, ragged) = ragged.into_memory();)*
                ([$($offsets),*], ragged)
            }
        }

        impl<T: Element> Home<T, $levels> for Ragged<$item> {
            fn put(&mut self, offsets: [Vec<i64>; $levels], elements: Vec<T>) {
                *self = T::made(offsets, elements);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element> AsRaggedOut<T, $levels> for Ragged<$item> {
            fn ragged_out(&mut self) -> RaggedOut<'_, T, $levels> {
                RaggedOut::new(T::memory(mem::take(self)), self)
            }
        }
    )* };
    (@made $elements:ident, $outer:ident $($inner:ident)*) => {
        Ragged::made($outer, levels! { @made $elements, $($inner)* })
    };
    (@made $elements:ident,) => { $elements };
}

levels! {
    1: T, [a];
    2: Ragged<T>, [a b];
    3: Ragged<Ragged<T>>, [a b c];
    4: Ragged<Ragged<Ragged<T>>>, [a b c d];
    5: Ragged<Ragged<Ragged<Ragged<T>>>>, [a b c d e];
}

#[diagnostic::do_not_recommend]
impl<T: Element, const LEVELS: usize, A: AsRaggedOut<T, LEVELS>> AsRaggedOut<T, LEVELS> for &mut A {
    fn ragged_out(&mut self) -> RaggedOut<'_, T, LEVELS> {
        (**self).ragged_out()
    }
}
