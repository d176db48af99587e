//! Sorts of keys of 32 bits, of keys with a value each, and of positions.
//!
//! Items, a key in the highest bits, go to some hundred buckets by these: each chunk is counted, then
//! moved, a cache line of each bucket at a time and round the caches. A bucket fits into the second-level
//! cache, and is sorted there by the bits that are left, in two passes from the lowest on, the second of
//! which writes results. Keys are random numbers: no bucket is expected to be much larger than others.

use crate::memory::advise_huge_pages;
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Chunks that are counted and moved by one task each.
const CHUNKS: usize = 8;

/// Fewer items are sorted by `std`.
const FEW: usize = 1 << 12;

/// Fewer items of a bucket are sorted by `std`, since the tables of two passes take longer to clear.
const FEW_OF_BUCKET: usize = 512;

/// Bits of a digit in the cache, at most.
const DIGIT: u32 = 12;

/// What is moved: a key in the highest 32 bits, and maybe something below.
pub trait Item: Copy + Send + Sync + Ord + Default {
    /// The key.
    fn key(self) -> u32;

    /// Sorts by keys as `std` does, and keeps the order of what has one key.
    fn sort(items: &mut [Self]) {
        items.sort_by_key(|item| item.key());
    }
}

impl Item for u32 {
    #[inline(always)]
    fn key(self) -> u32 {
        self
    }

    fn sort(items: &mut [u32]) {
        // Those of one key are the same.
        items.sort_unstable();
    }
}

impl Item for u64 {
    #[inline(always)]
    fn key(self) -> u32 {
        (self >> 32) as u32
    }
}

/// As rayon gives it.
pub fn plain(out: &mut Vec<i32>, xs: &[i32]) {
    out.clear();
    out.extend_from_slice(xs);
    out.par_sort_unstable();
}

/// As an expert writes it.
pub fn expert_into(out: &mut Vec<i32>, xs: &[i32], scratch: &mut Scratch<u32>) {
    sort(out, xs, scratch, |_, x| of_i32(x), to_i32);
}

/// The same into a part of an array: all of `room` is written.
pub(super) fn expert_to(room: &mut [MaybeUninit<i32>], xs: &[i32], scratch: &mut Scratch<u32>) {
    sort_to(room, xs, scratch, |_, x| of_i32(x), to_i32);
}

/// The same of floats, by `total_cmp`.
pub fn floats_into(out: &mut Vec<f32>, xs: &[f32], scratch: &mut Scratch<u32>) {
    let item = |_, x: f32| {
        let bits = x.to_bits();
        bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
    };
    let float = |item: u32| f32::from_bits(item ^ ((!item as i32 >> 31) as u32 | 1 << 31));
    sort(out, xs, scratch, item, float);
}

/// A key and what goes along with it.
pub type Pair = (i32, f32);

/// Pairs by their keys.
pub fn pairs_into(out: &mut Vec<Pair>, xs: &[Pair], scratch: &mut Scratch<u64>) {
    sort(out, xs, scratch, |_, x| of_pair(x), to_pair);
}

/// The same into a part of an array: all of `room` is written.
pub(super) fn pairs_to(room: &mut [MaybeUninit<Pair>], xs: &[Pair], scratch: &mut Scratch<u64>) {
    sort_to(room, xs, scratch, |_, x| of_pair(x), to_pair);
}

/// The positions of keys in their order.
pub fn argsort_into(out: &mut Vec<usize>, xs: &[i32], scratch: &mut Scratch<u64>) {
    let item = |at: usize, x| u64::from(of_i32(x)) << 32 | at as u64;
    sort(out, xs, scratch, item, |item| item as u32 as usize);
}

