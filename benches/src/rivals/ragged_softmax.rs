//! Softmax of rows of any lengths, f32.
//!
//! A row of up to 64 elements is loaded under masks and stays in registers until it is stored. A longer
//! one goes through a buffer in the nearest cache: the largest element, the powers beside their sum,
//! the quotients. Rows are cut among threads by their elements.

use super::maths::exp_below_zero;
use super::rows::{Rows, parts};
use crate::levels::{Level, kernel};
use crate::memory::as_uninit;
use rayon::prelude::*;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Elements handled together.
const LANES: usize = 32;

/// As rayon and `std` give it.
pub fn plain(rows: Rows<'_, f32>) -> Vec<f32> {
    let all = (0..rows.count()).into_par_iter().flat_map_iter(|at| {
        let row = rows.row(at);
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
        let total: f32 = powers.iter().sum();
        powers.into_iter().map(move |p| p / total)
    });
    all.collect()
}

/// As an expert writes it: where the rows of the result begin, and its elements.
pub fn expert_into(offsets: &mut [i64], out: &mut [f32], rows: Rows<'_, f32>) {
    offsets.copy_from_slice(rows.offsets);
    at_level(Level::best(), as_uninit(out), rows);
}

fn at_level(level: Level, out: &mut [MaybeUninit<f32>], rows: Rows<'_, f32>) {
    let tasks = rows.tasks();
    let place = |task: &Range<usize>| rows.offsets[task.start] as usize;
    let lens = tasks
        .iter()
        .map(|task| rows.offsets[task.end] as usize - place(task));
    let outs = parts(out, lens);
    tasks.into_par_iter().zip(outs).for_each(|(task, mut out)| {
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() {
            // SAFETY: the level says that the machine has AVX-512.
            unsafe { masked::rows(out, rows, task) };
            return;
        } else if level.has_fma() {
            // SAFETY: the level says that the machine has AVX2.
            unsafe { avx2::rows(out, rows, task) };
            return;
        }
        for at in task {
            let row = rows.row(at);
            let to = out.split_off_mut(..row.len()).expect("room for the rows");
            soften(level, to, row);
        }
    });
}

