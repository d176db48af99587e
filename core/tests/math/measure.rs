//! What is measured, where, and how.
//!
//! In: a number of points. Out: for each function, its largest error in ulp and where.
//! Assumes: the reference ([`reference`]) for `f64`; the `libm` crate's `f64` for `f32`.

use super::reference::{self, Wide, single_ulps, ulps};
use ragged_core::math::Maths;

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

/// A function of one `f32`, its reference and its documented bound.
pub struct Single {
    pub name: &'static str,
    pub ours: fn(f32) -> f32,
    pub exact: fn(f64) -> f64,
    pub bound: f64,
}

/// A function of one `f64`, its reference, its documented bound, and the exponents of interest.
pub struct Double {
    pub name: &'static str,
    pub ours: fn(f64) -> f64,
    pub exact: fn(f64) -> Wide,
    pub bound: f64,
    pub exponents: (i32, i32),
}

pub const SINGLES: [Single; 5] = [
    Single {
        name: "exp",
        ours: Maths::exp,
        exact: libm::exp,
        bound: 0.95,
    },
    Single {
        name: "ln",
        ours: Maths::ln,
        exact: libm::log,
        bound: 0.95,
    },
    Single {
        name: "sin",
        ours: Maths::sin,
        exact: libm::sin,
        bound: 0.51,
    },
    Single {
        name: "cos",
        ours: Maths::cos,
        exact: libm::cos,
        bound: 0.51,
    },
    Single {
        name: "tanh",
        ours: Maths::tanh,
        exact: libm::tanh,
        bound: 0.51,
    },
];

/// Of `f32` and `f64`.
pub const POW_BOUNDS: (f64, f64) = (0.51, 0.9);

pub const DOUBLES: [Double; 5] = [
    Double {
        name: "exp",
        ours: Maths::exp,
        exact: reference::exp,
        bound: 0.95,
        exponents: (-30, 9),
    },
    Double {
        name: "ln",
        ours: Maths::ln,
        exact: reference::ln,
        bound: 0.9,
        exponents: (-4, 3),
    },
    Double {
        name: "sin",
        ours: Maths::sin,
        exact: reference::sin,
        bound: 0.9,
        exponents: (-20, 20),
    },
    Double {
        name: "cos",
        ours: Maths::cos,
        exact: reference::cos,
        bound: 0.9,
        exponents: (-20, 20),
    },
    Double {
        name: "tanh",
        ours: Maths::tanh,
        exact: reference::tanh,
        bound: 1.0,
        exponents: (-12, 5),
    },
];

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
pub fn single(function: &Single, start: u32, step: usize) -> Worst {
    let mut worst = Worst::default();
    for bits in (start..=u32::MAX).step_by(step) {
        let x = f32::from_bits(bits);
        let exact = (function.exact)(f64::from(x));
        worst.meet(single_ulps((function.ours)(x), exact), (f64::from(x), 0.0));
    }
    worst
}

/// `points` arguments from all strata.
pub fn double(function: &Double, points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let x = random.argument(function.exponents);
        let y = (function.ours)(x);
        if !x.is_finite() || (function.name == "ln" && x <= 0.0) {
            continue; // the special values have their own test
        }
        worst.meet(ulps(y, (function.exact)(x)), (x, 0.0));
    }
    worst
}

/// Pairs for `pow`: any bits, and exponents such that the result is in range.
fn pair(random: &mut Random) -> (f64, f64) {
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

/// `pow` of `f32`.
pub fn single_pow(points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let (x, y) = pair(&mut random);
        let y = if random.bits() & 1 == 0 { y / 8.0 } else { y };
        let (x, y) = (x as f32, y as f32);
        let exact = libm::pow(f64::from(x), f64::from(y));
        worst.meet(single_ulps(Maths::pow(x, y), exact), (x.into(), y.into()));
    }
    worst
}

/// `pow` of `f64`.
pub fn double_pow(points: u64, seed: u64) -> Worst {
    let mut random = Random(seed);
    let mut worst = Worst::default();
    for _ in 0..points {
        let (x, y) = pair(&mut random);
        if x == 0.0 || !x.is_finite() || !y.is_finite() {
            continue;
        }
        worst.meet(ulps(Maths::pow(x, y), reference::pow(x, y)), (x, y));
    }
    worst
}
