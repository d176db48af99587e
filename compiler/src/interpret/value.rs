//! Values: scalars, products and arrays, to any depth.
//!
//! Built with `Value::from` from Rust's scalars, tuples, vectors and arrays of these. Equality is by
//! bits, except that all NaN are equal; of an array without elements it does not matter what they
//! would look like.

use crate::prims::Scalar;
use crate::typed::ir::Const;
use std::fmt;

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Const),
    /// A tuple, or a struct's fields in order of declaration.
    Tuple(Vec<Value>),
    /// An array.
    Array(Vec<Value>),
    /// An array of no elements, each of which would look like this one: arrays in it have the
    /// lengths that they would have. (An empty [`Value::Array`] of arrays says that these are not
    /// known; they count as 0.)
    Empty(Box<Value>),
    /// A sequence, by its number in a run that is under way: never an argument nor a result of it.
    Seq(usize),
}

impl Value {
    /// The empty tuple.
    pub fn unit() -> Self {
        Value::Tuple(Vec::new())
    }

    /// The scalar in it.
    ///
    /// # Panics
    /// If it is none.
    pub fn scalar(&self) -> Const {
        match self {
            Value::Scalar(scalar) => *scalar,
            Value::Tuple(_) | Value::Array(_) | Value::Empty(_) | Value::Seq(_) => {
                panic!("expected a scalar, found {self}")
            }
        }
    }

    /// The truth value in it.
    ///
    /// # Panics
    /// If it is none.
    pub fn truth(&self) -> bool {
        let scalar = self.scalar();
        assert_eq!(scalar.ty, Scalar::Bool, "expected a bool, found {self}");
        scalar.bits != 0
    }

    /// The `usize` in it.
    ///
    /// # Panics
    /// If it is none.
    pub fn size(&self) -> u64 {
        let scalar = self.scalar();
        assert_eq!(scalar.ty, Scalar::Usize, "expected a usize, found {self}");
        scalar.bits
    }

