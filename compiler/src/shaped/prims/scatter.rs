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
        let into = self.owned(it.args[0].clone(), it.src)?;
        let (into, ix, vs) = (
            self.as_array(&into),
            self.operand(it, 1),
            self.operand(it, 2),
        );
        self.flat_elements(&vs, it)?;
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
        let outs = self.flat_arrays(&types, &into.extent, it.src);
        let none = &mut std::iter::empty();
        let elem = into.elem.with_vars(&mut outs.iter().copied(), none);
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
