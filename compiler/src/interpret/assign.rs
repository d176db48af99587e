//! Assignment: the way into a variable's value, and what may be put there.
//!
//! Inside of an array nothing changes its shape: what is assigned to an element or a slice has the
//! lengths of what was there. So it does not matter how an array is stored.

use super::machine::{Machine, Stop, stop};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::typed::ir::{Expr, Place, PlaceStep};

/// A step into a value, its indices known.
#[derive(Clone, Copy)]
enum Step {
    Field(usize),
    Index(u64),
    /// First index and end.
    Slice(u64, Option<u64>),
}

impl<'p> Machine<'p> {
    pub(super) fn assign(&mut self, place: &'p Place, value: &'p Expr) -> Result<Value, Stop> {
        let value = self.eval(value)?;
        let steps: Vec<Step> = place
            .path
            .iter()
            .map(|step| self.step(step))
            .collect::<Result<_, _>>()?;
        put(self.change(place.local), &steps, value).map_err(|kind| stop(kind, place.src))?;
        Ok(Value::unit())
    }

    fn step(&mut self, step: &'p PlaceStep) -> Result<Step, Stop> {
        Ok(match step {
            PlaceStep::Field(field) => Step::Field(*field),
            PlaceStep::Index(index) => Step::Index(self.size(index)?),
            PlaceStep::Slice { lo, hi, inclusive } => {
                let lo = lo.as_ref().map_or(Ok(0), |lo| self.size(lo))?;
                let hi = hi.as_ref().map(|hi| self.size(hi)).transpose()?;
                let end = hi.map(|hi| hi.saturating_add(u64::from(*inclusive)));
                Step::Slice(lo, end)
            }
        })
    }
}

/// Puts `value` where `steps` lead to in `whole`.
fn put(whole: &mut Value, steps: &[Step], value: Value) -> Result<(), TroubleKind> {
    let mut place = whole;
    let mut in_array = false;
    for step in steps {
        let len = place.len();
        match *step {
            Step::Field(field) => place = place.part_mut(field),
            Step::Index(index) if index >= len => {
                return Err(TroubleKind::IndexOutOfRange { index, len });
            }
            Step::Index(index) => {
                place = place.part_mut(index as usize);
                in_array = true;
            }
            Step::Slice(lo, hi) => return put_slice(place, lo, hi.unwrap_or(len), value),
        }
    }
    if in_array {
        same_shape(place, &value)?;
    }
    *place = value;
    Ok(())
}

fn put_slice(array: &mut Value, lo: u64, hi: u64, value: Value) -> Result<(), TroubleKind> {
    let len = array.len();
    if lo > hi || hi > len {
        return Err(TroubleKind::SliceOutOfRange { lo, hi, len });
    }
    same_size(hi - lo, value.len())?;
    for (i, element) in (lo as usize..).zip(value.into_elements()) {
        let place = array.part_mut(i);
        same_shape(place, &element)?;
        *place = element;
    }
    Ok(())
}

/// Whether all arrays in `new` have the lengths that those in `old` have.
fn same_shape(old: &Value, new: &Value) -> Result<(), TroubleKind> {
    same_size(old.len(), new.len())?;
    let mut parts = old.parts().iter().zip(new.parts());
    parts.try_for_each(|(old, new)| same_shape(old, new))
}

fn same_size(left: u64, right: u64) -> Result<(), TroubleKind> {
    if left == right {
        Ok(())
    } else {
        Err(TroubleKind::SizeMismatch { left, right })
    }
}
