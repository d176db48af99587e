//! When and how work is split between threads. Nothing here depends on a kernel's type.
//!
//! In: a number of units and the estimated cost of one. Out: calls of a closure on ranges of them.
//! Assumes: the ranges may be computed in any order, on any thread of the caller's pool.

use core::ops::Range;

use crate::budget::apart;

/// Below this many estimated scalar operations (a few tens of microseconds in lane blocks) a call
/// stays on its thread.
const ALONE: usize = 1 << 20;

/// Estimated scalar operations of a leaf at most: about a tenth of a millisecond in lane blocks, long
/// beside the cost of handing it to another thread.
const LEAF: usize = 1 << 22;

/// Those of a leaf at least: still long beside that.
const LEAST: usize = 1 << 18;

/// Leaves for each thread, if they are not too small: a thread that has begun later than others, or
/// was held up, leaves them little to wait for.
const LEAVES: usize = 8;

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
        apart(|here| halve(0..units, leaf, leaf, &|range| here.on(|| f(range))));
    }
}

/// Calls `f` on each of `0..parts`, any of which may be another thread's.
pub(crate) fn each(parts: usize, f: &(dyn Fn(usize) + Sync)) {
    apart(|here| halve(0..parts, 1, 1, &|range| here.on(|| range.for_each(f))));
}

/// Calls `f` on what `0..units` is cut into for so many parts, but for what is empty: `place` gives where in a range
/// a part begins. Ranges are cut where they are computed, since to look for a place in memory takes a while.
pub(crate) fn cut(
    parts: usize,
    units: usize,
    place: &(dyn Fn(usize, Range<usize>) -> usize + Sync),
    f: &(dyn Fn(Range<usize>) + Sync),
) {
    match parts {
        _ if units == 0 => {}
        1 => f(0..units),
        _several => {
            apart(|here| cut_range(0..parts, 0..units, place, &|range| here.on(|| f(range))));
        }
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
    if parts.len() <= 1 {
        return f(range);
    }
    let middle = parts.start.midpoint(parts.end);
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
        apart(|here| halve(0..units, step, most, &|range| here.on(|| f(range))));
    }
}

/// Halves a range at a multiple of `step`, until no part is longer than `most`, which is no less.
fn halve(range: Range<usize>, step: usize, most: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    if range.len() <= most {
        return f(range);
    }
    let middle = range.start + range.len().div_ceil(step) / 2 * step;
    rayon::join(
        || halve(range.start..middle, step, most, f),
        || halve(middle..range.end, step, most, f),
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
