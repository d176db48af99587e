//! Reductions that give the first index at which a condition holds.
//!
//! In: a kernel that seeks (`Combine::SEEKS`). Out: the least of its values, as `reduce.rs` gives it.
//! Assumes: what `SEEKS` says; so values behind the first that is found need not be computed.
//!
//! Note [Searches]: whether any of a block's conditions holds is one test, where the least of its indices
//! takes a comparison and a choice for each lane. And the search ends there. Threads take ranges in order,
//! so that none is far ahead of where the first may be found.
//!
//! Where a part of the conditions takes less than all (`Combine::IN_PARTS`), blocks are asked for the part
//! first. In arrays in which it often holds that is in vain: behind two blocks in which it does,
//! one is asked for all at once, behind the next three, and so on up to [`WHOLLY`], until it does not hold.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::blocks::{Rest, each, singly};
use crate::kernel::{Combine, Fast, Flag, lanes_of};
use crate::level::{Task, dispatch};
use crate::overhang::{self, Beyond};
use crate::parallel;

/// Whether a kernel's values are sought.
pub(crate) const fn applies<K: Combine, const L: usize>() -> bool {
    K::SEEKS && L > 1
}

/// Estimated scalar operations of what is sought first, by the calling thread: some microseconds.
const FIRST: usize = 1 << 18;

/// Ranges begin at multiples of this: whole blocks of all sizes.
const WHOLE: usize = 192;

/// The least value of `0..n`.
pub(crate) fn least<K: Combine>(kernel: &K, n: usize) -> K::Out {
    let cost = K::COST.max(1) as usize;
    let few = (FIRST / cost).max(1).next_multiple_of(WHOLE);
    let task = parallel::leaf(n.saturating_sub(few), cost).next_multiple_of(WHOLE);
    let seek = Seek {
        kernel,
        n,
        task,
        next: AtomicUsize::new(few),
        least: AtomicUsize::new(usize::MAX),
    };
    // What is found at once wakes nobody.
    let found = dispatch(First(kernel, 0..n.min(few)));
    if found != usize::MAX || few >= n {
        return kernel.number(found);
    }
    let threads = parallel::threads((n - few).div_ceil(task), task.saturating_mul(cost));
    parallel::workers(threads, &|| seek.work());
    kernel.number(seek.least.into_inner())
}

/// What threads share.
struct Seek<'k, K> {
    kernel: &'k K,
    n: usize,
    /// How many indices a thread takes at once.
    task: usize,
    /// The next that nobody has taken.
    next: AtomicUsize,
    /// The least that was found.
    least: AtomicUsize,
}

impl<K: Combine> Seek<'_, K> {
    /// Takes ranges, as long as there are some before what was found.
    fn work(&self) {
        loop {
            let start = self.next.fetch_add(self.task, Ordering::Relaxed);
            if start >= self.n.min(self.least.load(Ordering::Relaxed)) {
                return;
            }
            let range = start..self.n.min(start + self.task);
            let found = dispatch(First(self.kernel, range));
            self.least.fetch_min(found, Ordering::Relaxed);
        }
    }
}

/// The first index of a range.
struct First<'k, K>(&'k K, Range<usize>);

impl<K: Combine> Task for First<'_, K> {
    type Out = usize;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> usize {
        first::<K, Fast, L, false>(self.0, self.1, &mut Fast::default())
    }
}

/// The least value of a range. `INSIDE` of a nest, or not.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> K::Out {
    kernel.number(first::<K, F, L, INSIDE>(kernel, range, flag))
}

/// The first index of the range that is its own value; `usize::MAX` if there is none.
#[cfg_attr(optimised, inline(always))]
fn first<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> usize {
    if const { INSIDE && overhang::applies::<K, F, L>() } {
        beyond::<K, L>(kernel, range)
    } else if const { K::IN_THREES && !INSIDE && L == 32 } {
        covered::<K, F, 96, INSIDE>(kernel, range, flag)
    } else if const { lanes_of::<K>(L) < L } {
        covered::<K, F, 32, INSIDE>(kernel, range, flag)
    } else {
        covered::<K, F, L, INSIDE>(kernel, range, flag)
    }
}

/// The same, by blocks of `B` lanes, of which the last may begin before the one in front of it has ended; value
/// by value, or in small blocks, if there are fewer.
#[cfg_attr(optimised, inline(always))]
fn covered<K: Combine, F: Flag, const B: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> usize {
    let Range { start, end } = range;
    if end - start >= B {
        let mut next = start;
        let mut conditions = Conditions::default();
        while next < end {
            let at = next.min(end - B);
            let holds = conditions.of::<K, F, B>(kernel, at, flag);
            if holds != [false; B] {
                return at + position(&holds);
            }
            next = at + B;
        }
        return usize::MAX;
    }
    let mut rest = Rest {
        kernel,
        total: kernel.neutral(),
    };
    match INSIDE {
        true => each::<K, _, F, 16, true>(kernel, start..end, &mut rest, flag),
        false => singly(kernel, start..end, &mut rest, flag),
    }
    kernel.index(rest.total)
}

/// The same, of a kernel whose blocks may reach over the end.
#[cfg_attr(optimised, inline(always))]
fn beyond<K: Combine, const L: usize>(kernel: &K, range: Range<usize>) -> usize {
    let Range { mut start, end } = range;
    let mut conditions = Conditions::default();
    while start < end {
        let holds = conditions.of::<K, Beyond, L>(kernel, start, &mut Beyond);
        if holds != [false; L] {
            let found = start + position(&holds);
            return if found < end { found } else { usize::MAX };
        }
        start += L;
    }
    usize::MAX
}

/// The most blocks that are asked for all at once.
const WHOLLY: usize = 32;

/// Computes the conditions of blocks.
#[derive(Default)]
struct Conditions {
    /// How many of the next blocks are not asked for a part first.
    wholly: usize,
    /// How many they are behind the next block in which the part holds.
    then: usize,
}

impl Conditions {
    /// Those of `B` indices from `at` on, or none, where none holds.
    #[cfg_attr(optimised, inline(always))]
    fn of<K: Combine, F: Flag, const B: usize>(
        &mut self,
        kernel: &K,
        at: usize,
        flag: &mut F,
    ) -> [bool; B] {
        let mut holds = [false; B];
        if const { K::IN_PARTS } {
            if self.wholly > 0 {
                self.wholly -= 1;
            } else {
                kernel.may_hold::<B, F>(at, &mut holds, flag);
                if holds == [false; B] {
                    self.then = 0;
                    return holds;
                }
                self.wholly = self.then;
                self.then = (2 * self.then + 1).min(WHOLLY);
            }
        }
        kernel.holds::<B, F>(at, &mut holds, flag);
        holds
    }
}

/// The first lane in which it holds; how many there are if it does in none.
fn position<const B: usize>(holds: &[bool; B]) -> usize {
    holds.iter().position(|it| *it).unwrap_or(B)
}
