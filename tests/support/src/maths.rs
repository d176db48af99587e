//! The run time's mathematical functions for the interpreter.

use ragged_compiler::interpret::Maths;
use ragged_compiler::prims::MathsFn;
use ragged_core::math::Maths as Core;

/// What compiled code calls.
pub struct RunTime;

macro_rules! delegate {
    ($of:ident $powi:ident $float:ident) => {
        fn $of(&self, function: MathsFn, x: $float, y: $float) -> $float {
            match function {
                MathsFn::Cbrt => Core::cbrt(x),
                MathsFn::Exp => Core::exp(x),
                MathsFn::Exp2 => Core::exp2(x),
                MathsFn::ExpM1 => Core::exp_m1(x),
                MathsFn::Ln => Core::ln(x),
                MathsFn::Ln1p => Core::ln_1p(x),
                MathsFn::Log2 => Core::log2(x),
                MathsFn::Log10 => Core::log10(x),
                MathsFn::Sin => Core::sin(x),
                MathsFn::Cos => Core::cos(x),
                MathsFn::Tan => Core::tan(x),
                MathsFn::Asin => Core::asin(x),
                MathsFn::Acos => Core::acos(x),
                MathsFn::Atan => Core::atan(x),
                MathsFn::Sinh => Core::sinh(x),
                MathsFn::Cosh => Core::cosh(x),
                MathsFn::Tanh => Core::tanh(x),
                MathsFn::Asinh => Core::asinh(x),
                MathsFn::Acosh => Core::acosh(x),
                MathsFn::Atanh => Core::atanh(x),
                MathsFn::Erf => Core::erf(x),
                MathsFn::Erfc => Core::erfc(x),
                MathsFn::Hypot => Core::hypot(x, y),
                MathsFn::Log => Core::log(x, y),
                MathsFn::Pow => Core::pow(x, y),
                MathsFn::Atan2 => Core::atan2(x, y),
                MathsFn::Copysign => Core::copysign(x, y),
            }
        }

        fn $powi(&self, x: $float, n: i32) -> $float {
            Core::powi(x, n)
        }
    };
}

impl Maths for RunTime {
    delegate!(of_f32 powi_f32 f32);
    delegate!(of_f64 powi_f64 f64);
}
