//! Nests that read rows of views where these lie.
//!
//! In: a nest that at each index reads one row of some arrays, and nothing else depends on the index; the
//! arrays, of which some may be views of any strides. Out: as the nest gives on contiguous arrays.
//! Assumes: nothing; a nest that is wrong gives wrong rows or a panic.
//!
//! Note [Rows in place]. Contiguous arrays are given to the nest as they are, once, and it runs as any
//! other. Else it is run for a part of its indices at a time, on those rows alone and with indices from
//! 0 on: the same compiled code. A long row that is contiguous in itself is a part, and its slice is what
//! the nest is given; so nothing is asked that the view does not have. Shorter rows, and rows with steps
//! between elements, are first written one after another into a buffer that stays in the nearest caches.
//! Views in which neighbours in a row lie further apart than rows do (transposes), and rows that no cache
//! holds, are copied as a whole, once.

use core::ops::Range;

use crate::args::View;
use crate::error::Failure;
use crate::kernel::{Element, Flag, Product, Report};
use crate::memory;
use crate::nest::{Nest, Out, Shares, nest_to, one, run, write_rows};
use crate::parallel;
use crate::recycle::Buffer;
use crate::rows::Rows;

/// Bytes from which on a contiguous row is read where it lies: it costs a call.
const LONG: usize = 4 << 10;

/// Bytes of rows that are written into the buffer together.
const PART: usize = 16 << 10;

/// Bytes of the longest rows that are.
const MOST: usize = 256 << 10;

/// Where the elements of an argument are.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a, T: Element>(Place<'a, T>);

#[derive(Clone, Copy, Debug)]
enum Place<'a, T: Element> {
    Whole(&'a [T]),
    Strided(&'a (dyn View<T> + 'a)),
}

impl<'a, T: Element> Source<'a, T> {
    /// One after another.
    #[inline]
    pub fn whole(elements: &'a [T]) -> Self {
        Source(Place::Whole(elements))
    }

    pub(crate) fn strided(view: &'a (dyn View<T> + 'a)) -> Self {
        Source(Place::Strided(view))
    }

    /// The elements, if they are contiguous, else none.
    #[inline]
    pub fn slice(self) -> &'a [T] {
        match self.0 {
            Place::Whole(elements) => elements,
            Place::Strided(_) => &[],
        }
    }
}

/// An array of which a nest reads a row at each index.
#[derive(Clone, Copy, Debug)]
pub struct RowsOf<'a, T: Element> {
    source: Source<'a, T>,
    /// How many elements a row has.
    width: usize,
}

impl<'a, T: Element> RowsOf<'a, T> {
    /// Rows of `width` elements.
    #[inline]
    pub fn new(source: Source<'a, T>, width: usize) -> Self {
        RowsOf { source, width }
    }

    /// Bytes of a row.
    fn bytes(self) -> usize {
        self.width.saturating_mul(size_of::<T>())
    }

    /// Whether all rows are one after another.
    fn is_whole(self) -> bool {
        match self.source.0 {
            Place::Whole(_) => true,
            Place::Strided(_) => false,
        }
    }

    /// The same, copied if it is not to be read in place.
    ///
    /// Errors: no memory.
    fn settled(self) -> Result<Self, Failure> {
        if let Place::Strided(view) = self.source.0 {
            let near = view.is_along_memory() && self.bytes() <= MOST;
            if !near && !self.lies() {
                let source = Source::whole(view.elements()?);
                return Ok(RowsOf { source, ..self });
            }
        }
        Ok(self)
    }

    /// Whether each row is long enough to be read where it lies, and can be.
    fn lies(self) -> bool {
        match self.source.0 {
            Place::Whole(_) => false,
            Place::Strided(view) => self.bytes() >= LONG && view.has_rows(self.width),
        }
    }

    /// How many rows are a part.
    fn together(self) -> usize {
        match self.source.0 {
            Place::Whole(_) => usize::MAX,
            Place::Strided(_) if self.lies() => 1,
            Place::Strided(_) => (PART / self.bytes().max(1)).max(1),
        }
    }

    /// These rows, one after another. (Fewer, if there are no more.)
    ///
    /// Errors: no memory.
    fn part<'r>(self, rows: &Range<usize>, room: &'r mut Buffer<T>) -> Result<&'r [T], Failure>
    where
        'a: 'r,
    {
        let of = |row: usize, len: usize| row.saturating_mul(self.width).min(len);
        match self.source.0 {
            Place::Whole(all) => Ok(&all[of(rows.start, all.len())..of(rows.end, all.len())]),
            Place::Strided(view) => {
                let range = of(rows.start, view.len())..of(rows.end, view.len());
                match view.slice(range.clone()).filter(|_| self.lies()) {
                    Some(row) => Ok(row),
                    None => gathered(view, range, room),
                }
            }
        }
    }
}

/// These elements of a view, in `room`.
fn gathered<'r, T: Element>(
    view: &dyn View<T>,
    range: Range<usize>,
    room: &'r mut Buffer<T>,
) -> Result<&'r [T], Failure> {
    let n = range.len();
    if room.len() < n {
        memory::reserve(room.as_vec(), n)?;
        room.as_vec().resize(n, T::default());
    }
    view.gather(range, &mut room[..n]);
    Ok(&room[..n])
}

