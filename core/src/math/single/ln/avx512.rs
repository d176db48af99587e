//! The same by vectors of AVX-512.
//!
//! In: lanes of four vectors. Out: the bits of `ln`.
//! Assumes: what the unsafe functions ask for.
//!
//! Whether all lanes are positive normal numbers is asked once: edges take a third of the operations else. Products
//! with the first part of ln 2 are exact, so that those that are fused round as the others do.

use core::arch::x86_64::*;

use super::{LN2_HIGH, LN2_LOW, MANTISSA, ONE, SQRT_HALF, TAIL};
use crate::math::single::turns::{Constants, VECTORS, WIDTH, each, turn};

static CONSTANTS: Constants<13> = Constants::new([
    TAIL[0], TAIL[1], TAIL[2], TAIL[3], TAIL[4], TAIL[5], TAIL[6], TAIL[7], TAIL[8], LN2_HIGH,
    LN2_LOW, -0.5, 1.0,
]);

/// Bits of a number of which the exponent is the greatest when half a mantissa is added.
const LARGE: u32 = 254 << 23;

/// ln x of each lane.
///
/// # Safety
/// The processor has what `Level::V4` names.
///
/// # Panics
/// When there are not four vectors.
#[inline(always)]
pub(super) unsafe fn ln<const L: usize>(x: [f32; L]) -> [f32; L] {
    assert!(L == VECTORS * WIDTH);
    let mut lanes = [0.0; L];
    // SAFETY: so many lanes there are, and room for them; promised by the caller.
    unsafe {
        let v = each!(v => _mm512_loadu_ps(x.as_ptr().add(v * WIDTH)));
        if !all_normal(v) {
            return others(x);
        }
        let y = normal(v);
        each!(v => _mm512_storeu_ps(lanes.as_mut_ptr().add(v * WIDTH), y[v]));
    }
    lanes
}

/// The same where some lanes are none.
///
/// # Safety
/// The processor has what `Level::V4` names.
#[inline(always)]
unsafe fn others<const L: usize>(mut x: [f32; L]) -> [f32; L] {
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[cold]
    #[inline(never)]
    fn each_lane(lanes: &mut [f32]) {
        for x in lanes {
            *x = super::ln(*x);
        }
    }
    // SAFETY: promised by the caller.
    unsafe { each_lane(&mut x) };
    x
}

/// Whether all lanes are positive normal numbers, and not next to infinity.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn all_normal(x: [__m512; VECTORS]) -> bool {
    const LEAST: u32 = 1 << 23;
    // SAFETY: promised by the caller.
    unsafe {
        let least = _mm512_set1_epi32(LEAST as i32);
        // What is below, negative or zero, is far above then.
        let [a, b, c, d] = each!(v => _mm512_sub_epi32(_mm512_castps_si512(x[v]), least));
        let largest = _mm512_max_epu32(_mm512_max_epu32(a, b), _mm512_max_epu32(c, d));
        let limit = _mm512_set1_epi32((LARGE - LEAST) as i32);
        _mm512_cmpge_epu32_mask(largest, limit) == 0
    }
}

/// ln x of positive normal numbers.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn normal(x: [__m512; VECTORS]) -> [__m512; VECTORS] {
    let constants = CONSTANTS.unknown();
    // SAFETY: promised by the caller.
    unsafe {
        let all = |bits: u32| _mm512_set1_epi32(bits as i32);
        let bits = turn!(v => {
            let shifted = _mm512_add_epi32(_mm512_castps_si512(x[v]), all(ONE - SQRT_HALF));
            _mm512_castsi512_ps(shifted)
        });
        let k = turn!(v => _mm512_getexp_ps(bits[v]));
        let m = turn!(v => {
            let mantissa = _mm512_and_si512(_mm512_castps_si512(bits[v]), all(MANTISSA));
            _mm512_castsi512_ps(_mm512_add_epi32(mantissa, all(SQRT_HALF)))
        });
        let (ln2_high, ln2_low) = (constants.get(9), constants.get(10));
        let (minus_half, one) = (constants.get(11), constants.get(12));
        let f = turn!(v => _mm512_sub_ps(m[v], one));
        let high = turn!(v => _mm512_fmadd_ps(k[v], ln2_high, f[v]));
        let rounded = turn!(v => _mm512_fnmadd_ps(k[v], ln2_high, high[v]));
        let low = turn!(v => _mm512_sub_ps(f[v], rounded[v]));
        let lower = turn!(v => _mm512_mul_ps(k[v], ln2_low));
        let low = turn!(v => _mm512_add_ps(low[v], lower[v]));
        // As `tail` has it.
        let square = turn!(v => _mm512_mul_ps(f[v], f[v]));
        let fourth = turn!(v => _mm512_mul_ps(square[v], square[v]));
        macro_rules! pair {
            ($at:literal) => {{
                let (a, b) = (constants.get($at), constants.get($at + 1));
                let product = turn!(v => _mm512_mul_ps(b, f[v]));
                turn!(v => _mm512_add_ps(a, product[v]))
            }};
        }
        let first = pair!(0);
        let second = pair!(2);
        let second = turn!(v => _mm512_mul_ps(second[v], square[v]));
        let first = turn!(v => _mm512_add_ps(first[v], second[v]));
        let third = pair!(4);
        let last = pair!(6);
        let last = turn!(v => _mm512_mul_ps(last[v], square[v]));
        let third = turn!(v => _mm512_add_ps(third[v], last[v]));
        let third = turn!(v => _mm512_mul_ps(third[v], fourth[v]));
        let tail = turn!(v => _mm512_add_ps(first[v], third[v]));
        let eighth = turn!(v => _mm512_mul_ps(fourth[v], fourth[v]));
        let c8 = constants.get(8);
        let eighth = turn!(v => _mm512_mul_ps(c8, eighth[v]));
        let tail = turn!(v => _mm512_add_ps(tail[v], eighth[v]));
        let tail = turn!(v => _mm512_mul_ps(f[v], tail[v]));
        let tail = turn!(v => _mm512_add_ps(tail[v], minus_half));
        let tail = turn!(v => _mm512_mul_ps(square[v], tail[v]));
        let tail = turn!(v => _mm512_add_ps(tail[v], low[v]));
        each!(v => _mm512_add_ps(high[v], tail[v]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ln, ln_lanes};
    use crate::math::single::turns::agrees;

    #[test]
    fn blocks_have_the_bits_of_each_number() {
        let special = [
            f32::NAN,
            -f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            0.0,
            -0.0,
            -1.0,
            f32::MAX,
            f32::from_bits(super::LARGE),
            f32::from_bits(super::LARGE - 1),
            f32::MIN_POSITIVE,
            1e-40,
        ];
        let (near, ordinary) = (|i| 0.4 + i as f32 * 3e-6, |l| l as f32 + 0.7);
        agrees(ln_lanes, ln, near, &special, ordinary);
    }
}
