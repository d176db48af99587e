//! The loops over rows: several rows together where they are alike, and what is left by the plain body.
//!
//! In: a kernel that comes row by row, and indices. Out: their values in memory.
//! Assumes: what the unsafe functions ask for.

use core::ops::Range;

use crate::beside::Moving;
use crate::inside::Inside;
use crate::kernel::{Fast, Flag, Product, Report};
use crate::level::MAX_LANES;
use crate::product::Bases;
use crate::reduce::forward;
use crate::rowed::{Edged, Row, Rowed};
use crate::write::one;

/// Where values go.
pub(crate) struct To<P: Product> {
    /// Of place `first`, which may be a negative number that wraps.
    pub(crate) bases: Bases<P>,
    pub(crate) first: usize,
    /// Places from one row to the next.
    pub(crate) stride: usize,
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
    /// The place of a column of a row.
    #[cfg_attr(optimised, inline(always))]
    fn place(self, row: usize, column: usize) -> usize {
        row * self.stride + column
    }

    /// # Safety
    /// There is room for the values of `place .. place + L`, none of which is below `first`, and no
    /// other thread accesses it meanwhile.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn store<const L: usize>(self, lanes: &P::Lanes<L>, place: usize) {
        // SAFETY: promised by the caller.
        unsafe { P::store(lanes, self.bases.get(), self.behind(place), self.stream) };
    }

    /// By how much the values from a place on miss a cache line.
    #[cfg_attr(optimised, inline(always))]
    fn misses_line(self, place: usize) -> usize {
        P::misses_line(self.bases.get(), self.behind(place))
    }

    /// How far a place is behind the first.
    #[cfg_attr(optimised, inline(always))]
    fn behind(self, place: usize) -> usize {
        place.wrapping_sub(self.first)
    }
}

/// Computes the indices of `range`, which are parts of rows of `width`. Their places are the indices.
///
/// # Safety
/// There is room behind `to` for the range, and no other thread accesses it meanwhile. `dispatch` has
/// chosen `L`, so that the processor has what its level names.
#[cfg_attr(optimised, inline(always))]
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
    let (mut row, end) = match width < side_by_side::<K, L>() {
        true => (0, 0),
        false => (range.start / width, range.end.div_ceil(width)),
    };
    let mut known = Inside::up_to(end);
    while row < end {
        let first = row * width;
        let columns = range.start.saturating_sub(first)..width.min(range.end - first);
        let whole = columns.start == 0 && first + ROWS * width <= range.end;
        let most = if whole { ROWS } else { 1 };
        let Some(middle) = Middle::of::<K, L>(kernel, row, most, width, &columns, &mut known)
        else {
            row += 1;
            continue;
        };
        for more in 0..middle.rows {
            let inside = middle.row(more);
            // SAFETY: a part of the range.
            unsafe { outside::<K, L>(kernel, done..inside.start, &range, to, flag) };
            done = inside.end;
        }
        // SAFETY: as above.
        unsafe { middle.compute::<K, L>(kernel, to, flag) };
        row += middle.rows;
    }
    // SAFETY: as above.
    unsafe { outside::<K, L>(kernel, done..range.end, &range, to, flag) };
}

/// Computes these columns of rows of `width`.
///
/// # Safety
/// There is room behind `to` for them, and no other thread accesses it meanwhile. `dispatch` has chosen
/// `L`, so that the processor has what its level names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn part<K: Edged, const L: usize>(
    kernel: &K,
    width: usize,
    all: Range<usize>,
    columns: Range<usize>,
    known: &mut Inside,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    let mut row = all.start;
    while row < all.end {
        let most = if row + ROWS <= all.end { ROWS } else { 1 };
        let Some(middle) = Middle::of::<K, L>(kernel, row, most, width, &columns, known) else {
            // SAFETY: promised by the caller.
            unsafe { border::<K, L>(kernel, row, columns.clone(), to, flag) };
            row += 1;
            continue;
        };
        let (rows, inside) = (row..row + middle.rows, middle.columns.clone());
        // SAFETY: all of these are among the columns of these rows.
        unsafe {
            middle.compute::<K, L>(kernel, to, flag);
            if inside != columns {
                edges(
                    kernel,
                    rows,
                    [columns.start..inside.start, inside.end..columns.end],
                    to,
                    flag,
                );
            }
        }
        row += middle.rows;
    }
}

