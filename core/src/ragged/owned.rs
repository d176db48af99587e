//! Arrays of arrays that own their values.
//!
//! In: offsets or lengths and values, or rows one by one. Out: the array, and its rows.
//! Assumes: nothing; see Note \[Offsets\] in `ragged.rs`.

use core::fmt;
use core::ops::{Index, IndexMut};

use super::{IntoRow, Item, RaggedError, RaggedIter, RaggedView, Values, check};
use crate::kernel::Element;
use crate::memory;

/// An array of arrays of any lengths: `Ragged<f64>` is one of `f64`s, `Ragged<Ragged<f64>>` one of
/// such arrays, and so on. All elements lie in one vector, and per level there is a vector of
/// offsets, as in a compressed sparse matrix or a list of Arrow.
///
/// ```
/// use ragged_core::Ragged;
///
/// let mut rows = Ragged::from(vec![vec![1.0, 2.0], vec![], vec![3.0]]);
/// rows.push([4.0, 5.0]);
/// assert_eq!(format!("{rows:?}"), "[[1.0, 2.0], [], [3.0], [4.0, 5.0]]");
/// assert_eq!((rows.len(), rows.row(0), rows[3][1]), (4, &[1.0, 2.0][..], 5.0));
/// assert_eq!(rows.offsets(), [0, 2, 2, 3, 5]);
/// assert_eq!(rows.values(), [1.0, 2.0, 3.0, 4.0, 5.0]);
///
/// let sums: Vec<f64> = rows.iter().map(|row| row.iter().sum()).collect();
/// assert_eq!(sums, [3.0, 0.0, 3.0, 9.0]);
/// ```
///
/// Rows of an array that is nested more deeply are views:
///
/// ```
/// use ragged_core::Ragged;
///
/// let lists = Ragged::from(vec![vec![vec![1], vec![2, 3]], vec![], vec![vec![]]]);
/// assert_eq!(lists.row(0).row(1), [2, 3]);
/// for list in &lists {
///     for row in list {
///         println!("{row:?}");
///     }
/// }
/// let back: Vec<Vec<Vec<i32>>> = lists.into();
/// assert_eq!(back, [vec![vec![1], vec![2, 3]], vec![], vec![vec![]]]);
/// ```
pub struct Ragged<T: Item> {
    /// None as long as there was no row, so that [`Ragged::new`] takes no memory.
    offsets: Vec<i64>,
    values: T::Values,
}

impl<T: Item> Ragged<T> {
    /// Without rows.
    pub fn new() -> Self {
        let (offsets, values) = (Vec::new(), T::Values::default());
        Ragged { offsets, values }
    }

    /// Without rows, but with room for so many rows and values. (The values of an array that is
    /// nested more deeply are the rows of the next level.) Where there are megabytes, the system is asked
    /// for huge pages: what is made in room that is there from the start is read a sixth faster than what
    /// grew, since fewer pages have to be found.
    pub fn with_capacity(rows: usize, values: usize) -> Self {
        let (offsets, values) = (memory::with_room(rows + 1), T::Values::with_room(values));
        Ragged { offsets, values }
    }

    /// The rows that the offsets cut the values into: the first offset is 0, none is less than the
    /// one before it, and the last is the number of values.
    ///
    /// Cost: a pass over the offsets. Errors: what is wrong with them.
    ///
    /// ```
    /// use ragged_core::{Ragged, RaggedError};
    ///
    /// let rows = Ragged::from_offsets(vec![0, 2, 2, 3], vec!['a', 'b', 'c'])?;
    /// let lists = Ragged::from_offsets(vec![0, 3, 3], rows)?;
    /// assert_eq!(format!("{lists:?}"), "[[['a', 'b'], [], ['c']], []]");
    ///
    /// let error = Ragged::from_offsets(vec![0, 2], vec![1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "the last offset is 2, but there are 3 values");
    /// # Ok::<(), RaggedError>(())
    /// ```
    pub fn from_offsets<V>(offsets: Vec<i64>, values: V) -> Result<Self, RaggedError>
    where
        V: Values<Item = T>,
        T: Item<Values = V>,
    {
        check::all(&offsets, T::count(values.all()))?;
        Ok(Ragged { offsets, values })
    }

    /// Rows of these lengths.
    ///
    /// Cost: a pass over the lengths. Errors: they are negative, or their sum is not the number of
    /// values.
    ///
    /// ```
    /// use ragged_core::Ragged;
    ///
    /// let rows = Ragged::from_lengths([2, 0, 1], vec![1, 2, 3])?;
    /// assert_eq!(format!("{rows:?}"), "[[1, 2], [], [3]]");
    /// # Ok::<(), ragged_core::RaggedError>(())
    /// ```
    pub fn from_lengths<L, V>(
        lengths: impl IntoIterator<Item = L>,
        values: V,
    ) -> Result<Self, RaggedError>
    where
        L: TryInto<i64>,
        V: Values<Item = T>,
        T: Item<Values = V>,
    {
        Ragged::from_offsets(check::offsets_of(lengths)?, values)
    }

    /// What a compiled function has made. Wrong offsets would give wrong rows or a panic where they
    /// are asked for; nothing that is `unsafe` may rest on them.
    #[doc(hidden)]
    pub fn made(offsets: Vec<i64>, values: T::Values) -> Self {
        Ragged { offsets, values }
    }

