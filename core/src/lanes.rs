//! Reads of arrays in lane blocks, for emitted code.
//!
//! In: slices. Out: blocks of `L` elements, or single elements at clamped indices.
//! Assumes: nothing; a block outside of its slice is a panic, never undefined behaviour.

use core::mem::MaybeUninit;

use crate::kernel::Element;
#[cfg(target_arch = "x86_64")]
use crate::memory::LINE;
use crate::quotients::{divide, wraps};

/// The elements `start .. start + L`. Checked once per block.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load<T: Element, const L: usize>(xs: &[T], start: usize) -> &[T; L] {
    if start >= starts::<T, L>(xs) {
        outside(start, xs.len());
    }
    prefetch::<T, L>(xs, start, ahead::<T>());
    // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
    unsafe { block(xs, start) }
}

/// As [`load`], for arrays that are read from one end to the other, once: what lies farther behind is asked
/// for, too.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_once<T: Element, const L: usize>(xs: &[T], start: usize) -> &[T; L] {
    let block = load(xs, start);
    prefetch_far::<T, L>(xs, start);
    block
}

/// As [`load`], for a block that is read again and again: a copy, and nothing behind it is asked for.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_kept<T: Element, const L: usize>(xs: &[T], start: usize) -> [T; L] {
    if start >= starts::<T, L>(xs) {
        outside(start, xs.len());
    }
    // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
    unsafe { *block(xs, start) }
}

/// As [`load`], for arrays that are read row by row, each row several times: this is the last time,
/// and what lies `stride` elements further on is read next.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_last<T: Element, const L: usize>(xs: &[T], start: usize, stride: usize) -> &[T; L] {
    if start >= starts::<T, L>(xs) {
        outside(start, xs.len());
    }
    let row = stride.saturating_mul(size_of::<T>());
    prefetch::<T, L>(xs, start, if row <= ROW { row } else { ahead::<T>() });
    // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
    unsafe { block(xs, start) }
}

/// As [`load`], for arrays that are read row by row, each row several times, the last time with
/// [`load_last`]: this is an earlier time.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_fetched<T: Element, const L: usize>(xs: &[T], start: usize, stride: usize) -> &[T; L] {
    if start >= starts::<T, L>(xs) {
        outside(start, xs.len());
    }
    if stride.saturating_mul(size_of::<T>()) > ROW {
        prefetch::<T, L>(xs, start, ahead::<T>());
    }
    // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
    unsafe { block(xs, start) }
}

/// As [`load`], for arrays that are in the cache.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_row<T: Element, const L: usize>(xs: &[T], start: usize) -> &[T; L] {
    if start >= starts::<T, L>(xs) {
        outside(start, xs.len());
    }
    // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
    unsafe { block(xs, start) }
}

/// How many blocks of `L` lanes start in `xs`: one comparison with it is the whole bounds check, and
/// it does not change in the loop around.
#[inline(always)]
fn starts<T, const L: usize>(xs: &[T]) -> usize {
    (xs.len() + 1).saturating_sub(L)
}

/// The elements `start .. start + L`.
///
/// # Safety
/// They are inside of `xs`.
#[inline(always)]
unsafe fn block<T, const L: usize>(xs: &[T], start: usize) -> &[T; L] {
    // SAFETY: promised by the caller; an array has the layout of its elements in a row.
    unsafe { &*xs.as_ptr().add(start).cast::<[T; L]>() }
}

/// Bytes ahead of a block load that are asked for: twice what a core reads from memory while one
/// cache line is on its way, for several reductions in one pass fill its queues with arithmetic before
/// as many loads. (Four times cost short arrays more than it gains long ones.) Bodies that read long elements do more with each before they read on, a
/// gather mostly, and processors no longer see for themselves what comes next.
#[inline(always)]
const fn ahead<T>() -> usize {
    match size_of::<T>() {
        ..=8 => 2048,
        _long => 4096,
    }
}

/// Bytes of the longest rows that are asked for before they are read: they stay in the caches of a
/// core until then.
pub(crate) const ROW: usize = 256 << 10;

/// Bytes of the smallest block behind which lines are asked for, if it has less than 16 elements. Of small
/// elements, small blocks are parts of short rows, of which each line would be asked for several times;
/// of long ones, such as pairs, a line is asked for once where it is a block.
#[cfg(target_arch = "x86_64")]
const fn least_block<T>() -> usize {
    match size_of::<T>() {
        ..=8 => 2 * LINE,
        _long => LINE,
    }
}

