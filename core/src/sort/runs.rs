//! Elements that are in order already, or two such runs after each other, as `merge` makes them.
//!
//! In: elements. Out: where the second run begins; both merged, of equal elements those of the first run
//! first. Assumes: nothing.
//!
//! Note \[Merging\]. Each task finds what of both runs goes to its part of the results: so many elements
//! that none of those left is less (the merge path). It takes the lesser of two again and again then,
//! without a branch, which could not be guessed. Which two are the next depends on that, so a step waits for
//! the one before; a task has four parts, which take their steps in turn and wait together. As long as each of
//! them has enough of both runs, nobody asks where these end.

use core::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::items::{Item, Source};
use super::lines::other_items;
use super::places::Place;
use crate::parallel;

/// Elements that are looked at before others are.
const FIRST: usize = 1 << 10;

/// Operations that it counts as to look at an element, and to merge one.
const LOOK: usize = 4;
const MERGE: usize = 64;

/// What is in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Runs {
    /// All.
    One,
    /// Those before a place, and those from there on.
    Two(usize),
    /// Less than that.
    Many,
}

/// Parts that a task merges together.
const PARTS: usize = 4;

/// What is left of two runs: where each goes on, and ends.
struct Both {
    left: usize,
    right: usize,
    ends: [usize; 2],
}

impl Both {
    /// How many results come before either may be at its end.
    fn steps(&self) -> usize {
        (self.ends[0] - self.left).min(self.ends[1] - self.right)
    }
}

/// Elements to be sorted.
pub(super) struct Elements<S> {
    from: S,
    n: usize,
}

impl<S: Source> Elements<S> {
    /// # Safety
    /// `from` has `n` elements, which nobody writes while this lives.
    pub(super) unsafe fn new(from: S, n: usize) -> Self {
        Elements { from, n }
    }

    /// The item of the element `at`, which is below `n`.
    #[inline(always)]
    fn item(&self, at: usize) -> S::Item {
        debug_assert!(at < self.n);
        // SAFETY: whoever made this says that there is one.
        unsafe { self.from.item(at) }
    }

    #[inline(always)]
    fn bits(&self, at: usize) -> u64 {
        self.item(at).bits()
    }

    /// What is in order.
    pub(super) fn runs(&self) -> Runs {
        let (count, place) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let look = |range: Range<usize>| {
            for at in range {
                if self.bits(at) < self.bits(at - 1) {
                    place.store(at, Ordering::Relaxed);
                    if count.fetch_add(1, Ordering::Relaxed) > 0 {
                        return;
                    }
                }
            }
        };
        // Most often these say that it is of no use to go on.
        let first = self.n.min(FIRST);
        look(1..first);
        if count.load(Ordering::Relaxed) < 2 {
            parallel::for_ranges(self.n - first, 1, LOOK, &|range| {
                if count.load(Ordering::Relaxed) < 2 {
                    look(first + range.start..first + range.end);
                }
            });
        }
        match count.into_inner() {
            0 => Runs::One,
            1 => Runs::Two(place.into_inner()),
            _more => Runs::Many,
        }
    }

    /// Writes all as results, which are in order.
    ///
    /// # Safety
    /// There is room for `n` results at `to`, which nobody else accesses meanwhile. It may be where the
    /// elements are.
    pub(super) unsafe fn copy(&self, to: impl Place<Item = S::Item>) {
        parallel::for_ranges(self.n, 1, LOOK, &|range| {
            for at in range {
                // SAFETY: `at` is below `n`, and this range's alone.
                unsafe { to.put(at, self.item(at)) };
            }
        });
    }

    /// Writes the results of two runs, the second of which begins at `middle`.
    ///
    /// # Safety
    /// As for [`copy`](Self::copy), but that it may not be where the elements are.
    pub(super) unsafe fn merge(&self, middle: usize, to: impl Place<Item = S::Item>) {
        parallel::for_ranges(self.n, 1, MERGE, &|range| {
            let cut = |part: usize| range.start + range.len() * part / PARTS;
            let mut parts = core::array::from_fn::<_, PARTS, _>(|part| {
                self.both(middle, cut(part)..cut(part + 1))
            });
            loop {
                let steps = parts.iter().map(Both::steps).min().unwrap_or(0);
                if steps == 0 {
                    break;
                }
                for _ in 0..steps {
                    for both in &mut parts {
                        // SAFETY: as many as are in the range, which is this task's alone.
                        unsafe { self.step(both, middle, to) };
                    }
                }
            }
            for mut both in parts {
                while both.steps() > 0 {
                    // SAFETY: as above.
                    unsafe { self.step(&mut both, middle, to) };
                }
                let Both { left, right, ends } = both;
                let at = left + right - middle;
                for (at, from) in (at..).zip((left..ends[0]).chain(right..ends[1])) {
                    // SAFETY: as above.
                    unsafe { to.put(at, self.item(from)) };
                }
            }
        });
    }

    /// What of both runs are the results of a range.
    fn both(&self, middle: usize, range: Range<usize>) -> Both {
        let left = self.of_first(middle, range.start);
        let right = middle + range.start - left;
        let end = self.of_first(middle, range.end);
        let ends = [end, middle + range.end - end];
        if left > ends[0] || right > ends[1] {
            other_items();
        }
        Both { left, right, ends }
    }

    /// Writes the lesser of the next two.
    ///
    /// # Safety
    /// There are two, and there is room for what has been taken of both runs, and one more.
    #[inline(always)]
    unsafe fn step(&self, both: &mut Both, middle: usize, to: impl Place<Item = S::Item>) {
        let (a, b) = (self.item(both.left), self.item(both.right));
        let is_right = b.bits() < a.bits();
        let item = if is_right { b } else { a };
        // SAFETY: promised by the caller.
        unsafe { to.put(both.left + both.right - middle, item) };
        both.left += usize::from(!is_right);
        both.right += usize::from(is_right);
    }

    /// How many of the first run are among the first `count` of both.
    fn of_first(&self, middle: usize, count: usize) -> usize {
        let mut low = count.saturating_sub(self.n - middle);
        let mut high = count.min(middle);
        while low < high {
            let left = low.midpoint(high);
            // Of equal elements, those of the first run are before.
            match self.bits(left) <= self.bits(middle + count - 1 - left) {
                true => low = left + 1,
                false => high = left,
            }
        }
        low
    }
}
