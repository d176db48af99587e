//! Kernels over rows: most of a row needs no decision at all.
//!
//! In: a kernel that says, row by row, in which columns its conditions on indices hold as in the
//! middle of the array. Out: values, those columns by a body without these conditions, the others by
//! the plain one.
//! Assumes: both bodies give the same bits; a wrong range of columns is cut to the row.

use core::ops::Range;

use crate::beside::Moving;
use crate::error::Failure;
use crate::kernel::{Element, Fast, Flag, Kernel, Product, Report};
use crate::level::{MAX_LANES, Task, dispatch};
use crate::product::Bases;
use crate::reduce::forward;
use crate::write::{fill, one};

/// A kernel that also comes row by row.
pub trait Rowed: Kernel {
    /// What is the same for some columns of a row.
    type Row<'r>: Row<Out = Self::Out>
    where
        Self: 'r;
    /// The columns of row `row`, of this width, that [`row`](Rowed::row) may be asked for; empty if
    /// there are none.
    fn inside(&self, row: usize, width: usize) -> Range<usize>;
    /// These columns, or a part of them.
    fn row(&self, row: usize, columns: Range<usize>) -> Self::Row<'_>;
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
    #[inline(always)]
    pub fn all(width: usize) -> Columns {
        Columns {
            start: 0,
            end: i64::try_from(width).unwrap_or(i64::MAX),
        }
    }

    /// Those in which `number < bound` (`<=` with `more` 1 instead of 0), or its contrary, `holds`.
    #[inline(always)]
    pub fn less(&mut self, number: usize, bound: usize, more: i64, holds: bool) {
        let at = self.bound(number, bound).saturating_add(more);
        match holds {
            true => self.end = self.end.min(at),
            false => self.start = self.start.max(at),
        }
    }

    /// Those on the longer side of the one in which `number == bound`.
    #[inline(always)]
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
    #[inline(always)]
    pub fn once(&mut self, number: usize, by: usize) {
        self.less(number, by, 0, false);
        self.less(number.wrapping_sub(by), by, 0, true);
    }

    /// All, or none.
    #[inline(always)]
    pub fn when(&mut self, all: bool) {
        if !all {
            self.end = self.start;
        }
    }

    /// Those whose element of an array of this length, at `position`, exists.
    #[inline(always)]
    pub fn read(&mut self, len: usize, position: usize) {
        self.less(position, len, 0, true);
    }

    /// The column in which `number` is `bound`. Those are cut off in which it is negative, which an
    /// unsigned number cannot be.
    #[inline(always)]
    fn bound(&mut self, number: usize, bound: usize) -> i64 {
        let (number, bound) = (number as i64, bound as i64);
        self.start = self.start.max(number.saturating_neg());
        // Neither may it be too large.
        self.end = self.end.min(i64::MAX.saturating_sub(number));
        self.when(bound >= 0);
        bound.saturating_sub(number)
    }

    /// What is left.
    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        match self.start < self.end {
            true => self.start as usize..self.end as usize,
            false => 0..0,
        }
    }
}

/// The elements of `xs` that some columns read, the first of them at `start`.
///
/// # Panics
/// When they are not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn span<'a, T: Element>(xs: &'a [T], start: usize, columns: &Range<usize>) -> &'a [T] {
    &xs[start..][..columns.len()]
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
    fill(kernel, n, &|range, stream| {
        dispatch(WriteRows {
            kernel,
            width,
            range,
            to: To {
                bases,
                first: 0,
                stream,
            },
        })
    })?;
    // SAFETY: `prepare` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

/// Where values go.
pub(crate) struct To<P: Product> {
    /// Of index `first`.
    pub(crate) bases: Bases<P>,
    pub(crate) first: usize,
    /// Round the caches.
    pub(crate) stream: bool,
}

impl<P: Product> Clone for To<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Product> Copy for To<P> {}

impl<P: Product> To<P> {
    /// # Safety
    /// There is room for the values of `at .. at + L`, none of which is below `first`, and no other
    /// thread accesses it meanwhile.
    #[inline(always)]
    unsafe fn store<const L: usize>(self, lanes: &P::Lanes<L>, at: usize) {
        // SAFETY: promised by the caller.
        unsafe { P::store(lanes, self.bases.get(), at - self.first, self.stream) };
    }
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

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        // SAFETY: `fill` gives each range of the room behind `to` to one task.
        unsafe { rows::<K, L>(self.kernel, self.width, self.range, self.to, &mut flag) };
        flag.violated()
    }
}

