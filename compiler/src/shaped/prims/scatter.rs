//! Scatter.

use super::Use;
use crate::checks::CheckKind;
use crate::shaped::ir::Consumer;
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::components;
use crate::shaped::value::{Array, Value};

impl<'p> Lower<'p> {
    /// `scatter(into, ix, vs)`
    pub(super) fn scatter(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (into, ix, vs) = (
            self.operand(it, 0),
            self.operand(it, 1),
            self.operand(it, 2),
        );
        let named = [(&ix, self.named(it, 1)), (&vs, self.named(it, 2))];
        self.require_equal(&named, it.prim.info().name, it.src);
        let extent = self.facts.canonical(&ix.extent);
        let elements = self.elements(&extent, it.src, |lower, index| {
            let at = lower.read_elem(&ix, index, it.src);
            let value = lower.read_elem(&vs, index, it.src);
            Ok(Value::Product(vec![at, value]))
        })?;
        let id = self.new_check(CheckKind::Index, it.src);
        let types = elements.types[1..].to_vec();
        let outs = self.arrays_of(&types, &into.extent, it.src);
        let elem = into.elem.with_vars(&mut outs.iter().copied());
        let consumer = Consumer::Scatter {
            into: components(&into.elem),
            id,
        };
        self.consume(elements, consumer, outs, it.src);
        Ok(Value::Array(Array {
            extent: into.extent,
            elem,
        }))
    }
}
