//! Sums of two `f64` that stand for one number of about 106 bits.
//!
//! In: numbers and pairs. Out: pairs `high + low` with |low| within one unit of the last place of
//! `high`. Assumes: nothing overflows or underflows; each function that cannot rule that out selects
//! another value there.
//! Method: Dekker's and Knuth's. There is no `mul_add`; factors are cut into halves.

use crate::math::bits::top;

/// high + low.
pub(super) type Pair = (f64, f64);

/// a + b exactly.
#[inline(always)]
pub(super) fn sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// a + b exactly, for |a| ≥ |b| or a = 0.
#[inline(always)]
pub(super) fn ordered_sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    (s, (a - s) + b)
}

/// a·b, right to 2^-105 of itself.
#[inline(always)]
pub(super) fn product(a: f64, b: f64) -> Pair {
    let (a_top, b_top) = (top(a), top(b));
    let (a_rest, b_rest) = (a - a_top, b - b_top);
    let p = a * b;
    let low = ((a_top * b_top - p) + (a_top * b_rest + a_rest * b_top)) + a_rest * b_rest;
    (p, low)
}

/// n/d, right to 2^-100 of itself; the first part is the rounded quotient of the first parts.
#[inline(always)]
pub(super) fn quotient(n: Pair, d: Pair) -> Pair {
    let q = n.0 / d.0;
    let (p, p_low) = product(q, d.0);
    let rest = ((n.0 - p) - p_low) + (n.1 - q * d.1);
    (q, rest / d.0)
}

/// √x for x ≥ 0, right to 2^-100 of itself.
#[inline(always)]
pub(super) fn root(x: Pair) -> Pair {
    let s = x.0.sqrt();
    let (p, p_low) = product(s, s);
    let rest = ((x.0 - p) - p_low) + x.1;
    let divisor = if s > 0.0 { s + s } else { 1.0 };
    (s, rest / divisor)
}
