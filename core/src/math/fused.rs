//! Fused multiply-add, for functions that need not round as written.
//!
//! In: three numbers, and the number of lanes of the code around. Out: `a * b + c`, rounded once at
//! the levels that have the instruction, twice at the others (never by a function of the platform's,
//! which takes twenty times as long). Assumes: `level.rs` alone chooses numbers of lanes.

/// The fewest lanes of a level that has fused operations; all that have as many have them.
pub const FUSING: usize = 32;

/// `a * b + c`, for generated code that knows only the type.
pub trait MulAdd: Copy {
    /// `a * b + c` in code of `L` lanes.
    fn mul_add<const L: usize>(a: Self, b: Self, c: Self) -> Self;
}

macro_rules! mul_add {
    ($($type:ty)*) => {
        $(impl MulAdd for $type {
            #[inline(always)]
            fn mul_add<const L: usize>(a: Self, b: Self, c: Self) -> Self {
                if L >= FUSING { a.mul_add(b, c) } else { a * b + c }
            }
        })*
    };
}

mul_add!(f32 f64);
