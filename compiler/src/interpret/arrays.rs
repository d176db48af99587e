//! Operators that make arrays or rearrange them.

use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::typed::ir::Type;

impl<'p> Machine<'p> {
    pub(super) fn generate(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let n = self.room(u128::from(call.size(0)), call.value(0), call.src)?;
        let indices: Vec<Value> = (0..n as u64).map(index).collect();
        self.map(call, &indices).map(Value::Array)
    }

    pub(super) fn fill(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let n = self.room(u128::from(call.size(1)), call.value(0), call.src)?;
        Ok(Value::Array(vec![call.value(0).clone(); n]))
    }

    /// What the function of `call` gives for each of `xs`.
    pub(super) fn map(&mut self, call: &Applied<'p>, xs: &[Value]) -> Result<Vec<Value>, Stop> {
        let function = call.function().expect("`map` takes a function");
        xs.iter()
            .map(|x| self.call_closure(function, vec![x.clone()]))
            .collect()
    }

    pub(super) fn zip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let left = call.xs().len();
        for right in call.arrays().map(<[Value]>::len) {
            call.same_size(left, right)?;
        }
        let tuple = |i: usize| Value::Tuple(call.arrays().map(|xs| xs[i].clone()).collect());
        Ok(Value::Array((0..left).map(tuple).collect()))
    }

    pub(super) fn unzip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let Type::Tuple(parts) = call.ty else {
            unreachable!("`unzip` gives a tuple");
        };
        let column = |i: usize| call.xs().iter().map(move |x| x.components()[i].clone());
        let columns = (0..parts.len()).map(|i| Value::Array(column(i).collect()));
        Ok(Value::Tuple(columns.collect()))
    }

    pub(super) fn enumerate(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let pair = |(i, x): (usize, &Value)| Value::Tuple(vec![Value::from(i), x.clone()]);
        Ok(Value::Array(
            call.xs().iter().enumerate().map(pair).collect(),
        ))
    }

    pub(super) fn gather(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let xs = call.xs();
        let mut out = Vec::new();
        for i in call.array(1) {
            let x = &xs[call.index(i.size(), xs.len())?];
            self.spend(x.weight(), call.src)?;
            out.push(x.clone());
        }
        Ok(Value::Array(out))
    }

    pub(super) fn rev(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        Ok(Value::Array(reversed(call.xs())))
    }

    pub(super) fn rotate(
        &mut self,
        call: &Applied<'p>,
        rotate: fn(&mut [Value], usize),
    ) -> Result<Value, Stop> {
        let (index, len) = (call.size(1), call.xs().len() as u64);
        if index > len {
            return Err(call.stop(TroubleKind::IndexOutOfRange { index, len }));
        }
        let mut out = call.xs().to_vec();
        rotate(&mut out, index as usize);
        Ok(Value::Array(out))
    }

    pub(super) fn take(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (first, _) = call.xs().split_at(call.clamped());
        Ok(Value::Array(first.to_vec()))
    }

    pub(super) fn skip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (_, rest) = call.xs().split_at(call.clamped());
        Ok(Value::Array(rest.to_vec()))
    }

    pub(super) fn step_by(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let step = call.size(1);
        if step == 0 {
            return Err(call.stop(TroubleKind::StepZero));
        }
        let kept = call.xs().iter().step_by(step as usize);
        Ok(Value::Array(kept.cloned().collect()))
    }

    pub(super) fn split_at(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (lo, hi, len) = (0, call.size(1), call.xs().len() as u64);
        if hi > len {
            return Err(call.stop(TroubleKind::SliceOutOfRange { lo, hi, len }));
        }
        let (first, rest) = call.xs().split_at(hi as usize);
        let part = |xs: &[Value]| Value::Array(xs.to_vec());
        Ok(Value::Tuple(vec![part(first), part(rest)]))
    }

    pub(super) fn chain(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        Ok(Value::Array([call.xs(), call.array(1)].concat()))
    }

    pub(super) fn repeat(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (xs, times) = (call.xs(), call.size(1));
        let Some(sample) = xs.first() else {
            return Ok(Value::Array(Vec::new()));
        };
        self.room(xs.len() as u128 * u128::from(times), sample, call.src)?;
        Ok(Value::Array(vec![xs; times as usize].concat()))
    }

    pub(super) fn pairwise(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let function = call.function().expect("`pairwise` takes a function");
        let pairs = call.xs().windows(2);
        pairs
            .map(|pair| self.call_closure(function, pair.to_vec()))
            .collect::<Result<_, _>>()
            .map(Value::Array)
    }

    pub(super) fn scatter(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let mut out = call.xs().to_vec();
        let (indices, values) = (call.array(1), call.array(2));
        call.same_size(indices.len(), values.len())?;
        for (i, value) in indices.iter().zip(values) {
            let i = call.index(i.size(), out.len())?;
            out[i] = value.clone();
        }
        Ok(Value::Array(out))
    }
}

impl Applied<'_> {
    /// `i` as a position in an array of `len` elements.
    fn index(&self, index: u64, len: usize) -> Result<usize, Stop> {
        let len = len as u64;
        if index < len {
            Ok(index as usize)
        } else {
            Err(self.stop(TroubleKind::IndexOutOfRange { index, len }))
        }
    }

    fn same_size(&self, left: usize, right: usize) -> Result<(), Stop> {
        let (left, right) = (left as u64, right as u64);
        if left == right {
            Ok(())
        } else {
            Err(self.stop(TroubleKind::SizeMismatch { left, right }))
        }
    }

    /// The second argument, or the length of the first if that is less.
    fn clamped(&self) -> usize {
        self.size(1).min(self.xs().len() as u64) as usize
    }
}

/// `xs` from back to front.
pub(super) fn reversed(xs: &[Value]) -> Vec<Value> {
    xs.iter().rev().cloned().collect()
}