/// Keys, each once.
pub fn unique_into(
    out: &mut Vec<i32>,
    xs: &[i32],
    sorted: &mut Vec<i32>,
    scratch: &mut Scratch<u32>,
) {
    const TASK: usize = 1 << 16;
    expert_into(sorted, xs, scratch);
    let sorted = &sorted[..];
    let is_new = |at: usize| usize::from(at == 0 || sorted[at - 1] != sorted[at]);
    let tasks = sorted.len().div_ceil(TASK);
    let range = |task: usize| task * TASK..sorted.len().min((task + 1) * TASK);
    let counts: Vec<usize> = (0..tasks)
        .into_par_iter()
        .map(|task| range(task).map(is_new).sum())
        .collect();
    let total = counts.iter().sum();
    out.clear();
    out.reserve(total);
    let room = &mut out.spare_capacity_mut()[..total];
    let places = super::rows::parts(room, counts.into_iter());
    places
        .into_par_iter()
        .enumerate()
        .for_each(|(task, place)| {
            let mut next = 0;
            for at in range(task) {
                // Without a branch, until the place is full.
                if next == place.len() {
                    break;
                }
                place[next].write(sorted[at]);
                next += is_new(at);
            }
        });
    // SAFETY: each task has written all of its place, which together are these elements.
    unsafe { out.set_len(total) };
}

#[inline(always)]
fn of_i32(x: i32) -> u32 {
    x as u32 ^ 1 << 31
}

#[inline(always)]
fn to_i32(item: u32) -> i32 {
    (item ^ 1 << 31) as i32
}

#[inline(always)]
fn of_pair((key, value): Pair) -> u64 {
    u64::from(of_i32(key)) << 32 | u64::from(value.to_bits())
}

#[inline(always)]
fn to_pair(item: u64) -> Pair {
    (to_i32(item.key()), f32::from_bits(item as u32))
}

/// A cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "accessed by its address")] MaybeUninit<[u8; 64]>);

/// Memory that an expert keeps between calls.
pub struct Scratch<I> {
    lines: Vec<Line>,
    items: std::marker::PhantomData<I>,
}

impl<I: Item> Scratch<I> {
    /// For so many items.
    pub fn new(n: usize) -> Self {
        let mut lines = Vec::with_capacity(n.div_ceil(64 / size_of::<I>()) + 1);
        advise_huge_pages(lines.spare_capacity_mut());
        let items = std::marker::PhantomData;
        Scratch { lines, items }
    }

    fn items(&mut self, n: usize) -> &mut [MaybeUninit<I>] {
        assert!(n * size_of::<I>() <= self.lines.capacity() * 64);
        // SAFETY: so many bytes are there, at the start of a line.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), n) }
    }
}

/// A place for each task's own elements.
struct Shared<T>(*mut T);

// SAFETY: tasks access elements of their own, and no others.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn start(&self) -> *mut T {
        self.0
    }
}

fn sort<A: Copy + Sync, I: Item, B: Copy + Send>(
    out: &mut Vec<B>,
    xs: &[A],
    scratch: &mut Scratch<I>,
    item: impl Fn(usize, A) -> I + Sync,
    result: impl Fn(I) -> B + Sync,
) {
    let n = xs.len();
    out.clear();
    out.reserve(n);
    let room = &mut out.spare_capacity_mut()[..n];
    if n >= FEW {
        advise_huge_pages(room);
    }
    sort_to(room, xs, scratch, item, result);
    // SAFETY: all results have been written.
    unsafe { out.set_len(n) };
}

