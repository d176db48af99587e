//! Rows whose values are made of elements anywhere, on machines that read these one by one.
//!
//! In: a kernel that reads elements anywhere, and a range of its indices. Out: their sum, with the bits that
//! `reduce.rs` gives, see Note [Order of combination] there; or those that are kept.
//! Assumes: the level is the one that the caller names.
//!
//! Note [One by one]: where a vector of elements is read by a load for each, an index goes through a register
//! of its own. A check is one instruction there if it is a branch; in vectors, indices have to be moved there
//! first, and must be clamped besides. And what waits for memory should wait all the time: with values of
//! many rows in a buffer first, and sums of them behind, nothing is read meanwhile. So a row of a round at most
//! is summed in registers, from its first block to its last: in the order of the tree it would be read here and
//! there, and what is to come would be asked for late. (Rows of a few elements are better summed from a
//! buffer, all the same, unless they take as many blocks each: what ends a row takes longer than its elements,
//! and is predicted badly.) Of a longer one the first round goes to accumulators in the nearest cache, and what
//! follows is added to these, by blocks: to read a vector whose numbers were stored one by one takes until all
//! of these have left the processor. What fills no block is one that goes on behind the row, of which the rest
//! is made neutral.
//! Values that are kept are written where they go, kept or not: lanes would have to be brought together by
//! shuffles, and cost the same for a row of two elements as for one of sixteen.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Element, Flag, Kernel, LANES, Product};
use crate::lanes::NonEmpty;
use crate::level::MAX_LANES;
use crate::overhang::{Asks, only};
use crate::packing::Kept;
use crate::product::Bases;
use crate::row_sums::{self, BLOCK, Block, add_blocks, block_sum, first_of_block};
use crate::short::both;

/// Values from one that is kept or not to the one that is asked for meanwhile: as many as a processor has under
/// way by itself.
const AHEAD: usize = 32;

/// Those that go to memory: more, since registers need not hold sums, and kernels ask for the elements of later
/// indices in blocks of so many only.
const WIDE: usize = 16;

/// Elements that are read before those behind are checked; a line of long ones, which is asked for with them.
const HALF: usize = BLOCK / 2;

/// From this cost on values are better computed in vectors, whatever it takes to read their elements.
const DEAR: u32 = 16;

/// Whether this is how a kernel's values are summed at a level of `L` lanes, which `dispatch` has chosen:
/// there is code by hand for the rest, and no instruction that reads elements anywhere as fast.
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
    alone::<K, L>() && !K::FINDS && row_sums::may_apply::<K, L>()
}

/// Whether this is how a row is summed: it has elements, and not too many, and they are among the first
/// `elements`, as are the blocks of a row of a round that reach over its end.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fits(row: &Range<usize>, elements: usize) -> bool {
    let len = row.len();
    let end = match len <= LANES {
        true => row.start.saturating_add(len.next_multiple_of(BLOCK)),
        false => row.end,
    };
    (1..=CHUNK).contains(&len) && end <= elements
}

/// Room for accumulators.
pub(crate) type Room<K> = <<K as Kernel>::Out as Product>::Lanes<LANES>;

/// The sum of the values of a row that [fits](fits) among the first `elements`. If a value behind it fails, that
/// counts, too.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn total<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    row: Range<usize>,
    elements: usize,
    room: &mut Room<K>,
    flag: &mut F,
) -> K::Out {
    let total = if row.len() <= LANES {
        // SAFETY: promised by the caller.
        unsafe { round(kernel, &row) }
    } else {
        // SAFETY: promised by the caller.
        unsafe { rounds::<K, L>(kernel, row, elements, room) }
    };
    total.unwrap_or_else(|| {
        flag.check(true, 0, [0; 3]);
        kernel.neutral()
    })
}

