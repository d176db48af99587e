//! Arrays behind each other.
//!
//! In: two arrays. Out: the elements of both.
//!
//! Note \[Rows behind rows\]. Rows of any lengths behind others are their elements behind those of the
//! others, and offsets that go on where theirs end: two arrays of one dimension that are longer than before,
//! which nobody has to go through to find lengths. So an array of rows that grows in a loop is two arrays
//! that grow (`fused/append.rs`).

use super::Use;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::in_rows::same_structure;
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::value::{Array, Elem, Rows, Value, usize_const};
use crate::source::SrcSpan;

impl<'p> Lower<'p> {
    /// `xs.chain(ys)`
    pub(super) fn chain(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (left, right) = (self.operand(it, 0), self.operand(it, 1));
        self.chained(&left, &right, it.src)
    }

    /// The elements of both, one array behind the other.
    pub(super) fn chained(&mut self, left: &Array, right: &Array, src: SrcSpan) -> Lowered<Value> {
        let (n, m) = (left.extent.value, right.extent.value);
        let total = self.exact(ScalarOp::Add, n, m, src);
        let extent = self.extent(total, src);
        if self.holds_rows(&left.elem) {
            let elem = self.chained_elem(left, right, src)?;
            return Ok(Value::Array(Array { extent, elem }));
        }
        self.build(&extent, src, |lower, index| {
            let in_left = lower.test(ScalarOp::Lt, index, n, src);
            let ty = Scalar::Usize;
            let behind = |lower: &mut Self| lower.scalar(ScalarOp::Sub, &[index, n], ty, src);
            lower.either(in_left, (left, index), (right, &behind), src)
        })
    }

    /// Whether elements are, or hold beside others, arrays of lengths of their own.
    fn holds_rows(&self, elem: &Elem) -> bool {
        !elem.rows_in().is_empty()
    }

    /// The elements of both; see Note [Rows behind rows].
    fn chained_elem(&mut self, left: &Array, right: &Array, src: SrcSpan) -> Lowered<Elem> {
        let (left_is, mut right_is) = (Value::Array(left.clone()), Value::Array(right.clone()));
        if !same_structure(&left_is, &right_is) {
            right_is = self.owned(right_is, src)?;
            right_is = self.matched(right_is, &left_is, src)?;
        }
        let right = self.as_array(&right_is);
        match (&left.elem, &right.elem) {
            (Elem::Product(own), Elem::Product(others)) if self.holds_rows(&left.elem) => {
                let parts = own.iter().zip(others).map(|(own, other)| {
                    let [own, other] = [(left, own), (&right, other)].map(|(array, elem)| Array {
                        extent: array.extent.clone(),
                        elem: elem.clone(),
                    });
                    self.chained_elem(&own, &other, src)
                });
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Rows(own), Elem::Rows(others)) => {
                self.rows_behind((own, &left.extent), (others, &right.extent), src)
            }
            _same_shapes => {
                let both = self.chained(left, &right, src)?;
                Ok(self.as_array(&both).elem)
            }
        }
    }

    /// `others` behind `own`, of which there are so many.
    fn rows_behind(
        &mut self,
        (own, n): (&Rows, &Extent),
        (others, m): (&Rows, &Extent),
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let [first, rest] =
            [(own, n), (others, m)].map(|(rows, count)| self.all_of(rows, count, src));
        let flat = self.chained(&first, &rest, src)?;
        let is_whole = own.at.is_none() && own.base.is_none();
        let bounds = match is_whole {
            true => own.bounds.clone(),
            false => self.one_more(n, src),
        };
        let value = self.exact(ScalarOp::Add, bounds.value, m.value, src);
        let size = self.facts.size_of(value);
        let all = Extent { value, size };
        let offsets = self.build(&all, src, |lower, index| {
            let in_front = lower.test(ScalarOp::Lt, index, bounds.value, src);
            let begins = |lower: &mut Self| match is_whole {
                true => lower.element(own.offsets, index, src),
                false => {
                    let begins = lower.row_behind_first(own, n, index, src);
                    lower.scalar(ScalarOp::Cast, &[begins], Scalar::I64, src)
                }
            };
            let begins_behind = |lower: &mut Self| {
                let ty = Scalar::Usize;
                let behind = lower.scalar(ScalarOp::Sub, &[index, bounds.value], ty, src);
                let row = lower.scalar(ScalarOp::Add, &[behind, usize_const(1)], ty, src);
                let begins = lower.row_behind_first(others, m, row, src);
                let begins = lower.scalar(ScalarOp::Add, &[first.extent.value, begins], ty, src);
                lower.scalar(ScalarOp::Cast, &[begins], Scalar::I64, src)
            };
            lower.branch(
                in_front,
                &[],
                src,
                |lower| Ok(Value::Scalar(begins(lower))),
                |lower| Ok(Value::Scalar(begins_behind(lower))),
            )
        })?;
        Ok(Elem::rows(
            all,
            self.variable(&offsets),
            self.as_array(&flat),
        ))
    }

    /// The element of one array or of the other. It is chosen where scalars are, so that rows of one shape
    /// are not made for it.
    fn either(
        &mut self,
        in_left: Atom,
        (left, at): (&Array, Atom),
        (right, behind): (&Array, &dyn Fn(&mut Self) -> Atom),
        src: SrcSpan,
    ) -> Lowered<Value> {
        if let (Elem::Array(own), Elem::Array(other)) = (&left.elem, &right.elem)
            && self.facts.same(&own.extent.size, &other.extent.size)
        {
            let behind = behind(self);
            let rows = [
                self.read_elem(left, at, src),
                self.read_elem(right, behind, src),
            ];
            let [own, other] = rows.map(|row| self.as_array(&row));
            return self.build(&own.extent, src, |lower, index| {
                lower.either(in_left, (&own, index), (&other, &|_| index), src)
            });
        }
        self.branch(
            in_left,
            &[],
            src,
            |lower| Ok(lower.read_elem(left, at, src)),
            |lower| {
                let behind = behind(lower);
                Ok(lower.read_elem(right, behind, src))
            },
        )
    }
}
