//! Vectors of floats with a level's instructions, for code that must stay in registers.
//!
//! In: scalars. Out: IEEE results, lane by lane: the bits of scalar code.
//! Assumes: what the constructors' callers promise; vectors are handed out by
//! `dispatch_tiles` only. LLVM makes vectors of loops over memory, but
//! not of a tile that lives in registers, which these types spell out.

use crate::level::TileTask;

/// A vector of floats. Sealed.
pub trait Vector: Copy + Sealed {
    /// Its elements.
    type Scalar: Real;
    /// How many.
    const LANES: usize;
    /// One number in all lanes.
    fn splat(x: Self::Scalar) -> Self;
    /// `self + other`
    fn add(self, other: Self) -> Self;
    /// `self - other`
    fn sub(self, other: Self) -> Self;
    /// `self * other`
    fn mul(self, other: Self) -> Self;
    /// `self / other`
    fn div(self, other: Self) -> Self;
    /// `self * by + plus`, fused where the level has the instruction. For `#[fast]`.
    fn mul_add(self, by: Self, plus: Self) -> Self;
    /// `self + other` as `self * one + other` where the level has the instruction, `one` being 1: the
    /// same bits, made where products are made. (Payloads of NaNs may be the other's.)
    fn add_product(self, one: Self, other: Self) -> Self;
    /// `self - other`, likewise.
    fn sub_product(self, one: Self, other: Self) -> Self;
    /// `then` in lanes where `self < end`, elsewhere `otherwise`.
    fn below(self, end: Self, then: Self, otherwise: Self) -> Self;
    /// The numbers at an address.
    ///
    /// # Safety
    /// There are as many.
    #[doc(hidden)]
    unsafe fn load(from: *const Self::Scalar) -> Self;
    /// Writes the numbers to an address.
    ///
    /// # Safety
    /// There is room for as many.
    #[doc(hidden)]
    unsafe fn store(self, to: *mut Self::Scalar);
}

/// Nobody else can implement [`Vector`] and [`Real`]: code relies on their layout.
pub trait Sealed {}

/// A float with vectors of each level.
pub trait Real: crate::kernel::Element + Sealed {
    /// What changes no bit of any number that it is added to.
    const NEUTRAL: Self;
    #[doc(hidden)]
    const ONE: Self;
    /// A number of steps of a chunk, which is exact.
    #[doc(hidden)]
    fn whole(steps: usize) -> Self;
    /// `self + other`
    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;
    /// Whether it is neither infinite nor NaN.
    #[doc(hidden)]
    fn is_finite(self) -> bool;
    /// Runs a task in tiles of the baseline's vectors.
    #[doc(hidden)]
    fn tiles_v1<T: TileTask<Scalar = Self>>(task: T) -> T::Out;
    /// Runs a task in tiles of AVX2's vectors. Must be `#[inline(always)]`.
    ///
    /// # Safety
    /// The processor has what `Level::V3` names, for which the caller is compiled.
    #[doc(hidden)]
    unsafe fn tiles_v3<T: TileTask<Scalar = Self>>(task: T) -> T::Out;
    /// As `tiles_v3`, of AVX-512's vectors.
    ///
    /// # Safety
    /// The same for `Level::V4`.
    #[doc(hidden)]
    unsafe fn tiles_v4<T: TileTask<Scalar = Self>>(task: T) -> T::Out;
}

/// The way from a float to its tiles: vectors, rows of two, and their lanes together.
macro_rules! real {
    ($t:ident: $v1:ty, $r1:literal $s1:literal $c1:literal, $v3:ty, $r3:literal $s3:literal $c3:literal,
        $v4:ty, $r4:literal $s4:literal $c4:literal) => {
        impl Real for $t {
            const NEUTRAL: $t = -0.0;
            const ONE: $t = 1.0;
            #[inline(always)]
            fn whole(steps: usize) -> $t {
                // Processors without AVX-512 convert signed numbers alone, and lanes of four bytes.
                steps as i32 as $t
            }
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self + other
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                <$t>::is_finite(self)
            }
            #[inline(always)]
            fn tiles_v1<T: TileTask<Scalar = $t>>(task: T) -> T::Out {
                task.run::<$v1, $r1, $s1, $c1, 16>()
            }
            #[inline(always)]
            unsafe fn tiles_v3<T: TileTask<Scalar = $t>>(task: T) -> T::Out {
                task.run::<$v3, $r3, $s3, $c3, 32>()
            }
            #[inline(always)]
            unsafe fn tiles_v4<T: TileTask<Scalar = $t>>(task: T) -> T::Out {
                task.run::<$v4, $r4, $s4, $c4, 64>()
            }
        }
    };
}

