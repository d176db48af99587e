//! Packing for AVX2: eight lanes at a time are shuffled to where a table says.
//!
//! In: flags and lanes. Out: those whose flag is set, one after another. Assumes: nothing.

use core::arch::x86_64::*;

use crate::kernel::Element;
use crate::masks::word;
use crate::overhang::PART;

/// For each eight flags as bits the lanes that are set, from the lowest on, a byte each; any behind them.
static SET: [u64; 256] = {
    let mut table = [0; 256];
    let mut flags = 0;
    while flags < 256 {
        table[flags] = lanes_of(flags, 8);
        flags += 1;
    }
    table
};

/// The same of four flags, for lanes of two parts: the parts of those that are set.
static HALVES: [u64; 16] = {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let lanes = lanes_of(flags, 4);
        let mut place = 0;
        while place < 4 {
            let lane = lanes >> (8 * place) & 0xff;
            table[flags] |= (2 * lane + ((2 * lane + 1) << 8)) << (16 * place);
            place += 1;
        }
        flags += 1;
    }
    table
};

/// Which of so many flags are set, a byte each.
const fn lanes_of(flags: usize, count: u64) -> u64 {
    let (mut lanes, mut place) = (0, 0);
    let mut lane = 0;
    while lane < count {
        if flags >> lane & 1 != 0 {
            lanes |= lane << (8 * place);
            place += 1;
        }
        lane += 1;
    }
    lanes
}

/// Whether there is code for elements of so many bytes.
pub(super) const fn has(bytes: usize) -> bool {
    matches!(bytes, 1 | 2 | 4 | 8)
}

/// The same as `together`, of elements of which there [is](has) code: 32 or 64.
///
/// # Safety
/// As for `together`; elements are numbers, and the processor has what `Level::V3` names.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn together<T: Element, const L: usize>(
    flags: &[bool; L],
    xs: &[T; L],
    to: *mut T,
) -> usize {
    let mut count = 0;
    for (flags, xs) in flags.as_chunks::<32>().0.iter().zip(xs.as_chunks().0) {
        // SAFETY: promised by the caller.
        let set = unsafe { word::<32>(flags) };
        // Where few are kept, most often none of these is.
        if set != 0 {
            // SAFETY: the caller's promises; not more than these lanes have been kept before them.
            count += unsafe { packed::<T, 32>(set, xs, to.add(count)) };
        }
    }
    count
}

/// The same as `few`, of elements of which there [is](has) code.
///
/// # Safety
/// As for `few`; elements are numbers, and the processor has what `Level::V3` names.
#[cfg_attr(optimised, inline(always))]
pub(super) unsafe fn few<T: Element>(
    flags: &[bool; PART],
    count: usize,
    xs: &[T; PART],
    to: *mut T,
) -> usize {
    let first = (1 << count.min(PART)) - 1;
    // SAFETY: the caller's promises.
    unsafe { packed::<T, PART>(word::<PART>(flags) & first, xs, to) }
}

/// Writes the lanes whose bit is set from `to` on, and anything behind them; gives how many.
///
/// # Safety
/// There is room for all lanes, which no other thread accesses meanwhile; elements are numbers of a size
/// of which there [is](has) code, and the processor has what `Level::V3` names.
#[cfg_attr(optimised, inline(always))]
unsafe fn packed<T: Element, const B: usize>(set: u64, xs: &[T; B], to: *mut T) -> usize {
    let mut count = 0;
    let (eights, _none) = xs.as_chunks::<8>();
    for (at, xs) in eights.iter().enumerate() {
        let set = (set >> (8 * at)) as u8;
        // SAFETY: the caller's promises; at most eight have been kept of each eight before.
        unsafe { eight(set, xs, to.add(count)) };
        count += set.count_ones() as usize;
    }
    count
}

/// The same, of eight lanes.
///
/// # Safety
/// As for [`packed`].
#[cfg_attr(optimised, inline(always))]
unsafe fn eight<T: Element>(set: u8, xs: &[T; 8], to: *mut T) {
    let (from, to) = (xs.as_ptr().cast::<u8>(), to.cast::<u8>());
    // SAFETY: promised by the caller: eight elements of these sizes are read and written, which are
    // a half of a vector, a vector, or two.
    unsafe {
        let lanes = _mm_cvtsi64_si128(SET[set as usize] as i64);
        match size_of::<T>() {
            1 => {
                let x = _mm_loadl_epi64(from.cast());
                _mm_storel_epi64(to.cast(), _mm_shuffle_epi8(x, lanes));
            }
            2 => {
                let low = _mm_add_epi8(lanes, lanes);
                let high = _mm_add_epi8(low, _mm_set1_epi8(1));
                let x = _mm_loadu_si128(from.cast());
                let x = _mm_shuffle_epi8(x, _mm_unpacklo_epi8(low, high));
                _mm_storeu_si128(to.cast(), x);
            }
            4 => {
                let x = _mm256_loadu_si256(from.cast());
                let x = _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(lanes));
                _mm256_storeu_si256(to.cast(), x);
            }
            _eight => {
                let low = set & 15;
                four(low, from, to);
                four(
                    set >> 4,
                    from.add(32),
                    to.add(8 * low.count_ones() as usize),
                );
            }
        }
    }
}

/// The same, of four lanes of eight bytes.
///
/// # Safety
/// As for [`packed`].
#[cfg_attr(optimised, inline(always))]
unsafe fn four(set: u8, from: *const u8, to: *mut u8) {
    // SAFETY: promised by the caller: a vector is read and written.
    unsafe {
        let halves = _mm_cvtsi64_si128(HALVES[set as usize] as i64);
        let x = _mm256_loadu_si256(from.cast());
        let x = _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(halves));
        _mm256_storeu_si256(to.cast(), x);
    }
}

#[cfg(test)]
mod tests {
    use super::{few, together};
    use crate::kernel::Element;
    use crate::level::{Level, best};
    use crate::overhang::PART;

    fn packs<T: Element + PartialEq + core::fmt::Debug>(number: impl Fn(usize) -> T) {
        let xs: [T; 64] = core::array::from_fn(number);
        for word in [0, 1, 0x8000_0000_0000_0000, u64::MAX, 0x8d32_0000_ffff_a5c1] {
            let flags: [bool; 64] = core::array::from_fn(|l| word >> l & 1 != 0);
            let kept = |count: usize| (0..count).filter(|l| flags[*l]).map(|l| xs[l]);
            let mut to = [T::default(); 64];
            // SAFETY: there is room for all lanes; the level is there.
            let count = unsafe { together(&flags, &xs, to.as_mut_ptr()) };
            assert_eq!(to[..count], kept(64).collect::<Vec<T>>()[..]);
            for first in 0..=PART {
                let (flags, xs) = (flags.first_chunk().unwrap(), xs.first_chunk().unwrap());
                // SAFETY: as above.
                let count = unsafe { few(flags, first, xs, to.as_mut_ptr()) };
                assert_eq!(to[..count], kept(first).collect::<Vec<T>>()[..]);
            }
        }
    }

    #[test]
    fn lanes_of_each_size_are_brought_together() {
        if best() < Level::V3 {
            return;
        }
        packs(|l| l as u8 + 1);
        packs(|l| l as i16 - 500);
        packs(|l| l as f32 + 0.5);
        packs(|l| l as f64 - 0.5);
        packs(|l| (l as i32, -(l as i32)));
    }
}
