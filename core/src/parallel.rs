//! When and how work is split between threads. Nothing here depends on a kernel's type.
//!
//! In: a number of units and the estimated cost of one. Out: calls of a closure on ranges of them.
//! Assumes: the ranges may be computed in any order, on the calling thread and any of its pool.
//!
//! Note \[Callers work\]. A thread of the pool splits what it has to do, and those that have nothing to do
//! steal of it. A thread that is none of the pool's could only hand all to one of these, and sleep: two
//! wakes one after the other, before and behind, each of which takes as long as a small kernel, in each
//! round of a loop of such. So it takes parts itself, in its own cache, and the threads that come to help
//! take others.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use rayon::Scope;

use crate::budget::apart;

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
        let leaf = leaf(cost).next_multiple_of(step);
        apart(|here| split(units, leaf, leaf, &|range| here.on(|| f(range))));
    }
}

/// Calls `f` on each of `0..parts`, any of which may be another thread's.
pub(crate) fn each(parts: usize, f: &(dyn Fn(usize) + Sync)) {
    apart(|here| split(parts, 1, 1, &|range| here.on(|| range.for_each(f))));
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
        let most = most.max(leaf(cost)).max(step);
        apart(|here| split(units, step, most, &|range| here.on(|| f(range))));
    }
}

/// Calls `f` on parts of `0..units`, multiples of `step` but for the last, none longer than `most`, which
/// is no less.
fn split(units: usize, step: usize, most: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    match is_of_pool() || units <= most {
        true => halve(0..units, step, most, f),
        false => deal(units, step, most, f),
    }
}

/// Whether the calling thread is one of its pool.
fn is_of_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// [`split`] into equal parts, as many for each thread, which the calling one and those of the pool take
/// in order.
fn deal(units: usize, step: usize, most: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    let threads = rayon::current_num_threads();
    let parts = units.div_ceil(most).next_multiple_of(threads);
    let part = units.div_ceil(parts).next_multiple_of(step);
    let part = part.min(most - most % step);
    let next = AtomicUsize::new(0);
    beside(threads.min(units.div_ceil(part)), &|| {
        loop {
            let first = next.fetch_add(part, Ordering::Relaxed);
            if first >= units {
                break;
            }
            f(first..units.min(first + part));
        }
    });
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
        _several => apart(|here| match is_of_pool() {
            true => fork(count, &|| here.on(f)),
            false => beside(count, &|| here.on(f)),
        }),
    }
}

fn fork(count: usize, f: &(dyn Fn() + Sync)) {
    if count <= 1 {
        return f();
    }
    rayon::join(|| fork(count / 2, f), || fork(count - count / 2, f));
}

/// Calls `f` here, and on up to `count - 1` threads of the pool.
fn beside(count: usize, f: &(dyn Fn() + Sync)) {
    rayon::in_place_scope(|scope| {
        call(scope, count.saturating_sub(1), f);
        f();
    });
}

/// Calls so many threads to help, of which each calls half of those that are left before it begins.
fn call<'s>(scope: &Scope<'s>, helpers: usize, f: &'s (dyn Fn() + Sync)) {
    let mut left = helpers;
    while left > 0 {
        let some = left.div_ceil(2);
        scope.spawn(move |scope| {
            call(scope, some - 1, f);
            f();
        });
        left -= some;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn ranges(units: usize, step: usize, most: usize) -> Vec<Range<usize>> {
        let found = Mutex::new(Vec::new());
        deal(units, step, most, &|range| {
            found.lock().unwrap().push(range);
        });
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|range| range.start);
        found
    }

    #[test]
    fn parts_cover_all_once() {
        for (units, step, most) in [
            (1, 1, 1),
            (17, 1, 1),
            (1000, 7, 30),
            (4096, 64, 64),
            (100, 8, 15),
        ] {
            let found = ranges(units, step, most);
            let mut next = 0;
            for range in found {
                assert!(range.start == next && range.len() <= most && !range.is_empty());
                assert!(range.start.is_multiple_of(step));
                next = range.end;
            }
            assert_eq!(next, units);
        }
    }

    #[test]
    fn workers_are_called_and_waited_for() {
        for count in [2, 3, 9] {
            let calls = AtomicUsize::new(0);
            beside(count, &|| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(calls.into_inner(), count);
        }
    }
}
