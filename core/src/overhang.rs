//! Blocks that reach over the end of a row, inside of nests.
//!
//! In: kernels that say that their blocks may, and few indices. Out: as without such blocks, the same
//! bits.
//! Assumes: what `Kernel::OVERHANGS` and `Combine::neutral` say.
//!
//! Note [Overhang]: a row of a few elements, or the last of a longer one, do not fill a block of
//! lanes. Where a kernel's values can neither fail nor depend on each other, and its arrays are read
//! along with the index, nothing is lost if a block goes on behind the row: it costs what it costs
//! full. What it gives there is not stored, or stored where nobody looks, and for a reduction it is
//! replaced by neutral values, which change no bits. So there is one way for all lengths, without
//! branches, rather than blocks that get smaller and smaller.

use core::ops::Range;

use crate::error::Failure;
use crate::first;
use crate::gathered;
use crate::gathers;
use crate::kernel::{Combine, Element, Flag, Kernel, LANES, Product};
use crate::lanes::{NonEmpty, ask};
use crate::level::has_lanes;
use crate::masks;
use crate::packing::Kept;
use crate::product::Bases;
use crate::reduce::tree_of_16;
use crate::rough::{self, Roughly};
use crate::short::both;
use crate::whole::whole;

/// The lanes of a block that may reach over the end.
pub(crate) const PART: usize = 16;

/// Whether it does, at a level of `L` lanes.
pub(crate) const fn applies<K: Kernel, F: Flag, const L: usize>() -> bool {
    K::OVERHANGS && !K::CHECKS && !F::KEEPS_FIRST && L > PART
}

/// The flag of such blocks, which check nothing.
pub(crate) struct Beyond;

impl Flag for Beyond {
    const KEEPS_FIRST: bool = false;
    const OVERHANGS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, _violated: bool, _id: u32, _values: [i64; 3]) {}

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        false
    }

    #[cfg_attr(optimised, inline(always))]
    fn fail(&mut self, _failure: Failure) {}
}

/// Whether it does where values are kept, at a level of `L` lanes: there checks see the lanes that are
/// indices.
pub(crate) const fn keeps<K: Kernel, F: Flag, const L: usize>() -> bool {
    K::OVERHANGS && !F::KEEPS_FIRST && L >= PART
}

/// The flag of such blocks, at a level of `L` lanes: that of the lanes before the end. There is none
/// unless the processor has what that level names.
struct Within<const L: usize> {
    count: usize,
    violated: bool,
}

impl<const L: usize> Flag for Within<L> {
    const KEEPS_FIRST: bool = false;
    const OVERHANGS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, violated: bool, _id: u32, _values: [i64; 3]) {
        self.violated |= violated;
    }

    #[cfg_attr(optimised, inline(always))]
    fn check_lanes<const B: usize>(&mut self, violated: &[bool; B]) {
        // SAFETY: this value says that the processor has the level.
        self.violated |= unsafe { masks::any_of_first::<B, L>(violated, self.count) };
    }

    #[cfg_attr(optimised, inline(always))]
    fn gather<T: Element, const B: usize>(&self, xs: &NonEmpty<'_, T>, at: &[usize; B]) -> [T; B] {
        // SAFETY: this value says that the processor has the level.
        unsafe { gathers::first::<T, B, L>(xs, at, self.count) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        self.violated
    }

    #[cfg_attr(optimised, inline(always))]
    fn fail(&mut self, _failure: Failure) {
        self.violated = true;
    }
}

/// The flag of a block that comes in a while: what it gathers is asked for, and nothing else comes of it.
pub(crate) struct Asks;

/// Bytes of an array that is in the nearest cache anyway.
const NEAREST: usize = 32 << 10;

impl Flag for Asks {
    const KEEPS_FIRST: bool = false;
    const OVERHANGS: bool = true;

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, _violated: bool, _id: u32, _values: [i64; 3]) {}

    #[cfg_attr(optimised, inline(always))]
    fn gather<T: Element, const B: usize>(&self, xs: &NonEmpty<'_, T>, at: &[usize; B]) -> [T; B] {
        if size_of_val(xs.slice()) > NEAREST {
            for at in at {
                ask::<T, 1>(xs.slice(), *at);
            }
        }
        [T::default(); B]
    }

    /// So loops end, whatever they go by.
    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        true
    }

    #[cfg_attr(optimised, inline(always))]
    fn fail(&mut self, _failure: Failure) {}
}

