//! The same by vectors of AVX-512.
//!
//! In: lanes of four vectors. Out: the bits of `exp`.
//! Assumes: what the unsafe functions ask for.
//!
//! Note [Powers in turns]: operation by operation, so that those on several vectors hide each other's
//! latencies; LLVM makes one vector after another, also of intrinsics, unless it is told that all four are
//! wanted at once. What is counted are additions: their pipes are busy all the time, also with minima,
//! shifts, and roundings, where those of products have time left. So results are scaled by an instruction
//! that takes two of their cycles rather than by a shift and a number that has to be made by two
//! additions; 1 is added by a product with 1; and whether all results are normal numbers is asked of
//! bits, which any pipe does, and of the largest of all lanes. Constants are whole vectors in memory:
//! LLVM has too few registers for them and would spread a number over a vector in each turn, which takes
//! the time of half an addition on Zen 4, where a load takes none.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{LEAST, LN2_HIGH, LN2_LOW, MOST, TAIL};

/// Vectors that are worked on together.
const VECTORS: usize = 4;

/// Lanes of a vector.
const WIDTH: usize = 16;

/// The largest number of which the power, and that of its negative, are normal numbers for sure.
const NORMAL: f32 = 87.0;

/// A number in all lanes of a vector each.
#[repr(align(64))]
struct Constants([[f32; WIDTH]; 10]);

static CONSTANTS: Constants = Constants([
    [std::f32::consts::LOG2_E; WIDTH],
    [LN2_HIGH; WIDTH],
    [LN2_LOW; WIDTH],
    [TAIL[0]; WIDTH],
    [TAIL[1]; WIDTH],
    [TAIL[2]; WIDTH],
    [TAIL[3]; WIDTH],
    [TAIL[4]; WIDTH],
    [1.0; WIDTH],
    [NORMAL; WIDTH],
]);

/// These constants, of which LLVM does not know what they are.
#[inline(always)]
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "there is no instruction that could read it"
)]
fn constants() -> &'static Constants {
    let mut from: *const Constants = &raw const CONSTANTS;
    // SAFETY: no instruction.
    unsafe {
        asm!("/* {0} */", inout(reg) from, options(pure, nomem, nostack, preserves_flags));
    }
    // SAFETY: it is what it was.
    unsafe { &*from }
}

