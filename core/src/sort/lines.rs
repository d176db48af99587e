//! Places that are written in turn, a cache line at a time.
//!
//! In: items, and the buckets that they go to. Out: memory, in which those of a bucket follow each other.
//! Assumes: that begins at a cache line.

use core::mem::MaybeUninit;

use super::job::Item;
use crate::memory::{self, LINE};

/// Bytes from which on what is written goes round the caches, which do not have room for it.
const STREAM: usize = 4 << 20;

/// A cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(
    #[expect(dead_code, reason = "memory that is accessed by its address")] MaybeUninit<[u8; LINE]>,
);

/// A line for each bucket.
pub(super) struct Lines<I> {
    lines: Vec<Line>,
    /// Where the next item of each bucket goes.
    next: Vec<usize>,
    /// Where those of this task begin.
    begins: Vec<usize>,
    to: *mut I,
    stream: bool,
}

impl<I: Item> Lines<I> {
    /// Items in a line.
    const ITEMS: usize = LINE / size_of::<I>();

    /// For items of buckets that begin there, in memory of `n` items.
    pub(super) fn new(begins: &[usize], to: *mut I, n: usize) -> Self {
        const { assert!(LINE.is_multiple_of(size_of::<I>())) };
        Lines {
            lines: vec![Line(MaybeUninit::uninit()); begins.len()],
            next: begins.to_vec(),
            begins: begins.to_vec(),
            to,
            stream: n * size_of::<I>() >= STREAM,
        }
    }

    /// An item's own place in the line of its bucket.
    #[inline(always)]
    fn in_line(&mut self, bucket: usize, at: usize) -> *mut I {
        let line = self.lines.as_mut_ptr().wrapping_add(bucket).cast::<I>();
        line.wrapping_add(at % Self::ITEMS)
    }

    /// Adds an item to a bucket.
    ///
    /// # Safety
    /// There is a bucket of this number, with room for another item, which nobody else accesses.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, bucket: usize, item: I) {
        // SAFETY: promised by the caller.
        let place = unsafe { self.next.get_unchecked_mut(bucket) };
        let next = *place;
        *place = next + 1;
        // SAFETY: a place in the line of this bucket.
        unsafe { self.in_line(bucket, next).write(item) };
        if next % Self::ITEMS == Self::ITEMS - 1 {
            // SAFETY: what the line holds has been promised room.
            unsafe { self.write(bucket, next + 1) };
        }
    }

    /// Writes what the line of a bucket holds, which ends before `end`.
    ///
    /// # Safety
    /// There is such a bucket, and room for these items.
    #[inline(always)]
    unsafe fn write(&mut self, bucket: usize, end: usize) {
        // SAFETY: promised by the caller.
        let begin = unsafe { *self.begins.get_unchecked(bucket) };
        let start = (end - 1) / Self::ITEMS * Self::ITEMS;
        let first = start.max(begin);
        let from = self.in_line(bucket, first).cast_const();
        let to = self.to.wrapping_add(first);
        if end - first == Self::ITEMS {
            // SAFETY: a whole line of items, which begins where one does, in both.
            unsafe { memory::copy_line(from.cast(), to.cast(), self.stream) };
        } else {
            // SAFETY: so many items have been written to the line, and there is room for them.
            unsafe { from.copy_to_nonoverlapping(to, end - first) };
        }
    }

    /// Writes what is left in the lines.
    ///
    /// # Safety
    /// As for [`push`](Self::push), of what has been added.
    pub(super) unsafe fn finish(mut self) {
        for bucket in 0..self.next.len() {
            let end = self.next[bucket];
            if end > self.begins[bucket] && !end.is_multiple_of(Self::ITEMS) {
                // SAFETY: promised by the caller.
                unsafe { self.write(bucket, end) };
            }
        }
        memory::fence();
    }
}
