//! Rounding to integers, and the two operations that are one instruction anyway.
//!
//! In: a float. Out: an integer as a float of the same sign (−0 stays −0, −0.3 rounds up to −0);
//! NaN, ±∞ and everything without fraction bits come back as they are. Exactly `std`'s results.
//! Assumes: nothing.
//! Method: adding and subtracting 2^52 (2^23) rounds the absolute value to the nearest integer;
//! a comparison tells whether that was too far. `std`'s functions are calls below SSE4.1.

macro_rules! rounding {
    ($module:ident, $type:ident, $integer:expr) => {
        pub(super) mod $module {
            /// Every number of this size is an integer.
            const INTEGER: $type = $integer;

            /// Largest integer that is not above x.
            #[inline(always)]
            pub fn floor(x: $type) -> $type {
                let near = nearest(x);
                finish(x, near - if near > x { 1.0 } else { 0.0 })
            }

            /// Smallest integer that is not below x.
            #[inline(always)]
            pub fn ceil(x: $type) -> $type {
                let near = nearest(x);
                finish(x, near + if near < x { 1.0 } else { 0.0 })
            }

            /// Integer part.
            #[inline(always)]
            pub fn trunc(x: $type) -> $type {
                finish(x, whole(x.abs()))
            }

            /// Nearest integer, halves away from zero.
            #[inline(always)]
            pub fn round(x: $type) -> $type {
                let size = x.abs();
                let whole = whole(size);
                finish(x, whole + if size - whole >= 0.5 { 1.0 } else { 0.0 })
            }

            /// Absolute value.
            #[inline(always)]
            pub fn abs(x: $type) -> $type {
                x.abs()
            }

            /// Square root, correctly rounded.
            #[inline(always)]
            pub fn sqrt(x: $type) -> $type {
                x.sqrt()
            }

            /// The nearest integer, for |x| < INTEGER.
            #[inline(always)]
            fn nearest(x: $type) -> $type {
                ((x.abs() + INTEGER) - INTEGER).copysign(x)
            }

            /// The integer part of a number that is not negative.
            #[inline(always)]
            fn whole(size: $type) -> $type {
                let near = (size + INTEGER) - INTEGER;
                near - if near > size { 1.0 } else { 0.0 }
            }

            #[inline(always)]
            fn finish(x: $type, rounded: $type) -> $type {
                if x.abs() < INTEGER {
                    rounded.copysign(x)
                } else {
                    x
                }
            }
        }
    };
}

rounding!(single, f32, (1u32 << 23) as f32);
rounding!(double, f64, (1u64 << 52) as f64);
