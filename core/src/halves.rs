//! Floats of 16 bits.
//!
//! In: an `f16` or a `bf16`, or an `f32`. Out: the other, rounded to the nearest (of two, the even
//! one).
//! Assumes: nothing. Bit operations and selects only, which LLVM makes vectors of: the methods of
//! the crate `half` ask the processor what it can at each call. The same bits, but for those of NaN.

use half::{bf16, f16};

use crate::kernel::Element;

/// A float of 16 bits, which is computed with as `f32`.
pub trait Half: Element {
    /// The same number.
    fn widen(self) -> f32;
    /// The nearest number; of two, the even one.
    fn narrow(x: f32) -> Self;
}

const SIGN: u32 = 1 << 31;

/// The bits of an infinite `f32`.
const INFINITY: u32 = 0xff << 23;

impl Half for f16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        /// What the exponents of the two types differ by.
        const BIAS: u32 = (127 - 15) << 23;
        const INFINITY: u32 = 31 << 23;
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        let normal = magnitude + BIAS;
        // A subnormal number is a fraction behind a 1 that is no part of it.
        let smallest = BIAS + (1 << 23);
        let subnormal = f32::from_bits(magnitude + smallest) - f32::from_bits(smallest);
        let finite = if magnitude < 1 << 23 {
            subnormal.to_bits()
        } else {
            normal
        };
        let all = if magnitude >= INFINITY {
            normal + BIAS
        } else {
            finite
        };
        f32::from_bits(all | (bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        /// From here on all is infinite, or NaN.
        const LARGE: u32 = (127 + 16) << 23;
        /// The smallest normal number.
        const SMALL: u32 = (127 - 14) << 23;
        /// 0.5: the sum with a number below `SMALL` has its last bit where that of the result is.
        const HALF: u32 = 126 << 23;
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let special = if magnitude > self::INFINITY {
            0x7e00
        } else {
            0x7c00
        };
        let sum = f32::from_bits(magnitude) + f32::from_bits(HALF);
        let subnormal = sum.to_bits().wrapping_sub(HALF);
        let odd = (magnitude >> 13) & 1;
        let rebased = magnitude.wrapping_sub((127 - 15) << 23);
        let normal = rebased.wrapping_add(0xfff + odd);
        let finite = if magnitude < SMALL {
            subnormal
        } else {
            normal >> 13
        };
        let all = if magnitude >= LARGE { special } else { finite };
        f16::from_bits((all | (bits & SIGN) >> 16) as u16)
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    #[inline(always)]
    fn narrow(x: f32) -> Self {
        let bits = x.to_bits();
        let odd = (bits >> 16) & 1;
        let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
        // Rounded, a NaN might become infinite.
        let nan = bits >> 16 | 0x40;
        let all = if bits & !SIGN > INFINITY {
            nan
        } else {
            rounded
        };
        bf16::from_bits(all as u16)
    }
}

/// The same for whole blocks.
pub mod lanes {
    use super::Half;

    /// The same numbers.
    #[inline(always)]
    pub fn widen<T: Half, const L: usize>(from: [T; L]) -> [f32; L] {
        let mut to = [0.0; L];
        for l in 0..L {
            to[l] = from[l].widen();
        }
        to
    }

    /// The nearest numbers.
    #[inline(always)]
    pub fn narrow<T: Half, const L: usize>(from: [f32; L]) -> [T; L] {
        let mut to = [T::default(); L];
        for l in 0..L {
            to[l] = T::narrow(from[l]);
        }
        to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(ours: f32, theirs: f32) {
        let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
        assert!(same, "{ours:?} for {theirs:?}");
    }

    #[test]
    fn every_half_widens_as_the_crate_says() {
        for bits in 0..=u16::MAX {
            same(
                f16::from_bits(bits).widen(),
                f16::from_bits(bits).to_f32_const(),
            );
            same(
                bf16::from_bits(bits).widen(),
                bf16::from_bits(bits).to_f32_const(),
            );
        }
    }

    fn narrows(bits: u32) {
        let x = f32::from_bits(bits);
        let (half, brain) = (f16::narrow(x), bf16::narrow(x));
        if x.is_nan() {
            assert!(half.is_nan() && brain.is_nan(), "{bits:#x}");
        } else {
            assert_eq!(half.to_bits(), f16::from_f32_const(x).to_bits(), "{x:?}");
            assert_eq!(brain.to_bits(), bf16::from_f32_const(x).to_bits(), "{x:?}");
        }
    }

    #[test]
    fn floats_narrow_as_the_crate_says() {
        // Every sign, exponent and first bits of a fraction, with rests around the ties of both.
        for high in 0..1 << 20 {
            for low in [0, 1, 0x7ff, 0x800, 0x801, 0xfff] {
                narrows(high << 12 | low);
            }
        }
        (0..u32::MAX - 997).step_by(997).for_each(narrows);
    }
}
