//! Operators that write where an index says.

use super::machine::{Machine, Stop};
use super::order::Operator;
use super::prim::Applied;
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::{CHUNK, PER_BIN};

impl<'p> Machine<'p> {
    pub(super) fn scatter(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let mut out = call.xs().to_vec();
        let (indices, values) = (call.array(1), call.array(2));
        call.same_size(indices.len(), values.len())?;
        for (i, value) in indices.iter().zip(values) {
            let i = call.index(i.size(), out.len())?;
            out[i] = value.clone();
        }
        self.rearranged(call, out)
    }

    pub(super) fn scatter_unique(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let out = self.scatter(call)?;
        let mut lasts = vec![0; call.xs().len()];
        for (at, i) in call.array(1).iter().enumerate() {
            lasts[i.size() as usize] = at;
        }
        for (at, i) in call.array(1).iter().enumerate() {
            let (index, last) = (i.size(), lasts[i.size() as usize]);
            if last != at {
                let (first, last) = (at as u64, last as u64);
                return Err(call.stop(TroubleKind::DuplicateIndex { index, first, last }));
            }
        }
        Ok(out)
    }

    pub(super) fn permute(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let out = self.combined(call, call.xs().to_vec())?;
        self.rearranged(call, out)
    }

    pub(super) fn histogram(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let init = call.value(1);
        let k = self.room(u128::from(call.size(0)), init, call.src)?;
        let out = self.combined(call, vec![init.clone(); k])?;
        Ok(Value::array(out, || init.clone()))
    }

    // `into` with the values of the last argument combined into it, at the indices of the one before.
    // A recognised operator goes by chunks, each from left to right: the first chunk starts from
    // `into`, others from its neutral element, and their totals are combined from left to right.
    fn combined(&mut self, call: &Applied<'p>, into: Vec<Value>) -> Result<Vec<Value>, Stop> {
        let (indices, values) = (call.array(call.count() - 2), call.array(call.count() - 1));
        call.same_size(indices.len(), values.len())?;
        self.spend(values.len() as u64, call.src)?;
        let mut operator = call.operator(self);
        let sample = values.first().filter(|value| !value.has_array());
        let neutral = sample.and_then(|sample| operator.neutral(sample));
        let chunk = match neutral {
            Some(_) => CHUNK.max(PER_BIN * into.len()),
            None => values.len().max(1),
        };
        let mut chunks = indices.chunks(chunk).zip(values.chunks(chunk));
        let mut total = into;
        if let Some((indices, values)) = chunks.next() {
            one_by_one(call, &mut operator, &mut total, indices, values)?;
        }
        for (indices, values) in chunks {
            let neutral = neutral.clone().expect("others have one chunk");
            let mut part = vec![neutral; total.len()];
            one_by_one(call, &mut operator, &mut part, indices, values)?;
            for (total, part) in total.iter_mut().zip(&part) {
                *total = operator.apply(total, part)?;
            }
        }
        Ok(total)
    }
}

// Combines each of `values` into what is at its index.
fn one_by_one(
    call: &Applied<'_>,
    operator: &mut Operator<'_>,
    into: &mut [Value],
    indices: &[Value],
    values: &[Value],
) -> Result<(), Stop> {
    for (i, value) in indices.iter().zip(values) {
        let i = call.index(i.size(), into.len())?;
        into[i] = operator.apply(&into[i], value)?;
    }
    Ok(())
}
