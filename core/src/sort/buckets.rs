//! Sorts of many items, by all threads.
//!
//! In: elements. Out: results, in ascending order of bits, of equal ones the first first. Assumes: nothing.
//!
//! Note \[Buckets\]. Items go to buckets by the highest bits of their keys that differ, in parallel: each
//! task counts and then moves a chunk of them, and chunks come one after another in each bucket. So many
//! buckets are as many places that are written in turn, more than the nearest cache and the table of pages
//! have room for: so a task gathers a cache line for each bucket first (`lines.rs`). What a bucket holds
//! fits into the second-level cache most often, and is sorted there from the lowest digit on (`near.rs`).
//! A bucket that is large goes to buckets again. All keep the order of equal ones. Where there are so many
//! results that no cache has room for them, they are put into order in the memory of their items, and then
//! written a cache line at a time: to write them one by one would read each line first.
//!
//! Which bits differ is asked of some keys, and counting finds out whether that holds for all.

use core::slice;
use std::sync::OnceLock;

use super::Shared;
use super::digit::Digit;
use super::items::{Item, Items, Source};
use super::lines::Lines;
use super::near::{self, Places};
use super::places::Place;
use crate::budget::apart;
use crate::error::Failure;
use crate::memory;
use crate::parallel;
use crate::recycle::Buffer;

/// Items from which on threads share them.
pub(super) const MANY: usize = 1 << 17;

/// Chunks for each thread.
const CHUNKS: usize = 4;

/// Parts of the buckets for each thread.
const PARTS: usize = 16;

/// Keys that are asked how they are spread: one of so many, but no more than that.
const ASKED: usize = 256;
const MOST_ASKED: usize = 1024;

/// Elements to be sorted, cut into chunks.
struct Chunks<S> {
    from: S,
    n: usize,
    count: usize,
}

/// Sorts `n` elements to `to` by the lowest `bits`, which are all that differ.
///
/// # Safety
/// `from` has so many elements, and there is room for as many results at `to`, which nobody else
/// accesses meanwhile. They are apart or the same.
pub(super) unsafe fn sort<S: Source, P: Place<Item = S::Item>>(
    from: S,
    to: P,
    n: usize,
    bits: u32,
) -> Result<(), Failure> {
    let chunks = Chunks {
        from,
        n,
        count: (rayon::current_num_threads() * CHUNKS).min(n / (MANY / 8)),
    };
    // SAFETY: promised by the caller.
    let (digit, mut counts) = unsafe { chunks.counts(bits) };
    let ends = chunks.begin(&mut counts, digit);
    let mut scratch: Buffer<S::Item> = Buffer::new();
    let items = Shared(memory::reserve_lines(scratch.as_vec(), n)?);
    // SAFETY: as above, and there is room for `n` items; the counts are of these chunks.
    unsafe { chunks.scatter((&counts, &ends), digit, &items) };
    let failure = OnceLock::new();
    let rest = Buckets {
        items,
        to,
        bits: digit.low,
        part: n / (rayon::current_num_threads() * PARTS),
        stream: P::streams(n),
        failure: &failure,
    };
    // SAFETY: all items are there now, and room for as many results.
    unsafe { rest.sort(0, &ends) };
    failure.into_inner().map_or(Ok(()), Err)
}

impl<S: Source> Chunks<S> {
    /// The elements of a chunk, by their positions.
    fn range(&self, chunk: usize) -> core::ops::Range<usize> {
        let size = self.n.div_ceil(self.count);
        (chunk * size).min(self.n)..((chunk + 1) * size).min(self.n)
    }

    /// # Safety
    /// There is an element `at`, which nobody writes meanwhile; so for all of the others.
    #[inline(always)]
    unsafe fn item(&self, at: usize) -> S::Item {
        // SAFETY: promised by the caller.
        unsafe { self.from.item(at) }
    }

