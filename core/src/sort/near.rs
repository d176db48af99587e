//! Sorts of what fits into the cache of a core, on its thread.
//!
//! In: elements and memory for items. Out: results, in ascending order of bits, and where these are equal
//! of positions. Assumes: items of equal bits come in the order of their positions.

use core::mem::MaybeUninit;
use core::slice;

use super::job::{Item, Job};

/// Items that are sorted by comparing them.
pub(super) const FEW: usize = 192;

/// Bits of a digit of a sort from the lowest digit on, at most.
const DIGIT: u32 = 12;

/// Its buckets.
const SLOTS: usize = 1 << DIGIT;

/// Digits of such a sort, at most.
const DIGITS: u32 = 3;

/// Items from which on its tables are worth clearing.
const WORTH_TABLES: usize = 1 << 11;

/// Bits of a digit by which items go to buckets again and again.
const SMALL_DIGIT: u32 = 8;

/// Where a sort takes elements from and puts results to.
pub(super) struct Places<J: Job> {
    pub(super) from: *const J::From,
    /// For items, as many as there are elements.
    pub(super) first: *mut J::Item,
    /// The same; may be `from` if that is items.
    pub(super) second: *mut J::Item,
    pub(super) to: *mut J::To,
    pub(super) n: usize,
}

/// Sorts by the lowest `bits`, which are all that differ.
///
/// # Safety
/// There are `n` elements at `from`, and room for as many at the other places, which nobody else accesses
/// meanwhile. All are apart, but for what [`Places`] says, and `to` may be `from`.
pub(super) unsafe fn sort<J: Job>(at: &Places<J>, bits: u32) {
    // SAFETY: promised by the caller.
    unsafe {
        if at.n <= FEW || bits == 0 {
            few::<J>(at, bits);
        } else if at.n < WORTH_TABLES || bits > DIGITS * DIGIT {
            from_the_highest::<J>(at, bits);
        } else {
            match bits.div_ceil(DIGIT) {
                1 => from_the_lowest::<J, 1>(at, bits),
                2 => from_the_lowest::<J, 2>(at, bits),
                _three => from_the_lowest::<J, { DIGITS as usize }>(at, bits),
            }
        }
    }
}

/// Sorts by comparing.
///
/// # Safety
/// As for [`sort`].
unsafe fn few<J: Job>(at: &Places<J>, bits: u32) {
    // SAFETY: the caller says that there are `n`, and that `first` has room for as many, which are
    // written before they are items.
    let items = unsafe {
        for i in 0..at.n {
            at.first.add(i).write(J::item(*at.from.add(i), i));
        }
        slice::from_raw_parts_mut(at.first, at.n)
    };
    if bits > 0 {
        compared(items);
    }
    for (i, item) in items.iter().enumerate() {
        // SAFETY: there is room for `n` results.
        unsafe { at.to.add(i).write(J::result(*item)) };
    }
}

/// Sorts few items.
pub(super) fn compared<I: Item>(items: &mut [I]) {
    items.sort_unstable_by_key(|item| (item.bits(), item.position()));
}

/// Sorts by one digit, then what each bucket holds.
///
/// # Safety
/// As for [`sort`].
unsafe fn from_the_highest<J: Job>(at: &Places<J>, bits: u32) {
    let digit = (at.n.ilog2() - 3).clamp(4, SMALL_DIGIT).min(bits);
    let rest = bits - digit;
    let place = |item: J::Item| {
        let bucket = (item.bits() >> rest) as usize & ((1 << digit) - 1);
        bucket & ((1 << SMALL_DIGIT) - 1)
    };
    let mut next = [0_u32; 1 << SMALL_DIGIT];
    // SAFETY: the caller says that there are elements, and room for as many items.
    unsafe {
        for i in 0..at.n {
            next[place(J::item(*at.from.add(i), i))] += 1;
        }
        sum_before(&mut next);
        for i in 0..at.n {
            let item = J::item(*at.from.add(i), i);
            let next = &mut next[place(item)];
            at.first.add(*next as usize).write(item);
            *next += 1;
        }
    }
    let mut start = 0;
    for end in &next[..1 << digit] {
        let (from, n) = (start, *end as usize - start);
        start += n;
        // SAFETY: parts of the caller's, where `first` has items now.
        unsafe {
            let places: Places<J::Rest> = Places {
                from: at.first.add(from),
                first: at.second.add(from),
                second: at.first.add(from),
                to: at.to.add(from),
                n,
            };
            sort(&places, rest);
        }
    }
}

/// Sorts by `K` digits, the lowest first.
///
/// # Safety
/// As for [`sort`]; `bits` are at most `K` digits.
#[inline(never)]
unsafe fn from_the_lowest<J: Job, const K: usize>(at: &Places<J>, bits: u32) {
    let Places {
        from,
        first,
        second,
        to,
        n,
    } = *at;
    let digit = bits.div_ceil(K as u32);
    let bucket = |item: J::Item, k: usize| {
        let bucket = (item.bits() >> (k as u32 * digit)) as usize & ((1 << digit) - 1);
        bucket & (SLOTS - 1)
    };
    // SAFETY: the caller says that there are so many.
    let element = |i: usize| J::item(unsafe { *from.add(i) }, i);
    let mut next = [[0_u32; SLOTS]; K];
    for i in 0..n {
        let item = element(i);
        for (k, next) in next.iter_mut().enumerate() {
            next[bucket(item, k)] += 1;
        }
    }
    for next in &mut next {
        sum_before(&mut next[..1 << digit]);
    }
    // SAFETY: there is room for `n` items, and where the digit before has put them there are; places are
    // those of `0..n`, each once, as many as have been counted.
    unsafe {
        let start = |place: usize, item| first.add(place).write(item);
        deal(n, element, |item| bucket(item, 0), &mut next[0], start);
        let mut last = first;
        if K == 3 {
            let back = |place: usize, item| second.add(place).write(item);
            deal(
                n,
                |i| *first.add(i),
                |item| bucket(item, 1),
                &mut next[1],
                back,
            );
            last = second;
        }
        let result = |place: usize, item| to.add(place).write(J::result(item));
        match K {
            1 => (0..n).for_each(|i| result(i, *last.add(i))),
            _ => deal(
                n,
                |i| *last.add(i),
                |item| bucket(item, K - 1),
                &mut next[K - 1],
                result,
            ),
        }
    }
}

/// Gives each of `n` items the next place of its bucket.
#[inline(always)]
fn deal<I: Item>(
    n: usize,
    item: impl Fn(usize) -> I,
    bucket: impl Fn(I) -> usize,
    next: &mut [u32; SLOTS],
    put: impl Fn(usize, I),
) {
    for i in 0..n {
        let item = item(i);
        let next = &mut next[bucket(item)];
        put(*next as usize, item);
        *next += 1;
    }
}

/// Where each bucket begins, of how many it has.
fn sum_before(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += core::mem::replace(count, sum);
    }
}

/// [`FEW`] items that need no memory of their own.
pub(super) struct Room<I>([MaybeUninit<I>; FEW]);

impl<I: Item> Room<I> {
    pub(super) fn new() -> Self {
        Room([const { MaybeUninit::uninit() }; FEW])
    }

    pub(super) fn start(&mut self) -> *mut I {
        self.0.as_mut_ptr().cast()
    }
}
