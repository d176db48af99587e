//! The same on x86-64: see [`super`].

use core::arch::x86_64::*;

use super::avx2::{f32_v3, f64_v3, i32_v3, i64_v3};
use super::{Carry, Lines, Product};
use crate::memory::is;
use crate::scan::BLOCK;

#[inline(always)]
fn is_i32<P: Product>() -> bool {
    is::<P, (i32,)>() || is::<P, (u32,)>()
}

#[inline(always)]
fn is_i64<P: Product>() -> bool {
    is::<P, (i64,)>() || is::<P, (u64,)>() || is::<P, (usize,)>() || is::<P, (isize,)>()
}

/// Whether there are [`prefixes`] of this product at the level with `L` lanes.
#[inline(always)]
pub(crate) fn known<P: Product, const L: usize>() -> bool {
    let types = is::<P, (f64,)>() || is::<P, (f32,)>() || is_i32::<P>() || is_i64::<P>();
    types && (L == 32 || L == 64)
}

/// Writes the prefixes of some whole blocks, and moves the carry on.
///
/// # Safety
/// The product and `L` are `known`, and `dispatch` has chosen `L`, so that the processor has
/// what its level names. `from` may be read and `to` be written for `blocks` blocks; they are
/// the same or apart.
#[inline(always)]
pub(crate) unsafe fn prefixes<P: Product, const L: usize>(
    from: *const u8,
    to: *mut u8,
    blocks: usize,
    carry: &mut Carry,
) {
    macro_rules! pick {
        ($v3:ident, $v4:ident) => {
            // SAFETY: all promised by the caller.
            unsafe {
                match L {
                    64 => $v4(from.cast(), to.cast(), blocks, carry, &mut Plainly),
                    _ => $v3(from.cast(), to.cast(), blocks, carry, &mut Plainly),
                }
            }
        };
    }
    if is::<P, (f64,)>() {
        pick!(f64_v3, f64_v4)
    } else if is::<P, (f32,)>() {
        pick!(f32_v3, f32_v4)
    } else if is_i32::<P>() {
        pick!(i32_v3, i32_v4)
    } else if is_i64::<P>() {
        pick!(i64_v3, i64_v4)
    }
}

/// Whether there are [`lines`] at the level with `L` lanes.
pub(crate) const fn has_lines<const L: usize>() -> bool {
    L == 64
}

/// As [`prefixes`], round the caches in whole lines: the first begins with what `lines` holds, and
/// the end of the last vector is held for the next.
///
/// # Safety
/// As for `prefixes`; and `has_lines`, and `to` is the start of a line.
#[inline(always)]
pub(crate) unsafe fn lines<P: Product>(
    from: *const u8,
    to: *mut u8,
    blocks: usize,
    carry: &mut Carry,
    lines: &mut Lines,
) {
    // SAFETY: all promised by the caller.
    unsafe {
        if is::<P, (f64,)>() {
            f64_v4(from.cast(), to.cast(), blocks, carry, lines);
        } else if is::<P, (f32,)>() {
            f32_v4(from.cast(), to.cast(), blocks, carry, lines);
        } else if is_i32::<P>() {
            i32_v4(from.cast(), to.cast(), blocks, carry, lines);
        } else if is_i64::<P>() {
            i64_v4(from.cast(), to.cast(), blocks, carry, lines);
        }
    }
}

/// Whether there are [`halves`] at the level with `L` lanes, for what begins at `to`.
pub(crate) fn has_halves<const L: usize>(to: *mut u8) -> bool {
    L == 32 && to.addr().is_multiple_of(size_of::<__m128i>())
}

/// As [`prefixes`], round the caches: in whole vectors where they are aligned, and otherwise in halves,
/// which need to be aligned only as memory that comes from the system is.
///
/// # Safety
/// As for `prefixes`; and `has_halves`.
#[inline(always)]
pub(crate) unsafe fn halves<P: Product>(
    from: *const u8,
    to: *mut u8,
    blocks: usize,
    carry: &mut Carry,
) {
    macro_rules! pick {
        ($put:expr) => {
            // SAFETY: all promised by the caller.
            unsafe {
                if is::<P, (f64,)>() {
                    f64_v3(from.cast(), to.cast(), blocks, carry, &mut $put);
                } else if is::<P, (f32,)>() {
                    f32_v3(from.cast(), to.cast(), blocks, carry, &mut $put);
                } else if is_i32::<P>() {
                    i32_v3(from.cast(), to.cast(), blocks, carry, &mut $put);
                } else if is_i64::<P>() {
                    i64_v3(from.cast(), to.cast(), blocks, carry, &mut $put);
                }
            }
        };
    }
    match to.addr().is_multiple_of(size_of::<__m256i>()) {
        true => pick!(Whole),
        false => pick!(Halves),
    }
}

/// How vectors are written.
pub(super) trait Put<V> {
    /// # Safety
    /// There is room, and the processor has what the vector's level names.
    unsafe fn put(&mut self, to: *mut V, vector: V);
}

/// As they come.
struct Plainly;

impl Put<__m512i> for Plainly {
    #[inline(always)]
    unsafe fn put(&mut self, to: *mut __m512i, vector: __m512i) {
        // SAFETY: all promised by the caller.
        unsafe { _mm512_storeu_si512(to, vector) };
    }
}

impl Put<__m256i> for Plainly {
    #[inline(always)]
    unsafe fn put(&mut self, to: *mut __m256i, vector: __m256i) {
        // SAFETY: all promised by the caller.
        unsafe { _mm256_storeu_si256(to, vector) };
    }
}

/// Round the caches, to places that are aligned.
struct Whole;

