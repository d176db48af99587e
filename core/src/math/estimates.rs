//! Reciprocal square roots from the processor's estimates, for functions that need not round as
//! written.
//!
//! In: a number, or a block of lanes. Out: `1 / sqrt(x)` within 1.5 ulp (subnormal `f32` count as 0 on
//! AVX2); of zeros, infinities, NaN and negative numbers what the plain operations give.
//! Assumes: nothing.
//! Method: AVX2 and AVX-512 have estimates of 12 and 14 bits (`f64`: AVX-512 only); Newton's steps,
//! fused, do the rest. Compilers do not vectorise the estimates, so these functions take blocks.

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
        if L < FUSING {
            return x.map(T::rsqrt);
        }
        assert!(self.best >= if L == 64 { Level::V4 } else { Level::V3 });
        // SAFETY: `best` is what was found, and the line before.
        unsafe { T::estimate(x) }
    }
}

/// Numbers that have estimates.
pub trait Rsqrt: Copy {
    /// `1 / sqrt(x)`, both rounded.
    fn rsqrt(self) -> Self;
    /// The same of each lane, from estimates.
    ///
    /// # Safety
    /// The processor has AVX2, and AVX-512 for 64 lanes.
    #[doc(hidden)]
    unsafe fn estimate<const L: usize>(x: [Self; L]) -> [Self; L];
}

macro_rules! rsqrt {
    ($type:ident) => {
        impl Rsqrt for $type {
            #[inline(always)]
            fn rsqrt(self) -> Self {
                1.0 / self.sqrt()
            }

            #[inline(always)]
            unsafe fn estimate<const L: usize>(x: [Self; L]) -> [Self; L] {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: promised by the caller.
                return unsafe { x86::$type(x) };
                #[cfg(not(target_arch = "x86_64"))]
                x.map(Self::rsqrt)
            }
        }
    };
}

rsqrt!(f32);
rsqrt!(f64);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::Rsqrt;

    /// # Safety
    /// The processor has what the level with `L` lanes names.
    #[inline(always)]
    pub(super) unsafe fn f32<const L: usize>(x: [f32; L]) -> [f32; L] {
        // SAFETY: promised by the caller.
        unsafe { if L == 64 { f32_v4(x) } else { f32_v3(x) } }
    }

    /// # Safety
    /// As for `f32`.
    #[inline(always)]
    pub(super) unsafe fn f64<const L: usize>(x: [f64; L]) -> [f64; L] {
        if L == 64 {
            // SAFETY: promised by the caller.
            unsafe { f64_v4(x) }
        } else {
            x.map(f64::rsqrt)
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[inline]
    unsafe fn f32_v4<const L: usize>(mut x: [f32; L]) -> [f32; L] {
        let (half, one) = (_mm512_set1_ps(0.5), _mm512_set1_ps(1.0));
        for lanes in x.as_chunks_mut::<16>().0 {
            // SAFETY: a chunk is a vector long.
            let x = unsafe { _mm512_loadu_ps(lanes.as_ptr()) };
            let r = _mm512_rsqrt14_ps(x);
            let error = _mm512_fnmadd_ps(_mm512_mul_ps(x, r), r, one);
            // NaN where `r` is infinite or 0, and right.
            let inexact = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(error, error);
            let r = _mm512_mask3_fmadd_ps(_mm512_mul_ps(r, half), error, r, inexact);
            // SAFETY: as above.
            unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), r) };
        }
        x
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[inline]
    unsafe fn f64_v4<const L: usize>(mut x: [f64; L]) -> [f64; L] {
        let (half, one) = (_mm512_set1_pd(0.5), _mm512_set1_pd(1.0));
        for lanes in x.as_chunks_mut::<8>().0 {
            // SAFETY: a chunk is a vector long.
            let x = unsafe { _mm512_loadu_pd(lanes.as_ptr()) };
            let mut r = _mm512_rsqrt14_pd(x);
            for _ in 0..2 {
                let error = _mm512_fnmadd_pd(_mm512_mul_pd(x, r), r, one);
                let inexact = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(error, error);
                r = _mm512_mask3_fmadd_pd(_mm512_mul_pd(r, half), error, r, inexact);
            }
            // SAFETY: as above.
            unsafe { _mm512_storeu_pd(lanes.as_mut_ptr(), r) };
        }
        x
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
    #[inline]
    unsafe fn f32_v3<const L: usize>(mut x: [f32; L]) -> [f32; L] {
        let (half, one) = (_mm256_set1_ps(0.5), _mm256_set1_ps(1.0));
        let three_eighths = _mm256_set1_ps(0.375);
        for lanes in x.as_chunks_mut::<8>().0 {
            // SAFETY: a chunk is a vector long.
            let x = unsafe { _mm256_loadu_ps(lanes.as_ptr()) };
            let r = _mm256_rsqrt_ps(x);
            let error = _mm256_fnmadd_ps(_mm256_mul_ps(x, r), r, one);
            let series = _mm256_fmadd_ps(error, three_eighths, half);
            let better = _mm256_fmadd_ps(_mm256_mul_ps(r, error), series, r);
            // Infinite or NaN where `r` is infinite or 0, and right.
            let inexact = _mm256_cmp_ps::<_CMP_LT_OQ>(_mm256_mul_ps(error, error), one);
            let r = _mm256_blendv_ps(r, better, inexact);
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), r) };
        }
        x
    }
}
