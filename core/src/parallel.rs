//! When and how work is split between threads. Nothing here depends on a kernel's type.
//!
//! In: a number of units and the estimated cost of one. Out: calls of a closure on ranges of them.
//! Assumes: the ranges may be computed in any order, on any thread of the caller's pool.

use core::ops::Range;
use std::time::{Duration, Instant};

use crate::budget::apart;

/// Below this many estimated scalar operations (a few tens of microseconds in lane blocks) a call
/// stays on its thread.
const ALONE: usize = 1 << 20;

/// Estimated scalar operations of a leaf at most: about a tenth of a millisecond in lane blocks, long
/// beside the cost of handing it to another thread.
const LEAF: usize = 1 << 22;

/// Those of a leaf at least: still long beside that.
const LEAST: usize = 1 << 18;

/// Leaves for each thread, if they are not too small.
const LEAVES: usize = 8;

/// Parts of a leaf, where a thread that comes to one has nothing else that others could take: one that has begun
/// later, or was held up, leaves them little to wait for. Not everywhere, since what begins in memory takes a while
/// to arrive.
pub(crate) const PARTS: usize = 8;

/// How long a thread outside of the pool works on alone, about, if it does not know for how long: a third of what it
/// takes to hand work to the pool and to hear that it is done.
const ALONE_FOR: Duration = Duration::from_micros(8);

/// How many threads are worth asking for `units` units of `cost` operations each.
pub(crate) fn threads(units: usize, cost: usize) -> usize {
    if units < 2 || units.saturating_mul(cost) < ALONE {
        1
    } else {
        rayon::current_num_threads().min(units)
    }
}

/// How many of `units` units of `cost` operations each make a leaf.
pub(crate) fn leaf(units: usize, cost: usize) -> usize {
    let share = units.saturating_mul(cost) / (LEAVES * rayon::current_num_threads());
    (share.clamp(LEAST, LEAF) / cost.max(1)).max(1)
}

/// How a range of units is halved, and its halves.
#[derive(Clone, Copy)]
struct Grain {
    /// Both halves are multiples of this, but for the end.
    step: usize,
    /// A leaf at most; no less than `step`.
    most: usize,
    /// As `most`, if another thread may be waiting; where a leaf is cut, at multiples of this.
    least: usize,
}

impl Grain {
    /// Of ranges no longer than `leaf`, a multiple of `step`, of which each is one.
    fn of_leaves(leaf: usize, step: usize) -> Grain {
        Grain {
            step: leaf,
            most: leaf,
            least: part(leaf, step),
        }
    }

    /// Where a range is cut; `None` for a leaf.
    fn middle(self, range: &Range<usize>) -> Option<usize> {
        let step = match range.len() {
            len if len > self.most => self.step,
            len if len > self.least && has_none_to_give() => self.least,
            _ => return None,
        };
        Some(range.start + range.len().div_ceil(step) / 2 * step)
    }
}

/// A part of a leaf, a multiple of `step` if `leaf` is one.
fn part(leaf: usize, step: usize) -> usize {
    (leaf / PARTS).max(1).next_multiple_of(step).min(leaf)
}

/// Whether this thread has no work that another one could take.
fn has_none_to_give() -> bool {
    rayon_core::current_thread_has_pending_tasks() == Some(false)
}

/// Calls `f` on ranges that cover `0..units`, each but the last a multiple of `step`.
pub(crate) fn for_ranges(
    units: usize,
    step: usize,
    cost: usize,
    f: &(dyn Fn(Range<usize>) + Sync),
) {
    if threads(units.div_ceil(step), cost.saturating_mul(step)) == 1 {
        f(0..units);
    } else {
        let leaf = leaf(units, cost).next_multiple_of(step);
        let grain = Grain::of_leaves(leaf, step);
        apart(|here| halve(0..units, grain, &|range| here.on(|| f(range))));
    }
}

