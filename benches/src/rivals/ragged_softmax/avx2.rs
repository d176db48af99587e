//! The same with AVX2: vectors of eight.

use super::super::eights::{LANES, first, largest, largest_of, load, sum};
use super::{MaybeUninit, Range, Rows};
use crate::memory::prefetch;
use std::arch::x86_64::*;

/// The rows of a task, whose elements are `out`.
#[target_feature(enable = "avx2")]
pub fn rows(mut out: &mut [MaybeUninit<f32>], rows: Rows<'_, f32>, task: Range<usize>) {
    for at in task {
        let row = rows.row(at);
        prefetch(row.as_ptr(), 1024);
        let to = out.split_off_mut(..row.len()).expect("room for the rows");
        match row.len() {
            0 => {}
            1..=8 => few::<1>(to, row),
            9..=16 => few::<2>(to, row),
            17..=32 => few::<4>(to, row),
            33..=64 => few::<8>(to, row),
            _many => many(to, row),
        }
    }
}

/// A row that fits into `N` registers.
#[inline]
#[target_feature(enable = "avx2")]
fn few<const N: usize>(out: &mut [MaybeUninit<f32>], row: &[f32]) {
    assert!(out.len() == row.len() && row.len() <= LANES * N);
    let least = _mm256_set1_ps(f32::NEG_INFINITY);
    let mask = |i: usize| first(row.len().saturating_sub(LANES * i));
    let (mut xs, mut most) = ([least; N], least);
    for (i, x) in xs.iter_mut().enumerate() {
        // SAFETY: the mask leaves out what is behind the row.
        *x = unsafe { load(row.as_ptr().wrapping_add(LANES * i), mask(i), least) };
        most = _mm256_max_ps(most, *x);
    }
    let most = _mm256_set1_ps(largest(most));
    let mut total = _mm256_setzero_ps();
    for (i, x) in xs.iter_mut().enumerate() {
        let power = exp(_mm256_sub_ps(*x, most));
        *x = _mm256_and_ps(power, _mm256_castsi256_ps(mask(i)));
        total = _mm256_add_ps(total, *x);
    }
    let factor = _mm256_set1_ps(1.0 / sum(total));
    for (i, x) in xs.into_iter().enumerate() {
        let to = out.as_mut_ptr().cast::<f32>().wrapping_add(LANES * i);
        // SAFETY: as above, and the slices are as long.
        unsafe { _mm256_maskstore_ps(to, mask(i), _mm256_mul_ps(x, factor)) };
    }
}

/// A longer row. The powers lie where the quotients are due, in the nearest caches.
#[inline]
#[target_feature(enable = "avx2")]
fn many(out: &mut [MaybeUninit<f32>], row: &[f32]) {
    assert_eq!(out.len(), row.len());
    let most = _mm256_set1_ps(largest_of(row));
    let mut sums = [_mm256_setzero_ps(); 4];
    let (rounds, rest) = row.as_chunks::<{ 4 * LANES }>();
    let (out_rounds, out_rest) = out.as_chunks_mut::<{ 4 * LANES }>();
    for (round, out) in rounds.iter().zip(out_rounds) {
        for (i, sum) in sums.iter_mut().enumerate() {
            // SAFETY: a round is four vectors, of both slices.
            unsafe {
                let x = _mm256_loadu_ps(round.as_ptr().add(LANES * i));
                let power = exp(_mm256_sub_ps(x, most));
                *sum = _mm256_add_ps(*sum, power);
                _mm256_storeu_ps(out.as_mut_ptr().cast::<f32>().add(LANES * i), power);
            }
        }
    }
    let blocks = rest.chunks(LANES).zip(out_rest.chunks_mut(LANES));
    for ((block, out), sum) in blocks.zip(&mut sums) {
        let mask = first(block.len());
        // SAFETY: the mask leaves out what is behind the block.
        unsafe {
            let x = _mm256_maskload_ps(block.as_ptr(), mask);
            let power = exp(_mm256_sub_ps(x, most));
            let power = _mm256_and_ps(power, _mm256_castsi256_ps(mask));
            *sum = _mm256_add_ps(*sum, power);
            _mm256_maskstore_ps(out.as_mut_ptr().cast::<f32>(), mask, power);
        }
    }
    let total = _mm256_add_ps(
        _mm256_add_ps(sums[0], sums[1]),
        _mm256_add_ps(sums[2], sums[3]),
    );
    let factor = 1.0 / sum(total);
    for power in out {
        // SAFETY: all of it has been written.
        power.write(unsafe { power.assume_init() } * factor);
    }
}

/// As [`super::exp_below_zero`], in each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn exp(x: __m256) -> __m256 {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    let all = |x: f32| _mm256_set1_ps(x);
    let step = |p, r, k| _mm256_add_ps(_mm256_mul_ps(p, r), all(k));
    let x = _mm256_max_ps(x, all(-87.33));
    let n = _mm256_round_ps::<NEAREST>(_mm256_mul_ps(x, all(std::f32::consts::LOG2_E)));
    let r = _mm256_sub_ps(x, _mm256_mul_ps(n, all(0.693_359_4)));
    let r = _mm256_sub_ps(r, _mm256_mul_ps(n, all(-2.121_944_4e-4)));
    let p = step(all(1.987_569_1e-4), r, 1.398_199_9e-3);
    let p = step(p, r, 8.333_452e-3);
    let p = step(p, r, 4.166_579_6e-2);
    let p = step(p, r, 0.166_666_65);
    let p = step(p, r, 0.5);
    let y = _mm256_add_ps(_mm256_mul_ps(p, _mm256_mul_ps(r, r)), r);
    let exponent = _mm256_slli_epi32::<23>(_mm256_cvtps_epi32(n));
    let y = _mm256_castps_si256(_mm256_add_ps(y, all(1.0)));
    // The result is a normal number: to add to its exponent is to multiply.
    _mm256_castsi256_ps(_mm256_add_epi32(y, exponent))
}