/// The sum of a row of more than a round; `None` if a check is violated.
///
/// # Safety
/// As [`total`].
#[cfg_attr(optimised, inline(always))]
unsafe fn rounds<K: Combine, const L: usize>(
    kernel: &K,
    row: Range<usize>,
    elements: usize,
    room: &mut Room<K>,
) -> Option<K::Out> {
    for at in (0..LANES).step_by(BLOCK) {
        let values = by_halves(kernel, row.start + at)?;
        K::Out::put_whole::<LANES, BLOCK>(&values, room, at);
    }
    let whole = row.len() - row.len() % BLOCK;
    for at in (LANES..whole).step_by(BLOCK) {
        let values = by_halves(kernel, row.start + at)?;
        add(kernel, &values, room, at % LANES);
    }
    let rest = row.len() - whole;
    if rest > 0 {
        let at = row.start + whole;
        let values = match at + BLOCK <= elements {
            true => only::<K, BLOCK>(kernel, &by_halves(kernel, at)?, rest),
            false => one_by_one(kernel, at, rest)?,
        };
        add(kernel, &values, room, whole % LANES);
    }
    // SAFETY: promised by the caller.
    Some(unsafe { row_sums::row_sum::<K, false, L>(K::Out::firsts::<LANES>(room)) })
}

/// The sum of a row of a round at most; `None` if a check is violated. A half of the accumulators is as
/// many as registers hold. (Written out, since LLVM would keep them in memory to loop over them. By hand,
/// since it would make vectors of two, for which there are too few registers.)
///
/// # Safety
/// As [`total`].
#[cfg_attr(optimised, inline(always))]
unsafe fn round<K: Combine>(kernel: &K, row: &Range<usize>) -> Option<K::Out> {
    const { assert!(LANES == 8 * BLOCK) };
    let none = kernel.neutral().splat::<BLOCK>();
    // SAFETY: promised by the caller, here and below.
    let (mut a, mut b, mut c, mut d) = (unsafe { live(kernel, row, 0)? }, none, none, none);
    if row.len() <= BLOCK {
        // SAFETY: as above.
        return Some(unsafe { block_sum::<K>(&a) });
    }
    'row: {
        macro_rules! add {
            ($($part:literal $sums:ident)+) => {$(
                if row.len() <= BLOCK * $part {
                    break 'row;
                }
                // SAFETY: as above.
                $sums = unsafe { add_blocks::<K>(&$sums, &live(kernel, row, $part)?) };
            )+};
        }
        add! { 1 b 2 c 3 d 4 a 5 b 6 c 7 d }
    }
    // SAFETY: promised by the caller.
    unsafe {
        let sums = add_blocks::<K>(&add_blocks::<K>(&a, &c), &add_blocks::<K>(&b, &d));
        Some(block_sum::<K>(&sums))
    }
}

/// Block `part` of a row, neutral behind the row's end.
///
/// # Safety
/// As [`total`].
#[cfg_attr(optimised, inline(always))]
unsafe fn live<K: Combine>(kernel: &K, row: &Range<usize>, part: usize) -> Option<Block<K>> {
    let values = block(kernel, row.start + BLOCK * part)?;
    let left = row.len() - BLOCK * part;
    Some(match left < BLOCK {
        // SAFETY: promised by the caller.
        true => unsafe { first_of_block::<K>(&values, left) },
        false => values,
    })
}

/// The values of a block, a half after the other: the indices of all of it do not stay in registers until all
/// are checked. `None` if a check is violated.
#[cfg_attr(optimised, inline(always))]
fn block<K: Combine>(kernel: &K, at: usize) -> Option<Block<K>> {
    let mut lanes = K::Out::zero().splat::<BLOCK>();
    K::Out::put_whole::<BLOCK, HALF>(&half(kernel, at)?, &mut lanes, 0);
    K::Out::put_whole::<BLOCK, HALF>(&half(kernel, at + HALF)?, &mut lanes, HALF);
    Some(lanes)
}

/// The values of half a block; `None` if a check is violated.
#[cfg_attr(optimised, inline(always))]
fn half<K: Combine>(kernel: &K, at: usize) -> Option<<K::Out as Product>::Lanes<HALF>> {
    let mut flag = Branching::default();
    let mut lanes = K::Out::zero().splat::<HALF>();
    kernel.block::<HALF, _>(at, K::Out::slots(&mut lanes), &mut flag);
    (!flag.violated).then_some(lanes)
}

