//! Looking for a place in a sorted array.
//!
//! In: an array, and what decides on which side of an element to go on. Out: a loop that halves what is
//! left, always by as much, whatever the elements are: so its trips depend on the length alone, and
//! lanes that look for one key each in one array go through it together, without a branch.

use super::Use;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::value::{Value, bool_const, usize_const};
use crate::source::SrcSpan;

/// Says of an element whether the place is there or later.
type Later<'l, 'p> = dyn FnMut(&mut Lower<'p>, Value) -> Lowered<Atom> + 'l;

impl<'p> Lower<'p> {
    /// `xs.partition_point(f)`
    pub(super) fn partition_point(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let src = it.src;
        let holds = &mut |lower: &mut Self, element| {
            let holds = lower.apply(it.fns[0], &[element])?;
            Ok(holds.atom())
        };
        let last = self.narrowed(it, holds)?;
        self.if_some(&array.extent, Value::Scalar(last), src, |lower| {
            let element = lower.read_elem(&array, last, src);
            let holds = lower.apply(it.fns[0], &[element])?;
            Ok(Value::Scalar(lower.behind(last, holds.atom(), src)))
        })
    }

    /// `xs.binary_search(key)`
    pub(super) fn binary_search(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, key) = (self.operand(it, 0), it.args[1].clone());
        let src = it.src;
        let not_behind = &mut |lower: &mut Self, element: Value| {
            let behind = lower.precedes(&key, &element, src);
            Ok(lower.scalar(ScalarOp::Not, &[behind], Scalar::Bool, src))
        };
        let last = self.narrowed(it, not_behind)?;
        let nowhere = vec![Value::Scalar(bool_const(false)), Value::Scalar(last)];
        self.if_some(&array.extent, Value::Product(nowhere), src, |lower| {
            let element = lower.read_elem(&array, last, src);
            let before = lower.precedes(&element, &key, src);
            let behind = lower.precedes(&key, &element, src);
            let differs = lower.test(ScalarOp::BitOr, before, behind, src);
            let equal = lower.scalar(ScalarOp::Not, &[differs], Scalar::Bool, src);
            let place = lower.behind(last, before, src);
            Ok(Value::Product(vec![
                Value::Scalar(equal),
                Value::Scalar(place),
            ]))
        })
    }

    /// The last place of an element that `later` holds for; the first if there is none.
    fn narrowed(&mut self, it: &Use<'p>, later: &mut Later<'_, 'p>) -> Lowered<Atom> {
        let array = self.operand(it, 0);
        let src = it.src;
        let (start, left) = (self.new_local(), self.new_local());
        self.set_local(start, Value::Scalar(usize_const(0)));
        self.set_local(left, Value::Scalar(array.extent.value));
        self.run_loop(
            &[start, left],
            src,
            &mut |lower| {
                let left = lower.locals(&[left])[0].atom();
                Ok(lower.test(ScalarOp::Gt, left, usize_const(1), src))
            },
            &mut |lower| {
                let [from, all] = [start, left].map(|local| lower.locals(&[local])[0].atom());
                let two = usize_const(2);
                let half = lower.scalar(ScalarOp::Div, &[all, two], Scalar::Usize, src);
                let middle = lower.exact(ScalarOp::Add, from, half, src);
                let element = lower.read_elem(&array, middle, src);
                let later = later(lower, element)?;
                let next = [later, middle, from];
                let next = lower.scalar(ScalarOp::Select, &next, Scalar::Usize, src);
                let rest = lower.scalar(ScalarOp::Sub, &[all, half], Scalar::Usize, src);
                lower.set_local(start, Value::Scalar(next));
                lower.set_local(left, Value::Scalar(rest));
                Ok(())
            },
        )?;
        Ok(self.locals(&[start])[0].atom())
    }

    /// `place`, or the one behind it.
    fn behind(&mut self, place: Atom, is_behind: Atom, src: SrcSpan) -> Atom {
        let one = self.scalar(ScalarOp::Cast, &[is_behind], Scalar::Usize, src);
        self.scalar(ScalarOp::Add, &[place, one], Scalar::Usize, src)
    }

    /// `none` if an array of this extent has no elements.
    fn if_some(
        &mut self,
        extent: &Extent,
        none: Value,
        src: SrcSpan,
        some: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let is_empty = self.test(ScalarOp::Eq, extent.value, usize_const(0), src);
        self.branch(is_empty, &[], src, |_| Ok(none), some)
    }

    /// Whether sorts put `a` before `b`: by the first scalars that differ.
    fn precedes(&mut self, a: &Value, b: &Value, src: SrcSpan) -> Atom {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        a.scalars(&mut left);
        b.scalars(&mut right);
        let pairs = left.into_iter().zip(right).rev();
        pairs.fold(bool_const(false), |rest, (a, b)| {
            let op = match self.elem_type(a).is_float() {
                true => ScalarOp::Precedes,
                false => ScalarOp::Lt,
            };
            let before = self.test(op, a, b, src);
            if rest == bool_const(false) {
                return before;
            }
            let behind = self.test(op, b, a, src);
            let not_behind = self.scalar(ScalarOp::Not, &[behind], Scalar::Bool, src);
            let rest = self.test(ScalarOp::BitAnd, not_behind, rest, src);
            self.test(ScalarOp::BitOr, before, rest, src)
        })
    }
}
