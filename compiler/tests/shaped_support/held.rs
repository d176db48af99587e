//! What variables of a shaped function hold, and values as such.

use ragged_compiler::interpret::Value;
use ragged_compiler::typed::ir::{Const, SigType};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Held {
    Scalar(Const),
    /// Row-major, with extents.
    Array(Rc<Vec<Const>>, Vec<u64>),
}

/// The variables that hold `value`.
pub fn flatten(ty: &SigType, value: &Value, out: &mut Vec<Held>) {
    match ty {
        SigType::Scalar(_) => out.push(Held::Scalar(value.scalar())),
        SigType::Tuple(types) | SigType::Struct(_, types) => {
            for (ty, part) in types.iter().zip(value.components()) {
                flatten(ty, part, out);
            }
        }
        SigType::Vector(_, types) => {
            for (ty, part) in types.iter().zip(value.elements()) {
                flatten(ty, part, out);
            }
        }
        SigType::Array { elem, .. } => {
            columns(
                elem,
                std::slice::from_ref(value),
                Some(value),
                &mut Vec::new(),
                out,
            );
        }
    }
}

/// The components of what is in `arrays`, joined; each looks like `like`.
fn columns(
    elem: &SigType,
    arrays: &[Value],
    like: Option<&Value>,
    dims: &mut Vec<u64>,
    out: &mut Vec<Held>,
) {
    dims.push(like.map_or(0, |like| like.elements().len() as u64));
    let rows: Vec<Value> = arrays.iter().flat_map(Value::elements).cloned().collect();
    parts(elem, &rows, like.and_then(Value::sample), dims, out);
    dims.pop();
}

fn parts(
    elem: &SigType,
    rows: &[Value],
    like: Option<&Value>,
    dims: &mut Vec<u64>,
    out: &mut Vec<Held>,
) {
    match elem {
        SigType::Scalar(_) => {
            let elems = rows.iter().map(Value::scalar).collect();
            out.push(Held::Array(Rc::new(elems), dims.clone()));
        }
        SigType::Tuple(types) | SigType::Struct(_, types) => {
            for (at, ty) in types.iter().enumerate() {
                let column = |row: &Value| row.components()[at].clone();
                let like = like.map(column);
                let column: Vec<Value> = rows.iter().map(column).collect();
                parts(ty, &column, like.as_ref(), dims, out);
            }
        }
        SigType::Vector(_, types) => {
            for (at, ty) in types.iter().enumerate() {
                let column: Vec<Value> =
                    rows.iter().map(|row| row.elements()[at].clone()).collect();
                let like = like.and_then(Value::sample);
                parts(ty, &column, like, dims, out);
            }
        }
        SigType::Array { elem, .. } => columns(elem, rows, like, dims, out),
    }
}

/// The value that variables hold.
pub fn unflatten(ty: &SigType, held: &mut impl Iterator<Item = Held>) -> Value {
    match ty {
        SigType::Scalar(_) => match held.next() {
            Some(Held::Scalar(scalar)) => Value::Scalar(scalar),
            other => panic!("expected a scalar, found {other:?}"),
        },
        SigType::Tuple(types) | SigType::Struct(_, types) => {
            Value::Tuple(types.iter().map(|ty| unflatten(ty, held)).collect())
        }
        SigType::Vector(_, types) => {
            Value::Array(types.iter().map(|ty| unflatten(ty, held)).collect())
        }
        SigType::Array { elem, .. } => Value::Array(rows(elem, 1, held)),
    }
}

/// The elements of an array of which all components have `level` extents up to its own.
fn rows(elem: &SigType, level: usize, held: &mut impl Iterator<Item = Held>) -> Vec<Value> {
    match elem {
        SigType::Scalar(_) => match held.next() {
            Some(Held::Array(array, dims)) => {
                assert_eq!(dims.len(), level);
                nested(&array, &dims)
            }
            other => panic!("expected an array, found {other:?}"),
        },
        SigType::Tuple(types) | SigType::Struct(_, types) => {
            let columns: Vec<Vec<Value>> = types.iter().map(|ty| rows(ty, level, held)).collect();
            zipped(&columns, level, Value::Tuple)
        }
        SigType::Vector(_, types) => {
            let columns: Vec<Vec<Value>> = types.iter().map(|ty| rows(ty, level, held)).collect();
            zipped(&columns, level, Value::Array)
        }
        SigType::Array { elem, .. } => rows(elem, level + 1, held),
    }
}

fn nested(elems: &[Const], dims: &[u64]) -> Vec<Value> {
    let (first, rest) = dims.split_first().expect("an array has an extent");
    if rest.is_empty() {
        return elems.iter().copied().map(Value::Scalar).collect();
    }
    let width: u64 = rest.iter().product();
    (0..*first)
        .map(|row| {
            let row = &elems[(row * width) as usize..((row + 1) * width) as usize];
            Value::Array(nested(row, rest))
        })
        .collect()
}

/// Columns of one shape as an array of tuples or of arrays, at `level` levels.
fn zipped(columns: &[Vec<Value>], level: usize, made: fn(Vec<Value>) -> Value) -> Vec<Value> {
    (0..columns[0].len())
        .map(|at| {
            let row: Vec<Value> = columns.iter().map(|column| column[at].clone()).collect();
            if level == 1 {
                return made(row);
            }
            let inner: Vec<Vec<Value>> = row.iter().map(|it| it.elements().to_vec()).collect();
            Value::Array(zipped(&inner, level - 1, made))
        })
        .collect()
}
