//! The code by hand, for each type of number.
//!
//! In: numbers from a pointer on. Out: their extreme, and its first place if asked for.
//! Assumes: what the unsafe functions ask for.

/// The extremes of rows of numbers of which `$lanes` make a vector.
macro_rules! row_extreme {
    ($name:ident, $groups:ident($bits:ty, $to:expr, $of:expr),
     $number:ty, $lanes:literal, $mask:ty, $vector:ty, [$low:expr, $high:expr],
     $splat:ident, $load:ident, $load_some:ident, $max:ident, $min:ident,
     $reduce_max:ident, $reduce_min:ident, $equal:ident, $SIGNED_ZERO:literal) => {
        pub(super) mod $name {
            use core::arch::x86_64::*;

            use crate::batches::Batch;

            by_parts!(
                $number,
                $bits,
                $lanes,
                "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2"
            );

            /// `extremes` where no loop is needed for `PARTS` parts of each.
            ///
            /// # Safety
            /// As for `extremes`.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            unsafe fn in_parts<const GREATEST: bool, const PARTS: usize>(
                from: *const $number,
                batch: &Batch,
                totals: *mut $bits,
            ) {
                let least = start::<GREATEST>();
                macro_rules! part {
                    ($acc:expr, $start:expr, $len:expr) => {{
                        let some = _bzhi_u32(u32::MAX, $len as u32) as $mask;
                        let x = $load_some(least, some, from.wrapping_add($start).cast());
                        step::<GREATEST>($acc, x)
                    }};
                }
                macro_rules! few {
                    ($start:expr, $len:expr) => {{
                        let mut acc = part!(least, $start, $len);
                        for at in 1..PARTS * 16 / $lanes {
                            let before = at * $lanes;
                            acc = part!(acc, $start + before, ($len).saturating_sub(before));
                        }
                        $to(acc)
                    }};
                }
                macro_rules! many {
                    ($start:expr, $len:expr) => {
                        of_part::<GREATEST, false>(from.add($start), $len)
                    };
                }
                macro_rules! op {
                    ($a:expr, $b:expr) => {
                        $to(step::<GREATEST>($of($a), $of($b)))
                    };
                }
                // SAFETY: promised by the caller; the mask leaves out what is behind the row.
                unsafe { crate::row_groups::avx512::$groups!(batch, totals, few, many, op) }
            }

            /// Whether that place is the operator's, or there are no numbers. Zeros differ in their signs,
            /// which the extreme does not tell; and where none is a number, what is behind the row is
            /// as great. (A subtraction: rows without elements may be anywhere, so no branch for them.)
            #[cfg_attr(optimised, inline(always))]
            pub(in super::super) fn is_found(value: $number, place: usize, len: usize) -> bool {
                let nought = 0 as $number;
                let has_sign = !$SIGNED_ZERO || value < nought || value > nought;
                has_sign & (place <= len.wrapping_sub(1))
            }

            /// The mask of the first `count` lanes, all if there are more.
            #[target_feature(enable = "bmi2")]
            #[inline]
            fn first(count: usize) -> $mask {
                _bzhi_u32(u32::MAX, count.min($lanes) as u32) as $mask
            }

            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            #[inline]
            fn start<const GREATEST: bool>() -> $vector {
                $splat(if GREATEST { $low } else { $high })
            }

            /// The accumulator if it and the number are equal, or the number is none.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            #[inline]
            fn step<const GREATEST: bool>(acc: $vector, x: $vector) -> $vector {
                match GREATEST {
                    true => $max(x, acc),
                    false => $min(x, acc),
                }
            }

            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            #[inline]
            fn reduce<const GREATEST: bool>(acc: $vector) -> $number {
                (match GREATEST {
                    true => $reduce_max(acc),
                    false => $reduce_min(acc),
                }) as $number
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
                // SAFETY: promised by the caller. There are more than half of the vectors; of
                // others the mask leaves out what is behind the row.
                unsafe {
                    let least = start::<GREATEST>();
                    let (mut xs, mut acc) = ([least; N], least);
                    let all = _bzhi_u64(u64::MAX, len as u32);
                    for (at, x) in xs.iter_mut().enumerate() {
                        let some = (all >> (at * $lanes)) as $mask;
                        let from = from.wrapping_add(at * $lanes).cast();
                        *x = match at < N / 2 {
                            true => $load(from),
                            false => $load_some(least, some, from),
                        };
                        acc = step::<GREATEST>(acc, *x);
                    }
                    let value = reduce::<GREATEST>(acc);
                    if !FINDS {
                        return (value, 0);
                    }
                    let wanted = $splat(value as _);
                    let mut equal = 0;
                    for (at, x) in xs.into_iter().enumerate() {
                        equal |= u64::from($equal(x, wanted)) << (at * $lanes);
                    }
                    (value, equal.trailing_zeros() as usize)
                }
            }

            /// The extreme of a part. `FAR`: it is not in the nearest cache.
            ///
            /// # Safety
            /// As for `extreme`.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            #[inline]
            unsafe fn of_part<const GREATEST: bool, const FAR: bool>(
                mut from: *const $number,
                mut len: usize,
            ) -> $number {
                let least = start::<GREATEST>();
                let mut acc = [least; ROUND];
                while len >= ROUND * $lanes {
                    for (at, acc) in acc.iter_mut().enumerate() {
                        if FAR {
                            let ahead = from.wrapping_byte_add(1024 + 64 * at);
                            _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                        }
                        // SAFETY: there are as many.
                        let x = unsafe { $load(from.add(at * $lanes).cast()) };
                        *acc = step::<GREATEST>(*acc, x);
                    }
                    // SAFETY: as above.
                    from = unsafe { from.add(ROUND * $lanes) };
                    len -= ROUND * $lanes;
                }
                let all = _bzhi_u64(u64::MAX, len as u32);
                for (at, acc) in acc.iter_mut().enumerate() {
                    let some = (all >> (at * $lanes)) as $mask;
                    let from = from.wrapping_add(at * $lanes).cast();
                    // SAFETY: the mask leaves out what is behind the row.
                    *acc = step::<GREATEST>(*acc, unsafe { $load_some(least, some, from) });
                }
                let (even, odd) = (
                    step::<GREATEST>(acc[0], acc[2]),
                    step::<GREATEST>(acc[1], acc[3]),
                );
                reduce::<GREATEST>(step::<GREATEST>(even, odd))
            }

            /// The first place of a number; the end if it is not there.
            ///
            /// # Safety
            /// As for `extreme`.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi1,bmi2")]
            #[inline]
            unsafe fn place(from: *const $number, len: usize, value: $number) -> usize {
                let wanted = $splat(value as _);
                let mut at = 0;
                while at < len {
                    let some = first(len - at);
                    let from = from.wrapping_add(at).cast();
                    // SAFETY: the mask leaves out what is behind the row.
                    let x = unsafe { $load_some($splat(0 as _), some, from) };
                    let equal = some & $equal(x, wanted);
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
    words(f32, core::convert::identity, core::convert::identity),
    f32,
    16,
    u16,
    __m512,
    [f32::NEG_INFINITY, f32::INFINITY],
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_mask_loadu_ps,
    _mm512_max_ps,
    _mm512_min_ps,
    _mm512_reduce_max_ps,
    _mm512_reduce_min_ps,
    _mm512_cmpeq_ps_mask,
    true
);
row_extreme!(
    f64,
    longs(f64, core::convert::identity, core::convert::identity),
    f64,
    8,
    u8,
    __m512d,
    [f64::NEG_INFINITY, f64::INFINITY],
    _mm512_set1_pd,
    _mm512_loadu_pd,
    _mm512_mask_loadu_pd,
    _mm512_max_pd,
    _mm512_min_pd,
    _mm512_reduce_max_pd,
    _mm512_reduce_min_pd,
    _mm512_cmpeq_pd_mask,
    true
);
row_extreme!(
    i32,
    words(f32, _mm512_castsi512_ps, _mm512_castps_si512),
    i32,
    16,
    u16,
    __m512i,
    [i32::MIN, i32::MAX],
    _mm512_set1_epi32,
    _mm512_loadu_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_max_epi32,
    _mm512_min_epi32,
    _mm512_reduce_max_epi32,
    _mm512_reduce_min_epi32,
    _mm512_cmpeq_epi32_mask,
    false
);
row_extreme!(
    u32,
    words(f32, _mm512_castsi512_ps, _mm512_castps_si512),
    u32,
    16,
    u16,
    __m512i,
    [0, -1],
    _mm512_set1_epi32,
    _mm512_loadu_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_max_epu32,
    _mm512_min_epu32,
    _mm512_reduce_max_epu32,
    _mm512_reduce_min_epu32,
    _mm512_cmpeq_epi32_mask,
    false
);
row_extreme!(
    i64,
    longs(f64, _mm512_castsi512_pd, _mm512_castpd_si512),
    i64,
    8,
    u8,
    __m512i,
    [i64::MIN, i64::MAX],
    _mm512_set1_epi64,
    _mm512_loadu_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_max_epi64,
    _mm512_min_epi64,
    _mm512_reduce_max_epi64,
    _mm512_reduce_min_epi64,
    _mm512_cmpeq_epi64_mask,
    false
);
row_extreme!(
    u64,
    longs(f64, _mm512_castsi512_pd, _mm512_castpd_si512),
    u64,
    8,
    u8,
    __m512i,
    [0, -1],
    _mm512_set1_epi64,
    _mm512_loadu_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_max_epu64,
    _mm512_min_epu64,
    _mm512_reduce_max_epu64,
    _mm512_reduce_min_epu64,
    _mm512_cmpeq_epi64_mask,
    false
);