/// The element types of the arrays of which a nest reads rows: `(A,)`, `(A, B)`, … to 6.
pub trait Read {
    /// The arrays.
    type Arrays<'a>: Copy + Sync;
    /// Rows of each, one after another.
    type Parts<'a>;
    /// Room for rows of each.
    #[doc(hidden)]
    type Rooms: Default;

    /// Whether all arrays are contiguous.
    fn are_whole(arrays: &Self::Arrays<'_>) -> bool;
    /// The same, where what is not to be read in place has been copied.
    #[doc(hidden)]
    fn settled(arrays: Self::Arrays<'_>) -> Result<Self::Arrays<'_>, Failure>;
    /// How many rows are a part.
    #[doc(hidden)]
    fn together(arrays: Self::Arrays<'_>) -> usize;
    /// These rows of each.
    #[doc(hidden)]
    fn part<'r, 'a: 'r>(
        arrays: Self::Arrays<'a>,
        rows: Range<usize>,
        rooms: &'r mut Self::Rooms,
    ) -> Result<Self::Parts<'r>, Failure>;
}

macro_rules! read {
    ($($T:ident $i:tt),+) => {
        impl<$($T: Element),+> Read for ($($T,)+) {
            type Arrays<'a> = ($(RowsOf<'a, $T>,)+);
            type Parts<'a> = ($(&'a [$T],)+);
            type Rooms = ($(Buffer<$T>,)+);

            #[inline]
            fn are_whole(arrays: &Self::Arrays<'_>) -> bool {
                true $(&& arrays.$i.is_whole())+
            }

            fn settled(arrays: Self::Arrays<'_>) -> Result<Self::Arrays<'_>, Failure> {
                Ok(($(arrays.$i.settled()?,)+))
            }

            fn together(arrays: Self::Arrays<'_>) -> usize {
                usize::MAX $(.min(arrays.$i.together()))+
            }

            fn part<'r, 'a: 'r>(
                arrays: Self::Arrays<'a>,
                rows: Range<usize>,
                rooms: &'r mut Self::Rooms,
            ) -> Result<Self::Parts<'r>, Failure> {
                Ok(($(arrays.$i.part(&rows, &mut rooms.$i)?,)+))
            }
        }
    };
}

read!(A 0);
read!(A 0, B 1);
read!(A 0, B 1, C 2);
read!(A 0, B 1, C 2, D 3);
read!(A 0, B 1, C 2, D 3, E 4);
read!(A 0, B 1, C 2, D 3, E 4, G 5);

/// A nest that reads row `i` of some arrays at index `i`; nothing else depends on the index. See Note
/// [Rows in place].
pub trait InPlace: Nest {
    /// What the arrays are of.
    type Read: Read;
    /// The nest on a part of them.
    type At<'s>: Nest<Outs = Self::Outs>
    where
        Self: 's;
    /// The nest where these are the arrays.
    fn at<'s>(&'s self, parts: <Self::Read as Read>::Parts<'s>) -> Self::At<'s>;
}

/// As [`nest_to`], of a nest that holds these arrays, if they are contiguous.
///
/// Cost: that of the nest, and of copies of rows that are not long or not contiguous.
/// Errors: as [`nest_to`].
pub fn nest_in_place_to<N: InPlace>(
    nest: &N,
    n: usize,
    arrays: <N::Read as Read>::Arrays<'_>,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    match N::Read::are_whole(&arrays) {
        true => nest_to(nest, n, widths, outs),
        false => in_parts(nest, n, arrays, widths, outs),
    }
}

/// The same, a part of the rows after the other.
#[inline(never)]
fn in_parts<N: InPlace>(
    nest: &N,
    n: usize,
    arrays: <N::Read as Read>::Arrays<'_>,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let arrays = N::Read::settled(arrays)?;
    let together = N::Read::together(arrays);
    let shares: Shares<'_> = &|run| parallel::for_ranges(n, 1, nest.cost(), run);
    let some = |rows: Range<usize>, out: Out<N::Outs>| {
        let mut rooms = <N::Read as Read>::Rooms::default();
        let mut at = rows.start;
        while at < rows.end {
            let end = rows.end.min(at.saturating_add(together));
            let Ok(parts) = N::Read::part(arrays, at..end, &mut rooms) else {
                return true;
            };
            // SAFETY: there is room for the rows of the share, of which this is one.
            let out = unsafe { out.behind(at) };
            if run(&nest.at(parts), 0..end - at, out) {
                return true;
            }
            at = end;
        }
        false
    };
    write_rows(n, widths, outs, shares, &some, |out| {
        diagnose(nest, n, arrays, out)
    })
}

/// The violated check of the lowest index, found by running all again, one lane at a time.
#[cold]
#[inline(never)]
fn diagnose<N: InPlace>(
    nest: &N,
    n: usize,
    arrays: <N::Read as Read>::Arrays<'_>,
    out: Out<N::Outs>,
) -> Failure {
    let mut rooms = <N::Read as Read>::Rooms::default();
    let mut report = Report::default();
    for at in 0..n {
        match N::Read::part(arrays, at..at + 1, &mut rooms) {
            // SAFETY: there is room for `n` rows, and all tasks have ended.
            Ok(parts) => unsafe { one(&nest.at(parts), 0, out.behind(at), &mut report) },
            Err(failure) => report.fail(failure),
        }
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}
