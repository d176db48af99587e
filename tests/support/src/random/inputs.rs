//! Arguments: all sizes at which something begins or ends, values full of edge cases.

use super::Input;
use super::state::{Param, Signature, State};
use super::tree::{Dim, Ty};
use crate::special::special;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::Scalar;
use std::collections::HashMap;

/// Calls of each exported function.
const CALLS: usize = 4;

const SIZES: [usize; 12] = [0, 1, 2, 3, 5, 17, 63, 64, 65, 100, 300, 1000];
const LARGE: usize = 20_000;
/// Where there are several axes, or bodies with array operations.
const SMALL: [usize; 8] = [0, 1, 2, 3, 4, 5, 8, 17];

/// Items of a sequence: chunks of one take long.
const ITEMS: [usize; 8] = [0, 1, 2, 3, 5, 17, 64, 100];
/// Rows of any lengths.
const SHORT: [usize; 8] = [0, 0, 1, 1, 2, 3, 4, 9];

/// Calls of all exported functions.
pub fn inputs(s: &mut State) -> Vec<Input> {
    let exported: Vec<Signature> = s
        .functions
        .iter()
        .filter(|it| it.exported)
        .cloned()
        .collect();
    let mut inputs = Vec::new();
    for function in &exported {
        for _ in 0..CALLS {
            inputs.push(input(s, function));
        }
    }
    inputs
}

fn input(s: &mut State, function: &Signature) -> Input {
    let mut named: HashMap<String, usize> = HashMap::new();
    let args = function.params.iter().map(|param| {
        let value = argument(s, function, param, &mut named);
        (param.name.clone(), value)
    });
    Input {
        function: function.name.clone(),
        args: args.collect(),
    }
}

fn argument(
    s: &mut State,
    function: &Signature,
    param: &Param,
    named: &mut HashMap<String, usize>,
) -> Value {
    if param.seq {
        return sequence(s, function, param, named);
    }
    if let (Ty::Scalar(_), Some(name)) = (&param.ty, &param.size) {
        // A size of the signature, or the length of sequences.
        let size = *s.rng.pick(&SMALL);
        return Value::from(*named.entry(name.clone()).or_insert(size));
    }
    if let Ty::Dense(dims, elem) = &param.ty {
        let sizes: Vec<usize> = dims.iter().map(|dim| extent(s, dim, named)).collect();
        return dense(s, &sizes, elem);
    }
    let Ty::Array(elem) = &param.ty else {
        return scalars(s, &param.ty);
    };
    let mut size = match function.nested > 0 || elem.is_array() {
        true => *s.rng.pick(&SMALL),
        false => size(s),
    };
    if let Some(name) = &param.size {
        size = *named.entry(name.clone()).or_insert(size);
        if s.rng.chance(1, 60) && !function.streams {
            size += 1;
        }
    }
    rows(s, size, elem)
}

/// The items of a sequence.
fn sequence(
    s: &mut State,
    function: &Signature,
    param: &Param,
    named: &mut HashMap<String, usize>,
) -> Value {
    let Ty::Array(item) = &param.ty else {
        unreachable!("a sequence is the array of its items")
    };
    let size = match item.holds_arrays() {
        true => *s.rng.pick(&SMALL),
        false if s.rng.chance(1, 40) => LARGE,
        false => *s.rng.pick(&ITEMS),
    };
    // Of no items with sizes, compiled code does not know these.
    let sized = |param: &Param| param.seq && param.ty.to_string().contains(';');
    let size = size.max(usize::from(function.params.iter().any(sized)));
    let size = match &param.size {
        Some(name) => *named.entry(name.clone()).or_insert(size),
        None => size,
    };
    let items = (0..size).map(|_| self::item(s, item, named)).collect();
    Value::Array(items)
}

fn item(s: &mut State, ty: &Ty, named: &mut HashMap<String, usize>) -> Value {
    match ty {
        Ty::Dense(dims, elem) => {
            let sizes: Vec<usize> = dims.iter().map(|dim| known(s, dim, named)).collect();
            dense(s, &sizes, elem)
        }
        Ty::Array(elem) => {
            let size = *s.rng.pick(&SHORT);
            rows(s, size, elem)
        }
        Ty::Tuple(parts) => {
            let parts = parts.iter().map(|part| item(s, part, named));
            Value::Tuple(parts.collect())
        }
        Ty::Scalar(_) | Ty::Complex(_) => scalars(s, ty),
    }
}

/// So many elements; if they are arrays, these are of any lengths: none, all of one element, all of
/// one length, short with a few long ones.
fn rows(s: &mut State, size: usize, elem: &Ty) -> Value {
    let Ty::Array(inner) = elem else {
        return Value::Array((0..size).map(|_| scalars(s, elem)).collect());
    };
    let (kind, same) = (s.rng.below(8), *s.rng.pick(&SMALL));
    let long = if inner.is_array() { 9 } else { 70 };
    let rows = (0..size).map(|_| {
        let len = match kind {
            0 => 0,
            1 => 1,
            2 => same,
            3 if s.rng.chance(1, 6) => long + s.rng.below(long),
            3 => s.rng.below(2),
            _ => *s.rng.pick(&SHORT),
        };
        self::rows(s, len, inner)
    });
    Value::Array(rows.collect())
}

/// How long an axis is; seldom not as the type says.
fn extent(s: &mut State, dim: &Dim, named: &mut HashMap<String, usize>) -> usize {
    known(s, dim, named) + usize::from(!s.once && s.rng.chance(1, 150))
}

/// How long the type says that an axis is.
fn known(s: &mut State, dim: &Dim, named: &mut HashMap<String, usize>) -> usize {
    match dim {
        Dim::Known(size) => *size,
        Dim::Named(name) => {
            let size = *s.rng.pick(&SMALL);
            *named.entry(name.clone()).or_insert(size)
        }
    }
}

fn dense(s: &mut State, sizes: &[usize], elem: &Ty) -> Value {
    let Some((len, inner)) = sizes.split_first() else {
        return scalars(s, elem);
    };
    let rows = (0..*len).map(|_| dense(s, inner, elem)).collect();
    Value::array(rows, || dense(s, inner, elem))
}

fn size(s: &mut State) -> usize {
    if s.rng.chance(1, 40) {
        return LARGE;
    }
    *s.rng.pick(&SIZES)
}

fn scalars(s: &mut State, ty: &Ty) -> Value {
    match ty {
        Ty::Scalar(Scalar::Usize) if s.rng.chance(3, 4) => Value::from(s.rng.below(70)),
        Ty::Scalar(scalar) => Value::Scalar(special(&mut s.rng, *scalar)),
        Ty::Complex(part) => {
            let part = Ty::Scalar(*part);
            Value::Tuple(vec![scalars(s, &part), scalars(s, &part)])
        }
        Ty::Tuple(parts) => Value::Tuple(parts.iter().map(|part| scalars(s, part)).collect()),
        Ty::Array(_) | Ty::Dense(..) => unreachable!("elements are no arrays"),
    }
}
