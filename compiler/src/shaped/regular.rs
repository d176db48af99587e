//! Which arrays of a result are dense.
//!
//! In: a typed function. Out: for each scalar of its result what is known of the arrays that it is in, if
//! these have one length each. Assumes what [`infer`](super::infer) does, reports nothing.

use super::lower::{Lower, Lowered};
use super::value::{Elem, Value};
use crate::streamed::Lengths;
use crate::typed::ir::{Function, Program};

/// The lengths of arrays around each scalar of what `function` gives, in order. None if there is a mistake
/// in it.
///
/// Costs as much as lowering the function.
pub fn result_lengths(program: &Program, function: &Function) -> Option<Vec<Lengths>> {
    let mut lower = Lower::new(program);
    let lengths = lower.lengths(function).ok()?;
    lower.mistakes.is_empty().then_some(lengths)
}

impl<'p> Lower<'p> {
    fn lengths(&mut self, function: &'p Function) -> Lowered<Vec<Lengths>> {
        let (_, lengths) = self.scoped(|lower| {
            lower.enter(function);
            lower.params(function)?;
            let value = lower.body_of(function, function.src)?;
            let value = lower.owned(value, function.src)?;
            // Here, where it still holds what the signature says of lengths.
            let mut lengths = Vec::new();
            lower.lengths_of(&value, &mut lengths);
            Ok(lengths)
        })?;
        Ok(lengths)
    }

    fn lengths_of(&self, value: &Value, out: &mut Vec<Lengths>) {
        match value {
            Value::Scalar(_) => out.push(Some(Vec::new())),
            Value::Product(parts) => parts.iter().for_each(|part| self.lengths_of(part, out)),
            Value::Array(array) => self.elem_lengths(&array.elem, &Some(Vec::new()), out),
        }
    }

    fn elem_lengths(&self, elem: &Elem, around: &Lengths, out: &mut Vec<Lengths>) {
        match elem {
            Elem::Leaf(_) => out.push(around.clone()),
            Elem::Product(parts) => {
                parts
                    .iter()
                    .for_each(|it| self.elem_lengths(it, around, out));
            }
            Elem::Array(array) => {
                let own = self.facts.canonical(&array.extent).size.as_known();
                let own = own.and_then(|length| u64::try_from(length).ok());
                let around = around.as_ref().map(|it| [it.as_slice(), &[own]].concat());
                self.elem_lengths(&array.elem, &around, out);
            }
            Elem::Rows(rows) => self.elem_lengths(&rows.flat.elem, &None, out),
        }
    }
}
