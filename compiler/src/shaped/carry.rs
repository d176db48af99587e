//! Values that leave a branch or go round a loop: one variable per scalar and per array component,
//! and one more for an extent that changes on the way.

use super::facts::Facts;
use super::ir::{Atom, Extent};
use super::lower::Lower;
use super::size::Size;
use super::value::{Array, Value};
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
    /// Carried along, and at most this.
    Below(Size),
}

impl Lower<'_> {
    /// The extents of the arrays in `values`, in order, as kept.
    pub(super) fn kept(&self, values: &[Value]) -> Vec<Carried> {
        extents(values).into_iter().map(Carried::Kept).collect()
    }

    /// How the extents agree that values have on the two sides of a conditional, in front of which there were
    /// so many variables.
    pub(super) fn common(&self, left: &[Value], right: &[Value], before: usize) -> Vec<Carried> {
        let pairs = extents(left).into_iter().zip(extents(right));
        pairs
            .map(|(left, right)| self.common_extent(&left, &right, before))
            .collect()
    }

    fn common_extent(&self, left: &Extent, right: &Extent, before: usize) -> Carried {
        if left.value == right.value {
            return Carried::Kept(left.clone());
        }
        if !self.facts.same(&left.size, &right.size) {
            let most = self.greater(&left.size, &right.size, before);
            return most.map_or(Carried::Along(None), Carried::Below);
        }
        match self.facts.atom_of(&left.size) {
            Some(value) => Carried::Kept(Extent {
                value,
                size: left.size.clone(),
            }),
            None => Carried::Along(Some(left.size.clone())),
        }
    }

    /// What neither of two sizes is above, by what there was among the first variables, so many.
    fn greater(&self, left: &Size, right: &Size, before: usize) -> Option<Size> {
        let [left, right] = [left, right].map(|size| self.facts.most_before(size, before));
        let (left, right) = (left?, right?);
        if self.facts.at_least(&left, &right) {
            return Some(left);
        }
        match self.facts.at_least(&right, &left) {
            true => Some(right),
            false => left.add(&right),
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
                let mut own = Vec::new();
                array.extents(&mut own);
                let own = own.iter().map(|_| match extents.next() {
                    Some(Carried::Kept(extent)) => extent.clone(),
                    Some(Carried::Along(size)) => {
                        self.carried_extent(src, vars, |facts, var| match size {
                            Some(size) => facts.set_size(var, size.clone()),
                            None => {
                                facts.new_extent(var);
                            }
                        })
                    }
                    Some(Carried::Below(most)) => self.carried_extent(src, vars, |facts, var| {
                        facts.new_ranged(var, Size::known(0), most.clone());
                    }),
                    None => unreachable!("one extent per array"),
                });
                let mut own = own.collect::<Vec<_>>().into_iter();
                Value::Array(self.carrier_array(array, &mut own, src, vars))
            }
        }
    }

    /// New variables of the shape of `array`, whose extents become `extents`.
    fn carrier_array(
        &mut self,
        array: &Array,
        extents: &mut impl Iterator<Item = Extent>,
        src: SrcSpan,
        vars: &mut Vec<Var>,
    ) -> Array {
        let mut olds = Vec::new();
        array.elem.vars(&mut olds);
        let shape = array.with_vars(&mut olds.into_iter(), extents);
        let mut parts = Vec::new();
        shape.components(&[], &mut parts);
        let news = parts.into_iter().map(|(var, dims)| {
            let scalar = self.elem_type(Atom::Var(var));
            self.array_var(scalar, dims, src)
        });
        let news: Vec<Var> = news.collect();
        vars.extend(&news);
        let mut own = Vec::new();
        shape.extents(&mut own);
        shape.with_vars(&mut news.into_iter(), &mut own.into_iter())
    }

    /// A new variable for an extent; `say` says what is known of it.
    fn carried_extent(
        &mut self,
        src: SrcSpan,
        vars: &mut Vec<Var>,
        say: impl FnOnce(&mut Facts, Var),
    ) -> Extent {
        let var = self.scalar_var(Scalar::Usize, src);
        vars.push(var);
        say(&mut self.facts, var);
        let value = Atom::Var(var);
        let size = self.facts.size_of(value);
        Extent { value, size }
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
            let mut own = Vec::new();
            array.extents(&mut own);
            for extent in own {
                if let Some(Carried::Along(_) | Carried::Below(_)) = extents.next() {
                    atoms.push(extent.value);
                }
            }
            let mut vars = Vec::new();
            array.elem.vars(&mut vars);
            atoms.extend(vars.into_iter().map(Atom::Var));
        }
    }
}

/// The extents of the arrays in `values`, outer ones before those inside.
pub(super) fn extents(values: &[Value]) -> Vec<Extent> {
    let mut extents = Vec::new();
    values.iter().for_each(|value| value.extents(&mut extents));
    extents
}