/// As [`block`], of a row that comes from memory. (In a loop, which takes longer if all is in caches, and less
/// long if memory has to be waited for.)
#[cfg_attr(optimised, inline(always))]
fn by_halves<K: Combine>(kernel: &K, at: usize) -> Option<Block<K>> {
    let mut flag = Branching::default();
    let mut lanes = K::Out::zero().splat::<BLOCK>();
    for half in [0, HALF] {
        let slots = K::Out::slots_from::<BLOCK, HALF>(&mut lanes, half);
        kernel.block::<HALF, _>(at + half, slots, &mut flag);
        if flag.violated {
            return None;
        }
    }
    Some(lanes)
}

/// The values of `count` indices, less than a block, and neutral ones behind them; `None` if a check is violated.
#[cfg_attr(optimised, inline(always))]
fn one_by_one<K: Combine>(kernel: &K, start: usize, count: usize) -> Option<Block<K>> {
    let mut flag = Branching::default();
    let mut lanes = kernel.neutral().splat::<BLOCK>();
    for at in 0..count {
        let slots = K::Out::slots_from::<BLOCK, 1>(&mut lanes, at);
        kernel.block::<1, _>(start + at, slots, &mut flag);
    }
    (!flag.violated).then_some(lanes)
}

/// The sum of two blocks, lane by lane. (No addition has a check.)
#[cfg_attr(optimised, inline(always))]
fn sum<K: Combine>(kernel: &K, a: &Block<K>, b: &Block<K>) -> Block<K> {
    both::<K, _, BLOCK>(kernel, a, b, &mut Branching::default())
}

/// Adds a block of values to the accumulators from the `first` on.
#[cfg_attr(optimised, inline(always))]
fn add<K: Combine>(kernel: &K, values: &Block<K>, room: &mut Room<K>, first: usize) {
    let sums = K::Out::whole::<LANES, BLOCK>(room, first);
    K::Out::put_whole::<LANES, BLOCK>(&sum(kernel, &sums, values), room, first);
}

/// The values of `start .. start + count`, at least `WIDE` of them, into `buffer`; the last block overlaps the
/// one before.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fill_alone<K: Combine, F: Flag, const W: usize>(
    kernel: &K,
    start: usize,
    count: usize,
    buffer: &mut <K::Out as Product>::Lanes<W>,
    flag: &mut F,
) {
    for at in (0..count).step_by(WIDE) {
        let at = at.min(count - WIDE);
        let mut branching = Branching::default();
        let slots = K::Out::slots_from::<W, WIDE>(buffer, at);
        kernel.block::<WIDE, _>(start + at, slots, &mut branching);
        if branching.violated {
            return flag.check(true, 0, [0; 3]);
        }
    }
}

/// Whether values that read elements anywhere are better computed one by one at a level of `L` lanes.
pub(crate) const fn alone<K: Kernel, const L: usize>() -> bool {
    K::GATHERS && K::COST < DEAR && WIDE <= L && L < MAX_LANES
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

/// The flag of bodies that read elements one by one: these take a branch at each check, which costs less than
/// what `Fast` does without, unless loops over lanes become vectors.
#[derive(Clone, Copy, Debug, Default)]
struct Branching {
    violated: bool,
}

impl Flag for Branching {
    const KEEPS_FIRST: bool = false;
    /// So nothing comes together again behind a check, from which texts return: what is between two of them
    /// stays there, and a value is computed from memory, not with all others at the end, when registers do
    /// not hold what they need.
    const ENDS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        self.violated
    }

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, violated: bool, _id: u32, _values: [i64; 3]) {
        self.violated |= violated;
    }

    #[cfg_attr(optimised, inline(always))]
    fn read<T: Element>(&self, xs: &NonEmpty<'_, T>, i: usize) -> T {
        xs.there(i).unwrap_or_default()
    }

    #[inline]
    fn fail(&mut self, _failure: Failure) {
        self.violated = true;
    }
}
