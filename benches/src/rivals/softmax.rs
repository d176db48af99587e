//! Softmax of each row of a matrix of f32.
//!
//! A row stays in the nearest caches: its largest element is found, which brings it there, the
//! powers go to a buffer beside their sum, and from there they are scaled and streamed out. The
//! next row is fetched meanwhile.

use super::maths::exp_below_zero;
use crate::levels::{Level, kernel};
use crate::memory::{self, as_uninit, copy, fence, prefetch, stream, worth_streaming};
use rayon::prelude::*;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Elements handled together.
const LANES: usize = 64;

/// As rayon and `std` give it.
pub fn plain(a: &[f32], width: usize) -> Vec<f32> {
    let rows = a.par_chunks(width).flat_map_iter(|row| {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f32> = row.iter().map(|x| (x - most).exp()).collect();
        let total: f32 = powers.iter().sum();
        powers.into_iter().map(move |p| p / total)
    });
    rows.collect()
}

/// As an expert writes it.
pub fn expert(a: &[f32], width: usize) -> Vec<f32> {
    at(Level::best(), a, width)
}

/// As an expert writes it, into a buffer.
pub fn expert_into(out: &mut [f32], a: &[f32], width: usize) {
    into(Level::best(), as_uninit(out), a, width);
}

/// The expert's version at a level.
pub fn at(level: Level, a: &[f32], width: usize) -> Vec<f32> {
    // SAFETY: `into` writes every element.
    unsafe { memory::fresh(a.len(), |out| into(level, out, a, width)) }
}

/// The expert's version on some columns of a matrix with rows of `stride`.
pub fn block(a: &[f32], stride: usize, columns: Range<usize>) -> Vec<f32> {
    let (level, len) = (Level::best(), a.len() / stride * columns.len());
    // SAFETY: `of_block` writes every element.
    unsafe { memory::fresh(len, |out| of_block(level, out, a, stride, columns)) }
}

fn into(level: Level, out: &mut [MaybeUninit<f32>], a: &[f32], width: usize) {
    of_block(level, out, a, width, 0..width);
}

fn of_block(
    level: Level,
    out: &mut [MaybeUninit<f32>],
    a: &[f32],
    stride: usize,
    columns: Range<usize>,
) {
    let width = columns.len();
    assert_eq!(out.len() * stride, a.len() * width);
    let past_cache = worth_streaming(out);
    let per_task = (1_usize << 17).div_ceil(width);
    let tasks = out
        .par_chunks_mut(per_task * width)
        .zip(a.par_chunks(per_task * stride));
    tasks.for_each(|(out, rows)| {
        let mut powers = vec![0.0; width];
        let rows = rows.chunks(stride).map(|row| &row[columns.clone()]);
        for (out, row) in out.chunks_mut(width).zip(rows) {
            let most = most(level, row);
            let total = raise(level, &mut powers, row, most);
            #[cfg(target_arch = "x86_64")]
            if level.is_v4() && past_cache {
                wide::scale(level, out, &powers, 1.0 / total);
                continue;
            }
            scale(level, out, &mut powers, 1.0 / total, past_cache);
        }
        fence();
    });
}

kernel! {
    fn most(row: &[f32]) -> f32 {
        let mut most = [f32::NEG_INFINITY; LANES];
        let (blocks, rest) = row.as_chunks::<LANES>();
        for block in blocks {
            for lane in 0..LANES {
                most[lane] = if block[lane] > most[lane] { block[lane] } else { most[lane] };
            }
        }
        for (most, &x) in most.iter_mut().zip(rest) {
            *most = most.max(x);
        }
        most.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
}

kernel! {
    /// Writes e to the power of each element's distance to the largest; returns their sum.
    fn raise(powers: &mut [f32], row: &[f32], most: f32) -> f32 {
        let mut sums = [0.0; LANES];
        let (blocks, rest) = row.as_chunks::<LANES>();
        let (power_blocks, power_rest) = powers.as_chunks_mut::<LANES>();
        for (block, powers) in blocks.iter().zip(power_blocks) {
            for line in 0..LANES / 16 {
                prefetch(&raw const block[16 * line], size_of_val(row));
            }
            for lane in 0..LANES {
                powers[lane] = exp_below_zero(block[lane] - most);
                sums[lane] += powers[lane];
            }
        }
        for ((power, x), sum) in power_rest.iter_mut().zip(rest).zip(&mut sums) {
            *power = exp_below_zero(x - most);
            *sum += *power;
        }
        sums.iter().sum::<f32>()
    }
}

kernel! {
    fn scale(out: &mut [MaybeUninit<f32>], powers: &mut [f32], factor: f32, past_cache: bool) {
        for power in powers.iter_mut() {
            *power *= factor;
        }
        if past_cache {
            stream(out, powers);
        } else {
            copy(out, powers);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use crate::levels::Level;
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    /// Scales, and stores whole lines past the caches.
    pub fn scale(level: Level, out: &mut [MaybeUninit<f32>], powers: &[f32], factor: f32) {
        assert!(level.is_v4());
        assert_eq!(out.len(), powers.len());
        // SAFETY: the level has these features.
        unsafe { run(out, powers, factor) }
    }

    #[target_feature(enable = "avx512f")]
    fn run(out: &mut [MaybeUninit<f32>], powers: &[f32], factor: f32) {
        let head = out.as_ptr().align_offset(64).min(out.len());
        let (head, out) = out.split_at_mut(head);
        let (power_head, powers) = powers.split_at(head.len());
        let (lines, rest) = out.as_chunks_mut::<16>();
        let (power_lines, power_rest) = powers.as_chunks::<16>();
        for (line, powers) in lines.iter_mut().zip(power_lines) {
            // SAFETY: both are one vector long, and the line is aligned.
            unsafe {
                let scaled =
                    _mm512_mul_ps(_mm512_loadu_ps(powers.as_ptr()), _mm512_set1_ps(factor));
                _mm512_stream_ps(line.as_mut_ptr().cast::<f32>(), scaled);
            }
        }
        let ends = head.iter_mut().chain(rest);
        for (out, power) in ends.zip(power_head.iter().chain(power_rest)) {
            out.write(power * factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        // The last is so large that it is stored past the caches.
        for (height, width) in [(1, 1), (5, 63), (70, 64), (3, 1000), (2100, 1001)] {
            let a: Vec<f32> = (0..height * width)
                .map(|i| (i * 37 % 101) as f32 * 0.25 - 9.0)
                .collect();
            let mut expected = Vec::new();
            for row in a.chunks(width) {
                let powers: Vec<f64> = row.iter().map(|&x| f64::from(x).exp()).collect();
                let total: f64 = powers.iter().sum();
                expected.extend(powers.iter().map(|p| p / total));
            }
            let near = |found: &[f32], tolerance: f64| {
                let mut pairs = found.iter().zip(&expected);
                pairs.all(|(&found, exact)| (f64::from(found) - exact).abs() <= tolerance * exact)
            };
            for level in Level::available() {
                assert!(near(&at(level, &a, width), 1e-6), "{level:?}");
            }
            assert!(near(&plain(&a, width), 1e-5));
            let beside: Vec<f32> = a
                .chunks(width)
                .flat_map(|row| row.iter().chain(&[f32::NAN; 3]))
                .copied()
                .collect();
            assert!(near(&block(&beside, width + 3, 0..width), 1e-6));
        }
    }
}
