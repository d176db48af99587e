//! Rows of any lengths, each sorted.
//!
//! Rows are cut among tasks by their elements, and most are short: a sort by comparing is best there. A row
//! that is long is sorted by all threads, as `sort` does it, after the others.

use super::rows::{Rows, parts};
use super::sort::{self, Pair, Scratch};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Elements of a row that is shared among threads.
const LONG: usize = 1 << 17;

/// As rayon and `std` give it.
pub fn plain(out: &mut Vec<i32>, rows: Rows<'_, i32>) {
    each_by_std(out, rows, <[i32]>::sort_unstable);
}

/// Pairs by their keys, as rayon and `std` give it.
pub fn pairs_plain(out: &mut Vec<Pair>, rows: Rows<'_, Pair>) {
    each_by_std(out, rows, by_key);
}

fn each_by_std<T: Copy + Send>(out: &mut Vec<T>, rows: Rows<'_, T>, sort: fn(&mut [T])) {
    out.clear();
    out.extend_from_slice(rows.elements);
    let lens = (0..rows.count()).map(|at| rows.row(at).len());
    let rows = parts(out, lens);
    rows.into_par_iter().for_each(sort);
}

/// As an expert writes it.
pub fn expert_into(out: &mut Vec<i32>, rows: Rows<'_, i32>, scratch: &mut Scratch<u32>) {
    let long = |room: &mut [_], row: &[_]| sort::expert_to(room, row, scratch);
    each(out, rows, <[i32]>::sort_unstable, long);
}

/// Pairs by their keys, as an expert writes it.
pub fn pairs_into(out: &mut Vec<Pair>, rows: Rows<'_, Pair>, scratch: &mut Scratch<u64>) {
    let long = |room: &mut [_], row: &[_]| sort::pairs_to(room, row, scratch);
    each(out, rows, by_key, long);
}

/// Keeps the order of pairs of one key, as the language does.
fn by_key(row: &mut [Pair]) {
    row.sort_by_key(|pair| pair.0);
}

/// Rows, sorted by `short`, or from so many elements on by `long`, which writes all of its room.
fn each<T: Copy + Send + Sync>(
    out: &mut Vec<T>,
    rows: Rows<'_, T>,
    short: fn(&mut [T]),
    mut long: impl FnMut(&mut [MaybeUninit<T>], &[T]),
) {
    out.clear();
    out.reserve(rows.elements.len());
    let room = &mut out.spare_capacity_mut()[..rows.elements.len()];
    let tasks = rows.tasks();
    let lens = tasks
        .iter()
        .map(|task| (rows.offsets[task.end] - rows.offsets[task.start]) as usize);
    let places = parts(room, lens);
    tasks.into_par_iter().zip(places).for_each(|(task, place)| {
        let mut place = place;
        for row in task.map(|at| rows.row(at)) {
            let (to, rest) = place.split_at_mut(row.len());
            if row.len() < LONG {
                short(to.write_copy_of_slice(row));
            }
            place = rest;
        }
    });
    for at in (0..rows.count()).filter(|at| rows.row(*at).len() >= LONG) {
        let row = rows.row(at);
        let start = (rows.offsets[at] - rows.offsets[0]) as usize;
        long(&mut room[start..][..row.len()], row);
    }
    // SAFETY: the rows of all tasks are all elements, and have been written by `short` or `long`.
    unsafe { out.set_len(rows.elements.len()) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rivals::rows::samples;

    #[test]
    fn agrees_with_std() {
        let (mut offsets, mut elements) = samples(|i| (i * 7919 % 10_007) as i32 - 5000);
        elements.extend((0..200_000).map(|i| i * 6101 % 100_003));
        offsets.push(elements.len() as i64);
        let rows = Rows {
            offsets: &offsets,
            elements: &elements,
        };
        let (mut out, mut wanted) = (Vec::new(), Vec::new());
        plain(&mut wanted, rows);
        expert_into(&mut out, rows, &mut Scratch::new(200_000));
        assert_eq!(out, wanted);
        // Few keys, so that an order of equal ones shows.
        let pairs: Vec<Pair> = (0..)
            .zip(&elements)
            .map(|(at, x)| (x % 50, at as f32))
            .collect();
        let rows = Rows {
            offsets: &offsets,
            elements: &pairs,
        };
        let (mut out, mut wanted) = (Vec::new(), Vec::new());
        pairs_plain(&mut wanted, rows);
        pairs_into(&mut out, rows, &mut Scratch::new(200_000));
        assert_eq!(out, wanted);
    }
}
