//! Scalar maths of generated code.
//!
//! In: one number. Out: one number, the same bits on every machine and at every feature level.
//! Assumes: round-to-nearest, no flushing of subnormals (Rust's own assumption).
//!
//! Everything here is `#[inline(always)]`, branch-free and made of IEEE `+ − × ÷ √`, comparisons,
//! selects and bit operations, so that a loop over a lane block vectorises at the feature level of
//! the function around it. There is no `mul_add` and no call into the platform's maths library.
//! Accuracy and cost of each function: `docs/maths.md`.

mod bits;
pub mod cast;
pub mod double;
pub mod order;
pub mod single;

mod round;

pub use order::Order;

/// The elementary functions of `f32` and `f64`, for generated code that knows only the type.
///
/// Called by path (`Maths::exp(x)`), so that `std`'s inherent methods do not shadow it.
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
    /// `sin` of every lane; same bits as [`Maths::sin`], faster when no lane is large.
    fn sin_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// `cos` of every lane; same bits as [`Maths::cos`], faster when no lane is large.
    fn cos_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
}

/// Delegates the trait to the free functions of one module.
macro_rules! maths {
    ($type:ty, $module:ident) => {
        impl Maths for $type {
            maths!(@one $module: exp ln sin cos tanh sqrt abs floor ceil trunc round);

            #[inline(always)]
            fn pow(self, y: Self) -> Self {
                $module::pow(self, y)
            }

            #[inline(always)]
            fn sin_lanes<const L: usize>(x: [Self; L]) -> [Self; L] {
                $module::sin_lanes(x)
            }

            #[inline(always)]
            fn cos_lanes<const L: usize>(x: [Self; L]) -> [Self; L] {
                $module::cos_lanes(x)
            }
        }
    };
    (@one $module:ident: $($name:ident)*) => {
        $(#[inline(always)]
        fn $name(self) -> Self {
            $module::$name(self)
        })*
    };
}

maths!(f32, single);
maths!(f64, double);
