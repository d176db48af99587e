//! Handing a value from one chunk to the next, between threads.
//!
//! In: chunks numbered from 0, each asked for by one thread. Out: their carries, in order.
//! Assumes: whoever takes chunk `c` passes on the carry into the next chunk that is asked for, or
//! panics, without waiting for others.
//!
//! Note [Chained chunks]: workers take chunks in order. A worker does for its chunks what needs no carry, waits
//! for its turn, takes the carry and leaves the one into the next chunk, then does the rest while what it
//! has computed is still in its cache. A worker never waits except for lower chunks, whose workers are
//! running, so any number of threads will do.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// The carry from chunk to chunk, handed on in order. See Note \[Chained chunks\].
pub(crate) struct Chain<T> {
    /// The chunk whose turn it is; `BROKEN` when a worker panicked.
    turn: AtomicUsize,
    carry: Mutex<Option<T>>,
}

/// The turn of a chain that is broken.
pub(crate) const BROKEN: usize = usize::MAX;

impl<T: Copy> Chain<T> {
    /// The turn is chunk 0's, with `start` for its carry.
    pub(crate) fn new(start: Option<T>) -> Self {
        Chain {
            turn: AtomicUsize::new(0),
            carry: Mutex::new(start),
        }
    }

    /// Waits for the turn of chunk `c` and returns the carry into it.
    pub(crate) fn wait(&self, c: usize) -> Option<T> {
        wait_for(&self.turn, c);
        *self.lock()
    }

    /// Leaves the carry into chunk `next`, whose turn it is after that of `c` unless the chain is
    /// broken.
    pub(crate) fn pass(&self, c: usize, next: usize, carry: Option<T>) {
        *self.lock() = carry;
        // A chain that was broken meanwhile stays so.
        let _ = self
            .turn
            .compare_exchange(c, next, Ordering::Release, Ordering::Relaxed);
    }

    /// The last carry left.
    pub(crate) fn into_carry(self) -> Option<T> {
        *self.lock()
    }

    /// Breaks the chain when dropped, so that nobody waits for a worker that panicked.
    pub(crate) fn guard(&self) -> BreakOnDrop<'_> {
        BreakOnDrop::new(&self.turn)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<T>> {
        self.carry
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn wait_for(turn: &AtomicUsize, c: usize) {
    let mut tries = 0_u32;
    loop {
        match turn.load(Ordering::Acquire) {
            now if now == c => return,
            BROKEN => panic!("another worker of this scan panicked"),
            _before => pause(tries),
        }
        tries = tries.saturating_add(1);
    }
}

/// Waits for a moment, after so many.
pub(crate) fn pause(moments: u32) {
    match moments {
        0..200 => core::hint::spin_loop(),
        _ => std::thread::yield_now(),
    }
}

/// Breaks the chain when dropped.
pub(crate) struct BreakOnDrop<'a>(&'a AtomicUsize);

impl<'a> BreakOnDrop<'a> {
    /// Of the chain whose turn this is.
    pub(crate) fn new(turn: &'a AtomicUsize) -> Self {
        BreakOnDrop(turn)
    }
}

impl Drop for BreakOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(BROKEN, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_broken_chain_stays_broken() {
        let chain = Chain::new(Some(1));
        assert_eq!(chain.wait(0), Some(1));
        // The worker of chunk 1 panics before that of chunk 0 is done.
        drop(chain.guard());
        chain.pass(0, 1, Some(2));
        let waited = catch_unwind(AssertUnwindSafe(|| chain.wait(1)));
        assert!(waited.is_err());
    }
}