/// Computes the indices of `range`, which are parts of rows of `width`.
///
/// # Safety
/// There is room behind `to` for the range, and no other thread accesses it meanwhile. `dispatch` has
/// chosen `L`, so that the processor has what its level names.
#[inline(always)]
pub(crate) unsafe fn rows<K: Rowed, const L: usize>(
    kernel: &K,
    width: usize,
    range: Range<usize>,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    if range.is_empty() {
        return;
    }
    let mut done = range.start;
    // Shorter rows have no blocks of their own.
    let (mut row, end) = match width < L {
        true => (0, 0),
        false => (range.start / width, range.end.div_ceil(width)),
    };
    while row < end {
        let inside = part(kernel, row, width, &range);
        if inside.end < inside.start.saturating_add(L) {
            row += 1;
            continue;
        }
        let alike = |more| {
            let other = part(kernel, row + more, width, &range);
            let by = more * width;
            other == (inside.start + by..inside.end + by)
        };
        // As many as are computed together. (`all` would be a call.)
        let several = row + ROWS <= end && alike(1) && alike(2) && alike(3);
        let rows = if several { ROWS } else { 1 };
        // SAFETY: all of these are parts of the range; so many lanes say that the processor has what
        // the highest level names.
        unsafe {
            outside::<K, L>(kernel, done..inside.start, &range, to, flag);
            // (The condition is a constant.)
            if L == MAX_LANES && cfg!(target_arch = "x86_64") {
                let mut moving = Moving::new(*flag);
                middles::<K, L, _>(kernel, row, several, width, inside.clone(), to, &mut moving);
                *flag = moving.flag;
            } else {
                middles::<K, L, _>(kernel, row, several, width, inside.clone(), to, flag);
            }
            for more in 1..rows {
                let gap = inside.end + (more - 1) * width..inside.start + more * width;
                outside::<K, L>(kernel, gap, &range, to, flag);
            }
        }
        done = inside.end + (rows - 1) * width;
        row += rows;
    }
    // SAFETY: as above.
    unsafe { outside::<K, L>(kernel, done..range.end, &range, to, flag) };
}

/// The indices of a row that are inside, and in `range`.
#[inline(always)]
fn part<K: Rowed>(kernel: &K, row: usize, width: usize, range: &Range<usize>) -> Range<usize> {
    let (first, inside) = (row * width, kernel.inside(row, width));
    let start = (first + inside.start.min(width)).max(range.start);
    start..(first + inside.end.min(width)).min(range.end)
}

/// Rows that are computed together: what two of them read is loaded once.
pub(crate) const ROWS: usize = 4;

/// As [`middle`], or for the same columns, `inside` in the first, of [`ROWS`] rows if there are
/// `several`.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
unsafe fn middles<K: Rowed, const L: usize, F: Flag>(
    kernel: &K,
    row: usize,
    several: bool,
    width: usize,
    inside: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    // SAFETY: promised by the caller. (The conditions are constants.)
    unsafe {
        match (several, L, K::Out::BYTES) {
            (false, _, _) => middle::<K, L, F>(kernel, row, row * width, inside, to, flag),
            (true, 64, 0..=1) => together::<K, 64, F>(kernel, row, width, inside, to, flag),
            (true, 64, _) | (true, 32, 0..=1) => {
                together::<K, 32, F>(kernel, row, width, inside, to, flag);
            }
            _few_lanes => together::<K, 16, F>(kernel, row, width, inside, to, flag),
        }
    }
}