impl Constants {
    /// The constant `at`.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[inline(always)]
    unsafe fn get(&self, at: usize) -> __m512 {
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

/// The same, all of which are computed here.
macro_rules! turn {
    ($v:ident => $value:expr) => {
        together(each!($v => $value))
    };
}

/// These vectors, for LLVM others.
///
/// # Safety
/// The processor has AVX-512.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn together([mut a, mut b, mut c, mut d]: [__m512; VECTORS]) -> [__m512; VECTORS] {
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

/// e^x of each lane.
///
/// # Safety
/// The processor has what `Level::V4` names.
///
/// # Panics
/// When there are not four vectors.
#[inline(always)]
pub(super) unsafe fn exp<const L: usize>(x: [f32; L]) -> [f32; L] {
    assert!(L == VECTORS * WIDTH);
    // SAFETY: so many lanes there are, and room for them; promised by the caller.
    unsafe {
        let x = each!(v => _mm512_loadu_ps(x.as_ptr().add(v * WIDTH)));
        let y = if all_normal(x) { normal(x) } else { others(x) };
        let mut lanes = [0.0; L];
        each!(v => _mm512_storeu_ps(lanes.as_mut_ptr().add(v * WIDTH), y[v]));
        lanes
    }
}

/// The same where some are none: `vscalef` rounds once, also what is subnormal. Lanes are in memory
/// here, so that they need not be elsewhere.
///
/// # Safety
/// The processor has what `Level::V4` names.
#[inline(always)]
unsafe fn others(x: [__m512; VECTORS]) -> [__m512; VECTORS] {
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[cold]
    #[inline(never)]
    fn within_range(lanes: &mut [f32; VECTORS * WIDTH]) {
        let from = lanes.as_mut_ptr();
        // SAFETY: so many lanes there are; the features are this function's.
        unsafe {
            let x = each!(v => _mm512_loadu_ps(from.add(v * WIDTH)));
            // The second operand is what NaN gives.
            let x = each!(v => _mm512_min_ps(_mm512_set1_ps(MOST), x[v]));
            let x = each!(v => _mm512_max_ps(_mm512_set1_ps(LEAST), x[v]));
            let y = normal(x);
            each!(v => _mm512_storeu_ps(from.add(v * WIDTH), y[v]));
        }
    }
    let mut lanes = [0.0; VECTORS * WIDTH];
    // SAFETY: so many lanes there are; promised by the caller.
    unsafe {
        each!(v => _mm512_storeu_ps(lanes.as_mut_ptr().add(v * WIDTH), x[v]));
        within_range(&mut lanes);
        each!(v => _mm512_loadu_ps(lanes.as_ptr().add(v * WIDTH)))
    }
}

/// Whether the powers of all lanes are normal numbers for sure.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn all_normal(x: [__m512; VECTORS]) -> bool {
    // SAFETY: promised by the caller.
    unsafe {
        let sign = _mm512_set1_epi32(i32::MIN);
        let [a, b, c, d] = each!(v => _mm512_andnot_si512(sign, _mm512_castps_si512(x[v])));
        let largest = _mm512_max_epi32(_mm512_max_epi32(a, b), _mm512_max_epi32(c, d));
        // NaN is greater, too.
        let limit = _mm512_castps_si512(constants().get(9));
        _mm512_cmpgt_epi32_mask(largest, limit) == 0
    }
}

/// e^x of each lane, none of which is beyond [`MOST`] or [`LEAST`].
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn normal(x: [__m512; VECTORS]) -> [__m512; VECTORS] {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    let constants = constants();
    // SAFETY: promised by the caller.
    unsafe {
        let log2_e = constants.get(0);
        let (ln2_high, ln2_low) = (constants.get(1), constants.get(2));
        let k = turn!(v => _mm512_mul_ps(x[v], log2_e));
        let k = turn!(v => _mm512_roundscale_ps::<NEAREST>(k[v]));
        let high = turn!(v => _mm512_mul_ps(k[v], ln2_high));
        let low = turn!(v => _mm512_mul_ps(k[v], ln2_low));
        let high = turn!(v => _mm512_sub_ps(x[v], high[v]));
        let r = turn!(v => _mm512_sub_ps(high[v], low[v]));
        let square = turn!(v => _mm512_mul_ps(r[v], r[v]));
        // As `tail` has it.
        let (c0, c1, c2) = (constants.get(3), constants.get(4), constants.get(5));
        let (c3, c4) = (constants.get(6), constants.get(7));
        let odd = turn!(v => _mm512_mul_ps(c3, r[v]));
        let odd = turn!(v => _mm512_add_ps(c2, odd[v]));
        let odd = turn!(v => _mm512_mul_ps(odd[v], square[v]));
        let even = turn!(v => _mm512_mul_ps(c1, r[v]));
        let even = turn!(v => _mm512_add_ps(c0, even[v]));
        let tail = turn!(v => _mm512_add_ps(even[v], odd[v]));
        let last = turn!(v => _mm512_mul_ps(square[v], square[v]));
        let last = turn!(v => _mm512_mul_ps(c4, last[v]));
        let tail = turn!(v => _mm512_add_ps(tail[v], last[v]));
        let tail = turn!(v => _mm512_mul_ps(square[v], tail[v]));
        let tail = turn!(v => _mm512_sub_ps(tail[v], low[v]));
        let one = constants.get(8);
        let y = turn!(v => _mm512_add_ps(high[v], tail[v]));
        let y = turn!(v => _mm512_fmadd_ps(y[v], one, one));
        each!(v => _mm512_scalef_ps(y[v], k[v]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{exp, exp_lanes};
    use crate::level::{Level, best};

    /// Blocks of numbers that a whole pass over all of them would take too long for.
    fn blocks() -> impl Iterator<Item = [f32; 64]> {
        let all = (0..=u32::MAX).step_by(64 * 4001);
        let patterns =
            all.map(|first| std::array::from_fn(|l| f32::from_bits(first + 61 * l as u32)));
        let small = (0..9000).map(|i| std::array::from_fn(|l| (i * 64 + l) as f32 * 3.1e-4 - 89.0));
        let special = [
            f32::NAN,
            -f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            -87.5,
            88.5,
            -104.0,
        ];
        let among = special.into_iter().flat_map(|x| {
            (0..64)
                .map(move |at| std::array::from_fn(|l| if l == at { x } else { l as f32 * -0.7 }))
        });
        patterns.chain(small).chain(among)
    }

    #[test]
    fn blocks_have_the_bits_of_each_number() {
        if best() < Level::V4 {
            return;
        }
        for block in blocks() {
            for (y, x) in exp_lanes(block).into_iter().zip(block) {
                let exact = exp(x);
                assert!(
                    y.to_bits() == exact.to_bits() || y.is_nan() && exact.is_nan(),
                    "{x:e}"
                );
            }
        }
    }
}
