//! Operators that read elsewhere: index functions over the arrays that they are applied to.

use super::Use;
use super::scan::Direction;
use crate::checks::CheckKind;
use crate::interpret::neutral;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::facts::MOST_USIZE;
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Value, usize_const};
use crate::source::SrcSpan;
use crate::typed::ir::Expr;

impl<'p> Lower<'p> {
    /// `xs.gather(ix)`
    pub(super) fn gather(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, indices) = (self.operand(it, 0), self.operand(it, 1));
        self.build(&indices.extent, it.src, |lower, index| {
            let at = lower.read_elem(&indices, index, it.src).atom();
            lower.index(&array, at, it.src)
        })
    }

    /// `xs.rev()`
    pub(super) fn rev(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.reversed(&array, it.src)
    }

    /// The elements of `array` back to front.
    pub(super) fn reversed(&mut self, array: &Array, src: SrcSpan) -> Lowered<Value> {
        self.build(&array.extent, src, |lower, index| {
            let at = lower.mirrored(&array.extent, index, src);
            Ok(lower.read_elem(array, at, src))
        })
    }

    /// `n - 1 - index`
    pub(super) fn mirrored(&mut self, extent: &Extent, index: Atom, src: SrcSpan) -> Atom {
        let last = self.exact(ScalarOp::Sub, extent.value, usize_const(1), src);
        self.exact(ScalarOp::Sub, last, index, src)
    }

    /// `xs.rotate_left(k)`, `xs.rotate_right(k)`
    pub(super) fn rotate(&mut self, it: &Use<'p>, direction: Direction) -> Lowered<Value> {
        let (array, by) = (self.operand(it, 0), it.atom(1));
        let length = array.extent.value;
        self.check_at_most(by, length, CheckKind::Index, vec![by, length], it.src);
        let back = self.exact(ScalarOp::Sub, length, by, it.src);
        let (ahead, back) = match direction {
            Direction::Left => (by, back),
            Direction::Right => (back, by),
        };
        self.build(&array.extent, it.src, |lower, index| {
            let ty = Scalar::Usize;
            let wraps = lower.test(ScalarOp::Ge, index, back, it.src);
            let start = lower.scalar(ScalarOp::Sub, &[index, back], ty, it.src);
            let end = lower.scalar(ScalarOp::Add, &[index, ahead], ty, it.src);
            let at = lower.scalar(ScalarOp::Select, &[wraps, start, end], ty, it.src);
            Ok(lower.read_elem(&array, at, it.src))
        })
    }

    /// `xs.take(k)`
    pub(super) fn take(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let count = self.least(array.extent.value, it.atom(1), it.src);
        self.part(&array, usize_const(0), count, it.src)
    }

    /// `xs.take_while(test)`: as many as are before the least index whose element fails.
    pub(super) fn take_while(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let ty = Scalar::Usize;
        let ends = self.elements(&array.extent, it.src, |lower, index| {
            let element = lower.read_elem(&array, index, it.src);
            let holds = lower.apply(it.fns[0], &[element])?.atom();
            let none = Atom::Const(neutral(ScalarOp::Min, ty));
            let end = lower.scalar(ScalarOp::Select, &[holds, none, index], ty, it.src);
            Ok(Value::Scalar(end))
        })?;
        let none = neutral(ScalarOp::Min, ty);
        let end = self
            .reduce_elements(ends, ScalarOp::Min, none, it.src)?
            .atom();
        let count = self.least(array.extent.value, end, it.src);
        self.part(&array, usize_const(0), count, it.src)
    }

    /// `xs.skip(k)`
    pub(super) fn skip(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, from) = (self.operand(it, 0), it.atom(1));
        let count = self.difference_or_zero(array.extent.value, from, it.src);
        self.part(&array, from, count, it.src)
    }

    /// `count` elements of `array` from position `from`. Assumes that they exist.
    fn part(&mut self, array: &Array, from: Atom, count: Atom, src: SrcSpan) -> Lowered<Value> {
        let size = self.facts.size_of(count);
        if self.facts.same(&size, &array.extent.size) {
            return Ok(Value::Array(array.clone()));
        }
        let extent = self.facts.canonical(&Extent { value: count, size });
        self.build(&extent, src, |lower, index| {
            let at = lower.exact(ScalarOp::Add, from, index, src);
            Ok(lower.read_elem(array, at, src))
        })
    }

    /// `xs.step_by(k)`
    pub(super) fn step_by(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, step) = (self.operand(it, 0), it.atom(1));
        let ok = self.test(ScalarOp::Ne, step, usize_const(0), it.src);
        let operator = it.prim.info().name.to_owned();
        self.check(CheckKind::Step { operator }, ok, Vec::new(), it.src);
        let extent = self.steps(&array.extent, step, it.src);
        self.build(&extent, it.src, |lower, index| {
            let at = lower.exact(ScalarOp::Mul, index, step, it.src);
            Ok(lower.read_elem(&array, at, it.src))
        })
    }

    /// `ceil(n / step)`, that is 0, or `(n - 1) / step + 1`.
    pub(super) fn steps(&mut self, extent: &Extent, step: Atom, src: SrcSpan) -> Extent {
        let (ty, one) = (Scalar::Usize, usize_const(1));
        if step == one {
            return extent.clone();
        }
        let empty = self.test(ScalarOp::Eq, extent.value, usize_const(0), src);
        let last = self.scalar(ScalarOp::Sub, &[extent.value, one], ty, src);
        let steps = self.scalar(ScalarOp::Div, &[last, step], ty, src);
        let count = self.scalar(ScalarOp::Add, &[steps, one], ty, src);
        let value = self.scalar(ScalarOp::Select, &[empty, usize_const(0), count], ty, src);
        match value {
            Atom::Var(var) => {
                let symbol = self
                    .facts
                    .new_ranged(var, Size::known(0), extent.size.clone());
                Extent {
                    value,
                    size: Size::symbol(symbol),
                }
            }
            Atom::Const(_) => {
                let size = self.facts.size_of(value);
                Extent { value, size }
            }
        }
    }

    /// `xs.split_at(k)`
    pub(super) fn split_at(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, at) = (self.operand(it, 0), it.atom(1));
        let length = array.extent.value;
        let values = vec![usize_const(0), at, length];
        self.check_at_most(at, length, CheckKind::Slice, values, it.src);
        let rest = self.exact(ScalarOp::Sub, length, at, it.src);
        let left = self.part(&array, usize_const(0), at, it.src)?;
        let right = self.part(&array, at, rest, it.src)?;
        Ok(Value::Product(vec![left, right]))
    }

    /// `array[lo..hi]`
    pub(in crate::shaped) fn slice_expr(
        &mut self,
        array: &'p Expr,
        lo: Option<&'p Expr>,
        hi: Option<&'p Expr>,
        inclusive: bool,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let of = self.array(array)?;
        let length = of.extent.value;
        let (first, end) = self.bounds(lo, hi, inclusive, length)?;
        self.refuse_slice(array, &of, (lo, hi, inclusive));
        self.check_slice(first, end, length, src);
        let count = self.exact(ScalarOp::Sub, end, first, src);
        self.part(&of, first, count, src)
    }

    /// First index and end of a slice of an array of this length.
    pub(in crate::shaped) fn bounds(
        &mut self,
        lo: Option<&'p Expr>,
        hi: Option<&'p Expr>,
        inclusive: bool,
        length: Atom,
    ) -> Lowered<(Atom, Atom)> {
        let lo = lo.map_or(Ok(usize_const(0)), |lo| self.atom(lo))?;
        let hi = match hi {
            Some(hi) if inclusive => {
                let last = self.atom(hi)?;
                self.saturating_next(last, hi.src)
            }
            Some(hi) => self.atom(hi)?,
            None => length,
        };
        Ok((lo, hi))
    }

    /// Checks `lo <= hi <= length`, unless that is proven.
    pub(in crate::shaped) fn check_slice(
        &mut self,
        lo: Atom,
        hi: Atom,
        length: Atom,
        src: SrcSpan,
    ) {
        let values = vec![lo, hi, length];
        self.check_at_most(lo, hi, CheckKind::Slice, values.clone(), src);
        self.check_at_most(hi, length, CheckKind::Slice, values, src);
    }

    /// `last + 1`, or the greatest `usize`, which is the end of no array.
    fn saturating_next(&mut self, last: Atom, src: SrcSpan) -> Atom {
        let last = if self.has_next(last) {
            last
        } else {
            let most = usize_const(u64::MAX - 1);
            self.scalar(ScalarOp::Min, &[last, most], Scalar::Usize, src)
        };
        self.exact(ScalarOp::Add, last, usize_const(1), src)
    }

    /// Checks `small <= big`, unless that is proven.
    fn check_at_most(
        &mut self,
        small: Atom,
        big: Atom,
        kind: CheckKind,
        values: Vec<Atom>,
        src: SrcSpan,
    ) {
        let (least, most) = (self.facts.size_of(small), self.facts.size_of(big));
        if self.facts.at_least(&most, &least) {
            return;
        }
        let ok = self.test(ScalarOp::Le, small, big, src);
        self.check(kind, ok, values, src);
    }

    /// `xs.repeat(k)`
    pub(super) fn repeat(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, times) = (self.operand(it, 0), it.atom(1));
        let n = array.extent.value;
        let extent = self.repeated(&array.extent, times, it.src);
        self.build(&extent, it.src, |lower, index| {
            let at = lower.scalar(ScalarOp::Rem, &[index, n], Scalar::Usize, it.src);
            Ok(lower.read_elem(&array, at, it.src))
        })
    }

    /// `n * times`, which may be more than fits in a `usize`.
    pub(in crate::shaped) fn repeated(
        &mut self,
        extent: &Extent,
        times: Atom,
        src: SrcSpan,
    ) -> Extent {
        let n = extent.value;
        let left = self.facts.size_of(n);
        let right = self.facts.size_of(times);
        let most = self
            .facts
            .most(&left)
            .saturating_mul(self.facts.most(&right));
        let fits = || left.mul(&right).is_some_and(|it| self.facts.fits(&it));
        if most > MOST_USIZE && !fits() {
            let ok = self.product_fits(n, times, src);
            self.check(CheckKind::TooLarge, ok, vec![usize_const(u64::MAX)], src);
        }
        let total = self.exact(ScalarOp::Mul, n, times, src);
        self.extent(total, src)
    }

    /// `xs.pairwise(f)`
    pub(super) fn pairwise(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let one = usize_const(1);
        let pairs = self.difference_or_zero(array.extent.value, one, it.src);
        let size = self.facts.size_of(pairs);
        let extent = self.facts.canonical(&Extent { value: pairs, size });
        self.build(&extent, it.src, |lower, index| {
            let left = lower.read_elem(&array, index, it.src);
            let next = lower.exact(ScalarOp::Add, index, one, it.src);
            let right = lower.read_elem(&array, next, it.src);
            lower.apply(it.fns[0], &[left, right])
        })
    }

    /// `xs.first()`
    pub(super) fn first(&mut self, it: &Use<'p>) -> Value {
        let array = self.operand(it, 0);
        self.check_not_empty(&array.extent, it);
        self.read_elem(&array, usize_const(0), it.src)
    }

    /// `xs.last()`
    pub(super) fn last(&mut self, it: &Use<'p>) -> Value {
        let array = self.operand(it, 0);
        self.check_not_empty(&array.extent, it);
        let at = self.exact(ScalarOp::Sub, array.extent.value, usize_const(1), it.src);
        self.read_elem(&array, at, it.src)
    }

    /// Checks that there is an element, unless that is proven.
    pub(super) fn check_not_empty(&mut self, extent: &Extent, it: &Use<'p>) {
        if self.facts.at_least(&extent.size, &Size::known(1)) {
            return;
        }
        let ok = self.test(ScalarOp::Gt, extent.value, usize_const(0), it.src);
        let operator = it.prim.info().name.to_owned();
        self.check(CheckKind::Empty { operator }, ok, Vec::new(), it.src);
    }

    /// The last argument for an empty array, else what `otherwise` gives.
    pub(super) fn or(
        &mut self,
        it: &Use<'p>,
        otherwise: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let extent = self.operand(it, 0).extent;
        if self.facts.at_least(&extent.size, &Size::known(1)) {
            return otherwise(self);
        }
        let empty = self.test(ScalarOp::Eq, extent.value, usize_const(0), it.src);
        let default = it.args[1].clone();
        self.branch(empty, &[], it.src, |_| Ok(default), otherwise)
    }

    /// What `total` gives, unless there is no element.
    pub(super) fn of_some(
        &mut self,
        it: &Use<'p>,
        total: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let extent = self.operand(it, 0).extent;
        self.check_not_empty(&extent, it);
        total(self)
    }

    /// As [`or`](Self::or), of what can be computed without elements as well: so there is no branch.
    pub(super) fn total_or(
        &mut self,
        it: &Use<'p>,
        total: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let extent = self.operand(it, 0).extent;
        let total = total(self)?;
        if self.facts.at_least(&extent.size, &Size::known(1)) {
            return Ok(total);
        }
        let empty = self.test(ScalarOp::Eq, extent.value, usize_const(0), it.src);
        let (default, total) = (it.args[1].atom(), total.atom());
        let ty = self.elem_type(total);
        let either = self.scalar(ScalarOp::Select, &[empty, default, total], ty, it.src);
        Ok(Value::Scalar(either))
    }
}
