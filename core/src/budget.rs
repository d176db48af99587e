//! How much memory the arrays of a step may take.
//!
//! In: a limit, and a step of a sequence. Out: what the step gives; an array for which there is no
//! room any more is not made, and the step fails, before it has computed the array.
//! Assumes: nothing.
//!
//! Note \[Budgets\]. Sizes are known before elements: where items have lengths of their own, offsets
//! are computed first, then room is made for all elements, then these are computed. So a reservation
//! measures, and one that is refused costs what it takes to measure. A budget belongs to the thread
//! that runs the step, and goes with what that hands to other threads ([`apart`]); while it waits for
//! these it may do others' work, to which the budget does not apply. Arrays inside of bodies, which
//! live for one element at a time, and rooms of a few values for each chunk of a kernel are not
//! counted; where bodies' arrays are joined in one pass, what grows is ([`take`]).

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::Failure;

/// What is left for the arrays of a step.
#[derive(Debug)]
pub(crate) struct Budget {
    most: usize,
    left: AtomicUsize,
    was_short: AtomicBool,
}

impl Budget {
    /// So many bytes.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Budget {
            most,
            left: AtomicUsize::new(most),
            was_short: AtomicBool::new(false),
        })
    }

    /// Whether a reservation was refused.
    pub(crate) fn was_short(&self) -> bool {
        self.was_short.load(Ordering::Relaxed)
    }
}

thread_local! {
    static HERE: RefCell<Option<Arc<Budget>>> = const { RefCell::new(None) };
}

/// Puts a budget in the place of that of this thread; one that ends has none.
fn replace(budget: Option<Arc<Budget>>) -> Option<Arc<Budget>> {
    HERE.try_with(|here| here.replace(budget)).ok().flatten()
}

/// Calls `f` under a budget, or under none.
pub(crate) fn within<T>(budget: Option<Arc<Budget>>, f: impl FnOnce() -> T) -> T {
    /// Puts back what was there before, after a panic too.
    struct Outer(Option<Arc<Budget>>);
    impl Drop for Outer {
        fn drop(&mut self) {
            replace(self.0.take());
        }
    }
    let _outer = Outer(replace(budget));
    f()
}

/// What is handed to other threads is under the same budget as here.
pub(crate) struct Carried(Option<Arc<Budget>>);

impl Carried {
    /// Calls `f` under it.
    pub(crate) fn on<T>(&self, f: impl FnOnce() -> T) -> T {
        match &self.0 {
            None => f(),
            Some(budget) => within(Some(budget.clone()), f),
        }
    }
}

/// Calls `f`, which hands work to other threads and waits for it.
pub(crate) fn apart<T>(f: impl FnOnce(&Carried) -> T) -> T {
    let here = HERE.try_with(|here| here.borrow().clone()).ok().flatten();
    match here {
        None => f(&Carried(None)),
        here => within(None, || f(&Carried(here))),
    }
}

/// Counts an array of so many bytes.
///
/// Errors: `OutOfMemory` where no budget has them left.
#[inline]
pub(crate) fn take(bytes: usize) -> Result<(), Failure> {
    let taken = HERE.try_with(|here| match &*here.borrow() {
        None => Ok(()),
        Some(budget) => budget.take(bytes),
    });
    taken.unwrap_or(Ok(()))
}

/// Counts an array of so many bytes no longer.
#[inline]
pub(crate) fn give(bytes: usize) {
    let _ends = HERE.try_with(|here| {
        if let Some(budget) = &*here.borrow() {
            budget.give(bytes);
        }
    });
}

impl Budget {
    fn take(&self, bytes: usize) -> Result<(), Failure> {
        let less = |left: usize| left.checked_sub(bytes);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.map(drop).map_err(|_| {
            self.was_short.store(true, Ordering::Relaxed);
            Failure::OutOfMemory { bytes }
        })
    }

    /// Some of what comes back was never counted.
    fn give(&self, bytes: usize) {
        let more = |left: usize| Some(left.saturating_add(bytes).min(self.most));
        let _always = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}
