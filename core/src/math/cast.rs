//! Casts from floats to integers that vectorise.
//!
//! In: a float. Out: exactly `x as T`: the integer part, saturated to the range of T; 0 for NaN.
//! Assumes: nothing.
//! Method: clamp first, so that the machine's conversion, which LLVM vectorises, is enough. `as`
//! itself stays scalar. The other direction needs no help: use `as`.

/// The largest float that is not above 2^`bits` − 1.
macro_rules! high {
    ($float:ident, $to:ident) => {{
        let rounded = $to::MAX as $float;
        let exact = rounded as u128 <= $to::MAX as u128;
        if exact {
            rounded
        } else {
            $float::from_bits(rounded.to_bits() - 1)
        }
    }};
}

macro_rules! casts {
    ($($name:ident: $float:ident => $to:ident via $via:ident;)*) => {
        $(
            #[doc = concat!("`x as ", stringify!($to), "` of an `", stringify!($float), "`.")]
            #[inline(always)]
            pub fn $name(x: $float) -> $to {
                const LOW: $float = $to::MIN as $float;
                const HIGH: $float = high!($float, $to);
                let raised = if x > LOW { x } else { LOW };
                let clamped = if raised < HIGH { raised } else { HIGH };
                // SAFETY: the two selects above leave a number (not NaN) from LOW to HIGH, whose
                // integer parts are values of the target.
                let integer = unsafe { clamped.to_int_unchecked::<$via>() } as $to;
                let saturated = if x > HIGH { $to::MAX } else { integer };
                if $to::MIN < 0 as $to && x.is_nan() { 0 } else { saturated }
            }
        )*
    };
}

casts! {
    f32_to_i8: f32 => i8 via i32;
    f32_to_i16: f32 => i16 via i32;
    f32_to_i32: f32 => i32 via i32;
    f32_to_i64: f32 => i64 via i64;
    f32_to_isize: f32 => isize via isize;
    f32_to_u8: f32 => u8 via i32;
    f32_to_u16: f32 => u16 via i32;
    f32_to_u32: f32 => u32 via u32;
    f32_to_u64: f32 => u64 via u64;
    f32_to_usize: f32 => usize via usize;
    f64_to_i8: f64 => i8 via i32;
    f64_to_i16: f64 => i16 via i32;
    f64_to_i32: f64 => i32 via i32;
    f64_to_i64: f64 => i64 via i64;
    f64_to_isize: f64 => isize via isize;
    f64_to_u8: f64 => u8 via i32;
    f64_to_u16: f64 => u16 via i32;
    f64_to_u32: f64 => u32 via u32;
    f64_to_u64: f64 => u64 via u64;
    f64_to_usize: f64 => usize via usize;
}