impl Put<__m256i> for Whole {
    #[inline(always)]
    unsafe fn put(&mut self, to: *mut __m256i, vector: __m256i) {
        // SAFETY: all promised by the caller.
        unsafe { _mm256_stream_si256(to, vector) };
    }
}

/// Round the caches, to places that are aligned for half of a vector.
struct Halves;

impl Put<__m256i> for Halves {
    #[inline(always)]
    unsafe fn put(&mut self, to: *mut __m256i, vector: __m256i) {
        let to = to.cast::<__m128i>();
        // SAFETY: all promised by the caller.
        unsafe {
            stream_half(to, _mm256_castsi256_si128(vector));
            stream_half(to.add(1), _mm256_extracti128_si256::<1>(vector));
        }
    }
}

/// `_mm_stream_si128` in the encoding of AVX. That one has the old encoding everywhere, and some processors
/// save half of all registers whenever the two meet.
///
/// # Safety
/// There is room for a vector at `to`, which is aligned, and the processor has AVX.
#[inline(always)]
unsafe fn stream_half(to: *mut __m128i, half: __m128i) {
    // SAFETY: it writes what the caller promises, and nothing else.
    unsafe {
        core::arch::asm!(
            "vmovntdq [{to}], {half}",
            to = in(reg) to,
            half = in(xmm_reg) half,
            options(nostack, preserves_flags)
        );
    }
}

impl Put<__m512i> for Lines {
    #[inline(always)]
    unsafe fn put(&mut self, to: *mut __m512i, vector: __m512i) {
        // SAFETY: all promised by the caller; the places are aligned vectors.
        unsafe {
            let index = _mm512_load_si512(self.index.as_ptr().cast());
            let before = _mm512_load_si512(self.before.as_ptr().cast());
            _mm512_stream_si512(to, _mm512_permutex2var_epi32(before, index, vector));
            _mm512_store_si512(self.before.as_mut_ptr().cast(), vector);
        }
    }
}

/// The function of `prefixes` for a type and a level: `$block` reads a block, writes its prefixes
/// and gives the next carry.
macro_rules! sums {
    (
        $name:ident<$W:ident: Put<$V:ty>> $put:ident, $t:ty, $features:literal, $load:ident, $store:ident,
        |$from:ident, $to:ident, $carry:ident| $block:block
    ) => {
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) unsafe fn $name<$W: Put<$V>>(
            from: *const $t,
            to: *mut $t,
            blocks: usize,
            place: &mut Carry,
            $put: &mut $W,
        ) {
            // SAFETY: a carry has the size of the largest vector.
            let mut $carry = unsafe { $load(place.0.as_ptr().cast()) };
            for block in 0..blocks {
                // SAFETY: both may be accessed for `blocks` blocks, the caller says.
                unsafe {
                    let $from = from.add(block * BLOCK);
                    let $to = to.add(block * BLOCK);
                    $carry = $block;
                }
            }
            // SAFETY: as above.
            unsafe { $store(place.0.as_mut_ptr().cast(), $carry) };
        }
    };
}

pub(super) use sums;

/// Sixteen 8-byte lanes in two vectors of AVX-512.
macro_rules! two_of_eight {
    ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
        sums!(
            $name<W: Put<__m512i>> put,
            $t,
            "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
            $load,
            $store,
            |from, to, carry| {
                let none = $bits($set($zero));
                let (mut a, mut b) = ($load(from.cast()), $load(from.add(8).cast()));
                macro_rules! step {
                    ($shift:literal) => {
                        let (low, high) = ($bits(a), $bits(b));
                        b = $add($back(_mm512_alignr_epi64::<{ 8 - $shift }>(high, low)), b);
                        a = $add($back(_mm512_alignr_epi64::<{ 8 - $shift }>(low, none)), a);
                    };
                }
                step!(1);
                step!(2);
                step!(4);
                b = $add(a, b);
                put.put(to.cast(), $bits($add(carry, a)));
                put.put(to.add(8).cast(), $bits($add(carry, b)));
                let last = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), $bits(b));
                $add(carry, $back(last))
            }
        );
    };
}

/// Sixteen 4-byte lanes in one vector of AVX-512.
macro_rules! one_of_sixteen {
    ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
        sums!(
            $name<W: Put<__m512i>> put,
            $t,
            "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
            $load,
            $store,
            |from, to, carry| {
                let none = $bits($set($zero));
                let mut a = $load(from.cast());
                macro_rules! step {
                    ($shift:literal) => {
                        let moved = _mm512_alignr_epi32::<{ 16 - $shift }>($bits(a), none);
                        a = $add($back(moved), a);
                    };
                }
                step!(1);
                step!(2);
                step!(4);
                step!(8);
                put.put(to.cast(), $bits($add(carry, a)));
                let last = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), $bits(a));
                $add(carry, $back(last))
            }
        );
    };
}

// What is moved in is the neutral element: adding it changes no bit.
two_of_eight!(
    f64_v4,
    f64,
    -0.0,
    _mm512_set1_pd,
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_add_pd,
    _mm512_castpd_si512,
    _mm512_castsi512_pd
);
two_of_eight!(
    i64_v4,
    i64,
    0,
    _mm512_set1_epi64,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi64,
    core::convert::identity,
    core::convert::identity
);
one_of_sixteen!(
    f32_v4,
    f32,
    -0.0,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_add_ps,
    _mm512_castps_si512,
    _mm512_castsi512_ps
);
one_of_sixteen!(
    i32_v4,
    i32,
    0,
    _mm512_set1_epi32,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi32,
    core::convert::identity,
    core::convert::identity
);
