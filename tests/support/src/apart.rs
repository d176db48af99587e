//! Values of a block as Rust's values: products with arrays in them go over the border apart.
//!
//! In: a value, and what its type is made of. Out: a product of arrays for each array of products with
//! arrays in them, and the other way round.

use ragged_compiler::interpret::Value;
use ragged_compiler::typed::ir::SigType;

/// What a type is made of.
pub enum Shape {
    /// Scalars and products of scalars.
    Plain,
    /// A product with an array in it.
    Product(&'static [Shape]),
    /// An array.
    Array(&'static Shape),
}

/// The expression for the shape of `ty`.
pub fn shape(ty: &SigType) -> String {
    let text = match ty {
        SigType::Array { elem, .. } => format!("Array(&{})", shape(elem)),
        SigType::Tuple(parts) | SigType::Struct(_, parts) if ty.goes_apart() => {
            let parts: Vec<String> = parts.iter().map(shape).collect();
            format!("Product(&[{}])", parts.join(", "))
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            "Plain".to_owned()
        }
    };
    format!("ragged_test_support::apart::Shape::{text}")
}

/// What goes over the border for `value`.
pub fn apart(value: &Value, shape: &Shape) -> Value {
    below(value, shape, 0)
}

/// The same of arrays, so many levels deep, of what is of this shape.
fn below(value: &Value, shape: &Shape, depth: usize) -> Value {
    match shape {
        Shape::Plain => value.clone(),
        Shape::Array(elem) => below(value, elem, depth + 1),
        Shape::Product(parts) => {
            let parts = parts.iter().enumerate();
            let parts = parts.map(|(at, part)| below(&component(value, at, depth), part, depth));
            Value::Tuple(parts.collect())
        }
    }
}

/// Component `at` of each product in arrays of so many levels.
fn component(value: &Value, at: usize, depth: usize) -> Value {
    if depth == 0 {
        return value.components()[at].clone();
    }
    match value {
        Value::Empty(sample) => Value::Empty(Box::new(component(sample, at, depth - 1))),
        array => {
            let elements = array.elements().iter();
            Value::Array(elements.map(|it| component(it, at, depth - 1)).collect())
        }
    }
}

/// The value for which `value` goes over the border.
pub fn together(value: Value, shape: &Shape) -> Value {
    above(value, shape, 0)
}

fn above(value: Value, shape: &Shape, depth: usize) -> Value {
    match shape {
        Shape::Plain => value,
        Shape::Array(elem) => above(value, elem, depth + 1),
        Shape::Product(parts) => {
            let columns = value.components().iter().zip(*parts);
            let columns: Vec<Value> = columns
                .map(|(column, part)| above(column.clone(), part, depth))
                .collect();
            zipped(&columns, depth)
        }
    }
}

/// The arrays of products with these components.
fn zipped(columns: &[Value], depth: usize) -> Value {
    if depth == 0 {
        return Value::Tuple(columns.to_vec());
    }
    let len = columns[0].elements().len();
    let same = columns.iter().all(|it| it.elements().len() == len);
    assert!(same, "components of different lengths: {columns:?}");
    let element = |at: usize| {
        let parts = columns.iter().map(|it| it.elements()[at].clone());
        zipped(&parts.collect::<Vec<_>>(), depth - 1)
    };
    Value::Array((0..len).map(element).collect())
}
