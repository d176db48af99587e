//! Arrays of arrays that are borrowed.
//!
//! In: offsets and values. Out: rows.
//! Assumes: nothing; see Note \[Offsets\] in `ragged.rs`.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{Index, Range};
#[cfg(target_pointer_width = "64")]
use core::slice;

use super::{IntoView, Item, Ragged, RaggedError, check};
use crate::kernel::Element;

/// An array of arrays of any lengths whose offsets and values are borrowed: those of a [`Ragged`],
/// or of anything else that holds them (`i64` offsets and values is the layout of Arrow's large
/// lists). A row of a `Ragged<Ragged<T>>` is one too.
///
/// ```
/// use ragged_core::RaggedView;
///
/// let (offsets, values) = ([0, 2, 2, 3], [1.0, 2.0, 3.0]);
/// let rows = RaggedView::new(&offsets, &values)?;
/// assert_eq!((rows.len(), rows.row(0)), (3, &[1.0, 2.0][..]));
///
/// // A slice of the offsets is a slice of the rows, and its values stay where they are.
/// let last = RaggedView::new(&offsets[2..], &values)?;
/// assert_eq!(format!("{rows:?} {last:?}"), "[[1.0, 2.0], [], [3.0]] [[3.0]]");
///
/// let lists = RaggedView::new(&[0, 1, 3], rows)?;
/// assert_eq!(format!("{lists:?}"), "[[[1.0, 2.0]], [[], [3.0]]]");
/// # Ok::<(), ragged_core::RaggedError>(())
/// ```
pub struct RaggedView<'a, T: Item> {
    offsets: &'a [i64],
    values: T::View<'a>,
}

impl<'a, T: Item> RaggedView<'a, T> {
    /// The rows that the offsets cut out of the values. They need not be all values: the first
    /// offset may be above 0, and the last below the number of values.
    ///
    /// Cost: a pass over the offsets.
    pub fn new<V>(offsets: &'a [i64], values: V) -> Result<Self, RaggedError>
    where
        V: IntoView<'a, Item = T>,
    {
        let values = values.into_view();
        check::some(offsets, T::count(values))?;
        Ok(RaggedView { offsets, values })
    }

    /// As [`RaggedView::new`], with offsets as Rust's own sizes, as sparse matrices of other crates
    /// have them. They are not copied: on processors of 64 bits a size is stored as an `i64` is.
    ///
    /// ```
    /// use ragged_core::RaggedView;
    ///
    /// let (row_offsets, columns) = (vec![0_usize, 2, 2, 3], vec![0_u32, 4, 1]);
    /// let columns = RaggedView::with_sizes(&row_offsets, &columns)?;
    /// assert_eq!(format!("{columns:?}"), "[[0, 4], [], [1]]");
    /// # Ok::<(), ragged_core::RaggedError>(())
    /// ```
    #[cfg(target_pointer_width = "64")]
    pub fn with_sizes<V>(offsets: &'a [usize], values: V) -> Result<Self, RaggedError>
    where
        V: IntoView<'a, Item = T>,
    {
        // SAFETY: both are integers of 64 bits with one layout, any bits are an `i64`, and the slice is
        // borrowed as long. (Sizes beyond `i64` are negative then, which `new` refuses.)
        let offsets =
            unsafe { slice::from_raw_parts(offsets.as_ptr().cast::<i64>(), offsets.len()) };
        RaggedView::new(offsets, values)
    }

    /// As [`RaggedView::new`] without a check.
    #[inline]
    pub(crate) fn over(offsets: &'a [i64], values: T::View<'a>) -> Self {
        RaggedView { offsets, values }
    }

    /// How many rows there are.
    #[inline]
    pub fn len(self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Row `i`: a slice of elements, or a view of its rows.
    ///
    /// Panics if there is none.
    #[inline]
    #[track_caller]
    pub fn row(self, i: usize) -> T::View<'a> {
        let len = self.len();
        assert!(
            i < len,
            "row {i} is out of range for an array of {len} rows"
        );
        self.between(self.offsets[i], self.offsets[i + 1])
    }

    /// Row `i`, if there is one.
    #[inline]
    pub fn get(self, i: usize) -> Option<T::View<'a>> {
        (i < self.len()).then(|| self.row(i))
    }

    /// Some of the rows.
    ///
    /// Panics if there are not so many, or the range is reversed.
    #[inline]
    #[track_caller]
    pub fn rows(self, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        // Offsets `start..=end` are none, which no array has, if `start` is one more than `end`.
        assert!(start <= end, "rows from {start} to {end} are reversed");
        RaggedView::over(&self.offsets[start..=end], self.values)
    }

    /// The rows one by one.
    #[inline]
    pub fn iter(self) -> RaggedIter<'a, T> {
        RaggedIter { rest: self }
    }

