//! Sorts by digits.
//!
//! In: items. Out: the same, in ascending order of their bits, and where these are equal of their
//! positions. Assumes: items of equal bits come in the order of their positions.
//!
//! Note \[Buckets\]. Items go to buckets by the highest bits of their keys, in parallel: each thread
//! counts and then moves a chunk of them, and chunks come one after another in each bucket. What a
//! bucket holds is most often in the near cache then, and is sorted there by the bits that are left, the
//! lowest first. A bucket that is large goes to buckets again. All keep the order of equal ones.

use core::mem::MaybeUninit;

use super::Shared;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::parallel;
use crate::recycle::Buffer;

/// Items that are sorted by comparing them.
const FEW: usize = 192;

/// Items from which on threads share them.
const MANY: usize = 1 << 17;

/// Bits of a digit, at most.
const DIGIT: u32 = 11;

/// Buckets, at most.
const BUCKETS: usize = 1 << DIGIT;

/// Bits of a digit by which items go to buckets again and again, each time with a table on the stack.
const SMALL_DIGIT: u32 = 8;

/// Bits that are sorted from the lowest on.
const LOW: u32 = 2 * DIGIT;

/// What is sorted: something with a key. Sealed: code rests on it that keys do not change.
pub trait Item: Element {
    /// The key as a number.
    fn bits(self) -> u64;
    /// What decides between items of one key.
    fn position(self) -> u64;
}

/// Memory of items, that of a part of them or nothing.
type Place<'a, I> = &'a mut [MaybeUninit<I>];

/// Sorts items by the lowest `bits` of theirs, which are all that is set.
pub(super) fn sort<I: Item>(items: &mut [I], bits: u32) -> Result<(), Failure> {
    if items.len() <= FEW {
        few(items);
        return Ok(());
    }
    if items.is_sorted_by_key(|item| item.bits()) {
        return Ok(());
    }
    let n = items.len();
    let mut scratch: Buffer<I> = Buffer::new();
    memory::reserve(scratch.as_vec(), n)?;
    let scratch = &mut scratch.as_vec().spare_capacity_mut()[..n];
    // SAFETY: an item is laid out as one that may be none, and all are when this returns.
    let items = unsafe { &mut *(core::ptr::from_mut(items) as *mut [MaybeUninit<I>]) };
    // SAFETY: these have been items.
    unsafe { to_buckets(items, scratch, bits, false) };
    Ok(())
}

/// Sorts few items.
pub(super) fn few<I: Item>(items: &mut [I]) {
    items.sort_unstable_by_key(|item| (item.bits(), item.position()));
}

/// Sorts the items `from` by the lowest `bits`; they are in `other` then, or where they were.
///
/// # Safety
/// `from` holds items, and `other` has the same length.
unsafe fn to_buckets<I: Item>(from: Place<'_, I>, other: Place<'_, I>, bits: u32, to_other: bool) {
    let n = from.len();
    if n < MANY || bits == 0 || rayon::current_num_threads() == 1 {
        // SAFETY: promised by the caller.
        return unsafe { in_cache(from, other, bits, to_other) };
    }
    let digit = bits.min(DIGIT);
    let rest = bits - digit;
    let chunks = (rayon::current_num_threads() * 4).min(n / (MANY / 8));
    let size = n.div_ceil(chunks);
    let mut counts = vec![0_usize; chunks << digit];
    // SAFETY: promised by the caller.
    let items = unsafe { all(from) };
    {
        let counts = Shared(counts.as_mut_ptr());
        parallel::each(chunks, &|chunk| {
            let mut own = [0_usize; BUCKETS];
            for item in part(items, chunk, size) {
                own[place::<I, BUCKETS>(item, rest, digit)] += 1;
            }
            for (at, count) in own[..1 << digit].iter().enumerate() {
                // SAFETY: there are so many counts for each chunk, which is this task's alone.
                unsafe { counts.write(chunk << digit | at, *count) };
            }
        });
    }
    let mut ends = Vec::with_capacity(1 << digit);
    let mut next = 0;
    for bucket in 0..1_usize << digit {
        for chunk in 0..chunks {
            let count = &mut counts[chunk << digit | bucket];
            next += core::mem::replace(count, next);
        }
        ends.push(next);
    }
    if rest == 0 || !is_one_bucket(&ends, n) {
        let out = Shared(other.as_mut_ptr());
        let counts = &counts;
        parallel::each(chunks, &|chunk| {
            let mut next = [0_usize; BUCKETS];
            next[..1 << digit].copy_from_slice(&counts[chunk << digit..(chunk + 1) << digit]);
            for item in part(items, chunk, size) {
                let next = &mut next[place::<I, BUCKETS>(item, rest, digit)];
                // SAFETY: `counts` says where the chunk's items of a bucket begin, and there are as
                // many places as the same loop has counted, `n` for all.
                unsafe { out.write(*next, MaybeUninit::new(*item)) };
                *next += 1;
            }
        });
        // SAFETY: all of `other` has been written.
        unsafe { each_bucket(other, from, (0, &ends), rest, !to_other) };
    } else {
        // SAFETY: promised by the caller.
        unsafe { to_buckets(from, other, rest, to_other) };
    }
}

