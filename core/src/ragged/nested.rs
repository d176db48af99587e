//! Arrays of arrays from nested vectors, slices and arrays, and back.
//!
//! In: nested lists of any depth. Out: one vector of elements and offsets per level; and the other
//! way round.
//! Assumes: nothing.

use super::{Item, Ragged, RaggedView, Values};
use crate::kernel::Element;

/// What can become a row of a `Ragged<T>`: of elements a slice, vector, array or box of them; of
/// arrays a `Ragged`, a view, or slices, vectors, arrays and boxes of what can become their rows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a row of a `Ragged<{T}>`",
    label = "expected a list of `{T}`"
)]
pub trait IntoRow<T: Item>: Sized {
    /// Puts the row's values behind these.
    #[doc(hidden)]
    fn append_to(self, values: &mut T::Values);
}

/// Lists by value and by reference; `{…}` are generics of their own.
macro_rules! lists {
    ($({$($generics:tt)*} $elems:ty, $rows:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> IntoRow<T> for $elems {
            fn append_to(self, values: &mut Vec<T>) {
                values.extend_from_slice(&self[..]);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> IntoRow<T> for &$elems {
            fn append_to(self, values: &mut Vec<T>) {
                values.extend_from_slice(&self[..]);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<U: Item, R: IntoRow<U> $($generics)*> IntoRow<Ragged<U>> for $rows {
            fn append_to(self, values: &mut Ragged<U>) {
                values.extend(self);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, U: Item, R $($generics)*> IntoRow<Ragged<U>> for &'a $rows
        where
            &'a R: IntoRow<U>,
        {
            fn append_to(self, values: &mut Ragged<U>) {
                values.extend(self);
            }
        }

        /// One row for each item, of any depth.
        impl<T: Item, R: IntoRow<T> $($generics)*> From<$rows> for Ragged<T> {
            fn from(rows: $rows) -> Self {
                rows.into_iter().collect()
            }
        }

        /// One row for each item, of any depth.
        impl<'a, T: Item, R $($generics)*> From<&'a $rows> for Ragged<T>
        where
            &'a R: IntoRow<T>,
        {
            fn from(rows: &'a $rows) -> Self {
                rows.iter().collect()
            }
        }
    )* };
}

lists! {
    {} Vec<T>, Vec<R>;
    {} Box<[T]>, Box<[R]>;
    {, const N: usize} [T; N], [R; N];
}

/// What is `Copy`, by value and as items of a slice.
macro_rules! borrowed {
    ($({$($generics:tt)*} $row:ty [$($bound:tt)*]: $item:ty, $append:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IntoRow<$item> for $row $($bound)* {
            fn append_to(self, values: &mut <$item as Item>::Values) {
                $append(values, self);
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IntoRow<$item> for &$row $($bound)* {
            fn append_to(self, values: &mut <$item as Item>::Values) {
                $append(values, *self);
            }
        }
    )* };
}

borrowed! {
    {T: Element} &[T] []: T, Vec::extend_from_slice;
    {'a, U: Item, R} &'a [R] [where &'a R: IntoRow<U>]: Ragged<U>, Extend::extend;
    {U: Item} RaggedView<'_, U> []: Ragged<U>, Values::append;
    {U: Item} &Ragged<U> []: Ragged<U>, (|values: &mut Ragged<U>, row: &Ragged<U>| {
        values.append(row.view());
    });
}

#[diagnostic::do_not_recommend]
impl<U: Item> IntoRow<Ragged<U>> for Ragged<U> {
    fn append_to(self, values: &mut Ragged<U>) {
        values.append(self.view());
    }
}

/// One row for each item, of any depth.
impl<'a, T: Item, R> From<&'a [R]> for Ragged<T>
where
    &'a R: IntoRow<T>,
{
    fn from(rows: &'a [R]) -> Self {
        rows.iter().collect()
    }
}

/// One row for each item, of any depth.
impl<T: Item, R: IntoRow<T>> FromIterator<R> for Ragged<T> {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let rows = rows.into_iter();
        let mut ragged = Ragged::with_capacity(rows.size_hint().0, 0);
        ragged.extend(rows);
        ragged
    }
}

/// One row for each item, of any depth.
impl<T: Item, R: IntoRow<T>> Extend<R> for Ragged<T> {
    fn extend<I: IntoIterator<Item = R>>(&mut self, rows: I) {
        for row in rows {
            self.push(row);
        }
    }
}

impl<'a, T: Element> From<RaggedView<'a, T>> for Vec<Vec<T>> {
    /// One vector for each row.
    fn from(rows: RaggedView<'a, T>) -> Self {
        rows.iter().map(<[T]>::to_vec).collect()
    }
}

impl<'a, U: Item, R> From<RaggedView<'a, Ragged<U>>> for Vec<R>
where
    R: From<RaggedView<'a, U>>,
{
    /// One item for each row, of any depth.
    fn from(rows: RaggedView<'a, Ragged<U>>) -> Self {
        rows.iter().map(R::from).collect()
    }
}

impl<'a, T: Element> From<&'a Ragged<T>> for Vec<Vec<T>> {
    /// One vector for each row.
    fn from(rows: &'a Ragged<T>) -> Self {
        rows.view().into()
    }
}

impl<'a, U: Item, R> From<&'a Ragged<Ragged<U>>> for Vec<R>
where
    R: From<RaggedView<'a, U>>,
{
    /// One item for each row, of any depth.
    fn from(rows: &'a Ragged<Ragged<U>>) -> Self {
        rows.view().into()
    }
}

impl<T: Element> From<Ragged<T>> for Vec<Vec<T>> {
    /// One vector for each row.
    fn from(rows: Ragged<T>) -> Self {
        rows.view().into()
    }
}

impl<U: Item, R> From<Ragged<Ragged<U>>> for Vec<R>
where
    R: for<'a> From<RaggedView<'a, U>>,
{
    /// One item for each row, of any depth.
    fn from(rows: Ragged<Ragged<U>>) -> Self {
        rows.view().into()
    }
}
