//! Of rows of any lengths, each with an element, the one in the middle of their order.
//!
//! Rows are cut among tasks by their elements, and most are short: of an element of these is counted how many
//! are not above it, of all at once and without a branch, where there is AVX-512. In other rows `std` selects,
//! or `select`, by all threads in a row that is long, after the others.

use super::rows::{Rows, parts};
use super::select::{self, Scratch};
use crate::levels::Level;
use rayon::prelude::*;

/// Elements of a row that is shared among threads.
const LONG: usize = 1 << 17;

/// Elements of a vector.
const LANES: usize = 16;

/// Elements of a row, at most, that are counted.
const SHORT: usize = 4 * LANES;

/// As rayon and `std` give it.
pub fn plain(out: &mut Vec<i32>, rows: Rows<'_, i32>) {
    (0..rows.count())
        .into_par_iter()
        .map(|at| rows.row(at))
        .map(|row| select::plain(row, row.len() / 2))
        .collect_into_vec(out);
}

/// As an expert writes it.
pub fn expert_into(out: &mut [i32], rows: Rows<'_, i32>, scratch: &mut Scratch) {
    at_level(Level::best(), out, rows, scratch);
}

/// The expert's version at a level.
pub fn at_level(level: Level, out: &mut [i32], rows: Rows<'_, i32>, scratch: &mut Scratch) {
    assert_eq!(out.len(), rows.count());
    let tasks = rows.tasks();
    let places = parts(out, tasks.iter().map(ExactSizeIterator::len));
    tasks
        .into_par_iter()
        .zip(places)
        .for_each_init(Scratch::default, |scratch, (task, place)| {
            let offsets = &rows.offsets[task.start..=task.end];
            let short = short_ones(level, place, offsets, rows.elements);
            for (row, place) in task.map(|at| rows.row(at)).zip(place) {
                if (short + 1..LONG).contains(&row.len()) {
                    *place = select::alone(level, row, row.len() / 2, scratch);
                }
            }
        });
    for (at, place) in out.iter_mut().enumerate() {
        let row = rows.row(at);
        if row.len() >= LONG {
            *place = select::at_level(level, row, row.len() / 2, scratch);
        }
    }
}

/// Writes the results of short rows; gives up to which length rows are.
fn short_ones(level: Level, out: &mut [i32], offsets: &[i64], elements: &[i32]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() {
        // SAFETY: the level says that the machine has AVX-512.
        unsafe { counted_in_rows(out, offsets, elements) };
        return SHORT;
    }
    let _ = (level, out, offsets, elements);
    0
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn counted_in_rows(out: &mut [i32], offsets: &[i64], elements: &[i32]) {
    for (place, ends) in out.iter_mut().zip(offsets.windows(2)) {
        let row = &elements[ends[0] as usize..ends[1] as usize];
        match row.len().div_ceil(LANES) {
            1 => *place = counted::<1>(row),
            2 => *place = counted::<2>(row),
            3 => *place = counted::<3>(row),
            4 => *place = counted::<4>(row),
            _longer => {}
        }
    }
}

/// The least element that more than half of the row are not above.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn counted<const VECTORS: usize>(row: &[i32]) -> i32 {
    use std::arch::x86_64::*;
    assert!(row.len() > (VECTORS - 1) * LANES);
    let (most, one) = (_mm512_set1_epi32(i32::MAX), _mm512_set1_epi32(1));
    let (mut lanes, mut counts) = ([most; VECTORS], [_mm512_setzero_si512(); VECTORS]);
    for (vector, lanes) in lanes.iter_mut().enumerate() {
        let left = (row.len() - vector * LANES).min(LANES);
        let live = ((1_u32 << left) - 1) as u16;
        // SAFETY: the mask leaves out what is behind the row.
        *lanes = unsafe { _mm512_mask_loadu_epi32(most, live, row.as_ptr().add(vector * LANES)) };
    }
    for x in row {
        let x = _mm512_set1_epi32(*x);
        for vector in 0..VECTORS {
            let is_above = _mm512_cmple_epi32_mask(x, lanes[vector]);
            counts[vector] = _mm512_mask_add_epi32(counts[vector], is_above, counts[vector], one);
        }
    }
    let half = _mm512_set1_epi32((row.len() / 2) as i32);
    let mut least = most;
    for vector in 0..VECTORS {
        let is_there = _mm512_cmpgt_epi32_mask(counts[vector], half);
        least = _mm512_mask_min_epi32(least, is_there, least, lanes[vector]);
    }
    _mm512_reduce_min_epi32(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rivals::rows::samples;

    #[test]
    fn agrees_with_std_on_every_level() {
        let (mut offsets, mut elements) = samples(|i| (i * 7919 % 10_007) as i32 % 3000 - 1500);
        elements.extend((0..200_000).map(|i| i * 6101 % 100_003));
        offsets.push(elements.len() as i64);
        elements.push(i32::MAX);
        offsets.push(elements.len() as i64);
        offsets.dedup();
        let rows = Rows {
            offsets: &offsets,
            elements: &elements,
        };
        let mut wanted = Vec::new();
        plain(&mut wanted, rows);
        for level in Level::available() {
            let mut out = vec![0; rows.count()];
            at_level(level, &mut out, rows, &mut Scratch::default());
            assert_eq!(out, wanted);
        }
    }
}
