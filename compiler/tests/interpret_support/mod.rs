//! What the interpreter's tests share: hand-built trees, and programs from text.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod build;
pub mod text;

use ragged_compiler::interpret::Maths;
use ragged_compiler::prims::MathsFn;

/// The functions of `std`; the run time has its own.
pub struct StdMaths;

macro_rules! by_std {
    ($of:ident $powi:ident $float:ident) => {
        fn $of(&self, function: MathsFn, x: $float, y: $float) -> $float {
            match function {
                MathsFn::Cbrt => x.cbrt(),
                MathsFn::Exp => x.exp(),
                MathsFn::Exp2 => x.exp2(),
                MathsFn::ExpM1 => x.exp_m1(),
                MathsFn::Ln => x.ln(),
                MathsFn::Ln1p => x.ln_1p(),
                MathsFn::Log2 => x.log2(),
                MathsFn::Log10 => x.log10(),
                MathsFn::Sin => x.sin(),
                MathsFn::Cos => x.cos(),
                MathsFn::Tan => x.tan(),
                MathsFn::Asin => x.asin(),
                MathsFn::Acos => x.acos(),
                MathsFn::Atan => x.atan(),
                MathsFn::Sinh => x.sinh(),
                MathsFn::Cosh => x.cosh(),
                MathsFn::Tanh => x.tanh(),
                MathsFn::Asinh => x.asinh(),
                MathsFn::Acosh => x.acosh(),
                MathsFn::Atanh => x.atanh(),
                MathsFn::Hypot => x.hypot(y),
                MathsFn::Log => x.log(y),
                MathsFn::Pow => x.powf(y),
                MathsFn::Atan2 => x.atan2(y),
                MathsFn::Copysign => x.copysign(y),
                MathsFn::Erf | MathsFn::Erfc => panic!("`std` has no {function:?}"),
            }
        }

        fn $powi(&self, x: $float, n: i32) -> $float {
            x.powi(n)
        }
    };
}

impl Maths for StdMaths {
    by_std!(of_f32 powi_f32 f32);
    by_std!(of_f64 powi_f64 f64);
}

/// Floats of all magnitudes and signs, so that the order of additions shows.
pub fn floats(n: usize) -> Vec<f32> {
    let mut state = 12345_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let float = |_| (next() as f32 / 2e9 - 0.5) * [1e-3, 1.0, 1e3, 1e5][(next() % 4) as usize];
    (0..n).map(float).collect()
}
