//! Sparse matrix × vector, f64: rows of (column, value) one after another, and where each begins.
//!
//! Rows are cut among threads by their elements. Eight elements at a time: columns and values are
//! taken apart in registers, the vector is gathered under a mask of the columns that are in range, and
//! four chains of sums hide the addition. What is left of a row is one masked step, and a row of few
//! elements goes one by one. A huge row is cut among threads itself.

use super::rows::{Rows, TASK, parts};
use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;

/// An element: its column and its value.
pub type Entry = (usize, f64);

/// A matrix.
pub type Matrix<'a> = Rows<'a, Entry>;

/// Bytes from what is multiplied to what is fetched.
const AHEAD: usize = 4096;

/// The elements of a row that all threads share.
const HUGE: usize = 4 * TASK;

/// The product as rayon gives it.
pub fn plain(a: Matrix<'_>, v: &[f64]) -> Vec<f64> {
    let rows = (0..a.count()).into_par_iter();
    rows.map(|at| a.row(at).iter().map(|(j, x)| x * v[*j]).sum())
        .collect()
}

/// The product as an expert writes it, into `out`. `None` if a column is out of range.
pub fn expert_into(out: &mut [f64], a: Matrix<'_>, v: &[f64]) -> Option<()> {
    at_level(Level::best(), out, a, v)
}

/// The expert's product at a level.
pub fn at_level(level: Level, out: &mut [f64], a: Matrix<'_>, v: &[f64]) -> Option<()> {
    let tasks = a.tasks();
    let parts = parts(out, tasks.iter().map(ExactSizeIterator::len));
    let sound = tasks
        .par_iter()
        .zip(parts)
        .map(|(task, out)| match out.split_last_mut() {
            // A task ends behind the row that fills it, so a huge one is the last.
            Some((last, before)) if a.row(task.end - 1).len() >= HUGE => {
                let sum = in_pieces(level, a, task.end - 1, v);
                *last = sum.unwrap_or(0.0);
                rows(level, before, task.start, a, v) & sum.is_some()
            }
            _ => rows(level, out, task.start, a, v),
        });
    sound.reduce(|| true, |a, b| a & b).then_some(())
}

/// The sum of a huge row: of the sums of its pieces, which are rows themselves.
fn in_pieces(level: Level, a: Matrix<'_>, row: usize, v: &[f64]) -> Option<f64> {
    let (start, end) = (a.offsets[row], a.offsets[row + 1]);
    let offsets: Vec<i64> = (start..end).step_by(TASK).chain([end]).collect();
    let pieces = Matrix {
        offsets: &offsets,
        elements: a.elements,
    };
    let mut sums = vec![0.0; pieces.count()];
    at_level(level, &mut sums, pieces, v)?;
    Some(sums.iter().sum())
}

/// The rows from `first` on; whether all columns are in range.
fn rows(level: Level, out: &mut [f64], first: usize, a: Matrix<'_>, v: &[f64]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() && size_of::<usize>() == 8 {
        // SAFETY: the level says that the machine has AVX-512.
        return unsafe { gathered::rows(out, first, a, v) };
    }
    one_by_one(level, out, first, a, v)
}

kernel! {
    fn one_by_one(out: &mut [f64], first: usize, a: Matrix<'_>, v: &[f64]) -> bool {
        let mut sound = true;
        for (at, out) in out.iter_mut().enumerate() {
            let mut sums = [0.0; 4];
            let (blocks, rest) = a.row(first + at).as_chunks::<4>();
            for block in blocks {
                prefetch(&raw const block[0], AHEAD);
                for lane in 0..4 {
                    let (j, x) = block[lane];
                    sound &= j < v.len();
                    sums[lane] += x * v.get(j).copied().unwrap_or(0.0);
                }
            }
            for (sum, (j, x)) in sums.iter_mut().zip(rest) {
                sound &= *j < v.len();
                *sum += x * v.get(*j).copied().unwrap_or(0.0);
            }
            *out = (sums[0] + sums[2]) + (sums[1] + sums[3]);
        }
        sound
    }
}

#[cfg(target_arch = "x86_64")]
mod gathered {
    use super::{AHEAD, Entry, Matrix};
    use crate::memory::{prefetch, prefetch_far};
    use std::arch::x86_64::*;
    use std::mem::offset_of;

    /// In which half of an element the column lies.
    const COLUMN: i64 = (offset_of!(Entry, 0) / 8) as i64;

    /// The most elements of a row for which a gather is not worth its while.
    const FEW: usize = 6;

