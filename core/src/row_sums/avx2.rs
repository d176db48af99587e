//! Sums of rows for AVX2: what does not fill a vector is loaded under a mask from memory. Of blocks, which are
//! there as a whole, numbers are made neutral instead.
//!
//! In: numbers in a row. Out: their sum. Assumes: what the unsafe functions ask for.

use core::arch::x86_64::*;
use core::convert::identity;

use super::BLOCK;
use crate::batches::{self, Batch, FEW};
use crate::kernel::LANES;
use crate::row_groups::avx2::{self as row_groups, longs, words as groups};

/// Lanes that are combined together: longer rows have more of them.
const QUARTER: usize = LANES / 4;

/// Numbers of a block.
const EIGHT: usize = BLOCK;

/// All bits for each number of a round of accumulators, and none behind them: from a place among these on,
/// masks of so many as are left there.
static LONGS: [i64; 2 * LANES] = {
    let mut masks = [0; 2 * LANES];
    let mut at = 0;
    while at < LANES {
        masks[at] = !0;
        at += 1;
    }
    masks
};

/// The same of numbers of four bytes.
static WORDS: [i32; 2 * LANES] = {
    let mut masks = [0; 2 * LANES];
    let mut at = 0;
    while at < LANES {
        masks[at] = !0;
        at += 1;
    }
    masks
};

/// The sum of rows of numbers of which `$lanes` make a vector; `$neutral` fills vectors up.
macro_rules! row_sum {
    ($name:ident, $names:ident, $groups:ident($bits:ty, $to:expr, $of:expr), $number:ty, $lanes:literal,
     $vector:ty, $reduce:ident, $splat:ident($neutral:literal), $load:ident, $masks:ident, $load_some:ident,
     $fill:expr, $add:ident) => {
        /// The sums of a batch's rows. No parameter of type: this is compiled once, and not in each user's crate.
        ///
        /// # Safety
        /// Its numbers may be read from `from` on, and there is room for the totals of all groups.
        #[target_feature(enable = "avx2")]
        pub(super) unsafe fn $names(from: *const $number, batch: &Batch, totals: *mut $bits) {
            /// Where no loop is needed for `PARTS` parts of each.
            ///
            /// # Safety
            /// As there.
            #[target_feature(enable = "avx2")]
            unsafe fn in_parts<const PARTS: usize>(
                from: *const $number,
                batch: &Batch,
                totals: *mut $bits,
            ) {
                const WORDS: usize = size_of::<$number>() / size_of::<i32>();
                let neutral = $splat($neutral);
                // The sums of the lanes of so many parts.
                macro_rules! parts {
                    ($parts:expr, $start:expr, $len:expr) => {{
                        let mut parts = [neutral; $parts * FEW / $lanes];
                        for (at, part) in parts.iter_mut().enumerate() {
                            let at = at * $lanes;
                            let mask = row_groups::mask::<WORDS>($len, at);
                            let some = $load_some(from.wrapping_add($start + at).cast(), mask);
                            *part = $fill(neutral, some, mask);
                        }
                        let mut half = $parts * FEW / 2 / $lanes;
                        while half > 0 {
                            for at in 0..half {
                                parts[at] = $add(parts[at], parts[at + half]);
                            }
                            half /= 2;
                        }
                        parts[0]
                    }};
                }
                macro_rules! few {
                    ($start:expr, $len:expr) => {
                        $to(match PARTS {
                            1 => parts!(1, $start, $len),
                            _more => parts!(batches::PARTS, $start, $len),
                        })
                    };
                }
                // Most that are longer are not much longer.
                macro_rules! many {
                    ($start:expr, $len:expr) => {
                        match PARTS == 1 && $len <= batches::PARTS * FEW {
                            true => $reduce(parts!(batches::PARTS, $start, $len)),
                            false => $name::<false>(from.add($start), $len),
                        }
                    };
                }
                macro_rules! add {
                    ($a:expr, $b:expr) => {
                        $to($add($of($a), $of($b)))
                    };
                }
                // SAFETY: promised by the caller; the masks leave out what is behind the row.
                unsafe { $groups!(batch, totals, few, many, add) }
            }
            // SAFETY: promised by the caller.
            unsafe { crate::row_groups::by_parts!(in_parts, from, batch, totals) }
        }

        /// # Safety
        /// `len` numbers may be read from `from` on.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) unsafe fn $name<const FAR: bool>(
            mut from: *const $number,
            mut len: usize,
        ) -> $number {
            const PARTS: usize = LANES / $lanes;
            const EACH: usize = QUARTER / $lanes;
            let neutral = $splat($neutral);
            // The numbers from a place on, of `len` up to a round, and neutral ones behind them.
            macro_rules! some {
                ($at:expr) => {{
                    // SAFETY: there are masks for a round behind those of `len` numbers; only
                    // numbers that are there are read.
                    unsafe {
                        let masks = $masks.as_ptr().add(LANES - len.min(LANES) + $at);
                        let mask = _mm256_loadu_si256(masks.cast());
                        let some = $load_some(from.wrapping_add($at).cast(), mask);
                        $fill(neutral, some, mask)
                    }
                }};
            }
            if len <= $lanes {
                return $reduce(some!(0));
            }
            let mut parts: [$vector; PARTS] = [neutral; PARTS];
            while len > LANES {
                for (at, part) in parts.iter_mut().enumerate() {
                    if FAR && at % 2 == 0 {
                        let ahead = from.wrapping_byte_add(1024 + 32 * at);
                        _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                    }
                    // SAFETY: there are more than a round of them.
                    *part = $add(*part, unsafe { $load(from.add(at * $lanes).cast()) });
                }
                // SAFETY: as above.
                from = unsafe { from.add(LANES) };
                len -= LANES;
            }
            for (quarter, parts) in parts.chunks_exact_mut(EACH).enumerate() {
                if quarter * QUARTER >= len {
                    break;
                }
                let whole = (quarter + 1) * QUARTER <= len;
                for (at, part) in parts.iter_mut().enumerate() {
                    let at = quarter * QUARTER + at * $lanes;
                    // SAFETY: a whole quarter is there.
                    let numbers = || unsafe { $load(from.add(at).cast()) };
                    *part = $add(*part, if whole { numbers() } else { some!(at) });
                }
            }
            let mut half = PARTS / 2;
            while half > 0 {
                for at in 0..half {
                    parts[at] = $add(parts[at], parts[at + half]);
                }
                half /= 2;
            }
            $reduce(parts[0])
        }
    };
}

