//! Arithmetic on lanes: independent chains of operations that stay in registers.
//!
//! Written with intrinsics, and begun with different numbers: from chains that it can see to be equal
//! the compiler makes one, and what is then left is anybody's guess.

use super::per_second;
use crate::levels::Level;
use rayon::prelude::*;
use std::hint::black_box;

/// Which lane operations to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Multiplications only.
    Mul,
    /// Additions only.
    Add,
    /// As many multiplications as additions, independent: the peak of unfused arithmetic.
    MulAndAdd,
    /// As many comparisons with a count of their results as additions.
    CmpAndAdd,
    /// Fused multiply-adds, counted as two; without such instructions, the mix of the two.
    Fma,
}

impl Mix {
    /// All of them.
    const ALL: [Mix; 5] = [Mix::Mul, Mix::Add, Mix::MulAndAdd, Mix::CmpAndAdd, Mix::Fma];
}

/// What one thread does: operations in all, and a result that depends on each of them.
struct Done<T> {
    operations: usize,
    sum: T,
}

macro_rules! rates {
    ($rate:ident, $T:ident, $run:ident, $avx512:ident, $avx2:ident, $sse:ident, $portable:ident) => {
        /// Operations per second on lanes of this type, all threads together.
        pub fn $rate(mix: Mix) -> f64 {
            const ROUNDS: usize = 1 << 18;
            let level = Level::best();
            let tasks = 8 * rayon::current_num_threads();
            let operations = tasks * $run(level, mix, 0, 0.0).operations * ROUNDS;
            per_second(operations, || {
                let sums = (0..tasks).into_par_iter();
                sums.map(|task| $run(level, mix, ROUNDS, task as $T).sum)
                    .sum::<$T>()
            })
        }

        /// Runs `rounds` rounds, and says how many operations there are in a round.
        fn $run(level: Level, mix: Mix, rounds: usize, seed: $T) -> Done<$T> {
            #[cfg(target_arch = "x86_64")]
            {
                if level.is_v4() {
                    // SAFETY: the level has these features.
                    return unsafe { x86::$avx512(mix, rounds, seed) };
                }
                if level.has_fma() {
                    // SAFETY: as above.
                    return unsafe { x86::$avx2(mix, rounds, seed) };
                }
                // SAFETY: SSE2 is part of x86-64.
                unsafe { x86::$sse(mix, rounds, seed) }
            }
            #[cfg(not(target_arch = "x86_64"))]
            {
                let _ = level;
                portable::$portable(mix, rounds, seed)
            }
        }
    };
}

rates!(
    lanes_f32,
    f32,
    run_f32,
    avx512_f32,
    avx2_f32,
    sse_f32,
    portable_f32
);
rates!(
    lanes_f64,
    f64,
    run_f64,
    avx512_f64,
    avx2_f64,
    sse_f64,
    portable_f64
);

