//! Sums of rows that lie in memory, and of blocks of values, by hand for the common types.
//!
//! In: values in a row. Out: the bits that `reduce.rs` gives, see Note [Order of combination] there.
//! Assumes: what the unsafe functions ask for. Compilers cut the tree into the shortest vectors there
//! are, and a row of a few dozen elements takes twice as long.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use crate::batches::Batch;
use crate::kernel::{Combine, Kernel, LANES, Operator, Product};

/// Numbers of a block.
pub(crate) const BLOCK: usize = 8;

/// A block of values.
pub(crate) type Block<K> = <<K as Kernel>::Out as Product>::Lanes<BLOCK>;

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
    let adds = K::COMMUTATIVE && matches!(K::OPERATOR, Operator::Add);
    adds && L >= 32 && matches!(size_of::<<K::Out as Product>::First>(), 4 | 8)
}

/// The sum of a row of values, up to a chunk of them; of none, any. `FAR`: they are not in the nearest
/// cache.
///
/// # Safety
/// [`applies`] says so at this level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn row_sum<K: Combine, const FAR: bool, const L: usize>(
    row: &[<K::Out as Product>::First],
) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe { sum::<_, FAR, L>(row, &mut K::Out::firsts_mut(&mut one)[0]) };
    K::Out::get(&one, 0)
}

/// The sum of accumulators, and of the values of less than a round behind those that are in them.
///
/// # Safety
/// [`applies`] says so at the highest level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn sum_with<K: Combine>(
    acc: &[<K::Out as Product>::First; LANES],
    rest: &[<K::Out as Product>::First],
) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe { with(acc, rest, &mut K::Out::firsts_mut(&mut one)[0]) };
    K::Out::get(&one, 0)
}

/// The sum of two blocks, number by number.
///
/// # Safety
/// [`applies`] says so at a level below the highest.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn add_blocks<K: Combine>(a: &Block<K>, b: &Block<K>) -> Block<K> {
    let mut sums = K::Out::zero().splat::<BLOCK>();
    let (a, b) = (K::Out::firsts::<BLOCK>(a), K::Out::firsts::<BLOCK>(b));
    // SAFETY: promised by the caller.
    unsafe { add(a, b, K::Out::firsts_mut::<BLOCK>(&mut sums)) };
    sums
}

/// The first `count` of a block's values, and neutral ones behind them.
///
/// # Safety
/// [`applies`] says so at a level below the highest, and `count` is at most a block's.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn first_of_block<K: Combine>(block: &Block<K>, count: usize) -> Block<K> {
    let mut some = K::Out::zero().splat::<BLOCK>();
    let to = K::Out::firsts_mut::<BLOCK>(&mut some);
    // SAFETY: promised by the caller.
    unsafe { first(K::Out::firsts::<BLOCK>(block), count, to) };
    some
}

/// The sum of `count` values, at least one and at most two blocks, of which there are so many behind the first.
///
/// # Safety
/// [`applies`] says so at a level below the highest, and `count` is so.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn few_sum<K: Combine>(
    values: &[<K::Out as Product>::First; 2 * BLOCK],
    count: usize,
) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe { few(values, count, &mut K::Out::firsts_mut(&mut one)[0]) };
    K::Out::get(&one, 0)
}

/// The sum of a row of `longest` values at most, which are in the nearest cache: for many rows with the same bound.
///
/// # Safety
/// [`applies`] says so at the highest level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn sum_within<K: Combine>(
    row: &[<K::Out as Product>::First],
    longest: usize,
) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe { within(row, longest, &mut K::Out::firsts_mut(&mut one)[0]) };
    K::Out::get(&one, 0)
}

/// The sum of a block.
///
/// # Safety
/// [`applies`] says so at a level below the highest.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn block_sum<K: Combine>(block: &Block<K>) -> K::Out {
    let mut one = K::Out::zero().splat::<1>();
    // SAFETY: promised by the caller.
    unsafe {
        total(
            K::Out::firsts::<BLOCK>(block),
            &mut K::Out::firsts_mut(&mut one)[0],
        )
    };
    K::Out::get(&one, 0)
}