/// Bytes ahead of a block load that are asked for into the second cache: of another page than what is read, so that
/// processors, which follow each page apart, have twice as many reads under way. Several reductions in one pass take
/// 0.85 of the time so, `2 * x + y` of two arrays 0.9, a single sum 0.95 (Xeon with AVX-512; 8 to 32 KiB are alike).
const FAR: usize = 8192;

/// Bytes of the smallest array of which that is asked for: larger than second caches.
const LARGE: usize = 4 << 20;

/// Asks for that, inside of `xs`.
#[inline(always)]
fn prefetch_far<T, const L: usize>(xs: &[T], start: usize) {
    // A number instead of a condition, for LLVM makes a copy of a loop for each condition that does not change in it.
    let end = if size_of_val(xs) >= LARGE {
        xs.len()
    } else {
        0
    };
    if start + FAR / size_of::<T>().max(1) < end {
        prefetch_to::<T, L, SECOND>(xs, start, FAR);
    }
}

/// Asks for the cache lines `ahead` bytes behind those that a block load is about to read.
#[inline(always)]
fn prefetch<T, const L: usize>(xs: &[T], start: usize, ahead: usize) {
    prefetch_to::<T, L, NEAREST>(xs, start, ahead);
}

/// `_MM_HINT_T0`: into the nearest cache.
const NEAREST: i32 = 3;

/// `_MM_HINT_T1`: into the second cache.
const SECOND: i32 = 2;

#[inline(always)]
fn prefetch_to<T, const L: usize, const CACHE: i32>(xs: &[T], start: usize, ahead: usize) {
    #[cfg(target_arch = "x86_64")]
    if L >= 16 || size_of::<[T; L]>() >= least_block::<T>() {
        let at = xs
            .as_ptr()
            .wrapping_add(start)
            .cast::<i8>()
            .wrapping_add(ahead);
        let mut line = 0;
        while line < size_of::<[T; L]>() {
            // SAFETY: a prefetch never faults, wherever it points.
            unsafe { core::arch::x86_64::_mm_prefetch::<CACHE>(at.wrapping_add(line)) };
            line += LINE;
        }
    }
}

/// Asks for what lies as far behind the block at `start` as [`load`] does: for blocks that are read
/// several times, from places close to each other.
#[inline(always)]
pub fn fetch<T: Element, const L: usize>(xs: &[T], start: usize) {
    prefetch::<T, L>(xs, start, ahead::<T>());
}

/// The same half as far behind the block: where eight rows are read at once, what is asked for must not
/// leave the nearest cache before it is read.
#[inline(always)]
pub(crate) fn fetch_near<T: Element, const L: usize>(xs: &[T], start: usize) {
    prefetch::<T, L>(xs, start, ahead::<T>() / 2);
}

/// Asks for the cache line of element `at`, and for so many in all from there on.
#[inline(always)]
pub fn ask<T: Element, const LINES: usize>(xs: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = xs.as_ptr().wrapping_add(at).cast::<i8>();
        for line in 0..LINES {
            // SAFETY: a prefetch never faults, wherever it points.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(line * LINE)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (xs, at);
}

/// The elements `start .. start + L` of an array that the block may overhang: lanes outside of it
/// read the nearest element (the default value, if there is none). For reads that a check or a mask
/// guards. Costs as [`load`] but for blocks at the edges, which are copied into `buffer` (without
/// contents before: to clear it for every block would cost more than the block).
#[inline(always)]
pub fn load_near<'a, T: Element, const L: usize>(
    xs: &'a [T],
    start: usize,
    buffer: &'a mut MaybeUninit<[T; L]>,
) -> &'a [T; L] {
    if const { L == 1 } {
        // Without a branch: if a condition follows, what it rules out need not even be read.
        let none = T::default();
        let (first, last) = match xs.len().checked_sub(1) {
            Some(last) => (xs.as_ptr(), last),
            None => (&raw const none, 0),
        };
        // SAFETY: `last` is the last of the elements from `first` on.
        buffer.write([unsafe { *first.add(start.min(last)) }; L])
    } else if start < starts::<T, L>(xs) {
        // SAFETY: `start < starts(xs) = xs.len() - L + 1` by the line before.
        unsafe { block(xs, start) }
    } else {
        near_edge(xs, start, buffer)
    }
}

#[cold]
#[inline(never)]
fn near_edge<'a, T: Element, const L: usize>(
    xs: &[T],
    start: usize,
    buffer: &'a mut MaybeUninit<[T; L]>,
) -> &'a [T; L] {
    let lanes = buffer.write([T::default(); L]);
    for (l, lane) in lanes.iter_mut().enumerate() {
        let i = start.wrapping_add(l).min(xs.len().wrapping_sub(1));
        *lane = xs.get(i).copied().unwrap_or_default();
    }
    lanes
}

