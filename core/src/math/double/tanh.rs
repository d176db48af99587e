//! `tanh` of `f64`.
//!
//! In: any `f64`. Out: its hyperbolic tangent. Assumes: nothing.
//! Method: t = e^(2|x|) − 1 = (2^k − 1) + 2^k·(e^r − 1), the large parts summed exactly (Dekker),
//! then t/(t + 2) with its remainder.

use super::growth::{minus_one, reduced};
use crate::math::bits::top;

/// tanh x, within 0.9 ulp (measured: 0.803, 10^7 points).
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let doubled = 2.0 * x.abs();
    let z = if doubled > 64.0 { 64.0 } else { doubled };
    let (sum, rest) = minus_one(reduced(z));
    ratio(sum, rest).copysign(x)
}

/// t/(t + 2) of t = sum + rest, all but correctly rounded: the 26-bit quotient has an exact
/// remainder, whose quotient is then added.
#[inline(always)]
fn ratio(sum: f64, rest: f64) -> f64 {
    let t = sum + rest;
    let t_rest = (sum - t) + rest;
    let d = t + 2.0;
    let large_first = if t > 2.0 {
        (t - d) + 2.0
    } else {
        (2.0 - d) + t
    };
    let inverse = 1.0 / d;
    let quotient = top(t * inverse);
    let cut = top(d);
    let exact = (t - quotient * cut) - quotient * (d - cut);
    let remainder = exact + (t_rest - quotient * (large_first + t_rest));
    quotient + remainder * inverse
}
