//! Reference values for the accuracy tests.
//!
//! In: `f64` arguments. Out: the function's value as [`Wide`], right to about 2^-90 of itself.
//! Assumes: nothing of the code under test; it is double-double arithmetic with Taylor series,
//! checked against values from mpmath (`points.rs`).

use std::ops::{Add, Mul, Neg, Sub};

/// An unevaluated sum of two `f64`, about 106 bits.
#[derive(Clone, Copy, Debug)]
pub struct Pair(pub f64, pub f64);

/// `value · 2^exponent`: no overflow, no subnormals.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    pub value: Pair,
    pub exponent: i32,
}

/// ln 2 and π/2, to 160 bits.
pub(super) const LN2: [f64; 3] = [
    std::f64::consts::LN_2,
    2.3190468138462996e-17,
    5.707708438416212e-34,
];
pub(super) const PIO2: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123233995736766e-17,
    -1.4973849048591698e-33,
];
/// The bits of 2/π after the point.
#[rustfmt::skip]
const TWO_OVER_PI: [u64; 22] = [
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
    0xa9e391615ee61b08, 0x6599855f14a06840,
];

pub(super) fn two_sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let t = s - a;
    Pair(s, (a - (s - t)) + (b - t))
}

pub(super) fn two_product(a: f64, b: f64) -> Pair {
    let p = a * b;
    Pair(p, a.mul_add(b, -p))
}

impl From<f64> for Pair {
    fn from(x: f64) -> Self {
        Pair(x, 0.0)
    }
}

impl Add for Pair {
    type Output = Pair;
    fn add(self, other: Pair) -> Pair {
        let s = two_sum(self.0, other.0);
        let t = two_sum(self.1, other.1);
        let u = two_sum(s.0, s.1 + t.0);
        two_sum(u.0, u.1 + t.1)
    }
}

impl Neg for Pair {
    type Output = Pair;
    fn neg(self) -> Pair {
        Pair(-self.0, -self.1)
    }
}

impl Sub for Pair {
    type Output = Pair;
    fn sub(self, other: Pair) -> Pair {
        self + -other
    }
}

