//! Reference values of the functions that are made of those in [`reference`](super::reference).
//!
//! In: `f64` arguments of the function's domain. Out: the value as [`Wide`], right to about 2^-90
//! of itself. Assumes: nothing of the code under test.

use super::reference::{
    LN2, PIO2, Pair, Wide, cos, exp_of, ln_of, ln_series, power, sin, small_expm1, taylor,
    two_product, two_sum,
};

/// Below this, functions with slope 1 at 0 are their argument.
const TINY: f64 = 1e-30;

const ONE: Pair = Pair(1.0, 0.0);
const LN10: Pair = Pair(std::f64::consts::LN_10, -2.1707562233822494e-16);
const TWO_OVER_SQRT_PI: Pair = Pair(std::f64::consts::FRAC_2_SQRT_PI, 1.533545961316588e-17);

fn plain(value: Pair) -> Wide {
    Wide { value, exponent: 0 }
}

/// x·factor without underflow.
fn tiny(x: f64, factor: Pair) -> Wide {
    let value = factor * (x * 2f64.powi(200)).into();
    Wide {
        value,
        exponent: -200,
    }
}

/// The function of |x|, with the sign of x.
fn odd(x: f64, positive: impl Fn(f64) -> Wide) -> Wide {
    let size = x.abs();
    let Wide { value, exponent } = if size < TINY {
        tiny(size, ONE)
    } else {
        positive(size)
    };
    Wide {
        value: if x < 0.0 { -value } else { value },
        exponent,
    }
}

fn half(it: Pair) -> Pair {
    it.times(0.5)
}

fn root(x: Pair) -> Pair {
    let s = x.0.sqrt();
    if s == 0.0 {
        return s.into();
    }
    Pair::from(s) + half(x - two_product(s, s)).over(s.into())
}

/// x as m·2^e with 1 ≤ |m| < 2.
fn parts(x: f64) -> (f64, i32) {
    let shift = if x.abs() < f64::MIN_POSITIVE { 60 } else { 0 };
    let x = x * power(shift);
    let biased = ((x.to_bits() >> 52) & 0x7ff) as i32;
    let m = f64::from_bits((x.to_bits() & !(0x7ff << 52)) | 1023 << 52);
    (m, biased - 1023 - shift)
}

/// 2^x.
pub fn exp2(x: f64) -> Wide {
    let x = x.clamp(-1e5, 1e5);
    let k = x.round();
    let value = ONE + small_expm1(Pair::from(x - k) * Pair(LN2[0], LN2[1]));
    Wide {
        value,
        exponent: k as i32,
    }
}

/// e^x − 1 for |x| ≤ 200.
fn minus_one(x: f64) -> Pair {
    if x.abs() < 0.4 {
        return small_expm1(x.into());
    }
    let Wide { value, exponent } = exp_of(x.into());
    value.times(power(exponent)) - ONE
}

/// e^x − 1.
pub fn exp_m1(x: f64) -> Wide {
    if x.abs() < TINY {
        tiny(x, ONE)
    } else if x > 200.0 {
        exp_of(x.into())
    } else {
        plain(minus_one(x.max(-200.0)))
    }
}

/// sinh x.
pub fn sinh(x: f64) -> Wide {
    odd(x, |x| {
        if x > 100.0 {
            return half_exp(x);
        }
        let t = minus_one(x);
        plain(half(t + t.over(t + ONE)))
    })
}

/// cosh x.
pub fn cosh(x: f64) -> Wide {
    let size = x.abs();
    if size > 100.0 {
        return half_exp(size);
    }
    let e = minus_one(size) + ONE;
    plain(half(e + ONE.over(e)))
}

fn half_exp(x: f64) -> Wide {
    let Wide { value, exponent } = exp_of(x.into());
    Wide {
        value,
        exponent: exponent - 1,
    }
}

/// ln(1 + v).
fn ln_1p_of(v: Pair) -> Pair {
    if v.0.abs() < 0.1 {
        return ln_series(v);
    }
    let u = ONE + v;
    let d = Pair::from(u.1).over(u.0.into());
    ln_of(u.0) + d - half(d * d)
}

/// ln(1 + x) for x > −1.
pub fn ln_1p(x: f64) -> Wide {
    if x.abs() < TINY {
        return tiny(x, ONE);
    }
    plain(ln_1p_of(x.into()))
}

/// log₂ x for x > 0.
pub fn log2(x: f64) -> Wide {
    plain(ln_of(x).over(Pair(LN2[0], LN2[1])))
}

/// log₁₀ x for x > 0.
pub fn log10(x: f64) -> Wide {
    plain(ln_of(x).over(LN10))
}

/// The logarithm of x > 0 to a base > 0 other than 1.
pub fn log(x: f64, base: f64) -> Wide {
    plain(ln_of(x).over(ln_of(base)))
}

/// asinh x.
pub fn asinh(x: f64) -> Wide {
    odd(x, |x| {
        if x > 1e16 {
            return plain(ln_of(x) + Pair(LN2[0], LN2[1]));
        }
        let square = two_product(x, x);
        let part = square.over(ONE + root(ONE + square));
        plain(ln_1p_of(part + x.into()))
    })
}

