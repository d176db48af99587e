//! Sums of rows for AVX-512: what does not fill a vector is loaded under a mask.
//!
//! In: numbers in a row, or in those of a batch. Out: their sums. Assumes: what the unsafe functions ask for.

use core::arch::x86_64::*;

use super::avx2;
use crate::batches::{self, Batch};
use crate::kernel::LANES;
use crate::row_groups::avx512::{longs, words as groups};

/// The sums of rows of numbers of which `$lanes` make a vector; `$neutral` fills vectors up.
macro_rules! row_sum {
    ($name:ident, $fold:ident, $within:ident, $with:ident, $finish:ident, $names:ident, $groups:ident($bits:ty, $to:ident, $of:ident),
     $number:ty, $lanes:literal, $mask:ty, $vector:ty, $reduce:ident,
     $splat:ident($neutral:literal), $load:ident, $load_some:ident, $add:ident, $add_some:ident) => {
        /// # Safety
        /// `len` numbers may be read from `from` on.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        #[inline]
        pub(super) unsafe fn $name<const FAR: bool>(from: *const $number, len: usize) -> $number {
            // SAFETY: promised by the caller.
            $reduce(unsafe { $fold::<FAR>(from, len) })
        }

        /// The sum of a row of `longest` numbers at most. What depends on that alone takes the same branches for all
        /// rows that it is the same for.
        ///
        /// # Safety
        /// As for the sum.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        #[inline]
        pub(super) unsafe fn $within(from: *const $number, len: usize, longest: usize) -> $number {
            macro_rules! part {
                ($at:literal) => {{
                    let some =
                        _bzhi_u64(u64::MAX, len.saturating_sub($at * $lanes) as u32) as $mask;
                    $load_some($splat($neutral), some, from.wrapping_add($at * $lanes))
                }};
            }
            // SAFETY: promised by the caller; the masks leave out what is behind the row.
            $reduce(unsafe {
                // All accumulators of further vectors are neutral.
                match longest.div_ceil($lanes) {
                    ..=1 => part!(0),
                    2 => $add(part!(0), part!(1)),
                    3 | 4 => $add($add(part!(0), part!(2)), $add(part!(1), part!(3))),
                    _more if longest <= LANES => {
                        $finish([$splat($neutral); LANES / $lanes], from, len)
                    }
                    _more => $fold::<false>(from, len),
                }
            })
        }

        /// The sums of a batch's rows. No parameter of type: this is compiled once, and not in each user's crate.
        ///
        /// # Safety
        /// Its numbers may be read from `from` on, and there is room for the totals of all groups.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        pub(super) unsafe fn $names(from: *const $number, batch: &Batch, totals: *mut $bits) {
            /// Where no loop is needed for `PARTS` parts of each, or half of one.
            ///
            /// # Safety
            /// As there.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
            unsafe fn in_parts<const PARTS: usize>(
                from: *const $number,
                batch: &Batch,
                totals: *mut $bits,
            ) {
                macro_rules! part {
                    ($start:expr, $len:expr) => {{
                        let some = _bzhi_u32(u32::MAX, $len as u32) as $mask;
                        $load_some($splat($neutral), some, from.wrapping_add($start))
                    }};
                }
                macro_rules! few {
                    ($start:expr, $len:expr) => {{
                        let mut parts = [part!($start, $len); batches::PARTS * 16 / $lanes];
                        for at in 1..PARTS * 16 / $lanes {
                            let before = at * $lanes;
                            parts[at] = part!($start + before, ($len).saturating_sub(before));
                        }
                        let mut half = PARTS * 8 / $lanes;
                        while half > 0 {
                            for at in 0..half {
                                parts[at] = $add(parts[at], parts[at + half]);
                            }
                            half /= 2;
                        }
                        $to(parts[0])
                    }};
                }
                macro_rules! many {
                    ($start:expr, $len:expr) => {
                        $name::<false>(from.add($start), $len)
                    };
                }
                macro_rules! add {
                    ($a:expr, $b:expr) => {
                        $to($add($of($a), $of($b)))
                    };
                }
                // SAFETY: promised by the caller; the mask leaves out what is behind the row.
                unsafe { $groups!(batch, totals, few, many, add) }
            }
            // SAFETY: promised by the caller.
            unsafe {
                // Half a part is a vector of numbers of eight bytes.
                if $lanes < batches::FEW && batch.longest() <= $lanes {
                    return in_parts::<0>(from, batch, totals);
                }
                crate::row_groups::by_parts!(in_parts, from, batch, totals)
            }
        }

        /// The accumulators of one vector.
        ///
        /// # Safety
        /// As for the sum.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        #[inline]
        unsafe fn $fold<const FAR: bool>(mut from: *const $number, mut len: usize) -> $vector {
            const PARTS: usize = LANES / $lanes;
            let neutral = $splat($neutral);
            if len <= $lanes {
                let some = _bzhi_u64(u64::MAX, len as u32) as $mask;
                // SAFETY: promised by the caller.
                return unsafe { $load_some(neutral, some, from) };
            }
            let mut parts: [$vector; PARTS] = [neutral; PARTS];
            while len > LANES {
                for (at, part) in parts.iter_mut().enumerate() {
                    if FAR {
                        let ahead = from.wrapping_byte_add(1024 + 64 * at);
                        _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                    }
                    // SAFETY: there are more than a round of them.
                    *part = $add(*part, unsafe { $load(from.add(at * $lanes)) });
                }
                // SAFETY: as above.
                from = unsafe { from.add(LANES) };
                len -= LANES;
            }
            // SAFETY: the numbers that are left.
            unsafe { $finish(parts, from, len) }
        }

        /// The sum of accumulators, and of less than a round of numbers behind those in them.
        ///
        /// # Safety
        /// `LANES` accumulators may be read, and `len` numbers from `from` on.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        #[inline]
        pub(super) unsafe fn $with(
            acc: *const $number,
            from: *const $number,
            len: usize,
        ) -> $number {
            // SAFETY: promised by the caller.
            unsafe {
                let parts = core::array::from_fn(|at| $load(acc.add(at * $lanes)));
                $reduce($finish(parts, from, len))
            }
        }

        /// The accumulators of one vector, from all of a round and the numbers behind these.
        ///
        /// # Safety
        /// As for the sum.
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
        #[inline]
        unsafe fn $finish(
            mut parts: [$vector; LANES / $lanes],
            from: *const $number,
            len: usize,
        ) -> $vector {
            const PARTS: usize = LANES / $lanes;
            let neutral = $splat($neutral);
            let all = _bzhi_u64(u64::MAX, len as u32);
            for (at, part) in parts.iter_mut().enumerate() {
                let some = (all >> (at * $lanes)) as $mask;
                // SAFETY: only numbers that are there are read.
                let last = unsafe { $load_some(neutral, some, from.wrapping_add(at * $lanes)) };
                *part = $add_some(*part, some, *part, last);
            }
            let mut half = PARTS / 2;
            while half > 0 {
                for at in 0..half {
                    parts[at] = $add(parts[at], parts[at + half]);
                }
                half /= 2;
            }
            parts[0]
        }
    };
}

