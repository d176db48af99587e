//! Elements anywhere in an array, for a few lanes at once.
//!
//! In: an array that is not empty, and indices. Out: the elements there, or the last one of those that
//! are out of range. Assumes: nothing but the level that callers name.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

use crate::kernel::Element;
use crate::lanes::NonEmpty;
#[cfg(target_arch = "x86_64")]
use crate::level::MAX_LANES;
#[cfg(target_arch = "x86_64")]
use crate::memory::is_numbers;

/// The elements at the first `count` of these indices, and any others behind them.
///
/// # Safety
/// The processor has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn first<T: Element, const B: usize, const L: usize>(
    xs: &NonEmpty<'_, T>,
    at: &[usize; B],
    count: usize,
) -> [T; B] {
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES && B == 16 && matches!(size_of::<T>(), 4 | 8) } && is_numbers::<T>() {
        // SAFETY: the caller names the highest level; the size of an element, the number of lanes and
        // that these are numbers have been asked for.
        return unsafe { by_eights(xs.slice(), at, count) };
    }
    let mut lanes = [T::default(); B];
    for l in 0..count.min(B) {
        lanes[l] = xs.get(at[l]);
    }
    lanes
}

/// [`first`], eight at a time; elements behind the first `count` are zero.
///
/// # Safety
/// The processor has what `Level::V4` names; an element is a number of four or eight bytes, and the
/// array not empty; there are 16 lanes.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn by_eights<T: Element, const B: usize>(xs: &[T], at: &[usize; B], count: usize) -> [T; B] {
    let wanted = (1_u32 << count.min(16)) - 1;
    let mut lanes = MaybeUninit::<[T; B]>::uninit();
    let to = lanes.as_mut_ptr().cast::<T>();
    for half in 0..2 {
        let (l, wanted) = (8 * half, (wanted >> (8 * half)) as u8);
        // SAFETY: the caller's promises; `l + 8 <= B`; no index is above that of the last element, which
        // there is; as many elements of these sizes are a vector, or half of one.
        unsafe {
            let last = _mm512_set1_epi64((xs.len() - 1) as i64);
            let index = _mm512_loadu_si512(at.as_ptr().add(l).cast());
            let index = _mm512_min_epu64(index, last);
            let (from, to) = (xs.as_ptr().cast::<u8>(), to.add(l));
            match size_of::<T>() {
                4 => {
                    let zero = _mm256_setzero_si256();
                    let x = _mm512_mask_i64gather_epi32::<4>(zero, wanted, index, from.cast());
                    _mm256_storeu_si256(to.cast(), x);
                }
                _eight => {
                    let zero = _mm512_setzero_si512();
                    let x = _mm512_mask_i64gather_epi64::<8>(zero, wanted, index, from.cast());
                    _mm512_storeu_si512(to.cast(), x);
                }
            }
        }
    }
    // SAFETY: all lanes have been written.
    unsafe { lanes.assume_init() }
}
