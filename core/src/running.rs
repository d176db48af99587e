//! What comes before each part of a scan, as far as it is known.
//!
//! In: parts numbered from 0, and the total of each, from any thread in any order. Out: their carries.
//! Assumes: what joins a carry and a total is the same for all, and never waits.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::chain::{BROKEN, BreakOnDrop, pause};
use crate::error::Failure;

/// The carry into each part, joined in the order of the parts, whoever sums them. See Note \[Scan in turns\] in
/// `scan.rs`.
pub(crate) struct RunningTotals<C, T> {
    /// The first part whose carry is not known; `BROKEN` when a worker panicked.
    unknown: AtomicUsize,
    parts: Mutex<Parts<C, T>>,
}

/// Part 0 is apart from the others, so that one part alone needs no vectors.
struct Parts<C, T> {
    start: C,
    first: Option<T>,
    totals: Vec<Option<T>>,
    /// Those that are known, from part 1 on, but for the last.
    carries: Vec<C>,
    last: C,
    /// How many totals have been joined.
    joined: usize,
}

impl<C: Copy, T: Copy> Parts<C, T> {
    fn total(&self, part: usize) -> Option<T> {
        match part {
            0 => self.first,
            _ => self.totals.get(part - 1).copied().flatten(),
        }
    }

    fn carry(&self, part: usize) -> C {
        match part {
            0 => self.start,
            _ => self.carries.get(part - 1).copied().unwrap_or(self.last),
        }
    }
}

impl<C: Copy, T: Copy> RunningTotals<C, T> {
    /// Of so many parts, one at least, before the first of which comes `start`.
    ///
    /// Errors: no memory.
    pub(crate) fn new(start: C, parts: usize) -> Result<Self, Failure> {
        let (mut carries, mut totals) = (Vec::new(), Vec::new());
        let reserved = (carries.try_reserve_exact(parts - 1))
            .and_then(|()| totals.try_reserve_exact(parts - 1));
        reserved.map_err(|_| Failure::OutOfMemory {
            bytes: parts.saturating_mul(size_of::<C>() + size_of::<Option<T>>()),
        })?;
        totals.resize(parts - 1, None);
        Ok(RunningTotals {
            unknown: AtomicUsize::new(1),
            parts: Mutex::new(Parts {
                start,
                first: None,
                totals,
                carries,
                last: start,
                joined: 0,
            }),
        })
    }

    /// Notes the total of a part, and joins all carries that follow from it: `join` is given the number of the part
    /// whose total it joins to the carry into it.
    pub(crate) fn add(&self, part: usize, total: T, mut join: impl FnMut(usize, C, T) -> C) {
        let parts = &mut *self.lock();
        match part {
            0 => parts.first = Some(total),
            _ => parts.totals[part - 1] = Some(total),
        }
        let before = parts.joined;
        while let Some(total) = parts.total(parts.joined) {
            let next = join(parts.joined, parts.last, total);
            if parts.joined > 0 {
                parts.carries.push(parts.last);
            }
            parts.last = next;
            parts.joined += 1;
        }
        // What is broken meanwhile stays so.
        let _ = self.unknown.compare_exchange(
            before + 1,
            parts.joined + 1,
            Ordering::Release,
            Ordering::Relaxed,
        );
    }

    /// The carry into a part whose total is known, and that total; `None` where something before it is not.
    ///
    /// # Panics
    /// If another worker has.
    pub(crate) fn before(&self, part: usize) -> Option<(C, T)> {
        match self.unknown.load(Ordering::Acquire) {
            BROKEN => panic!("another worker of this scan panicked"),
            unknown if part >= unknown => None,
            _known => {
                let parts = self.lock();
                parts.total(part).map(|total| (parts.carry(part), total))
            }
        }
    }

    /// The carry behind the last part, once the totals of all are known.
    pub(crate) fn into_last(self) -> C {
        let parts = self.parts.into_inner();
        parts.unwrap_or_else(PoisonError::into_inner).last
    }

    /// Breaks these carries when dropped, so that nobody waits for a worker that panicked.
    pub(crate) fn guard(&self) -> BreakOnDrop<'_> {
        BreakOnDrop::new(&self.unknown)
    }

    fn lock(&self) -> MutexGuard<'_, Parts<C, T>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parts that a worker has summed, and that wait for their carries, at most: what is summed while the system has
/// another worker put aside for about a millisecond.
pub(crate) const MOST_WAITING: usize = 64;

/// The parts of one worker.
pub(crate) struct Mine {
    /// Those that wait for their carries, the last taken `waiting` behind the first.
    parts: [usize; MOST_WAITING],
    first: usize,
    waiting: usize,
    /// How many may.
    most: usize,
    /// Whether there are parts that nobody has taken.
    more: bool,
    /// How often this worker has waited for others since it took a part.
    pauses: u32,
}

impl Mine {
    /// None yet, of which so many may wait.
    pub(crate) fn new(most: usize) -> Self {
        Mine {
            parts: [0; MOST_WAITING],
            first: 0,
            waiting: 0,
            most: most.min(MOST_WAITING),
            more: true,
            pauses: 0,
        }
    }

    /// The first part that waits for its carry.
    pub(crate) fn first(&self) -> Option<usize> {
        (self.waiting > 0).then(|| self.parts[self.first])
    }

    /// Forgets that part.
    pub(crate) fn written(&mut self) {
        self.first = (self.first + 1) % MOST_WAITING;
        self.waiting -= 1;
    }

    /// Whether another part may be taken.
    pub(crate) fn has_room(&self) -> bool {
        self.more && self.waiting < self.most
    }

    /// Notes that a part was taken, or that there is none.
    pub(crate) fn note(&mut self, taken: Option<usize>) -> Option<usize> {
        let Some(part) = taken else {
            self.more = false;
            return None;
        };
        self.parts[(self.first + self.waiting) % MOST_WAITING] = part;
        self.waiting += 1;
        self.pauses = 0;
        Some(part)
    }

    /// Waits for a moment.
    pub(crate) fn pause(&mut self) {
        pause(self.pauses);
        self.pauses = self.pauses.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn carries(parts: usize) -> RunningTotals<u32, u32> {
        RunningTotals::new(10, parts).unwrap()
    }

    fn add(carries: &RunningTotals<u32, u32>, part: usize, total: u32) {
        carries.add(part, total, |part, carry, total| {
            2 * carry + total + 1000 * part as u32
        });
    }

    #[test]
    fn totals_are_joined_in_the_order_of_the_parts() {
        let carries = carries(4);
        add(&carries, 2, 3);
        add(&carries, 1, 2);
        assert_eq!(carries.before(0), None);
        assert_eq!(carries.before(1), None);
        add(&carries, 0, 1);
        assert_eq!(
            [0, 1, 2].map(|part| carries.before(part)),
            [Some((10, 1)), Some((21, 2)), Some((1044, 3))]
        );
        assert_eq!(carries.before(3), None);
        add(&carries, 3, 4);
        assert_eq!(carries.into_last(), 2 * (2 * 1044 + 2003) + 3004);
    }

    #[test]
    fn broken_carries_stay_broken() {
        let carries = carries(2);
        add(&carries, 0, 1);
        assert_eq!(carries.before(0), Some((10, 1)));
        drop(carries.guard());
        add(&carries, 1, 1);
        let asked = catch_unwind(AssertUnwindSafe(|| carries.before(1)));
        assert!(asked.is_err());
    }
}