/// Writes all of `room`, which is as long as `xs`.
fn sort_to<A: Copy + Sync, I: Item, B: Copy + Send>(
    room: &mut [MaybeUninit<B>],
    xs: &[A],
    scratch: &mut Scratch<I>,
    item: impl Fn(usize, A) -> I + Sync,
    result: impl Fn(I) -> B + Sync,
) {
    let n = xs.len();
    assert_eq!(room.len(), n);
    if n < FEW {
        let mut items: Vec<I> = xs.iter().enumerate().map(|(i, x)| item(i, *x)).collect();
        // Stable: what is below the key is either a position or goes along with it.
        I::sort(&mut items);
        write(room, &items, &result);
        return;
    }
    let bits = n.ilog2().saturating_sub(14).clamp(8, 10);
    let shift = 32 - bits;
    let size = n.div_ceil(CHUNKS);
    let chunks = || xs.par_chunks(size).enumerate();
    let mut places: Vec<Vec<usize>> = chunks()
        .map(|(_, part)| count(part, 1 << bits, |x| (item(0, x).key() >> shift) as usize))
        .collect();
    let (mut sum, mut sizes) = (0, Vec::with_capacity(1 << bits));
    for bucket in 0..1 << bits {
        let start = sum;
        for place in &mut places {
            sum += std::mem::replace(&mut place[bucket], sum);
        }
        sizes.push(sum - start);
    }
    let items = scratch.items(n);
    let to = Shared(items.as_mut_ptr().cast::<I>());
    chunks().zip(places).for_each(|((chunk, part), places)| {
        let item = |at, x| item(chunk * size + at, x);
        // SAFETY: places are those that have been counted for this chunk, in memory of `n` items.
        unsafe { scatter(part, shift, places, to.start(), item) };
    });
    let from = super::rows::parts(items, sizes.iter().copied());
    let to = super::rows::parts(room, sizes.into_iter());
    let buckets = from.into_par_iter().zip(to).with_max_len(4);
    buckets.for_each_init(Vec::new, |between, (from, to)| {
        if between.capacity() < from.len() {
            *between = Vec::with_capacity(from.len() * 5 / 4);
        }
        let between = &mut between.spare_capacity_mut()[..from.len()];
        // SAFETY: all items have been written.
        let from = unsafe { from.assume_init_mut() };
        if from.len() < FEW_OF_BUCKET {
            I::sort(from);
            write(to, from, &result);
        } else {
            from_the_lowest(from, between, to, shift, &result);
        }
    });
}

fn write<I: Item, B>(room: &mut [MaybeUninit<B>], items: &[I], result: &impl Fn(I) -> B) {
    for (place, item) in room.iter_mut().zip(items) {
        place.write(result(*item));
    }
}

/// How many elements go to each bucket.
fn count<A: Copy>(part: &[A], buckets: usize, bucket: impl Fn(A) -> usize) -> Vec<usize> {
    // Counts of the same bucket after each other wait for each other.
    let mut tables = [[0_u32; 1 << 10]; 2];
    let (pairs, rest) = part.as_chunks::<2>();
    for pair in pairs {
        tables[0][bucket(pair[0]) % (1 << 10)] += 1;
        tables[1][bucket(pair[1]) % (1 << 10)] += 1;
    }
    for x in rest {
        tables[0][bucket(*x)] += 1;
    }
    let sum = |bucket: usize| (tables[0][bucket] + tables[1][bucket]) as usize;
    (0..buckets).map(sum).collect()
}

/// Moves elements to their buckets.
///
/// # Safety
/// From `places` on there is room for as many items of each bucket as there are, which nobody else accesses.
#[inline(never)]
unsafe fn scatter<A: Copy, I: Item>(
    part: &[A],
    shift: u32,
    mut places: Vec<usize>,
    to: *mut I,
    item: impl Fn(usize, A) -> I,
) {
    let begins = places.clone();
    let mut lines = vec![Line(MaybeUninit::uninit()); places.len()];
    let line = lines.as_mut_ptr();
    let per_line = 64 / size_of::<I>();
    for (at, x) in part.iter().enumerate() {
        let item = item(at, *x);
        let bucket = (item.key() >> shift) as usize;
        // SAFETY: the caller promises room; a line has `per_line` items.
        unsafe {
            let line = line.add(bucket).cast::<I>();
            let place = places.get_unchecked_mut(bucket);
            let next = *place;
            *place += 1;
            line.add(next % per_line).write(item);
            if next % per_line == per_line - 1 {
                let begin = *begins.get_unchecked(bucket);
                let first = next + 1 - per_line;
                if first >= begin {
                    stream_line(to.add(first).cast(), line.cast());
                } else {
                    let from = line.add(begin % per_line);
                    from.copy_to_nonoverlapping(to.add(begin), next + 1 - begin);
                }
            }
        }
    }
    for (bucket, (end, begin)) in places.into_iter().zip(begins).enumerate() {
        let first = (end / per_line * per_line).max(begin);
        // SAFETY: these items are in the line, and nowhere else yet.
        unsafe {
            let from = line.add(bucket).cast::<I>().add(first % per_line);
            from.copy_to_nonoverlapping(to.add(first), end - first);
        }
    }
    crate::memory::fence();
}

