//! Sums of rows that lie in memory, by hand for the common types.
//!
//! In: values in a row. Out: the bits that `reduce.rs` gives, see Note [Order of combination] there.
//! Assumes: what the unsafe functions ask for. Compilers cut the tree into the shortest vectors there
//! are, and a row of a few dozen elements takes twice as long.

use crate::batches::Batch;
use crate::kernel::{Combine, Operator, Product};

/// Whether there is code for a kernel's operator at a level of `L` lanes, which `dispatch` has chosen.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    if const { !K::COMMUTATIVE || !matches!(K::OPERATOR, Operator::Add) } {
        return false;
    }
    is_known::<<K::Out as Product>::First, L>()
}

/// The sum of a row of values, up to a chunk of them; of none, any. `FAR`: they are not in the nearest
/// cache.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn row_sum<K: Combine, const FAR: bool>(
    row: &[<K::Out as Product>::First],
) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe { sum::<_, FAR>(row, &mut K::Out::firsts_mut(&mut one)[0]) };
    K::Out::get(&one, 0)
}

/// The sums of a batch's rows; of a row of none the neutral element.
///
/// # Safety
/// [`applies`] says so at this level; there are the values and room for the totals of all groups.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn group<T: 'static>(values: &[T], batch: &Batch, totals: &mut [T]) {
    // SAFETY: promised by the caller.
    unsafe { sums(values, batch, totals) }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_known<T: 'static, const L: usize>() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn sum<T, const FAR: bool>(_row: &[T], _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn sums<T>(_values: &[T], _batch: &Batch, _totals: &mut [T]) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(target_arch = "x86_64")]
use by_type::{is_known, sum, sums};

#[cfg(target_arch = "x86_64")]
mod by_type {
    use super::{Batch, x86};
    use core::any::TypeId;

    macro_rules! by_type {
        ($($number:ident => $sum:ident $group:ident $as:ident,)+) => {
            #[cfg_attr(optimised, inline(always))]
            pub(super) fn is_known<T: 'static, const L: usize>() -> bool {
                let of = TypeId::of::<T>();
                L == crate::level::MAX_LANES && (false $(|| of == TypeId::of::<$number>())+)
            }

            /// Writes the sum of a row to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what `Level::V4` names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn sum<T: 'static, const FAR: bool>(row: &[T], to: &mut T) {
                let (from, len) = (row.as_ptr(), row.len());
                $(if TypeId::of::<T>() == TypeId::of::<$number>() {
                    // SAFETY: the row, which is of this type, as `to` is; promised by the caller.
                    unsafe {
                        let sum = x86::$sum::<FAR>(from.cast(), len);
                        (&raw mut *to).cast::<$number>().write(sum as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sums of rows to `totals`.
            ///
            /// # Safety
            /// As for `sum`, and `group`.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn sums<T: 'static>(values: &[T], batch: &Batch, totals: &mut [T]) {
                let (from, to) = (values.as_ptr(), totals.as_mut_ptr());
                $(if TypeId::of::<T>() == TypeId::of::<$number>() {
                    // SAFETY: both are of this type; promised by the caller.
                    return unsafe { x86::$group(from.cast(), batch, to.cast::<$as>()) };
                })+
                unreachable!("`applies` says that there is no code");
            }
        };
    }

    by_type! {
        f64 => f64 f64s f64,
        f32 => f32 f32s f32,
        i64 => i64 i64s f64,
        u64 => i64 i64s f64,
        usize => i64 i64s f64,
        isize => i64 i64s f64,
        i32 => i32 i32s f32,
        u32 => i32 i32s f32,
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::Batch;
    use crate::kernel::LANES;
    use crate::row_groups::x86::{longs, words as groups};

    /// The sums of rows of numbers of which `$lanes` make a vector; `$neutral` fills vectors up.
    macro_rules! row_sum {
        ($name:ident, $fold:ident, $names:ident, $groups:ident($bits:ty, $to:ident, $of:ident),
         $number:ty, $lanes:literal, $mask:ty, $vector:ty, $reduce:ident,
         $splat:ident($neutral:literal), $load:ident, $load_some:ident, $add:ident, $add_some:ident) => {
            /// # Safety
            /// `len` numbers may be read from `from` on.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
            #[inline]
            pub(super) unsafe fn $name<const FAR: bool>(
                from: *const $number,
                len: usize,
            ) -> $number {
                // SAFETY: promised by the caller.
                $reduce(unsafe { $fold::<FAR>(from, len) })
            }

            /// The sums of a batch's rows.
            ///
            /// # Safety
            /// Its numbers may be read from `from` on, and there is room for the totals of all groups.
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw,bmi2")]
            #[inline]
            pub(super) unsafe fn $names(from: *const $number, batch: &Batch, totals: *mut $bits) {
                macro_rules! part {
                    ($start:expr, $len:expr) => {{
                        let some = _bzhi_u32(u32::MAX, $len as u32) as $mask;
                        $load_some($splat($neutral), some, from.wrapping_add($start))
                    }};
                }
                macro_rules! few {
                    ($start:expr, $len:expr) => {{
                        let mut all = part!($start, $len);
                        if $lanes < 16 {
                            let rest = part!($start + $lanes, ($len).saturating_sub($lanes));
                            all = $add(all, rest);
                        }
                        $to(all)
                    }};
                }
                macro_rules! fold {
                    ($start:expr, $len:expr) => {
                        $to($fold::<false>(from.add($start), $len))
                    };
                }
                macro_rules! add {
                    ($a:expr, $b:expr) => {
                        $to($add($of($a), $of($b)))
                    };
                }
                // SAFETY: promised by the caller; the mask leaves out what is behind the row.
                unsafe { $groups!(batch, totals, few, fold, add) }
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
        let four = _mm256_add_pd(low, high);
        let (low, high) = (
            _mm256_castpd256_pd128(four),
            _mm256_extractf128_pd::<1>(four),
        );
        let two = _mm_add_pd(low, high);
        _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)))
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    #[inline]
    fn words(all: __m512) -> f32 {
        let (low, high) = (
            _mm512_castps512_ps256(all),
            _mm512_extractf32x8_ps::<1>(all),
        );
        let eight = _mm256_add_ps(low, high);
        let (low, high) = (
            _mm256_castps256_ps128(eight),
            _mm256_extractf128_ps::<1>(eight),
        );
        let four = _mm_add_ps(low, high);
        let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
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
}
