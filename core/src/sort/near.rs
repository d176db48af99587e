//! Sorts of what fits into the cache of a core, on its thread.
//!
//! In: items, and memory for as many. Out: results, in the order of the items. Assumes: items of equal bits
//! come in their order.

use core::mem::MaybeUninit;
use core::slice;

use super::job::{Item, Job};
use super::lines::write_round;
use super::network;

/// Items that are sorted by comparing them.
pub(super) const FEW: usize = 192;

/// Bits of a digit of a sort from the lowest digit on: where items are few its tables are to be short,
/// where they are many its digits are to be few.
const SHORT: u32 = 8;
const LONG: u32 = 12;

/// Items from which on long tables are worth clearing.
const MANY: usize = 1 << 13;

/// Bits of a digit by which items go to buckets again and again.
const SMALL_DIGIT: u32 = 8;

/// Where a sort finds items and puts results.
pub(super) struct Places<J: Job> {
    pub(super) items: *mut J::Item,
    /// For as many items.
    pub(super) room: *mut J::Item,
    pub(super) to: *mut J::To,
    pub(super) n: usize,
    /// Whether results go round the caches: others read them after a fence.
    pub(super) stream: bool,
}

/// Sorts by the lowest `bits`, which are all that differ.
///
/// # Safety
/// There are `n` items, and room for as many and for as many results, which nobody else accesses meanwhile.
/// All are apart.
pub(super) unsafe fn sort<J: Job>(at: &Places<J>, bits: u32) {
    // SAFETY: promised by the caller.
    unsafe {
        if at.n <= FEW || bits == 0 {
            return few::<J>(at, bits);
        }
        match (bits, at.n >= MANY) {
            (..=8, _) => from_the_lowest::<J, 1, SHORT, 256>(at, bits),
            (..=16, _) => from_the_lowest::<J, 2, SHORT, 256>(at, bits),
            (..=24, false) => from_the_lowest::<J, 3, SHORT, 256>(at, bits),
            (..=32, false) => from_the_lowest::<J, 4, SHORT, 256>(at, bits),
            (..=24, true) => from_the_lowest::<J, 2, LONG, 4096>(at, bits),
            (..=36, true) => from_the_lowest::<J, 3, LONG, 4096>(at, bits),
            _longer => from_the_highest::<J>(at, bits),
        }
    }
}

/// Sorts at most [`FEW`] elements.
///
/// # Safety
/// There are `n` elements at `from`, and there is room for as many results at `to`, which nobody else
/// accesses meanwhile. `to` and `from` are apart or the same.
pub(super) unsafe fn sort_few<J: Job>(from: *const J::From, to: *mut J::To, n: usize) {
    // SAFETY: promised by the caller.
    if unsafe { network::sort::<J>(from, to, n) } {
        return;
    }
    let mut room = [const { MaybeUninit::<J::Item>::uninit() }; FEW];
    let items: *mut J::Item = room[..n].as_mut_ptr().cast();
    // SAFETY: as above, and there is room for `n` items, which are written before they are sorted.
    unsafe {
        (0..n).for_each(|i| items.add(i).write(J::item(*from.add(i), i)));
        slice::from_raw_parts_mut(items, n).sort_unstable();
        (0..n).for_each(|i| to.add(i).write(J::result(*items.add(i))));
    }
}

/// Sorts by comparing.
///
/// # Safety
/// As for [`sort`].
unsafe fn few<J: Job>(at: &Places<J>, bits: u32) {
    let Places { items, to, n, .. } = *at;
    // SAFETY: the caller says that there are `n`, and room for as many results.
    unsafe {
        if bits > 0 {
            if network::sort::<J::Rest>(items, to, n) {
                return;
            }
            slice::from_raw_parts_mut(items, n).sort_unstable();
        }
        (0..n).for_each(|i| to.add(i).write(J::result(*items.add(i))));
    }
}

