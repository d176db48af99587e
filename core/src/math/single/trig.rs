//! `sin`, `cos` and `tan` of `f32`.
//!
//! In: any `f32`. Out: its sine, cosine or tangent. Assumes: nothing.
//! Method: in `f64`, x·2/π = q + f with q an integer and |f| ≤ ½, then polynomials in f.
//! Below 2^28 two pieces of 2/π do: the first has 29 bits, so that its product with x (24 bits) is
//! exact. Above, Payne–Hanek in four buckets of 27 binades: of x = y·2^e with an integer y < 2^50
//! only 2/π·2^e modulo 4 matters, and three pieces of it, two with exact products, give f to 2^-60.

use crate::math::bits::{ROUND, SIGN, poly};

/// From here on the large reduction is needed.
const LARGE: f32 = (1u32 << 28) as f32;

const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
const TWO_OVER_PI_HIGH: f64 = 0.636619770899415;
const TWO_OVER_PI_LOW: f64 = 1.4681663269012186e-9;

/// The least |x| of a bucket is this many times that of the one before.
const BUCKET: f32 = (1u32 << 27) as f32;

/// For each bucket 2^-e, with e = 5, 32, 59, 86.
const UNITS: [f32; 4] = [
    1.0 / 32.0,
    1.0 / 32.0 / BUCKET,
    1.0 / 32.0 / BUCKET / BUCKET,
    1.0 / 32.0 / BUCKET / BUCKET / BUCKET,
];

/// For each bucket 2/π · 2^e modulo 4, in three pieces.
const FIRST: [f64; 4] = [
    0.3718327134847641,
    -1.6942736431956291,
    1.3120304755866528,
    1.955036949366331,
];
const SECOND: [f64; 4] = [
    2.2778388758526447e-9,
    2.324808220932617e-9,
    3.390289465832197e-9,
    1.731872756316477e-9,
];
const THIRD: [f64; 4] = [
    3.4433832994363997e-18,
    1.138183720040841e-17,
    1.2903457621356917e-17,
    8.966332665006154e-18,
];

/// x·2/π as f in [−½, ½] and q, an integer in the low bits.
type Turns = (f64, u64);

/// sin x, within 0.51 ulp (measured: 0.501, over all `f32`), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    wave(turns(x))
}

/// cos x, within 0.51 ulp (measured: 0.501, over all `f32`), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    next_wave(turns(x))
}

/// tan x, within 0.51 ulp (measured: 0.501, over all `f32`), for every finite x; NaN for ±∞.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    slope(turns(x))
}

/// [`sin`] of every lane: the same bits, at less than the cost if no lane is large.
#[inline(always)]
pub fn sin_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = sin(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = wave(small_turns(f64::from(x[l])));
        }
    }
    y
}

/// [`cos`] of every lane: the same bits, at less than the cost if no lane is large.
#[inline(always)]
pub fn cos_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = cos(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = next_wave(small_turns(f64::from(x[l])));
        }
    }
    y
}

/// [`tan`] of every lane: the same bits, at less than the cost if no lane is large.
#[inline(always)]
pub fn tan_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    let mut y = x;
    if any_large(&x) {
        for l in 0..L {
            y[l] = tan(x[l]);
        }
    } else {
        for l in 0..L {
            y[l] = slope(small_turns(f64::from(x[l])));
        }
    }
    y
}

#[inline(always)]
fn any_large<const L: usize>(x: &[f32; L]) -> bool {
    let mut any = 0;
    for l in 0..L {
        any |= u32::from(x[l].abs() >= LARGE);
    }
    any != 0
}

#[inline(always)]
fn turns(x: f32) -> Turns {
    let (small, small_quarter) = small_turns(f64::from(x));
    let (large, large_quarter) = large_turns(x);
    let is_large = x.abs() >= LARGE;
    (
        if is_large { large } else { small },
        if is_large {
            large_quarter
        } else {
            small_quarter
        },
    )
}

#[inline(always)]
fn small_turns(x: f64) -> Turns {
    let shifted = x * TWO_OVER_PI + ROUND;
    let q = shifted - ROUND;
    let f = (x * TWO_OVER_PI_HIGH - q) + x * TWO_OVER_PI_LOW;
    (f, shifted.to_bits())
}

#[inline(always)]
fn large_turns(x: f32) -> Turns {
    let y = f64::from(x * pick(x, UNITS));
    let (f0, q0) = fraction(y * pick(x, FIRST));
    let (f1, q1) = fraction(y * pick(x, SECOND));
    let (f, q) = fraction(f0 + f1 + y * pick(x, THIRD));
    (f, q0.wrapping_add(q1).wrapping_add(q))
}

/// The value of the bucket that x is in. By selects: a table would be gathered.
#[inline(always)]
fn pick<T>(x: f32, [first, second, third, fourth]: [T; 4]) -> T {
    let size = x.abs();
    let value = if size >= LARGE * BUCKET {
        second
    } else {
        first
    };
    let value = if size >= LARGE * BUCKET * BUCKET {
        third
    } else {
        value
    };
    if size >= LARGE * BUCKET * BUCKET * BUCKET {
        fourth
    } else {
        value
    }
}

#[inline(always)]
fn fraction(turns: f64) -> Turns {
    let shifted = turns + ROUND;
    (turns - (shifted - ROUND), shifted.to_bits())
}

/// cos(π/2·(q + f)).
#[inline(always)]
fn next_wave((f, q): Turns) -> f32 {
    wave((f, q.wrapping_add(1)))
}

/// sin(π/2·(q + f)).
#[inline(always)]
fn wave((f, q): Turns) -> f32 {
    let (sin, cos) = sin_and_cos(f);
    let y = if q & 1 == 0 { sin } else { cos };
    f64::from_bits(y.to_bits() ^ ((q << 62) & SIGN)) as f32
}

/// tan(π/2·(q + f)).
#[inline(always)]
fn slope((f, q): Turns) -> f32 {
    let (sin, cos) = sin_and_cos(f);
    let odd = q & 1 != 0;
    (if odd { -cos } else { sin } / if odd { sin } else { cos }) as f32
}

/// Of π/2·f.
#[inline(always)]
fn sin_and_cos(f: f64) -> (f64, f64) {
    let w = f * f;
    let sin = f * poly!(
        w;
        1.5707963267878444, -0.6459640961056283, 0.07969258173443594,
        -0.0046812588473771075, 0.00015818937029121703
    );
    let cos = poly!(
        w;
        1.0, -1.2337005431393253, 0.25366923781016365, -0.020860238601566668, 0.000903903313737795
    );
    (sin, cos)
}
