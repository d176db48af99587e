//! The place of the largest element of each row, f32: of the first if there are several, 0 in an empty row.
//!
//! A row of up to 64 elements is loaded under masks, and its largest element compared with it: the first
//! lane that is equal is the place. Of a longer row each part of 1024 elements is reduced by itself, and
//! only the first part that has the largest is looked through. Rows are cut among threads by their
//! elements. Elements are numbers, no NaN.

use super::rows::{Rows, parts};
use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;

/// Elements handled together.
const LANES: usize = 32;

/// Elements of which the largest is found before it is looked for.
const PART: usize = 1024;

/// As rayon and `std` give it.
pub fn plain(rows: Rows<'_, f32>) -> Vec<usize> {
    let all = (0..rows.count()).into_par_iter();
    all.map(|at| {
        let row = rows.row(at).iter().enumerate();
        let most = row.fold((0, f32::NEG_INFINITY), |most, (at, x)| match *x > most.1 {
            true => (at, *x),
            false => most,
        });
        most.0
    })
    .collect()
}

/// As an expert writes it.
pub fn expert_into(out: &mut [usize], rows: Rows<'_, f32>) {
    at_level(Level::best(), out, rows);
}

/// The expert's version at a level.
pub fn at_level(level: Level, out: &mut [usize], rows: Rows<'_, f32>) {
    let tasks = rows.tasks();
    let outs = parts(out, tasks.iter().map(ExactSizeIterator::len));
    tasks.into_par_iter().zip(outs).for_each(|(task, out)| {
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() {
            // SAFETY: the level says that the machine has AVX-512.
            unsafe { masked::rows(out, rows, task.start) };
            return;
        } else if level.has_fma() {
            // SAFETY: the level says that the machine has AVX2 and BMI.
            unsafe { avx2::rows(out, rows, task.start) };
            return;
        }
        for (out, at) in out.iter_mut().zip(task) {
            *out = place(level, rows.row(at));
        }
    });
}

kernel! {
    fn place(row: &[f32]) -> usize {
        let (mut most, mut first) = (f32::NEG_INFINITY, 0);
        for (at, part) in row.chunks(PART).enumerate() {
            let mut parts = [f32::NEG_INFINITY; LANES];
            let (blocks, rest) = part.as_chunks::<LANES>();
            for block in blocks {
                prefetch(&raw const block[0], 1024);
                for lane in 0..LANES {
                    parts[lane] = if block[lane] > parts[lane] { block[lane] } else { parts[lane] };
                }
            }
            for (lane, x) in rest.iter().enumerate() {
                parts[lane] = if *x > parts[lane] { *x } else { parts[lane] };
            }
            let mut width = LANES / 2;
            while width > 0 {
                for lane in 0..width {
                    parts[lane] = parts[lane].max(parts[lane + width]);
                }
                width /= 2;
            }
            if parts[0] > most {
                (most, first) = (parts[0], at);
            }
        }
        let first = first * PART;
        for (at, x) in row.iter().enumerate().skip(first) {
            if *x == most {
                return at;
            }
        }
        0
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(target_arch = "x86_64")]
mod masked {
    use super::{PART, Rows};
    use crate::memory::prefetch;
    use std::arch::x86_64::*;

    /// The rows from `first` on.
    #[target_feature(enable = "avx512f,avx512dq,bmi1")]
    pub fn rows(out: &mut [usize], rows: Rows<'_, f32>, first: usize) {
        for (at, out) in out.iter_mut().enumerate() {
            let row = rows.row(first + at);
            prefetch(row.as_ptr(), 1024);
            *out = match row.len() {
                0..=16 => few::<1>(row),
                17..=32 => few::<2>(row),
                33..=64 => few::<4>(row),
                _many => many(row),
            };
        }
    }

    /// A row that fits into `N` registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,bmi1")]
    fn few<const N: usize>(row: &[f32]) -> usize {
        let least = _mm512_set1_ps(f32::NEG_INFINITY);
        let (mut xs, mut most) = ([least; N], least);
        for (i, x) in xs.iter_mut().enumerate() {
            let mask = first(row.len().saturating_sub(16 * i));
            // SAFETY: the mask leaves out what is behind the row.
            *x = unsafe { _mm512_mask_loadu_ps(least, mask, row.as_ptr().wrapping_add(16 * i)) };
            most = _mm512_max_ps(most, *x);
        }
        let most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
        let mut equal = 0;
        for (i, x) in xs.into_iter().enumerate() {
            equal |= u64::from(_mm512_cmpeq_ps_mask(x, most)) << (16 * i);
        }
        equal.trailing_zeros() as usize
    }

    /// A longer row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,bmi1")]
    fn many(row: &[f32]) -> usize {
        let (mut most, mut part) = (f32::NEG_INFINITY, 0);
        for (at, elements) in row.chunks(PART).enumerate() {
            let here = most_of(elements);
            if here > most {
                (most, part) = (here, at);
            }
        }
        let wanted = _mm512_set1_ps(most);
        for (at, block) in row[part * PART..].chunks(16).enumerate() {
            let mask = first(block.len());
            // SAFETY: the mask leaves out what is behind the block.
            let x = unsafe { _mm512_maskz_loadu_ps(mask, block.as_ptr()) };
            let equal = _mm512_mask_cmpeq_ps_mask(mask, x, wanted);
            if equal != 0 {
                return part * PART + 16 * at + equal.trailing_zeros() as usize;
            }
        }
        0
    }

    /// The largest element.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,bmi1")]
    fn most_of(elements: &[f32]) -> f32 {
        let least = _mm512_set1_ps(f32::NEG_INFINITY);
        let mut most = [least; 4];
        let (rounds, rest) = elements.as_chunks::<64>();
        for round in rounds {
            for i in 0..4 {
                prefetch(&raw const round[16 * i], 1024);
                // SAFETY: a round is four vectors.
                let x = unsafe { _mm512_loadu_ps(round.as_ptr().add(16 * i)) };
                most[i] = _mm512_max_ps(most[i], x);
            }
        }
        for (block, most) in rest.chunks(16).zip(&mut most) {
            // SAFETY: the mask leaves out what is behind the block.
            let x = unsafe { _mm512_mask_loadu_ps(least, first(block.len()), block.as_ptr()) };
            *most = _mm512_max_ps(*most, x);
        }
        let pairs = [
            _mm512_max_ps(most[0], most[1]),
            _mm512_max_ps(most[2], most[3]),
        ];
        _mm512_reduce_max_ps(_mm512_max_ps(pairs[0], pairs[1]))
    }

    /// The mask of the first `len` lanes, all if there are more.
    #[inline]
    fn first(len: usize) -> __mmask16 {
        ((1_u32 << len.min(16)) - 1) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let (offsets, elements) = samples(|i| (i * 7919 % 10_007) as f32 * 0.25 - 900.0);
        let few_numbers: Vec<f32> = elements.iter().map(|x| (x * 0.02).round()).collect();
        for elements in [elements, few_numbers] {
            let rows = Rows {
                offsets: &offsets,
                elements: &elements,
            };
            let wanted: Vec<usize> = (0..rows.count())
                .map(|at| {
                    let row = rows.row(at);
                    let first = |at: &usize| row.iter().all(|x| *x <= row[*at]);
                    (0..row.len()).find(first).unwrap_or(0)
                })
                .collect();
            for level in Level::available() {
                let mut out = vec![77; rows.count()];
                at_level(level, &mut out, rows);
                assert_eq!(out, wanted);
            }
            assert_eq!(plain(rows), wanted);
        }
    }
}
