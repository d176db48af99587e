//! Results as columns.
//!
//! In: arrays. Out: columns that hold their memory.
//! Assumes: nothing.

use std::sync::Arc;

use arrow_array::{ArrowPrimitiveType, LargeListArray, PrimitiveArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use ragged::Ragged;

use crate::scalar::Scalar;

/// A column of numbers, without nulls. Nothing is copied.
pub fn array<T: Scalar>(values: Vec<T>) -> PrimitiveArray<T::Arrow> {
    PrimitiveArray::new(values.into(), None)
}

/// A column of lists, without nulls. Nothing is copied.
pub fn list<T: Scalar>(rows: Ragged<T>) -> LargeListArray {
    let (mut offsets, values) = rows.into_parts();
    if offsets.is_empty() {
        offsets.push(0);
    }
    let field = Field::new_list_field(T::Arrow::DATA_TYPE, true);
    let offsets = OffsetBuffer::new(offsets.into());
    LargeListArray::new(Arc::new(field), offsets, Arc::new(array(values)), None)
}
