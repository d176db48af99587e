//! What is measured, where, and how.
//!
//! In: a number of points. Out: for each function, its largest error in ulp and where.
//! Assumes: the reference ([`reference`]) for `f64`; the `libm` crate's `f64` for `f32`.

use super::derived;
use super::reference::{self, Wide, single_ulps, ulps};
use ragged_core::math::{FUSING, Maths, MulAdd};

/// The largest error met, and the arguments.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    pub ulp: f64,
    pub at: (f64, f64),
}

impl Worst {
    fn meet(&mut self, ulp: f64, at: (f64, f64)) {
        if ulp > self.ulp {
            *self = Worst { ulp, at };
        }
    }
}

/// A function of one argument, its references, its documented bounds, and for `f64` where it is
/// defined and which exponents are of interest.
pub struct One {
    pub name: &'static str,
    pub single: fn(f32) -> f32,
    pub exact_single: fn(f64) -> f64,
    pub double: fn(f64) -> f64,
    pub exact_double: fn(f64) -> Wide,
    /// Of `f32` and `f64`.
    pub bounds: (f64, f64),
    pub exponents: (i32, i32),
    pub domain: (f64, f64),
}

/// A function of two arguments, and how `f64` pairs are made that are in its domain.
pub struct Two {
    pub name: &'static str,
    pub single: fn(f32, f32) -> f32,
    pub exact_single: fn(f64, f64) -> f64,
    pub double: fn(f64, f64) -> f64,
    pub exact_double: fn(f64, f64) -> Wide,
    /// Of `f32` and `f64`.
    pub bounds: (f64, f64),
    pub pair: fn(&mut Random) -> (f64, f64),
}

const ALL: (f64, f64) = (f64::MIN, f64::MAX);
const POSITIVE: (f64, f64) = (5e-324, f64::MAX);
const UNIT: (f64, f64) = (-1.0, 1.0);
const ABOVE_MINUS_ONE: (f64, f64) = (-1.0 + f64::EPSILON / 2.0, f64::MAX);
const ABOVE_ONE: (f64, f64) = (1.0, f64::MAX);
const INSIDE: (f64, f64) = (-1.0 + f64::EPSILON / 2.0, 1.0 - f64::EPSILON / 2.0);

macro_rules! ones {
    ($($name:ident $single:expr, $double:path, $bounds:expr, $exponents:expr, $domain:ident;)*) => {
        [$(One {
            name: stringify!($name),
            single: Maths::$name,
            exact_single: $single,
            double: Maths::$name,
            exact_double: $double,
            bounds: $bounds,
            exponents: $exponents,
            domain: $domain,
        }),*]
    };
}

pub const ONES: [One; 22] = ones! {
    exp libm::exp, reference::exp, (0.95, 0.95), (-30, 9), ALL;
    ln libm::log, reference::ln, (0.95, 0.9), (-4, 3), POSITIVE;
    sin libm::sin, reference::sin, (0.51, 0.9), (-20, 20), ALL;
    cos libm::cos, reference::cos, (0.51, 0.9), (-20, 20), ALL;
    tanh libm::tanh, reference::tanh, (0.51, 0.9), (-12, 5), ALL;
    exp2 libm::exp2, derived::exp2, (0.51, 0.8), (-30, 9), ALL;
    exp_m1 libm::expm1, derived::exp_m1, (0.51, 0.9), (-30, 9), ALL;
    ln_1p libm::log1p, derived::ln_1p, (0.51, 0.9), (-30, 9), ABOVE_MINUS_ONE;
    log2 libm::log2, derived::log2, (0.51, 0.51), (-4, 3), POSITIVE;
    log10 libm::log10, derived::log10, (0.51, 0.51), (-4, 3), POSITIVE;
    cbrt libm::cbrt, derived::cbrt, (0.51, 0.67), (-3, 3), ALL;
    tan libm::tan, derived::tan, (0.51, 1.0), (-20, 20), ALL;
    asin libm::asin, derived::asin, (0.51, 0.7), (-10, -1), UNIT;
    acos libm::acos, derived::acos, (0.51, 0.7), (-10, -1), UNIT;
    atan libm::atan, derived::atan, (0.51, 0.65), (-8, 8), ALL;
    sinh libm::sinh, derived::sinh, (0.51, 0.9), (-12, 9), ALL;
    cosh libm::cosh, derived::cosh, (0.51, 0.9), (-12, 9), ALL;
    asinh libm::asinh, derived::asinh, (0.51, 0.9), (-12, 30), ALL;
    acosh |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }, derived::acosh, (0.51, 0.9), (0, 30), ABOVE_ONE;
    atanh libm::atanh, derived::atanh, (0.51, 0.9), (-12, -1), INSIDE;
    erf libm::erf, derived::erf, (0.51, 1.0), (-8, 2), ALL;
    erfc libm::erfc, derived::erfc, (0.51, 1.4), (-8, 4), ALL;
};

