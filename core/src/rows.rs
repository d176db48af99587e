//! Products of scalars as rows of arrays: what a nest computes per index.
//!
//! In: a number of rows and the width of each component's. Out: memory for all rows, and single rows
//! of it.
//! Assumes: nothing; the unsafe methods pass their caller's promises on to each component.

use core::marker::PhantomData;
use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Element, Product};
use crate::memory;
use crate::tuples::for_tuples;

/// A scalar of the language. Sealed: bytes that are all zero are one of its values.
///
/// # Safety
/// They are.
#[doc(hidden)]
pub unsafe trait Zeroed: Element {}

macro_rules! zeroed {
    ($($t:ty)*) => { $(
        // SAFETY: `false`, or the number 0.
        unsafe impl Zeroed for $t {}
    )* };
}

zeroed!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
#[cfg(feature = "half")]
zeroed!(half::f16 half::bf16);

/// A row of an output, to be written by a body: memory that may hold nothing yet.
///
/// Nobody sees it before it holds something: what a body leaves out is zero, so that a wrong body
/// gives wrong rows and nothing worse.
#[derive(Debug)]
pub struct RowOut<'a, T: Zeroed> {
    start: *mut T,
    len: usize,
    /// Whether it holds values.
    full: bool,
    /// Whether it is to be written round the caches.
    stream: bool,
    memory: PhantomData<&'a mut [T]>,
}

/// Bytes from which on a row is written round the caches, if all rows together are to be. Shorter
/// ones end inside of cache lines too often.
const LONG: usize = 2048;

/// Bytes of a row that are asked for before they are written: about as many lines as may be on their way
/// to a core at once. Processors see by then what comes next.
const ASKED: usize = 2048;

impl<'a, T: Zeroed> From<&'a mut [T]> for RowOut<'a, T> {
    fn from(row: &'a mut [T]) -> Self {
        RowOut {
            start: row.as_mut_ptr(),
            len: row.len(),
            full: true,
            stream: false,
            memory: PhantomData,
        }
    }
}

