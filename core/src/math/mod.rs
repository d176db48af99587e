//! Scalar maths of generated code.
//!
//! In: one number. Out: one number, the same bits on every machine and at every feature level.
//! Assumes: round-to-nearest, no flushing of subnormals (Rust's own assumption).
//!
//! Everything here is `#[inline(always)]`, branch-free and made of IEEE `+ − × ÷ √`, comparisons,
//! selects and bit operations, so that a loop over a lane block vectorises at the feature level of
//! the function around it. There is no `mul_add` but in [`MulAdd`], and no call into the platform's maths library.
//! Accuracy and cost of each function: `docs/maths.md`. The polynomials: `tools/fit_math.py`.

#![allow(
    clippy::needless_range_loop,
    reason = "indexed loops are what stays in lanes under `#[target_feature]`"
)]

/// A test that `exp` in all its forms gives 0 for the first numbers, and the least number above it for the others.
#[cfg(test)]
macro_rules! far_below {
    (zero: $zero:expr, least: $least:expr) => {
        #[test]
        fn powers_of_what_is_far_below_are_zero() {
            let bits = $zero
                .map(|x| (x, 0))
                .into_iter()
                .chain($least.map(|x| (x, 1)));
            for (x, bits) in bits {
                let lanes = [exp_lanes([x; 16]), exp_fused_lanes([x; 16])];
                let all = lanes.into_iter().flatten().chain([exp(x), exp_fused(x)]);
                assert!({ all }.all(|y| y.to_bits() == bits), "{x:e}");
            }
        }
    };
}

#[cfg(test)]
use far_below;

mod bits;
pub mod cast;
pub mod double;
mod estimates;
mod fused;
pub mod order;
pub mod single;

mod round;

pub use estimates::{Estimates, Hasty, Rsqrt};
pub use fused::{FUSING, MulAdd};
pub use order::{Order, Rough};

/// The elementary functions of `f32` and `f64`, for generated code that knows only the type.
///
/// Called by path (`Maths::exp(x)`), so that `std`'s inherent methods do not shadow it. The forms
/// on a block of lanes give the same bits as the plain ones and are hardly ever slower; where both exist
/// generated code calls those (of `exp` in short bodies on `f32`).
pub trait Maths: Copy {
    /// e to the power of `self`.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Sine of an angle in radians, right for every finite argument.
    fn sin(self) -> Self;
    /// Cosine of an angle in radians, right for every finite argument.
    fn cos(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// 2 to the power of `self`.
    fn exp2(self) -> Self;
    /// e to the power of `self`, less 1.
    fn exp_m1(self) -> Self;
    /// Natural logarithm of 1 more.
    fn ln_1p(self) -> Self;
    /// Logarithm to base 2.
    fn log2(self) -> Self;
    /// Logarithm to base 10.
    fn log10(self) -> Self;
    /// Cube root.
    fn cbrt(self) -> Self;
    /// Tangent of an angle in radians, right for every finite argument.
    fn tan(self) -> Self;
    /// Arcsine, in radians.
    fn asin(self) -> Self;
    /// Arccosine, in radians.
    fn acos(self) -> Self;
    /// Arctangent, in radians.
    fn atan(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// The error function.
    fn erf(self) -> Self;
    /// The complement of the error function.
    fn erfc(self) -> Self;
    /// Logarithm to a base.
    fn log(self, base: Self) -> Self;
    /// The angle of the point (`x`, `self`), from −π to π.
    fn atan2(self, x: Self) -> Self;
    /// The distance of the point (`self`, `y`) from the origin.
    fn hypot(self, y: Self) -> Self;
    /// `self` with the sign of another; NaN counts as positive, since its sign is not specified.
    fn copysign(self, sign: Self) -> Self;
    /// `self` to a whole power.
    fn powi(self, n: i32) -> Self;
    /// `self` to the power of `y`, with the special cases of IEEE 754.
    fn pow(self, y: Self) -> Self;
    /// Square root (an IEEE operation: correctly rounded).
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Largest integer that is not above `self`.
    fn floor(self) -> Self;
    /// Smallest integer that is not below `self`.
    fn ceil(self) -> Self;
    /// Integer part.
    fn trunc(self) -> Self;
    /// Nearest integer, halves away from zero.
    fn round(self) -> Self;
    /// [`Maths::exp`] of every lane, of `f32` faster when all are normal numbers.
    fn exp_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::ln`] of every lane, of `f32` faster when all are normal numbers.
    fn ln_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::sin`] of every lane, faster when no lane is large.
    fn sin_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::cos`] of every lane, faster when no lane is large.
    fn cos_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::tan`] of every lane, faster when no lane is large.
    fn tan_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::pow`] of every lane, faster when no lane is a special case.
    fn pow_lanes<const L: usize>(x: [Self; L], y: [Self; L]) -> [Self; L];
    /// [`Maths::floor`] of every lane, faster on the baseline.
    fn floor_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::ceil`] of every lane, faster on the baseline.
    fn ceil_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::trunc`] of every lane, faster on the baseline.
    fn trunc_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::round`] of every lane, faster on the baseline.
    fn round_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
}

/// Delegates the trait to the free functions of one module.
macro_rules! maths {
    ($type:ty, $module:ident) => {
        impl Maths for $type {
            maths!(@plain $module: exp ln sin cos tanh sqrt abs floor ceil trunc round);
            maths!(@plain $module: exp2 exp_m1 ln_1p log2 log10 cbrt tan asin acos atan sinh cosh);
            maths!(@plain $module: asinh acosh atanh erf erfc);
            maths!(@two $module: pow log atan2 hypot copysign);
            maths!(@lanes $module:
                exp_lanes ln_lanes sin_lanes cos_lanes tan_lanes floor_lanes ceil_lanes trunc_lanes round_lanes);

            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                $module::powi(self, n)
            }

            #[inline(always)]
            fn pow_lanes<const L: usize>(x: [Self; L], y: [Self; L]) -> [Self; L] {
                $module::pow_lanes(x, y)
            }
        }
    };
    (@plain $module:ident: $($name:ident)*) => {
        $(#[inline(always)]
        fn $name(self) -> Self {
            $module::$name(self)
        })*
    };
    (@two $module:ident: $($name:ident)*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            $module::$name(self, other)
        })*
    };
    (@lanes $module:ident: $($name:ident)*) => {
        $(#[inline(always)]
        fn $name<const L: usize>(x: [Self; L]) -> [Self; L] {
            $module::$name(x)
        })*
    };
}

maths!(f32, single);
maths!(f64, double);
