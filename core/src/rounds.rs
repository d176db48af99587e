//! Rows whose values are made of elements anywhere, on machines that read a vector of these by one instruction.
//!
//! In: a kernel that reads elements anywhere, and a range of its indices. Out: their sum, with the bits that
//! `reduce.rs` gives, see Note [Order of combination] there.
//! Assumes: the level is the highest, and its lanes are those that the caller names.
//!
//! Note [In registers]: a round of accumulators is as many vectors as there are registers for beside what makes
//! the values, so these are added as they are made, and what waits for memory waits all the time: with values
//! of many rows in a buffer first, and sums of them behind, nothing is read meanwhile (a sixth of the time of a
//! product of a matrix with 60 elements in a row, on two cores of a Xeon). Blocks that reach over the end of a
//! row make values that are left out, so rows of fewer elements on average than [`MANY`] go through the buffer.

use core::ops::Range;

use crate::flag::Masked;
use crate::kernel::{CHUNK, Combine, Flag, Kernel, LANES, Product};
use crate::level::MAX_LANES;
use crate::row_sums;
use crate::short::both;

/// Lanes of a block: half a round, or there are too few registers for what it reads.
const HALF: usize = LANES / 2;

/// Rows of so many elements on average are summed so.
pub(crate) const MANY: usize = 40;

/// From this cost on values that are left out cost too much.
const DEAR: u32 = 16;

/// Whether this is how a kernel's values are summed at a level of `L` lanes, which `dispatch` has chosen.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    if const { may_apply::<K, L>() } {
        row_sums::applies::<K, L>()
    } else {
        false
    }
}

/// Whether that may be, as far as constants tell.
pub(crate) const fn may_apply<K: Combine, const L: usize>() -> bool {
    let cheap = K::GATHERS && !K::FINDS && K::COST < DEAR;
    L == MAX_LANES && cheap && row_sums::may_apply::<K, L>()
}

/// Whether this is how a row is summed: it has elements, and not too many, and blocks that reach over its end
/// are among the first `elements`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fits(row: &Range<usize>, elements: usize) -> bool {
    let len = row.len();
    let end = row.start.saturating_add(len.next_multiple_of(HALF));
    (1..=CHUNK).contains(&len) && end <= elements
}

/// The sum of the values of a row that [fits](fits). If a value behind it fails, that counts, too.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn total<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    row: Range<usize>,
    flag: &mut F,
) -> K::Out {
    let (mut low, mut high) = (none(kernel), none(kernel));
    let mut at = row.start;
    while row.end - at >= LANES {
        low = both(kernel, &low, &half(kernel, at, flag), flag);
        high = both(kernel, &high, &half(kernel, at + HALF, flag), flag);
        at += LANES;
    }
    let rest = row.end - at;
    let mut last = K::Out::zero().splat::<LANES>();
    if rest > 0 {
        block(
            kernel,
            at,
            K::Out::slots_from::<LANES, HALF>(&mut last, 0),
            flag,
        );
    }
    if rest > HALF {
        let slots = K::Out::slots_from::<LANES, HALF>(&mut last, HALF);
        block(kernel, at + HALF, slots, flag);
    }
    let last = &K::Out::firsts::<LANES>(&last)[..rest];
    // SAFETY: promised by the caller.
    unsafe {
        if row.len() < LANES {
            return row_sums::row_sum::<K, false, L>(last);
        }
        let mut acc = K::Out::zero().splat::<LANES>();
        K::Out::put_whole::<LANES, HALF>(&low, &mut acc, 0);
        K::Out::put_whole::<LANES, HALF>(&high, &mut acc, HALF);
        row_sums::sum_with::<K>(K::Out::firsts::<LANES>(&acc), last)
    }
}

/// Half of a round of accumulators, or of values.
type Half<K> = <<K as Kernel>::Out as Product>::Lanes<HALF>;

#[cfg_attr(optimised, inline(always))]
fn none<K: Combine>(kernel: &K) -> Half<K> {
    kernel.neutral().splat::<HALF>()
}

#[cfg_attr(optimised, inline(always))]
fn half<K: Combine, F: Flag>(kernel: &K, at: usize, flag: &mut F) -> Half<K> {
    let mut values = K::Out::zero().splat::<HALF>();
    block(kernel, at, K::Out::slots(&mut values), flag);
    values
}

/// The values of a block. (With a flag of its own, or LLVM makes no masks of what it reads.)
#[cfg_attr(optimised, inline(always))]
fn block<K: Combine, F: Flag>(
    kernel: &K,
    at: usize,
    to: <K::Out as Product>::Slots<'_, HALF>,
    flag: &mut F,
) {
    let mut masked = Masked::default();
    kernel.block::<HALF, Masked>(at, to, &mut masked);
    flag.check(masked.violated(), 0, [0; 3]);
}