/// [`middles`], in blocks of `B` lanes: about one vector.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
unsafe fn together<K: Rowed, const B: usize, F: Flag>(
    kernel: &K,
    row: usize,
    width: usize,
    Range { start, end }: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    let column = start - row * width;
    let columns = column..column + (end - start);
    let a = kernel.row(row, columns.clone());
    let b = kernel.row(row + 1, columns.clone());
    let c = kernel.row(row + 2, columns.clone());
    let d = kernel.row(row + 3, columns);
    let zero = K::Out::zero();
    let (mut of_a, mut of_b) = (zero.splat::<B>(), zero.splat::<B>());
    let (mut of_c, mut of_d) = (zero.splat::<B>(), zero.splat::<B>());
    let (mut at, last) = (0, end - start - B);
    // After the first block, go on at a cache line's start.
    let mut skip = K::Out::misses_line(to.bases.get(), start + B - to.first) % B;
    loop {
        a.block::<B, F>(at, K::Out::slots(&mut of_a), flag);
        b.block::<B, F>(at, K::Out::slots(&mut of_b), flag);
        c.block::<B, F>(at, K::Out::slots(&mut of_c), flag);
        d.block::<B, F>(at, K::Out::slots(&mut of_d), flag);
        // SAFETY: `at <= last`, so these indices are in the rows' ranges, of which the caller
        // promises the rest.
        unsafe {
            to.store::<B>(&of_a, start + at);
            to.store::<B>(&of_b, start + width + at);
            to.store::<B>(&of_c, start + 2 * width + at);
            to.store::<B>(&of_d, start + 3 * width + at);
        }
        if at == last {
            break;
        }
        // The last block overlaps the one before: the same values are written again.
        at = (at + B - skip).min(last);
        skip = 0;
    }
}

/// Computes `start..end`, at least `L` indices, of the row that starts at index `first`.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
unsafe fn middle<K: Rowed, const L: usize, F: Flag>(
    kernel: &K,
    row: usize,
    first: usize,
    Range { start, end }: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    let columns = kernel.row(row, start - first..end - first);
    let mut lanes = K::Out::zero().splat::<L>();
    let (mut at, last) = (0, end - start - L);
    // After the first block, go on at a cache line's start.
    let mut skip = K::Out::misses_line(to.bases.get(), start + L - to.first) % L;
    loop {
        columns.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
        // SAFETY: `at <= last`, so these indices are in `start..end`, of which the caller promises
        // the rest.
        unsafe { to.store::<L>(&lanes, start + at) };
        if at == last {
            break;
        }
        // The last block overlaps the one before: the same values are written again.
        at = (at + L - skip).min(last);
        skip = 0;
    }
}

/// Lanes of a block for the few indices between the middles of two rows.
const FEW: usize = 4;

/// Computes `gap`, by blocks that may reach over the rest of `range`: the same values are written
/// there twice.
///
/// # Safety
/// As for [`rows`]; `gap` is a part of `range`.
#[inline(always)]
unsafe fn outside<K: Rowed, const L: usize>(
    kernel: &K,
    gap: Range<usize>,
    range: &Range<usize>,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    if gap.len() > 2 * FEW && range.len() >= L {
        // SAFETY: promised by the caller.
        unsafe { blocks::<K, L>(kernel, gap, range.end, to, flag) };
    } else if range.len() >= FEW {
        // SAFETY: promised by the caller.
        unsafe { blocks::<K, FEW>(kernel, gap, range.end, to, flag) };
    } else {
        // SAFETY: promised by the caller.
        unsafe { singles(kernel, gap, to, flag) };
    }
}

/// Computes `gap` in blocks of `B` lanes, none of which goes beyond `end`.
///
/// # Safety
/// As for [`rows`], from `end - B` on as well.
#[inline(always)]
unsafe fn blocks<K: Rowed, const B: usize>(
    kernel: &K,
    gap: Range<usize>,
    end: usize,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    let mut lanes = K::Out::zero().splat::<B>();
    let mut at = gap.start;
    while at < gap.end {
        let block = at.min(end - B);
        kernel.block::<B, Fast>(block, K::Out::slots(&mut lanes), flag);
        // SAFETY: promised by the caller.
        unsafe { to.store::<B>(&lanes, block) };
        at = block + B;
    }
}

/// Computes `gap` one by one, with the scalar copy of the body.
///
/// # Safety
/// As for [`rows`].
#[inline(never)]
unsafe fn singles<K: Rowed>(kernel: &K, gap: Range<usize>, to: To<K::Out>, flag: &mut Fast) {
    let mut report = Report::default();
    for at in gap {
        let value = one(kernel, at, &mut report);
        // SAFETY: promised by the caller.
        unsafe { to.store::<1>(&value.splat::<1>(), at) };
    }
    forward(report, flag);
}
