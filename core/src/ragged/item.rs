//! What the rows of an array of arrays hold: elements, or arrays of arrays again.
//!
//! In: a type. Out: how many of it are stored, one behind the other, and borrowed.
//! Assumes: nothing.

use core::ops::Range;

use super::{Ragged, RaggedView};
use crate::kernel::Element;
use crate::memory;

/// What the rows of a [`Ragged`] hold: elements (numbers, `bool`s, tuples and structs of them, all
/// that is `Copy + Default + Send + Sync + 'static`), or `Ragged` arrays.
#[diagnostic::on_unimplemented(
    message = "the rows of a `Ragged` cannot hold `{Self}`",
    label = "neither an element nor a `Ragged`",
    note = "elements are `Copy + Default + Send + Sync + 'static`; rows of rows are a \
            `Ragged<Ragged<T>>`"
)]
pub trait Item: Sized + Send + Sync + 'static {
    /// The values of all rows, one behind the other: a `Vec` of elements, or a `Ragged`.
    type Values: Values<Item = Self>;

    /// The same borrowed, which is also what a row is: a slice of elements, or a [`RaggedView`].
    type View<'a>: Copy + Send + Sync;

    /// How many values these are.
    #[doc(hidden)]
    fn count(values: Self::View<'_>) -> usize;

    /// Some of the values. Panics where there are none.
    #[doc(hidden)]
    fn part<'a>(values: Self::View<'a>, range: Range<usize>) -> Self::View<'a>;

    /// The same for a shorter time: a view with a type of its own in it does not do so by itself.
    #[doc(hidden)]
    fn shorten<'b, 'a: 'b>(values: Self::View<'a>) -> Self::View<'b>;
}

/// The values of the rows of a [`Ragged`], one behind the other: a `Vec` of elements, or a `Ragged`
/// again.
pub trait Values: Clone + Default + Send + Sync + 'static {
    /// What they are values of.
    type Item: Item<Values = Self>;

    /// No values, with room for `n`.
    #[doc(hidden)]
    fn with_room(n: usize) -> Self;

    /// All of them.
    #[doc(hidden)]
    fn all(&self) -> <Self::Item as Item>::View<'_>;

    /// Puts others behind them.
    #[doc(hidden)]
    fn append(&mut self, more: <Self::Item as Item>::View<'_>);
}

/// What [`RaggedView::new`] borrows values from: slices, vectors and arrays of elements, a `&Ragged`
/// or a `RaggedView`.
pub trait IntoView<'a> {
    /// What they are values of.
    type Item: Item;

    /// The values.
    fn into_view(self) -> <Self::Item as Item>::View<'a>;
}

// Without it rustc would name what elements must be one by one.
#[diagnostic::do_not_recommend]
impl<T: Element> Item for T {
    type Values = Vec<T>;
    type View<'a> = &'a [T];

    #[inline]
    fn count(values: &[T]) -> usize {
        values.len()
    }

    #[inline]
    fn part<'a>(values: Self::View<'a>, range: Range<usize>) -> Self::View<'a> {
        &values[range]
    }

    #[inline]
    fn shorten<'b, 'a: 'b>(values: &'a [T]) -> &'b [T] {
        values
    }
}

impl<T: Element> Values for Vec<T> {
    type Item = T;

    fn with_room(n: usize) -> Self {
        memory::with_room(n)
    }

    #[inline]
    fn all(&self) -> &[T] {
        self
    }

    #[inline]
    fn append(&mut self, more: &[T]) {
        self.extend_from_slice(more);
    }
}

impl<U: Item> Item for Ragged<U> {
    type Values = Ragged<U>;
    type View<'a> = RaggedView<'a, U>;

    #[inline]
    fn count(values: RaggedView<'_, U>) -> usize {
        values.len()
    }

    #[inline]
    fn part<'a>(values: Self::View<'a>, range: Range<usize>) -> Self::View<'a> {
        values.rows(range)
    }

    #[inline]
    fn shorten<'b, 'a: 'b>(values: RaggedView<'a, U>) -> RaggedView<'b, U> {
        values.shortened()
    }
}

impl<U: Item> Values for Ragged<U> {
    type Item = Ragged<U>;

    fn with_room(n: usize) -> Self {
        Ragged::with_capacity(n, 0)
    }

    #[inline]
    fn all(&self) -> RaggedView<'_, U> {
        self.view()
    }

    fn append(&mut self, more: RaggedView<'_, U>) {
        self.extend_from_view(more);
    }
}

macro_rules! into_view {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        impl<'a, T: Element $($generics)*> IntoView<'a> for &'a $ty {
            type Item = T;

            #[inline]
            fn into_view(self) -> &'a [T] {
                self
            }
        }
    )* };
}

into_view! {
    {} [T];
    {, const N: usize} [T; N];
    {} Vec<T>;
}

impl<'a, U: Item> IntoView<'a> for &'a Ragged<U> {
    type Item = Ragged<U>;

    #[inline]
    fn into_view(self) -> RaggedView<'a, U> {
        self.view()
    }
}

impl<'a, 'b: 'a, U: Item> IntoView<'a> for RaggedView<'b, U> {
    type Item = Ragged<U>;

    #[inline]
    fn into_view(self) -> RaggedView<'a, U> {
        self.shortened()
    }
}