    /// By which digit items go to buckets, and how many of each chunk go to each.
    ///
    /// # Safety
    /// As for [`item`](Self::item).
    unsafe fn counts(&self, bits: u32) -> (Digit, Vec<usize>) {
        // SAFETY: promised by the caller.
        unsafe {
            let step = (self.n / MOST_ASKED).max(ASKED);
            let asked = (0..self.n).step_by(step).map(|at| self.item(at).bits());
            let mut asked: Vec<u64> = asked.collect();
            asked.sort_unstable();
            let differ = asked[0] ^ asked[asked.len() - 1];
            let differ = (u64::BITS - differ.leading_zeros()).max(1);
            let digit = |bits| Digit::choose(self.n, bits, self.count, &asked);
            if differ < bits {
                let digit = digit(differ);
                if let Some(counts) = self.counts_by::<true>(digit, differ) {
                    return (digit, counts);
                }
            }
            let digit = digit(bits);
            let counts = self.counts_by::<false>(digit, bits);
            (digit, counts.expect("nobody asks for more bits"))
        }
    }

    /// How many items of each chunk go to each bucket; nothing if `ASK`, and keys differ above `bits`.
    ///
    /// # Safety
    /// As for [`item`](Self::item).
    unsafe fn counts_by<const ASK: bool>(&self, digit: Digit, bits: u32) -> Option<Vec<usize>> {
        let mut counts = vec![0; self.count * digit.buckets()];
        let mut above = vec![0; self.count];
        {
            let (counts, above) = (Shared(counts.as_mut_ptr()), Shared(above.as_mut_ptr()));
            parallel::each(self.count, &|chunk| {
                // SAFETY: there are so many counts for each chunk, which are this task's alone.
                let own = unsafe {
                    let counts = counts.at(chunk * digit.buckets());
                    slice::from_raw_parts_mut(counts, digit.buckets())
                };
                // SAFETY: promised by the caller.
                let differ = unsafe { self.count::<ASK>(chunk, digit, own) };
                // SAFETY: each chunk has one of these.
                unsafe { above.at(chunk).write(differ.checked_shr(bits).unwrap_or(0)) };
            });
        }
        above.iter().all(|above| *above == 0).then_some(counts)
    }

    /// Adds how many items of a chunk go to each bucket; gives which bits differ if `ASK`.
    ///
    /// # Safety
    /// As for [`item`](Self::item).
    #[inline(never)]
    unsafe fn count<const ASK: bool>(
        &self,
        chunk: usize,
        digit: Digit,
        counts: &mut [usize],
    ) -> u64 {
        // Another table, since counts that follow each other wait for each other if they are the same.
        let mut odd = vec![0; counts.len()];
        let range = self.range(chunk);
        let mut differ = 0;
        // SAFETY: promised by the caller, for positions of elements; there are so many counts as values
        // of the digit.
        unsafe {
            let first = self.item(0).bits();
            let from = self.from;
            let mut count = |table: &mut [usize], at| {
                let item = from.item(at);
                if ASK {
                    differ |= item.bits() ^ first;
                }
                *table.get_unchecked_mut(digit.bucket(item)) += 1;
            };
            let mut at = range.start;
            while at + 1 < range.end {
                count(counts, at);
                count(&mut odd, at + 1);
                at += 2;
            }
            if at < range.end {
                count(counts, at);
            }
        }
        counts
            .iter_mut()
            .zip(odd)
            .for_each(|(all, odd)| *all += odd);
        differ
    }

    /// Makes of counts where each chunk's items of each bucket begin; gives where buckets end.
    fn begin(&self, counts: &mut [usize], digit: Digit) -> Vec<usize> {
        let buckets = digit.buckets();
        let mut next = 0;
        let ends = (0..buckets).map(|bucket| {
            for chunk in 0..self.count {
                let count = &mut counts[chunk * buckets + bucket];
                next += core::mem::replace(count, next);
            }
            next
        });
        ends.collect()
    }