/// A vector of floats as such.
#[inline(always)]
fn as_is<V>(vector: V) -> V {
    vector
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
#[inline]
fn pairs(all: __m512d) -> f64 {
    let (low, high) = (
        _mm512_castpd512_pd256(all),
        _mm512_extractf64x4_pd::<1>(all),
    );
    avx2::pairs(_mm256_add_pd(low, high))
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
#[inline]
fn words(all: __m512) -> f32 {
    let (low, high) = (
        _mm512_castps512_ps256(all),
        _mm512_extractf32x8_ps::<1>(all),
    );
    avx2::words(_mm256_add_ps(low, high))
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
#[inline]
fn long(all: __m512i) -> i64 {
    _mm512_reduce_add_epi64(all)
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
#[inline]
fn short(all: __m512i) -> i32 {
    _mm512_reduce_add_epi32(all)
}

row_sum!(
    f64,
    fold_f64,
    f64_within,
    f64_with,
    finish_f64,
    f64s,
    longs(f64, as_is, as_is),
    f64,
    8,
    u8,
    __m512d,
    pairs,
    _mm512_set1_pd(-0.0),
    _mm512_loadu_pd,
    _mm512_mask_loadu_pd,
    _mm512_add_pd,
    _mm512_mask_add_pd
);
row_sum!(
    f32,
    fold_f32,
    f32_within,
    f32_with,
    finish_f32,
    f32s,
    groups(f32, as_is, as_is),
    f32,
    16,
    u16,
    __m512,
    words,
    _mm512_set1_ps(-0.0),
    _mm512_loadu_ps,
    _mm512_mask_loadu_ps,
    _mm512_add_ps,
    _mm512_mask_add_ps
);
row_sum!(
    i64,
    fold_i64,
    i64_within,
    i64_with,
    finish_i64,
    i64s,
    longs(f64, _mm512_castsi512_pd, _mm512_castpd_si512),
    i64,
    8,
    u8,
    __m512i,
    long,
    _mm512_set1_epi64(0),
    _mm512_loadu_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_add_epi64,
    _mm512_mask_add_epi64
);
row_sum!(
    i32,
    fold_i32,
    i32_within,
    i32_with,
    finish_i32,
    i32s,
    groups(f32, _mm512_castsi512_ps, _mm512_castps_si512),
    i32,
    16,
    u16,
    __m512i,
    short,
    _mm512_set1_epi32(0),
    _mm512_loadu_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_add_epi32,
    _mm512_mask_add_epi32
);
