//! The sum of `i * i` in f64 over `0..n`: no memory, 64 lanes.
//!
//! Three operations per element: the next `i`, its square, the sum. The counter stays in f64, where
//! it is exact below 2^53, so nothing is converted.

use crate::levels::{Level, kernel};
use rayon::prelude::*;
use std::hint::black_box;

/// Elements per task.
const BLOCK: u64 = 1 << 22;

/// Lanes summed apart.
const LANES: usize = 64;

/// As rayon gives it.
pub fn plain(n: u64) -> f64 {
    let squares = (0..n).into_par_iter().map(|i| i as f64 * i as f64);
    squares.sum()
}

/// As an expert writes it: IEEE multiplications and additions.
pub fn expert(n: u64) -> f64 {
    at(Level::best(), n)
}

/// The expert's version at a level.
pub fn at(level: Level, n: u64) -> f64 {
    if level.has_fma() {
        in_blocks(n, |from, to| {
            balanced_block(level, from, to, black_box(1.0))
        })
    } else {
        in_blocks(n, |from, to| block(level, from, to))
    }
}

/// The square and its sum fused, where the machine can: one rounding fewer per element.
pub fn fast(n: u64) -> f64 {
    let level = Level::best();
    if !level.has_fma() {
        return at(level, n);
    }
    in_blocks(n, |from, to| fused_block(level, from, to))
}

fn in_blocks(n: u64, block: impl Fn(u64, u64) -> f64 + Sync) -> f64 {
    if n <= BLOCK / 64 {
        return block(0, n);
    }
    let blocks = (0..n.div_ceil(BLOCK)).into_par_iter();
    let sums: Vec<f64> = blocks
        .map(|k| block(k * BLOCK, n.min((k + 1) * BLOCK)))
        .collect();
    sums.iter().sum()
}

kernel! {
    fn block(from: u64, to: u64) -> f64 {
        let mut sums = [0.0; LANES];
        let mut i = lanes_from(from);
        for _ in 0..(to - from) / LANES as u64 {
            for lane in 0..LANES {
                sums[lane] += i[lane] * i[lane];
                i[lane] += LANES as f64;
            }
        }
        finish(sums, i, to)
    }
}

kernel! {
    /// Half of the counters step by a fused `i * 1 + 64`, which is exact: machines with pipes for
    /// multiplications beside those for additions then keep both busy. `one` must not be known.
    fn balanced_block(from: u64, to: u64, one: f64) -> f64 {
        let mut sums = [0.0; LANES];
        let mut i = lanes_from(from);
        for _ in 0..(to - from) / LANES as u64 {
            for lane in 0..LANES / 2 {
                sums[lane] += i[lane] * i[lane];
                i[lane] += LANES as f64;
            }
            for lane in LANES / 2..LANES {
                sums[lane] += i[lane] * i[lane];
                i[lane] = i[lane].mul_add(one, LANES as f64);
            }
        }
        finish(sums, i, to)
    }
}

kernel! {
    fn fused_block(from: u64, to: u64) -> f64 {
        let mut sums = [0.0; LANES];
        let mut i = lanes_from(from);
        for _ in 0..(to - from) / LANES as u64 {
            for lane in 0..LANES {
                sums[lane] = i[lane].mul_add(i[lane], sums[lane]);
                i[lane] += LANES as f64;
            }
        }
        finish(sums, i, to)
    }
}

#[inline(always)]
fn lanes_from(from: u64) -> [f64; LANES] {
    std::array::from_fn(|lane| (from + lane as u64) as f64)
}

/// Adds the last incomplete block and combines the lanes.
#[inline(always)]
fn finish(mut sums: [f64; LANES], i: [f64; LANES], to: u64) -> f64 {
    for lane in 0..LANES {
        sums[lane] += if i[lane] < to as f64 {
            i[lane] * i[lane]
        } else {
            0.0
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for n in [0, 1, 64, 100, 100_000] {
            let expected: u64 = (0..n).map(|i| i * i).sum();
            // Below 2^53 every order of summation is exact.
            for level in Level::available() {
                assert_eq!(at(level, n), expected as f64);
            }
            assert_eq!(plain(n), expected as f64);
            assert_eq!(fast(n), expected as f64);
        }
    }

    #[test]
    fn blocks_meet_without_a_gap() {
        let n = 10_000_000_u64;
        let expected = (n - 1) as f64 * n as f64 * (2 * n - 1) as f64 / 6.0;
        assert!((expert(n) / expected - 1.0).abs() < 1e-12);
        assert!((fast(n) / expected - 1.0).abs() < 1e-12);
    }
}
