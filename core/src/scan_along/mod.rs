//! Scans of all columns of a matrix at once: lanes run over the columns.
//!
//! In: a kernel over rows of steps of columns, an operator, perhaps a start value. Out: for each
//! column the bits that a scan of it alone gives, in the order that `scan.rs` says, and the totals.
//! Assumes: as `scan.rs`.
//!
//! Note [Blocks of steps]: rows are read and written from their start to their end, as they lie in
//! memory: parts of many rows at once, each on a page of its own, come at a third of the speed. So
//! the `BLOCK` steps of a block of a scan are a tile in a near cache, in which lanes combine them, and
//! the carries, one for each column, are a row beside it. Narrow rows lie near each other: of them a
//! tile is a few columns. Where a column has more than a chunk of
//! steps, the accumulators of its total are kept too; or else, with fewer columns than threads can
//! share, the totals of all chunks come first.

mod strip;

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use self::strip::{Row, Strip, Sums, again};
use crate::columns::{Blocks, Shape};
use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Fast, Flag, Product};
use crate::level::{MAX_LANES, Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::reduce::chunk;
use crate::scan::{joined, scan_to};
use crate::write::first_violation;

/// How the columns are scanned.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// Each prefix ends before its own element.
    pub exclusive: bool,
    /// From the last step on.
    pub back: bool,
}

/// The prefixes of all columns, and their totals, straight into the caller's memory.
///
/// Index `(row * steps + step) * columns + column` of the kernel, and of the results, is a step of a
/// column. Totals need a start.
///
/// Cost: as many bodies, and about 6 combinations for each, in parallel and in lanes.
/// Errors: the violated check of the lowest index; no memory; `Internal` for an operator that
/// checks, and without anything to start with where that is needed.
pub fn scan_along_to<K: Combine>(
    kernel: &K,
    shape: Shape,
    start: Option<K::Out>,
    how: Along,
    mut outs: <K::Out as Product>::Outs<'_>,
    mut totals: Option<<K::Out as Product>::Outs<'_>>,
) -> Result<(), Failure> {
    let lanes = shape.rows.saturating_mul(shape.columns);
    let n = lanes.saturating_mul(shape.steps);
    if shape.rows == 1 && shape.columns == 1 && !how.back && totals.is_none() {
        return scan_to(kernel, n, start, how.exclusive, outs).map(|_| ());
    }
    let start = start.or_else(|| K::COMMUTATIVE.then(|| kernel.neutral()));
    if start.is_none() && (how.exclusive || totals.is_some()) {
        return Err(Failure::Internal);
    }
    let out = Bases::new(K::Out::prepare(&mut outs, n)?);
    let ends = match &mut totals {
        Some(totals) => Some(Bases::new(K::Out::prepare(totals, lanes)?)),
        None => None,
    };
    let work = Work::new(kernel, shape, start, how, out, ends);
    if lanes > 0 && run(&work)? {
        return Err(first_violation(kernel, n).unwrap_or(Failure::Internal));
    }
    // SAFETY: `prepare` made room for all, and `run` has written all steps and all totals.
    unsafe {
        K::Out::finish(outs, n);
        totals.into_iter().for_each(|it| K::Out::finish(it, lanes));
    }
    Ok(())
}

/// Bytes of a row of a tile, or of carries: more than a page, so that reading is fast.
const WIDTH: usize = 16 << 10;

/// Bytes of a row of accumulators, of which there are up to `LANES`.
const NARROW: usize = 4 << 10;

/// What the threads of one scan share.
struct Work<'a, K: Combine> {
    kernel: &'a K,
    shape: Shape,
    start: Option<K::Out>,
    how: Along,
    out: Bases<K::Out>,
    /// Where the totals go.
    ends: Option<Bases<K::Out>>,
    /// Round the caches.
    stream: bool,
    /// The columns of a unit.
    width: usize,
    /// The units of a row.
    blocks: usize,
}