fn is_one_bucket(ends: &[usize], n: usize) -> bool {
    let first = ends.iter().find(|end| **end > 0);
    first == Some(&n)
}

/// Sorts the items in each bucket of `from`, which begins at `start` of what `ends` counts.
///
/// # Safety
/// As for [`to_buckets`].
unsafe fn each_bucket<I: Item>(
    from: Place<'_, I>,
    other: Place<'_, I>,
    (start, ends): (usize, &[usize]),
    bits: u32,
    to_other: bool,
) {
    let [end] = ends else {
        let (left, right) = ends.split_at(ends.len() / 2);
        let middle = left[left.len() - 1];
        let (from_left, from_right) = from.split_at_mut(middle - start);
        let (other_left, other_right) = other.split_at_mut(middle - start);
        // SAFETY: both are parts of what the caller promises.
        let mut left =
            || unsafe { each_bucket(from_left, other_left, (start, left), bits, to_other) };
        // SAFETY: the same.
        let mut right =
            || unsafe { each_bucket(from_right, other_right, (middle, right), bits, to_other) };
        if ends[ends.len() - 1] - start < MANY / 4 {
            left();
            right();
        } else {
            rayon::join(left, right);
        }
        return;
    };
    if *end > start {
        // SAFETY: promised by the caller.
        unsafe { to_buckets(from, other, bits, to_other) };
    }
}

/// As [`to_buckets`], on this thread.
///
/// # Safety
/// As there.
unsafe fn in_cache<I: Item>(from: Place<'_, I>, other: Place<'_, I>, bits: u32, to_other: bool) {
    if from.len() <= FEW || bits == 0 {
        if from.len() > 1 && bits > 0 {
            // SAFETY: promised by the caller.
            few(unsafe { all_mut(from) });
        }
        if to_other {
            other.copy_from_slice(from);
        }
        return;
    }
    if bits <= LOW {
        // SAFETY: promised by the caller.
        return unsafe { from_the_lowest(from, other, bits, to_other) };
    }
    let digit = (from.len().ilog2() - 3).clamp(4, SMALL_DIGIT);
    let rest = bits - digit;
    // SAFETY: promised by the caller.
    let ends = unsafe { move_by::<I, { 1 << SMALL_DIGIT }>(from, other, rest, digit) };
    let mut start = 0;
    for end in &ends[..1 << digit] {
        let range = start..*end;
        start = *end;
        // SAFETY: `move_by` has written all of `other`.
        unsafe { in_cache(&mut other[range.clone()], &mut from[range], rest, !to_other) };
    }
}

/// Sorts by digits from the lowest on.
///
/// # Safety
/// As for [`to_buckets`].
unsafe fn from_the_lowest<I: Item>(
    from: Place<'_, I>,
    other: Place<'_, I>,
    bits: u32,
    to_other: bool,
) {
    let digits = bits.div_ceil(DIGIT);
    let digit = bits.div_ceil(digits);
    let (mut from, mut other, mut there) = (from, other, false);
    for at in 0..digits {
        // SAFETY: the caller says so of the first, and `move_by` has written all before the others.
        unsafe { move_by::<I, BUCKETS>(from, other, at * digit, digit) };
        (from, other, there) = (other, from, !there);
    }
    if there != to_other {
        other.copy_from_slice(from);
    }
}

/// Moves items to `to`, into buckets by the `digit` bits from `low` on; gives where these end.
///
/// # Safety
/// As for [`to_buckets`].
#[inline(never)]
unsafe fn move_by<I: Item, const N: usize>(
    from: Place<'_, I>,
    to: Place<'_, I>,
    low: u32,
    digit: u32,
) -> [usize; N] {
    // SAFETY: promised by the caller.
    let items = unsafe { all(from) };
    let mut next = [0_usize; N];
    for item in items {
        next[place::<I, N>(item, low, digit)] += 1;
    }
    let mut sum = 0;
    for count in &mut next[..1 << digit] {
        sum += core::mem::replace(count, sum);
    }
    for item in items {
        let next = &mut next[place::<I, N>(item, low, digit)];
        // SAFETY: these are the places of `0..n`, each once: as many as have been counted.
        unsafe { to.get_unchecked_mut(*next) }.write(*item);
        *next += 1;
    }
    next
}

/// The bucket of an item, of at most `N`.
#[inline(always)]
fn place<I: Item, const N: usize>(item: &I, low: u32, digit: u32) -> usize {
    let bucket = (item.bits() >> low) as usize & ((1 << digit) - 1);
    bucket & (N - 1)
}

/// Chunk `at` of items, each but the last of `size`.
fn part<I>(items: &[I], at: usize, size: usize) -> &[I] {
    let n = items.len();
    &items[(at * size).min(n)..((at + 1) * size).min(n)]
}

/// # Safety
/// These are items.
unsafe fn all<I>(from: &[MaybeUninit<I>]) -> &[I] {
    // SAFETY: promised by the caller.
    unsafe { &*(core::ptr::from_ref(from) as *const [I]) }
}

/// # Safety
/// These are items.
unsafe fn all_mut<I>(from: &mut [MaybeUninit<I>]) -> &mut [I] {
    // SAFETY: promised by the caller.
    unsafe { &mut *(core::ptr::from_mut(from) as *mut [I]) }
}
