//! Which columns have which numbers in them.
//!
//! In: a column. Out: its numbers, if it is of a type that is stored as these.
//! Assumes: nothing.

use core::any::type_name;

use arrow_array::cast::AsArray as _;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};

use crate::error::{Error, Result};

/// A number that Arrow stores as Rust does. Dates, times and durations are the integers that they are
/// stored as.
pub trait Scalar: ArrowNativeType {
    /// The type of columns of such numbers.
    type Arrow: ArrowPrimitiveType<Native = Self>;

    /// The numbers of a column, if it has such.
    #[doc(hidden)]
    fn stored(array: &dyn Array) -> Option<&ScalarBuffer<Self>>;

    /// The bytes of texts, if these are such numbers.
    #[doc(hidden)]
    fn of_bytes(_bytes: &Buffer) -> Option<ScalarBuffer<Self>> {
        None
    }
}

macro_rules! scalars {
    ($($ty:ty: $arrow:ty $(, $other:ty)* $(=> $bytes:item)?;)*) => { $(
        impl Scalar for $ty {
            type Arrow = $arrow;

            fn stored(array: &dyn Array) -> Option<&ScalarBuffer<Self>> {
                let plain = array.as_primitive_opt::<$arrow>().map(|it| it.values());
                plain $(.or_else(|| array.as_primitive_opt::<$other>().map(|it| it.values())))*
            }

            $($bytes)?
        }
    )* };
}

scalars! {
    i8: Int8Type;
    i16: Int16Type;
    i32: Int32Type, Date32Type, Time32SecondType, Time32MillisecondType, IntervalYearMonthType;
    i64: Int64Type, Date64Type, Time64MicrosecondType, Time64NanosecondType, TimestampSecondType,
        TimestampMillisecondType, TimestampMicrosecondType, TimestampNanosecondType,
        DurationSecondType, DurationMillisecondType, DurationMicrosecondType, DurationNanosecondType;
    u8: UInt8Type => fn of_bytes(bytes: &Buffer) -> Option<ScalarBuffer<u8>> {
        Some(bytes.clone().into())
    };
    u16: UInt16Type;
    u32: UInt32Type;
    u64: UInt64Type;
    half::f16: Float16Type;
    f32: Float32Type;
    f64: Float64Type;
}

/// The numbers of a column, none of which is null.
pub(crate) fn stored<T: Scalar>(array: &dyn Array) -> Result<&ScalarBuffer<T>> {
    let stored = T::stored(array).ok_or_else(|| wrong::<T>("", array))?;
    without_nulls(array)?;
    Ok(stored)
}

pub(crate) fn without_nulls(array: &dyn Array) -> Result<()> {
    match array.null_count() {
        0 => Ok(()),
        count => Err(Error::Nulls { count }),
    }
}

/// The error for a column that is none of `T`s, or of lists of them.
pub(crate) fn wrong<T>(of: &str, array: &dyn Array) -> Error {
    Error::Type {
        wanted: format!("{of}`{}`", type_name::<T>()),
        found: array.data_type().clone(),
    }
}
