//! The least and the greatest of rows that lie in memory, and their places, by hand for the common types.
//!
//! In: numbers in a row. Out: what rough forms give, see Note [Rough extremes] in `rough.rs` and Note
//! [First of the greatest] in `first.rs`.
//! Assumes: nothing. A row of a few vectors stays in registers, loaded under masks: compilers take
//! such loads apart, and the tree over their lanes.

use crate::batches::Batch;
use crate::kernel::{Combine, Operator, Product};

/// Whether there is code for a kernel's operator at a level of `L` lanes, which `dispatch` has chosen.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    if const { may_apply::<K, L>() } {
        is_known::<<K::Out as Product>::First, L>()
    } else {
        false
    }
}

/// Whether there may be, as far as constants tell.
pub(crate) const fn may_apply<K: Combine, const L: usize>() -> bool {
    let is_one = matches!(K::OPERATOR, Operator::Least | Operator::Greatest);
    K::COMMUTATIVE && is_one && L >= 32 && matches!(size_of::<<K::Out as Product>::First>(), 4 | 8)
}

const fn is_greatest<K: Combine>() -> bool {
    matches!(K::OPERATOR, Operator::Greatest)
}

/// The combination of the numbers of a row, any if there are none, and whether it is that. `FAR`: they are
/// not in the nearest cache.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn row_extreme<K: Combine, const FAR: bool, const L: usize>(
    kernel: &K,
    row: &[<K::Out as Product>::First],
) -> (K::Out, bool) {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    let (place, found) = unsafe {
        let value = &mut K::Out::firsts_mut(&mut one)[0];
        if const { K::FINDS } {
            if const { is_greatest::<K>() } {
                extreme::<_, L, true, true, FAR>(row, value)
            } else {
                extreme::<_, L, false, true, FAR>(row, value)
            }
        } else if const { is_greatest::<K>() } {
            extreme::<_, L, true, false, FAR>(row, value)
        } else {
            extreme::<_, L, false, false, FAR>(row, value)
        }
    };
    let total = K::Out::get(&one, 0);
    if const { K::FINDS } {
        return (kernel.found(total, place), found);
    }
    match const { K::ROUGH } {
        // No branch for rows without elements alone: they may be anywhere.
        true => (total, kernel.is_sure(total) | row.is_empty()),
        false => (total, true),
    }
}

