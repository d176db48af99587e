//! What an expression is lowered to: trees of atoms and of arrays of scalars.
//!
//! Products exist here only; the output has a variable per leaf, in the order in which
//! [`super::ir::leaves`] lists them.

use super::ir::{Atom, Extent};
use super::size::Size;
use crate::ids::Var;
use crate::prims::Scalar;
use crate::typed::ir::{Const, Lambda};

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Atom),
    Product(Vec<Value>),
    Array(Array),
}

/// An array: one extent, and a variable per component of the elements.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) extent: Extent,
    pub(super) elem: Elem,
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub(super) enum Elem {
    Leaf(Var),
    Product(Vec<Elem>),
}

/// A closure: what is applied, and the frame whose locals it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closure<'p> {
    pub(super) lambda: &'p Lambda,
    pub(super) frame: usize,
}

impl Value {
    /// `()`
    pub(super) fn unit() -> Value {
        Value::Product(Vec::new())
    }

    /// The atom of a scalar. Assumes that typing holds.
    pub(super) fn atom(&self) -> Atom {
        match self {
            Value::Scalar(atom) => *atom,
            Value::Product(_) | Value::Array(_) => unreachable!("typed: a scalar is needed here"),
        }
    }

    /// Component `field` of a product. Assumes that typing holds.
    pub(super) fn field(&self, field: usize) -> Value {
        match self {
            Value::Product(parts) => parts[field].clone(),
            Value::Scalar(_) | Value::Array(_) => unreachable!("typed: a product is needed here"),
        }
    }

    /// Whether it is, or holds, an array.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Value::Scalar(_) => false,
            Value::Product(parts) => parts.iter().any(Value::has_array),
            Value::Array(_) => true,
        }
    }

    /// Its scalars from left to right, arrays left out.
    pub(super) fn scalars(&self, out: &mut Vec<Atom>) {
        match self {
            Value::Scalar(atom) => out.push(*atom),
            Value::Product(parts) => parts.iter().for_each(|part| part.scalars(out)),
            Value::Array(_) => {}
        }
    }

    /// Its arrays from left to right.
    pub(super) fn arrays<'v>(&'v self, out: &mut Vec<&'v Array>) {
        match self {
            Value::Scalar(_) => {}
            Value::Product(parts) => parts.iter().for_each(|part| part.arrays(out)),
            Value::Array(array) => out.push(array),
        }
    }

    /// A product of scalars of the same shape, with `atoms` for its scalars; arrays stay.
    pub(super) fn with_atoms(&self, atoms: &mut impl Iterator<Item = Atom>) -> Value {
        match self {
            Value::Scalar(_) => Value::Scalar(atoms.next().expect("one atom per scalar")),
            Value::Product(parts) => {
                Value::Product(parts.iter().map(|part| part.with_atoms(atoms)).collect())
            }
            Value::Array(array) => Value::Array(array.clone()),
        }
    }

    /// The same with variables.
    pub(super) fn with_vars(&self, vars: &[Var]) -> Value {
        self.with_atoms(&mut vars.iter().copied().map(Atom::Var))
    }

    /// The elements of an array whose element has this shape, with `vars` for its components.
    pub(super) fn elem_with(&self, vars: &mut impl Iterator<Item = Var>) -> Elem {
        match self {
            Value::Scalar(_) => Elem::Leaf(next(vars)),
            Value::Product(parts) => {
                Elem::Product(parts.iter().map(|part| part.elem_with(vars)).collect())
            }
            Value::Array(_) => unreachable!("nested arrays are reported before"),
        }
    }
}

impl Elem {
    /// Its variables from left to right.
    pub(super) fn vars(&self, out: &mut Vec<Var>) {
        match self {
            Elem::Leaf(var) => out.push(*var),
            Elem::Product(parts) => parts.iter().for_each(|part| part.vars(out)),
        }
    }

    /// The same shape with other variables.
    pub(super) fn with_vars(&self, vars: &mut impl Iterator<Item = Var>) -> Elem {
        match self {
            Elem::Leaf(_) => Elem::Leaf(next(vars)),
            Elem::Product(parts) => {
                Elem::Product(parts.iter().map(|part| part.with_vars(vars)).collect())
            }
        }
    }

    /// The element whose components are `atoms`.
    pub(super) fn with_atoms(&self, atoms: &mut impl Iterator<Item = Atom>) -> Value {
        match self {
            Elem::Leaf(_) => Value::Scalar(atoms.next().expect("one atom per component")),
            Elem::Product(parts) => {
                Value::Product(parts.iter().map(|part| part.with_atoms(atoms)).collect())
            }
        }
    }
}

fn next(vars: &mut impl Iterator<Item = Var>) -> Var {
    vars.next().expect("one variable per component")
}

/// A `usize` constant.
pub(super) fn usize_const(n: u64) -> Atom {
    Atom::Const(Const {
        ty: Scalar::Usize,
        bits: n,
    })
}

/// A `bool` constant.
pub(super) fn bool_const(truth: bool) -> Atom {
    Atom::Const(Const {
        ty: Scalar::Bool,
        bits: u64::from(truth),
    })
}

/// The extent of an array of `n` elements.
pub(super) fn const_extent(n: u64) -> Extent {
    Extent {
        value: usize_const(n),
        size: Size::known(i64::try_from(n).unwrap_or(i64::MAX)),
    }
}
