//! Values as Rust's: what the wrappers around compiled functions convert.
//!
//! Structs of a program get their impls from [`crate::wrap`].

use half::{bf16, f16};
use ndarray::{Array, ArrayView, Axis, Dim, Dimension, RemoveAxis, ShapeBuilder, concatenate};
use num_complex::Complex;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::Const;
use ragged_core::ragged::Item;
use ragged_core::{DenseVec, RaggedView};

/// A Rust type that a value can become.
pub trait FromValue {
    /// The value as this type.
    ///
    /// # Panics
    /// If it is of another type.
    fn from_value(value: &Value) -> Self;
}

/// A Rust type that can become a value.
pub trait IntoValue {
    /// This as a value.
    fn into_value(self) -> Value;
}

/// `x` as a value.
pub fn value(x: impl IntoValue) -> Value {
    x.into_value()
}

macro_rules! scalars {
    ($($ty:ident |$bits:ident| $from:expr;)*) => {$(
        impl FromValue for $ty {
            fn from_value(value: &Value) -> Self {
                let $bits = value.scalar().bits;
                $from
            }
        }

        impl IntoValue for $ty {
            fn into_value(self) -> Value {
                self.into()
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

macro_rules! halves {
    ($($ty:ident $scalar:ident;)*) => {$(
        impl FromValue for $ty {
            fn from_value(value: &Value) -> Self {
                $ty::from_bits(value.scalar().bits as u16)
            }
        }

        impl IntoValue for $ty {
            fn into_value(self) -> Value {
                Value::Scalar(Const {
                    ty: Scalar::$scalar,
                    bits: u64::from(self.to_bits()),
                })
            }
        }
    )*};
}

impl<T: FromValue> FromValue for Complex<T> {
    fn from_value(value: &Value) -> Self {
        let part = |at: usize| T::from_value(&value.components()[at]);
        Complex::new(part(0), part(1))
    }
}

impl<T: IntoValue> IntoValue for Complex<T> {
    fn into_value(self) -> Value {
        Value::Tuple(vec![value(self.re), value(self.im)])
    }
}

halves! {
    f16 F16;
    bf16 Bf16;
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Self {
        value.elements().iter().map(T::from_value).collect()
    }
}

impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value(self) -> Value {
        Value::Array(self.into_iter().map(T::into_value).collect())
    }
}

impl<T: IntoValue + Copy> IntoValue for &[T] {
    fn into_value(self) -> Value {
        Value::Array(self.iter().map(|it| it.into_value()).collect())
    }
}

impl<'a, T: Item> IntoValue for RaggedView<'a, T>
where
    T::View<'a>: IntoValue,
{
    fn into_value(self) -> Value {
        Value::Array(self.iter().map(T::View::into_value).collect())
    }
}

impl<T: FromValue, const LEN: usize> FromValue for [T; LEN] {
    fn from_value(value: &Value) -> Self {
        let elements = value.elements();
        assert_eq!(elements.len(), LEN, "the length of an array in a struct");
        core::array::from_fn(|at| T::from_value(&elements[at]))
    }
}

impl<T: IntoValue, const LEN: usize> IntoValue for [T; LEN] {
    fn into_value(self) -> Value {
        Value::Array(self.into_iter().map(T::into_value).collect())
    }
}

impl<T: FromValue, const RANK: usize> FromValue for Array<T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    fn from_value(value: &Value) -> Self {
        let mut shape = [0; RANK];
        measure(value, &mut shape);
        let mut elements = Vec::new();
        collect(value, RANK, &mut elements);
        let dense = DenseVec::new(shape, elements);
        dense.expect("the rows of an array have one length").into()
    }
}

/// The lengths of `value`, one for each axis; where there are no rows, they are what is known.
fn measure(value: &Value, shape: &mut [usize]) {
    let Some((len, rest)) = shape.split_first_mut() else {
        return;
    };
    *len = value.elements().len();
    match value {
        Value::Empty(row) => measure(row, rest),
        Value::Array(rows) => {
            if let Some(row) = rows.first() {
                measure(row, rest);
            }
        }
        Value::Scalar(_) | Value::Tuple(_) | Value::Seq(_) => {
            panic!("expected an array, found {value}")
        }
    }
}

fn collect<T: FromValue>(value: &Value, rank: usize, out: &mut Vec<T>) {
    if rank == 0 {
        out.push(T::from_value(value));
        return;
    }
    for row in value.elements() {
        collect(row, rank - 1, out);
    }
}

impl<T: IntoValue, const RANK: usize> IntoValue for Array<T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    fn into_value(self) -> Value {
        let shape = self.shape().to_vec();
        nested(&shape, &mut self.into_iter())
    }
}

impl<T: IntoValue + Copy, const RANK: usize> IntoValue for ArrayView<'_, T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    fn into_value(self) -> Value {
        nested(self.shape(), &mut self.iter().copied())
    }
}

impl<T: IntoValue, const RANK: usize> IntoValue for DenseVec<T, RANK> {
    fn into_value(self) -> Value {
        let shape = self.shape().to_vec();
        nested(&shape, &mut self.into_vec().into_iter())
    }
}

fn nested<T: IntoValue>(shape: &[usize], elements: &mut impl Iterator<Item = T>) -> Value {
    match shape {
        [] => value(elements.next().expect("as many elements as the shape says")),
        [len, rest @ ..] => Value::Array((0..*len).map(|_| nested(rest, elements)).collect()),
    }
}

/// The same array with its elements elsewhere: by columns, mirrored, or among others, as its size
/// says.
pub fn elsewhere<T: Clone, D: RemoveAxis>(array: &Array<T, D>) -> Array<T, D> {
    let last = Axis(array.ndim() - 1);
    match array.len() % 3 {
        0 => by_columns(array),
        1 => {
            let mut mirror = array.clone();
            mirror.invert_axis(last);
            let mut mirror = mirror.as_standard_layout().into_owned();
            mirror.invert_axis(last);
            mirror
        }
        _two => {
            let both = concatenate(last, &[array.view(), array.view()]);
            let mut both = both
                .expect("of one shape")
                .as_standard_layout()
                .into_owned();
            both.slice_axis_inplace(last, (..array.len_of(last)).into());
            both
        }
    }
}

/// The same array with its first index running fastest in memory.
pub fn by_columns<T: Clone, D: Dimension>(array: &Array<T, D>) -> Array<T, D> {
    let elements = array.t().iter().cloned().collect();
    let columns = Array::from_shape_vec(array.raw_dim().f(), elements);
    columns.expect("the same elements")
}

impl FromValue for () {
    fn from_value(value: &Value) -> Self {
        assert!(
            value.components().is_empty(),
            "expected `()`, found {value}"
        );
    }
}

impl IntoValue for () {
    fn into_value(self) -> Value {
        Value::unit()
    }
}

macro_rules! tuples {
    ($(($($part:ident $at:literal)*))*) => {$(
        impl<$($part: FromValue),*> FromValue for ($($part,)*) {
            fn from_value(value: &Value) -> Self {
                ($($part::from_value(&value.components()[$at]),)*)
            }
        }

        impl<$($part: IntoValue),*> IntoValue for ($($part,)*) {
            #[expect(non_snake_case, reason = "one name for a type and its value")]
            fn into_value(self) -> Value {
                let ($($part,)*) = self;
                Value::Tuple(vec![$(value($part)),*])
            }
        }
    )*};
}

tuples! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
}
