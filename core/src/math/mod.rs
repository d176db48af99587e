//! Scalar maths of generated code.
//!
//! In: one number. Out: one number, the same bits on every machine and at every feature level.
//! Assumes: round-to-nearest, no flushing of subnormals (Rust's own assumption).
//!
//! Everything here is `#[inline(always)]`, branch-free and made of IEEE `+ − × ÷ √`, comparisons,
//! selects and bit operations, so that a loop over a lane block vectorises at the feature level of
//! the function around it. There is no `mul_add` and no call into the platform's maths library.
//! Accuracy and cost of each function: `docs/maths.md`. The polynomials: `tools/fit_math.py`.

// Indexed loops are what stays in lanes under `#[target_feature]`.
#![allow(clippy::needless_range_loop)]

mod bits;
pub mod cast;
pub mod double;
pub mod order;
pub mod single;

mod round;

pub use order::Order;

/// The elementary functions of `f32` and `f64`, for generated code that knows only the type.
///
/// Called by path (`Maths::exp(x)`), so that `std`'s inherent methods do not shadow it. The forms
/// on a block of lanes give the same bits as the plain ones and are never slower; where both exist
/// generated code calls those.
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
    /// [`Maths::sin`] of every lane, faster when no lane is large.
    fn sin_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// [`Maths::cos`] of every lane, faster when no lane is large.
    fn cos_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
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
            maths!(@lanes $module:
                sin_lanes cos_lanes floor_lanes ceil_lanes trunc_lanes round_lanes);

            #[inline(always)]
            fn pow(self, y: Self) -> Self {
                $module::pow(self, y)
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
    (@lanes $module:ident: $($name:ident)*) => {
        $(#[inline(always)]
        fn $name<const L: usize>(x: [Self; L]) -> [Self; L] {
            $module::$name(x)
        })*
    };
}

maths!(f32, single);
maths!(f64, double);
