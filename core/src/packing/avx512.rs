//! Packing for AVX-512, which has instructions for it.
//!
//! In: flags and lanes. Out: those whose flag is set, one after another. Assumes: nothing.

use core::arch::x86_64::*;

use crate::kernel::Element;
use crate::overhang::PART;

/// Whether there is code for elements of so many bytes.
pub(super) const fn has(bytes: usize) -> bool {
    matches!(bytes, 4 | 8)
}

/// The same as `together`, of elements of which there [is](has) code.
///
/// # Safety
/// As for `together`, at the highest level, of which `L` are the lanes; elements are numbers.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn together<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    match size_of::<T>() {
        // SAFETY: the caller's promises.
        4 => unsafe { by_fours(flags, xs, to) },
        // SAFETY: as before.
        _eight => unsafe { by_eights(flags, xs, to) },
    }
}

/// The same as `few`, of elements of which there [is](has) code.
///
/// # Safety
/// As for [`together`], with room for these few lanes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn few<T: Element>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    match size_of::<T>() {
        // SAFETY: the caller's promises.
        4 => unsafe { few_fours(flags, count, xs, to) },
        // SAFETY: as before.
        _eight => unsafe { few_eights(flags, count, xs, to) },
    }
}

/// How many flags are set.
///
/// # Safety
/// The processor has what `Level::V4` names, of which `L` are the lanes.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn set<const L: usize>(flags: &[bool; L]) -> usize {
    // SAFETY: the caller's promise for the instructions; these are 64 bytes.
    let set = unsafe {
        let set = _mm512_loadu_si512(flags.as_ptr().cast());
        _mm512_test_epi8_mask(set, set)
    };
    set.count_ones() as usize
}

/// The flags of the first `count` lanes as bits.
///
/// # Safety
/// The processor has what `Level::V4` names.
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
