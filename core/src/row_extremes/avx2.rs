//! The code by hand for AVX2, for numbers of which it has the extremes.
//!
//! In: numbers from a pointer on. Out: their extreme, and its first place if asked for.
//! Assumes: what the unsafe functions ask for. What `x86.rs` says of NaN and zeros holds here.

use core::arch::x86_64::*;
use core::convert::identity;

use crate::batches::{self, Batch, FEW};
use crate::row_groups::avx2 as row_groups;

/// The most lanes of a vector.
const MOST: usize = 8;

/// All bits, then none: from a place among these on, the mask of so many lanes as are left before the
/// middle.
static WORDS: [i32; 2 * MOST] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The extremes of rows of numbers of which `$lanes` make a vector.
macro_rules! row_extreme {
    ($name:ident, $groups:ident($bits:ty, $to:expr, $of:expr), $number:ty, $lanes:literal, $vector:ty,
     [$low:expr, $high:expr], $splat:ident, $load:ident, $load_some:ident, $fill:expr, $max:ident, $min:ident,
     [$halves:expr, $quarters:expr, $pairs:expr], $equal:expr) => {
        pub(super) mod $name {
            use super::*;

            by_parts!($number, $bits, $lanes, "avx2,bmi1,bmi2", 8);

            /// `extremes` where no loop is needed for `PARTS` parts of each.
            ///
            /// # Safety
            /// As for `extremes`.
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            unsafe fn in_parts<const GREATEST: bool, const PARTS: usize>(
                from: *const $number,
                batch: &Batch,
                totals: *mut $bits,
            ) {
                const WORDS: usize = size_of::<$number>() / size_of::<i32>();
                let least = start::<GREATEST>();
                // The extremes of the lanes of so many parts.
                macro_rules! parts {
                    ($parts:expr, $start:expr, $len:expr) => {{
                        let mut acc = least;
                        for at in (0..$parts * FEW).step_by($lanes) {
                            let mask = row_groups::mask::<WORDS>($len, at);
                            let some = $load_some(from.wrapping_add($start + at).cast(), mask);
                            acc = step::<GREATEST>(acc, ($fill)(least, some, mask));
                        }
                        acc
                    }};
                }
                macro_rules! few {
                    ($start:expr, $len:expr) => {
                        $to(parts!(PARTS, $start, $len))
                    };
                }
                // Most that are longer are not much longer.
                macro_rules! many {
                    ($start:expr, $len:expr) => {
                        match PARTS == 1 && $len <= batches::PARTS * FEW {
                            true => {
                                let acc = parts!(batches::PARTS, $start, $len);
                                first_lane(reduced::<GREATEST>(acc))
                            }
                            false => of_part::<GREATEST, false>(from.add($start), $len),
                        }
                    };
                }
                macro_rules! op {
                    ($a:expr, $b:expr) => {
                        $to(step::<GREATEST>($of($a), $of($b)))
                    };
                }
                // SAFETY: promised by the caller; the masks leave out what is behind the row.
                unsafe { row_groups::$groups!(batch, totals, few, many, op) }
            }

            #[target_feature(enable = "avx2")]
            #[inline]
            fn start<const GREATEST: bool>() -> $vector {
                $splat(if GREATEST { $low } else { $high })
            }

            /// The first `count` numbers from `from` on, all if there are more, and neutral ones.
            ///
            /// # Safety
            /// They may be read.
            #[target_feature(enable = "avx2")]
            #[inline]
            unsafe fn some<const GREATEST: bool>(from: *const $number, count: usize) -> $vector {
                const EACH: usize = MOST / $lanes;
                // SAFETY: a vector's words begin at any of the first ones; promised by the caller.
                unsafe {
                    let masks = WORDS.as_ptr().add(MOST - EACH * count.min($lanes));
                    let mask = _mm256_loadu_si256(masks.cast());
                    let some = $load_some(from.cast(), mask);
                    ($fill)(start::<GREATEST>(), some, mask)
                }
            }

            /// The accumulator if it and the number are equal, or the number is none.
            #[target_feature(enable = "avx2")]
            #[inline]
            fn step<const GREATEST: bool>(acc: $vector, x: $vector) -> $vector {
                match GREATEST {
                    true => $max(x, acc),
                    false => $min(x, acc),
                }
            }

            /// The extreme of the lanes, in all lanes.
            #[target_feature(enable = "avx2")]
            #[inline]
            fn reduced<const GREATEST: bool>(acc: $vector) -> $vector {
                let acc = step::<GREATEST>(acc, ($halves)(acc));
                let acc = step::<GREATEST>(acc, ($quarters)(acc));
                match $lanes {
                    MOST => step::<GREATEST>(acc, ($pairs)(acc)),
                    _half => acc,
                }
            }

            #[target_feature(enable = "avx2")]
            #[inline]
            fn first_lane(x: $vector) -> $number {
                // SAFETY: a vector begins with its first lane.
                unsafe { (&raw const x).cast::<$number>().read() }
            }

            /// The same for up to `N` vectors, but more than half of that.
            ///
            /// # Safety
            /// As for `extreme`.
            #[cfg_attr(optimised, inline(always))]
            unsafe fn few<const N: usize, const GREATEST: bool, const FINDS: bool>(
                from: *const $number,
                len: usize,
            ) -> ($number, usize) {
                // SAFETY: promised by the caller. There are more than half of the vectors; of others what
                // is behind the row is left out.
                unsafe {
                    let mut xs = [start::<GREATEST>(); N];
                    let mut acc = xs[0];
                    for (at, x) in xs.iter_mut().enumerate() {
                        let before = at * $lanes;
                        let from = from.wrapping_add(before);
                        *x = match at < N / 2 {
                            true => $load(from.cast()),
                            false => some::<GREATEST>(from, len.saturating_sub(before)),
                        };
                        acc = step::<GREATEST>(acc, *x);
                    }
                    let wanted = reduced::<GREATEST>(acc);
                    if !FINDS {
                        return (first_lane(wanted), 0);
                    }
                    let mut equal = 0;
                    for (at, x) in xs.into_iter().enumerate() {
                        equal |= ($equal)(x, wanted) << (at * $lanes);
                    }
                    (first_lane(wanted), equal.trailing_zeros() as usize)
                }
            }

            /// The extreme of a part. `FAR`: it is not in the nearest cache.
            ///
            /// # Safety
            /// As for `extreme`.
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            #[inline]
            unsafe fn of_part<const GREATEST: bool, const FAR: bool>(
                mut from: *const $number,
                mut len: usize,
            ) -> $number {
                let mut acc = [start::<GREATEST>(); ROUND];
                while len >= ROUND * $lanes {
                    if FAR {
                        for line in 0..ROUND / 2 {
                            let ahead = from.wrapping_byte_add(1024 + 64 * line);
                            _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                        }
                    }
                    for (at, acc) in acc.iter_mut().enumerate() {
                        // SAFETY: there are as many.
                        let x = unsafe { $load(from.add(at * $lanes).cast()) };
                        *acc = step::<GREATEST>(*acc, x);
                    }
                    // SAFETY: as above.
                    from = unsafe { from.add(ROUND * $lanes) };
                    len -= ROUND * $lanes;
                }
                for (at, acc) in acc.iter_mut().enumerate() {
                    let before = at * $lanes;
                    let from = from.wrapping_add(before);
                    // SAFETY: what is behind the row is left out.
                    let x = unsafe { some::<GREATEST>(from, len.saturating_sub(before)) };
                    *acc = step::<GREATEST>(*acc, x);
                }
                let (even, odd) = (
                    step::<GREATEST>(acc[0], acc[2]),
                    step::<GREATEST>(acc[1], acc[3]),
                );
                first_lane(reduced::<GREATEST>(step::<GREATEST>(even, odd)))
            }

            /// The first place of a number; the end if it is not there.
            ///
            /// # Safety
            /// As for `extreme`.
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            #[inline]
            unsafe fn place(from: *const $number, len: usize, value: $number) -> usize {
                let wanted = $splat(value as _);
                let mut at = 0;
                while at < len {
                    let count = len - at;
                    // SAFETY: what is behind the row is left out.
                    let x = unsafe { some::<true>(from.wrapping_add(at), count) };
                    let equal: u64 = ($equal)(x, wanted) & ((1 << count.min($lanes)) - 1);
                    if equal != 0 {
                        return at + equal.trailing_zeros() as usize;
                    }
                    at += $lanes;
                }
                len
            }
        }
    };
}

