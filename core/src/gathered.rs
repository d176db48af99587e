//! Rows whose values are made of elements anywhere, on machines that read these one by one.
//!
//! In: a kernel that reads elements anywhere, and a range of its indices. Out: their sum, with the bits that
//! `reduce.rs` gives, see Note [Order of combination] there; or those that are kept.
//! Assumes: the level is the one that the caller names.
//!
//! Note [One by one]: where a vector of elements is read by a load for each, an index goes through a register
//! of its own. A check is one instruction there if it is a branch; in vectors, indices have to be moved there
//! first, and must be clamped besides. And what waits for memory should wait all the time: with values of
//! many rows in a buffer first, and sums of them behind, nothing is read meanwhile. So a row's first round of
//! values goes to accumulators in the nearest cache, and what follows is added to these, by blocks: to read a
//! vector whose numbers were stored one by one takes until all of these have left the processor. What fills no
//! block is one that goes on behind the row, of which the rest is made neutral. Values that are kept
//! are written where they go, kept or not: lanes would have to be brought together by shuffles, and cost the
//! same for a row of two elements as for one of sixteen.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Element, Flag, Kernel, LANES, Product};
use crate::lanes::NonEmpty;
use crate::level::MAX_LANES;
use crate::overhang::{Asks, only};
use crate::packing::Kept;
use crate::product::Bases;
use crate::row_sums;
use crate::short::both;

/// Values from one that is kept or not to the one that is asked for meanwhile: as many as a processor has under
/// way by itself.
const AHEAD: usize = 32;

/// Values that are computed together: so many that the code around them is little.
const BLOCK: usize = 8;

/// From this cost on values are better computed in vectors, whatever it takes to read their elements.
const DEAR: u32 = 16;

/// Whether this is how a kernel's values are summed at a level of `L` lanes, which `dispatch` has chosen:
/// there is code by hand for the rest, and no instruction that reads elements anywhere as fast.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    if const { !K::GATHERS || K::FINDS || K::COST >= DEAR || L == MAX_LANES } {
        return false;
    }
    row_sums::applies::<K, L>()
}

/// Whether this is how a row is summed: it has elements, and not too many, and blocks that reach over its end
/// are among the first `elements`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fits(row: &Range<usize>, elements: usize) -> bool {
    let len = row.len();
    (1..=CHUNK).contains(&len) && row.start + len.next_multiple_of(BLOCK) <= elements
}

/// Room for accumulators.
pub(crate) type Room<K> = <<K as Kernel>::Out as Product>::Lanes<LANES>;

/// The sum of the values of a row that [fits](fits). If a value behind it fails, that counts, too.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn total<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    row: Range<usize>,
    room: &mut Room<K>,
    flag: &mut F,
) -> K::Out {
    let mut branching = Branching::default();
    let whole = row.len() - row.len() % BLOCK;
    let first = whole.min(LANES);
    for at in (0..first).step_by(BLOCK) {
        let values = block(kernel, row.start + at, &mut branching);
        K::Out::put_whole::<LANES, BLOCK>(&values, room, at);
    }
    for at in (first..whole).step_by(BLOCK) {
        let values = block(kernel, row.start + at, &mut branching);
        add(kernel, &values, room, at % LANES, &mut branching);
    }
    let rest = row.len() - whole;
    if rest > 0 {
        let values = block(kernel, row.start + whole, &mut branching);
        let values = only::<K, BLOCK>(kernel, &values, rest);
        if whole < LANES {
            K::Out::put_whole::<LANES, BLOCK>(&values, room, whole);
        } else {
            add(kernel, &values, room, whole % LANES, &mut branching);
        }
    }
    if branching.violated() {
        flag.check(true, 0, [0; 3]);
    }
    // Neutral ones, too, are better added than left out.
    let live = row.len().next_multiple_of(BLOCK).min(LANES);
    let row = &K::Out::firsts::<LANES>(room)[..live];
    // SAFETY: promised by the caller.
    unsafe { row_sums::row_sum::<K, false, L>(row) }
}

