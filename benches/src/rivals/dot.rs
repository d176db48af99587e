//! Inner product: 64 accumulators, prefetch 2 KiB ahead, blocks summed in order.

use crate::levels::{Level, kernel};
use crate::memory::{prefetch, prefetch_far};
use rayon::prelude::*;

/// Elements per block: a quarter of a megabyte of each array.
const BLOCK: usize = 1 << 16;

/// Lanes summed apart: 256 bytes of f32, enough chains to hide the addition.
const LANES: usize = 64;

macro_rules! dot {
    ($module:ident, $T:ident) => {
        #[doc = concat!("Inner products of ", stringify!($T), ".")]
        pub mod $module {
            use super::*;

            /// As rayon gives it.
            pub fn plain(xs: &[$T], ys: &[$T]) -> $T {
                xs.par_iter().zip(ys).map(|(x, y)| x * y).sum()
            }

            /// As an expert writes it.
            pub fn expert(xs: &[$T], ys: &[$T]) -> $T {
                at(Level::best(), xs, ys)
            }

            /// The expert's version at a level.
            ///
            /// # Panics
            /// If the lengths differ.
            pub fn at(level: Level, xs: &[$T], ys: &[$T]) -> $T {
                assert_eq!(xs.len(), ys.len());
                if xs.len() <= BLOCK {
                    return block(level, xs, ys);
                }
                let blocks = xs.par_chunks(BLOCK).zip(ys.par_chunks(BLOCK));
                let sums: Vec<$T> = blocks.map(|(xs, ys)| block(level, xs, ys)).collect();
                sums.iter().sum()
            }

            kernel! {
                fn block(xs: &[$T], ys: &[$T]) -> $T {
                    let mut sums = [0.0; LANES];
                    let (x_blocks, x_rest) = xs.as_chunks::<LANES>();
                    let (y_blocks, y_rest) = ys.as_chunks::<LANES>();
                    for (x, y) in x_blocks.iter().zip(y_blocks) {
                        for line in 0..size_of::<[$T; LANES]>() / 64 {
                            prefetch(x.as_ptr(), 2048 + 64 * line);
                            prefetch(y.as_ptr(), 2048 + 64 * line);
                            prefetch_far(x.as_ptr().wrapping_byte_add(64 * line));
                            prefetch_far(y.as_ptr().wrapping_byte_add(64 * line));
                        }
                        for lane in 0..LANES {
                            sums[lane] += x[lane] * y[lane];
                        }
                    }
                    for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
                        sums[lane] += x * y;
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

dot!(of_f32, f32);
dot!(of_f64, f64);

#[cfg(test)]
mod tests {
    use crate::levels::Level;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for len in [0, 1, 63, 64, 100, 65_536, 200_001] {
            let xs: Vec<f64> = (0..len).map(|i| f64::from(i % 7) - 3.0).collect();
            let ys: Vec<f64> = (0..len).map(|i| f64::from(i % 5)).collect();
            let (xs32, ys32) = (narrow(&xs), narrow(&ys));
            let mut expected = 0.0;
            for (x, y) in xs.iter().zip(&ys) {
                expected += x * y;
            }
            // Small whole numbers: every order of summation is exact.
            for level in Level::available() {
                assert_eq!(super::of_f64::at(level, &xs, &ys), expected);
                assert_eq!(f64::from(super::of_f32::at(level, &xs32, &ys32)), expected);
            }
            assert_eq!(super::of_f64::plain(&xs, &ys), expected);
        }
    }

    fn narrow(xs: &[f64]) -> Vec<f32> {
        xs.iter().map(|&x| x as f32).collect()
    }
}
