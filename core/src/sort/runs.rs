//! Elements that are in order already, or two such runs after each other, as `merge` makes them.
//!
//! In: elements. Out: where the second run begins; both merged. Assumes: nothing.

use core::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::items::{Item, Source};
use super::lines::other_items;
use super::merge::Two;
use super::places::Place;
use crate::parallel;

/// Elements that are looked at before others are.
const FIRST: usize = 1 << 10;

/// Operations that it counts as to look at an element.
const LOOK: usize = 4;

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
        let lens = [middle, self.n - middle];
        // SAFETY: whoever made this says that there are `n`; the rest is promised by the caller.
        let in_order = unsafe { Two::new([self.from; 2], lens, middle).merge(to) };
        if !in_order {
            other_items();
        }
    }
}
