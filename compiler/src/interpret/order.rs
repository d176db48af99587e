//! The order in which reductions combine.
//!
//! In: elements and an operator. Out: their total. The order depends on positions alone:
//!
//! * chunks of [`CHUNK`] elements, whose totals are combined from left to right;
//! * in a chunk, a recognised operator has [`LANES`] accumulators, which start at its neutral
//!   element; element `i` goes into accumulator `i % LANES`, then the upper half of the accumulators
//!   is combined into the lower half until one is left;
//! * in a chunk, any other operator goes from left to right, starting with the first element.

use super::machine::Stop;
use super::scalar::neutral;
use super::value::Value;
use crate::prims::{CHUNK, LANES, ScalarOp};
use crate::typed::ir::Type;

/// An operator of two operands.
pub(super) struct Operator<'a> {
    /// The operators of its scalars, if it is recognised.
    pub(super) recognised: Option<Vec<ScalarOp>>,
    /// The type of an operand, with tuples for structs.
    pub(super) operand: Type,
    /// What it does.
    pub(super) combine: Box<Combine<'a>>,
}

/// Combines a left and a right operand.
pub(super) type Combine<'a> = dyn FnMut(Value, Value) -> Result<Value, Stop> + 'a;

impl Operator<'_> {
    /// `op(a, b)`
    pub(super) fn apply(&mut self, a: &Value, b: &Value) -> Result<Value, Stop> {
        (self.combine)(a.clone(), b.clone())
    }

    /// What a recognised operator starts from, shaped like `sample`.
    pub(super) fn neutral(&self, sample: &Value) -> Option<Value> {
        let mut ops = self.recognised.as_ref()?.iter();
        Some(neutral_like(sample, &self.operand, &mut ops))
    }

    /// The total of `xs`, or `None` if there are none.
    pub(super) fn total(&mut self, xs: &[Value]) -> Result<Option<Value>, Stop> {
        let mut chunks = xs.chunks(CHUNK);
        let Some(first) = chunks.next() else {
            return Ok(None);
        };
        let mut total = self.chunk_total(first)?;
        for chunk in chunks {
            let right = self.chunk_total(chunk)?;
            total = self.apply(&total, &right)?;
        }
        Ok(Some(total))
    }

    /// `init` combined with the total of `xs`, once; `init` if there are none.
    pub(super) fn reduce(&mut self, init: &Value, xs: &[Value]) -> Result<Value, Stop> {
        match self.total(xs)? {
            Some(total) => self.apply(init, &total),
            None => Ok(init.clone()),
        }
    }

    /// The total of one chunk, which is not empty.
    pub(super) fn chunk_total(&mut self, chunk: &[Value]) -> Result<Value, Stop> {
        match self.neutral(&chunk[0]) {
            Some(neutral) => self.lanes_total(neutral, chunk),
            None => self.sequential_total(chunk),
        }
    }

    fn lanes_total(&mut self, neutral: Value, chunk: &[Value]) -> Result<Value, Stop> {
        let mut lanes = vec![neutral; LANES];
        for (i, x) in chunk.iter().enumerate() {
            lanes[i % LANES] = self.apply(&lanes[i % LANES], x)?;
        }
        let mut width = LANES / 2;
        while width > 0 {
            for l in 0..width {
                lanes[l] = self.apply(&lanes[l], &lanes[l + width])?;
            }
            width /= 2;
        }
        Ok(lanes.swap_remove(0))
    }

    fn sequential_total(&mut self, chunk: &[Value]) -> Result<Value, Stop> {
        let mut total = chunk[0].clone();
        for x in &chunk[1..] {
            total = self.apply(&total, x)?;
        }
        Ok(total)
    }
}

fn neutral_like<'o>(
    sample: &Value,
    ty: &Type,
    ops: &mut (impl Iterator<Item = &'o ScalarOp> + Clone),
) -> Value {
    match (sample, ty) {
        (Value::Tuple(parts), Type::Tuple(types)) => {
            let parts = parts.iter().zip(types);
            Value::Tuple(
                parts
                    .map(|(part, ty)| neutral_like(part, ty, ops))
                    .collect(),
            )
        }
        (Value::Array(elements), Type::Array(elem)) => {
            let each = ops.clone();
            ops.by_ref().take(scalars(elem)).for_each(drop);
            let elements = elements.iter();
            let neutral = elements.map(|it| neutral_like(it, elem, &mut each.clone()));
            Value::Array(neutral.collect())
        }
        (Value::Empty(_), Type::Array(elem)) => {
            ops.by_ref().take(scalars(elem)).for_each(drop);
            sample.clone()
        }
        (value, _) => {
            let op = ops.next().expect("one operator for each scalar");
            Value::Scalar(neutral(*op, value.scalar().ty))
        }
    }
}

/// The scalars of a product, those of an array's elements once.
fn scalars(ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) => 1,
        Type::Tuple(parts) => parts.iter().map(scalars).sum(),
        Type::Array(elem) => scalars(elem),
        Type::Struct(_) => unreachable!("structs are tuples here"),
    }
}
