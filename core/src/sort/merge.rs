//! Two runs of elements that are in order, in one.
//!
//! In: elements of two runs. Out: their results, of equal elements those of the first run first; or that they
//! were not in order.
//! Assumes: nothing.
//!
//! Note \[Merging\]. Each task finds what of both runs goes to its part of the results: so many elements
//! that none of those left is less (the merge path). It takes the lesser of two again and again then,
//! without a branch, which could not be guessed. Which two are the next depends on that, so a step waits for
//! the one before; a task has four parts, which take their steps in turn and wait together. As long as each of
//! them has enough of both runs, nobody asks where these end. What comes of a part goes to a block in the
//! nearest cache, where it is looked at, and from there to where results go, round the caches if they have no room
//! for all.
//!
//! Runs need not be looked at first. What parts write is all of both runs, since ends of one are beginnings of the
//! next; if it is in order, nothing else is what a sort gives. If it is not, one of the runs was not.

use core::mem::MaybeUninit;
use core::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::items::{Item, Source};
use super::places::Place;
use crate::{memory, parallel};

/// Operations that it counts as to merge an element.
const MERGE: usize = 64;

/// Parts that a task merges together.
const PARTS: usize = 4;

/// Results of a part that are kept in the nearest cache.
const BLOCK: usize = 1 << 9;

/// Room for these.
type Block<I> = [MaybeUninit<I>; BLOCK];

/// Two runs, the second of which begins at a place of its own source.
pub(super) struct Two<S> {
    from: [S; 2],
    lens: [usize; 2],
    begin: usize,
}

/// What is left of a part.
struct Part<I> {
    /// Where each run goes on, and ends.
    next: [usize; 2],
    ends: [usize; 2],
    /// The last of those before.
    last: Option<I>,
}

impl<I> Part<I> {
    /// How many results come before either run may be at its end.
    fn steps(&self) -> usize {
        (self.ends[0] - self.next[0]).min(self.ends[1] - self.next[1])
    }
}

impl<S: Source> Two<S> {
    /// # Safety
    /// `from` have so many items, the second from `begin` on, which nobody writes while this lives.
    pub(super) unsafe fn new(from: [S; 2], lens: [usize; 2], begin: usize) -> Self {
        Two { from, lens, begin }
    }

    /// An item of a run, which has so many.
    #[inline(always)]
    fn item(&self, run: usize, at: usize) -> S::Item {
        debug_assert!(at < self.lens[run]);
        let at = if run == 0 { at } else { self.begin + at };
        // SAFETY: whoever made this says that there is one.
        unsafe { self.from[run].item(at) }
    }

    /// Writes the results if both runs are in order; else gives `false`, and has written any.
    ///
    /// # Safety
    /// There is room for all at `to`, apart from what they are made of, which nobody else accesses meanwhile.
    pub(super) unsafe fn merge<P: Place<Item = S::Item>>(&self, to: P) -> bool {
        let n = self.lens[0] + self.lens[1];
        let (failed, streams) = (AtomicBool::new(false), P::streams(n));
        parallel::for_ranges(n, 1, MERGE, &|range| {
            if failed.load(Ordering::Relaxed) {
                return;
            }
            // SAFETY: promised by the caller; a range is one task's alone.
            let done = unsafe { self.task(range, to, streams) };
            if done.is_none() {
                failed.store(true, Ordering::Relaxed);
            }
            if streams {
                memory::fence();
            }
        });
        !failed.into_inner()
    }

    /// Writes a range of the results; nothing if they are not in order.
    ///
    /// # Safety
    /// As for [`merge`](Self::merge), for this range.
    unsafe fn task<P>(&self, range: Range<usize>, to: P, streams: bool) -> Option<()>
    where
        P: Place<Item = S::Item>,
    {
        let cut = |part: usize| range.start + range.len() * part / PARTS;
        let part = |at: usize| self.part(cut(at)..cut(at + 1));
        let [first, second, third, fourth] = core::array::from_fn(part);
        let mut parts = [first?, second?, third?, fourth?];
        let mut blocks = [[const { MaybeUninit::uninit() }; BLOCK]; PARTS];
        loop {
            let steps = parts.iter().map(Part::steps).min().unwrap_or(0);
            if steps == 0 {
                break;
            }
            let steps = steps.min(BLOCK);
            self.steps(&mut parts, &mut blocks, steps);
            for (part, block) in parts.iter_mut().zip(&blocks) {
                // SAFETY: so many have been written; promised by the caller.
                unsafe { self.hand_on(part, taken(block, steps), to, streams)? };
            }
        }
        for (part, block) in parts.iter_mut().zip(&mut blocks) {
            let (parts, blocks) = (core::array::from_mut(part), core::array::from_mut(block));
            while parts[0].steps() > 0 {
                let steps = parts[0].steps().min(BLOCK);
                self.steps(parts, blocks, steps);
                // SAFETY: as above.
                unsafe { self.hand_on(&mut parts[0], taken(&blocks[0], steps), to, streams)? };
            }
            // SAFETY: as above.
            unsafe { self.rest(part, block, to, streams)? };
        }
        Some(())
    }

