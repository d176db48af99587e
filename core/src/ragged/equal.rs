//! Arrays of arrays compared with nested vectors, slices and arrays.
//!
//! In: an array, and nested lists of its depth. Out: whether they are equal, row by row.
//! Assumes: nothing.

use super::{Item, Ragged, RaggedView};
use crate::kernel::Element;

/// What a row of a `Ragged<T>` is compared with: of elements a slice, vector, array or box of what
/// they are compared with; of arrays slices, vectors, arrays and boxes of what their rows are
/// compared with.
///
/// ```
/// use ragged_core::Ragged;
///
/// let rows = Ragged::from(vec![vec![1, 2], vec![]]);
/// assert_eq!(rows, vec![vec![1, 2], vec![]]);
/// assert_eq!([&[1, 2][..], &[]], rows.view());
/// assert_ne!(rows, [[1, 2]]);
///
/// let lists = Ragged::from(vec![vec![vec!['a'], vec![]], vec![]]);
/// assert_eq!(lists, [vec![vec!['a'], vec![]], vec![]]);
/// assert_eq!(lists.row(0), [vec!['a'], vec![]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared with a row of a `Ragged<{T}>`",
    label = "expected a list of what `{T}` is compared with"
)]
pub trait EqRow<T: Item> {
    /// Whether it is equal to the row.
    #[doc(hidden)]
    fn eq_row(&self, row: T::View<'_>) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: Element + PartialEq<U>, U> EqRow<T> for [U] {
    fn eq_row(&self, row: &[T]) -> bool {
        row == self
    }
}

#[diagnostic::do_not_recommend]
impl<U: Item, R: EqRow<U>> EqRow<Ragged<U>> for [R] {
    fn eq_row(&self, row: RaggedView<'_, U>) -> bool {
        eq_rows(row, self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Item, R: EqRow<T> + ?Sized> EqRow<T> for &R {
    fn eq_row(&self, row: T::View<'_>) -> bool {
        R::eq_row(self, row)
    }
}

/// Lists that are slices when they are borrowed; `{…}` are generics of their own.
macro_rules! rows {
    ($({$($generics:tt)*} $list:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Item, R $($generics)*> EqRow<T> for $list
        where
            [R]: EqRow<T>,
        {
            fn eq_row(&self, row: T::View<'_>) -> bool {
                self[..].eq_row(row)
            }
        }
    )* };
}

rows! {
    {} Vec<R>;
    {} Box<[R]>;
    {, const N: usize} [R; N];
}

/// Both ways round, with arrays and views; `{…}` are generics of the list's own.
macro_rules! equal {
    ($({$($generics:tt)*} $list:ty;)*) => { $(
        equal! { @with {$($generics)*} $list, Ragged<T>, Ragged::view; }
        equal! { @with {$($generics)*} $list, RaggedView<'_, T>, RaggedView::clone; }
    )* };
    (@with {$($generics:tt)*} $list:ty, $ragged:ty, $view:expr;) => {
        /// Row by row, of any depth.
        impl<T: Item, R: EqRow<T> $($generics)*> PartialEq<$list> for $ragged {
            fn eq(&self, rows: &$list) -> bool {
                eq_rows($view(self), &rows[..])
            }
        }

        /// Row by row, of any depth.
        impl<T: Item, R: EqRow<T> $($generics)*> PartialEq<$ragged> for $list {
            fn eq(&self, rows: &$ragged) -> bool {
                rows == self
            }
        }
    };
}

equal! {
    {} [R];
    {} &[R];
    {} Vec<R>;
    {, const N: usize} [R; N];
}

fn eq_rows<T: Item, R: EqRow<T>>(rows: RaggedView<'_, T>, others: &[R]) -> bool {
    let mut pairs = rows.iter().zip(others);
    rows.len() == others.len() && pairs.all(|(row, other)| other.eq_row(row))
}
