//! Values by their keys: each key once, and a row of the values that have it.
//!
//! Pairs are sorted as `sort` does it. Where keys are new is counted in parts of what is sorted, then each part
//! writes its keys, where rows begin, and values to places of its own.

use super::rows::parts;
use super::sort::{self, Pair, Scratch};
use crate::memory::{self, advise_huge_pages, fence, worth_streaming};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Pairs of a task.
const TASK: usize = 1 << 14;

/// Values that are brought together before they are written.
const BLOCK: usize = 1 << 10;

/// Keys, and a row of values for each.
#[derive(Debug, Default, PartialEq)]
pub struct Groups {
    /// Each key once, in ascending order.
    pub keys: Vec<i32>,
    /// Where the values of each key begin, and the last end.
    pub offsets: Vec<i64>,
    /// The values of all keys.
    pub values: Vec<f32>,
}

/// As rayon and `std` give it.
pub fn plain(out: &mut Groups, pairs: &[Pair]) {
    let mut sorted = pairs.to_vec();
    sorted.par_sort_by_key(|pair| pair.0);
    *out = Groups::default();
    out.offsets.push(0);
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        out.keys.push(group[0].0);
        out.values.extend(group.iter().map(|pair| pair.1));
        out.offsets.push(out.values.len() as i64);
    }
}

/// As an expert writes it; `sorted` is memory that it keeps.
pub fn expert_into(
    out: &mut Groups,
    pairs: &[Pair],
    sorted: &mut Vec<Pair>,
    scratch: &mut Scratch<u64>,
) {
    sort::pairs_into(sorted, pairs, scratch);
    let sorted = &sorted[..];
    let starts = (0..sorted.len()).into_par_iter().step_by(TASK);
    let counts: Vec<usize> = starts.map(|start| count(sorted, start)).collect();
    let total = counts.iter().sum();
    let keys = room(&mut out.keys, total);
    let offsets = room(&mut out.offsets, total + 1);
    let values = room(&mut out.values, sorted.len());
    let streams = worth_streaming(values);
    let (end, offsets) = offsets.split_last_mut().expect("one more than keys");
    end.write(sorted.len() as i64);
    let heads = parts(keys, counts.iter().copied())
        .into_par_iter()
        .zip(parts(offsets, counts.into_iter()));
    let tasks = heads.zip(values.par_chunks_mut(TASK)).enumerate();
    tasks.for_each(|(task, ((keys, offsets), values))| {
        begins(keys, offsets, sorted, task * TASK);
        apart(values, &sorted[task * TASK..], streams);
    });
    // SAFETY: each task has written all of its places, which together are these elements.
    unsafe {
        out.keys.set_len(total);
        out.offsets.set_len(total + 1);
        out.values.set_len(sorted.len());
    }
}

/// Memory for so many elements, in huge pages if large.
fn room<T>(out: &mut Vec<T>, n: usize) -> &mut [MaybeUninit<T>] {
    out.clear();
    out.reserve(n);
    let room = &mut out.spare_capacity_mut()[..n];
    advise_huge_pages(room);
    room
}

/// How many keys of a task are new.
fn count(sorted: &[Pair], start: usize) -> usize {
    let end = sorted.len().min(start + TASK);
    let pairs = &sorted[start.max(1)..end];
    let before = &sorted[start.max(1) - 1..end - 1];
    let new = pairs.iter().zip(before);
    let new: u32 = new
        .map(|(pair, before)| u32::from(pair.0 != before.0))
        .sum();
    new as usize + usize::from(start == 0)
}

/// Writes the keys of a task that are new, and where these are.
fn begins(
    keys: &mut [MaybeUninit<i32>],
    offsets: &mut [MaybeUninit<i64>],
    sorted: &[Pair],
    start: usize,
) {
    let count = keys.len();
    assert_eq!(offsets.len(), count);
    let (mut next, mut before) = (0, start.checked_sub(1).map(|at| sorted[at].0));
    let mut at = start;
    // Without a branch, until the places are full.
    while next < count {
        let key = sorted[at].0;
        let is_new = before != Some(key);
        // What is not new is written over; before the first that is, there is nothing to keep.
        keys[next].write(key);
        offsets[next].write(at as i64);
        next += usize::from(is_new);
        before = Some(key);
        at += 1;
    }
}

/// Writes the values of pairs, as many as there is room for.
fn apart(values: &mut [MaybeUninit<f32>], pairs: &[Pair], streams: bool) {
    let mut block = [0.0; BLOCK];
    for (to, pairs) in values.chunks_mut(BLOCK).zip(pairs.chunks(BLOCK)) {
        let block = &mut block[..to.len()];
        for (value, pair) in block.iter_mut().zip(pairs) {
            *value = pair.1;
        }
        match streams {
            true => memory::stream(to, block),
            false => memory::copy(to, block),
        }
    }
    fence();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_std() {
        let (mut out, mut wanted) = (Groups::default(), Groups::default());
        let mut sorted = Vec::new();
        for n in [0, 1, 100, TASK, TASK + 1, 200_003] {
            let mut scratch = Scratch::new(n);
            for most in [1, 3, 5000, 1 << 30] {
                let key = |i: usize| (i * 7919 % 1_000_003 % most) as i32;
                let key = |i| key(i).wrapping_mul(-1_640_531_527);
                let pairs: Vec<Pair> = (0..n).map(|i| (key(i), i as f32)).collect();
                plain(&mut wanted, &pairs);
                expert_into(&mut out, &pairs, &mut sorted, &mut scratch);
                assert!(out == wanted, "{n} pairs of {most} keys");
            }
        }
    }
}