/// The elements at the remainders of `start .. start + L` by `by`: a row that is read again for each
/// row of a matrix of that width. For reads that are in range, or that a check guards (elsewhere the
/// default value is read). Costs as [`load`] but where a row ends, which is copied into `buffer`.
#[inline(always)]
pub fn load_rem<'a, T: Element, const L: usize>(
    xs: &'a [T],
    start: usize,
    by: usize,
    buffer: &'a mut MaybeUninit<[T; L]>,
) -> &'a [T; L] {
    let by = by.max(1);
    let at = start % by;
    if at + L <= by && at < starts::<T, L>(xs) && !wraps::<L>(start) {
        // SAFETY: `at < starts(xs) = xs.len() - L + 1` by the line before.
        return unsafe { block(xs, at) };
    }
    let (_, places) = divide::<L>(start, by);
    let lanes = buffer.write([T::default(); L]);
    for (lane, at) in lanes.iter_mut().zip(places) {
        *lane = xs.get(at).copied().unwrap_or_default();
    }
    lanes
}

/// The elements at the quotients of `start .. start + L` by `by`: one element for each row of a
/// matrix of that width. For reads as those of [`load_rem`].
#[inline(always)]
pub fn load_div<T: Element, const L: usize>(xs: &[T], start: usize, by: usize) -> [T; L] {
    let by = by.max(1);
    let (row, at) = (start / by, start % by);
    let this = xs.get(row).copied().unwrap_or_default();
    let mut lanes = [this; L];
    if by - at < L || wraps::<L>(start) {
        let (rows, _) = divide::<L>(start, by);
        for (lane, row) in lanes.iter_mut().zip(rows) {
            *lane = xs.get(row).copied().unwrap_or_default();
        }
    }
    lanes
}

/// The element at `i`, or the nearest; the default value of an empty array. For scalar code whose
/// index a check has looked at.
#[inline(always)]
pub fn get<T: Element>(xs: &[T], i: usize) -> T {
    let last = xs.len().wrapping_sub(1);
    xs.get(if i < last { i } else { last })
        .copied()
        .unwrap_or_default()
}

/// The element at `i`. For indices that run through the array, where a value in place of those out of
/// range would have the element go through a register.
///
/// # Panics
/// When there is none, which the compiler has to rule out.
#[inline(always)]
pub fn element<T: Element>(xs: &[T], i: usize) -> T {
    match xs.get(i) {
        Some(x) => *x,
        None => outside(i, xs.len()),
    }
}

/// The elements `start, start - 1, …`, `L` of them: a block of a reversed array.
///
/// # Panics
/// When the block is not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn load_rev<T: Element, const L: usize>(xs: &[T], start: usize) -> [T; L] {
    let forward = match xs.get(..=start).and_then(|head| head.last_chunk::<L>()) {
        Some(block) => block,
        None => outside(start, xs.len()),
    };
    let mut block = *forward;
    for l in 0..L {
        block[l] = forward[L - 1 - l];
    }
    block
}

#[cold]
#[inline(never)]
fn outside(start: usize, len: usize) -> ! {
    panic!("a block at {start} is outside of an array of length {len}; please report this");
}

/// An array that may be read at any index: indices beyond the end read the last element.
///
/// Emitted code flags an index out of range, then reads here without a branch.
#[derive(Clone, Copy, Debug)]
pub struct NonEmpty<'a, T> {
    /// Never empty: `new` sees to it.
    xs: &'a [T],
    len: usize,
}

impl<'a, T: Element> NonEmpty<'a, T> {
    /// `xs`, or `dummy` when that is empty.
    #[inline(always)]
    pub fn new(xs: &'a [T], dummy: &'a [T; 1]) -> Self {
        let len = xs.len();
        NonEmpty {
            xs: if len == 0 { dummy } else { xs },
            len,
        }
    }

    /// The element at `i`, or the last one (or the dummy) when `i` is out of range.
    #[inline(always)]
    pub fn get(&self, i: usize) -> T {
        let last = self.xs.len() - 1;
        let i = if i < last { i } else { last };
        // SAFETY: `i <= last < self.xs.len()` by the line before, as `new` made `xs` non-empty.
        unsafe { *self.xs.get_unchecked(i) }
    }

    /// The element at `i`, if the array itself has it. (Of the length that a check before this has asked for, so that
    /// LLVM sees one comparison.)
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn there(&self, i: usize) -> Option<T> {
        if i >= self.len {
            return None;
        }
        // SAFETY: there is an element at `i`, so `xs` is the array itself.
        Some(unsafe { *self.xs.get_unchecked(i) })
    }

