//! Products with a flag in front, of which the lanes whose flag is set are brought together.
//!
//! In: blocks of lanes. Out: the other components of such lanes, one after another.
//! Assumes: nothing.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::kernel::{Element, Product};
#[cfg(target_arch = "x86_64")]
use crate::level::MAX_LANES;
#[cfg(target_arch = "x86_64")]
use crate::memory::is_numbers;
use crate::overhang::PART;

/// A product with a flag in front: whether the other components are kept.
pub trait Kept: Product {
    /// The other components.
    type Values: Product;
    /// How many lanes are kept.
    #[doc(hidden)]
    fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize;
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
            fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize {
                set(&lanes.0)
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

/// How many flags are set. Eight at a time, by one product: of the sum over all LLVM makes shuffles.
#[cfg_attr(optimised, inline(always))]
fn set<const L: usize>(flags: &[bool; L]) -> usize {
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
unsafe fn together<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES } && is_numbers::<T>() {
        match size_of::<T>() {
            // SAFETY: the caller's promises.
            4 => return unsafe { by_fours(flags, xs, to) },
            // SAFETY: as before.
            8 => return unsafe { by_eights(flags, xs, to) },
            _others => {}
        }
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
unsafe fn few<T: Element, const L: usize>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES } && is_numbers::<T>() {
        match size_of::<T>() {
            // SAFETY: the caller's promises.
            4 => return unsafe { few_fours(flags, count, xs, to) },
            // SAFETY: as before.
            8 => return unsafe { few_eights(flags, count, xs, to) },
            _others => {}
        }
    }
    let mut kept = 0;
    for l in 0..count.min(PART) {
        // SAFETY: `kept <= l < PART`.
        unsafe { to.add(kept).write(xs[l]) };
        kept += usize::from(flags[l]);
    }
    kept
}

/// The flags of the first `count` lanes as bits.
///
/// # Safety
/// The processor has what `Level::V4` names.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn first_set(flags: &[bool; PART], count: usize) -> u16 {
    const { assert!(PART == 16) };
    // SAFETY: the caller's promise for the instructions; these are 16 bytes.
    let set = unsafe {
        let set = _mm_loadu_si128(flags.as_ptr().cast());
        _mm_test_epi8_mask(set, set)
    };
    set & ((1_u32 << count.min(PART)) - 1) as u16
}

/// [`few`], of elements of four bytes.
///
/// # Safety
/// As for [`together`]; the processor has what `Level::V4` names.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn few_fours<T: Element>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    // SAFETY: the caller's promises; 16 elements of four bytes are a vector.
    unsafe {
        let set = first_set(flags, count);
        let x = _mm512_maskz_compress_epi32(set, _mm512_loadu_si512(xs.as_ptr().cast()));
        _mm512_storeu_si512(to.cast(), x);
        set.count_ones() as usize
    }
}

/// [`few`], of elements of eight bytes.
///
/// # Safety
/// As for [`few_fours`].
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn few_eights<T: Element>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    // SAFETY: the caller's promises; 16 elements of eight bytes are two vectors, of which the second
    // begins behind at most eight.
    unsafe {
        let set = first_set(flags, count);
        let (low, high) = (set as u8, (set >> 8) as u8);
        let x = _mm512_maskz_compress_epi64(low, _mm512_loadu_si512(xs.as_ptr().cast()));
        _mm512_storeu_si512(to.cast(), x);
        let x = _mm512_loadu_si512(xs.as_ptr().add(8).cast());
        let x = _mm512_maskz_compress_epi64(high, x);
        _mm512_storeu_si512(to.add(low.count_ones() as usize).cast(), x);
        set.count_ones() as usize
    }
}

/// [`together`], of elements of four bytes.
///
/// # Safety
/// As for [`together`], at the highest level, of which `L` are the lanes.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn by_fours<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    let mut count = 0;
    let mut l = 0;
    while l < L {
        // SAFETY: the caller's promise for the instructions; `l + 16 <= L`, and `count <= l`.
        unsafe {
            let set = _mm_loadu_si128(flags.as_ptr().add(l).cast());
            let set = _mm_test_epi8_mask(set, set);
            let x = _mm512_loadu_si512(xs.as_ptr().add(l).cast());
            let x = _mm512_maskz_compress_epi32(set, x);
            _mm512_storeu_si512(to.add(count).cast(), x);
            count += set.count_ones() as usize;
        }
        l += 16;
    }
    count
}

/// [`together`], of elements of eight bytes.
///
/// # Safety
/// As for [`by_fours`].
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn by_eights<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    let mut count = 0;
    let mut l = 0;
    while l < L {
        // SAFETY: as in `by_fours`.
        unsafe {
            let set = _mm_loadu_si128(flags.as_ptr().add(l).cast());
            let set = _mm_test_epi8_mask(set, set);
            for half in 0..2 {
                let set = (set >> (8 * half)) as u8;
                let x = _mm512_loadu_si512(xs.as_ptr().add(l + 8 * half).cast());
                let x = _mm512_maskz_compress_epi64(set, x);
                _mm512_storeu_si512(to.add(count).cast(), x);
                count += set.count_ones() as usize;
            }
        }
        l += 16;
    }
    count
}