    /// The elements of the array.
    ///
    /// # Panics
    /// If it is none.
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(elements) => elements,
            Value::Empty(_) => &[],
            Value::Scalar(_) | Value::Tuple(_) | Value::Seq(_) => {
                panic!("expected an array, found {self}")
            }
        }
    }

    /// The components of the tuple or struct.
    ///
    /// # Panics
    /// If it is none.
    pub fn components(&self) -> &[Value] {
        match self {
            Value::Tuple(components) => components,
            Value::Scalar(_) | Value::Array(_) | Value::Empty(_) | Value::Seq(_) => {
                panic!("expected a product, found {self}")
            }
        }
    }

    /// The array of `elements`; if there are none, they would look like `sample`.
    pub fn array(elements: Vec<Value>, sample: impl FnOnce() -> Value) -> Self {
        if elements.is_empty() {
            let sample = sample();
            if sample.has_array() {
                return Value::Empty(Box::new(sample));
            }
        }
        Value::Array(elements)
    }

    /// What an element looks like, if that is known.
    pub fn sample(&self) -> Option<&Value> {
        match self {
            Value::Array(elements) => elements.first(),
            Value::Empty(sample) => Some(sample),
            Value::Scalar(_) | Value::Tuple(_) | Value::Seq(_) => None,
        }
    }

    /// Whether it is, or holds, an array.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Value::Scalar(_) => false,
            Value::Tuple(parts) => parts.iter().any(Value::has_array),
            Value::Array(_) | Value::Empty(_) | Value::Seq(_) => true,
        }
    }

    /// The number of elements of an array; 0 for what is none.
    pub(super) fn len(&self) -> u64 {
        match self {
            Value::Array(elements) => elements.len() as u64,
            Value::Scalar(_) | Value::Tuple(_) | Value::Empty(_) | Value::Seq(_) => 0,
        }
    }

    /// Components or elements; none for a scalar.
    pub(super) fn parts(&self) -> &[Value] {
        match self {
            Value::Tuple(parts) | Value::Array(parts) => parts,
            Value::Scalar(_) | Value::Empty(_) | Value::Seq(_) => &[],
        }
    }

    /// The elements of the array.
    pub(super) fn into_elements(self) -> Vec<Value> {
        match self {
            Value::Array(elements) => elements,
            Value::Empty(_) => Vec::new(),
            Value::Scalar(_) | Value::Tuple(_) | Value::Seq(_) => {
                panic!("expected an array, found {self}")
            }
        }
    }

    /// What making it costs: one step for each scalar, product and array in it.
    pub(super) fn weight(&self) -> u64 {
        match self {
            Value::Scalar(_) | Value::Empty(_) | Value::Seq(_) => 1,
            Value::Tuple(parts) | Value::Array(parts) => {
                1 + parts.iter().map(Value::weight).sum::<u64>()
            }
        }
    }

    /// Component or element `i`.
    pub(super) fn part(&self, i: usize) -> &Value {
        match self {
            Value::Tuple(parts) | Value::Array(parts) => &parts[i],
            Value::Scalar(_) | Value::Empty(_) | Value::Seq(_) => panic!("no parts"),
        }
    }

    /// Component or element `i`, to be assigned.
    pub(super) fn part_mut(&mut self, i: usize) -> &mut Value {
        match self {
            Value::Tuple(parts) | Value::Array(parts) => &mut parts[i],
            Value::Scalar(_) | Value::Empty(_) | Value::Seq(_) => panic!("no parts"),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                a == b || a.ty == b.ty && is_nan(a) && is_nan(b)
            }
            (Value::Tuple(a), Value::Tuple(b)) => a == b,
            (Value::Array(_) | Value::Empty(_), Value::Array(_) | Value::Empty(_)) => {
                self.elements() == other.elements()
            }
            (
                Value::Scalar(_)
                | Value::Tuple(_)
                | Value::Array(_)
                | Value::Empty(_)
                | Value::Seq(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Value {}

fn is_nan(scalar: &Const) -> bool {
    scalar.ty.is_float() && scalar.ty.float_value(scalar.bits).is_nan()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Scalar(scalar) => write_scalar(*scalar, f),
            Value::Tuple(parts) => write_list(f, "(", parts, ")"),
            Value::Array(parts) => write_list(f, "[", parts, "]"),
            Value::Empty(_) => f.write_str("[]"),
            Value::Seq(_) => f.write_str("a sequence"),
        }
    }
}

fn write_scalar(scalar: Const, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match scalar.ty {
        Scalar::Bool => write!(f, "{}", scalar.bits != 0),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => write!(f, "{}", scalar.bits as i64),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => {
            write!(f, "{}", scalar.bits)
        }
        Scalar::F16 | Scalar::Bf16 | Scalar::F32 => {
            write!(f, "{:?}", scalar.ty.float_value(scalar.bits) as f32)
        }
        Scalar::F64 => write!(f, "{:?}", f64::from_bits(scalar.bits)),
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, open: &str, parts: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{part}")?;
    }
    f.write_str(close)
}

macro_rules! from_scalars {
    ($($rust:ident $scalar:ident |$x:ident| $bits:expr;)*) => {$(
        impl From<$rust> for Value {
            fn from($x: $rust) -> Self {
                Value::Scalar(Const { ty: Scalar::$scalar, bits: $bits })
            }
        }
    )*};
}

from_scalars! {
    bool Bool |x| u64::from(x);
    i8 I8 |x| i64::from(x) as u64;
    i16 I16 |x| i64::from(x) as u64;
    i32 I32 |x| i64::from(x) as u64;
    i64 I64 |x| x as u64;
    u8 U8 |x| u64::from(x);
    u16 U16 |x| u64::from(x);
    u32 U32 |x| u64::from(x);
    u64 U64 |x| x;
    usize Usize |x| x as u64;
    f32 F32 |x| u64::from(x.to_bits());
    f64 F64 |x| x.to_bits();
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Value::unit()
    }
}

macro_rules! from_tuples {
    ($(($($part:ident)*))*) => {$(
        impl<$($part: Into<Value>),*> From<($($part,)*)> for Value {
            #[expect(non_snake_case, reason = "one name for a type and its value")]
            fn from(($($part,)*): ($($part,)*)) -> Self {
                Value::Tuple(vec![$($part.into()),*])
            }
        }
    )*};
}

from_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        Value::Array(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Self {
        Value::Array(elements.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(elements: &[T]) -> Self {
        Value::Array(elements.iter().cloned().map(Into::into).collect())
    }
}
