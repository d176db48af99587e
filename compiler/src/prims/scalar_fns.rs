//! The table of scalar functions: one record each.

use super::Scalar;
use super::scalars::{MathsFn, Method, ScalarOp};

impl MathsFn {
    /// Its record.
    pub fn record(self) -> &'static ScalarFn {
        record(ScalarOp::Maths(self))
    }
}

impl Method {
    /// Its record.
    pub fn record(self) -> &'static ScalarFn {
        record(ScalarOp::Method(self))
    }
}

fn record(op: ScalarOp) -> &'static ScalarFn {
    SCALAR_FNS
        .iter()
        .find(|function| function.op == op)
        .expect("each function and method has a record")
}

/// Which scalar types a scalar function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Floats.
    Float,
    /// Integers.
    Int,
    /// Integers without negative numbers.
    Unsigned,
    /// Integers with negative numbers.
    SignedInt,
    /// Integers and floats.
    Num,
    /// Signed integers and floats.
    Signed,
}

impl Domain {
    /// Whether `scalar` is in it.
    pub fn has(self, scalar: Scalar) -> bool {
        match self {
            Domain::Float => scalar.is_float(),
            Domain::Int => scalar.is_int(),
            Domain::Unsigned => scalar.is_unsigned_int(),
            Domain::SignedInt => scalar.is_signed_int(),
            Domain::Num => scalar != Scalar::Bool,
            Domain::Signed => scalar.is_float() || scalar.is_signed_int(),
        }
    }
}

/// A type that follows from that of the first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gives {
    /// The type of the first argument.
    First,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `bool`
    Bool,
    /// The unsigned type of the first argument's size.
    Unsigned,
}

impl Gives {
    /// The type, where the first argument is of type `first`.
    pub fn of(self, first: Scalar) -> Scalar {
        match self {
            Gives::First => first,
            Gives::I32 => Scalar::I32,
            Gives::U32 => Scalar::U32,
            Gives::Bool => Scalar::Bool,
            Gives::Unsigned => first.unsigned(),
        }
    }
}

/// A scalar function that is called by name.
pub struct ScalarFn {
    /// Its name, as method and free function.
    pub name: &'static str,
    /// What it becomes.
    pub op: ScalarOp,
    /// Number of arguments, the receiver included.
    pub arity: usize,
    /// Type of the first argument.
    pub domain: Domain,
    /// Type of the others.
    pub rest: Gives,
    /// Type of the result.
    pub gives: Gives,
    /// One sentence.
    pub doc: &'static str,
}

macro_rules! scalar_fns {
    ($($name:literal $op:expr, $arity:literal $domain:ident $rest:ident -> $gives:ident
       $doc:literal;)*) => {
        &[$(ScalarFn {
            name: $name, op: $op, arity: $arity, domain: Domain::$domain, rest: Gives::$rest,
            gives: Gives::$gives, doc: $doc,
        }),*]
    };
}

