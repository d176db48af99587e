//! The run time's mathematical functions for the interpreter.

use ragged_compiler::interpret::Maths;
use ragged_core::math::Maths as Core;

/// What compiled code calls.
pub struct RunTime;

macro_rules! delegate {
    ($($name:ident $function:ident $float:ident;)*) => {$(
        fn $name(&self, x: $float) -> $float {
            Core::$function(x)
        }
    )*};
}

impl Maths for RunTime {
    delegate! {
        exp_f32 exp f32;
        ln_f32 ln f32;
        sin_f32 sin f32;
        cos_f32 cos f32;
        tanh_f32 tanh f32;
        exp_f64 exp f64;
        ln_f64 ln f64;
        sin_f64 sin f64;
        cos_f64 cos f64;
        tanh_f64 tanh f64;
    }

    fn pow_f32(&self, x: f32, y: f32) -> f32 {
        Core::pow(x, y)
    }

    fn pow_f64(&self, x: f64, y: f64) -> f64 {
        Core::pow(x, y)
    }
}