    /// Moves all items to their buckets.
    ///
    /// # Safety
    /// As for [`item`](Self::item); there is room for as many `items`, from the start of a cache line on,
    /// which nobody else accesses meanwhile, and `begins` are those of these chunks by this digit, `ends`
    /// those of buckets.
    unsafe fn scatter(
        &self,
        (begins, ends): (&[usize], &[usize]),
        digit: Digit,
        items: &Shared<S::Item>,
    ) {
        let buckets = digit.buckets();
        parallel::each(self.count, &|chunk| {
            let (begins, next) = begins[chunk * buckets..].split_at(buckets);
            let ends = next.get(..buckets).unwrap_or(ends);
            let mut lines = Lines::new(begins, ends, items.at(0), self.n);
            // What a loop has of its own stays in registers.
            let Digit { low, most } = digit;
            let digit = Digit { low, most };
            let from = self.from;
            for at in self.range(chunk) {
                // SAFETY: other chunks have places of their own.
                unsafe {
                    let item = from.item(at);
                    lines.push(digit.bucket(item), item);
                }
            }
            // SAFETY: as above.
            unsafe { lines.finish() };
        });
    }
}

/// What is left to be done: items in buckets.
struct Buckets<'a, P: Place> {
    items: Shared<P::Item>,
    to: P,
    /// The lowest bits of keys, by which items in a bucket differ.
    bits: u32,
    /// Items of parts that are not halved any more.
    part: usize,
    /// Whether results go round the caches.
    stream: bool,
    failure: &'a OnceLock<Failure>,
}

impl<P: Place> Buckets<'_, P> {
    /// Sorts the items in each of some buckets, which begin at `start` and end where `ends` says.
    ///
    /// # Safety
    /// There are items there, and there is room for as many results, which nobody else accesses meanwhile.
    unsafe fn sort(&self, start: usize, ends: &[usize]) {
        let n = ends[ends.len() - 1] - start;
        if ends.len() == 1 || n <= self.part {
            // SAFETY: promised by the caller.
            return unsafe { self.one_by_one(start, ends) };
        }
        let (left, right) = ends.split_at(ends.len() / 2);
        apart(|here| {
            rayon::join(
                // SAFETY: a part of what the caller promises.
                || here.on(|| unsafe { self.sort(start, left) }),
                // SAFETY: the rest.
                || here.on(|| unsafe { self.sort(left[left.len() - 1], right) }),
            )
        });
    }

    /// The same, on this thread, but for large buckets.
    ///
    /// # Safety
    /// As for [`sort`](Self::sort).
    unsafe fn one_by_one(&self, start: usize, ends: &[usize]) {
        let starts = [start].into_iter().chain(ends.iter().copied());
        let sizes = starts.clone().zip(ends).map(|(start, end)| end - start);
        let most = sizes.filter(|n| *n < MANY).max().unwrap_or(0);
        let mut room = Buffer::new();
        if let Err(failure) = memory::reserve(room.as_vec(), most) {
            let _ = self.failure.set(failure);
            return;
        }
        let first: *mut P::Item = room.as_vec().as_mut_ptr();
        for (start, end) in starts.zip(ends) {
            let n = end - start;
            let from = self.items.at(start);
            // SAFETY: there are items of this bucket's, and room for as many results, promises the
            // caller, and for as many items in `room`.
            unsafe {
                let to = self.to.behind(start);
                if n >= MANY && self.bits > 0 {
                    if let Err(failure) = sort(Items(Shared(from)), to, n, self.bits) {
                        let _ = self.failure.set(failure);
                    }
                } else if self.bits == 0 {
                    (0..n).for_each(|at| to.put(at, *from.add(at)));
                } else {
                    let places = Places {
                        items: from,
                        room: first,
                        to,
                        n,
                        stream: self.stream,
                    };
                    near::sort(&places, self.bits);
                }
            }
        }
        if self.stream {
            memory::fence();
        }
    }
}