/// Indices from a block that gathers to the one that is asked for meanwhile: the processor itself looks
/// ahead by two or three blocks, whose elements are fewer than caches can be asked for at once.
const AHEAD: usize = 4 * PART;

/// What a value may cost for which blocks that are to come are looked at, which costs about as much.
const CHEAP: u32 = 32;

/// Writes the kept ones of the values of `0..n`, and anything behind them; gives how many they are.
/// Blocks that gather are parts all of them: others would have too few registers.
///
/// # Safety
/// There is room for `n` values and a part at `out`, which no other thread accesses meanwhile.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn keep<K: Kernel<Out: Kept>, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    out: Bases<<K::Out as Kept>::Values>,
    flag: &mut F,
) -> usize {
    assert!(
        has_lanes::<L>(),
        "no level of {L} lanes; please report this"
    );
    if const { gathered::alone::<K, L>() } {
        // SAFETY: promised by the caller.
        return unsafe { gathered::keep(kernel, n, out, flag) };
    }
    let (mut at, mut place) = (0, 0);
    if const { !K::GATHERS } {
        let mut lanes = K::Out::zero().splat::<L>();
        while n - at >= L {
            kernel.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
            // SAFETY: not more than `at` have been kept, and `at + L <= n`; the processor has the level
            // by the first line.
            place += unsafe { K::Out::pack::<L>(&lanes, out.get(), place) };
            at += L;
        }
    }
    // A loop of its own, since most rows are short.
    while const { K::GATHERS && K::COST <= CHEAP } && n - at >= AHEAD + PART {
        let mut lanes = K::Out::zero().splat::<PART>();
        kernel.block::<PART, Asks>(at + AHEAD, K::Out::slots(&mut lanes), &mut Asks);
        // SAFETY: as below; all lanes are indices.
        place += unsafe { keep_part::<K, F, L>(kernel, at, PART, out, place, flag) };
        at += PART;
    }
    while at < n {
        let count = (n - at).min(PART);
        // SAFETY: not more than `at < n` have been kept, and there is room for a part behind `n`; the
        // processor has the level by the first line.
        place += unsafe { keep_part::<K, F, L>(kernel, at, count, out, place, flag) };
        at += PART;
    }
    place
}

/// Writes the kept ones of the values of `at .. at + count`, at most a part, and anything behind them;
/// gives how many they are.
///
/// # Safety
/// There is room for a part at `place` of `out`, which no other thread accesses meanwhile; the processor
/// has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
unsafe fn keep_part<K: Kernel<Out: Kept>, F: Flag, const L: usize>(
    kernel: &K,
    at: usize,
    count: usize,
    out: Bases<<K::Out as Kept>::Values>,
    place: usize,
    flag: &mut F,
) -> usize {
    let mut within = Within::<L> {
        count,
        violated: false,
    };
    let mut lanes = K::Out::zero().splat::<PART>();
    kernel.block::<PART, Within<L>>(at, K::Out::slots(&mut lanes), &mut within);
    // What it is, the flag of this level does not keep.
    flag.check(within.violated, 0, [0; 3]);
    let lanes = K::Out::whole(&lanes, 0);
    // SAFETY: promised by the caller.
    unsafe { K::Out::pack_few::<L>(&lanes, count, out.get(), place) }
}

/// The values of `at .. at + PART`; any behind the end of the indices.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn part<K: Kernel>(kernel: &K, at: usize) -> <K::Out as Product>::Lanes<PART> {
    let mut lanes = K::Out::zero().splat::<PART>();
    kernel.block::<PART, Beyond>(at, K::Out::slots(&mut lanes), &mut Beyond);
    K::Out::whole(&lanes, 0)
}

