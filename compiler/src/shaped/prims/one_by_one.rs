//! Operators of any kind on elements that hold arrays: a loop. See Note \[Whole elements\].
//!
//! In: the elements and the operator. Out: loops that combine in the order of the language, chunk by
//! chunk and from left to right in each.

use super::Use;
use super::whole::Operands;
use crate::prims::{CHUNK, Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::size::Size;
use crate::shaped::value::{Value, usize_const};

impl<'p> Lower<'p> {
    /// `xs.reduce(init, f)`
    pub(super) fn reduce_one_by_one(&mut self, it: &Use<'p>, xs: &Operands) -> Lowered<Value> {
        let init = it.args[1].clone();
        let none = self.test(ScalarOp::Eq, xs.array.extent.value, usize_const(0), it.src);
        let empty = init.clone();
        self.branch(
            none,
            &[],
            it.src,
            |_| Ok(empty),
            |lower| {
                let total = lower.total(it, xs)?;
                lower.apply(it.fns[0], &[init, total])
            },
        )
    }

    /// The total of all elements, of which there is one at least.
    fn total(&mut self, it: &Use<'p>, xs: &Operands) -> Lowered<Value> {
        let length = xs.array.extent.value;
        let most = Size::known(CHUNK as i64);
        if self.facts.at_least(&most, &xs.array.extent.size) {
            return self.chunk_total(it, xs, usize_const(0), length);
        }
        let size = usize_const(CHUNK as u64);
        let first = self.operand_at(xs, usize_const(0), it.src);
        let before = self.scalar(
            ScalarOp::Sub,
            &[length, usize_const(1)],
            Scalar::Usize,
            it.src,
        );
        let before = self.scalar(ScalarOp::Div, &[before, size], Scalar::Usize, it.src);
        let chunks = self.exact(ScalarOp::Add, before, usize_const(1), it.src);
        let chunks = self.extent_of(chunks);
        self.sequential(&chunks, first, it.src, &mut |lower, before, chunk| {
            let first = lower.exact(ScalarOp::Mul, chunk, size, it.src);
            let rest = lower.scalar(ScalarOp::Sub, &[length, first], Scalar::Usize, it.src);
            let count = lower.scalar(ScalarOp::Min, &[rest, size], Scalar::Usize, it.src);
            let total = lower.chunk_total(it, xs, first, count)?;
            let is_first = lower.test(ScalarOp::Eq, chunk, usize_const(0), it.src);
            let only = total.clone();
            lower.branch(
                is_first,
                &[],
                it.src,
                |_| Ok(only),
                |lower| lower.apply(it.fns[0], &[before, total]),
            )
        })
    }

    /// The total of `count` elements from `first` on; there is one at least.
    fn chunk_total(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        first: Atom,
        count: Atom,
    ) -> Lowered<Value> {
        let one = usize_const(1);
        let start = self.operand_at(xs, first, it.src);
        let rest = self.scalar(ScalarOp::Sub, &[count, one], Scalar::Usize, it.src);
        let rest = self.extent_of(rest);
        let second = self.exact(ScalarOp::Add, first, one, it.src);
        self.sequential(&rest, start, it.src, &mut |lower, total, index| {
            let at = lower.exact(ScalarOp::Add, second, index, it.src);
            let element = lower.operand_at(xs, at, it.src);
            lower.apply(it.fns[0], &[total, element])
        })
    }
}
