//! Fused multiply-add, for functions that need not round as written, and what is made of it.
//!
//! In: numbers, and the number of lanes of the code around. Out: `a * b + c`, rounded once at the
//! levels that have the instruction, twice at the others (never by a function of the platform's,
//! which takes twenty times as long); functions of fewer operations where there are such, within the
//! bounds of the others. Assumes: `level.rs` alone chooses numbers of lanes.

use super::{Maths, double, single};

/// The fewest lanes of a level that has fused operations; all that have as many have them.
pub const FUSING: usize = 32;

/// Operations in code of `L` lanes, for generated code that knows only the type.
pub trait MulAdd: Copy {
    /// `a * b + c`.
    fn mul_add<const L: usize>(a: Self, b: Self, c: Self) -> Self;
    /// e to the power of `x`.
    fn exp<const L: usize>(x: Self) -> Self;
    /// [`MulAdd::exp`] of every lane, of `f32` faster when all are normal numbers.
    fn exp_lanes<const L: usize>(x: [Self; L]) -> [Self; L];
    /// Natural logarithm.
    fn ln<const L: usize>(x: Self) -> Self;
}

macro_rules! mul_add {
    ($($type:ty, $module:ident;)*) => {
        $(impl MulAdd for $type {
            #[inline(always)]
            fn mul_add<const L: usize>(a: Self, b: Self, c: Self) -> Self {
                if const { L >= FUSING } { a.mul_add(b, c) } else { a * b + c }
            }

            #[inline(always)]
            fn exp<const L: usize>(x: Self) -> Self {
                if const { L >= FUSING } { $module::exp_fused(x) } else { Maths::exp(x) }
            }

            #[inline(always)]
            fn exp_lanes<const L: usize>(x: [Self; L]) -> [Self; L] {
                if const { L >= FUSING } { $module::exp_fused_lanes(x) } else { Maths::exp_lanes(x) }
            }

            #[inline(always)]
            fn ln<const L: usize>(x: Self) -> Self {
                if const { L >= FUSING } { $module::ln_fused(x) } else { Maths::ln(x) }
            }
        })*
    };
}

mul_add! {
    f32, single;
    f64, double;
}
