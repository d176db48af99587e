//! Kernels over rows: most of a row needs no decision at all.
//!
//! In: a kernel that says, row by row, in which columns its conditions on indices hold as in the
//! middle of the array. Out: values, those columns by a body without these conditions, the others by
//! the plain one.
//! Assumes: both bodies give the same bits; a wrong range of columns is cut to the row.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{MAX_LANES, Task, dispatch};
use crate::product::Bases;
use crate::row_blocks::{To, rows};
use crate::write::{PerElement, fill};

/// A kernel that also comes row by row.
pub trait Rowed: Kernel {
    /// What is the same for some columns of a row.
    type Row<'r>: Row<Out = Self::Out>
    where
        Self: 'r;
    /// The columns that [`row`](Rowed::row) may be asked for in each of these rows, of this width; empty
    /// if there are none.
    fn inside(&self, rows: Range<usize>, width: usize) -> Range<usize>;
    /// These columns, or a part of them.
    fn row(&self, row: usize, columns: Range<usize>) -> Self::Row<'_>;
}

/// A kernel that comes row by row also where its conditions do not hold as in the middle.
pub trait Edged: Rowed {
    /// Whether [`Rowed::row`], [`Rowed::inside`] and [`anywhere`](Self::anywhere) find what they read
    /// also where rows of arrays are further apart than they are long (see
    /// [`Sweep::at`](crate::Sweep::at)).
    const PADS: bool;
    /// As [`Kernel::block`], for the columns from `start` on of a row, whichever they are. Emitted with
    /// `#[inline(always)]`.
    fn anywhere<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// Some columns of a row.
pub trait Row {
    /// As [`Kernel::Out`].
    type Out: Product;
    /// As [`Kernel::block`], for the columns from the `at`-th of these on. Emitted with
    /// `#[inline(always)]`.
    fn block<const L: usize, F: Flag>(
        &self,
        at: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// The columns of a row that are left when those are cut off in which something does not hold.
///
/// Numbers that depend on the column are given by their value in column 0: they grow with the column.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    start: i64,
    end: i64,
}

impl Columns {
    /// All columns of a row of this width.
    #[cfg_attr(optimised, inline(always))]
    pub fn all(width: usize) -> Columns {
        Columns {
            start: 0,
            end: i64::try_from(width).unwrap_or(i64::MAX),
        }
    }

    /// Those in which `number < bound` (`<=` with `more` 1 instead of 0), or its contrary, `holds`.
    #[cfg_attr(optimised, inline(always))]
    pub fn less(&mut self, number: usize, bound: usize, more: i64, holds: bool) {
        let at = self.bound(number, bound).saturating_add(more);
        match holds {
            true => self.end = self.end.min(at),
            false => self.start = self.start.max(at),
        }
    }

    /// Those on the longer side of the one in which `number == bound`.
    #[cfg_attr(optimised, inline(always))]
    pub fn differ(&mut self, number: usize, bound: usize) {
        let at = self.bound(number, bound);
        if at < self.start || at >= self.end {
            return;
        }
        match at - self.start < self.end - at {
            true => self.start = at + 1,
            false => self.end = at,
        }
    }

    /// Those in which `number / by` is 1.
    #[cfg_attr(optimised, inline(always))]
    pub fn once(&mut self, number: usize, by: usize) {
        self.less(number, by, 0, false);
        self.less(number.wrapping_sub(by), by, 0, true);
    }

    /// All, or none.
    #[cfg_attr(optimised, inline(always))]
    pub fn when(&mut self, all: bool) {
        if !all {
            self.end = self.start;
        }
    }

    /// Those whose element of an array of this length, at `position`, exists.
    #[cfg_attr(optimised, inline(always))]
    pub fn read(&mut self, len: usize, position: usize) {
        self.less(position, len, 0, true);
    }

    /// The column in which `number` is `bound`. Those are cut off in which it is negative, which an
    /// unsigned number cannot be.
    #[cfg_attr(optimised, inline(always))]
    fn bound(&mut self, number: usize, bound: usize) -> i64 {
        let (number, bound) = (number as i64, bound as i64);
        self.start = self.start.max(number.saturating_neg());
        // Neither may it be too large.
        self.end = self.end.min(i64::MAX.saturating_sub(number));
        self.when(bound >= 0);
        bound.saturating_sub(number)
    }

    /// What is left.
    #[cfg_attr(optimised, inline(always))]
    pub fn range(self) -> Range<usize> {
        match self.start < self.end {
            true => self.start as usize..self.end as usize,
            false => 0..0,
        }
    }
}

/// The values of `0..n`, rows of `width`, straight into the caller's memory.
///
/// Cost and errors: as [`write_to`](crate::write_to).
pub fn write_rows_to<K: Rowed>(
    kernel: &K,
    n: usize,
    width: usize,
    mut outs: <K::Out as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let bases = Bases::new(K::Out::prepare(&mut outs, n)?);
    fill(
        kernel,
        n,
        PerElement::even(MAX_LANES, K::COST as usize),
        &|range, stream| {
            dispatch(WriteRows {
                kernel,
                width,
                range,
                to: To {
                    bases,
                    first: 0,
                    stride: width,
                    stream,
                },
            })
        },
    )?;
    // SAFETY: `prepare` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

struct WriteRows<'a, K: Rowed> {
    kernel: &'a K,
    width: usize,
    range: Range<usize>,
    to: To<K::Out>,
}

impl<K: Rowed> Task for WriteRows<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        // SAFETY: `fill` gives each range of the room behind `to` to one task.
        unsafe { rows::<K, L>(self.kernel, self.width, self.range, self.to, &mut flag) };
        flag.violated()
    }
}
