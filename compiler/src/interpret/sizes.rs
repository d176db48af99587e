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

    pub(super) fn take_while(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let flags = self.flags(call)?;
        let end = flags.iter().position(|flag| !flag);
        let first = call.xs()[..end.unwrap_or(flags.len())].to_vec();
        self.rearranged(call, first)
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

    pub(super) fn run_lengths(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let differ = call.function().expect("typed: it has one");
        let mut runs: Vec<(Value, usize)> = Vec::new();
        for x in call.xs() {
            let ends = match runs.last() {
                Some((y, _)) => self
                    .call_closure(differ, vec![y.clone(), x.clone()])?
                    .truth(),
                None => true,
            };
            match runs.last_mut() {
                Some((_, count)) if !ends => *count += 1,
                _ => runs.push((x.clone(), 1)),
            }
        }
        let run = |(x, count)| Value::Tuple(vec![x, Value::from(count)]);
        Ok(Value::Array(runs.into_iter().map(run).collect()))
    }

    pub(super) fn pairs(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let xs = call.xs();
        let pair = |x: &Value, y: &Value| Value::Tuple(vec![x.clone(), y.clone()]);
        let count = xs.len() as u128 * (xs.len() as u128).saturating_sub(1) / 2;
        if let Some(x) = xs.first() {
            self.room(count, &pair(x, x), call.src)?;
        }
        let mut pairs = Vec::new();
        for (i, x) in xs.iter().enumerate() {
            pairs.extend(xs[i + 1..].iter().map(|y| pair(x, y)));
        }
        Ok(Value::array(pairs, || match call.value(0).sample() {
            Some(sample) => pair(sample, sample),
            None => self.hollow(call.row_type()),
        }))
    }

    pub(super) fn cartesian(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (xs, ys) = (call.xs(), call.array(1));
        let pair = |x: &Value, y: &Value| Value::Tuple(vec![x.clone(), y.clone()]);
        if let (Some(x), Some(y)) = (xs.first(), ys.first()) {
            self.room(xs.len() as u128 * ys.len() as u128, &pair(x, y), call.src)?;
        }
        let pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| pair(x, y)));
        Ok(self.tuples(call, pairs.collect()))
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