/// The functions that `#[fast]` makes of fused operations.
pub const FUSED: [One; 2] = [
    One {
        name: "exp fused",
        single: MulAdd::exp::<FUSING>,
        double: MulAdd::exp::<FUSING>,
        bounds: (1.1, 1.1),
        ..ONES[0]
    },
    One {
        name: "ln fused",
        single: MulAdd::ln::<FUSING>,
        double: MulAdd::ln::<FUSING>,
        ..ONES[1]
    },
];

macro_rules! twos {
    ($($name:ident $single:expr, $double:path, $bounds:expr, $pair:expr;)*) => {
        [$(Two {
            name: stringify!($name),
            single: Maths::$name,
            exact_single: $single,
            double: Maths::$name,
            exact_double: $double,
            bounds: $bounds,
            pair: $pair,
        }),*]
    };
}

pub const TWOS: [Two; 4] = twos! {
    pow libm::pow, reference::pow, (0.51, 0.9), power;
    log |x, b| libm::log2(x) / libm::log2(b), derived::log, (0.51, 0.51), logarithm;
    atan2 libm::atan2, derived::atan2, (0.51, 0.65), point;
    hypot libm::hypot, derived::hypot, (0.51, 0.76), point;
};

/// A small random number generator (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Of any sign, with its exponent uniform in a range.
    pub fn double(&mut self, (low, high): (i32, i32)) -> f64 {
        let bits = self.bits();
        let exponent = low + (self.bits() % (high - low + 1) as u64) as i32;
        f64::from_bits((bits & !(0x7ff << 52)) | ((exponent + 1023) as u64) << 52)
    }

    /// Strata of one argument: all bit patterns, the range of interest, near 1, near k·π/2.
    pub fn argument(&mut self, exponents: (i32, i32)) -> f64 {
        match self.bits() % 8 {
            0 | 1 => f64::from_bits(self.bits()),
            2 => 1.0 + self.double((-54, -3)),
            3 => {
                let k = (self.bits() >> (self.bits() % 40 + 24)) as f64;
                let x = k * std::f64::consts::FRAC_PI_2;
                f64::from_bits(x.to_bits().wrapping_add(self.bits() % 3).wrapping_sub(1))
            }
            _ => self.double(exponents),
        }
    }
}

/// Every `step`-th bit pattern of `f32` from `start`.
pub fn single(function: &One, start: u32, step: usize) -> Worst {
    let mut worst = Worst::default();
    for bits in (start..=u32::MAX).step_by(step) {
        let x = f32::from_bits(bits);
        let exact = (function.exact_single)(f64::from(x));
        worst.meet(
            single_ulps((function.single)(x), exact),
            (f64::from(x), 0.0),
        );
    }
    worst
}

/// `points` arguments from all strata.
pub fn double(function: &One, points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let x = random.argument(function.exponents);
        let (low, high) = function.domain;
        if !(low..=high).contains(&x) {
            continue; // the special values have their own test
        }
        worst.meet(
            ulps((function.double)(x), (function.exact_double)(x)),
            (x, 0.0),
        );
    }
    worst
}

/// Pairs for `pow`: any bits, and exponents such that the result is in range.
fn power(random: &mut Random) -> (f64, f64) {
    let x = random.argument((-8, 8)).abs();
    let size = x.log2().abs();
    let y = match random.bits() % 8 {
        0 => f64::from_bits(random.bits()),
        1 => (random.bits() % 64) as f64 - 32.0,
        2 => random.double((-3, 3)),
        _ => random.double((-4, 0)) * 1100.0 / size,
    };
    (x, y)
}

/// Positive pairs.
fn logarithm(random: &mut Random) -> (f64, f64) {
    let mut one = || random.argument((-8, 8)).abs();
    (one(), one())
}

/// Pairs of all sizes, mostly of nearly the same.
fn point(random: &mut Random) -> (f64, f64) {
    match random.bits() % 8 {
        0 => (f64::from_bits(random.bits()), f64::from_bits(random.bits())),
        1 => {
            let scale = random.double((-1060, 1000));
            (
                random.double((-8, 8)) * scale,
                random.double((-8, 8)) * scale,
            )
        }
        2 => (random.double((-60, 60)), random.double((-60, 60))),
        _ => (random.double((-3, 3)), random.double((-3, 3))),
    }
}

/// `points` pairs, rounded to `f32`; of `pow` half of them such that the result is in range.
pub fn single_two(function: &Two, points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let (x, y) = (function.pair)(&mut random);
        let smaller = function.name == "pow" && random.bits() & 1 == 0;
        let (x, y) = (x as f32, if smaller { y / 8.0 } else { y } as f32);
        let exact = (function.exact_single)(f64::from(x), f64::from(y));
        worst.meet(
            single_ulps((function.single)(x, y), exact),
            (x.into(), y.into()),
        );
    }
    worst
}

/// `points` pairs.
pub fn double_two(function: &Two, points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let (x, y) = (function.pair)(&mut random);
        let special = |x: f64| x == 0.0 || !x.is_finite();
        if special(x) || special(y) && function.name != "pow" || !y.is_finite() {
            continue;
        }
        if function.name == "log" && (x == 1.0 || y == 1.0) {
            continue;
        }
        worst.meet(
            ulps((function.double)(x, y), (function.exact_double)(x, y)),
            (x, y),
        );
    }
    worst
}
