//! Norms: one pass over memory, blocks summed in order.

use super::sums::of_rows;
use crate::levels::{Level, kernel};
use crate::memory::{prefetch, prefetch_far};
use rayon::prelude::*;

/// Elements per block: a quarter of a megabyte of f32.
const BLOCK: usize = 1 << 16;

/// Bytes from what is squared to what is fetched.
const AHEAD: usize = 2048;

/// The same for three norms at once, which fill the processor's queues with arithmetic before as many loads
/// are under way: less makes them a tenth slower.
const AHEAD_OF_THREE: usize = 4096;

macro_rules! norm {
    ($module:ident, $T:ident) => {
        #[doc = concat!("Euclidean norms of ", stringify!($T), ".")]
        pub mod $module {
            use super::*;

            /// Lanes summed apart: enough chains to hide the addition.
            const LANES: usize = 64;

            /// As rayon gives it.
            pub fn plain(xs: &[$T]) -> $T {
                xs.par_iter().map(|x| x * x).sum::<$T>().sqrt()
            }

            /// As an expert writes it.
            pub fn expert(xs: &[$T]) -> $T {
                at(Level::best(), xs)
            }

            /// The expert's version at a level.
            pub fn at(level: Level, xs: &[$T]) -> $T {
                let sums: Vec<$T> = xs.par_chunks(BLOCK).map(|xs| squares(level, xs)).collect();
                sums.iter().sum::<$T>().sqrt()
            }

            kernel! {
                fn squares(xs: &[$T]) -> $T {
                    let mut sums = [0.0; LANES];
                    let (blocks, rest) = xs.as_chunks::<LANES>();
                    for block in blocks {
                        for line in 0..size_of::<[$T; LANES]>() / 64 {
                            prefetch(block.as_ptr(), AHEAD + 64 * line);
                            prefetch_far(block.as_ptr().wrapping_byte_add(64 * line));
                        }
                        for lane in 0..LANES {
                            sums[lane] += block[lane] * block[lane];
                        }
                    }
                    for (sum, x) in sums.iter_mut().zip(rest) {
                        *sum += x * x;
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
        }
    };
}

norm!(of_f32, f32);
norm!(of_f64, f64);

/// The sum of magnitudes, the Euclidean norm, the largest magnitude.
pub type Norms = (f32, f32, f32);

/// Three norms, as rayon gives them.
pub fn plain(xs: &[f32]) -> Norms {
    let none = || (0.0, 0.0, 0.0);
    let add =
        |(sum, squares, most): Norms, x: &f32| (sum + x.abs(), squares + x * x, most.max(x.abs()));
    finished(xs.par_iter().fold(none, add).reduce(none, both))
}

/// Three norms, as an expert writes them.
pub fn expert(xs: &[f32]) -> Norms {
    at(Level::best(), xs)
}

/// The expert's three norms at a level.
pub fn at(level: Level, xs: &[f32]) -> Norms {
    let parts: Vec<Norms> = xs.par_chunks(BLOCK).map(|xs| part(level, xs)).collect();
    finished(parts.into_iter().fold((0.0, 0.0, 0.0), both))
}

/// Three norms of each row, as rayon gives them.
pub fn rows_plain(a: &[f32], width: usize) -> Vec<Norms> {
    a.par_chunks(width).map(plain).collect()
}

/// Three norms of each row, as an expert writes them.
pub fn rows(a: &[f32], width: usize) -> Vec<Norms> {
    rows_at(Level::best(), a, width)
}

/// The expert's three norms of each row at a level.
pub fn rows_at(level: Level, a: &[f32], width: usize) -> Vec<Norms> {
    of_rows(a, width, 0..width, |row| finished(part(level, row)))
}

/// Of what two parts have: sums of magnitudes and of squares, the largest magnitude.
fn both(a: Norms, b: Norms) -> Norms {
    (a.0 + b.0, a.1 + b.1, a.2.max(b.2))
}

/// The root of the sum of squares.
fn finished((sum, squares, most): Norms) -> Norms {
    (sum, squares.sqrt(), most)
}

/// Lanes of each of three accumulators, which AVX2 has registers for.
const LANES: usize = 32;

kernel! {
    fn part(xs: &[f32]) -> Norms {
        let (mut sums, mut squares, mut most) = ([0.0; LANES], [0.0; LANES], [0.0_f32; LANES]);
        let (blocks, rest) = xs.as_chunks::<LANES>();
        for block in blocks {
            for line in 0..LANES / 16 {
                prefetch(block.as_ptr(), AHEAD_OF_THREE + 64 * line);
                prefetch_far(block.as_ptr().wrapping_byte_add(64 * line));
            }
            for lane in 0..LANES {
                let (x, magnitude) = (block[lane], block[lane].abs());
                sums[lane] += magnitude;
                squares[lane] += x * x;
                // One instruction, which `f32::max` is not; NaN is ignored, too.
                most[lane] = if magnitude > most[lane] { magnitude } else { most[lane] };
            }
        }
        for (lane, x) in rest.iter().enumerate() {
            sums[lane] += x.abs();
            squares[lane] += x * x;
            most[lane] = most[lane].max(x.abs());
        }
        let mut width = LANES / 2;
        while width > 0 {
            for lane in 0..width {
                sums[lane] += sums[lane + width];
                squares[lane] += squares[lane + width];
                most[lane] = most[lane].max(most[lane + width]);
            }
            width /= 2;
        }
        (sums[0], squares[0], most[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_definition_on_every_level() {
        for len in [1, 31, 64, 100, 65_536, 200_001] {
            // Small whole numbers: every order of summation is exact.
            let xs: Vec<f32> = (0..len).map(|i| (i % 7 - 3) as f32).collect();
            let doubles: Vec<f64> = xs.iter().copied().map(f64::from).collect();
            let (mut sum, mut squares, mut most) = (0.0, 0.0, 0.0_f32);
            for x in &xs {
                sum += x.abs();
                squares += x * x;
                most = most.max(x.abs());
            }
            let expected = (sum, squares.sqrt(), most);
            let root = f64::from(squares).sqrt();
            for level in Level::available() {
                assert_eq!(of_f32::at(level, &xs), expected.1);
                assert_eq!(of_f64::at(level, &doubles), root);
                assert_eq!(at(level, &xs), expected);
                let twice = [&xs[..], &xs].concat();
                assert_eq!(rows_at(level, &twice, xs.len()), [expected; 2]);
                let (_, _, most) = at(level, &[&[f32::NAN], &xs[..], &[f32::NAN]].concat());
                assert_eq!(most, expected.2);
            }
            assert_eq!(of_f32::plain(&xs), expected.1);
            assert_eq!(of_f64::plain(&doubles), root);
            assert_eq!(plain(&xs), expected);
            assert_eq!(rows_plain(&xs, xs.len()), [expected]);
        }
    }
}