/// Sums of blocks of `EIGHT` numbers, of which `$lanes` make a vector.
macro_rules! blocks {
    ($add_blocks:ident, $first:ident, $few:ident, $total:ident, $number:ty, $lanes:literal, $reduce:ident,
     $splat:ident($neutral:literal), $load:ident, $store:ident, $masks:ident, $choose:expr, $add:ident) => {
        /// Writes the sums of two blocks, number by number, to `to`.
        ///
        /// # Safety
        /// There are blocks at all three.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) unsafe fn $add_blocks(a: *const $number, b: *const $number, to: *mut $number) {
            for at in (0..EIGHT).step_by($lanes) {
                // SAFETY: promised by the caller.
                unsafe {
                    let sum = $add($load(a.add(at).cast()), $load(b.add(at).cast()));
                    $store(to.add(at).cast(), sum);
                }
            }
        }

        /// Writes the first `count` numbers of a block, and neutral ones behind them, to `to`.
        ///
        /// # Safety
        /// There are blocks at both, and `count` is at most [`EIGHT`].
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) unsafe fn $first(block: *const $number, count: usize, to: *mut $number) {
            for at in (0..EIGHT).step_by($lanes) {
                // SAFETY: promised by the caller; there are masks for a round behind those of `count`.
                unsafe {
                    let mask = _mm256_loadu_si256($masks.as_ptr().add(LANES - count + at).cast());
                    let numbers = $load(block.add(at).cast());
                    $store(to.add(at).cast(), $choose($splat($neutral), numbers, mask));
                }
            }
        }

        /// The sum of `count` numbers.
        ///
        /// # Safety
        /// At least two blocks may be read, and `count` is no more.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) unsafe fn $few(from: *const $number, count: usize) -> $number {
            let (mut first, mut second) = ([$neutral; EIGHT], [$neutral; EIGHT]);
            // SAFETY: promised by the caller.
            unsafe {
                let left = count.saturating_sub(EIGHT);
                $first(from, count.min(EIGHT), first.as_mut_ptr());
                $first(from.add(EIGHT), left, second.as_mut_ptr());
                let to = first.as_mut_ptr();
                $add_blocks(to, second.as_ptr(), to);
                $total(to)
            }
        }

        /// The sum of a block.
        ///
        /// # Safety
        /// There is a block.
        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) unsafe fn $total(block: *const $number) -> $number {
            // SAFETY: promised by the caller.
            unsafe {
                let first = $load(block.cast());
                $reduce(match $lanes {
                    EIGHT => first,
                    _half => $add(first, $load(block.add(EIGHT / 2).cast())),
                })
            }
        }
    };
}