/// The sums of a batch's rows; of a row of none the neutral element.
///
/// # Safety
/// [`applies`] says so at this level; there are the values and room for the totals of all groups.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn group<T: 'static, const L: usize>(
    values: &[T],
    batch: &Batch,
    totals: &mut [T],
) {
    // SAFETY: promised by the caller.
    unsafe { sums::<T, L>(values, batch, totals) }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_known<T: 'static, const L: usize>() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn sum<T, const FAR: bool, const L: usize>(_row: &[T], _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn with<T>(_acc: &[T; LANES], _rest: &[T], _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn add<T>(_a: &[T; BLOCK], _b: &[T; BLOCK], _to: &mut [T; BLOCK]) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn first<T>(_block: &[T; BLOCK], _count: usize, _to: &mut [T; BLOCK]) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn few<T>(_values: &[T; 2 * BLOCK], _count: usize, _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn within<T>(_row: &[T], _longest: usize, _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn total<T>(_block: &[T; BLOCK], _to: &mut T) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(not(target_arch = "x86_64"))]
unsafe fn sums<T, const L: usize>(_values: &[T], _batch: &Batch, _totals: &mut [T]) {
    unreachable!("`applies` says that there is no code");
}

#[cfg(target_arch = "x86_64")]
use by_type::{add, few, first, is_known, sum, sums, total, with, within};

#[cfg(target_arch = "x86_64")]
mod by_type {
    use super::{BLOCK, Batch, LANES, avx2, avx512};
    use crate::level::MAX_LANES;
    use crate::memory::{as_long, is};

    macro_rules! by_type {
        ($($number:ident => $sum:ident $with:ident $add:ident $first:ident $few:ident $within:ident $total:ident $group:ident $as:ident,)+) => {
            #[cfg_attr(optimised, inline(always))]
            pub(super) fn is_known<T: 'static, const L: usize>() -> bool {
                L >= 32 && (false $(|| is::<T, $number>())+)
            }

            /// Writes the sum of a row to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what a level of `L` lanes names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn sum<T: 'static, const FAR: bool, const L: usize>(
                row: &[T],
                to: &mut T,
            ) {
                let (from, len) = (row.as_ptr(), row.len());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: the row, which is of this type, as `to` is; promised by the caller.
                    unsafe {
                        let sum = if const { L == MAX_LANES } {
                            avx512::$sum::<FAR>(from.cast(), len)
                        } else {
                            avx2::$sum::<FAR>(from.cast(), len)
                        };
                        (&raw mut *to).cast::<$number>().write(sum as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sum of accumulators and a rest to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what `Level::V4` names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn with<T: 'static>(acc: &[T; LANES], rest: &[T], to: &mut T) {
                let (acc, from, len) = (acc.as_ptr(), rest.as_ptr(), rest.len());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: all are of this type; promised by the caller.
                    unsafe {
                        let sum = avx512::$with(acc.cast(), from.cast(), len);
                        (&raw mut *to).cast::<$number>().write(sum as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sums of two blocks to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what `Level::V3` names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn add<T: 'static>(
                a: &[T; BLOCK],
                b: &[T; BLOCK],
                to: &mut [T; BLOCK],
            ) {
                let (a, b, to) = (a.as_ptr(), b.as_ptr(), to.as_mut_ptr());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: all are of this type; promised by the caller.
                    return unsafe { avx2::$add(a.cast(), b.cast(), to.cast()) };
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the first `count` numbers of a block, and neutral ones behind them, to `to`.
            ///
            /// # Safety
            /// The type is known, the processor has what `Level::V3` names, and there are so many.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn first<T: 'static>(
                block: &[T; BLOCK],
                count: usize,
                to: &mut [T; BLOCK],
            ) {
                let (block, to) = (block.as_ptr(), to.as_mut_ptr());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: both are of this type; promised by the caller.
                    return unsafe { avx2::$first(block.cast(), count, to.cast()) };
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sum of the first `count` values to `to`.
            ///
            /// # Safety
            /// The type is known, the processor has what `Level::V3` names, and there are so many.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn few<T: 'static>(values: &[T; 2 * BLOCK], count: usize, to: &mut T) {
                let values = values.as_ptr();
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: both are of this type; promised by the caller.
                    unsafe {
                        let total = avx2::$few(values.cast(), count);
                        (&raw mut *to).cast::<$number>().write(total as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sum of a row of `longest` at most to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what `Level::V4` names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn within<T: 'static>(row: &[T], longest: usize, to: &mut T) {
                let (from, len) = (row.as_ptr(), row.len());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: both are of this type; promised by the caller.
                    unsafe {
                        let sum = avx512::$within(from.cast(), len, longest);
                        (&raw mut *to).cast::<$number>().write(sum as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sum of a block to `to`.
            ///
            /// # Safety
            /// The type is known, and the processor has what `Level::V3` names.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn total<T: 'static>(block: &[T; BLOCK], to: &mut T) {
                let block = block.as_ptr();
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    // SAFETY: both are of this type; promised by the caller.
                    unsafe {
                        let total = avx2::$total(block.cast());
                        (&raw mut *to).cast::<$number>().write(total as $number);
                    }
                    return;
                })+
                unreachable!("`applies` says that there is no code");
            }

            /// Writes the sums of rows to `totals`.
            ///
            /// # Safety
            /// The type is known, and the processor has what a level of `L` lanes names; what `group` asks for.
            #[cfg_attr(optimised, inline(always))]
            pub(super) unsafe fn sums<T: 'static, const L: usize>(
                values: &[T],
                batch: &Batch,
                totals: &mut [T],
            ) {
                let (from, to) = (values.as_ptr(), totals.as_mut_ptr());
                $(if const { as_long::<T, $number>() } && is::<T, $number>() {
                    let (from, to) = (from.cast(), to.cast::<$as>());
                    // SAFETY: both are of this type; promised by the caller.
                    return unsafe {
                        match const { L == MAX_LANES } {
                            true => avx512::$group(from, batch, to),
                            false => avx2::$group(from, batch, to),
                        }
                    };
                })+
                unreachable!("`applies` says that there is no code");
            }
        };
    }

    by_type! {
        f64 => f64 f64_with f64_add f64_first f64_few f64_within f64_total f64s f64,
        f32 => f32 f32_with f32_add f32_first f32_few f32_within f32_total f32s f32,
        i64 => i64 i64_with i64_add i64_first i64_few i64_within i64_total i64s f64,
        u64 => i64 i64_with i64_add i64_first i64_few i64_within i64_total i64s f64,
        usize => i64 i64_with i64_add i64_first i64_few i64_within i64_total i64s f64,
        isize => i64 i64_with i64_add i64_first i64_few i64_within i64_total i64s f64,
        i32 => i32 i32_with i32_add i32_first i32_few i32_within i32_total i32s f32,
        u32 => i32 i32_with i32_add i32_first i32_few i32_within i32_total i32s f32,
    }
}
