//! Rows of any lengths, each sorted.
//!
//! Rows are cut among tasks by their elements, and most are short: a sort by comparing is best there. A row
//! that is long is sorted by all threads, as `sort` does it, after the others.

use super::rows::{Rows, parts};
use super::sort::{self, Scratch};
use rayon::prelude::*;

/// Elements of a row that is shared among threads.
const LONG: usize = 1 << 17;

/// As rayon and `std` give it.
pub fn plain(out: &mut Vec<i32>, rows: Rows<'_, i32>) {
    out.clear();
    out.extend_from_slice(rows.elements);
    let lens = (0..rows.count()).map(|at| rows.row(at).len());
    let rows = parts(out, lens);
    rows.into_par_iter().for_each(<[i32]>::sort_unstable);
}

/// As an expert writes it.
pub fn expert_into(out: &mut Vec<i32>, rows: Rows<'_, i32>, scratch: &mut Scratch<u32>) {
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
            let to = to.write_copy_of_slice(row);
            if row.len() < LONG {
                to.sort_unstable();
            }
            place = rest;
        }
    });
    // SAFETY: the rows of all tasks are all elements, and have been copied.
    unsafe { out.set_len(rows.elements.len()) };
    let mut sorted = Vec::new();
    for at in (0..rows.count()).filter(|at| rows.row(*at).len() >= LONG) {
        sort::expert_into(&mut sorted, rows.row(at), scratch);
        out[rows.offsets[at] as usize..][..sorted.len()].copy_from_slice(&sorted);
    }
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
    }
}