impl<T: Zeroed> RowOut<'_, T> {
    /// A row that holds nothing.
    ///
    /// # Safety
    /// There is room for it at `start`, and while it lives nobody else accesses that.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn new(start: *mut T, len: usize, stream: bool) -> Self {
        RowOut {
            start,
            len,
            full: false,
            stream: stream && len * size_of::<T>() >= LONG,
            memory: PhantomData,
        }
    }

    /// Makes the row at `start` zero unless it has been written. This is it, unless a body has put
    /// another in its place; what that one holds says nothing of memory elsewhere.
    ///
    /// # Safety
    /// As for `new`.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn close(mut self, start: *mut T, len: usize) {
        if self.start != start || self.len != len {
            // SAFETY: promised by the caller.
            self = unsafe { RowOut::new(start, len, false) };
        }
        self.slice();
    }

    /// Asks for the row's memory, or the start of it: the body has something to do before it writes there.
    #[cfg_attr(optimised, inline(always))]
    pub fn ask(&mut self) {
        if !self.stream {
            memory::fetch_to_write(self.start, self.len.min(ASKED / size_of::<T>()));
        }
    }

    /// Says that the body reads what it writes here, which is to stay in the caches.
    #[cfg_attr(optimised, inline(always))]
    pub fn near(&mut self) {
        self.stream = false;
    }

    /// The row as a slice; zero unless it has been written.
    #[cfg_attr(optimised, inline(always))]
    pub fn slice(&mut self) -> &mut [T] {
        if !self.full {
            // SAFETY: there is room for the row, which is this value's alone.
            unsafe { self.start.write_bytes(0, self.len) };
            self.full = true;
        }
        // SAFETY: the row is this value's alone, and holds what has been written, or zero bytes,
        // which `Zeroed` says are values.
        unsafe { core::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// The row's memory, which may hold nothing yet, and its length.
    pub(crate) fn room(&mut self) -> (*mut T, usize) {
        (self.start, self.len)
    }

    /// Says that the row holds values.
    ///
    /// # Safety
    /// All of it has been written.
    pub(crate) unsafe fn written(&mut self) {
        self.full = true;
    }

    /// Writes the row.
    ///
    /// # Panics
    /// When it has another length, which the compiler has to rule out. So for `put`.
    #[cfg_attr(optimised, inline(always))]
    pub fn copy(&mut self, from: &[T]) {
        if from.len() != self.len {
            other_length(from.len());
        }
        let (from, to) = (from.as_ptr().cast(), self.start.cast());
        // SAFETY: both have so many elements; nobody else may access the row, so that `from` is
        // another place; numbers have no padding; the baseline's instructions need no level.
        unsafe { memory::copy::<1>(from, to, size_of::<T>() * self.len, self.stream) };
        self.full = true;
    }

    /// Writes the row's only element.
    #[cfg_attr(optimised, inline(always))]
    pub fn put(&mut self, value: T) {
        if self.len != 1 {
            other_length(1);
        }
        // SAFETY: there is room for an element, which is this value's alone.
        unsafe { self.start.write(value) };
        self.full = true;
    }
}

/// A mistake of the compiler.
#[cold]
#[inline(never)]
pub(crate) fn other_length(n: usize) -> ! {
    panic!("{n} values for a row of another length; please report this");
}

/// Whether these are offsets of `n` rows.
fn is_sound(offsets: &[i64], n: usize) -> bool {
    let ordered = offsets
        .windows(2)
        .fold(true, |sound, it| sound & (it[0] <= it[1]));
    offsets.len().checked_sub(1) == Some(n) && offsets[0] == 0 && ordered
}

/// Where the rows `rows` begin, and how long they are together, with these offsets of `width` each.
#[cfg_attr(optimised, inline(always))]
fn uneven(offsets: &[i64], width: usize, rows: &Range<usize>) -> (usize, usize) {
    let (from, to) = (offsets[rows.start] as usize, offsets[rows.end] as usize);
    (from * width, (to - from) * width)
}

/// How many elements rows with these offsets have, which are sound.
fn total(offsets: &[i64]) -> usize {
    offsets.last().map_or(0, |last| *last as usize)
}

/// A product of scalars, `(A,)`, `(A, B)`, … to 12, of each of which a nest computes a row per index.
pub trait Rows: Product {
    /// One row per component.
    type Places<'a>;
    /// One `&mut` row per component.
    type Targets<'a, 'r: 'a>;
    /// The length of each component's rows.
    type Widths: Copy + Send + Sync;
    /// Where each component's rows begin and the last ends, where their lengths differ.
    type Offsets<'a>: Copy + Send + Sync;
    /// Where a row of each component begins, and its length.
    type Uneven: Copy;
    /// One vector per component: its rows, one after another.
    type Vecs;

    /// The same vectors.
    #[doc(hidden)]
    fn vecs(vecs: <Self as Product>::Vecs) -> <Self as Rows>::Vecs;
    /// The rows as slices.
    fn slices<'a>(places: &'a mut Self::Places<'_>) -> Self::Slices<'a>;
    /// Makes room for `n` rows in each place, and says where they go.
    #[doc(hidden)]
    fn prepare_rows(
        outs: &mut Self::Outs<'_>,
        n: usize,
        widths: Self::Widths,
    ) -> Result<Self::Bases, Failure>;
    /// Declares `n` rows of each place written.
    ///
    /// # Safety
    /// `prepare_rows` succeeded for so many, and each has been written since.
    #[doc(hidden)]
    unsafe fn finish_rows(outs: Self::Outs<'_>, n: usize, widths: Self::Widths);
    /// The bytes of one row of each.
    #[doc(hidden)]
    fn row_bytes(widths: Self::Widths) -> usize;
    /// Where row `row` of each begins.
    ///
    /// # Safety
    /// There is room for so many rows behind `starts`.
    #[doc(hidden)]
    unsafe fn behind(starts: Self::Bases, widths: Self::Widths, row: usize) -> Self::Bases;
    /// The rows `rows` of each as one; with `stream`, those that are long enough to be written round the
    /// caches.
    ///
    /// # Safety
    /// There is room for them behind `starts`, and while they live nobody else accesses it.
    #[doc(hidden)]
    unsafe fn row<'a>(
        starts: Self::Bases,
        widths: Self::Widths,
        rows: Range<usize>,
        stream: bool,
    ) -> Self::Places<'a>;
    /// What the first component's rows have for offsets; `None` unless there are those of `n` rows
    /// for each component, from 0 on and none below the one before.
    fn first_offsets<'a>(offsets: Self::Offsets<'a>, n: usize) -> Option<&'a [i64]>;
    /// How many elements of `widths` each all rows of each have together.
    #[doc(hidden)]
    fn totals(offsets: Self::Offsets<'_>, widths: Self::Widths) -> Self::Widths;
    /// Where the rows `rows` of each begin and how long they are together, where their lengths differ;
    /// `widths` is what an offset counts.
    #[doc(hidden)]
    fn uneven(offsets: Self::Offsets<'_>, widths: Self::Widths, rows: Range<usize>)
    -> Self::Uneven;
    /// The rows there, as `row`.
    ///
    /// # Safety
    /// As for `row`; `first_offsets` has looked at the offsets, and the rows are below its `n`.
    #[doc(hidden)]
    unsafe fn uneven_row<'a>(
        starts: Self::Bases,
        at: Self::Uneven,
        stream: bool,
    ) -> Self::Places<'a>;
    /// Makes the rows `rows` zero that have not been written; a body had `places` for them.
    ///
    /// # Safety
    /// As for `row`, which gave these places; nobody else has one of the rows.
    #[doc(hidden)]
    unsafe fn close(
        places: Self::Places<'_>,
        starts: Self::Bases,
        widths: Self::Widths,
        rows: Range<usize>,
    );
    /// The same for places of `uneven_row`.
    ///
    /// # Safety
    /// As for `uneven_row`, which gave these places; nobody else has one of the rows.
    #[doc(hidden)]
    unsafe fn uneven_close(places: Self::Places<'_>, starts: Self::Bases, at: Self::Uneven);
    /// Where the rows' elements go, and whether round the caches; `None` unless every row has `n`.
    #[doc(hidden)]
    fn open(targets: &mut Self::Targets<'_, '_>, n: usize) -> Option<(Self::Bases, bool)>;
    /// Declares the rows written.
    ///
    /// # Safety
    /// Each of their elements has been written.
    #[doc(hidden)]
    unsafe fn written(targets: Self::Targets<'_, '_>);
}

macro_rules! rows {
    (@width $T:ident) => { usize };
    (@offsets $a:lifetime $T:ident) => { &$a [i64] };
    (@uneven $T:ident) => { (usize, usize) };
    ($($T:ident $before:tt $i:tt),+) => {
        impl<$($T: Zeroed),+> Rows for ($($T,)+) {
            type Places<'a> = ($(RowOut<'a, $T>,)+);
            type Targets<'a, 'r: 'a> = ($(&'a mut RowOut<'r, $T>,)+);
            type Widths = ($(rows!(@width $T),)+);
            type Offsets<'a> = ($(rows!(@offsets 'a $T),)+);
            type Uneven = ($(rows!(@uneven $T),)+);
            type Vecs = ($(Vec<$T>,)+);

            fn vecs(vecs: <Self as Product>::Vecs) -> <Self as Rows>::Vecs {
                vecs
            }

            #[cfg_attr(optimised, inline(always))]
            fn slices<'a>(places: &'a mut Self::Places<'_>) -> Self::Slices<'a> {
                ($(places.$i.slice(),)+)
            }

            fn prepare_rows(
                outs: &mut Self::Outs<'_>,
                n: usize,
                widths: Self::Widths,
            ) -> Result<Self::Bases, Failure> {
                Ok(($(outs.$i.prepare(n.saturating_mul(widths.$i))?,)+))
            }

            unsafe fn finish_rows(outs: Self::Outs<'_>, n: usize, widths: Self::Widths) {
                // SAFETY: the caller has prepared and written so many rows of each component.
                unsafe { $(outs.$i.finish(n * widths.$i);)+ }
            }

            fn row_bytes(widths: Self::Widths) -> usize {
                0_usize $(.saturating_add(widths.$i.saturating_mul(size_of::<$T>())))+
            }

            unsafe fn behind(
                starts: Self::Bases,
                widths: Self::Widths,
                row: usize,
            ) -> Self::Bases {
                // SAFETY: the caller says that there is room for so many rows.
                ($(unsafe { starts.$i.add(row * widths.$i) },)+)
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn row<'a>(
                starts: Self::Bases,
                widths: Self::Widths,
                rows: Range<usize>,
                stream: bool,
            ) -> Self::Places<'a> {
                // As `len`, but known to be 1 for one row.
                let count = rows.end.wrapping_sub(rows.start);
                // SAFETY: the caller says that there is room for the rows, which are the caller's
                // alone.
                ($(unsafe {
                    let start = starts.$i.add(rows.start * widths.$i);
                    RowOut::new(start, count * widths.$i, stream)
                },)+)
            }

            fn first_offsets<'a>(offsets: Self::Offsets<'a>, n: usize) -> Option<&'a [i64]> {
                let sound = true $(&& is_sound(offsets.$i, n))+;
                sound.then_some(offsets.0)
            }

            fn totals(offsets: Self::Offsets<'_>, widths: Self::Widths) -> Self::Widths {
                ($(total(offsets.$i).saturating_mul(widths.$i),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn uneven(
                offsets: Self::Offsets<'_>,
                widths: Self::Widths,
                rows: Range<usize>,
            ) -> Self::Uneven {
                ($(uneven(offsets.$i, widths.$i, &rows),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn uneven_row<'a>(
                starts: Self::Bases,
                at: Self::Uneven,
                stream: bool,
            ) -> Self::Places<'a> {
                ($({
                    let (from, len) = at.$i;
                    // SAFETY: the caller says that there is room for the row, which is the
                    // caller's alone: offsets do not decrease.
                    unsafe { RowOut::new(starts.$i.add(from), len, stream) }
                },)+)
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn close(
                places: Self::Places<'_>,
                starts: Self::Bases,
                widths: Self::Widths,
                rows: Range<usize>,
            ) {
                // SAFETY: as in `row`.
                $(unsafe {
                    let start = starts.$i.add(rows.start * widths.$i);
                    places.$i.close(start, rows.len() * widths.$i)
                };)+
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn uneven_close(
                places: Self::Places<'_>,
                starts: Self::Bases,
                at: Self::Uneven,
            ) {
                $(let (from, len) = at.$i;
                // SAFETY: as in `uneven_row`.
                unsafe { places.$i.close(starts.$i.add(from), len) };)+
            }

            #[cfg_attr(optimised, inline(always))]
            fn open(targets: &mut Self::Targets<'_, '_>, n: usize) -> Option<(Self::Bases, bool)> {
                let equal = true $(&& targets.$i.len == n)+;
                let stream = true $(&& targets.$i.stream)+;
                equal.then(|| (($(targets.$i.start,)+), stream))
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn written(targets: Self::Targets<'_, '_>) {
                $(targets.$i.full = true;)+
            }
        }
    };
}

for_tuples!(rows);