    /// The array, or the dummy: never empty.
    #[inline(always)]
    pub(crate) fn slice(&self) -> &'a [T] {
        self.xs
    }

    /// The length of the array itself: 0 when the dummy stands in.
    #[inline(always)]
    #[allow(
        clippy::len_without_is_empty,
        reason = "nobody asks whether there is none"
    )]
    pub fn len(&self) -> usize {
        self.len
    }
}

/// The elements behind the first `count`; none if there are fewer.
#[inline(always)]
pub fn behind<T>(xs: &[T], count: usize) -> &[T] {
    xs.get(count..).unwrap_or_default()
}

/// The elements of `n` indices, those below `bound` of `xs` at their index, the others of `ys` as far behind that.
///
/// # Panics
/// When there are fewer.
#[inline(always)]
pub fn joined<'a, T>(xs: &'a [T], ys: &'a [T], bound: usize, n: usize) -> [&'a [T]; 2] {
    let bound = bound.min(n);
    [&xs[..bound], &ys[..n - bound]]
}

/// How many elements an array of these extents has; the greatest number if that is too large, which
/// no memory holds.
#[inline]
pub fn total(extents: &[usize]) -> usize {
    if extents.contains(&0) {
        return 0;
    }
    extents
        .iter()
        .fold(1, |all, extent| all.saturating_mul(*extent))
}

/// `a * b`, or the greatest number where that is too large; `usize`'s own makes one element after another
/// of a vector.
#[inline(always)]
pub fn saturating_product(a: usize, b: usize) -> usize {
    const LOW: usize = u32::MAX as usize;
    let (a_high, a_low, b_high, b_low) = (a >> 32, a & LOW, b >> 32, b & LOW);
    // Where not both are large, one of these products is 0, and the sum is at most the greatest number.
    let high = (a_high * b_low)
        .wrapping_add(a_low * b_high)
        .wrapping_add((a_low * b_low) >> 32);
    let fits = (a_high * b_high == 0) & (high <= LOW);
    if fits { a.wrapping_mul(b) } else { usize::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_saturate() {
        let ends = [
            0,
            1,
            2,
            3,
            7,
            u32::MAX as usize,
            1 << 32,
            usize::MAX / 3,
            1 << 63,
        ];
        let near = ends.map(|it| [it.wrapping_sub(1), it, it.wrapping_add(1)]);
        for a in near.as_flattened() {
            for b in near.as_flattened() {
                assert_eq!(saturating_product(*a, *b), a.saturating_mul(*b), "{a} {b}");
            }
        }
    }

    fn near_agree<const L: usize>(xs: &[i32]) {
        for start in (0..3 * L + 5).map(|i| i.wrapping_sub(2 * L)) {
            let mut room = MaybeUninit::uninit();
            let near = *load_near::<i32, L>(xs, start, &mut room);
            for (l, near) in near.into_iter().enumerate() {
                let at = start.wrapping_add(l).min(xs.len().wrapping_sub(1));
                assert_eq!(near, xs.get(at).copied().unwrap_or_default(), "{start} {l}");
            }
        }
    }

    #[test]
    fn lanes_outside_read_the_nearest_element() {
        for xs in [&[][..], &[7], &[1, 2, 3, 4, 5]] {
            near_agree::<1>(xs);
            near_agree::<4>(xs);
            near_agree::<16>(xs);
        }
    }

    fn rows_agree<const L: usize>(xs: &[i32], by: usize) {
        let get = |at: usize| xs.get(at).copied().unwrap_or_default();
        for start in (0..3 * L).map(|i| i.wrapping_sub(2 * L)) {
            let index = |l: usize| start.wrapping_add(l);
            let mut room = MaybeUninit::uninit();
            let remainders = *load_rem::<i32, L>(xs, start, by, &mut room);
            let quotients = load_div::<i32, L>(xs, start, by);
            let divided = divide::<L>(start, by);
            for l in 0..L {
                assert_eq!(remainders[l], get(index(l) % by), "{start} {by} {l}");
                assert_eq!(quotients[l], get(index(l) / by), "{start} {by} {l}");
                assert_eq!(divided.0[l], index(l) / by, "{start} {by} {l}");
                assert_eq!(divided.1[l], index(l) % by, "{start} {by} {l}");
            }
        }
    }

    #[test]
    fn blocks_that_wrap_around_zero_are_divided_lane_by_lane() {
        let xs: Vec<i32> = (1..=100).collect();
        for by in [1, 2, 3, 5, 7, 16, 17, 64, 99, 100] {
            rows_agree::<1>(&xs[..by], by);
            rows_agree::<4>(&xs[..by], by);
            rows_agree::<16>(&xs, by);
            rows_agree::<64>(&xs, by);
        }
    }
}
