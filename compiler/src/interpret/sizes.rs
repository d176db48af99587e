//! Operators whose results have sizes that depend on values.

use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::MOST_LENGTH;
use crate::typed::ir::Type;

impl<'p> Machine<'p> {
    pub(super) fn unflatten(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (lengths, right) = (call.array(1), call.xs().len() as u64);
        let left = lengths.iter().map(|len| len.size().min(MOST_LENGTH)).sum();
        if left != right {
            return Err(call.stop(TroubleKind::SizeMismatch { left, right }));
        }
        let mut rest = call.xs();
        let mut rows = Vec::with_capacity(lengths.len());
        for len in lengths {
            let (row, behind) = rest.split_at(len.size() as usize);
            rows.push(self.rearranged_in(call, row));
            rest = behind;
        }
        Ok(Value::array(rows, || self.rearranged_in(call, &[])))
    }

    // Some elements of the first argument.
    fn rearranged_in(&self, call: &Applied<'p>, elements: &[Value]) -> Value {
        self.like(call.value(0), elements.to_vec(), call.row_type())
    }

    pub(super) fn flat_map(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let rows = self.apply_to_each(call, call.xs())?;
        let function = call.function().expect("`flat_map` takes a function");
        let sample = |machine: &Self| vec![machine.argument(call, 0)];
        let rows = self.results(rows, function, sample, call.ty);
        Ok(self.joined(&rows, call.ty))
    }

    pub(super) fn filter(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let flags = self.flags(call)?;
        self.rearranged(call, kept(call.xs(), &flags, true))
    }

    pub(super) fn partition(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let flags = self.flags(call)?;
        let Type::Tuple(parts) = call.ty else {
            unreachable!("`partition` gives a tuple");
        };
        let part = |flag| {
            let elements = kept(call.xs(), &flags, flag);
            self.like(call.value(0), elements, &parts[0])
        };
        Ok(Value::Tuple(vec![part(true), part(false)]))
    }

    pub(super) fn compress(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let flags: Vec<bool> = call.array(1).iter().map(Value::truth).collect();
        call.same_size(call.xs().len(), flags.len())?;
        self.rearranged(call, kept(call.xs(), &flags, true))
    }
}

impl Applied<'_> {
    pub(super) fn lens(&self) -> Value {
        let lens = self.xs().iter().map(|row| index(row.len()));
        Value::Array(lens.collect())
    }

    // The type of the arrays in the result.
    fn row_type(&self) -> &Type {
        super::arrays::element(self.ty)
    }
}

/// The elements whose flag is `flag`.
fn kept(xs: &[Value], flags: &[bool], flag: bool) -> Vec<Value> {
    let marked = xs.iter().zip(flags);
    let marked = marked.filter(|(_, it)| **it == flag);
    marked.map(|(x, _)| x.clone()).collect()
}