    /// The lengths of the rows.
    pub fn lens(self) -> impl ExactSizeIterator<Item = usize> + DoubleEndedIterator + 'a {
        let pairs = self.offsets.windows(2);
        pairs.map(|pair| (pair[1] - pair[0]) as usize)
    }

    /// Where the rows begin among the values, and where the last one ends.
    #[inline]
    pub fn offsets(self) -> &'a [i64] {
        self.offsets
    }

    /// What the offsets count: those of the rows, and others where this is a part of an array.
    #[inline]
    pub fn values(self) -> T::View<'a> {
        self.values
    }

    /// The values of the rows alone.
    #[inline]
    pub(super) fn own_values(self) -> T::View<'a> {
        match (self.offsets.first(), self.offsets.last()) {
            (Some(first), Some(last)) => self.between(*first, *last),
            _ => T::part(self.values, 0..0),
        }
    }

    /// The same for a shorter time.
    #[inline]
    pub(super) fn shortened<'b>(self) -> RaggedView<'b, T>
    where
        'a: 'b,
    {
        RaggedView::over(self.offsets, T::shorten(self.values))
    }

    /// A copy.
    pub fn to_ragged(self) -> Ragged<T> {
        let mut copy = Ragged::with_capacity(self.len(), T::count(self.own_values()));
        copy.extend_from_view(self);
        copy
    }

    #[inline]
    fn between(self, lo: i64, hi: i64) -> T::View<'a> {
        T::part(self.values, lo as usize..hi as usize)
    }
}

impl<T: Item> Clone for RaggedView<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Item> Copy for RaggedView<'_, T> {}

/// As nested lists.
impl<'a, T: Item> fmt::Debug for RaggedView<'a, T>
where
    T::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// By rows: where they begin among the values does not matter.
impl<'a, 'b, T: Item> PartialEq<RaggedView<'b, T>> for RaggedView<'a, T>
where
    T::View<'a>: PartialEq<T::View<'b>>,
{
    fn eq(&self, other: &RaggedView<'b, T>) -> bool {
        self.lens().eq(other.lens()) && self.own_values() == other.own_values()
    }
}

impl<'a, T: Item> Eq for RaggedView<'a, T> where T::View<'a>: Eq {}

impl<T: Element> Index<usize> for RaggedView<'_, T> {
    type Output = [T];

    #[inline]
    #[track_caller]
    fn index(&self, i: usize) -> &[T] {
        self.row(i)
    }
}

impl<'a, T: Item> IntoIterator for RaggedView<'a, T> {
    type Item = T::View<'a>;
    type IntoIter = RaggedIter<'a, T>;

    #[inline]
    fn into_iter(self) -> RaggedIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Item> IntoIterator for &RaggedView<'a, T> {
    type Item = T::View<'a>;
    type IntoIter = RaggedIter<'a, T>;

    #[inline]
    fn into_iter(self) -> RaggedIter<'a, T> {
        self.iter()
    }
}

/// The rows of an array one by one, from both ends.
#[derive(Clone)]
pub struct RaggedIter<'a, T: Item> {
    rest: RaggedView<'a, T>,
}

impl<'a, T: Item> RaggedIter<'a, T> {
    /// The rows that are left.
    #[inline]
    pub(crate) fn view(&self) -> RaggedView<'a, T> {
        self.rest
    }

    /// Takes the first of them. Panics if there are not so many.
    #[inline]
    pub(crate) fn take_first(&mut self, rows: usize) -> RaggedView<'a, T> {
        let first = self.rest.rows(0..rows);
        self.rest = self.rest.rows(rows..self.rest.len());
        first
    }
}

impl<'a, T: Item> Iterator for RaggedIter<'a, T> {
    type Item = T::View<'a>;

    #[inline]
    fn next(&mut self) -> Option<T::View<'a>> {
        let [first, rest @ ..] = self.rest.offsets else {
            return None;
        };
        let row = self.rest.between(*first, *rest.first()?);
        self.rest.offsets = rest;
        Some(row)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len(), Some(self.rest.len()))
    }
}

impl<'a, T: Item> DoubleEndedIterator for RaggedIter<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T::View<'a>> {
        let [rest @ .., last] = self.rest.offsets else {
            return None;
        };
        let row = self.rest.between(*rest.last()?, *last);
        self.rest.offsets = rest;
        Some(row)
    }
}

impl<T: Item> ExactSizeIterator for RaggedIter<'_, T> {}
impl<T: Item> FusedIterator for RaggedIter<'_, T> {}

/// The rows that are left.
impl<'a, T: Item> fmt::Debug for RaggedIter<'a, T>
where
    T::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rest.fmt(f)
    }
}