/// acosh x for x ≥ 1.
pub fn acosh(x: f64) -> Wide {
    if x > 1e16 {
        return plain(ln_of(x) + Pair(LN2[0], LN2[1]));
    }
    let t = Pair::from(x - 1.0);
    plain(ln_1p_of(t + root(t * two_sum(x, 1.0))))
}

/// atanh x for |x| < 1.
pub fn atanh(x: f64) -> Wide {
    odd(x, |x| {
        let v = Pair::from(2.0 * x).over(two_sum(1.0, -x));
        plain(half(ln_1p_of(v)))
    })
}

/// tan x for finite x.
pub fn tan(x: f64) -> Wide {
    odd(x, |x| plain(sin(x).value.over(cos(x).value)))
}

/// The angle of the point (x, y), both not negative and of ordinary size.
fn acute(y: Pair, x: Pair) -> Pair {
    let t = Pair::from(y.0.atan2(x.0));
    let (s, c) = (taylor(t, t, 1), taylor(t, ONE, 0));
    t + (y * c - x * s).over(x * c + y * s)
}

fn straight() -> Pair {
    Pair(2.0 * PIO2[0], 2.0 * PIO2[1])
}

/// atan x.
pub fn atan(x: f64) -> Wide {
    odd(x, |x| plain(acute(x.min(1e200).into(), ONE)))
}

/// The angle of the point (x, y), neither 0 nor infinite.
pub fn atan2(y: f64, x: f64) -> Wide {
    let ((my, ey), (mx, ex)) = (parts(y.abs()), parts(x.abs()));
    let flat = ey - ex < -120;
    let angle = if flat {
        Pair::from(my).over(mx.into())
    } else {
        let most = ey.max(ex);
        let scaled = |m: f64, e: i32| Pair::from(m * power((e - most).max(-1000)));
        acute(scaled(my, ey), scaled(mx, ex))
    };
    let exponent = if flat { ey - ex } else { 0 };
    let wide = match (x < 0.0, flat) {
        (true, true) => plain(straight()),
        (true, false) => plain(straight() - angle),
        (false, _) => Wide {
            value: angle,
            exponent,
        },
    };
    Wide {
        value: if y < 0.0 { -wide.value } else { wide.value },
        exponent: wide.exponent,
    }
}

/// √(1 − x²).
fn complement(x: f64) -> Pair {
    root(two_sum(1.0, -x) * two_sum(1.0, x))
}

/// asin x for |x| ≤ 1.
pub fn asin(x: f64) -> Wide {
    odd(x, |x| plain(acute(x.into(), complement(x))))
}

/// acos x for |x| ≤ 1.
pub fn acos(x: f64) -> Wide {
    let angle = acute(complement(x), x.abs().into());
    plain(if x < 0.0 { straight() - angle } else { angle })
}

/// ∛x.
pub fn cbrt(x: f64) -> Wide {
    if x == 0.0 {
        return plain(x.into());
    }
    let (m, e) = parts(x);
    let third = e.div_euclid(3);
    let m = Pair::from(m * power(e - 3 * third));
    let t = Pair::from(m.0.cbrt());
    let square = t * t;
    let value = t + (m - square * t).over(square * 3.0.into());
    Wide {
        value,
        exponent: third,
    }
}

/// √(x² + y²).
pub fn hypot(x: f64, y: f64) -> Wide {
    let (_, exponent) = parts(x.abs().max(y.abs()));
    let scaled = |x: f64| x * power(-exponent / 2) * power(-(exponent - exponent / 2));
    let (x, y) = (scaled(x), scaled(y));
    Wide {
        value: root(two_product(x, x) + two_product(y, y)),
        exponent,
    }
}

/// e^(−x²).
fn bell(x: f64) -> Wide {
    exp_of(-two_product(x, x))
}

/// erf x for x from 0 to 6: 2/√π·e^(−x²)·Σ x·(2x²)^n/(1·3·5···(2n + 1)).
fn erf_series(x: f64) -> Pair {
    let square = two_product(x, x).times(2.0);
    let (mut term, mut sum) = (Pair::from(x), Pair::from(x));
    for n in 1..200 {
        term = (term * square).over(f64::from(2 * n + 1).into());
        sum = sum + term;
    }
    let Wide { value, exponent } = bell(x);
    (sum * value * TWO_OVER_SQRT_PI).times(power(exponent))
}

/// erfc x for x ≥ 3: a continued fraction.
fn erfc_fraction(x: f64) -> Wide {
    let x = x.min(1e3);
    let mut d = Pair::from(x);
    for n in (1..250).rev() {
        d = Pair::from(x) + Pair::from(0.5 * f64::from(n)).over(d);
    }
    let Wide { value, exponent } = bell(x);
    Wide {
        value: half(value * TWO_OVER_SQRT_PI).over(d),
        exponent,
    }
}

/// erf x.
pub fn erf(x: f64) -> Wide {
    if x.abs() < TINY {
        return tiny(x, TWO_OVER_SQRT_PI);
    }
    odd(x, |x| plain(if x < 6.0 { erf_series(x) } else { ONE }))
}

/// 1 − erf x.
pub fn erfc(x: f64) -> Wide {
    if x >= 3.0 {
        return erfc_fraction(x);
    }
    let erf = erf(x);
    if erf.exponent != 0 {
        return plain(ONE);
    }
    plain(ONE - erf.value)
}