/// # Safety
/// Both are lines, and may be read and written.
#[inline(always)]
unsafe fn stream_line(to: *mut u8, from: *const u8) {
    // SAFETY: promised by the caller; SSE 2 is in the baseline.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_mm_load_si128, _mm_stream_si128};
        for at in 0..4 {
            let vector = _mm_load_si128(from.cast::<std::arch::x86_64::__m128i>().add(at));
            _mm_stream_si128(to.cast::<std::arch::x86_64::__m128i>().add(at), vector);
        }
    }
    // SAFETY: promised by the caller.
    #[cfg(not(target_arch = "x86_64"))]
    unsafe {
        from.copy_to_nonoverlapping(to, 64);
    }
}

/// Sorts by the lowest `bits` of keys, in two passes.
#[inline(never)]
fn from_the_lowest<I: Item, B>(
    from: &[I],
    between: &mut [MaybeUninit<I>],
    to: &mut [MaybeUninit<B>],
    bits: u32,
    result: &impl Fn(I) -> B,
) {
    let low = bits / 2;
    let digits = |item: I| {
        let key = item.key();
        let (first, second) = (
            key & ((1 << low) - 1),
            key >> low & ((1 << (bits - low)) - 1),
        );
        [first, second].map(|digit| digit as usize & ((1 << DIGIT) - 1))
    };
    let mut next = [[0_u32; 1 << DIGIT]; 2];
    for item in from {
        let [first, second] = digits(*item);
        next[0][first] += 1;
        next[1][second] += 1;
    }
    for next in &mut next {
        let mut sum = 0;
        for next in next {
            sum += std::mem::replace(next, sum);
        }
    }
    for item in from {
        let next = &mut next[0][digits(*item)[0]];
        // SAFETY: places are those of all items, each once.
        unsafe { between.get_unchecked_mut(*next as usize) }.write(*item);
        *next += 1;
    }
    for item in between {
        // SAFETY: all have been written.
        let item = unsafe { item.assume_init() };
        let next = &mut next[1][digits(item)[1]];
        // SAFETY: as above.
        unsafe { to.get_unchecked_mut(*next as usize) }.write(result(item));
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(i: usize) -> u64 {
        let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    #[test]
    fn agrees_with_std() {
        for n in [0, 1, 100, FEW, 100_003, 1 << 20] {
            let (mut short, mut long) = (Scratch::new(n), Scratch::new(n));
            for most in [u64::MAX, 1000] {
                let xs: Vec<i32> = (0..n).map(|i| (scattered(i) >> 20 & most) as i32).collect();
                let mut sorted = xs.clone();
                sorted.sort();
                let (mut out, mut places) = (Vec::new(), Vec::new());
                expert_into(&mut out, &xs, &mut short);
                assert!(out == sorted);
                plain(&mut out, &xs);
                assert!(out == sorted);
                argsort_into(&mut places, &xs, &mut long);
                let mut wanted: Vec<usize> = (0..n).collect();
                wanted.sort_by_key(|i| xs[*i]);
                assert!(places == wanted);
                sorted.dedup();
                unique_into(&mut out, &xs, &mut Vec::new(), &mut short);
                assert!(out == sorted);
                let pairs: Vec<(i32, f32)> = xs.iter().map(|x| (*x, *x as f32 * 0.5)).collect();
                let mut by_key = Vec::new();
                pairs_into(&mut by_key, &pairs, &mut long);
                assert!(by_key.iter().eq(wanted.iter().map(|i| &pairs[*i])));
            }
            let xs: Vec<f32> = (0..n)
                .map(|i| f32::from_bits(scattered(i) as u32))
                .collect();
            let mut sorted = xs.clone();
            sorted.sort_by(f32::total_cmp);
            let mut out = Vec::new();
            floats_into(&mut out, &xs, &mut short);
            let bits = |xs: &[f32]| Vec::from_iter(xs.iter().map(|x| x.to_bits()));
            assert!(bits(&out) == bits(&sorted));
        }
    }
}
