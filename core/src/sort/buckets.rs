//! Sorts of many items, by all threads.
//!
//! In: elements. Out: results, in ascending order of bits, of equal ones the first first. Assumes: nothing.
//!
//! Note \[Buckets\]. Items go to buckets by the highest bits of their keys that differ, in parallel: each
//! task counts and then moves a chunk of them, and chunks come one after another in each bucket. So many
//! buckets are as many places that are written in turn, more than the nearest cache and the table of pages
//! have room for: so a task gathers a cache line for each bucket first (`lines.rs`). What a bucket holds
//! fits into the second-level cache most often, and is sorted there from the lowest digit on (`near.rs`).
//! A bucket that is large goes to buckets again. All keep the order of equal ones.
//!
//! Which bits differ is asked of some keys, and counting finds out whether that holds for all.

use std::sync::OnceLock;

use super::Shared;
use super::job::{Item, Job};
use super::lines::Lines;
use super::near::{self, Places};
use crate::error::Failure;
use crate::memory;
use crate::parallel;
use crate::recycle::Buffer;

/// Items from which on threads share them.
pub(super) const MANY: usize = 1 << 17;

/// The binary logarithm of the items in a bucket, if keys are spread evenly: those that near sorts are
/// best at.
const BUCKET: u32 = 14;

/// The same where keys are too long to be sorted from the lowest digit on.
const BUCKET_OF_LONG: u32 = 11;

/// Bits from which on keys are so long, behind the first digit.
const LONG: u32 = 36;

/// Bits of a digit.
const LEAST_DIGIT: u32 = 8;
const MOST_DIGIT: u32 = 11;

/// Chunks for each thread.
const CHUNKS: usize = 4;

/// Parts of the buckets for each thread.
const PARTS: usize = 16;

/// Keys that are asked which bits differ.
const ASKED: usize = 256;

/// Some bits of a key, which say to which bucket it goes.
#[derive(Clone, Copy)]
struct Digit {
    low: u32,
    /// The greatest value.
    most: usize,
}

impl Digit {
    /// So many bits, below which there are `low`.
    fn new(bits: u32, low: u32) -> Digit {
        let most = (1 << bits) - 1;
        Digit { low, most }
    }

    /// How many buckets there are.
    fn buckets(self) -> usize {
        self.most + 1
    }

    /// The bucket of an item.
    #[inline(always)]
    fn bucket(self, item: impl Item) -> usize {
        (item.bits() >> self.low) as usize & self.most
    }
}

/// Elements to be sorted, cut into chunks.
struct Chunks<J: Job> {
    from: Shared<J::From>,
    n: usize,
    count: usize,
}

/// Sorts `n` elements at `from` to `to` by the lowest `bits`, which are all that differ.
///
/// # Safety
/// There are so many elements at `from`, and there is room for as many results at `to`, which nobody else
/// accesses meanwhile. `to` and `from` are apart or the same.
pub(super) unsafe fn sort<J: Job>(
    from: *const J::From,
    to: *mut J::To,
    n: usize,
    bits: u32,
) -> Result<(), Failure> {
    let chunks: Chunks<J> = Chunks {
        from: Shared(from.cast_mut()),
        n,
        count: (rayon::current_num_threads() * CHUNKS).min(n / (MANY / 8)),
    };
    // SAFETY: promised by the caller.
    let (digit, mut counts) = unsafe { chunks.counts(bits) };
    let ends = chunks.begin(&mut counts, digit);
    let mut scratch: Buffer<J::Item> = Buffer::new();
    let items = Shared(memory::reserve_lines(scratch.as_vec(), n)?);
    // SAFETY: as above, and there is room for `n` items; the counts are of these chunks.
    unsafe { chunks.scatter(&counts, digit, &items) };
    let failure = OnceLock::new();
    let rest = Buckets::<J> {
        items,
        to: Shared(to),
        bits: digit.low,
        part: n / (rayon::current_num_threads() * PARTS),
        failure: &failure,
    };
    // SAFETY: all items are there now, and room for as many results.
    unsafe { rest.sort(0, &ends) };
    failure.into_inner().map_or(Ok(()), Err)
}

impl<J: Job> Chunks<J> {
    /// The elements of a chunk, by their positions.
    fn range(&self, chunk: usize) -> core::ops::Range<usize> {
        let size = self.n.div_ceil(self.count);
        (chunk * size).min(self.n)..((chunk + 1) * size).min(self.n)
    }

    /// # Safety
    /// There is an element `at`, which nobody writes meanwhile; so for all of the others.
    #[inline(always)]
    unsafe fn item(&self, at: usize) -> J::Item {
        // SAFETY: promised by the caller.
        J::item(unsafe { *self.from.at(at) }, at)
    }

    /// By which digit items go to buckets, and how many of each chunk go to each.
    ///
    /// # Safety
    /// As for [`item`](Self::item).
    unsafe fn counts(&self, bits: u32) -> (Digit, Vec<usize>) {
        // SAFETY: promised by the caller.
        unsafe {
            let differ = (0..self.n).step_by(self.n / ASKED).fold(0, |differ, at| {
                differ | self.item(at).bits() ^ self.item(0).bits()
            });
            let asked = (u64::BITS - differ.leading_zeros()).max(1);
            if asked < bits {
                let digit = self.digit(asked);
                if let Some(counts) = self.counts_by::<true>(digit, asked) {
                    return (digit, counts);
                }
            }
            let digit = self.digit(bits);
            let counts = self.counts_by::<false>(digit, bits);
            (digit, counts.expect("nobody asks for more bits"))
        }
    }