impl<'a, K: Combine> Work<'a, K> {
    fn new(
        kernel: &'a K,
        shape: Shape,
        start: Option<K::Out>,
        how: Along,
        out: Bases<K::Out>,
        ends: Option<Bases<K::Out>>,
    ) -> Self {
        let bytes = match shape.steps <= CHUNK && ends.is_none() {
            true => WIDTH,
            false => NARROW,
        };
        let shares = rayon::current_num_threads().div_ceil(shape.rows.max(1));
        let share = shape.columns.div_ceil(shares).max(1);
        let width = share.min(bytes / K::Out::BYTES.max(1));
        let width = width.next_multiple_of(MAX_LANES);
        Work {
            kernel,
            shape,
            start,
            how,
            out,
            ends,
            stream: memory::streams::<K::Out>(shape.rows * shape.columns * shape.steps),
            width,
            blocks: shape.columns.div_ceil(width),
        }
    }

    fn units(&self) -> usize {
        self.shape.rows * self.blocks
    }

    fn chunks(&self) -> usize {
        self.shape.steps.div_ceil(CHUNK)
    }

    #[cfg_attr(optimised, inline(always))]
    fn unit(&self, unit: usize) -> Blocks {
        let start = unit % self.blocks * self.width;
        let end = self.shape.columns.min(start + self.width);
        Blocks {
            row: unit / self.blocks,
            columns: start..end,
        }
    }

    /// Where a step of a column is.
    #[cfg_attr(optimised, inline(always))]
    fn at(&self, row: usize, step: usize, column: usize) -> usize {
        let Shape { columns, steps, .. } = self.shape;
        let step = match self.how.back {
            true => steps - 1 - step,
            false => step,
        };
        (row * steps + step) * columns + column
    }

    /// Where the total of a column is, of chunk `c`.
    #[cfg_attr(optimised, inline(always))]
    fn end(&self, c: usize, row: usize, column: usize) -> usize {
        (c * self.shape.rows + row) * self.shape.columns + column
    }
}

/// Computes all; says whether a check was violated.
fn run<K: Combine>(work: &Work<'_, K>) -> Result<bool, Failure> {
    let (units, chunks) = (work.units(), work.chunks());
    let violated = AtomicBool::new(false);
    let note = |bad: bool| {
        if bad {
            violated.store(true, Ordering::Relaxed);
        }
    };
    let body = (K::COST.max(4) as usize).saturating_mul(work.width.min(work.shape.columns));
    let cost = work.shape.steps.saturating_mul(body);
    if chunks > 1 && parallel::threads(units * chunks, CHUNK.saturating_mul(body)) > units {
        let mut room = K::Out::empty();
        K::Out::reserve(&mut room, chunks * work.shape.rows * work.shape.columns)?;
        let kept = Bases::<K::Out>::new(K::Out::bases(&mut room));
        let parts = units * chunks;
        parallel::for_ranges(parts, 1, CHUNK * body, &|range| {
            note(dispatch(Totals { work, range, kept }));
        });
        // SAFETY: the tasks have written the totals of all chunks, and have ended.
        unsafe { carry_on(work, kept) };
        parallel::for_ranges(parts, 1, CHUNK * body, &|range| {
            note(dispatch(Chunks { work, range, kept }));
        });
    } else {
        parallel::for_ranges(units, 1, cost, &|range| {
            note(dispatch(Units { work, range }));
        });
    }
    Ok(violated.into_inner())
}

/// Puts the carry into each chunk in the place of its total, and the totals of all where they go.
///
/// # Safety
/// `kept` holds the totals of all chunks, and is the caller's; so are the places of totals.
unsafe fn carry_on<K: Combine>(work: &Work<'_, K>, kept: Bases<K::Out>) {
    let lanes = work.shape.rows * work.shape.columns;
    let mut flag = Fast::default();
    for lane in 0..lanes {
        let mut carry = work.start;
        for c in 0..work.chunks() {
            let at = c * lanes + lane;
            // SAFETY: promised by the caller.
            let total = unsafe { K::Out::read(kept.get(), at) };
            if let Some(carry) = carry {
                // SAFETY: as above.
                unsafe { carry.put(kept.get(), at) };
            }
            carry = Some(joined(work.kernel, carry, total, &mut flag));
        }
        if let (Some(ends), Some(carry)) = (work.ends, carry) {
            // SAFETY: `scan_along_to` has made room for one total per lane.
            unsafe { carry.put(ends.get(), lane) };
        }
    }
}

