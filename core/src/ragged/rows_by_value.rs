//! The rows of an array, each with memory of its own.
//!
//! In: an array. Out: its rows one by one: vectors, or arrays of arrays of one level less.
//! Assumes: nothing.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

use super::{Item, Ragged, Values};

/// The rows of a [`Ragged`] by value, from both ends: `Vec<T>`s of a `Ragged<T>`, `Ragged<U>`s of a
/// `Ragged<Ragged<U>>`.
pub struct RaggedIntoIter<T: Item> {
    rows: Ragged<T>,
    left: Range<usize>,
}

impl<T: Item> IntoIterator for Ragged<T> {
    type Item = T::Values;
    type IntoIter = RaggedIntoIter<T>;

    /// The rows by value: a `Vec<T>` for each row of elements, a `Ragged<U>` for each of arrays.
    ///
    /// Cost: each row is copied when it is asked for, since all lie in one vector, whose memory is
    /// kept until the iterator is dropped. `&rows` and [`Ragged::iter`] copy nothing.
    ///
    /// ```
    /// use ragged_core::Ragged;
    ///
    /// let rows = Ragged::from(vec![vec![3, 1], vec![], vec![2]]);
    /// let mut longest: Vec<Vec<i32>> = rows.into_iter().collect();
    /// longest.sort_by_key(Vec::len);
    /// assert_eq!(longest, [vec![], vec![2], vec![3, 1]]);
    ///
    /// let lists = Ragged::from(vec![vec![vec!['a'], vec![]], vec![]]);
    /// let lists: Vec<Ragged<char>> = lists.into_iter().collect();
    /// assert_eq!(format!("{lists:?}"), "[[['a'], []], []]");
    /// ```
    fn into_iter(self) -> RaggedIntoIter<T> {
        let left = 0..self.len();
        RaggedIntoIter { rows: self, left }
    }
}

impl<T: Item> RaggedIntoIter<T> {
    fn copy(&self, i: usize) -> T::Values {
        let row = self.rows.row(i);
        let mut copy = T::Values::with_room(T::count(row));
        copy.append(row);
        copy
    }
}

impl<T: Item> Iterator for RaggedIntoIter<T> {
    type Item = T::Values;

    fn next(&mut self) -> Option<T::Values> {
        let i = self.left.next()?;
        Some(self.copy(i))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    /// Rows that are left out are not copied.
    fn nth(&mut self, n: usize) -> Option<T::Values> {
        let i = self.left.nth(n)?;
        Some(self.copy(i))
    }
}

impl<T: Item> DoubleEndedIterator for RaggedIntoIter<T> {
    fn next_back(&mut self) -> Option<T::Values> {
        let i = self.left.next_back()?;
        Some(self.copy(i))
    }

    /// Rows that are left out are not copied.
    fn nth_back(&mut self, n: usize) -> Option<T::Values> {
        let i = self.left.nth_back(n)?;
        Some(self.copy(i))
    }
}

impl<T: Item> ExactSizeIterator for RaggedIntoIter<T> {}
impl<T: Item> FusedIterator for RaggedIntoIter<T> {}

impl<T: Item> Clone for RaggedIntoIter<T> {
    fn clone(&self) -> Self {
        let (rows, left) = (self.rows.clone(), self.left.clone());
        RaggedIntoIter { rows, left }
    }
}

/// The rows that are left.
impl<T: Item> fmt::Debug for RaggedIntoIter<T>
where
    for<'a> T::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.view().rows(self.left.clone()).fmt(f)
    }
}