/// Calls `f` on ranges that cover the first of `0..units`, multiples of `step`, for a moment; gives how many they are.
/// For units that may take far less than the `cost` that was estimated: other threads are not asked for what is done
/// before they are awake. None are done so by a thread of the pool, which has no need of that, or where each is
/// much of all.
pub(crate) fn ahead(
    units: usize,
    step: usize,
    cost: usize,
    f: &(dyn Fn(Range<usize>) + Sync),
) -> usize {
    let steps = units.div_ceil(step);
    let threads = threads(steps, cost.saturating_mul(step));
    if threads == 1 || rayon::current_thread_index().is_some() || steps < LEAVES * threads {
        return 0;
    }
    // Others may take far longer than these: no range is more than a thread gets elsewhere.
    let most = leaf(units, cost).next_multiple_of(step);
    let (begun, mut at, mut len) = (Instant::now(), 0_usize, step);
    loop {
        let end = units.min(at.saturating_add(len));
        f(at..end);
        at = end;
        let elapsed = begun.elapsed();
        // What others take if they are like those before: they are as soon done here as elsewhere.
        let left = elapsed.mul_f64((units - at) as f64 / at as f64);
        if at == units || 2 * elapsed >= ALONE_FOR && left >= 2 * ALONE_FOR {
            return at;
        }
        // If they are like those before, the next take as long as all of them.
        len = at.min(most);
    }
}

/// Calls `f` on each of `0..parts`, any of which may be another thread's.
pub(crate) fn each(parts: usize, f: &(dyn Fn(usize) + Sync)) {
    let grain = Grain::of_leaves(1, 1);
    apart(|here| halve(0..parts, grain, &|range| here.on(|| range.for_each(f))));
}

/// Calls `f` on what `0..units` is cut into for so many shares, of [`PARTS`] parts each, but for what is empty:
/// `place` gives where in a range a part begins. Ranges are cut where they are computed, since to look for a place in
/// memory takes a while.
pub(crate) fn cut(
    shares: usize,
    units: usize,
    place: &(dyn Fn(usize, Range<usize>) -> usize + Sync),
    f: &(dyn Fn(Range<usize>) + Sync),
) {
    match shares {
        _ if units == 0 => {}
        1 => f(0..units),
        _several => apart(|here| {
            let parts = PARTS * shares;
            cut_range(0..parts, 0..units, place, &|range| here.on(|| f(range)));
        }),
    }
}

fn cut_range(
    parts: Range<usize>,
    range: Range<usize>,
    place: &(dyn Fn(usize, Range<usize>) -> usize + Sync),
    f: &(dyn Fn(Range<usize>) + Sync),
) {
    if range.is_empty() {
        return;
    }
    let Some(middle) = Grain::of_leaves(PARTS, 1).middle(&parts) else {
        return f(range);
    };
    let at = place(middle, range.clone()).clamp(range.start, range.end);
    rayon::join(
        || cut_range(parts.start..middle, range.start..at, place, f),
        || cut_range(middle..parts.end, at..range.end, place, f),
    );
}

/// Calls `leaf` on each of `0..leaves`, a power of two, any of which may be another thread's, and `both`
/// on two numbers once all that is between them in the tree is done: those a half of `leaves` apart
/// first, and so on down to neighbours. What was called on the second of them is then in the first.
pub(crate) fn tree(
    leaves: usize,
    leaf: &(dyn Fn(usize) + Sync),
    both: &(dyn Fn(usize, usize) + Sync),
) {
    apart(|here| {
        let leaf = |at| here.on(|| leaf(at));
        subtree(0, 1, leaves, &leaf, &|a, b| here.on(|| both(a, b)));
    });
}

/// [`tree`] of every `apart`-th leaf from the `first` on.
fn subtree(
    first: usize,
    apart: usize,
    leaves: usize,
    leaf: &(dyn Fn(usize) + Sync),
    both: &(dyn Fn(usize, usize) + Sync),
) {
    if apart >= leaves {
        return leaf(first);
    }
    rayon::join(
        || subtree(first, 2 * apart, leaves, leaf, both),
        || subtree(first + apart, 2 * apart, leaves, leaf, both),
    );
    both(first, first + apart);
}