impl Sealed for f32 {}
impl Sealed for f64 {}

#[cfg(not(target_arch = "x86_64"))]
mod plain {
    use super::{Real, Sealed, TileTask, Vector};

    /// Four numbers.
    #[derive(Clone, Copy)]
    pub struct Four<T>([T; 4]);

    macro_rules! plain {
        ($t:ident) => {
            impl Sealed for Four<$t> {}

            impl Vector for Four<$t> {
                type Scalar = $t;
                const LANES: usize = 4;
                #[inline(always)]
                fn splat(x: $t) -> Self {
                    Four([x; 4])
                }
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    Four(core::array::from_fn(|l| self.0[l] + other.0[l]))
                }
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    Four(core::array::from_fn(|l| self.0[l] - other.0[l]))
                }
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    Four(core::array::from_fn(|l| self.0[l] * other.0[l]))
                }
                #[inline(always)]
                fn div(self, other: Self) -> Self {
                    Four(core::array::from_fn(|l| self.0[l] / other.0[l]))
                }
                #[inline(always)]
                fn mul_add(self, by: Self, plus: Self) -> Self {
                    self.mul(by).add(plus)
                }
                #[inline(always)]
                fn add_product(self, _one: Self, other: Self) -> Self {
                    self.add(other)
                }
                #[inline(always)]
                fn sub_product(self, _one: Self, other: Self) -> Self {
                    self.sub(other)
                }
                #[inline(always)]
                fn below(self, end: Self, then: Self, otherwise: Self) -> Self {
                    Four(core::array::from_fn(|l| match self.0[l] < end.0[l] {
                        true => then.0[l],
                        false => otherwise.0[l],
                    }))
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: promised by the caller; an array is aligned as its elements.
                    unsafe { Four(from.cast::<[$t; 4]>().read()) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: as above.
                    unsafe { to.cast::<[$t; 4]>().write(self.0) }
                }
            }
        };
    }

    plain!(f32);
    plain!(f64);
    real!(f32: Four<f32>, 4 2 8, Four<f32>, 4 2 8, Four<f32>, 4 2 8);
    real!(f64: Four<f64>, 4 2 8, Four<f64>, 4 2 8, Four<f64>, 4 2 8);
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Real, Sealed, TileTask, Vector};

    macro_rules! vector {
        (
            $name:ident, $t:ident, $register:ident, $lanes:literal, $doc:literal, $splat:ident,
            $add:ident, $sub:ident, $mul:ident, $div:ident, $load:ident, $store:ident,
            |$a:ident, $b:ident, $c:ident| $mul_add:expr, $add_product:expr, $sub_product:expr,
            |$mask:ident, $x:ident, $y:ident| $less:expr, $choose:expr
        ) => {
            #[doc = $doc]
            #[derive(Clone, Copy)]
            pub struct $name($register);

            impl Sealed for $name {}

            // SAFETY of all blocks: a value of this type is made by code that `dispatch_tiles` calls
            // at the level that has these instructions, and by nothing else: the ways from
            // `Real` to them are unsafe, and they are not named elsewhere.
            impl Vector for $name {
                type Scalar = $t;
                const LANES: usize = $lanes;
                #[inline(always)]
                fn splat(x: $t) -> Self {
                    // SAFETY: see above.
                    unsafe { $name($splat(x)) }
                }
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $name($add(self.0, other.0)) }
                }
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $name($sub(self.0, other.0)) }
                }
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $name($mul(self.0, other.0)) }
                }
                #[inline(always)]
                fn div(self, other: Self) -> Self {
                    // SAFETY: see above.
                    unsafe { $name($div(self.0, other.0)) }
                }
                #[inline(always)]
                fn mul_add(self, by: Self, plus: Self) -> Self {
                    let ($a, $b, $c) = (self.0, by.0, plus.0);
                    // SAFETY: see above.
                    unsafe { $name($mul_add) }
                }
                #[inline(always)]
                fn add_product(self, one: Self, other: Self) -> Self {
                    let ($a, $b, $c) = (self.0, one.0, other.0);
                    // SAFETY: see above.
                    unsafe { $name($add_product) }
                }
                #[inline(always)]
                fn sub_product(self, one: Self, other: Self) -> Self {
                    let ($a, $b, $c) = (self.0, one.0, other.0);
                    // SAFETY: see above.
                    unsafe { $name($sub_product) }
                }
                #[inline(always)]
                fn below(self, end: Self, then: Self, otherwise: Self) -> Self {
                    // SAFETY: see above.
                    unsafe {
                        let ($x, $y) = (self.0, end.0);
                        let $mask = $less;
                        let ($x, $y) = (then.0, otherwise.0);
                        $name($choose)
                    }
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: see above; the caller promises the numbers.
                    unsafe { $name($load(from)) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: see above; the caller promises the room.
                    unsafe { $store(to, self.0) }
                }
            }
        };
    }

    vector!(
        F32x4,
        f32,
        __m128,
        4,
        "Four, for the baseline.",
        _mm_set1_ps,
        _mm_add_ps,
        _mm_sub_ps,
        _mm_mul_ps,
        _mm_div_ps,
        _mm_loadu_ps,
        _mm_storeu_ps,
        |a, _b, c| _mm_add_ps(_mm_mul_ps(a, _b), c),
        _mm_add_ps(a, c),
        _mm_sub_ps(a, c),
        |mask, x, y| _mm_cmplt_ps(x, y),
        _mm_or_ps(_mm_and_ps(mask, x), _mm_andnot_ps(mask, y))
    );
    vector!(
        F64x2,
        f64,
        __m128d,
        2,
        "Two, for the baseline.",
        _mm_set1_pd,
        _mm_add_pd,
        _mm_sub_pd,
        _mm_mul_pd,
        _mm_div_pd,
        _mm_loadu_pd,
        _mm_storeu_pd,
        |a, _b, c| _mm_add_pd(_mm_mul_pd(a, _b), c),
        _mm_add_pd(a, c),
        _mm_sub_pd(a, c),
        |mask, x, y| _mm_cmplt_pd(x, y),
        _mm_or_pd(_mm_and_pd(mask, x), _mm_andnot_pd(mask, y))
    );
    vector!(
        F32x8,
        f32,
        __m256,
        8,
        "Eight, for AVX2.",
        _mm256_set1_ps,
        _mm256_add_ps,
        _mm256_sub_ps,
        _mm256_mul_ps,
        _mm256_div_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        |a, b, c| _mm256_fmadd_ps(a, b, c),
        _mm256_fmadd_ps(a, b, c),
        _mm256_fmsub_ps(a, b, c),
        |mask, x, y| _mm256_cmp_ps::<_CMP_LT_OQ>(x, y),
        _mm256_blendv_ps(y, x, mask)
    );
    vector!(
        F64x4,
        f64,
        __m256d,
        4,
        "Four, for AVX2.",
        _mm256_set1_pd,
        _mm256_add_pd,
        _mm256_sub_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        |a, b, c| _mm256_fmadd_pd(a, b, c),
        _mm256_fmadd_pd(a, b, c),
        _mm256_fmsub_pd(a, b, c),
        |mask, x, y| _mm256_cmp_pd::<_CMP_LT_OQ>(x, y),
        _mm256_blendv_pd(y, x, mask)
    );
    vector!(
        F32x16,
        f32,
        __m512,
        16,
        "Sixteen, for AVX-512.",
        _mm512_set1_ps,
        _mm512_add_ps,
        _mm512_sub_ps,
        _mm512_mul_ps,
        _mm512_div_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        |a, b, c| _mm512_fmadd_ps(a, b, c),
        _mm512_fmadd_ps(a, b, c),
        _mm512_fmsub_ps(a, b, c),
        |mask, x, y| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x, y),
        _mm512_mask_blend_ps(mask, y, x)
    );
    vector!(
        F64x8,
        f64,
        __m512d,
        8,
        "Eight, for AVX-512.",
        _mm512_set1_pd,
        _mm512_add_pd,
        _mm512_sub_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        |a, b, c| _mm512_fmadd_pd(a, b, c),
        _mm512_fmadd_pd(a, b, c),
        _mm512_fmsub_pd(a, b, c),
        |mask, x, y| _mm512_cmp_pd_mask::<_CMP_LT_OQ>(x, y),
        _mm512_mask_blend_pd(mask, y, x)
    );

    // Sums of `R` rows of two vectors, the two of the right part, and one more, or none where it
    // comes from memory, fill 16 registers, or 32.
    real!(f32: F32x4, 4 2 8, F32x8, 6 2 16, F32x16, 12 4 32);
    real!(f64: F64x2, 4 2 4, F64x4, 6 2 8, F64x8, 12 4 16);
}
