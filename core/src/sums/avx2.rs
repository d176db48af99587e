//! The same with AVX2: see [`super`].
//!
//! Note [Two blocks in halves]: shuffles that reach over the middle of a vector cost most. So two blocks of
//! 4-byte lanes are treated at once, one in the first halves of vectors and the other in the second: within
//! halves lanes move up by cheap shuffles, and from one half to the next by none at all, as that is the same
//! half of the next vector. What is written is put together at the end. For 8-byte lanes, of which a half
//! has only two, that takes as long as to shuffle them across.

use core::arch::x86_64::*;

use super::Carry;
use super::x86::{Put, sums};
use crate::scan::BLOCK;

/// Sixteen 8-byte lanes in four vectors.
macro_rules! four_of_four {
    ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
        sums!(
            $name<W: Put<__m256i>> put,
            $t,
            "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma",
            $load,
            $store,
            |from, to, carry| {
                let none = $bits($set($zero));
                let (mut a, mut b) = ($load(from.cast()), $load(from.add(4).cast()));
                let (mut c, mut d) = ($load(from.add(8).cast()), $load(from.add(12).cast()));
                macro_rules! by_one {
                    ($low:expr, $high:expr) => {{
                        let middle = _mm256_permute2x128_si256::<0x21>($low, $high);
                        $back(_mm256_alignr_epi8::<8>($high, middle))
                    }};
                }
                macro_rules! by_two {
                    ($low:expr, $high:expr) => {
                        $back(_mm256_permute2x128_si256::<0x21>($low, $high))
                    };
                }
                d = $add(by_one!($bits(c), $bits(d)), d);
                c = $add(by_one!($bits(b), $bits(c)), c);
                b = $add(by_one!($bits(a), $bits(b)), b);
                a = $add(by_one!(none, $bits(a)), a);
                d = $add(by_two!($bits(c), $bits(d)), d);
                c = $add(by_two!($bits(b), $bits(c)), c);
                b = $add(by_two!($bits(a), $bits(b)), b);
                a = $add(by_two!(none, $bits(a)), a);
                d = $add(c, d);
                c = $add(b, c);
                b = $add(a, b);
                d = $add(b, d);
                c = $add(a, c);
                put.put(to.cast(), $bits($add(carry, a)));
                put.put(to.add(4).cast(), $bits($add(carry, b)));
                put.put(to.add(8).cast(), $bits($add(carry, c)));
                put.put(to.add(12).cast(), $bits($add(carry, d)));
                $add(carry, $back(_mm256_permute4x64_epi64::<0xff>($bits(d))))
            }
        );
    };
}

/// Twice sixteen 4-byte lanes: see Note [Two blocks in halves].
macro_rules! four_of_two_halves {
    ($name:ident, $t:ty, $zero:expr, $add:ident) => {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
        #[inline]
        pub(super) unsafe fn $name<W: Put<__m256i>>(
            from: *const $t,
            to: *mut $t,
            blocks: usize,
            place: &mut Carry,
            put: &mut W,
        ) {
            // SAFETY: a carry has the size of the largest vector.
            let mut carry = unsafe { _mm256_loadu_si256(place.0.as_ptr().cast()) };
            let none = _mm256_set1_epi32($zero);
            let mut block = 0;
            while block < blocks {
                let both = block + 1 < blocks;
                // SAFETY: both may be accessed for `blocks` blocks, the caller says; the last one, if it
                // has none beside it, is read in its place, too.
                unsafe {
                    let (from, to) = (from.add(block * BLOCK), to.add(block * BLOCK));
                    let beside = if both { from.add(BLOCK) } else { from };
                    macro_rules! load {
                        ($at:literal) => {
                            _mm256_loadu2_m128i(beside.add($at).cast(), from.add($at).cast())
                        };
                    }
                    let (mut a, mut b, mut c, mut d) = (load!(0), load!(4), load!(8), load!(12));
                    macro_rules! step {
                        ($bytes:literal) => {
                            d = $add(_mm256_alignr_epi8::<{ 16 - $bytes }>(d, c), d);
                            c = $add(_mm256_alignr_epi8::<{ 16 - $bytes }>(c, b), c);
                            b = $add(_mm256_alignr_epi8::<{ 16 - $bytes }>(b, a), b);
                            a = $add(_mm256_alignr_epi8::<{ 16 - $bytes }>(a, none), a);
                        };
                    }
                    step!(4);
                    step!(8);
                    d = $add(c, d);
                    c = $add(b, c);
                    b = $add(a, b);
                    d = $add(b, d);
                    c = $add(a, c);
                    let last = _mm256_shuffle_epi32::<0xff>(d);
                    let middle = $add(carry, _mm256_permute2x128_si256::<0x00>(last, last));
                    let carries = _mm256_blend_epi32::<0xf0>(carry, middle);
                    macro_rules! store {
                        ($at:literal, $low:ident, $high:ident) => {
                            let (low, high) = ($add(carries, $low), $add(carries, $high));
                            let block = _mm256_permute2x128_si256::<0x20>(low, high);
                            put.put(to.add($at).cast(), block);
                            if both {
                                let beside = _mm256_permute2x128_si256::<0x31>(low, high);
                                put.put(to.add(BLOCK + $at).cast(), beside);
                            }
                        };
                    }
                    store!(0, a, b);
                    store!(8, c, d);
                    carry = match both {
                        true => $add(middle, _mm256_permute2x128_si256::<0x11>(last, last)),
                        false => middle,
                    };
                }
                block += 2;
            }
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(place.0.as_mut_ptr().cast(), carry) };
        }
    };
}

// What is moved in is the neutral element: adding it changes no bit.
four_of_four!(
    f64_v3,
    f64,
    -0.0,
    _mm256_set1_pd,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_add_pd,
    _mm256_castpd_si256,
    _mm256_castsi256_pd
);
four_of_four!(
    i64_v3,
    i64,
    0,
    _mm256_set1_epi64x,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi64,
    core::convert::identity,
    core::convert::identity
);
four_of_two_halves!(f32_v3, f32, (-0.0_f32).to_bits().cast_signed(), add_floats);
four_of_two_halves!(i32_v3, i32, 0, _mm256_add_epi32);

#[target_feature(enable = "avx2")]
#[inline]
fn add_floats(a: __m256i, b: __m256i) -> __m256i {
    let sums = _mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(sums)
}
