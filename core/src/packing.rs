//! Products with a flag in front, of which the lanes whose flag is set are brought together.
//!
//! In: blocks of lanes. Out: the other components of such lanes, one after another.
//! Assumes: nothing.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::kernel::{Element, Product};
#[cfg(target_arch = "x86_64")]
use crate::level::{MAX_LANES, has_lanes};
#[cfg(target_arch = "x86_64")]
use crate::memory::is_numbers;

/// A product with a flag in front: whether the other components are kept.
pub trait Kept: Product {
    /// The other components.
    type Values: Product;
    /// How many lanes are kept.
    #[doc(hidden)]
    fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize;
    /// Writes the lanes that are kept to `stage`, from `at` on, and anything behind them; gives how
    /// many they are.
    ///
    /// # Panics
    /// When `stage` has no room for all lanes.
    #[doc(hidden)]
    fn pack<const L: usize, const W: usize>(
        lanes: &Self::Lanes<L>,
        stage: &mut <Self::Values as Product>::Lanes<W>,
        at: usize,
    ) -> usize;
}

macro_rules! kept {
    ($($T:ident $i:tt $j:tt),+) => {
        impl<$($T: Element),+> Kept for (bool, $($T,)+) {
            type Values = ($($T,)+);

            #[inline(always)]
            fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize {
                let mut count = 0;
                for l in 0..L {
                    count += usize::from(lanes.0[l]);
                }
                count
            }

            #[inline(always)]
            fn pack<const L: usize, const W: usize>(
                lanes: &Self::Lanes<L>,
                stage: &mut <Self::Values as Product>::Lanes<W>,
                at: usize,
            ) -> usize {
                $(together(&lanes.0, &lanes.$j, &mut stage.$i[at..at + L]);)+
                Self::count(lanes)
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

/// Writes the lanes whose flag is set to the start of `to`, which has room for all.
#[inline(always)]
fn together<T: Element, const L: usize>(flags: &[bool; L], xs: &[T; L], to: &mut [T]) {
    assert!(to.len() >= L);
    #[cfg(target_arch = "x86_64")]
    if L == MAX_LANES && has_lanes::<L>() && is_numbers::<T>() {
        match size_of::<T>() {
            // SAFETY: `has_lanes` says that the processor has what the highest level names.
            4 => return unsafe { by_fours(flags, xs, to) },
            // SAFETY: as before.
            8 => return unsafe { by_eights(flags, xs, to) },
            _others => {}
        }
    }
    let mut count = 0;
    for l in 0..L {
        // SAFETY: `count <= l < L <= to.len()`.
        unsafe { *to.get_unchecked_mut(count) = xs[l] };
        count += usize::from(flags[l]);
    }
}

/// [`together`], of elements of four bytes.
///
/// # Safety
/// The processor has what `Level::V4` names; `to` has room for `L` elements, `L` a multiple of 16.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn by_fours<T: Element, const L: usize>(flags: &[bool; L], xs: &[T; L], to: &mut [T]) {
    let mut count = 0;
    let mut l = 0;
    while l < L {
        // SAFETY: the caller's promise for the instructions; `l + 16 <= L`, and `count <= l`.
        unsafe {
            let set = _mm_loadu_si128(flags.as_ptr().add(l).cast());
            let set = _mm_test_epi8_mask(set, set);
            let x = _mm512_loadu_si512(xs.as_ptr().add(l).cast());
            let x = _mm512_maskz_compress_epi32(set, x);
            _mm512_storeu_si512(to.as_mut_ptr().add(count).cast(), x);
            count += set.count_ones() as usize;
        }
        l += 16;
    }
}

/// [`together`], of elements of eight bytes.
///
/// # Safety
/// As for [`by_fours`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn by_eights<T: Element, const L: usize>(flags: &[bool; L], xs: &[T; L], to: &mut [T]) {
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
                _mm512_storeu_si512(to.as_mut_ptr().add(count).cast(), x);
                count += set.count_ones() as usize;
            }
        }
        l += 16;
    }
}
