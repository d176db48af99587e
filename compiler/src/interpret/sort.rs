//! Sorting.
//!
//! In: an array, and what its elements are ordered by. Out: the elements, or their positions, in
//! ascending order, those that are equal in the order that they come in.

use super::arrays::element;
use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::typed::ir::Type;
use std::cmp::Ordering;

impl<'p> Machine<'p> {
    pub(super) fn sort(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.in_order_of(call, call.xs())
    }

    pub(super) fn sort_by_key(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let keys = self.apply_to_each(call, call.xs())?;
        self.in_order_of(call, &keys)
    }

    pub(super) fn unique(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let places = places(call.xs());
        let runs = runs(call.xs(), &places);
        let firsts = runs.iter().map(|run| call.xs()[run[0]].clone());
        self.rearranged(call, firsts.collect())
    }

    pub(super) fn group_by_key(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let keys = self.apply_to_each(call, call.xs())?;
        let Type::Tuple(parts) = element(call.ty) else {
            unreachable!("a group is a pair");
        };
        let group = |places: &[usize]| {
            let elements = places.iter().map(|at| call.xs()[*at].clone());
            self.like(call.value(0), elements.collect(), &parts[1])
        };
        let places = places(&keys);
        let pairs = runs(&keys, &places)
            .into_iter()
            .map(|run| Value::Tuple(vec![keys[run[0]].clone(), group(run)]));
        Ok(Value::array(pairs.collect(), || {
            Value::Tuple(vec![self.hollow(&parts[0]), group(&[])])
        }))
    }

    pub(super) fn partition_point(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (xs, holds) = (call.xs(), call.function());
        let holds = holds.expect("typed: a predicate");
        let mut holds = |at: usize| {
            let holds = self.call_closure(holds, vec![xs[at].clone()])?;
            Ok(holds.truth())
        };
        let last = narrowed(xs.len(), &mut holds)?;
        let all = xs.is_empty() || !holds(last)?;
        Ok(index(last as u64 + u64::from(!all)))
    }

    fn in_order_of(&self, call: &Applied<'p>, keys: &[Value]) -> Result<Value, Stop> {
        let places = places(keys).into_iter();
        let elements = places.map(|at| call.xs()[at].clone());
        self.rearranged(call, elements.collect())
    }
}

impl Applied<'_> {
    pub(super) fn argsort(&self) -> Value {
        let places = places(self.xs()).into_iter();
        Value::Array(places.map(|at| index(at as u64)).collect())
    }

    pub(super) fn kth_smallest(&self) -> Result<Value, Stop> {
        let (k, len) = (self.size(1), self.xs().len() as u64);
        match places(self.xs()).get(k as usize) {
            Some(at) => Ok(self.xs()[*at].clone()),
            None => Err(self.stop(TroubleKind::IndexOutOfRange { index: k, len })),
        }
    }

    pub(super) fn binary_search(&self) -> Value {
        let (xs, key) = (self.xs(), self.value(1));
        let last = narrowed(xs.len(), &mut |at| Ok(compare(&xs[at], key).is_le()));
        let Ok(last) = last else {
            unreachable!("comparisons do not fail");
        };
        let order = xs.get(last).map_or(Ordering::Greater, |x| compare(x, key));
        let place = last as u64 + u64::from(order.is_lt());
        Value::Tuple(vec![Value::from(order.is_eq()), index(place)])
    }
}

/// The last of `n` places whose elements come first, as `first` says of one after another: half of those
/// that are left go each time. The first place if there is none.
fn narrowed(n: usize, first: &mut dyn FnMut(usize) -> Result<bool, Stop>) -> Result<usize, Stop> {
    let (mut start, mut left) = (0, n);
    while left > 1 {
        let half = left / 2;
        if first(start + half)? {
            start += half;
        }
        left -= half;
    }
    Ok(start)
}

/// Where the keys are, from the least on.
fn places(keys: &[Value]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|a, b| compare(&keys[*a], &keys[*b]));
    places
}

/// The places of keys that are equal, as any two NaN are, together; `places` are in the order of the keys.
fn runs<'a>(keys: &[Value], places: &'a [usize]) -> Vec<&'a [usize]> {
    places.chunk_by(|a, b| keys[*a] == keys[*b]).collect()
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => {
            let fields = a.iter().zip(b).map(|(a, b)| compare(a, b));
            fields.fold(Ordering::Equal, Ordering::then)
        }
        (a, b) => a.scalar().order(b.scalar()),
    }
}
