//! Assignment: to a local, to a component, to an element or a slice of a local array.
//!
//! Inside of an array nothing changes its shape: what is assigned has the lengths of what was there.

use super::effects::Effects;
use super::ir::{Atom, Extent, Op};
use super::lower::{Lower, Lowered, Slot};
use super::par::components;
use super::value::{Array, Elem, Leaf, Value, holds_array, usize_const};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, Place, PlaceStep};

/// A step into a value, its indices computed.
#[derive(Clone)]
enum Step {
    Field(usize),
    Index(Atom),
    /// An index that is in range.
    At(Atom),
    /// First index and end.
    Slice(Atom, Atom),
}

impl<'p> Lower<'p> {
    /// `place = value`; the value first, then the indices of the place.
    pub(super) fn assign(&mut self, place: &'p Place, value: &'p Expr) -> Lowered<Value> {
        let exits = if self.loops.is_empty() {
            Vec::new()
        } else {
            Effects::of([value]).exits
        };
        let value = self.expr(value)?;
        let stored = if exits.is_empty() {
            self.store(place, value)?
        } else {
            let left = self.left_by(&exits, place.src);
            self.branch(
                left,
                &[place.local],
                place.src,
                |_| Ok(Value::unit()),
                |lower| lower.store(place, value),
            )?
        };
        self.note_assigned(place.local);
        Ok(stored)
    }

    /// `value`, with the rows and slices in it of arrays whose elements are assigned, maybe before they
    /// are read, made arrays of their own: so no more than these is copied, if anything is.
    pub(super) fn saved(&mut self, value: Value, src: SrcSpan) -> Lowered<Value> {
        let assigned = self.assigned_in_parts();
        if assigned.is_empty() {
            return Ok(value);
        }
        self.owned_apart_from(value, &assigned, src)
    }

    /// What the arrays of this function are made of whose elements are assigned in the innermost body.
    fn assigned_in_parts(&self) -> Vec<Var> {
        let frame = &self.frames[self.frame];
        let locals = frame.function.locals.iter().zip(&frame.slots).enumerate();
        let mut found = Vec::new();
        for (at, (local, slot)) in locals {
            if let Some(Slot::Value(value)) = slot
                && local.in_parts
                && frame.depths[at] == self.bodies.len()
            {
                found.extend(arrays_of(value));
            }
        }
        found
    }

    /// `value` with rows and slices of these variables made arrays of their own.
    fn owned_apart_from(&mut self, value: Value, vars: &[Var], src: SrcSpan) -> Lowered<Value> {
        self.owned_if(value, src, &|array| {
            array.is_whole()
                || components(&array.elem)
                    .iter()
                    .all(|var| !vars.contains(var))
        })
    }

    fn store(&mut self, place: &'p Place, value: Value) -> Lowered<Value> {
        let before = self.locals(&[place.local]).remove(0);
        let steps = self.steps_of(&before, &place.path, place.src)?;
        let after = self.put(before, &steps, value, place.src)?;
        self.set_local(place.local, after);
        Ok(Value::unit())
    }

    /// The steps of a place in `value`.
    fn steps_of(
        &mut self,
        value: &Value,
        path: &'p [PlaceStep],
        src: SrcSpan,
    ) -> Lowered<Vec<Step>> {
        let mut steps = Vec::with_capacity(path.len());
        for step in path {
            steps.push(match step {
                PlaceStep::Field(field) => Step::Field(*field),
                PlaceStep::Index(index) => Step::Index(self.atom(index)?),
                PlaceStep::Slice { lo, hi, inclusive } => {
                    let length = self.length_at(value, &steps, src);
                    let (lo, hi) = self.bounds(lo.as_ref(), hi.as_ref(), *inclusive, length)?;
                    Step::Slice(lo, hi)
                }
            });
        }
        Ok(steps)
    }

    /// `array` with its element at `index`, which is in range, replaced.
    pub(super) fn replaced(
        &mut self,
        array: Array,
        index: Atom,
        element: Value,
        src: SrcSpan,
    ) -> Lowered<Value> {
        self.put(Value::Array(array), &[Step::At(index)], element, src)
    }

