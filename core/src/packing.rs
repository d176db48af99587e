//! Products with a flag in front, of which the lanes whose flag is set are brought together.
//!
//! In: blocks of lanes. Out: the other components of such lanes, one after another.
//! Assumes: nothing.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use crate::kernel::{Element, Product};
#[cfg(target_arch = "x86_64")]
use crate::level::MAX_LANES;
use crate::masks;
#[cfg(target_arch = "x86_64")]
use crate::memory::is_numbers;
use crate::overhang::PART;

/// A product with a flag in front: whether the other components are kept.
pub trait Kept: Product {
    /// The other components.
    type Values: Product;
    /// How many lanes are kept.
    ///
    /// # Safety
    /// The processor has what a level of `L` lanes names.
    #[doc(hidden)]
    unsafe fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize;
    /// Writes the lanes that are kept from `at` on, and anything behind them; gives how many they are.
    ///
    /// # Safety
    /// There is room for all lanes, which no other thread accesses meanwhile; the processor has what a
    /// level of `L` lanes names.
    #[doc(hidden)]
    unsafe fn pack<const L: usize>(
        lanes: &Self::Lanes<L>,
        bases: <Self::Values as Product>::Bases,
        at: usize,
    ) -> usize;
    /// As `pack`, of the first `count` of a few lanes.
    ///
    /// # Safety
    /// As for `pack`; the processor has what a level of `L` lanes names.
    #[doc(hidden)]
    unsafe fn pack_few<const L: usize>(
        lanes: &Self::Lanes<PART>,
        count: usize,
        bases: <Self::Values as Product>::Bases,
        at: usize,
    ) -> usize;
}

macro_rules! kept {
    ($($T:ident $i:tt $j:tt),+) => {
        impl<$($T: Element),+> Kept for (bool, $($T,)+) {
            type Values = ($($T,)+);

            #[cfg_attr(optimised, inline(always))]
            unsafe fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize {
                // SAFETY: promised by the caller.
                unsafe { set(&lanes.0) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn pack<const L: usize>(
                lanes: &Self::Lanes<L>,
                bases: <Self::Values as Product>::Bases,
                at: usize,
            ) -> usize {
                // SAFETY: promised by the caller.
                unsafe { [$(together(&lanes.0, &lanes.$j, bases.$i.add(at))),+][0] }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn pack_few<const L: usize>(
                lanes: &Self::Lanes<PART>,
                count: usize,
                bases: <Self::Values as Product>::Bases,
                at: usize,
            ) -> usize {
                // SAFETY: promised by the caller.
                unsafe { [$(few::<_, L>(&lanes.0, count, &lanes.$j, bases.$i.add(at))),+][0] }
            }
        }
    };
}

kept!(A 0 1);
kept!(A 0 1, B 1 2);
kept!(A 0 1, B 1 2, C 2 3);
kept!(A 0 1, B 1 2, C 2 3, D 3 4);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6, G 6 7);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6, G 6 7, H 7 8);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6, G 6 7, H 7 8, I 8 9);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6, G 6 7, H 7 8, I 8 9, J 9 10);
kept!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6, G 6 7, H 7 8, I 8 9, J 9 10, K 10 11);

/// How many flags are set: bits of a word from AVX2 on. Elsewhere eight at a time, by one product: of the
/// sum over all LLVM makes shuffles.
///
/// # Safety
/// The processor has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn set<const L: usize>(flags: &[bool; L]) -> usize {
    if const { L == 32 } {
        let mut count = 0;
        for flags in flags.as_chunks::<32>().0 {
            // SAFETY: promised by the caller.
            count += unsafe { masks::word(flags) }.count_ones() as usize;
        }
        return count;
    }
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES } {
        // SAFETY: promised by the caller.
        return unsafe { avx512::set(flags) };
    }
    let (eights, rest) = flags.as_chunks::<8>();
    let mut count = 0;
    for flags in eights {
        let flags = u64::from_ne_bytes(flags.map(u8::from));
        count += (flags.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
    }
    for flag in rest {
        count += usize::from(*flag);
    }
    count
}

/// Writes the lanes whose flag is set from `to` on; gives how many.
///
/// # Safety
/// There is room for all lanes, which no other thread accesses meanwhile; the processor has what a level
/// of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn together<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES && avx512::has(size_of::<T>()) } && is_numbers::<T>() {
        // SAFETY: the caller's promises.
        return unsafe { avx512::together(flags, xs, to) };
    }
    #[cfg(target_arch = "x86_64")]
    if const { L >= 32 && avx2::has(size_of::<T>()) } && is_numbers::<T>() {
        // SAFETY: as before; a level of more lanes has all that this one has.
        return unsafe { avx2::together(flags, xs, to) };
    }
    let mut count = 0;
    for l in 0..L {
        // SAFETY: `count <= l < L`.
        unsafe { to.add(count).write(xs[l]) };
        count += usize::from(flags[l]);
    }
    count
}

/// As [`together`], of the first `count` of a few lanes.
///
/// # Safety
/// As for [`together`], with room for these few lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn few<T: Element, const L: usize>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES && avx512::has(size_of::<T>()) } && is_numbers::<T>() {
        // SAFETY: the caller's promises.
        return unsafe { avx512::few(flags, count, xs, to) };
    }
    #[cfg(target_arch = "x86_64")]
    if const { L >= 32 && avx2::has(size_of::<T>()) } && is_numbers::<T>() {
        // SAFETY: as before; a level of more lanes has all that this one has.
        return unsafe { avx2::few(flags, count, xs, to) };
    }
    let mut kept = 0;
    for l in 0..count.min(PART) {
        // SAFETY: `kept <= l < PART`.
        unsafe { to.add(kept).write(xs[l]) };
        kept += usize::from(flags[l]);
    }
    kept
}
