//! Estimates of vectors, and the steps that make them exact enough: Note \[Steps\] in `estimates.rs`.
//!
//! In: lanes. Out: the same of each.
//! Assumes: the processor has what the level with so many lanes names.

use core::arch::asm;
use core::arch::x86_64::*;

/// What a function makes of blocks of lanes, from what it makes of vectors: of `$count` lanes each.
macro_rules! by_vectors {
    (
        $features:literal, $type:ident, $count:literal, $load:ident, $store:ident,
        |$x:ident| $root:expr, |$b:ident, $a:ident| $over_cube:expr
    ) => {
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn estimate<const L: usize>(mut x: [$type; L]) -> [$type; L] {
            for lanes in x.as_chunks_mut::<$count>().0 {
                // SAFETY: a chunk is a vector long, here and below.
                let $x = unsafe { $load(lanes.as_ptr()) };
                let value = $root;
                // SAFETY: as above.
                unsafe { $store(lanes.as_mut_ptr(), value) };
            }
            x
        }

        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn over_cube<const L: usize, const HASTY: bool>(
            a: [$type; L],
            mut x: [$type; L],
        ) -> [$type; L] {
            let vectors = x.as_chunks_mut::<$count>().0;
            for (lanes, a) in vectors.iter_mut().zip(a.as_chunks::<$count>().0) {
                // SAFETY: a chunk is a vector long, here and below.
                let ($b, $a) = unsafe { ($load(lanes.as_ptr()), $load(a.as_ptr())) };
                let value = $over_cube;
                // SAFETY: as above.
                unsafe { $store(lanes.as_mut_ptr(), value) };
            }
            x
        }
    };
}

/// A function that gives its vector, of which compilers do not know then that all lanes are one number. What that is
/// multiplied with may be one number too, from memory, where it is spread for nothing; their product as a scalar
/// would have to be spread from a register, by a unit that is wanted for other products: N-body takes 0.985 of the
/// time.
macro_rules! in_lanes {
    ($vector:ident) => {
        #[target_feature(enable = "avx512f")]
        #[inline]
        fn in_lanes(mut lanes: $vector) -> $vector {
            // SAFETY: nothing is done.
            unsafe {
                asm!("/* {} */", inout(zmm_reg) lanes,
                    options(pure, nomem, nostack, preserves_flags));
            }
            lanes
        }
    };
}

/// Of `f32` with AVX-512.
mod single_v4 {
    use super::*;

    in_lanes!(__m512);

    by_vectors!(
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
        f32,
        16,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        |x| {
            let (half, one) = (_mm512_set1_ps(0.5), _mm512_set1_ps(1.0));
            let r = _mm512_rsqrt14_ps(x);
            let error = _mm512_fnmadd_ps(_mm512_mul_ps(x, r), r, one);
            // NaN where `r` is infinite or 0, and right.
            let inexact = _mm512_cmp_ps_mask::<_CMP_ORD_Q>(error, error);
            _mm512_mask3_fmadd_ps(_mm512_mul_ps(r, half), error, r, inexact)
        },
        |x, a| {
            let r = _mm512_rsqrt14_ps(x);
            let square = _mm512_mul_ps(r, r);
            let mut factor = _mm512_fnmadd_ps(x, square, _mm512_set1_ps(5.0 / 3.0));
            if !HASTY {
                factor = _mm512_max_ps(factor, _mm512_set1_ps(0.5));
            }
            // Of a number for all lanes once.
            let a = _mm512_mul_ps(a, in_lanes(_mm512_set1_ps(1.5)));
            _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(r, a), square), factor)
        }
    );
}

/// Of `f64` with AVX-512.
mod double_v4 {
    use super::*;

    in_lanes!(__m512d);

    by_vectors!(
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
        f64,
        8,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        |x| {
            let (half, one) = (_mm512_set1_pd(0.5), _mm512_set1_pd(1.0));
            let r = better::<false>(x, _mm512_rsqrt14_pd(x));
            let error = _mm512_fnmadd_pd(_mm512_mul_pd(x, r), r, one);
            // NaN where `r` is infinite or 0, and right.
            let inexact = _mm512_cmp_pd_mask::<_CMP_ORD_Q>(error, error);
            _mm512_mask3_fmadd_pd(_mm512_mul_pd(r, half), error, r, inexact)
        },
        |x, a| {
            let r = better::<HASTY>(x, _mm512_rsqrt14_pd(x));
            let square = _mm512_mul_pd(r, r);
            let mut factor = _mm512_fnmadd_pd(x, square, _mm512_set1_pd(5.0 / 3.0));
            if !HASTY {
                factor = _mm512_max_pd(factor, _mm512_set1_pd(0.5));
            }
            // Of a number for all lanes once.
            let a = _mm512_mul_pd(a, in_lanes(_mm512_set1_pd(1.5)));
            _mm512_mul_pd(_mm512_mul_pd(_mm512_mul_pd(r, a), square), factor)
        }
    );