    /// `before` with the part at `steps` replaced.
    fn put(&mut self, before: Value, steps: &[Step], value: Value, src: SrcSpan) -> Lowered<Value> {
        match (steps, before) {
            ([], _) => Ok(value),
            ([Step::Field(field), rest @ ..], Value::Product(mut parts)) => {
                let part = parts[*field].clone();
                parts[*field] = self.put(part, rest, value, src)?;
                Ok(Value::Product(parts))
            }
            (_, before) => {
                let before = self.owned(before, src)?;
                let array = self.as_array(&before);
                self.put_in_array(array, steps, value, src)
            }
        }
    }

    fn put_in_array(
        &mut self,
        array: Array,
        steps: &[Step],
        value: Value,
        src: SrcSpan,
    ) -> Lowered<Value> {
        if let [outer @ .., Step::Slice(lo, hi)] = steps {
            let place = self.walk(&Elem::Array(Box::new(array.clone())), outer, src);
            self.check_slice(*lo, *hi, as_inner(&place).extent.value, src);
            let count = self.exact(ScalarOp::Sub, *hi, *lo, src);
            let extent = self.extent_of(count);
            return self.put_rows(array, outer, (*lo, extent), value, src);
        }
        let place = self.walk(&Elem::Array(Box::new(array.clone())), steps, src);
        if let Elem::Array(inner) = &place {
            let rows = (usize_const(0), inner.extent.clone());
            return self.put_rows(array, steps, rows, value, src);
        }
        if holds_array(&place) {
            return self.put_parts(array, steps, value, src);
        }
        let index = index_of(&steps[0]);
        let place = self.elem_at(&array.elem, &array.extent, index, src);
        let elem = self.updated(&array.elem, &place, &steps[1..], &value, src);
        let extent = array.extent;
        Ok(Value::Array(Array { extent, elem }))
    }

    /// Puts the elements of `value` at `outer[first..][..extent]`, one after the other.
    fn put_rows(
        &mut self,
        array: Array,
        outer: &[Step],
        (first, extent): (Atom, Extent),
        value: Value,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let value = self.owned_apart_from(value, &components(&array.elem), src)?;
        let new = self.as_array(&value);
        self.require_length(&extent, &new.extent, src);
        // Checked before.
        let outer: Vec<Step> = outer.iter().map(settled).collect();
        self.sequential(
            &extent,
            Value::Array(array),
            src,
            &mut |lower, acc, index| {
                let at = lower.exact(ScalarOp::Add, first, index, src);
                let steps = [outer.as_slice(), &[Step::At(at)]].concat();
                let element = lower.read_elem(&new, index, src);
                lower.put(acc, &steps, element, src)
            },
        )
    }

    /// Puts a product with arrays in it, part by part.
    fn put_parts(
        &mut self,
        array: Array,
        steps: &[Step],
        value: Value,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let steps: Vec<Step> = steps.iter().map(settled).collect();
        let Value::Product(parts) = value else {
            unreachable!("typed: a place has the type of its value")
        };
        let mut after = Value::Array(array);
        for (field, part) in parts.into_iter().enumerate() {
            let steps = [steps.as_slice(), &[Step::Field(field)]].concat();
            after = self.put(after, &steps, part, src)?;
        }
        Ok(after)
    }

    /// What is at `steps`, whose indices are checked on the way.
    fn walk(&mut self, elem: &Elem, steps: &[Step], src: SrcSpan) -> Elem {
        let mut place = elem.clone();
        for step in steps {
            place = match (step, place) {
                (Step::Field(field), Elem::Product(parts)) => {
                    self.in_place(parts[*field].clone(), src)
                }
                (Step::Index(index), Elem::Array(inner)) => {
                    self.check_index(&inner.extent, *index, src);
                    self.part_at(&inner, *index, src)
                }
                (Step::At(index), Elem::Array(inner)) => self.part_at(&inner, *index, src),
                (Step::Field(_) | Step::Index(_) | Step::At(_) | Step::Slice(..), _) => {
                    unreachable!("typed: places have the type of their steps")
                }
            };
        }
        place
    }

    /// What is at an index of `array`; of rows, that row.
    fn part_at(&mut self, array: &Array, index: Atom, src: SrcSpan) -> Elem {
        let elem = self.elem_at(&array.elem, &array.extent, index, src);
        self.in_place(elem, src)
    }

    /// What is at a place; of rows, the row there.
    fn in_place(&mut self, elem: Elem, src: SrcSpan) -> Elem {
        match elem {
            Elem::Rows(rows) => Elem::Array(Box::new(self.settled_row(&rows, src))),
            Elem::Leaf(_) | Elem::Product(_) | Elem::Array(_) => elem,
        }
    }

