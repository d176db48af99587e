//! The fast prices in AVX-512.
//!
//! With w = price φ(d1) = discounted φ(d2), one exponential serves both tails, and call and put come
//! from the two products of w with the polynomials.

use super::{BLOCK, Block, LANES, RISKFREE, SQRT_TAU_INVERSE, VOLATILITY};
use crate::levels::Level;
use std::arch::x86_64::*;

const LOG2_E: f32 = std::f32::consts::LOG2_E;

/// Prices a block.
pub fn compute(level: Level, block: Block, call: &mut [f32; BLOCK], put: &mut [f32; BLOCK]) {
    assert!(level.is_v4());
    // SAFETY: the level has these features.
    unsafe { run(block, call, put) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2")]
fn run(block: Block, call: &mut [f32; BLOCK], put: &mut [f32; BLOCK]) {
    let (mut d1s, mut d2s, mut weights) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
    for at in (0..BLOCK).step_by(LANES) {
        block.prefetch(at);
        let (price, strike) = (load(block.price, at), load(block.strike, at));
        let years = load(block.years, at);
        let root_inverse = inverse_root(years);
        let deviation = mul(mul(years, root_inverse), k(VOLATILITY));
        let moneyness = ln(mul(price, inverse(strike)));
        let drifted = fma(
            years,
            k(RISKFREE + 0.5 * VOLATILITY * VOLATILITY),
            moneyness,
        );
        let d1 = mul(drifted, mul(root_inverse, k(1.0 / VOLATILITY)));
        store(&mut d1s, at, d1);
        store(&mut d2s, at, _mm512_sub_ps(d1, deviation));
    }
    for at in (0..BLOCK).step_by(LANES) {
        let d1 = load(&d1s, at);
        let density = exp2(mul(mul(d1, d1), k(-0.5 * LOG2_E)));
        let scaled = mul(density, k(SQRT_TAU_INVERSE));
        store(&mut weights, at, mul(load(block.price, at), scaled));
    }
    for at in (0..BLOCK).step_by(LANES) {
        let (d1, d2, weight) = (load(&d1s, at), load(&d2s, at), load(&weights, at));
        let discount = exp2(mul(load(block.years, at), k(-RISKFREE * LOG2_E)));
        let discounted = mul(load(block.strike, at), discount);
        let (below1, above1) = sides(d1, weight, load(block.price, at));
        let (below2, above2) = sides(d2, weight, discounted);
        store(call, at, _mm512_sub_ps(below1, below2));
        store(put, at, _mm512_sub_ps(above2, above1));
    }
}

/// `whole` times the normal distribution below and above `d`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn sides(d: __m512, weight: __m512, whole: __m512) -> (__m512, __m512) {
    let tail = mul(weight, tail(d));
    let rest = _mm512_sub_ps(whole, tail);
    let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(d, _mm512_setzero_ps());
    let below = _mm512_mask_blend_ps(positive, tail, rest);
    (below, _mm512_mask_blend_ps(positive, rest, tail))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[f32; BLOCK], at: usize) -> __m512 {
    let lanes = &from[at..at + LANES];
    // SAFETY: the slice is one vector long.
    unsafe { _mm512_loadu_ps(lanes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [f32; BLOCK], at: usize, v: __m512) {
    let lanes = &mut to[at..at + LANES];
    // SAFETY: the slice is one vector long.
    unsafe { _mm512_storeu_ps(lanes.as_mut_ptr(), v) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn tail(d: __m512) -> __m512 {
    let x = inverse(fma(_mm512_abs_ps(d), k(0.231_641_9), k(1.0)));
    let p = fma(x, k(1.330_274_5), k(-1.821_256));
    let p = fma(x, p, k(1.781_477_9));
    let p = fma(x, p, k(-0.356_563_78));
    mul(x, fma(x, p, k(0.319_381_54)))
}

/// 2 to the power of `x`, to 1.2e-7.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn exp2(x: __m512) -> __m512 {
    // What is left above the next whole number below; scaling rounds down by itself.
    let r = _mm512_reduce_ps::<0x01>(x);
    let p = fma(r, k(1.877_576_7e-3), k(8.989_34e-3));
    let p = fma(r, p, k(5.582_631_8e-2));
    let p = fma(r, p, k(0.240_153_62));
    let p = fma(r, p, k(0.693_153_1));
    _mm512_scalef_ps(fma(r, p, k(0.999_999_93)), x)
}

/// The natural logarithm of a positive `x`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn ln(x: __m512) -> __m512 {
    let m = _mm512_getmant_ps::<_MM_MANT_NORM_P75_1P5, _MM_MANT_SIGN_SRC>(x);
    let e = _mm512_sub_ps(_mm512_getexp_ps(x), _mm512_getexp_ps(m));
    let r = _mm512_sub_ps(m, k(1.0));
    let p = fma(r, k(5.560_099e-2), k(-0.122_257_1));
    let p = fma(r, p, k(0.150_178_24));
    let p = fma(r, p, k(-0.168_091_92));
    let p = fma(r, p, k(0.199_723_17));
    let p = fma(r, p, k(-0.249_936_77));
    let p = fma(r, p, k(0.333_336_96));
    let p = fma(r, p, k(-0.500_000_6));
    let p = fma(mul(r, r), p, r);
    fma(e, k(std::f32::consts::LN_2), p)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn inverse(x: __m512) -> __m512 {
    let y = _mm512_rcp14_ps(x);
    fma(y, _mm512_fnmadd_ps(x, y, k(1.0)), y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_root(x: __m512) -> __m512 {
    let y = _mm512_rsqrt14_ps(x);
    let error = _mm512_fnmadd_ps(mul(x, y), y, k(1.0));
    fma(mul(y, k(0.5)), error, y)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn k(x: f32) -> __m512 {
    _mm512_set1_ps(x)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul(a: __m512, b: __m512) -> __m512 {
    _mm512_mul_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn fma(a: __m512, b: __m512, c: __m512) -> __m512 {
    _mm512_fmadd_ps(a, b, c)
}