    /// See [`super::rows`].
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    pub fn rows(out: &mut [f64], first: usize, a: Matrix<'_>, v: &[f64]) -> bool {
        let mut outside = 0;
        for (at, out) in out.iter_mut().enumerate() {
            let row = a.row(first + at);
            if row.len() <= FEW {
                *out = 0.0;
                for (j, x) in row {
                    outside |= u8::from(*j >= v.len());
                    *out += x * v.get(*j).copied().unwrap_or(0.0);
                }
                continue;
            }
            let mut sums = [_mm512_setzero_pd(); 4];
            let (blocks, rest) = row.as_chunks::<8>();
            let (rounds, last) = blocks.as_chunks::<4>();
            for round in rounds {
                for lane in 0..4 {
                    prefetch(&raw const round[lane][0], AHEAD);
                    prefetch(&raw const round[lane][4], AHEAD);
                    prefetch_far(&raw const round[lane][0]);
                    prefetch_far(&raw const round[lane][4]);
                    let terms = terms(&round[lane], 8, v, &mut outside);
                    sums[lane] = _mm512_add_pd(sums[lane], terms);
                }
            }
            for (sum, block) in sums.iter_mut().zip(last) {
                *sum = _mm512_add_pd(*sum, terms(block, 8, v, &mut outside));
            }
            sums[3] = _mm512_add_pd(sums[3], terms(rest, rest.len(), v, &mut outside));
            let pairs = [
                _mm512_add_pd(sums[0], sums[2]),
                _mm512_add_pd(sums[1], sums[3]),
            ];
            *out = _mm512_reduce_add_pd(_mm512_add_pd(pairs[0], pairs[1]));
        }
        outside == 0
    }

    /// The products of `count` elements, at most 8, and zeros behind; notes columns out of range.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn terms(entries: &[Entry], count: usize, v: &[f64], outside: &mut u8) -> __m512d {
        let live = ((1_u32 << count) - 1) as u8;
        let halves = ((1_u32 << (2 * count)) - 1) as u16;
        let (low, high) = (halves as u8, (halves >> 8) as u8);
        let from = entries.as_ptr().cast::<i64>();
        // SAFETY: the masks leave out what is behind the `count` elements, of 16 bytes each.
        let (a, b) = unsafe {
            (
                _mm512_maskz_loadu_epi64(low, from),
                _mm512_maskz_loadu_epi64(high, from.wrapping_add(8)),
            )
        };
        let every_second = |half: i64| {
            let at = |lane: i64| 2 * lane + half;
            _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7))
        };
        let columns = _mm512_permutex2var_epi64(a, every_second(COLUMN), b);
        let values = _mm512_permutex2var_epi64(a, every_second(1 - COLUMN), b);
        let inside = _mm512_cmplt_epu64_mask(columns, _mm512_set1_epi64(v.len() as i64));
        *outside |= live & !inside;
        let zeros = _mm512_setzero_pd();
        // SAFETY: only columns inside of `v` are read.
        let xs = unsafe {
            _mm512_mask_i64gather_pd::<8>(zeros, live & inside, columns, v.as_ptr().cast())
        };
        _mm512_mul_pd(xs, _mm512_castsi512_pd(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let lens = (0..3000).map(|i| match (i, i % 97) {
            (1234, _) => HUGE + 5,
            (_, 5) => 1000,
            (_, 8) => 0,
            _ => i * 7919 % 41,
        });
        let ends = lens.scan(0, |end, len| {
            *end += len as i64;
            Some(*end)
        });
        let offsets: Vec<i64> = [0].into_iter().chain(ends).collect();
        let count = offsets[offsets.len() - 1] as usize;
        // Small whole numbers: every order of summation is exact.
        let mut entries: Vec<Entry> = (0..count).map(|i| (i * 7 % 500, (i % 13) as f64)).collect();
        let v: Vec<f64> = (0..500).map(|j| (j % 7) as f64).collect();
        let a = Matrix {
            offsets: &offsets,
            elements: &entries,
        };
        let row = |at: usize| a.row(at).iter().map(|(j, x)| x * v[*j]).sum();
        let wanted: Vec<f64> = (0..3000).map(row).collect();
        let mut out = vec![0.0; 3000];
        for level in Level::available() {
            out.fill(-1.0);
            assert_eq!(at_level(level, &mut out, a, &v), Some(()));
            assert_eq!(out, wanted);
        }
        assert_eq!(plain(a, &v), wanted);
        entries[count - 1].0 = 500;
        let a = Matrix {
            offsets: &offsets,
            elements: &entries,
        };
        for level in Level::available() {
            assert_eq!(at_level(level, &mut out, a, &v), None);
        }
    }
}
