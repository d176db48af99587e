//! Arrays of lanes as values of vector type.
//!
//! In: arrays of a few numbers. Out: copies.
//! Assumes: nothing. LLVM takes loops over few lanes apart before it looks for vectors, and then finds
//! small ones that fit what is done last, with shuffles between. A copy by vectors says which lanes
//! belong together. It costs nothing: no instruction is left of it.

#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

use crate::kernel::Element;

/// `N` of the elements, from the `first` on, as one value.
///
/// # Panics
/// When there are fewer.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn whole<T: Element, const N: usize>(xs: &[T], first: usize) -> [T; N] {
    let Some((xs, _)) = xs[first..].split_first_chunk::<N>() else {
        panic!("no {N} lanes from {first} on; please report this");
    };
    #[cfg(target_arch = "x86_64")]
    if crate::memory::is_numbers::<T>() {
        let mut lanes = MaybeUninit::<[T; N]>::uninit();
        // SAFETY: both are `N` numbers, without padding, all of which are written.
        return unsafe {
            copy(
                xs.as_ptr().cast(),
                lanes.as_mut_ptr().cast(),
                size_of::<[T; N]>(),
            );
            lanes.assume_init()
        };
    }
    *xs
}

/// Writes all of the elements to those from the `first` on, as one value.
///
/// # Panics
/// When there are fewer.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn put<T: Element, const N: usize>(xs: &[T; N], to: &mut [T], first: usize) {
    let Some(to) = to[first..].first_chunk_mut::<N>() else {
        panic!("no {N} lanes from {first} on; please report this");
    };
    #[cfg(target_arch = "x86_64")]
    if crate::memory::is_numbers::<T>() {
        // SAFETY: both are `N` numbers, without padding, and `to` is borrowed alone.
        return unsafe {
            copy(
                xs.as_ptr().cast(),
                to.as_mut_ptr().cast(),
                size_of::<[T; N]>(),
            );
        };
    }
    *to = *xs;
}

/// Copies so many bytes, a number that rustc knows, by vectors of 64 bytes, the rest by smaller ones.
///
/// # Safety
/// `from` may be read and `to` be written so far, and they do not overlap; all that is read is
/// initialised.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    use core::arch::x86_64::{__m128i, __m256i, __m512i};
    let mut at = 0;
    macro_rules! by {
        ($($vector:ty)*) => { $(
            while bytes - at >= size_of::<$vector>() {
                // SAFETY: the vector lies in what the caller has promised.
                unsafe {
                    let vector: $vector = from.add(at).cast::<$vector>().read_unaligned();
                    to.add(at).cast::<$vector>().write_unaligned(vector);
                }
                at += size_of::<$vector>();
            }
        )* };
    }
    by!(__m512i __m256i __m128i u64 u32 u16 u8);
}