/// Computes the few columns on both sides of what is inside of some rows. Out of line: in the loop
/// over these few most of the time would go into saving and loading registers.
///
/// # Safety
/// As for [`part`].
#[cfg_attr(optimised, inline(never))]
unsafe fn edges<K: Edged>(
    kernel: &K,
    rows: Range<usize>,
    sides: [Range<usize>; 2],
    to: To<K::Out>,
    flag: &mut Fast,
) {
    for columns in sides {
        for row in rows.clone() {
            // SAFETY: promised by the caller.
            unsafe { edge::<K, 1>(kernel, row, columns.clone(), to, flag) };
        }
    }
}

/// Computes columns of a row that is not inside.
///
/// # Safety
/// As for [`part`].
#[cfg_attr(optimised, inline(always))]
unsafe fn border<K: Edged, const L: usize>(
    kernel: &K,
    row: usize,
    columns: Range<usize>,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    // SAFETY: promised by the caller.
    unsafe {
        match columns.len() {
            len if len >= L => edge::<K, L>(kernel, row, columns, to, flag),
            FEW.. => edge::<K, FEW>(kernel, row, columns, to, flag),
            _fewer => edge::<K, 1>(kernel, row, columns, to, flag),
        }
    }
}

/// Computes columns of a row that are not inside, at least `B` of them or none, in blocks, the last of
/// which overlaps the one before.
///
/// # Safety
/// As for [`part`].
#[cfg_attr(optimised, inline(always))]
unsafe fn edge<K: Edged, const B: usize>(
    kernel: &K,
    row: usize,
    columns: Range<usize>,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    let mut lanes = K::Out::zero().splat::<B>();
    let mut column = columns.start;
    while column < columns.end {
        let at = column.min(columns.end - B);
        kernel.anywhere::<B, Fast>(row, at, K::Out::slots(&mut lanes), flag);
        // SAFETY: promised by the caller.
        unsafe { to.store::<B>(&lanes, to.place(row, at)) };
        column = at + B;
    }
}

/// Columns that are inside in some rows.
struct Middle {
    row: usize,
    /// One, or [`ROWS`].
    rows: usize,
    width: usize,
    columns: Range<usize>,
}

impl Middle {
    /// What is inside of these columns from a row on, in at most so many rows; `None` if it is less
    /// than a block of one row or of several.
    #[cfg_attr(optimised, inline(always))]
    fn of<K: Rowed, const L: usize>(
        kernel: &K,
        row: usize,
        most: usize,
        width: usize,
        all: &Range<usize>,
        known: &mut Inside,
    ) -> Option<Middle> {
        let mut rows = most;
        loop {
            let inside = known.of(kernel, row..row + rows, width);
            let columns = inside.start.max(all.start)..inside.end.min(all.end);
            let least = match rows {
                1 => L,
                _several => side_by_side::<K, L>(),
            };
            if columns.end >= columns.start.saturating_add(least) {
                return Some(Middle {
                    row,
                    rows,
                    width,
                    columns,
                });
            }
            if rows == 1 {
                return None;
            }
            rows = 1;
        }
    }

    /// The indices of a row.
    #[cfg_attr(optimised, inline(always))]
    fn row(&self, at: usize) -> Range<usize> {
        let first = (self.row + at) * self.width;
        first + self.columns.start..first + self.columns.end
    }

    /// Computes them.
    ///
    /// # Safety
    /// As for [`rows`].
    #[cfg_attr(optimised, inline(always))]
    unsafe fn compute<K: Rowed, const L: usize>(
        &self,
        kernel: &K,
        to: To<K::Out>,
        flag: &mut Fast,
    ) {
        let (row, several, inside) = (self.row, self.rows > 1, self.columns.clone());
        // SAFETY: promised by the caller; so many lanes say that the processor has what the highest
        // level names.
        unsafe {
            if const { L == MAX_LANES && cfg!(target_arch = "x86_64") } {
                let mut moving = Moving::new(*flag);
                middles::<K, L, _>(kernel, row, several, inside, to, &mut moving);
                *flag = moving.flag;
            } else {
                middles::<K, L, _>(kernel, row, several, inside, to, flag);
            }
        }
    }
}