/// As [`for_ranges`], on ranges of `most` units or fewer, unless more cost next to nothing: all are
/// halves of halves, but for a step, so that few large ones keep all threads busy until the end.
pub(crate) fn for_halves(
    units: usize,
    step: usize,
    most: usize,
    cost: usize,
    f: &(dyn Fn(Range<usize>) + Sync),
) {
    if threads(units.div_ceil(step), cost.saturating_mul(step)) == 1 {
        f(0..units);
    } else {
        let most = most.max(leaf(units, cost)).max(step);
        let grain = Grain {
            step,
            most,
            least: part(most, step),
        };
        apart(|here| halve(0..units, grain, &|range| here.on(|| f(range))));
    }
}

/// Halves a range, until all parts are leaves.
fn halve(range: Range<usize>, grain: Grain, f: &(dyn Fn(Range<usize>) + Sync)) {
    let Some(middle) = grain.middle(&range) else {
        return f(range);
    };
    rayon::join(
        || halve(range.start..middle, grain, f),
        || halve(middle..range.end, grain, f),
    );
}

/// Calls `f` up to `count` times, at once if the pool has idle threads.
pub(crate) fn workers(count: usize, f: &(dyn Fn() + Sync)) {
    match count {
        0 | 1 => f(),
        _several => apart(|here| fork(count, &|| here.on(f))),
    }
}

fn fork(count: usize, f: &(dyn Fn() + Sync)) {
    if count <= 1 {
        return f();
    }
    rayon::join(|| fork(count / 2, f), || fork(count - count / 2, f));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;
    use std::sync::Mutex;

    #[test]
    fn leaves_are_cut_by_threads_that_have_nothing_else() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.expect("a thread");
        let grain = Grain::of_leaves(64, 4);
        let (cut, lengths) = (|range| grain.middle(&range), [1, 8, 9, 64, 65, 200]);
        let idle = lengths.map(|len| pool.install(|| cut(10..10 + len)));
        assert_eq!(idle, [None, None, Some(18), Some(42), Some(74), Some(138)]);
        let busy = lengths.map(|len| pool.install(|| rayon::join(|| cut(10..10 + len), || ()).0));
        assert_eq!(busy, [None, None, None, None, Some(74), Some(138)]);
        assert_eq!(cut(10..74), None);
    }

    #[test]
    fn who_is_not_of_the_pool_begins_alone() {
        let ranges = Mutex::new(Vec::new());
        let note = |range| ranges.lock().unwrap().push(range);
        let cost = ALONE;
        let done = ahead(1000, 7, cost, &note);
        let ranges = ranges.into_inner().unwrap();
        if rayon::current_num_threads() == 1 {
            return assert_eq!(done, 0);
        }
        assert_eq!(ranges[0], 0..7);
        assert!(ranges.iter().all(|range| range.start % 7 == 0));
        assert!(ranges.iter().all(|range| range.len() <= 7), "{ranges:?}");
        assert!(ranges.into_iter().flatten().eq(0..done));
        // Nor is anything to be won where all of it is done alone, where each is much, or by the pool's own threads.
        let none = |range: Range<usize>| panic!("{range:?}");
        assert_eq!(ahead(10, 1, 1, &none), 0);
        assert_eq!(ahead(2, 1, usize::MAX, &none), 0);
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        let pool = pool.expect("two threads");
        assert_eq!(pool.install(|| ahead(1000, 7, cost, &none)), 0);
    }

    #[test]
    fn ranges_cover_all_units_at_multiples_of_the_step() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build();
        let pool = pool.expect("three threads");
        for (units, step, cost) in [
            (0, 1, 1),
            (1, 1, 1 << 30),
            (1 << 20, 7, 64),
            (9999, 12, 5000),
        ] {
            let ranges = Mutex::new(Vec::new());
            let note = |range| ranges.lock().unwrap().push(range);
            pool.install(|| for_ranges(units, step, cost, &note));
            let mut ranges = ranges.into_inner().unwrap();
            ranges.sort_by_key(|range| range.start);
            assert!(ranges.iter().all(|range| range.start % step == 0));
            assert!(ranges.into_iter().flatten().eq(0..units));
        }
    }
}
