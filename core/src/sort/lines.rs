//! Places that are written in turn, a cache line at a time.
//!
//! In: items, and the buckets that they go to. Out: memory, in which those of a bucket follow each other.
//! Assumes: that begins at a cache line.

use core::mem::MaybeUninit;

use super::items::Item;
use crate::memory::{self, LINE};

/// Bytes from which on what is written goes round the caches, which do not have room for it.
const STREAM: usize = 4 << 20;

/// Whether so many of these are written round the caches.
pub(super) fn streams<T>(n: usize) -> bool {
    streams_bytes(n, size_of::<T>())
}

/// Whether so many of so many bytes are.
pub(super) fn streams_bytes(n: usize, bytes: usize) -> bool {
    n * bytes >= STREAM
}

/// A cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(
    #[expect(dead_code, reason = "memory that is accessed by its address")] MaybeUninit<[u8; LINE]>,
);

/// Writes `n` results, whole cache lines round the caches.
///
/// # Safety
/// There is room for them at `to`, which nobody else accesses; who reads them elsewhere comes after a
/// [`memory::fence`]. Results have no padding.
#[inline(always)]
pub(super) unsafe fn write_round<T>(to: *mut T, n: usize, result: impl Fn(usize) -> T) {
    const { assert!(LINE.is_multiple_of(size_of::<T>())) };
    let per_line = LINE / size_of::<T>();
    let head = ((per_line - memory::misses_line(to, 0)) % per_line).min(n);
    let lines = (n - head) / per_line;
    // SAFETY: promised by the caller, for all of `0..n`.
    let one = |at: usize| unsafe { to.add(at).write(result(at)) };
    (0..head).for_each(one);
    for line in 0..lines {
        let start = head + line * per_line;
        let mut room = Line(MaybeUninit::uninit());
        let results = core::ptr::from_mut(&mut room).cast::<T>();
        // SAFETY: a line has room for so many; then it holds them, and there is room at `to`, which a
        // line begins at behind the first `head`.
        unsafe {
            (0..per_line).for_each(|at| results.add(at).write(result(start + at)));
            memory::copy_line(results.cast(), to.add(start).cast(), true);
        }
    }
    (head + lines * per_line..n).for_each(one);
}

/// A line for each bucket.
pub(super) struct Lines<'a, I> {
    lines: Vec<Line>,
    /// Where in its line the next item of each bucket goes.
    next: Vec<*mut I>,
    /// Where that line is written to: at which item it starts.
    starts: Vec<usize>,
    /// Where items of this task begin, and end.
    begins: &'a [usize],
    ends: &'a [usize],
    to: *mut I,
    stream: bool,
}

impl<'a, I: Item> Lines<'a, I> {
    /// Items in a line.
    const ITEMS: usize = LINE / size_of::<I>();

    /// For items of buckets that begin and end there, in memory of `n` items.
    pub(super) fn new(begins: &'a [usize], ends: &'a [usize], to: *mut I, n: usize) -> Self {
        const { assert!(LINE.is_multiple_of(size_of::<I>())) };
        let mut lines = vec![Line(MaybeUninit::uninit()); begins.len()];
        let starts = begins.iter().map(|begin| begin / Self::ITEMS * Self::ITEMS);
        let next = lines.iter_mut().zip(begins).map(|(line, begin)| {
            let line = core::ptr::from_mut(line).cast::<I>();
            line.wrapping_add(begin % Self::ITEMS)
        });
        Lines {
            next: next.collect(),
            lines,
            starts: starts.collect(),
            begins,
            ends,
            to,
            stream: streams::<I>(n),
        }
    }

    /// Adds an item to a bucket.
    ///
    /// # Panics
    /// When there are more of them than room, but maybe later, or in [`finish`](Self::finish).
    ///
    /// # Safety
    /// There is a bucket of this number; nobody else accesses its room.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, bucket: usize, item: I) {
        // SAFETY: promised by the caller; the place is in the line of this bucket, which is not full.
        unsafe {
            let next = self.next.get_unchecked_mut(bucket);
            next.write(item);
            *next = next.add(1);
            if next.addr().is_multiple_of(LINE) {
                *next = next.sub(Self::ITEMS);
                self.write(bucket, Self::ITEMS);
            }
        }
    }

    /// Writes what the line of a bucket holds before its item `end`, and goes on with the next line.
    ///
    /// # Safety
    /// There is such a bucket; nobody else accesses its room.
    #[inline(always)]
    unsafe fn write(&mut self, bucket: usize, end: usize) {
        // SAFETY: promised by the caller.
        let (begin, last, start) = unsafe {
            let start = self.starts.get_unchecked_mut(bucket);
            let next = *start + Self::ITEMS;
            let start = core::mem::replace(start, next);
            (
                *self.begins.get_unchecked(bucket),
                *self.ends.get_unchecked(bucket),
                start,
            )
        };
        if start + end > last {
            other_items();
        }
        let line = self.lines.as_ptr().wrapping_add(bucket).cast::<I>();
        if start >= begin && end == Self::ITEMS {
            let to = self.to.wrapping_add(start);
            // SAFETY: a whole line of items, which begins where one does, in both.
            unsafe { memory::copy_line(line.cast(), to.cast(), self.stream) };
        } else {
            let first = begin.saturating_sub(start);
            let (from, to) = (
                line.wrapping_add(first),
                self.to.wrapping_add(start + first),
            );
            // SAFETY: so many items have been written to the line, and there is room for them.
            unsafe { from.copy_to_nonoverlapping(to, end - first) };
        }
    }

    /// Writes what is left in the lines. After that all room of this task holds items.
    ///
    /// # Panics
    /// When other items have been added than there is room for.
    ///
    /// # Safety
    /// Nobody else accesses the room.
    pub(super) unsafe fn finish(mut self) {
        for bucket in 0..self.next.len() {
            let end = self.next[bucket].addr() % LINE / size_of::<I>();
            if self.starts[bucket] + end != self.ends[bucket] {
                other_items();
            }
            if self.starts[bucket] + end > self.begins[bucket] && end > 0 {
                // SAFETY: promised by the caller.
                unsafe { self.write(bucket, end) };
            }
        }
        memory::fence();
    }
}

/// A mistake of the compiler.
#[cold]
#[inline(never)]
pub(super) fn other_items() -> ! {
    panic!("elements have other keys the second time; please report this");
}
