//! Assignment: to a local, to a component, to an element of a local array.

use super::effects::Effects;
use super::ir::{Atom, Op};
use super::lower::{Lower, Lowered};
use super::value::{Array, Elem, Value};
use crate::ids::Var;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, Place, PlaceStep};

impl<'p> Lower<'p> {
    /// `place = value`; the value first, then the indices of the place.
    pub(super) fn assign(&mut self, place: &'p Place, value: &'p Expr) -> Lowered<Value> {
        let exits = if self.loops.is_empty() {
            Vec::new()
        } else {
            Effects::of([value]).exits
        };
        let value = self.expr(value)?;
        if exits.is_empty() {
            return self.store(place, value);
        }
        let left = self.left_by(&exits, place.src);
        self.branch(
            left,
            &[place.local],
            place.src,
            |_| Ok(Value::unit()),
            |lower| lower.store(place, value),
        )
    }

    fn store(&mut self, place: &'p Place, value: Value) -> Lowered<Value> {
        let before = self.locals(&[place.local]).remove(0);
        let after = self.assigned(&before, &place.path, value, place.src)?;
        self.set_local(place.local, after);
        Ok(Value::unit())
    }

    /// `before` with the part at `path` replaced.
    fn assigned(
        &mut self,
        before: &Value,
        path: &'p [PlaceStep],
        value: Value,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let Some((step, rest)) = path.split_first() else {
            return Ok(value);
        };
        match (step, before) {
            (PlaceStep::Field(field), Value::Product(parts)) => {
                let mut parts = parts.clone();
                parts[*field] = self.assigned(&parts[*field], rest, value, src)?;
                Ok(Value::Product(parts))
            }
            (PlaceStep::Index(index), Value::Array(_)) => {
                let index = self.atom(index)?;
                let array = self.as_array(before);
                self.check_index(&array.extent, index, src);
                let elem = self.updated(&array, &array.elem, index, rest, &value, src);
                Ok(Value::Array(Array {
                    extent: array.extent.clone(),
                    elem,
                }))
            }
            (PlaceStep::Slice { .. }, Value::Array(_)) => {
                Err(Diagnostic::unsupported(src, "assignment to a slice")
                    .help("assign the elements one by one in a `for`"))
            }
            (PlaceStep::Field(_) | PlaceStep::Index(_) | PlaceStep::Slice { .. }, _) => {
                unreachable!("typed: places have the type of their steps")
            }
        }
    }

    /// The components with those of `value` written at `index`. Assumes that the path inside of an
    /// element has fields only, as elements hold no arrays.
    fn updated(
        &mut self,
        array: &Array,
        elem: &Elem,
        index: Atom,
        path: &[PlaceStep],
        value: &Value,
        src: SrcSpan,
    ) -> Elem {
        if let (Some((PlaceStep::Field(field), rest)), Elem::Product(parts)) =
            (path.split_first(), elem)
        {
            let mut parts = parts.clone();
            parts[*field] = self.updated(array, &parts[*field], index, rest, value, src);
            return Elem::Product(parts);
        }
        let (mut before, mut atoms) = (Vec::new(), Vec::new());
        elem.vars(&mut before);
        value.scalars(&mut atoms);
        let after: Vec<Var> = before
            .into_iter()
            .zip(atoms)
            .map(|(before, value)| self.update(array, before, index, value, src))
            .collect();
        elem.with_vars(&mut after.into_iter())
    }

    fn update(
        &mut self,
        array: &Array,
        before: Var,
        index: Atom,
        value: Atom,
        src: SrcSpan,
    ) -> Var {
        let scalar = self.elem_type(Atom::Var(before));
        let out = self.array_var(scalar, &array.extent, src);
        self.push(
            vec![out],
            Op::Update {
                array: before,
                index,
                value,
            },
            src,
        );
        out
    }
}
