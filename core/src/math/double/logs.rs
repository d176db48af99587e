//! Logarithms of `f64` to other bases, from the long log₂ of `pow`: `log2`, `log10`, `log`; `exp2`.
//!
//! In: any `f64`. Out: the logarithm; −∞ of ±0, NaN below. Assumes: nothing.
//! Method: log₂ as a number of 26 bits and a rest (right to about 2^-65), times log₁₀ 2 in two
//! parts, or divided by that of the base with the exact remainder.

use super::pair::Pair;
use super::pow;
use crate::math::bits::top;

/// log₂ x, within 0.51 ulp (measured: 0.500, 10^7 points).
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (high, low) = pow::long_log2(x);
    edged(x, high + low)
}

/// log₁₀ x, within 0.51 ulp (measured: 0.500, 10^7 points).
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    const LOG10_2: f64 = std::f64::consts::LOG10_2;
    const LOG10_2_TOP: f64 = 0.3010299950838089;
    const LOG10_2_REST: f64 = 5.801722962879576e-10;
    let (high, low) = pow::long_log2(x);
    let whole = high * LOG10_2_TOP;
    let part = high * LOG10_2_REST + low * LOG10_2;
    edged(x, whole + part)
}

/// The logarithm of x to a base, within 0.51 ulp (measured: 0.500, 10^7 points); log₂ x / log₂
/// base at the edges.
#[inline(always)]
pub fn log(x: f64, base: f64) -> f64 {
    let (n, d) = (pow::long_log2(x), pow::long_log2(base));
    let (size, divisor) = (n.0 + n.1, d.0 + d.1);
    let plain = is_plain(x) & is_plain(base) & (base != 1.0);
    let rounded = edged(x, size) / edged(base, divisor);
    if plain {
        divided(n, d, size / divisor, divisor)
    } else {
        rounded
    }
}

/// n/d, from the quotient of the sums and the sum of d.
#[inline(always)]
fn divided(n: Pair, d: Pair, quotient: f64, divisor: f64) -> f64 {
    let q = top(quotient);
    let rest = ((n.0 - q * d.0) - q * d.1) + n.1;
    q + rest / divisor
}

/// 2^x, within 0.8 ulp (measured: 0.747, 10^7 points).
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    pow::exp2(pow::bounded((x, 0.0)))
}

/// y, or the logarithm of what is not positive and finite.
#[inline(always)]
fn edged(x: f64, y: f64) -> f64 {
    let edge = if x < 0.0 { f64::NAN } else { x };
    let edge = if x == 0.0 { f64::NEG_INFINITY } else { edge };
    if is_plain(x) { y } else { edge }
}

#[inline(always)]
fn is_plain(x: f64) -> bool {
    (x > 0.0) & (x < f64::INFINITY)
}