/// The sum of a vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn pairs(four: __m256d) -> f64 {
    let (low, high) = (
        _mm256_castpd256_pd128(four),
        _mm256_extractf128_pd::<1>(four),
    );
    let two = _mm_add_pd(low, high);
    _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
}

/// The sum of a vector.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn words(eight: __m256) -> f32 {
    let (low, high) = (
        _mm256_castps256_ps128(eight),
        _mm256_extractf128_ps::<1>(eight),
    );
    let four = _mm_add_ps(low, high);
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn long(four: __m256i) -> i64 {
    let (low, high) = (
        _mm256_castsi256_si128(four),
        _mm256_extracti128_si256::<1>(four),
    );
    let two = _mm_add_epi64(low, high);
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn short(eight: __m256i) -> i32 {
    let (low, high) = (
        _mm256_castsi256_si128(eight),
        _mm256_extracti128_si256::<1>(eight),
    );
    let four = _mm_add_epi32(low, high);
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}

row_sum!(
    f64,
    f64s,
    longs(f64, identity, identity),
    f64,
    4,
    __m256d,
    pairs,
    _mm256_set1_pd(-0.0),
    _mm256_loadu_pd,
    LONGS,
    _mm256_maskload_pd,
    // What is not loaded is 0.
    |neutral, some, mask| {
        _mm256_or_pd(some, _mm256_andnot_pd(_mm256_castsi256_pd(mask), neutral))
    },
    _mm256_add_pd
);
row_sum!(
    f32,
    f32s,
    groups(f32, identity, identity),
    f32,
    8,
    __m256,
    words,
    _mm256_set1_ps(-0.0),
    _mm256_loadu_ps,
    WORDS,
    _mm256_maskload_ps,
    |neutral, some, mask| {
        _mm256_or_ps(some, _mm256_andnot_ps(_mm256_castsi256_ps(mask), neutral))
    },
    _mm256_add_ps
);
row_sum!(
    i64,
    i64s,
    longs(f64, _mm256_castsi256_pd, _mm256_castpd_si256),
    i64,
    4,
    __m256i,
    long,
    _mm256_set1_epi64x(0),
    _mm256_loadu_si256,
    LONGS,
    _mm256_maskload_epi64,
    |_, some, _| some,
    _mm256_add_epi64
);
row_sum!(
    i32,
    i32s,
    groups(f32, _mm256_castsi256_ps, _mm256_castps_si256),
    i32,
    8,
    __m256i,
    short,
    _mm256_set1_epi32(0),
    _mm256_loadu_si256,
    WORDS,
    _mm256_maskload_epi32,
    |_, some, _| some,
    _mm256_add_epi32
);

blocks!(
    f64_add,
    f64_first,
    f64_few,
    f64_total,
    f64,
    4,
    pairs,
    _mm256_set1_pd(-0.0),
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    LONGS,
    |neutral, some, mask| _mm256_blendv_pd(neutral, some, _mm256_castsi256_pd(mask)),
    _mm256_add_pd
);
blocks!(
    f32_add,
    f32_first,
    f32_few,
    f32_total,
    f32,
    8,
    words,
    _mm256_set1_ps(-0.0),
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    WORDS,
    |neutral, some, mask| _mm256_blendv_ps(neutral, some, _mm256_castsi256_ps(mask)),
    _mm256_add_ps
);
blocks!(
    i64_add,
    i64_first,
    i64_few,
    i64_total,
    i64,
    4,
    long,
    _mm256_set1_epi64x(0),
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    LONGS,
    |_, some, mask| _mm256_and_si256(some, mask),
    _mm256_add_epi64
);
blocks!(
    i32_add,
    i32_first,
    i32_few,
    i32_total,
    i32,
    8,
    short,
    _mm256_set1_epi32(0),
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    WORDS,
    |_, some, mask| _mm256_and_si256(some, mask),
    _mm256_add_epi32
);

#[cfg(test)]
mod tests {
    use super::{EIGHT, f32, f32_few, f64, f64_few, i32, i32_few, i64, i64_few};
    use crate::kernel::LANES;
    use crate::level::{Level, best};

    /// The sum in the language's order, `zero` being neutral.
    macro_rules! in_order {
        ($row:expr, $zero:expr, $add:expr) => {{
            let mut acc = [$zero; LANES];
            for (at, x) in $row.iter().enumerate() {
                acc[at % LANES] = $add(acc[at % LANES], *x);
            }
            let mut half = LANES / 2;
            while half > 0 {
                for at in 0..half {
                    acc[at] = $add(acc[at], acc[at + half]);
                }
                half /= 2;
            }
            acc[0]
        }};
    }

    #[test]
    fn sums_are_in_the_order_of_the_language() {
        if best() < Level::V3 {
            return;
        }
        for len in 1..4 * LANES {
            let floats: Vec<f64> = (0..len).map(|i| (i * 7919 % 1009) as f64 * 0.37).collect();
            let singles: Vec<f32> = floats.iter().map(|x| *x as f32).collect();
            let longs: Vec<i64> = floats.iter().map(|x| x.to_bits() as i64).collect();
            let words: Vec<i32> = longs.iter().map(|x| (*x >> 20) as i32).collect();
            // SAFETY: so many numbers are there, and so is the level.
            let (double, single, long, word) = unsafe {
                (
                    f64::<true>(floats.as_ptr(), len),
                    f32::<false>(singles.as_ptr(), len),
                    i64::<true>(longs.as_ptr(), len),
                    i32::<false>(words.as_ptr(), len),
                )
            };
            let wanted = in_order!(floats, -0.0, |a: f64, b: f64| a + b);
            assert_eq!(double.to_bits(), wanted.to_bits());
            let wanted = in_order!(singles, -0.0, |a: f32, b: f32| a + b);
            assert_eq!(single.to_bits(), wanted.to_bits());
            assert_eq!(long, in_order!(longs, 0, i64::wrapping_add));
            assert_eq!(word, in_order!(words, 0, i32::wrapping_add));
        }
        // SAFETY: as above.
        let nothing = unsafe { f64::<false>([-0.0; 3].as_ptr(), 3) };
        assert!(nothing.is_sign_negative());
    }

    #[test]
    fn what_is_behind_few_numbers_does_not_count() {
        if best() < Level::V3 {
            return;
        }
        let floats: [f64; 2 * EIGHT] = core::array::from_fn(|i| (i * 7919 % 1009) as f64 * -0.37);
        let singles = floats.map(|x| x as f32);
        let longs = floats.map(|x| x.to_bits() as i64);
        let words = longs.map(|x| (x >> 20) as i32);
        for count in 1..=2 * EIGHT {
            // SAFETY: two blocks of numbers are there, and so is the level.
            let (double, single, long, word) = unsafe {
                (
                    f64_few(floats.as_ptr(), count),
                    f32_few(singles.as_ptr(), count),
                    i64_few(longs.as_ptr(), count),
                    i32_few(words.as_ptr(), count),
                )
            };
            let wanted = in_order!(floats[..count], -0.0, |a: f64, b: f64| a + b);
            assert_eq!(double.to_bits(), wanted.to_bits());
            let wanted = in_order!(singles[..count], -0.0, |a: f32, b: f32| a + b);
            assert_eq!(single.to_bits(), wanted.to_bits());
            assert_eq!(long, in_order!(longs[..count], 0, i64::wrapping_add));
            assert_eq!(word, in_order!(words[..count], 0, i32::wrapping_add));
        }
        // SAFETY: as above; a sum of nothing but -0 is -0.
        let nothing = unsafe { f64_few([-0.0; 2 * EIGHT].as_ptr(), 5) };
        assert!(nothing.is_sign_negative());
    }
}