/// The extremes of a batch's rows; of a row of none any number.
///
/// # Safety
/// [`applies`] says so at this level; there are the numbers and room for the totals of all groups.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn group<K: Combine, const L: usize>(
    values: &[<K::Out as Product>::First],
    batch: &Batch,
    totals: &mut [<K::Out as Product>::First],
) {
    // SAFETY: promised by the caller.
    unsafe { extremes::<_, L>(is_greatest::<K>(), values, batch, totals) }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_known<T: 'static, const L: usize>() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn extreme<T, const L: usize, const GREATEST: bool, const FINDS: bool, const FAR: bool>(
    _row: &[T],
    _to: &mut T,
) -> (usize, bool) {
    unreachable!("`applies` says that there is none");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn extremes<T, const L: usize, const GREATEST: bool>(
    _values: &[T],
    _batch: &Batch,
    _totals: &mut [T],
) {
    unreachable!("`applies` says that there is none");
}

/// What rows are in parts, whatever vectors there are: of numbers of which `$lanes` make one; `$more` vectors
/// stay in registers where they are short.
#[cfg(target_arch = "x86_64")]
macro_rules! by_parts {
    ($number:ty, $bits:ty, $lanes:literal, $features:literal $(, $more:literal)?) => {
        /// Numbers of which the extreme is found before it is looked for.
        const PART: usize = 1024;

        /// Vectors of a round.
        const ROUND: usize = 4;

        /// The extremes of a batch's rows. No parameter of type: this is compiled once, and not in each
        /// user's crate.
        ///
        /// # Safety
        /// Its numbers may be read from `from` on, and there is room for the totals of all groups.
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn extremes(
            greatest: bool,
            from: *const $number,
            batch: &Batch,
            totals: *mut $bits,
        ) {
            // SAFETY: promised by the caller.
            unsafe {
                match (greatest, batch.parts()) {
                    (true, 1) => in_parts::<true, 1>(from, batch, totals),
                    (true, _more) => in_parts::<true, { crate::batches::PARTS }>(from, batch, totals),
                    (false, 1) => in_parts::<false, 1>(from, batch, totals),
                    (false, _more) => {
                        in_parts::<false, { crate::batches::PARTS }>(from, batch, totals)
                    }
                }
            }
        }

        /// The extreme of `len` numbers, and the first place of it with `FINDS`; of none, any, and if
        /// none is a number, one behind them. `FAR`: they are not in the nearest cache.
        ///
        /// # Safety
        /// They may be read from `from` on; the processor has what the module's level names.
        #[cfg_attr(optimised, inline(always))]
        pub(in super::super) unsafe fn extreme<
            const GREATEST: bool,
            const FINDS: bool,
            const FAR: bool,
        >(
            from: *const $number,
            len: usize,
        ) -> ($number, usize) {
            // SAFETY: promised by the caller.
            unsafe {
                match len {
                    ..=$lanes => few::<1, GREATEST, FINDS>(from, len),
                    _ if len <= 2 * $lanes => few::<2, GREATEST, FINDS>(from, len),
                    _ if len <= 4 * $lanes => few::<4, GREATEST, FINDS>(from, len),
                    $(_ if len <= $more * $lanes => few::<$more, GREATEST, FINDS>(from, len),)?
                    _many => many::<GREATEST, FINDS, FAR>(from, len),
                }
            }
        }

        /// The same for more of them. Apart, so that loops over short rows are without calls.
        ///
        /// # Safety
        /// As for `extreme`.
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn many<const GREATEST: bool, const FINDS: bool, const FAR: bool>(
            from: *const $number,
            len: usize,
        ) -> ($number, usize) {
            let of = |at: usize| {
                // SAFETY: parts of the row, of which `at` is before the end.
                unsafe { of_part::<GREATEST, FAR>(from.add(at), (len - at).min(PART)) }
            };
            let (mut value, mut part, mut at) = (of(0), 0, PART);
            while at < len {
                let here = of(at);
                if (if GREATEST { here > value } else { here < value }) {
                    (value, part) = (here, at);
                }
                at += PART;
            }
            if !FINDS {
                return (value, 0);
            }
            // SAFETY: the rest of the row.
            let behind = unsafe { place(from.add(part), len - part, value) };
            (value, part + behind)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "x86_64")]
use by_type::{extreme, extremes, is_known};

#[cfg(target_arch = "x86_64")]
mod by_type {
    use super::{Batch, avx2, x86};
    use crate::level::MAX_LANES;
    use crate::memory::{as_long, is};

    macro_rules! by_type {
        ($($number:ident => $module:ident,)+; AVX2: $($own:ident)+) => {
            #[cfg_attr(optimised, inline(always))]
            pub(super) fn is_known<T: 'static, const L: usize>() -> bool {
                match const { L } {
                    MAX_LANES => false $(|| is::<T, $number>())+,
                    32 => false $(|| is::<T, $own>())+,
                    _ => false,
                }
            }

            /// Writes the extreme of a row to `to`; with `FINDS` its place, and whether it is that.
            ///
            /// # Safety
            /// The type is known at this level, and the processor has what it names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn extreme<
                T: 'static,
                const L: usize,
                const GREATEST: bool,
                const FINDS: bool,
                const FAR: bool,
            >(
                row: &[T],
                to: &mut T,
            ) -> (usize, bool) {
                let (from, len) = (row.as_ptr(), row.len());
                $(if const { L < MAX_LANES && as_long::<T, $own>() } && is::<T, $own>() {
                    let from = from.cast();
                    // SAFETY: the row, which is of this type; promised by the caller.
                    let found = unsafe { avx2::$own::extreme::<GREATEST, FINDS, FAR>(from, len) };
                    let (value, place) = found;
                    let found = !FINDS || x86::$own::is_found(value, place, len);
                    // SAFETY: it is of this type.
                    unsafe { (&raw mut *to).cast::<$own>().write(value) };
                    return (place, found);
                })+
                $(if const { L == MAX_LANES && as_long::<T, $number>() } && is::<T, $number>() {
                    let from = from.cast();
                    // SAFETY: the row, which is of this type; promised by the caller.
                    let found = unsafe { x86::$module::extreme::<GREATEST, FINDS, FAR>(from, len) };
                    let (value, place) = found;
                    let found = !FINDS || x86::$module::is_found(value, place, len);
                    // SAFETY: it is of this type.
                    unsafe { (&raw mut *to).cast::<$number>().write(value as $number) };
                    return (place, found);
                })+
                unreachable!("`applies` says that there is none");
            }

            /// Writes the extremes of rows to `totals`.
            ///
            /// # Safety
            /// As for `group`.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn extremes<T: 'static, const L: usize>(
                greatest: bool,
                values: &[T],
                batch: &Batch,
                totals: &mut [T],
            ) {
                let (from, to) = (values.as_ptr(), totals.as_mut_ptr());
                $(if const { L < MAX_LANES && as_long::<T, $own>() } && is::<T, $own>() {
                    let (from, to) = (from.cast(), to.cast());
                    // SAFETY: both are of this type; promised by the caller.
                    return unsafe { avx2::$own::extremes(greatest, from, batch, to) };
                })+
                $(if const { L == MAX_LANES && as_long::<T, $number>() } && is::<T, $number>() {
                    let (from, to) = (from.cast(), to.cast());
                    // SAFETY: both are of this type; promised by the caller.
                    return unsafe { x86::$module::extremes(greatest, from, batch, to) };
                })+
                unreachable!("`applies` says that there is none");
            }
        };
    }

    by_type! {
        f32 => f32,
        f64 => f64,
        i32 => i32,
        u32 => u32,
        i64 => i64,
        isize => i64,
        u64 => u64,
        usize => u64,
        ; AVX2: f32 f64 i32 u32
    }
}