/// The values of a block.
#[cfg_attr(optimised, inline(always))]
fn block<K: Combine, F: Flag>(kernel: &K, at: usize, flag: &mut F) -> Block<K> {
    let mut lanes = K::Out::zero().splat::<BLOCK>();
    kernel.block::<BLOCK, F>(at, K::Out::slots(&mut lanes), flag);
    lanes
}

type Block<K> = <<K as Kernel>::Out as Product>::Lanes<BLOCK>;

/// Adds a block of values to the accumulators from the `first` on.
#[cfg_attr(optimised, inline(always))]
fn add<K: Combine, F: Flag>(
    kernel: &K,
    values: &Block<K>,
    room: &mut Room<K>,
    first: usize,
    flag: &mut F,
) {
    let sums = K::Out::whole::<LANES, BLOCK>(room, first);
    let sums = both::<K, F, BLOCK>(kernel, &sums, values, flag);
    K::Out::put_whole::<LANES, BLOCK>(&sums, room, first);
}

/// Whether values that read elements anywhere are better kept one by one at a level of `L` lanes.
pub(crate) const fn alone<K: Kernel, const L: usize>() -> bool {
    K::GATHERS && K::COST < DEAR && L < MAX_LANES
}

/// Writes the kept ones of the values of `0..n`, and anything behind them; gives how many they are.
///
/// # Safety
/// There is room for `n` values and one more at `out`, which no other thread accesses meanwhile.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn keep<K: Kernel<Out: Kept>, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<<K::Out as Kept>::Values>,
    flag: &mut F,
) -> usize {
    let mut branching = Branching::default();
    let (mut at, mut place) = (0, 0);
    // A loop of its own, since most rows are short.
    while n - at > AHEAD {
        let mut asked = K::Out::zero().splat::<1>();
        kernel.block::<1, Asks>(at + AHEAD, K::Out::slots(&mut asked), &mut Asks);
        // SAFETY: as below.
        place += unsafe { keep_one(kernel, at, out, place, &mut branching) };
        at += 1;
    }
    while at < n {
        // SAFETY: not more than `at < n` have been kept.
        place += unsafe { keep_one(kernel, at, out, place, &mut branching) };
        at += 1;
    }
    if branching.violated() {
        flag.check(true, 0, [0; 3]);
    }
    place
}

/// Writes the value at an index to `place` of `out`; gives whether it is kept, as a number.
///
/// # Safety
/// There is room for one, which no other thread accesses meanwhile.
#[cfg_attr(optimised, inline(always))]
unsafe fn keep_one<K: Kernel<Out: Kept>>(
    kernel: &K,
    at: usize,
    out: Bases<<K::Out as Kept>::Values>,
    place: usize,
    flag: &mut Branching,
) -> usize {
    let mut value = K::Out::zero().splat::<1>();
    kernel.block::<1, Branching>(at, K::Out::slots(&mut value), flag);
    // SAFETY: promised by the caller; a block of one lane needs no level.
    unsafe { K::Out::pack::<1>(&value, out.get(), place) }
}

/// The flag of bodies that read elements one by one: it takes a branch at each check and each read, which
/// costs less than what `Fast` does without, unless loops over lanes become vectors.
#[derive(Clone, Copy, Debug, Default)]
struct Branching {
    violated: bool,
}

impl Branching {
    /// Apart, so that what goes wrong lies outside of the loop.
    #[cold]
    #[inline(never)]
    fn note(&mut self) {
        self.violated = true;
    }
}

impl Flag for Branching {
    const KEEPS_FIRST: bool = false;

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        self.violated
    }

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, violated: bool, _id: u32, _values: [i64; 3]) {
        if violated {
            self.note();
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn read<T: Element>(&self, xs: &NonEmpty<'_, T>, i: usize) -> T {
        // The length that a check before this has asked for: to LLVM, which then sees one comparison.
        if i >= xs.len() {
            return outside();
        }
        // SAFETY: there is an element at `i`, so `xs` is the array itself.
        unsafe { *xs.slice().get_unchecked(i) }
    }

    #[inline]
    fn fail(&mut self, _failure: Failure) {
        self.violated = true;
    }
}

/// What stands for an element that there is none of. Apart, as [`Branching::note`].
#[cold]
#[inline(never)]
fn outside<T: Element>() -> T {
    T::default()
}
