//! What an expression is lowered to: trees of atoms and of arrays, those of arrays among them.
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

/// An array: its extent, and what its elements are made of.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) extent: Extent,
    pub(super) elem: Elem,
}

/// The elements of an array.
#[derive(Clone, Debug)]
pub(super) enum Elem {
    Leaf(Leaf),
    Product(Vec<Elem>),
    /// Arrays, all of one extent.
    Array(Box<Array>),
    /// Arrays of extents of their own.
    Rows(Box<Rows>),
}

/// A component of an array's elements: a variable, or the part of it at an index of its outermost
/// dimensions (a row of a matrix, say).
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) var: Var,
    /// Where in the outermost dimensions; empty for the whole variable.
    pub(super) prefix: Vec<Atom>,
    /// What is added to the first index, if something is: the array begins there.
    pub(super) base: Option<Atom>,
}

/// Arrays of extents of their own, one after another in one array, and where each begins: row `k`
/// is `flat[offsets[k]..offsets[k + 1]]`. Several regular dimensions around count their rows in
/// row-major order.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// How many offsets there are: one more than rows.
    pub(super) bounds: Extent,
    /// The offsets, `i64`, the first 0 and the last the extent of `flat`.
    pub(super) offsets: Var,
    /// Where in the dimensions around, as far as that is settled.
    pub(super) at: Option<Atom>,
    /// As that of a [`Leaf`].
    pub(super) base: Option<Atom>,
    /// The elements of all rows.
    pub(super) flat: Array,
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

    /// Whether there are arrays of extents of their own in its arrays.
    pub(super) fn has_rows(&self) -> bool {
        match self {
            Value::Scalar(_) => false,
            Value::Product(parts) => parts.iter().any(Value::has_rows),
            Value::Array(array) => array.elem.has_rows(),
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

    /// The elements of an array whose element has this shape, with `vars` for its components and
    /// `extents` for the extents of arrays in it.
    pub(super) fn elem_with(
        &self,
        vars: &mut impl Iterator<Item = Var>,
        extents: &mut impl Iterator<Item = Extent>,
    ) -> Elem {
        match self {
            Value::Scalar(_) => Elem::whole(next(vars)),
            Value::Product(parts) => {
                let parts = parts.iter().map(|part| part.elem_with(vars, extents));
                Elem::Product(parts.collect())
            }
            Value::Array(array) => Elem::Array(Box::new(array.with_vars(vars, extents))),
        }
    }

    /// All that it is made of: scalars, arrays, and where in these it is.
    pub(super) fn mentions(&self, out: &mut Vec<Atom>) {
        match self {
            Value::Scalar(atom) => out.push(*atom),
            Value::Product(parts) => parts.iter().for_each(|part| part.mentions(out)),
            Value::Array(array) => array.elem.mentions(out),
        }
    }

    /// Every extent of its arrays, outer ones before those inside.
    pub(super) fn extents(&self, out: &mut Vec<Extent>) {
        match self {
            Value::Scalar(_) => {}
            Value::Product(parts) => parts.iter().for_each(|part| part.extents(out)),
            Value::Array(array) => array.extents(out),
        }
    }
}

impl Array {
    /// Its extent and those of arrays in it, outer ones first.
    pub(super) fn extents(&self, out: &mut Vec<Extent>) {
        out.push(self.extent.clone());
        self.elem.extents(out);
    }

    /// The same shape with other variables, whole ones, and other extents.
    pub(super) fn with_vars(
        &self,
        vars: &mut impl Iterator<Item = Var>,
        extents: &mut impl Iterator<Item = Extent>,
    ) -> Array {
        Array {
            extent: next_extent(extents),
            elem: self.elem.with_vars(vars, extents),
        }
    }

    /// Its components with the extents of each, outermost first; whole variables only.
    pub(super) fn components(&self, outer: &[Extent], out: &mut Vec<(Var, Vec<Extent>)>) {
        let mut dims = outer.to_vec();
        dims.push(self.extent.clone());
        self.elem.components(&dims, out);
    }

    /// Whether each component is a whole variable.
    pub(super) fn is_whole(&self) -> bool {
        self.elem.is_whole()
    }
}

impl Elem {
    /// A component that is the whole variable.
    pub(super) fn whole(var: Var) -> Elem {
        Elem::Leaf(Leaf {
            var,
            prefix: Vec::new(),
            base: None,
        })
    }

    /// Its variables from left to right.
    pub(super) fn vars(&self, out: &mut Vec<Var>) {
        match self {
            Elem::Leaf(leaf) => out.push(leaf.var),
            Elem::Product(parts) => parts.iter().for_each(|part| part.vars(out)),
            Elem::Array(array) => array.elem.vars(out),
            Elem::Rows(rows) => {
                out.push(rows.offsets);
                rows.flat.elem.vars(out);
            }
        }
    }

    /// The same shape with other variables, whole ones, and other extents of arrays in it.
    pub(super) fn with_vars(
        &self,
        vars: &mut impl Iterator<Item = Var>,
        extents: &mut impl Iterator<Item = Extent>,
    ) -> Elem {
        match self {
            Elem::Leaf(_) => Elem::whole(next(vars)),
            Elem::Product(parts) => {
                let parts = parts.iter().map(|part| part.with_vars(vars, extents));
                Elem::Product(parts.collect())
            }
            Elem::Array(array) => Elem::Array(Box::new(array.with_vars(vars, extents))),
            Elem::Rows(rows) => {
                let (bounds, offsets) = (next_extent(extents), next(vars));
                Elem::rows(bounds, offsets, rows.flat.with_vars(vars, extents))
            }
        }
    }

    /// Rows of `flat` that begin at `offsets`.
    pub(super) fn rows(bounds: Extent, offsets: Var, flat: Array) -> Elem {
        Elem::Rows(Box::new(Rows {
            bounds,
            offsets,
            at: None,
            base: None,
            flat,
        }))
    }

    /// The same, its first index counted from `base`. Assumes that nothing is settled yet.
    pub(super) fn based(&self, base: Atom) -> Elem {
        match self {
            Elem::Leaf(leaf) => Elem::Leaf(Leaf {
                base: Some(base),
                ..leaf.clone()
            }),
            Elem::Product(parts) => {
                Elem::Product(parts.iter().map(|part| part.based(base)).collect())
            }
            Elem::Array(array) => Elem::Array(Box::new(Array {
                extent: array.extent.clone(),
                elem: array.elem.based(base),
            })),
            Elem::Rows(rows) => Elem::Rows(Box::new(Rows {
                base: Some(base),
                ..(**rows).clone()
            })),
        }
    }

    fn mentions(&self, out: &mut Vec<Atom>) {
        match self {
            Elem::Leaf(leaf) => {
                out.push(Atom::Var(leaf.var));
                out.extend(leaf.prefix.iter().copied().chain(leaf.base));
            }
            Elem::Product(parts) => parts.iter().for_each(|part| part.mentions(out)),
            Elem::Array(array) => array.elem.mentions(out),
            Elem::Rows(rows) => {
                out.push(Atom::Var(rows.offsets));
                out.extend(rows.at.into_iter().chain(rows.base));
                rows.flat.elem.mentions(out);
            }
        }
    }

    /// Whether it is, or holds, an array.
    pub(super) fn has_array(&self) -> bool {
        match self {
            Elem::Leaf(_) => false,
            Elem::Product(parts) => parts.iter().any(Elem::has_array),
            Elem::Array(_) | Elem::Rows(_) => true,
        }
    }

    /// Whether there are arrays of extents of their own in it.
    pub(super) fn has_rows(&self) -> bool {
        match self {
            Elem::Leaf(_) => false,
            Elem::Product(parts) => parts.iter().any(Elem::has_rows),
            Elem::Array(array) => array.elem.has_rows(),
            Elem::Rows(_) => true,
        }
    }

    /// The arrays of extents of their own in it, without those in other arrays.
    pub(super) fn rows_in(&self) -> Vec<&Rows> {
        match self {
            Elem::Leaf(_) | Elem::Array(_) => Vec::new(),
            Elem::Product(parts) => parts.iter().flat_map(Elem::rows_in).collect(),
            Elem::Rows(rows) => vec![rows],
        }
    }

    /// Whether all of it is arrays of extents of their own: more indices may count these.
    pub(super) fn is_rows(&self) -> bool {
        match self {
            Elem::Leaf(_) => false,
            Elem::Product(parts) => parts.iter().all(Elem::is_rows),
            Elem::Array(array) => array.elem.is_rows(),
            Elem::Rows(_) => true,
        }
    }

    fn extents(&self, out: &mut Vec<Extent>) {
        match self {
            Elem::Leaf(_) => {}
            Elem::Product(parts) => parts.iter().for_each(|part| part.extents(out)),
            Elem::Array(array) => array.extents(out),
            Elem::Rows(rows) => {
                out.push(rows.bounds.clone());
                rows.flat.extents(out);
            }
        }
    }

    fn components(&self, dims: &[Extent], out: &mut Vec<(Var, Vec<Extent>)>) {
        match self {
            Elem::Leaf(leaf) => out.push((leaf.var, dims.to_vec())),
            Elem::Product(parts) => parts.iter().for_each(|part| part.components(dims, out)),
            Elem::Array(array) => array.components(dims, out),
            Elem::Rows(rows) => {
                out.push((rows.offsets, vec![rows.bounds.clone()]));
                rows.flat.components(&[], out);
            }
        }
    }

    fn is_whole(&self) -> bool {
        match self {
            Elem::Leaf(leaf) => leaf.prefix.is_empty() && leaf.base.is_none(),
            Elem::Product(parts) => parts.iter().all(Elem::is_whole),
            Elem::Array(array) => array.is_whole(),
            Elem::Rows(rows) => rows.at.is_none() && rows.base.is_none() && rows.flat.is_whole(),
        }
    }
}

fn next_extent(extents: &mut impl Iterator<Item = Extent>) -> Extent {
    extents.next().expect("one extent per array")
}

fn next(vars: &mut impl Iterator<Item = Var>) -> Var {
    vars.next().expect("one variable per component")
}

/// Whether elements are arrays, or hold some.
pub(super) fn holds_array(elem: &Elem) -> bool {
    match elem {
        Elem::Leaf(_) => false,
        Elem::Product(parts) => parts.iter().any(holds_array),
        Elem::Array(_) | Elem::Rows(_) => true,
    }
}

/// A `usize` constant.
pub(super) fn usize_const(n: u64) -> Atom {
    Atom::Const(Const {
        ty: Scalar::Usize,
        bits: n,
    })
}

/// A small number of an integer type.
pub(super) fn number_const(ty: Scalar, bits: u64) -> Atom {
    Atom::Const(Const { ty, bits })
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
