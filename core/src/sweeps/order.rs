//! Which part of which pass a worker does next.
//!
//! In: how many passes over the arrays there are, and how many slabs. Out: each slab of each pass, once.
//! Assumes: that a slab needs of the pass before no more than itself and its neighbours.
//!
//! Note [No barrier between passes]. A pass reads one set of arrays and writes the other, the next one
//! the other way round. So a slab may begin when it and both neighbours are done with the pass before:
//! what it reads has been written then, and where it writes nobody reads any more. Slabs are handed out
//! in order, and with more of them than threads those have mostly been done for long: no thread stands
//! still between passes, and the pool is asked once. Whoever has to wait waits for a slab that a running
//! thread has, so that somebody always goes on, however many threads there are.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What workers share.
pub(super) struct Order {
    passes: usize,
    next: AtomicUsize,
    /// For each slab, the passes that have been done.
    done: Vec<AtomicUsize>,
    stopped: AtomicBool,
}

impl Order {
    pub(super) fn new(passes: usize, slabs: usize) -> Order {
        Order {
            passes,
            next: AtomicUsize::new(0),
            done: (0..slabs).map(|_| AtomicUsize::new(0)).collect(),
            stopped: AtomicBool::new(false),
        }
    }

    /// Gives passes and slabs to a worker until none is left, or a worker says that the rest is of no
    /// use.
    pub(super) fn work(&self, mut does: impl FnMut(usize, usize) -> bool) {
        let unless_done = Stop(self);
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            let (pass, slab) = (task / self.done.len(), task % self.done.len());
            if pass >= self.passes {
                break;
            }
            if !self.wait(pass, slab) || !does(pass, slab) {
                return;
            }
            self.done[slab].store(pass + 1, Ordering::Release);
        }
        core::mem::forget(unless_done);
    }

    /// Whether a worker has given up.
    pub(super) fn stopped(self) -> bool {
        self.stopped.into_inner()
    }

    /// Waits until a slab may begin with a pass; says whether it may.
    fn wait(&self, pass: usize, slab: usize) -> bool {
        let around = slab.saturating_sub(1)..self.done.len().min(slab + 2);
        let mut tries = 0;
        while !self.have_done(pass, around.clone()) {
            if self.stopped.load(Ordering::Relaxed) {
                return false;
            }
            tries += 1;
            match tries < SPINS {
                true => core::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        true
    }

    fn have_done(&self, pass: usize, slabs: Range<usize>) -> bool {
        let mut all = self.done[slabs].iter();
        all.all(|done| done.load(Ordering::Acquire) >= pass)
    }
}

/// How often a worker looks before it leaves its core to others: some microseconds.
const SPINS: usize = 1 << 10;

/// Tells the others that a worker has given up, also where it panics: they would wait for ever.
struct Stop<'a>(&'a Order);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// What each of three workers does at the same time.
    fn run(order: &Order, does: impl Fn(usize, usize) -> bool + Sync) {
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| order.work(&does));
            }
        });
    }

    #[test]
    fn a_slab_begins_after_its_neighbours() {
        for slabs in [1, 2, 3, 7] {
            let (order, seen) = (Order::new(20, slabs), Mutex::new(vec![0; slabs]));
            run(&order, |pass, slab| {
                let around = slab.saturating_sub(1)..slabs.min(slab + 2);
                assert!(seen.lock().unwrap()[around].iter().all(|it| *it >= pass));
                seen.lock().unwrap()[slab] += 1;
                true
            });
            assert!(!order.stopped());
            assert_eq!(seen.into_inner().unwrap(), vec![20; slabs]);
        }
    }

    #[test]
    fn nobody_waits_for_one_that_has_given_up() {
        let order = Order::new(1000, 4);
        run(&order, |pass, slab| (pass, slab) != (2, 1));
        assert!(order.stopped());
        let order = Order::new(1000, 4);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            run(&order, |pass, slab| {
                assert_ne!((pass, slab), (2, 1));
                true
            });
        }));
        assert!(result.is_err() && order.stopped());
    }
}
