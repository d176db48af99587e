//! Prefix sums of whole blocks for the common types, in vector registers.
//!
//! In: a chunk's values and the carry into it. Out: its prefixes, the carry behind it.
//! Assumes: what `scan.rs` says about blocks. Compilers make scalar code of a block's steps, five
//! times slower; these functions are the same steps, the same bits, by hand, for AVX2 and AVX-512.

use core::any::TypeId;

use crate::kernel::Product;

/// Where to read and write, and what. The places are of the type that [`find`] was asked about.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) values: *const u8,
    pub(crate) out: *mut u8,
    pub(crate) carry: *mut u8,
    pub(crate) blocks: usize,
    pub(crate) exclusive: bool,
    /// Round the caches.
    pub(crate) stream: bool,
}

/// Writes the prefixes of whole blocks.
///
/// Safety: `values` may be read and `out` be written for `blocks` blocks; both may be the same.
/// `carry` may be read and written.
pub(crate) type Sums = unsafe fn(Places);

/// The function for this product and the current level, if there is one.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn find<P: Product>() -> Option<Sums> {
    let _ = TypeId::of::<P>();
    None
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::find;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Places, Product, Sums, TypeId};
    use crate::level::Level;
    use crate::memory;
    use crate::scan::BLOCK;

    pub(crate) fn find<P: Product>() -> Option<Sums> {
        let level = Level::current();
        let pick = |v3: Sums, v4: Sums| match level {
            Level::V4 => Some(v4),
            Level::V3 => Some(v3),
            _ => None,
        };
        let is = |id| id == TypeId::of::<P>();
        if is(TypeId::of::<(f64,)>()) {
            pick(f64_v3, f64_v4)
        } else if is(TypeId::of::<(f32,)>()) {
            pick(f32_v3, f32_v4)
        } else if is(TypeId::of::<(i32,)>()) || is(TypeId::of::<(u32,)>()) {
            pick(i32_v3, i32_v4)
        } else if is(TypeId::of::<(i64,)>())
            || is(TypeId::of::<(u64,)>())
            || is(TypeId::of::<(usize,)>())
        {
            pick(i64_v3, i64_v4)
        } else {
            None
        }
    }

    /// Elements whose prefixes are put together before they are written.
    const BATCH: usize = 512;

    /// Room for one block, which ends in the carry, and a batch behind it.
    #[repr(align(64))]
    struct Room<T>([T; BLOCK + BATCH]);

    /// A function of type `Sums`: `$init` spreads the carry over a vector, `$block` reads a block,
    /// writes its prefixes and gives the next carry.
    macro_rules! sums {
        (
            $name:ident, $t:ty, $features:literal, $init:expr,
            |$from:ident, $to:ident, $carry:ident| $block:block
        ) => {
            #[target_feature(enable = $features)]
            unsafe fn $name(places: Places) {
                let values: *const $t = places.values.cast();
                let out: *mut $t = places.out.cast();
                // SAFETY: the caller's carry is of this type and may be read.
                let mut last = unsafe { places.carry.cast::<$t>().read() };
                let mut room = Room([last; BLOCK + BATCH]);
                let first = BLOCK - usize::from(places.exclusive);
                let mut done = 0;
                while done < places.blocks {
                    let blocks = (places.blocks - done).min(BATCH / BLOCK);
                    room.0[BLOCK - 1] = last;
                    let mut $carry = $init(last);
                    for block in 0..blocks {
                        let to = &mut room.0[BLOCK + block * BLOCK..][..BLOCK];
                        let $to: *mut $t = to.as_mut_ptr();
                        // SAFETY: `done + block < places.blocks`, for which the caller's values
                        // may be read; `to` has the length of a block.
                        unsafe {
                            let $from = values.add((done + block) * BLOCK);
                            $carry = $block;
                        }
                    }
                    let from = &room.0[first..][..blocks * BLOCK];
                    // SAFETY: the caller's output has room for the blocks; the values of these
                    // have been read.
                    unsafe { memory::copy(from, out.add(done * BLOCK), places.stream) };
                    last = room.0[BLOCK + blocks * BLOCK - 1];
                    done += blocks;
                }
                // SAFETY: the caller's carry is of this type and may be written.
                unsafe { places.carry.cast::<$t>().write(last) };
            }
        };
    }

    /// Sixteen 8-byte lanes in two vectors of AVX-512.
    macro_rules! two_of_eight {
        ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
            sums!(
                $name,
                $t,
                "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
                $set,
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
                    $store(to.cast(), $add(carry, a));
                    $store(to.add(8).cast(), $add(carry, b));
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
                $name,
                $t,
                "avx512f,avx512bw,avx512cd,avx512dq,avx512vl",
                $set,
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
                    $store(to.cast(), $add(carry, a));
                    let last = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), $bits(a));
                    $add(carry, $back(last))
                }
            );
        };
    }

    /// Sixteen 8-byte lanes in four vectors of AVX2.
    macro_rules! four_of_four {
        ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
            sums!(
                $name,
                $t,
                "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c",
                $set,
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
                    $store(to.cast(), $add(carry, a));
                    $store(to.add(4).cast(), $add(carry, b));
                    $store(to.add(8).cast(), $add(carry, c));
                    $store(to.add(12).cast(), $add(carry, d));
                    $add(carry, $back(_mm256_permute4x64_epi64::<0xff>($bits(d))))
                }
            );
        };
    }

    /// Sixteen 4-byte lanes in two vectors of AVX2.
    macro_rules! two_of_eight_short {
        ($name:ident, $t:ty, $zero:expr, $set:ident, $load:ident, $store:ident, $add:ident, $bits:expr, $back:expr) => {
            sums!(
                $name,
                $t,
                "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c",
                $set,
                |from, to, carry| {
                    let none = $bits($set($zero));
                    let (mut a, mut b) = ($load(from.cast()), $load(from.add(8).cast()));
                    macro_rules! step {
                        ($bytes:literal) => {
                            let (low, high) = ($bits(a), $bits(b));
                            let middle = _mm256_permute2x128_si256::<0x21>(low, high);
                            b = $add(
                                $back(_mm256_alignr_epi8::<{ 16 - $bytes }>(high, middle)),
                                b,
                            );
                            let middle = _mm256_permute2x128_si256::<0x21>(none, low);
                            a = $add($back(_mm256_alignr_epi8::<{ 16 - $bytes }>(low, middle)), a);
                        };
                    }
                    step!(4);
                    step!(8);
                    step!(16);
                    b = $add(a, b);
                    $store(to.cast(), $add(carry, a));
                    $store(to.add(8).cast(), $add(carry, b));
                    let last = _mm256_permutevar8x32_epi32($bits(b), _mm256_set1_epi32(7));
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
    two_of_eight_short!(
        f32_v3,
        f32,
        -0.0,
        _mm256_set1_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_add_ps,
        _mm256_castps_si256,
        _mm256_castsi256_ps
    );
    two_of_eight_short!(
        i32_v3,
        i32,
        0,
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_add_epi32,
        core::convert::identity,
        core::convert::identity
    );
}
