//! Sums of the rows and of the columns of a matrix of f32: one pass over memory.
//!
//! A row is summed like an inner product, in 64 accumulators. For columns each task takes a band of
//! rows and adds eight of them at a time to a row of sums that stays in the first cache.

use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;
use std::ops::Range;

/// Lanes summed apart: enough chains to hide the addition.
const LANES: usize = 64;

/// Rows that are added to the sums of columns together.
const TOGETHER: usize = 8;

/// Rows per task: their sums are added in order at the end.
const BAND: usize = 256;

/// Bytes from what is added to what is fetched.
const AHEAD: usize = 2048;

/// Sums of rows, as rayon gives them.
pub fn rows_plain(a: &[f32], width: usize) -> Vec<f32> {
    a.par_chunks(width).map(|row| row.iter().sum()).collect()
}

/// Sums of columns, as rayon gives them.
pub fn columns_plain(a: &[f32], width: usize) -> Vec<f32> {
    let columns = (0..width).into_par_iter();
    columns
        .map(|j| a.chunks(width).map(|row| row[j]).sum())
        .collect()
}

/// Sums of rows, as an expert writes them.
pub fn rows(a: &[f32], width: usize) -> Vec<f32> {
    rows_at(Level::best(), a, width)
}

/// Sums of columns, as an expert writes them.
pub fn columns(a: &[f32], width: usize) -> Vec<f32> {
    columns_at(Level::best(), a, width)
}

/// The expert's sums of rows at a level.
pub fn rows_at(level: Level, a: &[f32], width: usize) -> Vec<f32> {
    of_rows(a, width, 0..width, |row| sum(level, row))
}

/// The expert's sums of rows of some columns of a matrix with rows of `stride`.
pub fn rows_of_block(a: &[f32], stride: usize, columns: Range<usize>) -> Vec<f32> {
    let level = Level::best();
    of_rows(a, stride, columns, |row| sum(level, row))
}

/// What `f` gives for these columns of each row, read where they lie.
pub(super) fn of_rows<R: Clone + Default + Send>(
    a: &[f32],
    stride: usize,
    columns: Range<usize>,
    f: impl Fn(&[f32]) -> R + Sync,
) -> Vec<R> {
    let mut out = vec![R::default(); a.len() / stride];
    // A few rows per task: enough work to hand over, and contiguous.
    let per_task = (1_usize << 18).div_ceil(columns.len());
    let tasks = out
        .par_chunks_mut(per_task)
        .zip(a.par_chunks(per_task * stride));
    tasks.for_each(|(out, rows)| {
        for (out, row) in out.iter_mut().zip(rows.chunks(stride)) {
            *out = f(&row[columns.clone()]);
        }
    });
    out
}

/// The expert's sums of columns at a level.
pub fn columns_at(level: Level, a: &[f32], width: usize) -> Vec<f32> {
    let bands = a.par_chunks(BAND * width);
    let parts: Vec<Vec<f32>> = bands.map(|band| band_sums(level, band, width)).collect();
    let mut sums = vec![0.0; width];
    for part in parts {
        for (sum, part) in sums.iter_mut().zip(part) {
            *sum += part;
        }
    }
    sums
}

fn band_sums(level: Level, band: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    for rows in band.chunks(TOGETHER * width) {
        if rows.len() == TOGETHER * width {
            add_together(level, &mut sums, rows);
        } else {
            for row in rows.chunks(width) {
                add(level, &mut sums, row);
            }
        }
    }
    sums
}

kernel! {
    fn sum(xs: &[f32]) -> f32 {
        let mut sums = [0.0; LANES];
        let (blocks, rest) = xs.as_chunks::<LANES>();
        for block in blocks {
            for line in 0..LANES / 16 {
                prefetch(&raw const block[16 * line], AHEAD);
            }
            for lane in 0..LANES {
                sums[lane] += block[lane];
            }
        }
        for (sum, x) in sums.iter_mut().zip(rest) {
            *sum += x;
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
            }
            width /= 2;
        }
        sums[0]
    }
}

kernel! {
    fn add_together(sums: &mut [f32], rows: &[f32]) {
        let width = sums.len();
        let row: [&[f32]; TOGETHER] = std::array::from_fn(|r| &rows[r * width..(r + 1) * width]);
        let blocks = width / LANES;
        for block in 0..blocks {
            let from = block * LANES;
            let mut lanes = [0.0; LANES];
            lanes.copy_from_slice(&sums[from..from + LANES]);
            for row in row {
                let xs = &row[from..from + LANES];
                for line in 0..LANES / 16 {
                    prefetch(&raw const xs[16 * line], AHEAD);
                }
                for lane in 0..LANES {
                    lanes[lane] += xs[lane];
                }
            }
            sums[from..from + LANES].copy_from_slice(&lanes);
        }
        for j in blocks * LANES..width {
            for row in row {
                sums[j] += row[j];
            }
        }
    }
}

kernel! {
    fn add(sums: &mut [f32], row: &[f32]) {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_definition_on_every_level() {
        for (height, width) in [(1, 1), (3, 70), (300, 17), (17, 300), (600, 200)] {
            // Small whole numbers: every order of summation is exact.
            let a: Vec<f32> = (0..height * width).map(|i| (i * 7 % 23) as f32).collect();
            let (mut rows, mut columns) = (vec![0.0; height], vec![0.0; width]);
            for i in 0..height {
                for j in 0..width {
                    rows[i] += a[i * width + j];
                    columns[j] += a[i * width + j];
                }
            }
            for level in Level::available() {
                assert_eq!(rows_at(level, &a, width), rows);
                assert_eq!(columns_at(level, &a, width), columns);
            }
            assert_eq!(rows_plain(&a, width), rows);
            let part: Vec<f32> = (0..height)
                .map(|i| a[i * width..][..width - 1].iter().sum())
                .collect();
            if width > 1 {
                assert_eq!(rows_of_block(&a, width, 0..width - 1), part);
            }
            assert_eq!(columns_plain(&a, width), columns);
        }
    }
}