/// A function that runs any mix on `2 * $half` chains of vectors, `$half` for each kind of operation.
macro_rules! chains {
    (
        $(#[$features:meta])? $name:ident, $T:ident, $lanes:literal, $half:literal,
        $set:expr, $add:expr, $mul:expr, $fma:expr, |$a:ident, $b:ident, $k:ident| $count:expr, $first:expr
    ) => {
        $(#[$features])?
        pub fn $name(mix: Mix, rounds: usize, seed: $T) -> Done<$T> {
            /// One mix: compilers move chains about where loops of several meet.
            $(#[$features])?
            #[inline(never)]
            fn run<const MIX: u8>(rounds: usize, seed: $T) -> $T {
                let $k = $set(black_box(1.0));
                let mut first = [$k; $half];
                let mut second = [$k; $half];
                for chain in 0..$half {
                    first[chain] = $set(seed + chain as $T);
                    second[chain] = $set(seed + ($half + chain) as $T);
                }
                // Those of one kind next to each other: where kinds take turns, pipes of Zen 4 are idle
                // for a quarter of the time.
                macro_rules! rounds {
                    (|$x:ident, $y:ident| ($former:expr, $latter:expr)) => {
                        for _ in 0..rounds {
                            let before = first;
                            for chain in 0..$half {
                                let $x = before[chain];
                                first[chain] = $former;
                            }
                            for chain in 0..$half {
                                let ($x, $y) = (before[chain], second[chain]);
                                let _ = $x;
                                second[chain] = $latter;
                            }
                        }
                    };
                }
                match Mix::ALL[MIX as usize] {
                    Mix::Mul => rounds!(|x, y| ($mul(x, $k), $mul(y, $k))),
                    Mix::Add => rounds!(|x, y| ($add(x, $k), $add(y, $k))),
                    Mix::MulAndAdd => rounds!(|x, y| ($mul(x, $k), $add(y, $k))),
                    Mix::CmpAndAdd => rounds!(|$a, $b| ($add($a, $k), $count)),
                    Mix::Fma => rounds!(|x, y| ($fma(x, $k, $k), $fma(y, $k, $k))),
                }
                let mut sum = 0.0;
                for chain in 0..$half {
                    sum += $first(first[chain]) + $first(second[chain]);
                }
                sum
            }
            let sum = match mix {
                Mix::Mul => run::<0>(rounds, seed),
                Mix::Add => run::<1>(rounds, seed),
                Mix::MulAndAdd => run::<2>(rounds, seed),
                Mix::CmpAndAdd => run::<3>(rounds, seed),
                Mix::Fma => run::<4>(rounds, seed),
            };
            let each = if mix == Mix::Fma { 2 } else { 1 };
            Done {
                operations: each * 2 * $half * $lanes,
                sum,
            }
        }
    };
}

/// Six chains of each kind fill 12 of 16 registers, and ten 20 of 32: more than the operations that
/// are under way at once. (Without AVX-512 VL, compilers know what to do with 16 registers only.)
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Done, Mix, black_box};
    use std::arch::x86_64::*;

    chains!(
        #[target_feature(enable = "avx512f,avx512vl")]
        avx512_f32,
        f32,
        16,
        10,
        _mm512_set1_ps,
        _mm512_add_ps,
        _mm512_mul_ps,
        _mm512_fmadd_ps,
        |a, b, k| _mm512_mask_add_ps(b, _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, k), b, k),
        _mm512_cvtss_f32
    );
    chains!(
        #[target_feature(enable = "avx512f,avx512vl")]
        avx512_f64,
        f64,
        8,
        10,
        _mm512_set1_pd,
        _mm512_add_pd,
        _mm512_mul_pd,
        _mm512_fmadd_pd,
        |a, b, k| _mm512_mask_add_pd(b, _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, k), b, k),
        _mm512_cvtsd_f64
    );
    chains!(
        #[target_feature(enable = "avx2,fma")]
        avx2_f32,
        f32,
        8,
        6,
        _mm256_set1_ps,
        _mm256_add_ps,
        _mm256_mul_ps,
        _mm256_fmadd_ps,
        |a, b, k| _mm256_add_ps(b, _mm256_and_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, k), k)),
        _mm256_cvtss_f32
    );
    chains!(
        #[target_feature(enable = "avx2,fma")]
        avx2_f64,
        f64,
        4,
        6,
        _mm256_set1_pd,
        _mm256_add_pd,
        _mm256_mul_pd,
        _mm256_fmadd_pd,
        |a, b, k| _mm256_add_pd(b, _mm256_and_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, k), k)),
        _mm256_cvtsd_f64
    );

    #[target_feature(enable = "sse2")]
    fn multiply_and_add_ps(a: __m128, b: __m128, c: __m128) -> __m128 {
        _mm_add_ps(_mm_mul_ps(a, b), c)
    }

    #[target_feature(enable = "sse2")]
    fn multiply_and_add_pd(a: __m128d, b: __m128d, c: __m128d) -> __m128d {
        _mm_add_pd(_mm_mul_pd(a, b), c)
    }

    chains!(
        #[target_feature(enable = "sse2")]
        sse_f32,
        f32,
        4,
        6,
        _mm_set1_ps,
        _mm_add_ps,
        _mm_mul_ps,
        multiply_and_add_ps,
        |a, b, k| _mm_add_ps(b, _mm_and_ps(_mm_cmplt_ps(a, k), k)),
        _mm_cvtss_f32
    );
    chains!(
        #[target_feature(enable = "sse2")]
        sse_f64,
        f64,
        2,
        6,
        _mm_set1_pd,
        _mm_add_pd,
        _mm_mul_pd,
        multiply_and_add_pd,
        |a, b, k| _mm_add_pd(b, _mm_and_pd(_mm_cmplt_pd(a, k), k)),
        _mm_cvtsd_f64
    );
}

/// Where there are no intrinsics to write it with: what the compiler makes of vectors' worth of lanes.
#[cfg(not(target_arch = "x86_64"))]
mod portable {
    use super::{Done, Mix, black_box};

    macro_rules! portable {
        ($name:ident, $T:ident, $lanes:literal) => {
            chains!(
                $name,
                $T,
                $lanes,
                6,
                |k: $T| std::array::from_fn::<$T, $lanes, _>(|lane| k + lane as $T / 64.0),
                |a: [$T; $lanes], b: [$T; $lanes]| std::array::from_fn(|i| a[i] + b[i]),
                |a: [$T; $lanes], b: [$T; $lanes]| std::array::from_fn(|i| a[i] * b[i]),
                |a: [$T; $lanes], b: [$T; $lanes], c: [$T; $lanes]| {
                    std::array::from_fn(|i| a[i].mul_add(b[i], c[i]))
                },
                |a, b, k| std::array::from_fn(|i| if a[i] < k[i] { b[i] + k[i] } else { b[i] }),
                |a: [$T; $lanes]| a.iter().sum::<$T>()
            );
        };
    }

    portable!(portable_f32, f32, 4);
    portable!(portable_f64, f64, 2);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mix_runs_on_every_level() {
        for level in Level::available() {
            for mix in [Mix::Mul, Mix::Add, Mix::MulAndAdd, Mix::CmpAndAdd, Mix::Fma] {
                assert!(run_f32(level, mix, 3, 1.0).sum > 0.0);
                assert!(run_f64(level, mix, 3, 1.0).sum > 0.0);
            }
        }
    }
}