row_extreme!(
    f32,
    words(f32, identity, identity),
    f32,
    8,
    __m256,
    [f32::NEG_INFINITY, f32::INFINITY],
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_maskload_ps,
    // What is not loaded is 0.
    |other, x, mask| _mm256_or_ps(x, _mm256_andnot_ps(_mm256_castsi256_ps(mask), other)),
    _mm256_max_ps,
    _mm256_min_ps,
    [
        (|x| _mm256_permute2f128_ps::<1>(x, x)),
        (|x| _mm256_permute_ps::<0b01_00_11_10>(x)),
        (|x| _mm256_permute_ps::<0b10_11_00_01>(x))
    ],
    (|x, y| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(x, y)) as u64)
);
row_extreme!(
    f64,
    longs(f64, identity, identity),
    f64,
    4,
    __m256d,
    [f64::NEG_INFINITY, f64::INFINITY],
    _mm256_set1_pd,
    _mm256_loadu_pd,
    _mm256_maskload_pd,
    |other, x, mask| _mm256_or_pd(x, _mm256_andnot_pd(_mm256_castsi256_pd(mask), other)),
    _mm256_max_pd,
    _mm256_min_pd,
    [
        (|x| _mm256_permute2f128_pd::<1>(x, x)),
        (|x| _mm256_permute_pd::<0b0101>(x)),
        identity
    ],
    (|x, y| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(x, y)) as u64)
);
row_extreme!(
    i32,
    words(f32, _mm256_castsi256_ps, _mm256_castps_si256),
    i32,
    8,
    __m256i,
    [i32::MIN, i32::MAX],
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_maskload_epi32,
    |other, x, mask| _mm256_or_si256(x, _mm256_andnot_si256(mask, other)),
    _mm256_max_epi32,
    _mm256_min_epi32,
    [
        (|x| _mm256_permute2x128_si256::<1>(x, x)),
        (|x| _mm256_shuffle_epi32::<0b01_00_11_10>(x)),
        (|x| _mm256_shuffle_epi32::<0b10_11_00_01>(x))
    ],
    (|x, y| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y))) as u64)
);
row_extreme!(
    u32,
    words(f32, _mm256_castsi256_ps, _mm256_castps_si256),
    u32,
    8,
    __m256i,
    [0, -1],
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_maskload_epi32,
    |other, x, mask| _mm256_or_si256(x, _mm256_andnot_si256(mask, other)),
    _mm256_max_epu32,
    _mm256_min_epu32,
    [
        (|x| _mm256_permute2x128_si256::<1>(x, x)),
        (|x| _mm256_shuffle_epi32::<0b01_00_11_10>(x)),
        (|x| _mm256_shuffle_epi32::<0b10_11_00_01>(x))
    ],
    (|x, y| _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, y))) as u64)
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Level, best};

    /// Numbers without a pattern, many of them several times.
    fn number(at: usize) -> usize {
        (at.wrapping_mul(0x9e37_79b9) >> 7) % 500 + 1
    }

    macro_rules! agrees {
        ($name:ident, $number:ty, $of:expr, $is_number:expr) => {
            #[test]
            fn $name() {
                if best() < Level::V3 {
                    return;
                }
                let lens = (1..=130).chain([1023, 1024, 1025, 2047, 3000]);
                for len in lens {
                    // What is behind the row is less and greater than all of it.
                    let mut xs: Vec<$number> = (0..len).map(|at| $of(number(len + at))).collect();
                    xs.extend([$of(0), $of(1_000)]);
                    let row = &xs[..len];
                    let numbers = || row.iter().copied().filter($is_number);
                    let place = |of: $number| row.iter().position(|x| *x == of).unwrap();
                    let most = numbers().reduce(|a, b| if b > a { b } else { a });
                    let Some(most) = most else { continue };
                    let least = numbers().reduce(|a, b| if b < a { b } else { a }).unwrap();
                    let from = row.as_ptr();
                    // SAFETY: these are the numbers of the row; the level is there.
                    unsafe {
                        let found = super::$name::extreme::<true, true, true>(from, len);
                        assert_eq!(found, (most, place(most)), "{len}");
                        let found = super::$name::extreme::<false, true, false>(from, len);
                        assert_eq!(found, (least, place(least)), "{len}");
                        let found = super::$name::extreme::<true, false, false>(from, len);
                        assert_eq!(found.0, most, "{len}");
                    }
                }
            }
        };
    }

    agrees!(i32, i32, (|k: usize| k as i32 - 250), |_: &i32| true);
    agrees!(u32, u32, (|k: usize| (k as u32) << 23), |_: &u32| true);
    // One in some is none.
    agrees!(
        f32,
        f32,
        (|k: usize| if k % 7 == 3 {
            f32::NAN
        } else {
            k as f32 - 250.5
        }),
        |x: &f32| !x.is_nan()
    );
    agrees!(
        f64,
        f64,
        (|k: usize| if k % 7 == 3 {
            f64::NAN
        } else {
            k as f64 - 250.5
        }),
        |x: &f64| !x.is_nan()
    );

    #[test]
    fn of_none_is_behind_the_row() {
        if best() < Level::V3 {
            return;
        }
        for len in [0, 1, 5, 8, 31, 32, 33, 63, 64, 70] {
            let xs = vec![f32::NAN; len];
            // SAFETY: these are the numbers; the level is there.
            let (_, place) = unsafe { super::f32::extreme::<true, true, false>(xs.as_ptr(), len) };
            assert!(len == 0 || place >= len, "{len} {place}");
        }
    }
}
