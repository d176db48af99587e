//! Values that leave a branch or go round a loop: one variable per scalar and per array component,
//! and one more for an extent that changes on the way.

use super::ir::{Atom, Extent};
use super::lower::Lower;
use super::size::Size;
use super::value::{Array, Elem, Value};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::source::SrcSpan;

/// The extent of an array that is carried.
#[derive(Clone, Debug)]
pub(super) enum Carried {
    /// The same before and after.
    Kept(Extent),
    /// Carried along as a `usize`, with its size expression if that is known.
    Along(Option<Size>),
}

impl Lower<'_> {
    /// The extents of the arrays in `values`, in order, as kept.
    pub(super) fn kept(&self, values: &[Value]) -> Vec<Carried> {
        arrays(values)
            .iter()
            .map(|array| Carried::Kept(array.extent.clone()))
            .collect()
    }

    /// How the extents of two versions of the same values agree.
    pub(super) fn common(&self, left: &[Value], right: &[Value]) -> Vec<Carried> {
        let pairs = arrays(left).into_iter().zip(arrays(right));
        pairs
            .map(|(left, right)| self.common_extent(&left.extent, &right.extent))
            .collect()
    }

    fn common_extent(&self, left: &Extent, right: &Extent) -> Carried {
        if left.value == right.value {
            return Carried::Kept(left.clone());
        }
        if !self.facts.same(&left.size, &right.size) {
            return Carried::Along(None);
        }
        match self.facts.atom_of(&left.size) {
            Some(value) => Carried::Kept(Extent {
                value,
                size: left.size.clone(),
            }),
            None => Carried::Along(Some(left.size.clone())),
        }
    }

    /// New variables of the shape of `values`: the values that they make up, and themselves.
    pub(super) fn carrier(
        &mut self,
        values: &[Value],
        extents: &[Carried],
        src: SrcSpan,
    ) -> (Vec<Value>, Vec<Var>) {
        let mut extents = extents.iter();
        let mut vars = Vec::new();
        let values = values
            .iter()
            .map(|value| self.carrier_of(value, &mut extents, src, &mut vars))
            .collect();
        (values, vars)
    }

    fn carrier_of(
        &mut self,
        value: &Value,
        extents: &mut std::slice::Iter<'_, Carried>,
        src: SrcSpan,
        vars: &mut Vec<Var>,
    ) -> Value {
        match value {
            Value::Scalar(atom) => {
                let var = self.scalar_var(self.elem_type(*atom), src);
                vars.push(var);
                Value::Scalar(Atom::Var(var))
            }
            Value::Product(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.carrier_of(part, extents, src, vars));
                Value::Product(parts.collect())
            }
            Value::Array(array) => {
                let extent = match extents.next().expect("one extent per array") {
                    Carried::Kept(extent) => extent.clone(),
                    Carried::Along(size) => self.carried_extent(size.clone(), src, vars),
                };
                let elem = self.carrier_elem(&array.elem, &extent, src, vars);
                Value::Array(Array { extent, elem })
            }
        }
    }

    fn carried_extent(&mut self, size: Option<Size>, src: SrcSpan, vars: &mut Vec<Var>) -> Extent {
        let var = self.scalar_var(Scalar::Usize, src);
        vars.push(var);
        let size = match size {
            Some(size) => {
                self.facts.set_size(var, size.clone());
                size
            }
            None => Size::symbol(self.facts.new_extent(var)),
        };
        Extent {
            value: Atom::Var(var),
            size,
        }
    }

    fn carrier_elem(
        &mut self,
        elem: &Elem,
        extent: &Extent,
        src: SrcSpan,
        vars: &mut Vec<Var>,
    ) -> Elem {
        match elem {
            Elem::Leaf(var) => {
                let var = self.array_var(self.elem_type(Atom::Var(*var)), extent, src);
                vars.push(var);
                Elem::Leaf(var)
            }
            Elem::Product(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.carrier_elem(part, extent, src, vars));
                Elem::Product(parts.collect())
            }
        }
    }
}

/// The atoms that go into the variables that [`Lower::carrier`] makes.
pub(super) fn cargo(values: &[Value], extents: &[Carried]) -> Vec<Atom> {
    let mut extents = extents.iter();
    let mut atoms = Vec::new();
    values
        .iter()
        .for_each(|value| cargo_of(value, &mut extents, &mut atoms));
    atoms
}

fn cargo_of(value: &Value, extents: &mut std::slice::Iter<'_, Carried>, atoms: &mut Vec<Atom>) {
    match value {
        Value::Scalar(atom) => atoms.push(*atom),
        Value::Product(parts) => {
            parts.iter().for_each(|part| cargo_of(part, extents, atoms));
        }
        Value::Array(array) => {
            if let Some(Carried::Along(_)) = extents.next() {
                atoms.push(array.extent.value);
            }
            let mut vars = Vec::new();
            array.elem.vars(&mut vars);
            atoms.extend(vars.into_iter().map(Atom::Var));
        }
    }
}

/// The arrays in `values`.
pub(super) fn arrays(values: &[Value]) -> Vec<&Array> {
    let mut arrays = Vec::new();
    values.iter().for_each(|value| value.arrays(&mut arrays));
    arrays
}