/// Sorts by one digit, then what each bucket holds.
///
/// # Safety
/// As for [`sort`].
unsafe fn from_the_highest<J: Job>(at: &Places<J>, bits: u32) {
    let Places {
        items, room, to, n, ..
    } = *at;
    let digit = (n.ilog2() - 3).clamp(4, SMALL_DIGIT).min(bits);
    let rest = bits - digit;
    let place = |item: J::Item| {
        let bucket = (item.bits() >> rest) as usize & ((1 << digit) - 1);
        bucket & ((1 << SMALL_DIGIT) - 1)
    };
    let mut next = [0_u32; 1 << SMALL_DIGIT];
    // SAFETY: the caller says that there are items, and room for as many.
    unsafe {
        for i in 0..n {
            next[place(*items.add(i))] += 1;
        }
        sum_before(&mut next);
        for i in 0..n {
            let item = *items.add(i);
            let next = &mut next[place(item)];
            room.add(*next as usize).write(item);
            *next += 1;
        }
    }
    let mut start = 0;
    for end in &next[..1 << digit] {
        let (from, n) = (start, *end as usize - start);
        start += n;
        // SAFETY: parts of the caller's, where `room` has items now.
        unsafe {
            let places: Places<J> = Places {
                items: room.add(from),
                room: items.add(from),
                to: to.add(from),
                n,
                stream: at.stream,
            };
            sort(&places, rest);
        }
    }
}

/// Sorts by `K` digits of so many bits, the lowest first; they have so many values.
///
/// # Safety
/// As for [`sort`]; `bits` are at most those of `K` digits, and more than those of one less.
#[inline(never)]
unsafe fn from_the_lowest<J: Job, const K: usize, const DIGIT: u32, const SLOTS: usize>(
    at: &Places<J>,
    bits: u32,
) {
    const { assert!(SLOTS == 1 << DIGIT) };
    let Places {
        items, room, to, n, ..
    } = *at;
    let last = (1 << (bits - (K as u32 - 1) * DIGIT)) - 1;
    let bucket = |item: J::Item, k: usize| {
        let digit = (item.bits() >> (k as u32 * DIGIT)) as usize & (SLOTS - 1);
        if k == K - 1 { digit & last } else { digit }
    };
    let mut next = [[0_u32; SLOTS]; K];
    for i in 0..n {
        // SAFETY: the caller says that there are so many.
        let item = unsafe { *items.add(i) };
        for (k, next) in next.iter_mut().enumerate() {
            next[bucket(item, k)] += 1;
        }
    }
    for next in &mut next {
        sum_before(next);
    }
    // SAFETY: there is room for `n` items, and where the digit before has put them there are; places are
    // those of `0..n`, each once, as many as have been counted.
    unsafe {
        let mut places = (items, room);
        for k in 0..K - 1 {
            let (from, there) = places;
            let put = |place: usize, item| there.add(place).write(item);
            deal(n, from, |item| bucket(item, k), &mut next[k], put);
            places = (there, from);
        }
        let (from, there) = places;
        if at.stream {
            // The cache has room for the items, not for the results.
            let put = |place: usize, item| there.add(place).write(item);
            deal(n, from, |item| bucket(item, K - 1), &mut next[K - 1], put);
            write_round(to, n, |at| J::result(*there.add(at)));
        } else {
            let put = |place: usize, item| to.add(place).write(J::result(item));
            deal(n, from, |item| bucket(item, K - 1), &mut next[K - 1], put);
        }
    }
}

/// Gives each of `n` items the next place of its bucket.
///
/// # Safety
/// There are so many.
#[inline(always)]
unsafe fn deal<I: Item, const SLOTS: usize>(
    n: usize,
    items: *const I,
    bucket: impl Fn(I) -> usize,
    next: &mut [u32; SLOTS],
    put: impl Fn(usize, I),
) {
    for i in 0..n {
        // SAFETY: promised by the caller.
        let item = unsafe { *items.add(i) };
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
