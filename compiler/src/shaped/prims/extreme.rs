//! `min`, `max` and their positions.

use super::Use;
use super::reduce::neutral;
use crate::ids::Var;
use crate::prims::{Extreme, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Body, Combine};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::value::Value;
use crate::source::SrcSpan;

impl Extreme {
    fn op(self) -> ScalarOp {
        match self {
            Extreme::Min => ScalarOp::Min,
            Extreme::Max => ScalarOp::Max,
        }
    }
}

impl<'p> Lower<'p> {
    /// `xs.min()`, `xs.max()`, of nothing whatever changes nothing.
    pub(super) fn extreme(&mut self, it: &Use<'p>, extreme: Extreme) -> Lowered<Value> {
        let elements = self.plain(it)?;
        let init = neutral(extreme.op(), elements.types[0]);
        self.reduce_elements(elements, extreme.op(), init, it.src)
    }

    /// `xs.argmin()`, `xs.argmax()`: the pair of value and index that is first in the order; of
    /// nothing, some index.
    pub(super) fn arg_extreme(&mut self, it: &Use<'p>, extreme: Extreme) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let elements = self.elements(&array.extent, it.src, |lower, index| {
            let element = lower.read_elem(&array, index, it.src);
            Ok(Value::Product(vec![element, Value::Scalar(index)]))
        })?;
        let value = neutral(extreme.op(), elements.types[0]);
        let index = neutral(ScalarOp::Min, Scalar::Usize);
        let init = vec![Atom::Const(value), Atom::Const(index)];
        let combine = self.first_of(extreme, elements.types[0], it.src);
        let combine = Combine {
            neutral: Some(vec![value, index]),
            ..combine
        };
        Ok(self.reduce_by(elements, init, combine, it.src).field(1))
    }

    /// Of two pairs of value and index the one whose value is first, or whose index is less.
    fn first_of(&mut self, extreme: Extreme, ty: Scalar, src: SrcSpan) -> Combine {
        let mut pair = || {
            [
                self.scalar_var(ty, src),
                self.scalar_var(Scalar::Usize, src),
            ]
        };
        let (left, right) = (pair(), pair());
        let (stmts, results) = self
            .scoped(|lower| Ok(lower.choose(extreme, left, right, src)))
            .expect("writes scalars only");
        let body = Body { stmts, results };
        Combine {
            left: left.to_vec(),
            right: right.to_vec(),
            body,
            neutral: None,
            goes_on: false,
        }
    }

    fn choose(
        &mut self,
        extreme: Extreme,
        left: [Var; 2],
        right: [Var; 2],
        src: SrcSpan,
    ) -> Vec<Atom> {
        let [a, at_a] = left.map(Atom::Var);
        let [b, at_b] = right.map(Atom::Var);
        let b_first = self.test(ScalarOp::Before(extreme), b, a, src);
        let a_first = self.test(ScalarOp::Before(extreme), a, b, src);
        let tie = self.scalar(ScalarOp::Not, &[a_first], Scalar::Bool, src);
        let b_earlier = self.test(ScalarOp::Lt, at_b, at_a, src);
        let by_index = self.test(ScalarOp::BitAnd, tie, b_earlier, src);
        let take_b = self.test(ScalarOp::BitOr, b_first, by_index, src);
        [(b, a), (at_b, at_a)]
            .into_iter()
            .map(|(b, a)| {
                let ty = self.elem_type(a);
                self.scalar(ScalarOp::Select, &[take_b, b, a], ty, src)
            })
            .collect()
    }
}
