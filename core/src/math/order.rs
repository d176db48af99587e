//! `min`, `max` and `clamp` of numbers.
//!
//! In: numbers. Out: the least, the greatest, the nearest in a range. Floats: a NaN is ignored
//! when the other operand is a number (as Rust's `f32::min`), and −0 < +0, so that the result does
//! not depend on the order of the operands (`std` leaves that open).
//! Assumes: nothing.

/// Minimum and maximum, the same for every number type.
pub trait Order: Copy {
    /// The lesser operand; of a NaN and a number, the number; −0 is less than +0.
    fn min(self, other: Self) -> Self;
    /// The greater operand; of a NaN and a number, the number; +0 is greater than −0.
    fn max(self, other: Self) -> Self;
    /// Whether `self` is less than `other` in the order of `min`: NaN is last, and −0 is less than +0.
    fn is_below(self, other: Self) -> bool;
    /// Whether `self` is greater than `other` in the order of `max`: NaN is last, and +0 is greater
    /// than −0.
    fn is_above(self, other: Self) -> bool;
    /// Whether `self` is less than `other` in the order of sorts: that of `total_cmp`.
    fn precedes(self, other: Self) -> bool;
    /// `self` raised to `low`, then lowered to `high`; NaN stays NaN.
    ///
    /// As `std`'s for `low <= high`; never panics: for `low > high` it is `high`, and a NaN bound
    /// does not bound.
    fn clamp(self, low: Self, high: Self) -> Self;
}

macro_rules! clamp {
    () => {
        #[inline(always)]
        fn clamp(self, low: Self, high: Self) -> Self {
            let raised = if self < low { low } else { self };
            if raised > high { high } else { raised }
        }
    };
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl Order for $type {
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                if other < self { other } else { self }
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn is_above(self, other: Self) -> bool {
                self > other
            }

            #[inline(always)]
            fn precedes(self, other: Self) -> bool {
                self < other
            }

            clamp!();
        })*
    };
}

/// Equal floats have equal bits but for the zeros, so OR keeps a −0 and AND drops it.
macro_rules! floats {
    ($($type:ty)*) => {
        $(impl Order for $type {
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                let lesser = if self < other { self } else { other };
                let number = if other.is_nan() { self } else { lesser };
                let zero = <$type>::from_bits(self.to_bits() | other.to_bits());
                if self == other { zero } else { number }
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let greater = if self > other { self } else { other };
                let number = if other.is_nan() { self } else { greater };
                let zero = <$type>::from_bits(self.to_bits() & other.to_bits());
                if self == other { zero } else { number }
            }

            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                let negative = self.is_sign_negative() & !other.is_sign_negative();
                (self < other) | (!self.is_nan() & other.is_nan()) | ((self == other) & negative)
            }

            #[inline(always)]
            fn is_above(self, other: Self) -> bool {
                let positive = !self.is_sign_negative() & other.is_sign_negative();
                (self > other) | (!self.is_nan() & other.is_nan()) | ((self == other) & positive)
            }

            #[inline(always)]
            fn precedes(self, other: Self) -> bool {
                self.total_cmp(&other).is_lt()
            }

            clamp!();
        })*
    };
}

/// Minimum and maximum of floats where accumulators start at plus or minus infinity, so that they are
/// never NaN; see Note [Rough extremes] in `rough.rs`.
pub trait Rough: Copy {
    /// `other` if it is less, else `self`.
    fn lesser(self, other: Self) -> Self;
    /// `other` if it is greater, else `self`.
    fn greater(self, other: Self) -> Self;
    /// The same, and −0 is less than +0.
    fn least(self, other: Self) -> Self;
    /// The same, and +0 is greater than −0.
    fn greatest(self, other: Self) -> Self;
    /// Whether a total of `lesser` or `greater` is that of [`Order`]'s.
    fn is_sure(self) -> bool;
    /// Whether a total of `least` or `greatest` is that of [`Order`]'s.
    fn is_finite(self) -> bool;
}

macro_rules! rough {
    ($($type:ty)*) => {
        $(impl Rough for $type {
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                if other < self { other } else { self }
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            #[inline(always)]
            fn least(self, other: Self) -> Self {
                let zero = <$type>::from_bits(self.to_bits() | other.to_bits());
                if self == other { zero } else { Rough::lesser(self, other) }
            }

            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                let zero = <$type>::from_bits(self.to_bits() & other.to_bits());
                if self == other { zero } else { Rough::greater(self, other) }
            }

            #[inline(always)]
            fn is_sure(self) -> bool {
                // Neither zero, nor an infinity, nor NaN, in one comparison.
                self.abs().to_bits().wrapping_sub(1) < <$type>::INFINITY.to_bits() - 1
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                <$type>::is_finite(self)
            }
        })*
    };
}

rough!(f32 f64);
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
floats!(f32 f64);
