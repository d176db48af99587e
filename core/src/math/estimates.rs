//! Reciprocal square roots from the processor's estimates, for functions that need not round as
//! written.
//!
//! In: a number, or a block of lanes. Out: `1 / sqrt(x)` within 1.5 ulp (subnormal `f32` count as 0 on
//! AVX2); of zeros, infinities, NaN and negative numbers what the plain operations give. Or `a` over the cube
//! of `sqrt(x)`, within 5 ulp, likewise, but for the sign of a zero.
//! Assumes: nothing.
//! Method: AVX2 and AVX-512 have estimates of 12 and 14 bits (`f64`: AVX-512 only); Newton's steps,
//! fused, do the rest. Compilers do not vectorise the estimates, so these functions take blocks.
//!
//! Note [Steps]: of an estimate `r` the error is `e = 1 - x r²`, so `1 / sqrt(x)` is `r (1 - e)^(-1/2)` and
//! the cube `r³ (1 - e)^(-3/2)`, of which the first terms of the series are enough: `r³ (1 + 3/2 e)` costs no
//! more than a step for the root itself, behind which two products would be needed. Where an estimate is infinite
//! or zero, it is right, and `e` is NaN: a root stays as estimated then. The factor of a cube is more than a
//! half, so the greater of both is taken: the machine gives the second number where the first is NaN. Where
//! someone looks at what becomes of the cubes anyway, that can be left out ([`Hasty`]): the factor is NaN or
//! infinite then, and so is the cube.

use super::FUSING;
use crate::level::{Level, best};

/// What the processor can estimate. Kernels hold it, so that their loops need not ask.
#[derive(Clone, Copy, Debug)]
pub struct Estimates {
    best: Level,
}

impl Estimates {
    /// Of this processor.
    #[inline]
    pub fn here() -> Estimates {
        Estimates { best: best() }
    }

    /// [`Rsqrt::rsqrt`] of each lane, from estimates in code of many lanes.
    ///
    /// # Panics
    /// When the processor does not have the level with so many lanes.
    #[inline(always)]
    pub fn rsqrt_lanes<T: Rsqrt, const L: usize>(self, x: [T; L]) -> [T; L] {
        if const { L < FUSING } {
            return x.map(T::rsqrt);
        }
        assert!(self.best >= if L == 64 { Level::V4 } else { Level::V3 });
        // SAFETY: `best` is what was found, and the line before.
        unsafe { T::estimate(x) }
    }

    /// [`Rsqrt::over_cube`] of each lane, as above.
    ///
    /// # Panics
    /// When the processor does not have the level with so many lanes.
    #[inline(always)]
    pub fn over_cube_lanes<T: Rsqrt, const L: usize>(self, a: [T; L], x: [T; L]) -> [T; L] {
        self.hasty::<false>().over_cube_lanes(a, x)
    }

    /// The same, `HASTY` or not.
    #[inline(always)]
    pub fn hasty<const HASTY: bool>(self) -> Hasty<HASTY> {
        Hasty(self)
    }
}

/// Estimates that, if they are `HASTY`, need not be right where the right ones are not finite, or what the
/// processor estimates is not: these are not finite then either.
#[derive(Clone, Copy, Debug)]
pub struct Hasty<const HASTY: bool>(Estimates);

impl<const HASTY: bool> Hasty<HASTY> {
    /// As [`Estimates::rsqrt_lanes`], never hastily.
    ///
    /// # Panics
    /// As there.
    #[inline(always)]
    pub fn rsqrt_lanes<T: Rsqrt, const L: usize>(self, x: [T; L]) -> [T; L] {
        self.0.rsqrt_lanes(x)
    }

    /// As [`Estimates::over_cube_lanes`], without a look at what is not finite if it is `HASTY`.
    ///
    /// # Panics
    /// As there.
    #[inline(always)]
    pub fn over_cube_lanes<T: Rsqrt, const L: usize>(self, a: [T; L], x: [T; L]) -> [T; L] {
        if const { L < FUSING } {
            return core::array::from_fn(|l| a[l].over_cube(x[l]));
        }
        assert!(self.0.best >= if L == 64 { Level::V4 } else { Level::V3 });
        // SAFETY: `best` is what was found, and the line before.
        unsafe { T::estimate_over_cube::<L, HASTY>(a, x) }
    }
}

/// Numbers that have estimates.
pub trait Rsqrt: Copy {
    /// `1 / sqrt(x)`, both rounded.
    fn rsqrt(self) -> Self;
    /// `self / (x * sqrt(x))`, all rounded.
    fn over_cube(self, x: Self) -> Self;
    /// `1 / sqrt(x)` of each lane, from estimates.
    ///
    /// # Safety
    /// The processor has AVX2, and AVX-512 for 64 lanes.
    #[doc(hidden)]
    unsafe fn estimate<const L: usize>(x: [Self; L]) -> [Self; L];
    /// `a / (x * sqrt(x))` of each lane, from estimates, and hastily if so.
    ///
    /// # Safety
    /// As for `estimate`.
    #[doc(hidden)]
    unsafe fn estimate_over_cube<const L: usize, const HASTY: bool>(
        a: [Self; L],
        x: [Self; L],
    ) -> [Self; L];
}

macro_rules! rsqrt {
    ($type:ident) => {
        impl Rsqrt for $type {
            #[inline(always)]
            fn rsqrt(self) -> Self {
                1.0 / self.sqrt()
            }

            #[inline(always)]
            fn over_cube(self, x: Self) -> Self {
                self / (x * x.sqrt())
            }

            #[inline(always)]
            unsafe fn estimate<const L: usize>(x: [Self; L]) -> [Self; L] {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: promised by the caller.
                return unsafe { x86::$type::estimate(x) };
                #[cfg(not(target_arch = "x86_64"))]
                x.map(Self::rsqrt)
            }

            #[inline(always)]
            unsafe fn estimate_over_cube<const L: usize, const HASTY: bool>(
                a: [Self; L],
                x: [Self; L],
            ) -> [Self; L] {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: promised by the caller.
                return unsafe { x86::$type::over_cube::<L, HASTY>(a, x) };
                #[cfg(not(target_arch = "x86_64"))]
                core::array::from_fn(|l| a[l].over_cube(x[l]))
            }
        }
    };
}

rsqrt!(f32);
rsqrt!(f64);

#[cfg(target_arch = "x86_64")]
mod x86;
