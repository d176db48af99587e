//! The same by vectors of AVX-512.
//!
//! In: lanes of four vectors. Out: the bits of `exp`.
//! Assumes: what the unsafe functions ask for.
//!
//! Note [Powers in turns]: what is counted are additions: their pipes are busy all the time, also with minima,
//! shifts, and roundings, where those of products have time left. So results are scaled by an instruction
//! that takes two of their cycles rather than by a shift and a number that has to be made by two
//! additions; 1 is added by a product with 1; and whether all results are normal numbers is asked of
//! bits, which any pipe does, and of the largest of all lanes. `vscalef` rounds once, but takes long for what is
//! subnormal or 0 (Note [Far below] in `exp.rs`): such lanes are masked, or scaled as `f64`.

use core::arch::x86_64::*;

use super::{LEAST, LN2_HIGH, LN2_LOW, MOST, TAIL, ZERO};
use crate::math::single::turns::{Constants, VECTORS, WIDTH, each, turn};

static CONSTANTS: Constants<10> = Constants::new([
    std::f32::consts::LOG2_E,
    LN2_HIGH,
    LN2_LOW,
    TAIL[0],
    TAIL[1],
    TAIL[2],
    TAIL[3],
    TAIL[4],
    1.0,
    NORMAL,
]);

/// The largest number of which the power, and that of its negative, are normal numbers for sure.
const NORMAL: f32 = 87.0;

/// Numbers; of those that are in neither mask the power is 0.
struct Exponents {
    x: [__m512; VECTORS],
    /// Those from [`ZERO`] to -[`NORMAL`], of which the power may be subnormal.
    small: [__mmask16; VECTORS],
    /// Those above, and NaN.
    others: [__mmask16; VECTORS],
}

/// Numbers whose powers are those of these, if they are not infinite.
///
/// # Safety
/// The processor has AVX-512.
#[cold]
#[inline(always)]
unsafe fn within_range(x: [__m512; VECTORS]) -> Exponents {
    // SAFETY: promised by the caller.
    unsafe {
        let all = |x| _mm512_set1_ps(x);
        let below = each!(v => _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x[v], all(-NORMAL)));
        let zero = each!(v => _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x[v], all(ZERO)));
        // The second operand is what NaN gives.
        let x = turn!(v => _mm512_min_ps(all(MOST), x[v]));
        let x = turn!(v => _mm512_max_ps(all(LEAST), x[v]));
        Exponents {
            x,
            small: each!(v => below[v] & !zero[v]),
            others: each!(v => !below[v]),
        }
    }
}

/// y·2^k by way of `f64`, which takes the same time for subnormal numbers.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn scaled(y: __m512, k: __m512) -> __m512 {
    // SAFETY: promised by the caller.
    unsafe {
        let half = |y, k| {
            let (y, k) = (_mm512_cvtps_pd(y), _mm512_cvtps_pd(k));
            _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(_mm512_scalef_pd(
                y, k,
            ))))
        };
        let upper = |v| _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(v)));
        let low = half(_mm512_castps512_ps256(y), _mm512_castps512_ps256(k));
        let high = _mm512_castpd512_pd256(half(upper(y), upper(k)));
        _mm512_castpd_ps(_mm512_insertf64x4::<1>(low, high))
    }
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
    let mut lanes = [0.0; L];
    // SAFETY: so many lanes there are, and room for them; promised by the caller.
    unsafe {
        let y = powers(each!(v => _mm512_loadu_ps(x.as_ptr().add(v * WIDTH))));
        each!(v => _mm512_storeu_ps(lanes.as_mut_ptr().add(v * WIDTH), y[v]));
    }
    lanes
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
        let limit = _mm512_castps_si512(CONSTANTS.unknown().get(9));
        _mm512_cmpgt_epi32_mask(largest, limit) == 0
    }
}

/// The same of vectors.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn powers(x: [__m512; VECTORS]) -> [__m512; VECTORS] {
    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    let constants = CONSTANTS.unknown();
    // SAFETY: promised by the caller.
    unsafe {
        let Exponents { x, small, others } = match all_normal(x) {
            true => Exponents {
                x,
                small: [0; VECTORS],
                others: [!0; VECTORS],
            },
            false => within_range(x),
        };
        let log2_e = constants.get(0);
        let (ln2_high, ln2_low) = (constants.get(1), constants.get(2));
        let k = turn!(v => _mm512_mul_ps(x[v], log2_e));
        let k = turn!(v => _mm512_roundscale_ps::<NEAREST>(k[v]));
        let low = turn!(v => _mm512_mul_ps(k[v], ln2_low));
        // The product is exact.
        let high = turn!(v => _mm512_fnmadd_ps(k[v], ln2_high, x[v]));
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
        let powers = each!(v => _mm512_maskz_scalef_ps(others[v], y[v], k[v]));
        match small == [0; VECTORS] {
            true => powers,
            false => each!(v => _mm512_mask_mov_ps(powers[v], small[v], scaled(y[v], k[v]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{exp, exp_lanes};
    use crate::math::single::turns::agrees;

    #[test]
    fn blocks_have_the_bits_of_each_number() {
        let special = [
            f32::NAN,
            -f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            88.5,
            -87.0,
            -87.5,
            -103.9,
            -104.0,
            -119.9,
            -120.0,
            -1e30,
        ];
        let ordinary = |l| l as f32 * -0.7;
        agrees(
            exp_lanes,
            exp,
            |i| i as f32 * 3.1e-4 - 89.0,
            &special,
            ordinary,
        );
        // Blocks in which many powers are subnormal, 0 or normal.
        agrees(
            exp_lanes,
            exp,
            |i| (i % 977) as f32 * 0.05 - 121.0,
            &[],
            ordinary,
        );
    }
}