    /// With twice as many bits.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn better<const HASTY: bool>(x: __m512d, r: __m512d) -> __m512d {
        let (half, one) = (_mm512_set1_pd(0.5), _mm512_set1_pd(1.0));
        let error = _mm512_fnmadd_pd(_mm512_mul_pd(x, r), r, one);
        let mut factor = _mm512_fmadd_pd(error, half, one);
        if !HASTY {
            factor = _mm512_max_pd(factor, half);
        }
        _mm512_mul_pd(r, factor)
    }
}

/// Of `f32` with AVX2: its estimates leave so much that the series takes a term more.
mod single_v3 {
    use super::*;

    by_vectors!(
        "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma",
        f32,
        8,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        |x| {
            let (half, one) = (_mm256_set1_ps(0.5), _mm256_set1_ps(1.0));
            let r = _mm256_rsqrt_ps(x);
            let error = _mm256_fnmadd_ps(_mm256_mul_ps(x, r), r, one);
            let series = _mm256_fmadd_ps(error, _mm256_set1_ps(0.375), half);
            let better = _mm256_fmadd_ps(_mm256_mul_ps(r, error), series, r);
            // Infinite or NaN where `r` is infinite or 0, and right.
            let inexact = _mm256_cmp_ps::<_CMP_LT_OQ>(_mm256_mul_ps(error, error), one);
            _mm256_blendv_ps(r, better, inexact)
        },
        |x, a| {
            let (half, one) = (_mm256_set1_ps(0.5), _mm256_set1_ps(1.0));
            let r = _mm256_rsqrt_ps(x);
            let square = _mm256_mul_ps(r, r);
            let error = _mm256_fnmadd_ps(x, square, one);
            let series = _mm256_fmadd_ps(error, _mm256_set1_ps(1.25), one);
            let mut factor = _mm256_fmadd_ps(error, series, _mm256_set1_ps(2.0 / 3.0));
            if !HASTY {
                factor = _mm256_max_ps(factor, half);
            }
            // Of a number for all lanes once.
            let a = _mm256_mul_ps(a, _mm256_set1_ps(1.5));
            _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(r, a), square), factor)
        }
    );
}

/// Of `f32`.
pub(super) mod f32 {
    use super::{single_v3, single_v4};

    /// # Safety
    /// The processor has what the level with `L` lanes names.
    #[inline(always)]
    pub(in super::super) unsafe fn estimate<const L: usize>(x: [f32; L]) -> [f32; L] {
        // SAFETY: promised by the caller.
        unsafe {
            if const { L == 64 } {
                single_v4::estimate(x)
            } else {
                single_v3::estimate(x)
            }
        }
    }

    /// # Safety
    /// As for `estimate`.
    #[inline(always)]
    pub(in super::super) unsafe fn over_cube<const L: usize, const HASTY: bool>(
        a: [f32; L],
        x: [f32; L],
    ) -> [f32; L] {
        // SAFETY: promised by the caller.
        unsafe {
            if const { L == 64 } {
                single_v4::over_cube::<L, HASTY>(a, x)
            } else {
                single_v3::over_cube::<L, HASTY>(a, x)
            }
        }
    }
}

/// Of `f64`.
pub(super) mod f64 {
    use super::double_v4;
    use crate::math::Rsqrt;

    /// # Safety
    /// The processor has what the level with `L` lanes names.
    #[inline(always)]
    pub(in super::super) unsafe fn estimate<const L: usize>(x: [f64; L]) -> [f64; L] {
        match L {
            // SAFETY: promised by the caller.
            64 => unsafe { double_v4::estimate(x) },
            _fewer => x.map(f64::rsqrt),
        }
    }

    /// # Safety
    /// As for `estimate`.
    #[inline(always)]
    pub(in super::super) unsafe fn over_cube<const L: usize, const HASTY: bool>(
        a: [f64; L],
        x: [f64; L],
    ) -> [f64; L] {
        match L {
            // SAFETY: promised by the caller.
            64 => unsafe { double_v4::over_cube::<L, HASTY>(a, x) },
            _fewer => core::array::from_fn(|l| a[l].over_cube(x[l])),
        }
    }
}
