//! Sorts of what fits into the cache of a core, on its thread.
//!
//! In: items, and memory for as many. Out: results, in the order of the items. Assumes: items of equal bits
//! come in their order.

use core::mem::MaybeUninit;
use core::slice;

use super::Shared;
use super::items::{Far, Item, Items, Near, Rank, Source};
use super::network;
use super::places::Place;

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
pub(super) struct Places<P: Place> {
    pub(super) items: *mut P::Item,
    /// For as many items.
    pub(super) room: *mut P::Item,
    pub(super) to: P,
    pub(super) n: usize,
    /// Whether results go round the caches: others read them after a fence.
    pub(super) stream: bool,
}

/// Sorts by the lowest `bits`, which are all that differ.
///
/// # Safety
/// There are `n` items, and room for as many and for as many results, which nobody else accesses meanwhile.
/// All are apart.
pub(super) unsafe fn sort<P: Place>(at: &Places<P>, bits: u32) {
    // SAFETY: promised by the caller.
    unsafe {
        if at.n <= FEW || bits == 0 {
            return few(at, bits);
        }
        match (bits, at.n >= MANY) {
            (..=8, _) => from_the_lowest::<P, 1, SHORT, 256>(at, bits),
            (..=16, _) => from_the_lowest::<P, 2, SHORT, 256>(at, bits),
            (..=24, false) => from_the_lowest::<P, 3, SHORT, 256>(at, bits),
            (..=32, false) => from_the_lowest::<P, 4, SHORT, 256>(at, bits),
            (..=24, true) => from_the_lowest::<P, 2, LONG, 4096>(at, bits),
            (..=36, true) => from_the_lowest::<P, 3, LONG, 4096>(at, bits),
            _longer => from_the_highest(at, bits),
        }
    }
}

/// Sorts at most [`FEW`] elements by the lowest `bits`, which are all that differ.
///
/// # Safety
/// `from` has `n` elements, and there is room for as many results at `to`, which nobody else accesses
/// meanwhile. They are apart or the same.
pub(super) unsafe fn sort_few<S: Source, P: Place<Item = S::Item>>(
    from: S,
    to: P,
    n: usize,
    bits: u32,
) {
    // SAFETY: promised by the caller.
    if const { S::Item::ALIKE } && unsafe { network::sort(from, to, n) } {
        return;
    }
    let mut room = [const { MaybeUninit::<S::Item>::uninit() }; FEW];
    let items: *mut S::Item = room[..n].as_mut_ptr().cast();
    // SAFETY: as above, and there is room for `n` items, which are written before they are sorted.
    unsafe {
        (0..n).for_each(|i| items.add(i).write(from.item(i)));
        by_comparing(items, to, n, bits);
    }
}

/// Sorts by comparing.
///
/// # Safety
/// As for [`sort`].
unsafe fn few<P: Place>(at: &Places<P>, bits: u32) {
    let Places { items, to, n, .. } = *at;
    let from = Items(Shared(items));
    // SAFETY: the caller says that there are `n`, and room for as many results.
    unsafe {
        if bits == 0 {
            (0..n).for_each(|i| to.put(i, *items.add(i)));
        } else if const { !P::Item::ALIKE } || !network::sort(from, to, n) {
            by_comparing(items, to, n, bits);
        }
    }
}

/// Sorts items of which no network has room for all.
///
/// # Safety
/// There are `n` items, at most [`FEW`], and there is room for as many results, which nobody else accesses
/// meanwhile, and which are apart.
unsafe fn by_comparing<P: Place>(items: *mut P::Item, to: P, n: usize, bits: u32) {
    // SAFETY: promised by the caller.
    unsafe {
        if const { P::Item::ALIKE } {
            slice::from_raw_parts_mut(items, n).sort_unstable();
            (0..n).for_each(|i| to.put(i, *items.add(i)));
        } else if bits <= u32::BITS {
            by_ranks::<Near, P>(items, to, n);
        } else {
            by_ranks::<Far, P>(items, to, n);
        }
    }
}

/// Sorts items that can be told apart: their keys, each with its position.
///
/// # Safety
/// As for [`by_comparing`].
#[inline(never)]
unsafe fn by_ranks<R: Rank, P: Place>(items: *const P::Item, to: P, n: usize) {
    let mut room = [const { MaybeUninit::<R>::uninit() }; FEW];
    let ranks: *mut R = room[..n].as_mut_ptr().cast();
    // SAFETY: the caller says that there are `n` items, and room for as many results; there is room for as
    // many ranks, which are written first; positions are below `n`.
    unsafe {
        (0..n).for_each(|i| ranks.add(i).write(R::new((*items.add(i)).bits(), i)));
        let ranks = slice::from_raw_parts_mut(ranks, n);
        sort_ranks(ranks);
        for (i, rank) in ranks.iter().enumerate() {
            to.put(i, *items.add(rank.position()));
        }
    }
}

#[inline(never)]
fn sort_ranks<R: Rank>(ranks: &mut [R]) {
    let place = Items(Shared(ranks.as_mut_ptr()));
    // SAFETY: there are so many, which may be written.
    if !unsafe { network::sort(place, place, ranks.len()) } {
        ranks.sort_unstable();
    }
}

/// Sorts by one digit, then what each bucket holds.
///
/// # Safety
/// As for [`sort`].
unsafe fn from_the_highest<P: Place>(at: &Places<P>, bits: u32) {
    let Places {
        items, room, to, n, ..
    } = *at;
    let digit = (n.ilog2() - 3).clamp(4, SMALL_DIGIT).min(bits);
    let rest = bits - digit;
    let place = |item: P::Item| {
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
            let places = Places {
                items: room.add(from),
                room: items.add(from),
                to: to.behind(from),
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
unsafe fn from_the_lowest<P: Place, const K: usize, const DIGIT: u32, const SLOTS: usize>(
    at: &Places<P>,
    bits: u32,
) {
    const { assert!(SLOTS == 1 << DIGIT) };
    let Places {
        items, room, to, n, ..
    } = *at;
    let last = (1 << (bits - (K as u32 - 1) * DIGIT)) - 1;
    let bucket = |item: P::Item, k: usize| {
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
            to.put_round(n, |at| *there.add(at));
        } else {
            let put = |place: usize, item| to.put(place, item);
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