/// Scalar functions by name: what they become, number of arguments, type of the first, of the
/// others, of the result.
pub const SCALAR_FNS: &[ScalarFn] = scalar_fns! {
    "abs" ScalarOp::Abs, 1 Signed First -> First
        "Absolute value; integers wrap (`i32::MIN.abs()` is `i32::MIN`).";
    "signum" ScalarOp::Method(Method::Signum), 1 Signed First -> First
        "The sign as 1 or -1, of integers also 0; of -0 -1, NaN stays NaN.";
    "min" ScalarOp::Min, 2 Num First -> First
        "The smaller; NaN is ignored, -0 < +0.";
    "max" ScalarOp::Max, 2 Num First -> First
        "The larger; NaN is ignored, -0 < +0.";
    "clamp" ScalarOp::Clamp, 3 Num First -> First
        "`x.clamp(lo, hi)`: the nearest number from `lo` to `hi`; NaN stays NaN.";
    "sqrt" ScalarOp::Sqrt, 1 Float First -> First
        "Square root, correctly rounded.";
    "cbrt" ScalarOp::Maths(MathsFn::Cbrt), 1 Float First -> First
        "Cube root, of negative numbers too.";
    "hypot" ScalarOp::Maths(MathsFn::Hypot), 2 Float First -> First
        "`x.hypot(y)`: the square root of x² + y², without overflow in between.";
    "recip" ScalarOp::Method(Method::Recip), 1 Float First -> First
        "1 divided by the argument.";
    "floor" ScalarOp::Floor, 1 Float First -> First
        "Largest whole number not above.";
    "ceil" ScalarOp::Ceil, 1 Float First -> First
        "Smallest whole number not below.";
    "round" ScalarOp::Round, 1 Float First -> First
        "Nearest whole number, halves away from zero.";
    "trunc" ScalarOp::Trunc, 1 Float First -> First
        "Whole part, towards zero.";
    "fract" ScalarOp::Method(Method::Fract), 1 Float First -> First
        "What `trunc` takes away.";
    "exp" ScalarOp::Maths(MathsFn::Exp), 1 Float First -> First
        "e to the power of the argument.";
    "exp2" ScalarOp::Maths(MathsFn::Exp2), 1 Float First -> First
        "2 to the power of the argument.";
    "exp_m1" ScalarOp::Maths(MathsFn::ExpM1), 1 Float First -> First
        "`exp(x) - 1`, accurate near 0 too.";
    "ln" ScalarOp::Maths(MathsFn::Ln), 1 Float First -> First
        "Natural logarithm.";
    "ln_1p" ScalarOp::Maths(MathsFn::Ln1p), 1 Float First -> First
        "`ln(1 + x)`, accurate near 0 too.";
    "log2" ScalarOp::Maths(MathsFn::Log2), 1 Float First -> First
        "Logarithm to base 2.";
    "log10" ScalarOp::Maths(MathsFn::Log10), 1 Float First -> First
        "Logarithm to base 10.";
    "log" ScalarOp::Maths(MathsFn::Log), 2 Float First -> First
        "`x.log(b)`: logarithm to base b.";
    "pow" ScalarOp::Maths(MathsFn::Pow), 2 Float First -> First
        "`x.pow(y)`: x to the power of y (Rust's `powf`).";
    "powi" ScalarOp::Powi, 2 Float I32 -> First
        "`x.powi(n)`: x to the power of an `i32`; for n from -1 to 3 products and the quotient.";
    "sin" ScalarOp::Maths(MathsFn::Sin), 1 Float First -> First
        "Sine of an angle in radians.";
    "cos" ScalarOp::Maths(MathsFn::Cos), 1 Float First -> First
        "Cosine of an angle in radians.";
    "tan" ScalarOp::Maths(MathsFn::Tan), 1 Float First -> First
        "Tangent of an angle in radians.";
    "asin" ScalarOp::Maths(MathsFn::Asin), 1 Float First -> First
        "Arcsine in radians; NaN beyond 1.";
    "acos" ScalarOp::Maths(MathsFn::Acos), 1 Float First -> First
        "Arccosine in radians; NaN beyond 1.";
    "atan" ScalarOp::Maths(MathsFn::Atan), 1 Float First -> First
        "Arctangent in radians.";
    "atan2" ScalarOp::Maths(MathsFn::Atan2), 2 Float First -> First
        "`y.atan2(x)`: the angle of the point (x, y), from -π to π.";
    "sinh" ScalarOp::Maths(MathsFn::Sinh), 1 Float First -> First
        "Hyperbolic sine.";
    "cosh" ScalarOp::Maths(MathsFn::Cosh), 1 Float First -> First
        "Hyperbolic cosine.";
    "tanh" ScalarOp::Maths(MathsFn::Tanh), 1 Float First -> First
        "Hyperbolic tangent.";
    "asinh" ScalarOp::Maths(MathsFn::Asinh), 1 Float First -> First
        "Inverse hyperbolic sine.";
    "acosh" ScalarOp::Maths(MathsFn::Acosh), 1 Float First -> First
        "Inverse hyperbolic cosine; NaN below 1.";
    "atanh" ScalarOp::Maths(MathsFn::Atanh), 1 Float First -> First
        "Inverse hyperbolic tangent; NaN beyond 1.";
    "erf" ScalarOp::Maths(MathsFn::Erf), 1 Float First -> First
        "The error function.";
    "erfc" ScalarOp::Maths(MathsFn::Erfc), 1 Float First -> First
        "`1 - erf(x)`, accurate where that is small too.";
    "to_degrees" ScalarOp::Method(Method::ToDegrees), 1 Float First -> First
        "Radians as degrees.";
    "to_radians" ScalarOp::Method(Method::ToRadians), 1 Float First -> First
        "Degrees as radians.";
    "copysign" ScalarOp::Maths(MathsFn::Copysign), 2 Float First -> First
        "`x.copysign(y)`: x with the sign of y; NaN counts as positive.";
    "is_nan" ScalarOp::Method(Method::IsNan), 1 Float First -> Bool
        "Whether it is NaN, as `bool`.";
    "is_finite" ScalarOp::Method(Method::IsFinite), 1 Float First -> Bool
        "Whether it is neither infinite nor NaN, as `bool`.";
    "is_infinite" ScalarOp::Method(Method::IsInfinite), 1 Float First -> Bool
        "Whether it is an infinity, as `bool`.";
    "is_sign_negative" ScalarOp::Method(Method::IsSignNegative), 1 Float First -> Bool
        "Whether it is -0 or less, as `bool`; of NaN `false`.";
    "is_sign_positive" ScalarOp::Method(Method::IsSignPositive), 1 Float First -> Bool
        "Whether it is +0 or more, as `bool`; of NaN `false`.";
    "div_euclid" ScalarOp::DivEuclid, 2 Num First -> First
        "The whole quotient that leaves a remainder of 0 or more; integers: division by 0 is an error.";
    "rem_euclid" ScalarOp::RemEuclid, 2 Num First -> First
        "The remainder of that division, from 0 to below the size of the divisor.";
    "div_ceil" ScalarOp::DivCeil, 2 Unsigned First -> First
        "The quotient, rounded up; division by 0 is an error.";
    "count_ones" ScalarOp::CountOnes, 1 Int First -> U32
        "Number of one bits, as `u32`.";
    "count_zeros" ScalarOp::CountZeros, 1 Int First -> U32
        "Number of zero bits, as `u32`.";
    "leading_zeros" ScalarOp::LeadingZeros, 1 Int First -> U32
        "Number of leading zero bits, as `u32`.";
    "trailing_zeros" ScalarOp::TrailingZeros, 1 Int First -> U32
        "Number of trailing zero bits, as `u32`.";
    "leading_ones" ScalarOp::Method(Method::LeadingOnes), 1 Int First -> U32
        "Number of leading one bits, as `u32`.";
    "trailing_ones" ScalarOp::Method(Method::TrailingOnes), 1 Int First -> U32
        "Number of trailing one bits, as `u32`.";
    "rotate_left" ScalarOp::RotateLeft, 2 Int U32 -> First
        "Rotates the bits left by a `u32` amount.";
    "rotate_right" ScalarOp::RotateRight, 2 Int U32 -> First
        "Rotates the bits right by a `u32` amount.";
    "swap_bytes" ScalarOp::Method(Method::SwapBytes), 1 Int First -> First
        "The bytes back to front.";
    "reverse_bits" ScalarOp::Method(Method::ReverseBits), 1 Int First -> First
        "The bits back to front.";
    "is_power_of_two" ScalarOp::Method(Method::IsPowerOfTwo), 1 Unsigned First -> Bool
        "Whether just one bit is set, as `bool`.";
    "isqrt" ScalarOp::Method(Method::Isqrt), 1 Unsigned First -> First
        "Square root, rounded down.";
    "abs_diff" ScalarOp::Method(Method::AbsDiff), 2 Int First -> Unsigned
        "How far apart they are, in the unsigned type of that size.";
    "unsigned_abs" ScalarOp::Method(Method::UnsignedAbs), 1 SignedInt First -> Unsigned
        "Absolute value, in the unsigned type of that size.";
    "wrapping_add" ScalarOp::Add, 2 Int First -> First
        "Sum that wraps, for `usize` too.";
    "wrapping_sub" ScalarOp::Sub, 2 Int First -> First
        "Difference that wraps, for `usize` too.";
    "wrapping_mul" ScalarOp::Mul, 2 Int First -> First
        "Product that wraps, for `usize` too.";
    "wrapping_pow" ScalarOp::Method(Method::WrappingPow), 2 Int U32 -> First
        "To the power of a `u32`; wraps, for `usize` too.";
    "saturating_add" ScalarOp::Method(Method::SaturatingAdd), 2 Int First -> First
        "Sum, or the nearest number of the type.";
    "saturating_sub" ScalarOp::Method(Method::SaturatingSub), 2 Int First -> First
        "Difference, or the nearest number of the type.";
    "saturating_mul" ScalarOp::Method(Method::SaturatingMul), 2 Int First -> First
        "Product, or the nearest number of the type.";
};

/// The scalar function called `name`.
pub fn scalar_fn(name: &str) -> Option<&'static ScalarFn> {
    SCALAR_FNS.iter().find(|function| function.name == name)
}
