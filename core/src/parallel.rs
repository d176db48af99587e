//! When and how work is split between threads. Nothing here depends on a kernel's type.
//!
//! In: a number of units and the estimated cost of one. Out: calls of a closure on ranges of them.
//! Assumes: the ranges may be computed in any order, on any thread of the caller's pool.

use core::ops::Range;

/// Below this many estimated scalar operations (a few tens of microseconds in lane blocks) a call
/// stays on its thread.
const ALONE: usize = 1 << 20;

/// Estimated scalar operations of one leaf: about a tenth of a millisecond in lane blocks, long
/// beside the cost of handing it to another thread.
const LEAF: usize = 1 << 22;

/// How many threads are worth asking for `units` units of `cost` operations each.
pub(crate) fn threads(units: usize, cost: usize) -> usize {
    if units < 2 || units.saturating_mul(cost) < ALONE {
        1
    } else {
        rayon::current_num_threads().min(units)
    }
}

/// How many units of `cost` operations each make a leaf.
pub(crate) fn leaf(cost: usize) -> usize {
    (LEAF / cost.max(1)).max(1)
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
        halve(0..units, leaf(cost).next_multiple_of(step), f);
    }
}

fn halve(range: Range<usize>, leaf: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    let leaves = range.len().div_ceil(leaf);
    if leaves <= 1 {
        return f(range);
    }
    let middle = range.start + leaves / 2 * leaf;
    rayon::join(
        || halve(range.start..middle, leaf, f),
        || halve(middle..range.end, leaf, f),
    );
}

/// Calls `f` up to `count` times, at once if the pool has idle threads.
pub(crate) fn workers(count: usize, f: &(dyn Fn() + Sync)) {
    if count <= 1 {
        return f();
    }
    rayon::join(|| workers(count / 2, f), || workers(count - count / 2, f));
}