kernel! {
    fn soften(out: &mut [MaybeUninit<f32>], row: &[f32]) {
        let mut most = [f32::NEG_INFINITY; LANES];
        let (blocks, rest) = row.as_chunks::<LANES>();
        for block in blocks {
            for lane in 0..LANES {
                most[lane] = if block[lane] > most[lane] { block[lane] } else { most[lane] };
            }
        }
        for lane in 0..rest.len() {
            most[lane] = if rest[lane] > most[lane] { rest[lane] } else { most[lane] };
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                most[lane] = most[lane].max(most[lane + width]);
            }
            width /= 2;
        }
        let most = most[0];
        let mut sums = [0.0; LANES];
        let (out_blocks, out_rest) = out.as_chunks_mut::<LANES>();
        for (block, out) in blocks.iter().zip(&mut *out_blocks) {
            for lane in 0..LANES {
                let power = exp_below_zero(block[lane] - most);
                out[lane].write(power);
                sums[lane] += power;
            }
        }
        for ((x, out), sum) in rest.iter().zip(&mut *out_rest).zip(&mut sums) {
            let power = exp_below_zero(x - most);
            out.write(power);
            *sum += power;
        }
        let factor = 1.0 / sums.iter().sum::<f32>();
        for out in out {
            // SAFETY: one of the two loops has written it.
            out.write(unsafe { out.assume_init() } * factor);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(target_arch = "x86_64")]
mod masked {
    use super::{MaybeUninit, Range, Rows};
    use crate::memory::prefetch;
    use std::arch::x86_64::*;

    /// Elements of a row that are kept in registers: in four of them.
    const FEW: usize = 64;

    /// The rows of a task, whose elements are `out`.
    #[target_feature(enable = "avx512f,avx512dq")]
    pub fn rows(mut out: &mut [MaybeUninit<f32>], rows: Rows<'_, f32>, task: Range<usize>) {
        for at in task {
            let row = rows.row(at);
            prefetch(row.as_ptr(), 1024);
            let to = out.split_off_mut(..row.len()).expect("room for the rows");
            match row.len() {
                0 => {}
                1..=16 => few::<1>(to, row),
                17..=32 => few::<2>(to, row),
                33..=FEW => few::<4>(to, row),
                _many => many(to, row),
            }
        }
    }

    /// A row that fits into `N` registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn few<const N: usize>(out: &mut [MaybeUninit<f32>], row: &[f32]) {
        assert!(out.len() == row.len() && row.len() <= 16 * N);
        let masks: [__mmask16; N] =
            std::array::from_fn(|i| first(row.len().saturating_sub(16 * i)));
        let mut xs = [_mm512_set1_ps(f32::NEG_INFINITY); N];
        let mut most = xs[0];
        for i in 0..N {
            // SAFETY: the mask leaves out what is behind the row.
            xs[i] =
                unsafe { _mm512_mask_loadu_ps(xs[i], masks[i], row.as_ptr().wrapping_add(16 * i)) };
            most = _mm512_max_ps(most, xs[i]);
        }
        let most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
        let mut sum = _mm512_setzero_ps();
        for i in 0..N {
            xs[i] = _mm512_maskz_mov_ps(masks[i], exp(_mm512_sub_ps(xs[i], most)));
            sum = _mm512_add_ps(sum, xs[i]);
        }
        let factor = _mm512_set1_ps(1.0 / _mm512_reduce_add_ps(sum));
        for i in 0..N {
            let to = out.as_mut_ptr().cast::<f32>().wrapping_add(16 * i);
            // SAFETY: as above, and the slices are as long.
            unsafe { _mm512_mask_storeu_ps(to, masks[i], _mm512_mul_ps(xs[i], factor)) };
        }
    }

    /// A longer row. The powers lie where the quotients are due, in the nearest caches.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn many(out: &mut [MaybeUninit<f32>], row: &[f32]) {
        assert_eq!(out.len(), row.len());
        let most = _mm512_set1_ps(most(row));
        let mut sums = [_mm512_setzero_ps(); 4];
        let (rounds, rest) = row.as_chunks::<64>();
        let (out_rounds, out_rest) = out.as_chunks_mut::<64>();
        for (round, out) in rounds.iter().zip(out_rounds) {
            for (i, sum) in sums.iter_mut().enumerate() {
                // SAFETY: a round is four vectors, of both slices.
                unsafe {
                    let x = _mm512_loadu_ps(round.as_ptr().add(16 * i));
                    let power = exp(_mm512_sub_ps(x, most));
                    *sum = _mm512_add_ps(*sum, power);
                    _mm512_storeu_ps(out.as_mut_ptr().cast::<f32>().add(16 * i), power);
                }
            }
        }
        for ((block, out), sum) in rest.chunks(16).zip(out_rest.chunks_mut(16)).zip(&mut sums) {
            let mask = first(block.len());
            // SAFETY: the mask leaves out what is behind the block.
            unsafe {
                let x = _mm512_maskz_loadu_ps(mask, block.as_ptr());
                let power = _mm512_maskz_mov_ps(mask, exp(_mm512_sub_ps(x, most)));
                *sum = _mm512_add_ps(*sum, power);
                _mm512_mask_storeu_ps(out.as_mut_ptr().cast::<f32>(), mask, power);
            }
        }
        let sum = _mm512_add_ps(
            _mm512_add_ps(sums[0], sums[1]),
            _mm512_add_ps(sums[2], sums[3]),
        );
        let factor = _mm512_set1_ps(1.0 / _mm512_reduce_add_ps(sum));
        for block in out.chunks_mut(16) {
            let (mask, at) = (first(block.len()), block.as_mut_ptr().cast::<f32>());
            // SAFETY: all of it has been written, and the mask leaves out what is behind.
            unsafe {
                let power = _mm512_maskz_loadu_ps(mask, at);
                _mm512_mask_storeu_ps(at, mask, _mm512_mul_ps(power, factor));
            }
        }
    }

    /// The largest element.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn most(row: &[f32]) -> f32 {
        let least = _mm512_set1_ps(f32::NEG_INFINITY);
        let mut most = [least; 4];
        let (rounds, rest) = row.as_chunks::<64>();
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

    /// As [`super::exp_below_zero`], in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn exp(x: __m512) -> __m512 {
        let all = |x: f32| _mm512_set1_ps(x);
        let step = |p, r, k| _mm512_add_ps(_mm512_mul_ps(p, r), all(k));
        let x = _mm512_max_ps(x, all(-87.33));
        let n = _mm512_roundscale_ps::<0>(_mm512_mul_ps(x, all(std::f32::consts::LOG2_E)));
        let r = _mm512_sub_ps(x, _mm512_mul_ps(n, all(0.693_359_4)));
        let r = _mm512_sub_ps(r, _mm512_mul_ps(n, all(-2.121_944_4e-4)));
        let p = step(all(1.987_569_1e-4), r, 1.398_199_9e-3);
        let p = step(p, r, 8.333_452e-3);
        let p = step(p, r, 4.166_579_6e-2);
        let p = step(p, r, 0.166_666_65);
        let p = step(p, r, 0.5);
        let y = _mm512_add_ps(_mm512_mul_ps(p, _mm512_mul_ps(r, r)), r);
        _mm512_scalef_ps(_mm512_add_ps(y, all(1.0)), n)
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let (offsets, elements) = samples(|i| (i * 37 % 101) as f32 * 0.25 - 9.0);
        let rows = Rows {
            offsets: &offsets,
            elements: &elements,
        };
        let mut expected = Vec::new();
        for at in 0..rows.count() {
            let powers: Vec<f64> = rows.row(at).iter().map(|&x| f64::from(x).exp()).collect();
            let total: f64 = powers.iter().sum();
            expected.extend(powers.iter().map(|p| p / total));
        }
        let near = |found: &[f32], tolerance: f64| {
            let mut pairs = found.iter().zip(&expected);
            found.len() == expected.len()
                && pairs
                    .all(|(&found, exact)| (f64::from(found) - exact).abs() <= tolerance * exact)
        };
        for level in Level::available() {
            let mut out = vec![-1.0; elements.len()];
            at_level(level, as_uninit(&mut out), rows);
            assert!(near(&out, 1e-6), "{level:?}");
        }
        assert!(near(&plain(rows), 1e-5));
    }
}