    /// The offsets and the values.
    pub fn into_parts(mut self) -> (Vec<i64>, T::Values) {
        self.begin();
        self.into_memory()
    }

    /// The same, of which only the memory is wanted.
    pub(super) fn into_memory(self) -> (Vec<i64>, T::Values) {
        (self.offsets, self.values)
    }

    /// The offsets, none as long as there was no row, and the values.
    pub(crate) fn parts(&self) -> (&[i64], &T::Values) {
        (&self.offsets, &self.values)
    }

    /// The same, to be written.
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<i64>, &mut T::Values) {
        (&mut self.offsets, &mut self.values)
    }

    /// All rows, borrowed.
    #[inline]
    pub fn view(&self) -> RaggedView<'_, T> {
        RaggedView::over(self.offsets(), self.values.all())
    }

    /// How many rows there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Row `i`: a slice of elements, or a view of its rows.
    ///
    /// Panics if there is none.
    #[inline]
    #[track_caller]
    pub fn row(&self, i: usize) -> T::View<'_> {
        self.view().row(i)
    }

    /// Row `i`, if there is one.
    #[inline]
    pub fn get(&self, i: usize) -> Option<T::View<'_>> {
        self.view().get(i)
    }

    /// The rows one by one.
    #[inline]
    pub fn iter(&self) -> RaggedIter<'_, T> {
        self.view().iter()
    }

    /// The lengths of the rows.
    pub fn lens(&self) -> impl ExactSizeIterator<Item = usize> + DoubleEndedIterator + '_ {
        self.view().lens()
    }

    /// Where the rows begin among the values, and where the last one ends: one more than there are
    /// rows, the first of them 0.
    #[inline]
    pub fn offsets(&self) -> &[i64] {
        match &self.offsets[..] {
            [] => &[0],
            offsets => offsets,
        }
    }

    /// The values of all rows, one behind the other: a slice of elements, or a view of the rows of
    /// the next level.
    #[inline]
    pub fn values(&self) -> T::View<'_> {
        self.values.all()
    }

    /// Puts a row behind the others: `rows.push([1.0, 2.0])`, `rows.push(&vec)`; or, nested more
    /// deeply, a `&Ragged`, a view, or nested vectors.
    pub fn push(&mut self, row: impl IntoRow<T>) {
        self.begin();
        row.append_to(&mut self.values);
        self.end_row();
    }

    /// Puts the rows of a view behind the others.
    pub(super) fn extend_from_view(&mut self, more: RaggedView<'_, T>) {
        self.begin();
        let begin = T::count(self.values.all()) as i64;
        self.values.append(more.own_values());
        if let [first, ends @ ..] = more.offsets() {
            let ends = ends.iter().map(|end| begin + (end - first));
            self.offsets.extend(ends);
        }
    }

    /// From here on there is an offset.
    fn begin(&mut self) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
    }

    fn end_row(&mut self) {
        self.offsets.push(T::count(self.values.all()) as i64);
    }
}

impl<T: Element> Ragged<T> {
    /// The elements of all rows, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Row `i`, to be changed.
    ///
    /// Panics if there is none.
    #[track_caller]
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        let len = self.len();
        assert!(
            i < len,
            "row {i} is out of range for an array of {len} rows"
        );
        let (lo, hi) = (self.offsets[i], self.offsets[i + 1]);
        &mut self.values[lo as usize..hi as usize]
    }
}

impl<T: Item> Clone for Ragged<T> {
    fn clone(&self) -> Self {
        let (offsets, values) = (self.offsets.clone(), self.values.clone());
        Ragged { offsets, values }
    }
}

/// Without rows.
impl<T: Item> Default for Ragged<T> {
    fn default() -> Self {
        Ragged::new()
    }
}

/// As nested lists: `[[1.0, 2.0], [], [3.0]]`.
impl<T: Item> fmt::Debug for Ragged<T>
where
    for<'a> T::View<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: Item> PartialEq for Ragged<T>
where
    T::Values: PartialEq,
{
    fn eq(&self, other: &Self) -> bool {
        self.offsets() == other.offsets() && self.values == other.values
    }
}

impl<T: Item> Eq for Ragged<T> where T::Values: Eq {}

impl<T: Element> Index<usize> for Ragged<T> {
    type Output = [T];

    #[inline]
    #[track_caller]
    fn index(&self, i: usize) -> &[T] {
        self.row(i)
    }
}

impl<T: Element> IndexMut<usize> for Ragged<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, i: usize) -> &mut [T] {
        self.row_mut(i)
    }
}

impl<'a, T: Item> IntoIterator for &'a Ragged<T> {
    type Item = T::View<'a>;
    type IntoIter = RaggedIter<'a, T>;

    #[inline]
    fn into_iter(self) -> RaggedIter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Item> From<&'a Ragged<T>> for RaggedView<'a, T> {
    #[inline]
    fn from(ragged: &'a Ragged<T>) -> Self {
        ragged.view()
    }
}

impl<T: Item> From<RaggedView<'_, T>> for Ragged<T> {
    /// A copy.
    fn from(view: RaggedView<'_, T>) -> Self {
        view.to_ragged()
    }
}