/// Rows that are computed together: what two of them read is loaded once.
pub(crate) const ROWS: usize = 4;

/// As [`middle`], or for the same columns of [`ROWS`] rows if there are `several`.
///
/// # Safety
/// As for [`rows`].
#[cfg_attr(optimised, inline(always))]
unsafe fn middles<K: Rowed, const L: usize, F: Flag>(
    kernel: &K,
    row: usize,
    several: bool,
    columns: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    // SAFETY: promised by the caller.
    unsafe {
        if !several {
            return middle::<K, L, F>(kernel, row, columns, to, flag);
        }
        match const { side_by_side::<K, L>() } {
            64 => together::<K, 64, F>(kernel, row, columns, to, flag),
            32 => together::<K, 32, F>(kernel, row, columns, to, flag),
            _few_lanes => together::<K, 16, F>(kernel, row, columns, to, flag),
        }
    }
}

/// Lanes of the blocks of [`ROWS`] rows: about one vector.
const fn side_by_side<K: Rowed, const L: usize>() -> usize {
    match (L, K::Out::BYTES) {
        (64, 0..=1) => 64,
        (64, _) | (32, 0..=1) => 32,
        _few_lanes => 16,
    }
}

/// [`middles`], in blocks of `B` lanes.
///
/// # Safety
/// As for [`rows`].
#[cfg_attr(optimised, inline(always))]
unsafe fn together<K: Rowed, const B: usize, F: Flag>(
    kernel: &K,
    row: usize,
    columns: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    let (place, last) = (to.place(row, columns.start), columns.len() - B);
    let a = kernel.row(row, columns.clone());
    let b = kernel.row(row + 1, columns.clone());
    let c = kernel.row(row + 2, columns.clone());
    let d = kernel.row(row + 3, columns);
    let zero = K::Out::zero();
    let (mut of_a, mut of_b) = (zero.splat::<B>(), zero.splat::<B>());
    let (mut of_c, mut of_d) = (zero.splat::<B>(), zero.splat::<B>());
    let (mut at, stride) = (0, to.stride);
    // After the first block, go on at a cache line's start.
    let mut skip = to.misses_line(place + B) % B;
    loop {
        a.block::<B, F>(at, K::Out::slots(&mut of_a), flag);
        b.block::<B, F>(at, K::Out::slots(&mut of_b), flag);
        c.block::<B, F>(at, K::Out::slots(&mut of_c), flag);
        d.block::<B, F>(at, K::Out::slots(&mut of_d), flag);
        // SAFETY: `at <= last`, so these are places of the rows' columns, of which the caller
        // promises the rest.
        unsafe {
            to.store::<B>(&of_a, place + at);
            to.store::<B>(&of_b, place + stride + at);
            to.store::<B>(&of_c, place + 2 * stride + at);
            to.store::<B>(&of_d, place + 3 * stride + at);
        }
        if at == last {
            break;
        }
        // The last block overlaps the one before: the same values are written again.
        at = (at + B - skip).min(last);
        skip = 0;
    }
}

/// Computes columns of a row, at least `L`.
///
/// # Safety
/// As for [`rows`].
#[cfg_attr(optimised, inline(always))]
unsafe fn middle<K: Rowed, const L: usize, F: Flag>(
    kernel: &K,
    row: usize,
    columns: Range<usize>,
    to: To<K::Out>,
    flag: &mut F,
) {
    let (place, last) = (to.place(row, columns.start), columns.len() - L);
    let columns = kernel.row(row, columns);
    let mut lanes = K::Out::zero().splat::<L>();
    let mut at = 0;
    // After the first block, go on at a cache line's start.
    let mut skip = to.misses_line(place + L) % L;
    loop {
        columns.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
        // SAFETY: `at <= last`, so these are places of the columns, of which the caller promises the
        // rest.
        unsafe { to.store::<L>(&lanes, place + at) };
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
#[cfg_attr(optimised, inline(always))]
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
#[cfg_attr(optimised, inline(always))]
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