/// Set, then not. No constant: what LLVM knows of some lanes makes it take all apart.
static SET: [u32; 2 * PART] = {
    let mut set = [0; 2 * PART];
    let mut l = 0;
    while l < PART {
        set[l] = 1;
        l += 1;
    }
    set
};

/// The first `count` lanes, and neutral ones behind them.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn only<K: Combine, const B: usize>(
    kernel: &K,
    lanes: &<K::Out as Product>::Lanes<B>,
    count: usize,
) -> <K::Out as Product>::Lanes<B> {
    const { assert!(B <= PART) };
    let set: [u32; B] = whole(&SET, PART - count.min(PART));
    let neutral = kernel.neutral();
    let mut some = neutral.splat::<B>();
    for l in 0..B {
        let x = K::Out::get(lanes, l);
        K::Out::set(&mut some, l, if set[l] != 0 { x } else { neutral });
    }
    K::Out::whole(&some, 0)
}

/// The combination of the values of `0..n`, 1 to 64, which also go to `keep`, where there is room for
/// all 64.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    keep: Option<Bases<K::Out>>,
) -> K::Out {
    if const { first::applies::<K, F, L>() } && keep.is_none() {
        return first::few::<K>(kernel, n);
    }
    if const { rough::applies::<K, F, L>() } {
        let total = few(&Roughly(kernel), n, keep);
        return match kernel.is_sure(total) {
            true => total,
            false => rough::exactly(kernel, 0..n),
        };
    }
    few(kernel, n, keep)
}

/// The tree over the first `n` accumulators, in as many parts as they fill.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn few<K: Combine>(kernel: &K, n: usize, keep: Option<Bases<K::Out>>) -> K::Out {
    let flag = &mut Beyond;
    let mut acc = quarter(kernel, 0, n, keep);
    if n <= PART {
        // Most rows: what the others do makes nothing wait in memory here.
        return tree_of_16(kernel, &acc, flag);
    }
    let mut second = quarter(kernel, PART, n, keep);
    if n > 2 * PART {
        let third = quarter(kernel, 2 * PART, n, keep);
        let fourth = quarter(kernel, 3 * PART, n, keep);
        acc = both::<K, _, PART>(kernel, &acc, &third, flag);
        second = both::<K, _, PART>(kernel, &second, &fourth, flag);
    }
    acc = both::<K, _, PART>(kernel, &acc, &second, flag);
    tree_of_16(kernel, &acc, flag)
}

/// The accumulators of the values from `at` on, of `0..n`.
#[cfg_attr(optimised, inline(always))]
fn quarter<K: Combine>(
    kernel: &K,
    at: usize,
    n: usize,
    keep: Option<Bases<K::Out>>,
) -> <K::Out as Product>::Lanes<PART> {
    let lanes = part(kernel, at);
    if let Some(keep) = keep {
        // SAFETY: there is room for 64 elements, `total` asks, and `at` is one of four parts.
        unsafe { K::Out::store(&lanes, keep.get(), at, false) };
    }
    let values = only::<K, PART>(kernel, &lanes, n.saturating_sub(at));
    both::<K, _, PART>(
        kernel,
        &kernel.neutral().splat::<PART>(),
        &values,
        &mut Beyond,
    )
}

/// Combines the values of less than a round of indices with the accumulators. They also go to `keep`,
/// of which the element of index `start` is the first, if that is given: with room for the range.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn add<K: Combine, const L: usize>(
    kernel: &K,
    range: Range<usize>,
    mut acc: <K::Out as Product>::Lanes<LANES>,
    keep: Option<Bases<K::Out>>,
    start: usize,
) -> <K::Out as Product>::Lanes<LANES> {
    let mut q = 0;
    while range.start + q < range.end {
        let at = range.start + q;
        let lanes = part(kernel, at);
        let count = (range.end - at).min(PART);
        if let Some(keep) = keep {
            // SAFETY: these elements are those of the range, for which there is room.
            unsafe { K::Out::store_part::<L>(&lanes, keep.get(), at - start, count) };
        }
        let values = only::<K, PART>(kernel, &lanes, count);
        let mut sums = K::Out::zero().splat::<PART>();
        assert!(q <= LANES - PART);
        for l in 0..PART {
            let (old, x) = (K::Out::get(&acc, q + l), K::Out::get(&values, l));
            K::Out::set(&mut sums, l, kernel.combine(old, x, &mut Beyond));
        }
        for l in 0..PART {
            K::Out::set(&mut acc, q + l, K::Out::get(&sums, l));
        }
        q += PART;
    }
    acc
}