    /// The components `elem` with those of `value` written at `place`, which is `elem` at the indices
    /// before `steps`. Assumes that what is there holds no arrays.
    fn updated(
        &mut self,
        elem: &Elem,
        place: &Elem,
        steps: &[Step],
        value: &Value,
        src: SrcSpan,
    ) -> Elem {
        match (steps.split_first(), elem, place) {
            (Some((Step::Field(field), rest)), Elem::Product(parts), Elem::Product(places)) => {
                let mut parts = parts.clone();
                parts[*field] = self.updated(&parts[*field], &places[*field], rest, value, src);
                Elem::Product(parts)
            }
            (Some((step, rest)), Elem::Array(inner), Elem::Array(place)) => {
                let place = self.elem_at(&place.elem, &place.extent, index_of(step), src);
                let elem = self.updated(&inner.elem, &place, rest, value, src);
                let extent = inner.extent.clone();
                Elem::Array(Box::new(Array { extent, elem }))
            }
            (Some((step, rest)), Elem::Rows(rows), Elem::Rows(place)) => {
                let row = self.settled_row(place, src);
                let place = self.elem_at(&row.elem, &row.extent, index_of(step), src);
                let elem = self.updated(&rows.flat.elem, &place, rest, value, src);
                let extent = rows.flat.extent.clone();
                let flat = Array { extent, elem };
                Elem::rows(rows.bounds.clone(), rows.offsets, flat)
            }
            (None, Elem::Product(parts), Elem::Product(places)) => {
                let parts = parts.iter().zip(places).enumerate();
                let parts = parts.map(|(at, (part, place))| {
                    self.updated(part, place, steps, &value.field(at), src)
                });
                Elem::Product(parts.collect())
            }
            (None, Elem::Leaf(leaf), Elem::Leaf(place)) => {
                Elem::whole(self.update(leaf, place.prefix.clone(), value.atom(), src))
            }
            (_, Elem::Leaf(_) | Elem::Product(_) | Elem::Array(_) | Elem::Rows(_), _) => {
                unreachable!("typed: places have the type of their steps")
            }
        }
    }

    /// The length of the array at `steps`, whose indices are checked on the way.
    fn length_at(&mut self, value: &Value, steps: &[Step], src: SrcSpan) -> Atom {
        let mut value = value.clone();
        let mut steps = steps.iter();
        while let Value::Product(_) = value {
            let Some(Step::Field(field)) = steps.next() else {
                unreachable!("typed: a slice of an array")
            };
            value = value.field(*field);
        }
        let array = self.as_array(&value);
        // Lengths that are the same everywhere need no index, whose check comes later.
        let known = !array.elem.has_rows();
        let steps: Vec<Step> = match known {
            true => steps.map(settled).collect(),
            false => steps.cloned().collect(),
        };
        let place = self.walk(&Elem::Array(Box::new(array)), &steps, src);
        as_inner(&place).extent.value
    }

    fn update(&mut self, leaf: &Leaf, index: Vec<Atom>, value: Atom, src: SrcSpan) -> Var {
        let array = leaf.var;
        let out = self.like(array, src);
        let op = Op::Update {
            array,
            index,
            value,
        };
        self.push(vec![out], op, src);
        out
    }
}

/// The variables that the arrays in a value are made of.
fn arrays_of(value: &Value) -> Vec<Var> {
    match value {
        Value::Scalar(_) => Vec::new(),
        Value::Product(parts) => parts.iter().flat_map(arrays_of).collect(),
        Value::Array(array) => components(&array.elem),
    }
}

fn as_inner(elem: &Elem) -> &Array {
    match elem {
        Elem::Array(array) => array,
        Elem::Leaf(_) | Elem::Product(_) | Elem::Rows(_) => {
            unreachable!("typed: an array is needed here")
        }
    }
}

fn index_of(step: &Step) -> Atom {
    match step {
        Step::Index(index) | Step::At(index) => *index,
        Step::Field(_) | Step::Slice(..) => unreachable!("typed: an index into an array"),
    }
}

/// A step that has been checked.
fn settled(step: &Step) -> Step {
    match step {
        Step::Index(index) => Step::At(*index),
        Step::Field(_) | Step::At(_) | Step::Slice(..) => step.clone(),
    }
}
