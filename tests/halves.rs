//! Scalar maths of floats of 16 bits: within 0.501 ulp of the type, for every value there is.

#![allow(missing_docs, reason = "tests only")]

use half::{bf16, f16};
use ragged::__private::Maths;
use ragged::accel;

accel! {
    #[instances(f16, bf16)]
    pub fn singles<T: Float>(xs: [T; n]) -> [[T; n]; 22] {
        [
            xs.map(|x| x.exp()), xs.map(|x| x.ln()), xs.map(|x| x.sin()), xs.map(|x| x.cos()),
            xs.map(|x| x.tanh()), xs.map(|x| x.exp2()), xs.map(|x| x.exp_m1()), xs.map(|x| x.ln_1p()),
            xs.map(|x| x.log2()), xs.map(|x| x.log10()), xs.map(|x| x.cbrt()), xs.map(|x| x.tan()),
            xs.map(|x| x.asin()), xs.map(|x| x.acos()), xs.map(|x| x.atan()), xs.map(|x| x.sinh()),
            xs.map(|x| x.cosh()), xs.map(|x| x.asinh()), xs.map(|x| x.acosh()), xs.map(|x| x.atanh()),
            xs.map(|x| x.erf()), xs.map(|x| x.erfc()),
        ]
    }

    #[instances(f16, bf16)]
    pub fn pairs<T: Float>(xs: [T; n], ys: [T; n]) -> [[T; n]; 4] {
        let both = zip(xs, ys);
        [
            both.map(|(x, y)| x.pow(y)), both.map(|(x, y)| x.log(y)),
            both.map(|(x, y)| x.atan2(y)), both.map(|(x, y)| x.hypot(y)),
        ]
    }
}

type Exact<A> = (&'static str, fn(A) -> f64);

const SINGLES: [Exact<f64>; 22] = [
    ("exp", |x| x.exp()),
    ("ln", |x| x.ln()),
    ("sin", |x| x.sin()),
    ("cos", |x| x.cos()),
    ("tanh", |x| x.tanh()),
    ("exp2", |x| x.exp2()),
    ("exp_m1", |x| x.exp_m1()),
    ("ln_1p", |x| x.ln_1p()),
    ("log2", |x| x.log2()),
    ("log10", |x| x.log10()),
    ("cbrt", |x| x.cbrt()),
    ("tan", |x| x.tan()),
    ("asin", |x| x.asin()),
    ("acos", |x| x.acos()),
    ("atan", |x| x.atan()),
    ("sinh", |x| x.sinh()),
    ("cosh", |x| x.cosh()),
    ("asinh", |x| Maths::asinh(x)),
    ("acosh", |x| Maths::acosh(x)),
    ("atanh", |x| Maths::atanh(x)),
    ("erf", |x| Maths::erf(x)),
    ("erfc", |x| Maths::erfc(x)),
];

const PAIRS: [Exact<(f64, f64)>; 4] = [
    ("pow", |(x, y)| x.powf(y)),
    ("log", |(x, y)| x.log2() / y.log2()),
    ("atan2", |(x, y)| x.atan2(y)),
    ("hypot", |(x, y)| x.hypot(y)),
];

/// A type: its digits, the exponents of its smallest normal number and of its largest.
struct Format {
    digits: i32,
    lowest: i32,
    highest: i32,
}

const F16: Format = Format {
    digits: 11,
    lowest: -14,
    highest: 15,
};
const BF16: Format = Format {
    digits: 8,
    lowest: -126,
    highest: 127,
};

impl Format {
    /// One unit in the last place of numbers like `x`.
    fn ulp(&self, x: f64) -> f64 {
        let exponent = (x.abs().to_bits() >> 52) as i32 - 1023;
        2f64.powi(exponent.clamp(self.lowest, self.highest) - self.digits + 1)
    }

    /// How far `found` is from `exact`, in ulp; an infinity counts as the number after the largest.
    fn off(&self, found: f64, exact: f64) -> f64 {
        if found.is_nan() && exact.is_nan() {
            return 0.0;
        }
        let beyond = 2f64.powi(self.highest + 1);
        let [found, exact] = [found, exact].map(|x| x.clamp(-beyond, beyond));
        (found - exact).abs() / self.ulp(exact)
    }
}

fn check<A: Copy + std::fmt::Debug>(
    format: &Format,
    functions: &[Exact<A>],
    args: &[A],
    found: impl Fn(usize, usize) -> f64,
) {
    for (at, (name, exact)) in functions.iter().enumerate() {
        for (i, arg) in args.iter().enumerate() {
            let (found, exact) = (found(at, i), exact(*arg));
            let off = format.off(found, exact);
            assert!(
                off <= 0.501,
                "{name}{arg:?} is {exact}, not {found}: {off} ulp"
            );
        }
    }
}

fn all() -> impl Iterator<Item = u16> {
    0..=u16::MAX
}

/// Each value beside another, all over the range.
fn other(bits: u16) -> u16 {
    bits.wrapping_mul(40503).wrapping_add(12345)
}

macro_rules! within_the_bound {
    ($name:ident, $ty:ident, $format:expr, $singles:ident, $pairs:ident) => {
        #[test]
        fn $name() {
            let xs: Vec<$ty> = all().map($ty::from_bits).collect();
            let ys: Vec<$ty> = all().map(other).map($ty::from_bits).collect();
            let of = |xs: &[$ty]| xs.iter().map(|x| x.to_f64()).collect::<Vec<f64>>();
            let args = of(&xs);
            let found = $singles(&xs).unwrap();
            check(&$format, &SINGLES, &args, |at, i| found[[at, i]].to_f64());
            let args: Vec<_> = args.into_iter().zip(of(&ys)).collect();
            let found = $pairs(&xs, &ys).unwrap();
            check(&$format, &PAIRS, &args, |at, i| found[[at, i]].to_f64());
        }
    };
}

within_the_bound!(f16_is_within_the_bound, f16, F16, singles_f16, pairs_f16);
within_the_bound!(
    bf16_is_within_the_bound,
    bf16,
    BF16,
    singles_bf16,
    pairs_bf16
);
