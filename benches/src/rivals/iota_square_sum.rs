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
    #[cfg(target_arch = "x86_64")]
    if level.has_fma() && !level.is_v4() {
        return in_blocks(n, |from, to| {
            narrow::block::<false>(level, from, to, black_box(1.0))
        });
    }
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
    #[cfg(target_arch = "x86_64")]
    if !level.is_v4() {
        return in_blocks(n, |from, to| narrow::block::<true>(level, from, to, 1.0));
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

/// For machines with 16 registers of four lanes: eight for sums, and one counter for all of them.
#[cfg(target_arch = "x86_64")]
mod narrow {
    use super::{LANES, Level, finish, lanes_from};
    use std::arch::x86_64::*;

    /// Vectors of sums.
    const VECTORS: usize = 8;
    const STEP: u64 = 4 * VECTORS as u64;

    /// As `balanced_block`, or with `FUSED` as `fused_block`.
    pub fn block<const FUSED: bool>(level: Level, from: u64, to: u64, one: f64) -> f64 {
        assert!(level.has_fma());
        // SAFETY: the level has these features.
        unsafe { run::<FUSED>(from, to, one) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn run<const FUSED: bool>(from: u64, to: u64, one: f64) -> f64 {
        let one = _mm256_set1_pd(one);
        let mut sums = [_mm256_setzero_pd(); VECTORS];
        let mut first = from as f64;
        for _ in 0..(to - from) / STEP {
            let base = _mm256_set1_pd(first);
            for (v, sum) in sums.iter_mut().enumerate() {
                let at = 4.0 * v as f64;
                let lanes = _mm256_setr_pd(at, at + 1.0, at + 2.0, at + 3.0);
                if FUSED {
                    let i = _mm256_add_pd(base, lanes);
                    *sum = _mm256_fmadd_pd(i, i, *sum);
                } else {
                    let i = match v % 2 {
                        0 => _mm256_add_pd(base, lanes),
                        _ => _mm256_fmadd_pd(base, one, lanes),
                    };
                    *sum = _mm256_add_pd(*sum, _mm256_mul_pd(i, i));
                }
            }
            first += STEP as f64;
        }
        let mut lanes = [0.0; LANES];
        for (v, sum) in sums.into_iter().enumerate() {
            // SAFETY: there is room for two of these arrays of vectors.
            unsafe { _mm256_storeu_pd(lanes.as_mut_ptr().add(4 * v), sum) };
        }
        finish(lanes, lanes_from(first as u64), to)
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
