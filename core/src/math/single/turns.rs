//! Four vectors of `f32` at once, for AVX-512.
//!
//! In: what is done to one. Out: the same done to all, operation by operation.
//! Assumes: what the unsafe functions ask for.
//!
//! Note [In turns]: operations on several vectors hide each other's latencies only if they follow each other
//! closely: what waits takes a place in the processor's scheduler, which is full after less than what is done to
//! one vector. LLVM makes one vector after another, also of intrinsics, unless it is told that all four are
//! wanted at once. Constants are whole vectors in memory: LLVM has too few registers for them and would spread
//! a number over a vector in each turn, which takes the time of half an addition on Zen 4, where a load takes
//! none.

use core::arch::asm;
use core::arch::x86_64::*;

/// Vectors that are worked on together.
pub(super) const VECTORS: usize = 4;

/// Lanes of a vector.
pub(super) const WIDTH: usize = 16;

/// A number in all lanes of a vector each.
#[repr(align(64))]
pub(super) struct Constants<const N: usize>([[f32; WIDTH]; N]);

impl<const N: usize> Constants<N> {
    /// These.
    pub(super) const fn new(numbers: [f32; N]) -> Self {
        let mut all = [[0.0; WIDTH]; N];
        let mut at = 0;
        while at < N {
            all[at] = [numbers[at]; WIDTH];
            at += 1;
        }
        Constants(all)
    }

    /// The same, of which LLVM does not know what they are.
    #[inline(always)]
    #[allow(
        clippy::pointers_in_nomem_asm_block,
        reason = "there is no instruction that could read it"
    )]
    pub(super) fn unknown(&'static self) -> &'static Self {
        let mut from: *const Self = self;
        // SAFETY: no instruction.
        unsafe {
            asm!("/* {0} */", inout(reg) from, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: it is what it was.
        unsafe { &*from }
    }

    /// The constant `at`.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    pub(super) unsafe fn get(&self, at: usize) -> __m512 {
        // SAFETY: promised by the caller.
        unsafe { _mm512_load_ps(self.0[at].as_ptr()) }
    }
}

/// The values of `$value` for each vector `$v`.
macro_rules! each {
    ($v:ident => $value:expr) => {
        [
            each!(@ $v 0 $value),
            each!(@ $v 1 $value),
            each!(@ $v 2 $value),
            each!(@ $v 3 $value),
        ]
    };
    (@ $v:ident $at:literal $value:expr) => {{
        let $v: usize = $at;
        $value
    }};
}

pub(super) use each;

/// The same, all of which are computed here.
macro_rules! turn {
    ($v:ident => $value:expr) => {
        $crate::math::single::turns::together($crate::math::single::turns::each!($v => $value))
    };
}

pub(super) use turn;

/// These vectors, for LLVM others.
///
/// # Safety
/// The processor has AVX-512.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn together(
    [mut a, mut b, mut c, mut d]: [__m512; VECTORS],
) -> [__m512; VECTORS] {
    // SAFETY: no instruction.
    unsafe {
        asm!(
            "/* {0} {1} {2} {3} */",
            inout(zmm_reg) a, inout(zmm_reg) b, inout(zmm_reg) c, inout(zmm_reg) d,
            options(nomem, nostack, preserves_flags)
        );
    }
    [a, b, c, d]
}

/// Asserts that a function of blocks has the bits of that of one number: for patterns of bits from all over, in
/// steps that a whole pass would take too long without, for the numbers that `near` gives one after another,
/// and for each of `special` in every lane, the others of which `ordinary` gives.
#[cfg(test)]
pub(super) fn agrees(
    of_block: fn([f32; 64]) -> [f32; 64],
    alone: fn(f32) -> f32,
    near: fn(usize) -> f32,
    special: &[f32],
    ordinary: fn(usize) -> f32,
) {
    use crate::level::{Level, best};
    use std::array::from_fn;

    if best() < Level::V4 {
        return;
    }
    let firsts = (0..=u32::MAX).step_by(64 * 4001);
    let patterns = firsts.map(|first| from_fn(|l| f32::from_bits(first + 61 * l as u32)));
    let in_order = (0..9000).map(|i| from_fn(|l| near(i * 64 + l)));
    let among = special
        .iter()
        .flat_map(|x| (0..64).map(move |at| from_fn(|l| if l == at { *x } else { ordinary(l) })));
    for block in patterns.chain(in_order).chain(among) {
        for (y, x) in of_block(block).into_iter().zip(block) {
            let exact = alone(x);
            let same = y.to_bits() == exact.to_bits() || y.is_nan() && exact.is_nan();
            assert!(same, "{x:e}");
        }
    }
}
