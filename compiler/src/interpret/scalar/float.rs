//! Float operations: IEEE, each rounded once, nothing fused.

use super::Maths;
use crate::prims::{Method, ScalarOp};
use crate::typed::ir::Const;

macro_rules! float {
    ($apply:ident $method:ident $min:ident $max:ident $clamp:ident $float:ident $value:expr,
     $maths:ident $powi:ident) => {
        /// `op` of floats.
        pub(super) fn $apply(op: ScalarOp, args: &[Const], maths: &dyn Maths) -> $float {
            let arg = |i: usize| -> $float { $value(args[i].bits) };
            let x = arg(0);
            match op {
                ScalarOp::Neg => -x,
                ScalarOp::Abs => x.abs(),
                ScalarOp::Sqrt => x.sqrt(),
                ScalarOp::Floor => x.floor(),
                ScalarOp::Ceil => x.ceil(),
                ScalarOp::Round => x.round(),
                ScalarOp::Trunc => x.trunc(),
                ScalarOp::Maths(function) => {
                    let y = if args.len() > 1 { arg(1) } else { x };
                    maths.$maths(function, x, y)
                }
                ScalarOp::Powi => maths.$powi(x, args[1].bits as i32),
                ScalarOp::Method(method) => $method(method, x),
                ScalarOp::Add => x + arg(1),
                ScalarOp::Sub => x - arg(1),
                ScalarOp::Mul => x * arg(1),
                ScalarOp::Div => x / arg(1),
                ScalarOp::Rem => x % arg(1),
                ScalarOp::DivEuclid => x.div_euclid(arg(1)),
                ScalarOp::RemEuclid => x.rem_euclid(arg(1)),
                ScalarOp::Min => $min(x, arg(1)),
                ScalarOp::Max => $max(x, arg(1)),
                ScalarOp::Clamp => $clamp(x, arg(1), arg(2)),
                ScalarOp::Not
                | ScalarOp::Cast
                | ScalarOp::DivCeil
                | ScalarOp::CountOnes
                | ScalarOp::CountZeros
                | ScalarOp::LeadingZeros
                | ScalarOp::TrailingZeros
                | ScalarOp::BitAnd
                | ScalarOp::BitOr
                | ScalarOp::BitXor
                | ScalarOp::Shl
                | ScalarOp::Shr
                | ScalarOp::RotateLeft
                | ScalarOp::RotateRight
                | ScalarOp::Eq
                | ScalarOp::Ne
                | ScalarOp::Lt
                | ScalarOp::Le
                | ScalarOp::Gt
                | ScalarOp::Ge
                | ScalarOp::Before(_)
                | ScalarOp::Precedes
                | ScalarOp::Select
                | ScalarOp::Fast(_) => panic!("{op:?} gives no float of floats"),
            }
        }

        fn $method(method: Method, x: $float) -> $float {
            match method {
                Method::Signum => x.signum(),
                Method::Recip => 1.0 / x,
                Method::Fract => x - x.trunc(),
                Method::ToDegrees => x.to_degrees(),
                Method::ToRadians => x.to_radians(),
                Method::IsNan
                | Method::IsFinite
                | Method::IsInfinite
                | Method::IsSignNegative
                | Method::IsSignPositive
                | Method::LeadingOnes
                | Method::TrailingOnes
                | Method::SwapBytes
                | Method::ReverseBits
                | Method::IsPowerOfTwo
                | Method::Isqrt
                | Method::AbsDiff
                | Method::UnsignedAbs
                | Method::WrappingPow
                | Method::SaturatingAdd
                | Method::SaturatingSub
                | Method::SaturatingMul => panic!("{method:?} gives no float"),
            }
        }

        /// NaN is ignored, -0 < +0.
        fn $min(a: $float, b: $float) -> $float {
            let a_first = a < b || b.is_nan() || a == b && a.is_sign_negative();
            if a_first { a } else { b }
        }

        /// NaN is ignored, -0 < +0.
        fn $max(a: $float, b: $float) -> $float {
            let a_last = a > b || b.is_nan() || a == b && a.is_sign_positive();
            if a_last { a } else { b }
        }

        /// As Rust's: NaN stays NaN, a NaN bound does not bound, zeros of either sign are equal.
        fn $clamp(x: $float, lo: $float, hi: $float) -> $float {
            let raised = if x < lo { lo } else { x };
            if raised > hi { hi } else { raised }
        }
    };
}

float! {
    apply_f32 method_f32 min_f32 max_f32 clamp_f32 f32 |bits: u64| f32::from_bits(bits as u32),
    of_f32 powi_f32
}

float! {
    apply_f64 method_f64 min_f64 max_f64 clamp_f64 f64 f64::from_bits,
    of_f64 powi_f64
}