impl Mul for Pair {
    type Output = Pair;
    fn mul(self, other: Pair) -> Pair {
        let p = two_product(self.0, other.0);
        two_sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Pair {
    pub(super) fn times(self, power_of_two: f64) -> Pair {
        Pair(self.0 * power_of_two, self.1 * power_of_two)
    }

    pub(super) fn over(self, other: Pair) -> Pair {
        let q = self.0 / other.0;
        let rest = self - other * q.into();
        let q2 = rest.0 / other.0;
        let rest = rest - other * q2.into();
        two_sum(q, q2) + (rest.0 / other.0).into()
    }
}

/// 2^k for |k| ≤ 1022.
pub(super) fn power(k: i32) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// e^x − 1 for |x| ≤ 0.4.
pub(super) fn small_expm1(x: Pair) -> Pair {
    const HALVINGS: i32 = 6;
    let r = x.times(power(-HALVINGS));
    let mut term = r;
    let mut sum = r;
    for n in 2..16 {
        term = (term * r).over(f64::from(n).into());
        sum = sum + term;
    }
    for _ in 0..HALVINGS {
        sum = sum.times(2.0) + sum * sum;
    }
    sum
}

/// x = k·ln 2 + r: `(k, e^r − 1)`.
fn reduced_expm1(x: Pair) -> (i32, Pair) {
    let k = (x.0 / LN2[0]).round();
    let k = k.clamp(-1e6, 1e6);
    let r = x - two_product(k, LN2[0]) - two_product(k, LN2[1]) - (k * LN2[2]).into();
    (k as i32, small_expm1(r))
}

pub(super) fn exp_of(x: Pair) -> Wide {
    let (exponent, p) = reduced_expm1(x);
    Wide {
        value: p + 1.0.into(),
        exponent,
    }
}

/// e^x.
pub fn exp(x: f64) -> Wide {
    exp_of(x.into())
}

/// tanh x.
pub fn tanh(x: f64) -> Wide {
    if x.abs() < 1e-30 {
        // scaled, so that nothing underflows; the next term is x³/3
        return Wide {
            value: (x * 2f64.powi(200)).into(),
            exponent: -200,
        };
    }
    let (k, p) = reduced_expm1(Pair::from(2.0 * x.abs().min(40.0)));
    let t = p.times(power(k)) + (power(k) - 1.0).into();
    let y = t.over(t + 2.0.into());
    Wide {
        value: if x < 0.0 { -y } else { y },
        exponent: 0,
    }
}

pub(super) fn ln_of(x: f64) -> Pair {
    let x2 = if x < f64::MIN_POSITIVE {
        x * power(60)
    } else {
        x
    };
    let shift = if x < f64::MIN_POSITIVE { -60 } else { 0 };
    let e = ((x2.to_bits() >> 52) as i32) - 1023;
    let m = x2 * power(-e / 2) * power(-(e - e / 2));
    let (m, e) = if m > 1.5 {
        (m / 2.0, e + 1 + shift)
    } else {
        (m, e + shift)
    };
    let k = f64::from(e);
    let ln_m = if (m - 1.0).abs() < 0.1 {
        ln_series((m - 1.0).into())
    } else {
        ln_newton(m)
    };
    ln_m + two_product(k, LN2[0]) + two_product(k, LN2[1]) + (k * LN2[2]).into()
}

/// ln(1 + f) for |f| ≤ 0.1.
pub(super) fn ln_series(f: Pair) -> Pair {
    let s = f.over(f + 2.0.into());
    let w = s * s;
    let mut sum = Pair(0.0, 0.0);
    for n in (0..18).rev() {
        sum = sum * w + Pair::from(2.0).over(f64::from(2 * n + 1).into());
    }
    sum * s
}

fn ln_newton(m: f64) -> Pair {
    let y = m.ln();
    let (k, p) = reduced_expm1(Pair::from(-y));
    let inverse = (p + 1.0.into()).times(power(k));
    let t = inverse * m.into() - 1.0.into();
    Pair::from(y) + t - (t * t).times(0.5)
}

/// ln x for x > 0.
pub fn ln(x: f64) -> Wide {
    Wide {
        value: ln_of(x),
        exponent: 0,
    }
}

/// |x|^y for x finite and not 0, y finite.
pub fn pow(x: f64, y: f64) -> Wide {
    let log = ln_of(x.abs());
    let y = y.clamp(-1e300, 1e300);
    if log.0.abs() * y.abs() > 1e5 {
        let exponent = if (log.0 > 0.0) == (y > 0.0) {
            100_000
        } else {
            -100_000
        };
        return Wide {
            value: 1.0.into(),
            exponent,
        };
    }
    exp_of(log * y.into())
}

/// x·2/π modulo 4 in fixed point (2 bits before the point, 190 after), of a finite x ≥ 0.
fn turns(x: f64) -> [u64; 3] {
    let bits = x.to_bits();
    let biased = (bits >> 52).max(1);
    let m = (bits & ((1 << 52) - 1)) | (u64::from(bits >> 52 != 0) << 52);
    // x = m · 2^e; bit b of 2/π (weight 2^-(b+1)) has weight 2^(e-b-1) in the product's unit m.
    let e = biased as i64 - 1075;
    // First bit of the window: weight 2 in the product, so e - b - 1 = 1.
    let first = e - 2;
    let word = |i: i64| -> u64 {
        let start = first + 64 * i;
        let at = |w: i64| {
            if (0..22).contains(&w) {
                TWO_OVER_PI[w as usize]
            } else {
                0
            }
        };
        let (w, s) = (start.div_euclid(64), start.rem_euclid(64) as u32);
        if s == 0 {
            at(w)
        } else {
            (at(w) << s) | (at(w + 1) >> (64 - s))
        }
    };
    let mut out = [0; 3];
    let mut carry = 0;
    for i in (0..4).rev() {
        let p = u128::from(m) * u128::from(word(i)) + carry;
        carry = p >> 64;
        if i < 3 {
            out[i as usize] = p as u64;
        }
    }
    out
}

/// The quarter turns of x ≥ 0 modulo 4, and the rest in [−π/4, π/4].
fn reduce(x: f64) -> (u64, Pair) {
    if x < 0.5 {
        return (0, x.into());
    }
    let t = turns(x);
    let quarter = t[0] >> 62;
    let mut f = [
        (t[0] << 2) | (t[1] >> 62),
        (t[1] << 2) | (t[2] >> 62),
        t[2] << 2,
    ];
    let up = f[0] >> 63 == 1;
    if up {
        f = f.map(|w| !w);
    }
    let mut sum = Pair(0.0, 0.0);
    for (i, w) in f.iter().enumerate().rev() {
        let unit = power(-64 * (i as i32 + 1));
        sum = sum
            + two_sum(
                (w >> 32) as f64 * 4294967296.0 * unit,
                (w & 0xffff_ffff) as f64 * unit,
            );
    }
    let angle = sum * Pair(PIO2[0], PIO2[1]);
    if up {
        ((quarter + 1) & 3, -angle)
    } else {
        (quarter, angle)
    }
}

pub(super) fn taylor(r: Pair, mut term: Pair, first: i32) -> Pair {
    let w = r * r;
    let mut sum = term;
    for i in 0..16 {
        let n = first + 2 * i;
        term = -(term * w).over(f64::from((n + 1) * (n + 2)).into());
        sum = sum + term;
    }
    sum
}

fn wave(quarter: u64, r: Pair) -> Wide {
    let value = if quarter & 1 == 0 {
        taylor(r, r, 1)
    } else {
        taylor(r, 1.0.into(), 0)
    };
    Wide {
        value: if quarter & 2 == 0 { value } else { -value },
        exponent: 0,
    }
}

/// sin x for finite x.
pub fn sin(x: f64) -> Wide {
    if x.abs() < 1e-30 {
        return Wide {
            value: (x * 2f64.powi(200)).into(),
            exponent: -200,
        };
    }
    let (quarter, r) = reduce(x.abs());
    let y = wave(quarter, r);
    Wide {
        value: if x < 0.0 { -y.value } else { y.value },
        exponent: 0,
    }
}

/// cos x for finite x.
pub fn cos(x: f64) -> Wide {
    let (quarter, r) = reduce(x.abs());
    wave(quarter + 1, r)
}

/// How many units in the last place of the exact value `y` is off.
pub fn ulps(y: f64, exact: Wide) -> f64 {
    let Wide { value, exponent } = exact;
    let size = ((value.0.to_bits() >> 52) & 0x7ff) as i32 - 1023 + exponent;
    if !(-1085..=1023).contains(&size) {
        return if y.abs() == if size > 0 { f64::INFINITY } else { 0.0 } {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let unit = (size - 52).clamp(-1074, 971);
    // Everything times 2^-unit: the answer's mantissa as an integer below 2^54.
    let scale = |x: f64, k: i32| x * power(k / 2) * power(k - k / 2);
    let finite = if y.is_infinite() {
        scale(y.signum(), 1024 - unit)
    } else {
        scale(y, -unit)
    };
    let exact = Pair(
        scale(value.0, exponent - unit),
        scale(value.1, exponent - unit),
    );
    let error = Pair::from(finite) - exact;
    if y.is_nan() {
        f64::INFINITY
    } else {
        (error.0 + error.1).abs()
    }
}

/// How many units in the last place of an `f32` the exact value `y` is off.
pub fn single_ulps(y: f32, exact: f64) -> f64 {
    if y.is_nan() || exact.is_nan() {
        return if y.is_nan() && exact.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let size = ((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    if size > 127 {
        return if f64::from(y) == exact.signum() * f64::INFINITY {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let unit = (size - 23).clamp(-149, 104);
    let finite = if y.is_infinite() {
        2f64.powi(128).copysign(f64::from(y))
    } else {
        f64::from(y)
    };
    (finite - exact).abs() * power(-unit)
}