/// Calls a function with a number of lanes that fits into some columns, and 16 steps of them into
/// registers.
macro_rules! with_lanes {
    ($columns:expr, $f:ident($($arg:expr),*)) => {
        match $columns {
            columns if const { K::Out::BYTES <= 4 } && columns >= 16 => $f::<K, 16>($($arg),*),
            columns if const { K::Out::BYTES > 4 } && columns >= 8 => $f::<K, 8>($($arg),*),
            columns if columns >= 4 => $f::<K, 4>($($arg),*),
            2.. => $f::<K, 2>($($arg),*),
            _one => $f::<K, 1>($($arg),*),
        }
    };
}

/// Columns from the first step to the last.
struct Units<'a, 'k, K: Combine> {
    work: &'a Work<'k, K>,
    range: Range<usize>,
}

impl<K: Combine> Task for Units<'_, '_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        for unit in self.range {
            let blocks = self.work.unit(unit);
            with_lanes!(blocks.columns.len(), whole(self.work, &blocks, &mut flag));
        }
        if self.work.stream {
            memory::fence();
        }
        flag.violated()
    }
}

/// All chunks of some columns.
#[cfg_attr(optimised, inline(always))]
fn whole<K: Combine, const B: usize>(work: &Work<'_, K>, blocks: &Blocks, flag: &mut Fast) {
    let strip = Strip::<K, B>::new(work, blocks, true);
    let mut carry = work.start.map(|start| strip.row(start));
    for c in 0..work.chunks() {
        let steps = chunk(c, work.shape.steps);
        let wanted = c + 1 < work.chunks() || work.ends.is_some();
        let mut sums = match wanted {
            true => Some(Sums::new(&strip, steps.len())),
            false => None,
        };
        strip.prefixes(steps, carry.clone(), sums.as_mut(), flag);
        if let Some(sums) = sums {
            let total = sums.total(work.kernel, flag);
            carry = Some(strip.joined(carry, total, flag));
        }
    }
    if let (Some(ends), Some(carry)) = (work.ends, carry) {
        strip.keep(0, &carry, ends);
    }
}

/// The totals of chunks of columns; where bodies are dear, their values are kept among the results.
struct Totals<'a, 'k, K: Combine> {
    work: &'a Work<'k, K>,
    range: Range<usize>,
    kept: Bases<K::Out>,
}

impl<K: Combine> Task for Totals<'_, '_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let (work, chunks) = (self.work, self.work.chunks());
        for part in self.range {
            let (blocks, c) = (work.unit(part / chunks), part % chunks);
            let columns = blocks.columns.len();
            with_lanes!(columns, totals(work, &blocks, c, self.kept, &mut flag));
        }
        flag.violated()
    }
}

#[cfg_attr(optimised, inline(always))]
fn totals<K: Combine, const B: usize>(
    work: &Work<'_, K>,
    blocks: &Blocks,
    c: usize,
    kept: Bases<K::Out>,
    flag: &mut Fast,
) {
    let strip = Strip::<K, B>::new(work, blocks, true);
    let total = strip.total(chunk(c, work.shape.steps), flag);
    strip.keep(c, &total, kept);
}

/// The prefixes of chunks of columns, from the carries into them.
struct Chunks<'a, 'k, K: Combine> {
    work: &'a Work<'k, K>,
    range: Range<usize>,
    kept: Bases<K::Out>,
}

impl<K: Combine> Task for Chunks<'_, '_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let (work, chunks) = (self.work, self.work.chunks());
        for part in self.range {
            let (blocks, c) = (work.unit(part / chunks), part % chunks);
            let columns = blocks.columns.len();
            with_lanes!(columns, prefixes(work, &blocks, c, self.kept, &mut flag));
        }
        if work.stream {
            memory::fence();
        }
        flag.violated()
    }
}

#[cfg_attr(optimised, inline(always))]
fn prefixes<K: Combine, const B: usize>(
    work: &Work<'_, K>,
    blocks: &Blocks,
    c: usize,
    kept: Bases<K::Out>,
    flag: &mut Fast,
) {
    let strip = Strip::<K, B>::new(work, blocks, again::<K>());
    let carry: Option<Row<K, B>> = match (c, work.start) {
        (0, None) => None,
        _some => Some(strip.kept(c, kept)),
    };
    strip.prefixes(chunk(c, work.shape.steps), carry, None, flag);
}
