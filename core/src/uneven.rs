//! Nests whose rows have lengths of their own.
//!
//! In: a nest, and for each output where the rows of its indices begin. Out: the rows, one after
//! another.
//! Assumes: nothing; offsets that are none are refused, and a body that is wrong gives wrong rows or
//! a panic.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Failure;
use crate::kernel::{Flag, Product, Report};
use crate::level::{Task, dispatch};
use crate::memory;
use crate::nest::{Nest, Opens, one_by_one};
use crate::parallel;
use crate::product::Bases;
use crate::recycle;
use crate::rows::Rows;

/// How many scalar operations [`Nest::cost`] takes for each element of an array whose length it does
/// not know, times that length.
const GUESS: usize = 16;

/// Rows and elements of a share at most: how long rows take depends on their lengths, so that as much of
/// them as others may take longer, and all threads wait for the one with the last share.
const SHARE: usize = 1 << 16;

/// The rows of `0..n`, one after another, straight into the caller's memory: in each output that of
/// index `i` is from `offsets[i]` to `offsets[i + 1]`, in units of its width.
///
/// Cost: `n` bodies, in parallel, in shares of as many elements of the first output.
/// Errors: the violated check of the lowest index, and there the first in the order of the body; no
/// memory, which offsets that decrease stand for as well (their sum was more than `i64` holds);
/// `ResultLength` for a slice of another length. After an error the contents are unspecified.
pub fn uneven_to<N: Nest>(
    nest: &N,
    n: usize,
    offsets: <N::Outs as Rows>::Offsets<'_>,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    in_uneven_shares(nest, n, offsets, widths, outs, &|range, _, out| {
        dispatch(Run { nest, range, out })
    })
}

