//! Operators that reduce or scan.

use super::arrays::reversed;
use super::machine::{Machine, Stop};
use super::prim::Applied;
use super::scalar::{apply, cast_size};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::ScalarOp;
use crate::typed::ir::{Const, Type};

impl<'p> Machine<'p> {
    pub(super) fn sum(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.spend(call.xs().len() as u64, call.src)?;
        call.scalar(ScalarOp::Add, self)
            .reduce(&call.number(0), call.xs())
    }

    pub(super) fn product(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.spend(call.xs().len() as u64, call.src)?;
        call.scalar(ScalarOp::Mul, self)
            .reduce(&call.number(1), call.xs())
    }

    /// The least or greatest element, if there is any.
    pub(super) fn extreme(
        &mut self,
        call: &Applied<'p>,
        op: ScalarOp,
    ) -> Result<Option<Value>, Stop> {
        self.spend(call.xs().len() as u64, call.src)?;
        call.scalar(op, self).total(call.xs())
    }

    /// What the predicate gives for each element; without one, the elements.
    pub(super) fn flags(&mut self, call: &Applied<'p>) -> Result<Vec<bool>, Stop> {
        let flags = match call.function() {
            Some(_) => self.apply_to_each(call, call.xs())?,
            None => call.xs().to_vec(),
        };
        Ok(flags.iter().map(Value::truth).collect())
    }

    pub(super) fn count(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let flags = self.flags(call)?;
        Ok(Value::from(flags.into_iter().filter(|flag| *flag).count()))
    }

    /// Sum over length, if there is any element.
    pub(super) fn mean(&mut self, call: &Applied<'p>) -> Result<Option<Value>, Stop> {
        if call.xs().is_empty() {
            return Ok(None);
        }
        let sum = self.sum(call)?.scalar();
        let count = cast_size(call.xs().len(), sum.ty);
        let mean = apply(ScalarOp::Div, false, &[sum, count], sum.ty, self.maths);
        mean.map(|mean| Some(Value::Scalar(mean)))
            .map_err(|kind| call.stop(kind))
    }

    pub(super) fn reduce(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        call.operator(self).reduce(call.value(1), call.xs())
    }

    pub(super) fn fold(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let function = call.function().expect("`fold` takes a function");
        call.xs().iter().try_fold(call.value(1).clone(), |acc, x| {
            self.call_closure(function, vec![acc, x.clone()])
        })
    }

    pub(super) fn scan(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let prefixes = call.operator(self).scan(call.xs())?;
        Ok(self.like(call.value(0), prefixes, call.ty))
    }

    pub(super) fn prescan(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let prefixes = call.operator(self).prescan(call.value(1), call.xs())?;
        Ok(self.like(call.value(0), prefixes, call.ty))
    }

    pub(super) fn scan_from(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let mut operator = call.operator(self);
        let prefixes = operator.prescan(call.value(1), call.xs())?;
        let total = operator.scan_total(call.value(1), call.xs())?;
        drop(operator);
        let prefixes = self.like(call.value(0), prefixes, call.prefixes());
        Ok(Value::Tuple(vec![prefixes, total]))
    }

    pub(super) fn rscan(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let backwards = reversed(call.xs());
        let prefixes = call.reversed(self).scan(&backwards)?;
        Ok(self.like(call.value(0), reversed(&prefixes), call.ty))
    }

    pub(super) fn rprescan(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let backwards = reversed(call.xs());
        let prefixes = call.reversed(self).prescan(call.value(1), &backwards)?;
        Ok(self.like(call.value(0), reversed(&prefixes), call.ty))
    }

    pub(super) fn rscan_from(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let backwards = reversed(call.xs());
        let mut operator = call.reversed(self);
        let prefixes = operator.prescan(call.value(1), &backwards)?;
        let total = operator.scan_total(call.value(1), &backwards)?;
        drop(operator);
        let prefixes = self.like(call.value(0), reversed(&prefixes), call.prefixes());
        Ok(Value::Tuple(vec![prefixes, total]))
    }
}

impl Applied<'_> {
    /// `result`, or an error if the array was empty.
    pub(super) fn some_or_empty(&self, result: Option<Value>) -> Result<Value, Stop> {
        result.ok_or_else(|| self.stop(TroubleKind::EmptyArray))
    }

    /// `result`, or the second argument if the array was empty.
    pub(super) fn some_or_default(&self, result: Option<Value>) -> Result<Value, Stop> {
        Ok(result.unwrap_or_else(|| self.value(1).clone()))
    }

    /// The index of the first element that no other one is `before`.
    pub(super) fn best(&self, before: fn(Const, Const) -> bool) -> Option<Value> {
        let xs = self.xs();
        let better = |best: usize, i: usize| {
            let wins = before(xs[i].scalar(), xs[best].scalar());
            if wins { i } else { best }
        };
        (0..xs.len()).reduce(better).map(Value::from)
    }

    /// The type of the prefixes, in that of prefixes and total.
    fn prefixes(&self) -> &Type {
        let Type::Tuple(parts) = self.ty else {
            unreachable!("typed: prefixes and total");
        };
        &parts[0]
    }

    /// `n` in the type of the result.
    fn number(&self, n: usize) -> Value {
        let Type::Scalar(ty) = self.ty else {
            unreachable!("sums are scalars");
        };
        Value::Scalar(cast_size(n, *ty))
    }
}
