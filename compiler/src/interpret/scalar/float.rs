//! Float operations: IEEE, each rounded once, nothing fused.

use super::Maths;
use crate::prims::ScalarOp;
use crate::typed::ir::Const;

macro_rules! float {
    ($apply:ident $min:ident $max:ident $clamp:ident $float:ident $value:expr,
     $exp:ident $ln:ident $sin:ident $cos:ident $tanh:ident $pow:ident) => {
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
                ScalarOp::Exp => maths.$exp(x),
                ScalarOp::Ln => maths.$ln(x),
                ScalarOp::Sin => maths.$sin(x),
                ScalarOp::Cos => maths.$cos(x),
                ScalarOp::Tanh => maths.$tanh(x),
                ScalarOp::Pow => maths.$pow(x, arg(1)),
                ScalarOp::Add => x + arg(1),
                ScalarOp::Sub => x - arg(1),
                ScalarOp::Mul => x * arg(1),
                ScalarOp::Div => x / arg(1),
                ScalarOp::Rem => x % arg(1),
                ScalarOp::Min => $min(x, arg(1)),
                ScalarOp::Max => $max(x, arg(1)),
                ScalarOp::Clamp => $clamp(x, arg(1), arg(2)),
                ScalarOp::Not
                | ScalarOp::Cast
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
                | ScalarOp::Select => panic!("{op:?} gives no float of floats"),
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
    apply_f32 min_f32 max_f32 clamp_f32 f32 |bits: u64| f32::from_bits(bits as u32),
    exp_f32 ln_f32 sin_f32 cos_f32 tanh_f32 pow_f32
}

float! {
    apply_f64 min_f64 max_f64 clamp_f64 f64 f64::from_bits,
    exp_f64 ln_f64 sin_f64 cos_f64 tanh_f64 pow_f64
}
