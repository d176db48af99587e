//! Masks of lanes as numbers, a bit for each lane, from the lowest on.
//!
//! In: masks of 8 or 16 lanes. Out: numbers, and back. Assumes: registers for masks, of which these
//! numbers are the contents. LLVM makes such numbers of a loop over lanes only bit by bit.

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::{bits, lanes};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{bits, lanes};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m128i, _mm_movepi8_mask, _mm_movepi16_mask, _mm_movm_epi8, _mm_movm_epi16,
    };
    use core::mem::transmute;

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
    use super::{bits, lanes};
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
}
