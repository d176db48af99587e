//! Values as Rust's: what the wrappers around compiled functions convert.
//!
//! The way back is `Value::from`. Structs of a program get their impls from [`crate::wrap`].

use ragged_compiler::interpret::Value;

/// A Rust type that a value can become.
pub trait FromValue {
    /// The value as this type.
    ///
    /// # Panics
    /// If it is of another type.
    fn from_value(value: &Value) -> Self;
}

macro_rules! scalars {
    ($($ty:ident |$bits:ident| $from:expr;)*) => {$(
        impl FromValue for $ty {
            fn from_value(value: &Value) -> Self {
                let $bits = value.scalar().bits;
                $from
            }
        }
    )*};
}

scalars! {
    bool |bits| bits != 0;
    i8 |bits| bits as i8;
    i16 |bits| bits as i16;
    i32 |bits| bits as i32;
    i64 |bits| bits as i64;
    u8 |bits| bits as u8;
    u16 |bits| bits as u16;
    u32 |bits| bits as u32;
    u64 |bits| bits;
    usize |bits| bits as usize;
    f32 |bits| f32::from_bits(bits as u32);
    f64 |bits| f64::from_bits(bits);
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Self {
        value.elements().iter().map(T::from_value).collect()
    }
}

macro_rules! tuples {
    ($(($($part:ident $at:literal)*))*) => {$(
        impl<$($part: FromValue),*> FromValue for ($($part,)*) {
            fn from_value(value: &Value) -> Self {
                ($($part::from_value(&value.components()[$at]),)*)
            }
        }
    )*};
}

tuples! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
}
