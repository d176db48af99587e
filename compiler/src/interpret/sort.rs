//! Sorting.
//!
//! In: an array, and what its elements are ordered by. Out: the elements, or their positions, in
//! ascending order, those that are equal in the order that they come in.

use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::value::Value;
use std::cmp::Ordering;

impl<'p> Machine<'p> {
    pub(super) fn sort(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.in_order_of(call, call.xs())
    }

    pub(super) fn sort_by_key(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let keys = self.apply_to_each(call, call.xs())?;
        self.in_order_of(call, &keys)
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
}

/// Where the keys are, from the least on.
fn places(keys: &[Value]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|a, b| compare(&keys[*a], &keys[*b]));
    places
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