/// What runs a nest's indices of a range, writes and closes their rows, unless it says that a check was
/// violated. It is also given the offsets of the first output.
type RunShare<'r, R> = &'r (dyn Fn(Range<usize>, &[i64], Out<'_, R>) -> bool + Sync);

/// As [`uneven_to`], where `run` does the work.
pub(crate) fn in_uneven_shares<N: Nest>(
    nest: &N,
    n: usize,
    offsets: <N::Outs as Rows>::Offsets<'_>,
    widths: <N::Outs as Rows>::Widths,
    mut outs: <N::Outs as Product>::Outs<'_>,
    run: RunShare<'_, N::Outs>,
) -> Result<(), Failure> {
    let Some(first) = N::Outs::first_offsets(offsets, n) else {
        return Err(Failure::OutOfMemory { bytes: usize::MAX });
    };
    let totals = N::Outs::totals(offsets, widths);
    let out = Out {
        starts: Bases::new(N::Outs::prepare_rows(&mut outs, 1, totals)?),
        offsets,
        widths,
        stream: memory::beyond_caches(N::Outs::row_bytes(totals)),
    };
    let violated = AtomicBool::new(false);
    for_rows(first, nest.cost(), &|range| {
        if recycle::near(|| run(range, first, out)) {
            violated.store(true, Ordering::Relaxed);
        }
        if out.stream {
            memory::fence();
        }
    });
    if violated.into_inner() {
        return Err(diagnose(nest, n, out));
    }
    // SAFETY: `prepare_rows` made room for all rows, and `run` has written and closed each of them.
    unsafe { N::Outs::finish_rows(outs, 1, totals) };
    Ok(())
}

/// Calls `f` on ranges that cover all rows with these offsets, each row in one of them, each range of
/// about as many rows and elements together as the others if offsets do not decrease.
pub(crate) fn for_rows(offsets: &[i64], cost: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    let n = offsets.len() - 1;
    let before = |row: usize| (offsets[row] as usize).saturating_add(row);
    let cost = (cost / GUESS).max(1);
    let units = before(n);
    let shares = match parallel::threads(units, cost) {
        1 => 1,
        // As many for each thread.
        threads => units
            .div_ceil(parallel::leaf(units, cost).min(SHARE))
            .next_multiple_of(threads)
            .clamp(1, n.max(1)),
    };
    let part = units.div_ceil(shares.saturating_mul(parallel::PARTS));
    let place =
        |at: usize, rows: Range<usize>| near(rows, before, part.saturating_mul(at), part / INEXACT);
    parallel::cut(shares, n, &place, f);
}

/// Parts of shares may be longer than others by one in so many.
const INEXACT: usize = 2;

/// The row before which there are `wanted` units, or one with nearly as many before it; the first with more if
/// there is none. First where it would be if all rows were alike, since memory is slow: to halve a million rows
/// takes a dozen offsets from anywhere in it.
fn near(rows: Range<usize>, before: impl Fn(usize) -> usize, wanted: usize, off: usize) -> usize {
    const GUESSES: usize = 3;
    let Range {
        start: mut low,
        end: mut high,
    } = rows;
    let (mut below, mut above) = (before(low), before(high));
    for _guess in 0..GUESSES {
        let (len, units) = (high - low, above.saturating_sub(below));
        let Some(here) = wanted.checked_sub(below).filter(|here| *here < units) else {
            break;
        };
        let row = low + (here as u128 * len as u128 / units as u128) as usize;
        let units = before(row);
        if units.abs_diff(wanted) <= off {
            return row;
        }
        match units < wanted {
            true => (low, below) = (row + 1, before(row + 1)),
            false => (high, above) = (row, units),
        }
    }
    while low < high {
        let middle = low.midpoint(high);
        match before(middle) < wanted {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// Where the rows go.
pub(crate) struct Out<'o, R: Rows> {
    starts: Bases<R>,
    offsets: R::Offsets<'o>,
    widths: R::Widths,
    /// Round the caches.
    stream: bool,
}

impl<R: Rows> Clone for Out<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rows> Copy for Out<'_, R> {}

impl<R: Rows> Opens<R> for Out<'_, R> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn open<'r>(self, indices: Range<usize>) -> R::Places<'r> {
        let at = R::uneven(self.offsets, self.widths, indices);
        // SAFETY: promised by the caller, of indices at whose offsets `first_offsets` has looked.
        unsafe { R::uneven_row(self.starts.get(), at, self.stream) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn close(self, rows: R::Places<'_>, indices: Range<usize>) {
        let at = R::uneven(self.offsets, self.widths, indices);
        // SAFETY: as above; the body has given back what it borrowed of them.
        unsafe { R::uneven_close(rows, self.starts.get(), at) };
    }
}

struct Run<'a, 'o, N: Nest> {
    nest: &'a N,
    range: Range<usize>,
    out: Out<'o, N::Outs>,
}

impl<N: Nest> Task for Run<'_, '_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        // SAFETY: the range is part of `0..n`, for which `prepare_rows` has made room, and it is this task's
        // alone, which `dispatch` has called.
        unsafe { one_by_one::<_, L>(self.nest, self.range, self.out) }
    }
}

/// The violated check of the lowest index, found by running all again, one lane at a time.
#[cold]
#[inline(never)]
fn diagnose<N: Nest>(nest: &N, n: usize, out: Out<'_, N::Outs>) -> Failure {
    if const { !N::CHECKS } {
        return Failure::Internal;
    }
    let mut report = Report::default();
    for index in 0..n {
        let at = N::Outs::uneven(out.offsets, out.widths, index..index + 1);
        // SAFETY: as in `Run`, whose tasks have all ended.
        let mut rows = unsafe { N::Outs::uneven_row(out.starts.get(), at, false) };
        nest.run::<1, Report>(index, &mut rows, &mut report);
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn threads_get_as_many_shares() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        let pool = pool.expect("two threads");
        for rows in [0_usize, 1, 2, 700, 1200, 1900, 40_000] {
            let offsets: Vec<i64> = (0..=rows).map(|row| 282 * row as i64).collect();
            let shares = Mutex::new(Vec::new());
            pool.install(|| for_rows(&offsets, 569, &|range| shares.lock().unwrap().push(range)));
            let mut shares = shares.into_inner().unwrap();
            shares.sort_by_key(|share| share.start);
            // As much for a thread as for the other, whatever each cuts its half into.
            let middle = (rows / 2).saturating_sub(16)..=rows / 2 + 16;
            let halved = shares.iter().any(|share| middle.contains(&share.end));
            assert!(shares.len() <= 1 || halved, "{shares:?}");
            assert!(rows < 700 || shares.len() > 1, "{shares:?}");
            assert!(shares.into_iter().flatten().eq(0..rows));
        }
    }

    #[test]
    fn shares_of_rows_unlike_each_other_are_alike() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
        let pool = pool.expect("two threads");
        let few = |row: usize| ((row * 7919) >> 3) % 5;
        let lens: [&dyn Fn(usize) -> usize; 4] = [
            &few,
            &|row| few(row) * (row / 100),
            &|row| if row == 70_000 { 5_000_000 } else { few(row) },
            &|row| if row < 90_000 { 0 } else { 300 },
        ];
        for len in lens {
            let mut offsets = vec![0];
            offsets.extend((0..100_000).scan(0, |end, row| {
                *end += len(row) as i64;
                Some(*end)
            }));
            let shares = Mutex::new(Vec::new());
            pool.install(|| for_rows(&offsets, 569, &|range| shares.lock().unwrap().push(range)));
            let mut shares = shares.into_inner().unwrap();
            shares.sort_by_key(|share| share.start);
            assert!(shares.iter().cloned().flatten().eq(0..100_000));
            let units = |rows: &Range<usize>| {
                (offsets[rows.end] - offsets[rows.start]) as usize + rows.len()
            };
            let longest = (0..100_000)
                .map(|row| units(&(row..row + 1)))
                .max()
                .unwrap();
            let most = SHARE + SHARE / 8 + longest;
            assert!(
                shares.iter().all(|share| units(share) <= most),
                "{shares:?}"
            );
        }
    }
}
