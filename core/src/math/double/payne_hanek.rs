//! Argument reduction of huge `f64` angles.
//!
//! In: 2^14 ≤ x < ∞ (anything else gives an unused number, NaN for ∞). Out: x mod π/2 as
//! high + low, right to 2^-55 of itself, and the number of quarter turns modulo 4.
//! Assumes: nothing.
//! Method: Payne–Hanek, in `f64` and without branches, so that it vectorises: x = 2^(24j)·z with
//! 1 ≤ z < 2^24 and z cut into digits of 24 bits; products with the digits of 2/π are exact; those
//! that only give multiples of 4 quarter turns are left out, and the first seven columns after them
//! are summed from exact parts.

use super::trig::Angle;
use crate::math::bits::{ONE, ROUND, top};

const TWO24: f64 = (1u32 << 24) as f64;

/// π/2: its first 26 bits, and the rest.
const PIO2_TOP: f64 = 1.5707963109016418;
const PIO2_REST: f64 = 1.5893254773528196e-8;

/// Columns of the product that matter.
const COLUMNS: usize = 7;

/// x as high + low + q·π/2.
#[inline(always)]
pub(super) fn angle(x: f64) -> Angle {
    let (f, rest, q) = quarter_turns(columns(x));
    let cut = top(f);
    let whole = cut * PIO2_TOP;
    let part = cut * PIO2_REST + ((f - cut) + rest) * std::f64::consts::FRAC_PI_2;
    let high = whole + part;
    (high, (whole - high) + part, q)
}

/// x·2/π modulo 4 as a sum; column g is a multiple of 2^(−24g − 4), less than 2^(49 − 24g).
#[inline(always)]
fn columns(x: f64) -> [f64; COLUMNS] {
    let exponent = (x.to_bits() >> 52).wrapping_sub(1023) & 0x7ff;
    let j = (exponent * 2731) >> 16; // exponent / 24
    let z = x * f64::from_bits(ONE.wrapping_sub((24 * j) << 52));
    let first = nearest(z);
    let scaled = (z - first) * TWO24;
    let second = nearest(scaled);
    let third = (scaled - second) * TWO24;
    let start = (j & 63) as usize;
    let mut sums = [0.0; COLUMNS];
    let mut unit = 1.0;
    for (g, sum) in sums.iter_mut().enumerate() {
        let product = first * DIGITS[start + g + 2]
            + (second * DIGITS[start + g + 1] + third * DIGITS[start + g]);
        *sum = product * unit;
        unit *= 1.0 / TWO24;
    }
    sums
}

/// The sum of the columns as f + rest in [−½, ½], and the whole number that was taken away.
#[inline(always)]
fn quarter_turns(c: [f64; COLUMNS]) -> (f64, f64, u64) {
    let (a, qa) = fraction(modulo_4(c[0]) + modulo_4(c[1]));
    let (b, qb) = fraction(c[2]);
    let (f, qf) = fraction(a + b);
    let sum = f + c[3];
    let rest = (f - sum) + c[3];
    let total = sum + c[4];
    let rest = rest + ((sum - total) + c[4]) + (c[5] + c[6]);
    let high = total + rest;
    (
        high,
        (total - high) + rest,
        qa.wrapping_add(qb).wrapping_add(qf),
    )
}

#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + ROUND) - ROUND
}

#[inline(always)]
fn modulo_4(x: f64) -> f64 {
    x - 4.0 * nearest(0.25 * x)
}

#[inline(always)]
fn fraction(x: f64) -> (f64, u64) {
    let shifted = x + ROUND;
    (x - (shifted - ROUND), shifted.to_bits())
}

/// Three zeros, then the digits of 2/π in base 2^24.
#[rustfmt::skip]
static DIGITS: [f64; 64 + COLUMNS + 1] = [
    0.0, 0.0, 0.0, 10680707.0, 7228996.0, 1387004.0, 2578385.0, 16069853.0,
    12639074.0, 9804092.0, 4427841.0, 16666979.0, 11263675.0, 12935607.0, 2387514.0, 4345298.0,
    14681673.0, 3074569.0, 13734428.0, 16653803.0, 1880361.0, 10960616.0, 8533493.0, 3062596.0,
    8710556.0, 7349940.0, 6258241.0, 3772886.0, 3769171.0, 3798172.0, 8675211.0, 12450088.0,
    3874808.0, 9961438.0, 366607.0, 15675153.0, 9132554.0, 7151469.0, 3571407.0, 2607881.0,
    12013382.0, 4155038.0, 6285869.0, 7677882.0, 13102053.0, 15825725.0, 473591.0, 9065106.0,
    15363067.0, 6271263.0, 9264392.0, 5636912.0, 4652155.0, 7056368.0, 13614112.0, 10155062.0,
    1944035.0, 9527646.0, 15080200.0, 6658437.0, 6231200.0, 6832269.0, 16767104.0, 5075751.0,
    3212806.0, 1398474.0, 7579849.0, 6349435.0, 12618859.0, 4703257.0, 12806093.0, 14477321.0,
];