    /// The highest of so many bits; all, if these are few.
    fn digit(&self, bits: u32) -> Digit {
        if bits <= MOST_DIGIT {
            return Digit::new(bits, 0);
        }
        let digit = |bucket| {
            let digit = self.n.ilog2().saturating_sub(bucket);
            digit.clamp(LEAST_DIGIT, MOST_DIGIT)
        };
        let short = digit(BUCKET);
        let digit = match bits - short > LONG {
            true => digit(BUCKET_OF_LONG),
            false => short,
        };
        Digit::new(digit, bits - digit)
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
                // SAFETY: promised by the caller.
                let (own, differ) = unsafe { self.count::<ASK>(chunk, digit) };
                // SAFETY: there are so many counts for each chunk, which is this task's alone.
                unsafe {
                    let counts = counts.at(chunk * digit.buckets());
                    own[0]
                        .as_ptr()
                        .copy_to_nonoverlapping(counts, digit.buckets());
                    above.at(chunk).write(differ.checked_shr(bits).unwrap_or(0));
                }
            });
        }
        above.iter().all(|above| *above == 0).then_some(counts)
    }

    /// The same for one chunk, in the first table, and which bits differ if `ASK`.
    ///
    /// # Safety
    /// As for [`item`](Self::item).
    #[inline(never)]
    unsafe fn count<const ASK: bool>(
        &self,
        chunk: usize,
        digit: Digit,
    ) -> ([[usize; 1 << MOST_DIGIT]; 2], u64) {
        // Two tables, since counts that follow each other wait for each other if they are the same.
        let mut tables = [[0; 1 << MOST_DIGIT]; 2];
        let [even, odd] = &mut tables;
        let range = self.range(chunk);
        let mut differ = 0;
        // SAFETY: promised by the caller, for positions of elements.
        unsafe {
            let first = self.item(0).bits();
            let mut count = |table: &mut [usize; 1 << MOST_DIGIT], at| {
                let item = self.item(at);
                if ASK {
                    differ |= item.bits() ^ first;
                }
                table[digit.bucket(item) % (1 << MOST_DIGIT)] += 1;
            };
            let mut at = range.start;
            while at + 1 < range.end {
                count(even, at);
                count(odd, at + 1);
                at += 2;
            }
            if at < range.end {
                count(even, at);
            }
        }
        even.iter_mut().zip(odd).for_each(|(all, odd)| *all += *odd);
        (tables, differ)
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
    /// which nobody else accesses meanwhile, and `begins` are those of these chunks by this digit.
    unsafe fn scatter(&self, begins: &[usize], digit: Digit, items: &Shared<J::Item>) {
        let buckets = digit.buckets();
        parallel::each(self.count, &|chunk| {
            let begins = &begins[chunk * buckets..][..buckets];
            let mut lines = Lines::new(begins, items.at(0), self.n);
            // What a loop has of its own stays in registers.
            let Digit { low, most } = digit;
            let digit = Digit { low, most };
            for at in self.range(chunk) {
                // SAFETY: as many items come for each bucket as have been counted, and other chunks have
                // places of their own.
                unsafe {
                    let item = self.item(at);
                    lines.push(digit.bucket(item), item);
                }
            }
            // SAFETY: as above.
            unsafe { lines.finish() };
        });
    }
}

/// What is left to be done: items in buckets.
struct Buckets<'a, J: Job> {
    items: Shared<J::Item>,
    to: Shared<J::To>,
    /// The lowest bits of keys, by which items in a bucket differ.
    bits: u32,
    /// Items of parts that are not halved any more.
    part: usize,
    failure: &'a OnceLock<Failure>,
}

impl<J: Job> Buckets<'_, J> {
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
        rayon::join(
            // SAFETY: a part of what the caller promises.
            || unsafe { self.sort(start, left) },
            // SAFETY: the rest.
            || unsafe { self.sort(left[left.len() - 1], right) },
        );
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
        let first: *mut J::Item = room.as_vec().as_mut_ptr();
        for (start, end) in starts.zip(ends) {
            let n = end - start;
            let (from, to) = (self.items.at(start), self.to.at(start));
            // SAFETY: there are items of this bucket's, and room for as many results, promises the
            // caller, and for as many items in `room`.
            unsafe {
                if n >= MANY && self.bits > 0 {
                    if let Err(failure) = sort::<J::Rest>(from, to, n, self.bits) {
                        let _ = self.failure.set(failure);
                    }
                } else if self.bits == 0 {
                    (0..n).for_each(|at| to.add(at).write(J::result(*from.add(at))));
                } else {
                    let places: Places<J::Rest> = Places {
                        from,
                        first,
                        second: from,
                        to,
                        n,
                    };
                    near::sort(&places, self.bits);
                }
            }
        }
    }
}