/// Writes the values of `0..n`, and any behind them: in all as many as are returned, less than a block of
/// `L` more, for which there is room.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn write_padded<K: Kernel, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> usize {
    let written = rest::<K, L>(kernel, n, out);
    blocks::<K, F, L>(kernel, n, out, flag);
    written
}

/// Writes those of the values of `0..n` that fill no block of `L` lanes, and any behind them: if there are
/// more than a part, as a block, whose vectors hide each other's latencies, which those of parts one after
/// another do not. (Where there are fewer than a block in all, what is read may end with a part.) Before
/// the blocks, which go on meanwhile.
#[cfg_attr(optimised, inline(always))]
fn rest<K: Kernel, const L: usize>(kernel: &K, n: usize, out: Bases<K::Out>) -> usize {
    let mut at = n - n % L;
    if n - at > PART && n >= L {
        let mut lanes = K::Out::zero().splat::<L>();
        kernel.block::<L, Beyond>(at, K::Out::slots(&mut lanes), &mut Beyond);
        // SAFETY: the caller says that there is room for a block that begins before `n`.
        unsafe { K::Out::store(&lanes, out.get(), at, false) };
        return at + L;
    }
    while at < n {
        // SAFETY: as above, for a part.
        unsafe { K::Out::store(&part(kernel, at), out.get(), at, false) };
        at += PART;
    }
    at
}

/// As [`write_padded`]; gives the combinations of what is written in whole rounds, too.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn write_combined<K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> (<K::Out as Product>::Lanes<LANES>, usize) {
    let written = rest::<K, LANES>(kernel, n, out);
    let mut acc = kernel.neutral().splat::<LANES>();
    let mut at = 0;
    while n - at >= LANES {
        let mut lanes = K::Out::zero().splat::<LANES>();
        kernel.block::<LANES, F>(at, K::Out::slots(&mut lanes), flag);
        // SAFETY: the caller says that there is room for `n` elements.
        unsafe { K::Out::store(&lanes, out.get(), at, false) };
        acc = both::<K, F, LANES>(kernel, &acc, &lanes, flag);
        at += LANES;
    }
    (acc, written)
}

/// Writes the values of `0..n`, for which there is room.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn write<K: Kernel, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) {
    if n <= PART {
        // SAFETY: there is room for `n` elements.
        return unsafe { K::Out::store_part::<L>(&part(kernel, 0), out.get(), 0, n) };
    }
    let mut at = blocks::<K, F, L>(kernel, n, out, flag);
    if at < n && n >= L {
        // Again what some lanes of the block before have written, which is cheaper than masks.
        let mut lanes = K::Out::zero().splat::<L>();
        kernel.block::<L, F>(n - L, K::Out::slots(&mut lanes), flag);
        // SAFETY: there is room for `n` elements.
        return unsafe { K::Out::store(&lanes, out.get(), n - L, false) };
    }
    while n - at >= PART {
        // SAFETY: there is room for `n` elements.
        unsafe { K::Out::store(&part(kernel, at), out.get(), at, false) };
        at += PART;
    }
    if at < n {
        // SAFETY: as above.
        unsafe { K::Out::store_part::<L>(&part(kernel, at), out.get(), at, n - at) };
    }
}

/// Writes the values of `0..n` that fill blocks of `L` lanes; returns how many.
#[cfg_attr(optimised, inline(always))]
fn blocks<K: Kernel, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> usize {
    let mut lanes = K::Out::zero().splat::<L>();
    let mut at = 0;
    while n - at >= L {
        kernel.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
        // SAFETY: the caller says that there is room for `n` elements.
        unsafe { K::Out::store(&lanes, out.get(), at, false) };
        at += L;
    }
    at
}
