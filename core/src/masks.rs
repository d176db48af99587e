//! Masks of lanes as numbers, a bit for each lane, from the lowest on.
//!
//! In: masks of lanes. Out: numbers, and back. Assumes: for `bits` and `lanes`, registers for masks, of
//! which these numbers are the contents. LLVM makes such numbers of a loop over lanes only bit by bit.

use crate::level::MAX_LANES;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::{bits, lanes, word};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{bits, lanes, word};

/// Whether one of the first `count` lanes is set.
///
/// # Safety
/// The processor has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn any_of_first<const B: usize, const L: usize>(
    mask: &[bool; B],
    count: usize,
) -> bool {
    if const { L == MAX_LANES && B == 16 } {
        // SAFETY: the caller names the highest level.
        let set = unsafe { bits(mask) };
        return u32::from(set) & ((1 << count.min(B)) - 1) != 0;
    }
    let mut any = false;
    for l in 0..B {
        any |= mask[l] & (l < count);
    }
    any
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m128i, __m256i, __m512i, _mm_movemask_epi8, _mm_movepi8_mask, _mm_movepi16_mask,
        _mm_movm_epi8, _mm_movm_epi16, _mm256_movemask_epi8, _mm512_movepi8_mask,
    };
    use core::mem::{transmute, transmute_copy};

    /// The number of a mask of 16, 32 or 64 lanes.
    ///
    /// # Safety
    /// The processor has what a level of `L` lanes names.
    #[inline(always)]
    pub(crate) unsafe fn word<const L: usize>(mask: &[bool; L]) -> u64 {
        const { assert!(L == 16 || L == 32 || L == 64) };
        let mut wide = [0_i8; L];
        for l in 0..L {
            wide[l] = -i8::from(mask[l]);
        }
        match L {
            // SAFETY: of each pair both are `L` bytes of numbers, and the caller names the level.
            16 => unsafe { _mm_movemask_epi8(transmute_copy::<_, __m128i>(&wide)) as u64 },
            // SAFETY: as above.
            32 => unsafe {
                _mm256_movemask_epi8(transmute_copy::<_, __m256i>(&wide)) as u32 as u64
            },
            // SAFETY: as above.
            _ => unsafe { _mm512_movepi8_mask(transmute_copy::<_, __m512i>(&wide)) },
        }
    }

    /// The number of a mask.
    ///
    /// # Safety
    /// The processor has what `Level::V4` names.
    #[inline(always)]
    pub(crate) unsafe fn bits<const L: usize>(mask: &[bool; L]) -> u16 {
        const { assert!(L == 8 || L == 16) };
        if L == 8 {
            let mut wide = [0_i16; 8];
            for l in 0..L {
                wide[l] = -i16::from(mask[l]);
            }
            // SAFETY: both are 16 bytes of numbers, and the caller names the level.
            u16::from(unsafe { _mm_movepi16_mask(transmute::<[i16; 8], __m128i>(wide)) })
        } else {
            let mut wide = [0_i8; 16];
            for l in 0..L {
                wide[l] = -i8::from(mask[l]);
            }
            // SAFETY: as above.
            unsafe { _mm_movepi8_mask(transmute::<[i8; 16], __m128i>(wide)) }
        }
    }

    /// The mask of a number.
    ///
    /// # Safety
    /// As for `bits`.
    #[inline(always)]
    pub(crate) unsafe fn lanes<const L: usize>(bits: u16) -> [bool; L] {
        const { assert!(L == 8 || L == 16) };
        let mut mask = [false; L];
        if L == 8 {
            // SAFETY: both are 16 bytes of numbers, and the caller names the level.
            let wide = unsafe { transmute::<__m128i, [i16; 8]>(_mm_movm_epi16(bits as u8)) };
            for l in 0..L {
                mask[l] = wide[l] != 0;
            }
        } else {
            // SAFETY: as above.
            let wide = unsafe { transmute::<__m128i, [i8; 16]>(_mm_movm_epi8(bits)) };
            for l in 0..L {
                mask[l] = wide[l] != 0;
            }
        }
        mask
    }
}

/// Where there is no such level.
#[cfg(not(target_arch = "x86_64"))]
mod portable {
    /// The number of a mask of at most 64 lanes.
    ///
    /// # Safety
    /// None: unsafe as the other one is.
    pub(crate) unsafe fn word<const L: usize>(mask: &[bool; L]) -> u64 {
        let mut word = 0;
        for l in 0..L {
            word |= u64::from(mask[l]) << l;
        }
        word
    }

    /// The number of a mask.
    ///
    /// # Safety
    /// None: unsafe as the other one is.
    pub(crate) unsafe fn bits<const L: usize>(mask: &[bool; L]) -> u16 {
        let mut bits = 0;
        for l in 0..L {
            bits |= u16::from(mask[l]) << l;
        }
        bits
    }

    /// The mask of a number.
    ///
    /// # Safety
    /// As for `bits`.
    pub(crate) unsafe fn lanes<const L: usize>(bits: u16) -> [bool; L] {
        core::array::from_fn(|l| bits >> l & 1 != 0)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::{bits, lanes, word};
    use crate::level::{Level, best};

    #[test]
    fn numbers_and_masks_agree_bit_by_bit() {
        if best() < Level::V4 {
            return;
        }
        for number in [0, 1, 2, 0x80, 0xa5, 0xff, 0x8000, 0x1234, 0xfffe, u16::MAX] {
            // SAFETY: the level is there.
            let (wide, narrow) = unsafe { (lanes::<16>(number), lanes::<8>(number)) };
            assert!((0..16).all(|l| wide[l] == (number >> l & 1 != 0)));
            assert_eq!(narrow[..], wide[..8]);
            // SAFETY: as above.
            let back = unsafe { (bits(&wide), bits(&narrow)) };
            assert_eq!(back, (number, number & 0xff));
        }
    }

    #[test]
    fn words_have_a_bit_for_each_lane() {
        const WORD: u64 = 0x8d32_0000_ffff_a5c1;
        let mask: [bool; 64] = core::array::from_fn(|l| WORD >> l & 1 != 0);
        for from in [0, 16, 32, 48] {
            let part: &[bool; 16] = mask[from..].first_chunk().unwrap();
            // SAFETY: the baseline has it.
            let bits = unsafe { word(part) };
            assert_eq!(bits, WORD >> from & 0xffff);
        }
        if best() >= Level::V3 {
            let part: &[bool; 32] = mask[32..].first_chunk().unwrap();
            // SAFETY: the level is there.
            let bits = unsafe { word(part) };
            assert_eq!(bits, WORD >> 32);
        }
        if best() >= Level::V4 {
            // SAFETY: the level is there.
            let bits = unsafe { word(&mask) };
            assert_eq!(bits, WORD);
        }
    }
}