    /// Takes so many steps of each part, which has as many of both runs.
    #[inline(always)]
    fn steps<const N: usize>(
        &self,
        parts: &mut [Part<S::Item>; N],
        blocks: &mut [Block<S::Item>; N],
        steps: usize,
    ) {
        let mut next = core::array::from_fn::<_, N, _>(|at| parts[at].next);
        for step in 0..steps {
            for at in 0..N {
                let [left, right] = next[at];
                let (a, b) = (self.item(0, left), self.item(1, right));
                let is_right = b.bits() < a.bits();
                blocks[at][step].write(if is_right { b } else { a });
                next[at] = [left + usize::from(!is_right), right + usize::from(is_right)];
            }
        }
        for (part, next) in parts.iter_mut().zip(next) {
            part.next = next;
        }
    }

    /// Takes what is left of a part of which one run is at its end.
    ///
    /// # Safety
    /// As for [`hand_on`](Self::hand_on).
    unsafe fn rest<P: Place<Item = S::Item>>(
        &self,
        part: &mut Part<S::Item>,
        block: &mut Block<S::Item>,
        to: P,
        streams: bool,
    ) -> Option<()> {
        for run in 0..2 {
            while part.next[run] < part.ends[run] {
                let left = part.ends[run] - part.next[run];
                let items = left.min(BLOCK);
                for (at, room) in block[..items].iter_mut().enumerate() {
                    room.write(self.item(run, part.next[run] + at));
                }
                part.next[run] += items;
                // SAFETY: as many have been written; promised by the caller.
                unsafe { self.hand_on(part, taken(block, items), to, streams)? };
            }
        }
        Some(())
    }

    /// Writes results of a part, up to where it goes on; nothing if they are not in order.
    ///
    /// # Safety
    /// There is room for them at `to`, which nobody else accesses meanwhile.
    #[inline(always)]
    unsafe fn hand_on<P: Place<Item = S::Item>>(
        &self,
        part: &mut Part<S::Item>,
        items: &[S::Item],
        to: P,
        streams: bool,
    ) -> Option<()> {
        let [.., last] = items else { return Some(()) };
        let mut falls = part
            .last
            .is_some_and(|before| items[0].bits() < before.bits());
        for at in 1..items.len() {
            falls |= items[at].bits() < items[at - 1].bits();
        }
        if falls {
            return None;
        }
        part.last = Some(*last);
        let at = part.next[0] + part.next[1] - items.len();
        // SAFETY: promised by the caller; who streams has a fence behind it.
        unsafe {
            let to = to.behind(at);
            match streams {
                true => to.put_block(items),
                false => (items.iter().enumerate()).for_each(|(at, item)| to.put(at, *item)),
            }
        }
        Some(())
    }

    /// What of both runs are the results of a range; nothing if they are not in order.
    fn part(&self, range: Range<usize>) -> Option<Part<S::Item>> {
        let cut = |count: usize| {
            let left = self.of_first(count);
            [left, count - left]
        };
        let (next, ends) = (cut(range.start), cut(range.end));
        let before = |run: usize| next[run].checked_sub(1).map(|at| self.item(run, at));
        // The last result before the range is one of these, and the greater if they are in order.
        let last = match (before(0), before(1)) {
            (Some(a), Some(b)) => Some(if b.bits() < a.bits() { a } else { b }),
            (a, b) => a.or(b),
        };
        let is_range = next[0] <= ends[0] && next[1] <= ends[1];
        is_range.then_some(Part { next, ends, last })
    }

    /// How many of the first run are among the first `count` of both.
    fn of_first(&self, count: usize) -> usize {
        let mut low = count.saturating_sub(self.lens[1]);
        let mut high = count.min(self.lens[0]);
        while low < high {
            let left = low.midpoint(high);
            // Of equal elements, those of the first run are before.
            match self.item(0, left).bits() <= self.item(1, count - 1 - left).bits() {
                true => low = left + 1,
                false => high = left,
            }
        }
        low
    }
}

/// The items that a block begins with.
///
/// # Safety
/// So many have been written.
#[inline(always)]
unsafe fn taken<I>(block: &Block<I>, items: usize) -> &[I] {
    // SAFETY: promised by the caller.
    unsafe { block[..items].assume_init_ref() }
}
