//! Scalar operations.

/// Scalar operations that stages after `typed` share. All total: a division by zero or an index out
/// of range is caught by a check statement of its own before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarOp {
    // One operand.
    /// `-x`; integers wrap.
    Neg,
    /// `!x`
    Not,
    /// To the result's type, with the meaning of Rust's `as`.
    Cast,
    /// Absolute value; integers wrap.
    Abs,
    /// Square root.
    Sqrt,
    /// Largest whole number not above.
    Floor,
    /// Smallest whole number not below.
    Ceil,
    /// Nearest whole number, halves away from zero.
    Round,
    /// Whole part.
    Trunc,
    /// Number of one bits.
    CountOnes,
    /// Number of zero bits.
    CountZeros,
    /// Number of leading zero bits.
    LeadingZeros,
    /// Number of trailing zero bits.
    TrailingZeros,
    /// Of floats, one operand or two, computed by the run time in its own way.
    Maths(MathsFn),
    /// Rust's method of that name, one operand or two; whole-number results wrap.
    Method(Method),
    // Two operands.
    /// `+`; integers wrap.
    Add,
    /// `-`; integers wrap.
    Sub,
    /// `*`; integers wrap.
    Mul,
    /// `/`; integers wrap.
    Div,
    /// `%`; integers wrap.
    Rem,
    /// The quotient for which the remainder is not negative; integers wrap.
    DivEuclid,
    /// The remainder that is not negative; integers wrap.
    RemEuclid,
    /// The quotient of unsigned integers, rounded up.
    DivCeil,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// The amount is taken modulo the width.
    Shl,
    /// The amount is taken modulo the width.
    Shr,
    /// Rotates the bits left.
    RotateLeft,
    /// Rotates the bits right.
    RotateRight,
    /// The smaller; ignores NaN.
    Min,
    /// The larger; ignores NaN.
    Max,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// A float to the power of an `i32`.
    Powi,
    /// Whether the first operand alone is what `min` or `max` gives of both.
    Before(Extreme),
    /// Whether sorts put the first of two floats before the second: the order of `total_cmp`.
    Precedes,
    // Three operands.
    /// `Clamp(x, lo, hi)`: the nearest from `lo` to `hi`.
    Clamp,
    /// `Select(c, a, b)`: `a` where `c`, else `b`. Both are evaluated.
    Select,
    /// What several operations of a `#[fast]` function have become; only after `flat`.
    Fast(FastOp),
}

impl ScalarOp {
    /// Whether it gives the same in any order, on floats but for rounding.
    pub fn associates(self) -> bool {
        matches!(
            self,
            ScalarOp::Add
                | ScalarOp::Mul
                | ScalarOp::Min
                | ScalarOp::Max
                | ScalarOp::BitAnd
                | ScalarOp::BitOr
                | ScalarOp::BitXor
        )
    }

    /// Whether it gives a truth value of two operands of one type.
    pub fn compares(self) -> bool {
        matches!(
            self,
            ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge
        )
    }

    /// Whether it has no value for integers whose second is 0.
    pub fn divides(self) -> bool {
        matches!(
            self,
            ScalarOp::Div
                | ScalarOp::Rem
                | ScalarOp::DivEuclid
                | ScalarOp::RemEuclid
                | ScalarOp::DivCeil
        )
    }
}

/// Functions of floats that the run time computes in its own way, the same bits everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MathsFn {
    /// `cbrt`
    Cbrt,
    /// `hypot`
    Hypot,
    /// `exp`
    Exp,
    /// `exp2`
    Exp2,
    /// `exp_m1`
    ExpM1,
    /// `ln`
    Ln,
    /// `ln_1p`
    Ln1p,
    /// `log2`
    Log2,
    /// `log10`
    Log10,
    /// `log`
    Log,
    /// `pow`
    Pow,
    /// `sin`
    Sin,
    /// `cos`
    Cos,
    /// `tan`
    Tan,
    /// `asin`
    Asin,
    /// `acos`
    Acos,
    /// `atan`
    Atan,
    /// `atan2`
    Atan2,
    /// `sinh`
    Sinh,
    /// `cosh`
    Cosh,
    /// `tanh`
    Tanh,
    /// `asinh`
    Asinh,
    /// `acosh`
    Acosh,
    /// `atanh`
    Atanh,
    /// `erf`
    Erf,
    /// `erfc`
    Erfc,
    /// `copysign`
    Copysign,
}

/// Which end of the order. Of floats: NaN is last, and of zeros the negative one is less.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extreme {
    /// `min`
    Min,
    /// `max`
    Max,
}

/// Operations of floats that `#[fast]` allows in place of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FastOp {
    /// `MulAdd(a, b, c)`: `a * b + c`, rounded once where the processor can.
    MulAdd,
    /// `MulSub(a, b, c)`: `a * b - c`, as above.
    MulSub,
    /// `SubMul(a, b, c)`: `c - a * b`, as above.
    SubMul,
    /// `Rsqrt(a)`: `1 / sqrt(a)`, from the processor's estimate where it has one.
    Rsqrt,
    /// `OverCube(a, b)`: `a / (b * sqrt(b))`, as above.
    OverCube,
    /// `Exp(a)`: `exp(a)`, of fused operations where the processor has them.
    Exp,
    /// `Ln(a)`: `ln(a)`, as above.
    Ln,
}

/// Operations whose meaning is that of Rust's method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// `signum`
    Signum,
    /// `recip`
    Recip,
    /// `fract`
    Fract,
    /// `to_degrees`
    ToDegrees,
    /// `to_radians`
    ToRadians,
    /// `is_nan`
    IsNan,
    /// `is_finite`
    IsFinite,
    /// `is_infinite`
    IsInfinite,
    /// `is_sign_negative`
    IsSignNegative,
    /// `is_sign_positive`
    IsSignPositive,
    /// `leading_ones`
    LeadingOnes,
    /// `trailing_ones`
    TrailingOnes,
    /// `swap_bytes`
    SwapBytes,
    /// `reverse_bits`
    ReverseBits,
    /// `is_power_of_two`
    IsPowerOfTwo,
    /// `isqrt`
    Isqrt,
    /// `abs_diff`
    AbsDiff,
    /// `unsigned_abs`
    UnsignedAbs,
    /// `wrapping_pow`
    WrappingPow,
    /// `saturating_add`
    SaturatingAdd,
    /// `saturating_sub`
    SaturatingSub,
    /// `saturating_mul`
    SaturatingMul,
}
