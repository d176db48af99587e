//! Rounding to integers, and the three operations that are an instruction or two anyway.
//!
//! In: a float. Out: an integer as a float of the same sign (−0 stays −0, −0.3 rounds up to −0);
//! NaN, ±∞ and everything without fraction bits come back as they are. Exactly `std`'s results.
//! Assumes: nothing.
//!
//! From SSE4.1 on `std`'s functions are one or two instructions, below they are calls. So there are
//! two ways to the same bits: `floor` is `std`'s, and `floor_lanes`, which knows from the width of
//! the block that it may run on the baseline, computes there with plain arithmetic.

macro_rules! rounding {
    ($module:ident, $type:ident) => {
        pub(super) mod $module {
            use super::plain::$module as plain;

            rounding!(@one $type, floor floor_lanes "Largest integer that is not above x.");
            rounding!(@one $type, ceil ceil_lanes "Smallest integer that is not below x.");
            rounding!(@one $type, trunc trunc_lanes "Integer part.");
            rounding!(@one $type, round round_lanes "Nearest integer, halves away from zero.");

            /// Absolute value.
            #[inline(always)]
            pub fn abs(x: $type) -> $type {
                x.abs()
            }

            /// x with the sign of another number, without one of NaN.
            #[inline(always)]
            pub fn copysign(x: $type, sign: $type) -> $type {
                x.copysign(if sign.is_nan() { 1.0 } else { sign })
            }

            /// Square root, correctly rounded.
            #[inline(always)]
            pub fn sqrt(x: $type) -> $type {
                x.sqrt()
            }
        }
    };
    (@one $type:ident, $name:ident $lanes:ident $doc:literal) => {
        #[doc = $doc]
        #[inline(always)]
        pub fn $name(x: $type) -> $type {
            x.$name()
        }

        #[doc = concat!("[`", stringify!($name), "`] of every lane, without calls on the baseline.")]
        #[inline(always)]
        pub fn $lanes<const L: usize>(x: [$type; L]) -> [$type; L] {
            let mut y = x;
            for l in 0..L {
                y[l] = if super::is_baseline(L) { plain::$name(x[l]) } else { x[l].$name() };
            }
            y
        }
    };
}

rounding!(single, f32);
rounding!(double, f64);

/// Whether blocks of this width may run without SSE4.1: kernels have 16 lanes on the baseline (one
/// in tails) and more above.
#[inline(always)]
const fn is_baseline(lanes: usize) -> bool {
    cfg!(all(target_arch = "x86_64", not(target_feature = "sse4.1"))) && lanes <= 16
}

/// The four functions from plain arithmetic: adding and subtracting 2^52 (2^23) rounds the absolute
/// value to the nearest integer; a comparison tells whether that was too far.
mod plain {
    macro_rules! plain {
        ($module:ident, $type:ident, $integer:expr) => {
            pub(in super::super) mod $module {
                /// Every number of this size is an integer.
                const INTEGER: $type = $integer;

                #[inline(always)]
                pub fn floor(x: $type) -> $type {
                    let near = nearest(x);
                    finish(x, near - if near > x { 1.0 } else { 0.0 })
                }

                #[inline(always)]
                pub fn ceil(x: $type) -> $type {
                    let near = nearest(x);
                    finish(x, near + if near < x { 1.0 } else { 0.0 })
                }

                #[inline(always)]
                pub fn trunc(x: $type) -> $type {
                    finish(x, whole(x.abs()))
                }

                #[inline(always)]
                pub fn round(x: $type) -> $type {
                    let size = x.abs();
                    let whole = whole(size);
                    finish(x, whole + if size - whole >= 0.5 { 1.0 } else { 0.0 })
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

    plain!(single, f32, (1u32 << 23) as f32);
    plain!(double, f64, (1u64 << 52) as f64);
}
