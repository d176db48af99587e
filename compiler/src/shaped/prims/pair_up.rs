//! Pairs of elements.

use super::Use;
use crate::checks::CheckKind;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Value, usize_const};
use crate::source::SrcSpan;

/// Elements whose pairs can be counted in 64 bits.
const MOST: u64 = 1 << 32;

impl<'p> Lower<'p> {
    /// `xs.pairs()`: those of each element with the ones behind it, joined.
    pub(super) fn pairs(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.require_countable(&array.extent, it.src);
        let rows = self.build(&array.extent, it.src, |lower, index| {
            let behind = lower.mirrored(&array.extent, index, it.src);
            let behind = lower.extent_of(behind);
            let left = lower.read_elem(&array, index, it.src);
            let next = lower.exact(ScalarOp::Add, index, usize_const(1), it.src);
            lower.build(&behind, it.src, |lower, at| {
                let at = lower.exact(ScalarOp::Add, next, at, it.src);
                let right = lower.read_elem(&array, at, it.src);
                Ok(Value::Product(vec![left.clone(), right]))
            })
        })?;
        self.joined(&self.as_array(&rows), it.src)
    }

    fn require_countable(&mut self, extent: &Extent, src: SrcSpan) {
        if self.facts.at_least(&Size::known(MOST as i64), &extent.size) {
            return;
        }
        let ok = self.test(ScalarOp::Le, extent.value, usize_const(MOST), src);
        self.check(CheckKind::TooLarge, ok, vec![usize_const(u64::MAX)], src);
    }

    /// `cartesian(xs, ys)`
    pub(super) fn cartesian(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (left, right) = (self.operand(it, 0), self.operand(it, 1));
        let total = self.repeated(&left.extent, right.extent.value, it.src);
        self.build(&total, it.src, |lower, index| {
            let [i, j] = lower.split(index, &right.extent, it.src);
            Ok(lower.pair_at([&left, &right], [i, j], it.src))
        })
    }

    fn pair_at(&mut self, arrays: [&Array; 2], at: [Atom; 2], src: SrcSpan) -> Value {
        let [left, right] = [0, 1].map(|side| self.read_elem(arrays[side], at[side], src));
        Value::Product(vec![left, right])
    }
}
