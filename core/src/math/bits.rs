//! The few bit tricks that the functions share.
//!
//! In: floats. Out: floats. Assumes: round-to-nearest, which the rounding constants rely on:
//! adding 1.5·2^52 (1.5·2^23 for `f32`) leaves the nearest integer in the low bits of the sum.

/// `c0 + x·(c1 + x·(c2 + …))` by Estrin's scheme: pairs, pairs of pairs, …; `fused` in front of `x`:
/// products and sums as one operation.
///
/// A few more multiplications than Horner's, but a short chain: the chain is what limits a loop
/// over vectors, since processors hold only a few of its iterations at once. `horner` in front of `x`:
/// by that scheme, fused, where few operations weigh more.
macro_rules! poly {
    (horner $x:expr; $only:expr $(,)?) => { $only };
    (horner $x:expr; $c:expr, $($rest:expr),+ $(,)?) => {
        $x.mul_add(poly!(horner $x; $($rest),+), $c)
    };
    (fused $x:expr; $($c:expr),+ $(,)?) => { poly!(@start fused $x; $($c),+) };
    ($x:expr; $($c:expr),+ $(,)?) => { poly!(@start plain $x; $($c),+) };
    (@start $way:ident $x:expr; $only:expr) => { $only };
    (@start $way:ident $x:expr; $($c:expr),+) => {{
        let x = $x;
        poly!(@pairs $way x; [] $($c),+)
    }};
    (@pairs $way:ident $x:ident; [$($done:expr,)*] $a:expr, $b:expr, $($rest:expr),+) => {
        poly!(@pairs $way $x; [$($done,)* poly!(@term $way $x, $a, $b),] $($rest),+)
    };
    (@pairs $way:ident $x:ident; [] $a:expr, $b:expr) => { poly!(@term $way $x, $a, $b) };
    (@pairs $way:ident $x:ident; [$($done:expr,)*] $a:expr, $b:expr) => {
        poly!(@start $way $x * $x; $($done,)* poly!(@term $way $x, $a, $b))
    };
    (@pairs $way:ident $x:ident; [$($done:expr,)*] $a:expr) => {
        poly!(@start $way $x * $x; $($done,)* $a)
    };
    (@term plain $x:ident, $a:expr, $b:expr) => { $a + $b * $x };
    (@term fused $x:ident, $a:expr, $b:expr) => { $x.mul_add($b, $a) };
}
pub(super) use poly;

/// The powers that are products: x^n for n from −1 to 3, else `$power`.
macro_rules! small_power {
    ($x:ident, $n:ident, $power:expr) => {{
        let power = if $n == 3 { $x * $x * $x } else { $power };
        let power = if $n == 2 { $x * $x } else { power };
        let power = if $n == 1 { $x } else { power };
        let power = if $n == 0 { 1.0 } else { power };
        if $n == -1 { 1.0 / $x } else { power }
    }};
}
pub(super) use small_power;

/// Adding and subtracting it rounds an `f64` below 2^51 to the nearest integer, ties to even.
pub(super) const ROUND: f64 = 1.5 * (1u64 << 52) as f64;

/// The sign bit of an `f64`.
pub(super) const SIGN: u64 = 1 << 63;

/// The bits of the mantissa of an `f64`.
pub(super) const MANTISSA: u64 = (1 << 52) - 1;

/// The bits of 1.0.
pub(super) const ONE: u64 = 1023 << 52;

/// The bits of √½, the lower end of the mantissas that logarithms work on.
pub(super) const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// The first 26 bits of the mantissa: products of two such numbers are exact (Dekker).
#[inline(always)]
pub(super) fn top(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 27) - 1))
}

/// A positive normal `f64` as 2^k · m with m in [√½, √2): `(k + 1023, m)`.
///
/// No integer is converted (AVX2 cannot): the exponent becomes the mantissa of 2^52 + k + 1023.
#[inline(always)]
pub(super) fn exponent_and_mantissa(x: f64) -> (f64, f64) {
    const TWO52: f64 = (1u64 << 52) as f64;
    let bits = x.to_bits().wrapping_add(ONE - SQRT_HALF);
    let exponent = f64::from_bits((bits >> 52) | TWO52.to_bits()) - TWO52;
    let mantissa = f64::from_bits((bits & MANTISSA) + SQRT_HALF);
    (exponent, mantissa)
}

/// What [`split_power`] expects to have been added: rounds, and leaves k + 2046 in the low bits.
pub(super) const ROUND_BIASED: f64 = ROUND + 2046.0;

/// 2^k as a product of two normal numbers, from `k + ROUND_BIASED` with |k| < 2000: so that the
/// whole range, subnormal results included, takes two multiplications, and only the last rounds.
#[inline(always)]
pub(super) fn split_power(shifted: f64) -> (f64, f64) {
    let biased = shifted.to_bits();
    let half = biased >> 1;
    let rest = biased.wrapping_sub(half);
    (f64::from_bits(half << 52), f64::from_bits(rest << 52))
}

/// 2^k from `k + ROUND` with |k| < 1022.
#[inline(always)]
pub(super) fn power(shifted: f64) -> f64 {
    f64::from_bits((shifted.to_bits() << 52).wrapping_add(ONE))
}
