//! Scalar expressions; `usize` arithmetic with its size expressions and checks.

use super::facts::{MOST_EXTENT, MOST_USIZE};
use super::fold::wrap;
use super::ir::{Atom, Body, Extent, Op};
use super::lower::{Lower, Lowered};
use super::size::Size;
use super::value::{Value, bool_const, usize_const};
use crate::checks::CheckKind;
use crate::ids::Var;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::Expr;

impl<'p> Lower<'p> {
    /// A scalar operation of the user's.
    pub(super) fn scalar_expr(
        &mut self,
        op: ScalarOp,
        args: &'p [Expr],
        checked: bool,
        ty: Scalar,
        src: SrcSpan,
    ) -> Lowered<Atom> {
        let mut atoms = Vec::with_capacity(args.len());
        for arg in args {
            atoms.push(self.atom(arg)?);
        }
        Ok(match (op, atoms.as_slice()) {
            (ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul, &[left, right])
                if checked && ty == Scalar::Usize =>
            {
                self.checked(op, left, right, src)
            }
            (_, &[left, right]) if checked && op.divides() => self.divide(op, left, right, ty, src),
            (ScalarOp::Cast, &[from]) => self.cast(from, ty, src),
            (ScalarOp::Min, &[left, right]) if ty == Scalar::Usize => self.least(left, right, src),
            (ScalarOp::Max | ScalarOp::Clamp, _) if ty == Scalar::Usize => {
                self.bounded(op, &atoms, src)
            }
            (ScalarOp::Method(Method::SaturatingSub), &[left, _]) if ty == Scalar::Usize => {
                self.result_at_most(op, &atoms, left, src)
            }
            _ => self.scalar(op, &atoms, ty, src),
        })
    }

    /// `usize` arithmetic written by the user.
    pub(super) fn checked(&mut self, op: ScalarOp, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let (left, right) = (self.facts.size_of(a), self.facts.size_of(b));
        let size = combine(op, &left, &right);
        let proven = match op {
            ScalarOp::Sub => self.facts.at_least(&left, &right),
            _ => size.as_ref().is_some_and(|size| self.facts.fits(size)),
        };
        if proven {
            return self.exact(op, a, b, src);
        }
        let out = self.checked_at_run_time(op, a, b, src);
        if op == ScalarOp::Sub {
            self.facts
                .set_nonnegative(left.sub(&right).unwrap_or_default());
        }
        if let (Atom::Var(var), Some(size)) = (out, size) {
            self.facts.set_fitting(&size);
            self.facts.set_size(var, size);
        }
        out
    }

    /// A value that is `size`, computed from what holds its symbols; 0 if it is below 0, as the
    /// extent of the elements of an empty array may be, since no body has checked it there.
    pub(super) fn compute_size(&mut self, size: &Size, src: SrcSpan) -> Atom {
        let terms: Vec<_> = size.terms().map(|(them, n)| (them.to_vec(), n)).collect();
        let (positive, negative): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, n)| *n > 0);
        let mut sum = usize_const(0);
        for (op, terms) in [(ScalarOp::Add, positive), (ScalarOp::Sub, negative)] {
            for (symbols, n) in terms {
                let mut product = usize_const(n.unsigned_abs());
                for symbol in symbols {
                    let home = self.facts.home(symbol);
                    product = self.scalar(ScalarOp::Mul, &[product, home], Scalar::Usize, src);
                }
                if op == ScalarOp::Sub {
                    sum = self.scalar(ScalarOp::Max, &[sum, product], Scalar::Usize, src);
                }
                sum = self.scalar(op, &[sum, product], Scalar::Usize, src);
            }
        }
        if let Atom::Var(var) = sum {
            self.facts.set_size(var, size.clone());
        }
        sum
    }

    fn checked_at_run_time(&mut self, op: ScalarOp, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let (kind, ok) = match op {
            ScalarOp::Sub => (CheckKind::Underflow, self.test(ScalarOp::Ge, a, b, src)),
            ScalarOp::Mul => (CheckKind::Overflow, self.product_fits(a, b, src)),
            _ => {
                let most = usize_const(u64::MAX);
                let room = self.scalar(ScalarOp::Sub, &[most, b], Scalar::Usize, src);
                (CheckKind::Overflow, self.test(ScalarOp::Le, a, room, src))
            }
        };
        self.check(kind, ok, vec![a, b], src);
        self.scalar(op, &[a, b], Scalar::Usize, src)
    }

    /// Whether `a * b` is a `usize`: at once if both are below 2^32, else by division.
    pub(super) fn product_fits(&mut self, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let constant = match (a, b) {
            (Atom::Const(constant), other) | (other, Atom::Const(constant)) => {
                Some((constant.bits.max(1), other))
            }
            (Atom::Var(_), Atom::Var(_)) => None,
        };
        if let Some((factor, other)) = constant {
            return self.test(ScalarOp::Le, other, usize_const(u64::MAX / factor), src);
        }
        let either = self.scalar(ScalarOp::BitOr, &[a, b], Scalar::Usize, src);
        let small = self.test(ScalarOp::Le, either, usize_const(u64::from(u32::MAX)), src);
        let out = self.scalar_var(Scalar::Bool, src);
        let (stmts, fits) = self
            .scoped(|lower| Ok(lower.quotient_fits(a, b, src)))
            .expect("writes scalars only");
        let then = Body {
            stmts: Vec::new(),
            results: vec![bool_const(true)],
        };
        let else_ = Body {
            stmts,
            results: vec![fits],
        };
        self.push(
            vec![out],
            Op::If {
                cond: small,
                then,
                else_,
            },
            src,
        );
        Atom::Var(out)
    }

    fn quotient_fits(&mut self, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let divisor = self.scalar(ScalarOp::Max, &[b, usize_const(1)], Scalar::Usize, src);
        let most = usize_const(u64::MAX);
        let limit = self.scalar(ScalarOp::Div, &[most, divisor], Scalar::Usize, src);
        self.test(ScalarOp::Le, a, limit, src)
    }

    /// `usize` arithmetic that is known to stay in range.
    pub(super) fn exact(&mut self, op: ScalarOp, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let size = combine(op, &self.facts.size_of(a), &self.facts.size_of(b));
        if let Some(atom) = size.as_ref().and_then(|size| self.facts.atom_of(size)) {
            return atom;
        }
        let out = self.scalar(op, &[a, b], Scalar::Usize, src);
        if let (Atom::Var(var), Some(size)) = (out, size) {
            self.facts.set_size(var, size);
        }
        out
    }

    /// Integer division, or the remainder.
    pub(super) fn divide(
        &mut self,
        op: ScalarOp,
        a: Atom,
        b: Atom,
        ty: Scalar,
        src: SrcSpan,
    ) -> Atom {
        if !self.known_positive(b) {
            let zero = Atom::Const(wrap(ty, 0));
            let ok = self.test(ScalarOp::Ne, b, zero, src);
            self.check(CheckKind::Division, ok, Vec::new(), src);
        }
        if let Some(known) = self.computed(op, &[a, b]) {
            return known;
        }
        let out = self.scalar(op, &[a, b], ty, src);
        if let (Atom::Var(var), Scalar::Usize) = (out, ty) {
            self.bound_quotient(op, var, a, b);
            self.set_computed(op, &[a, b], var);
        }
        out
    }

    /// A quotient is at most the dividend, a remainder below the divisor.
    fn bound_quotient(&mut self, op: ScalarOp, out: Var, a: Atom, b: Atom) {
        let most = match op {
            ScalarOp::Rem | ScalarOp::RemEuclid => self.facts.size_of(b).sub(&Size::known(1)),
            _ => Some(self.facts.size_of(a)),
        };
        if let Some(most) = most {
            self.facts.new_ranged(out, Size::known(0), most);
        }
    }

    fn known_positive(&mut self, atom: Atom) -> bool {
        match atom {
            Atom::Const(constant) => constant.bits != 0,
            Atom::Var(_) => {
                if self.elem_type(atom) != Scalar::Usize {
                    return false;
                }
                let size = self.facts.size_of(atom);
                self.facts.at_least(&size, &Size::known(1))
            }
        }
    }

    /// `from as ty`
    pub(super) fn cast(&mut self, from: Atom, ty: Scalar, src: SrcSpan) -> Atom {
        let source = self.elem_type(from);
        if source == ty {
            return from;
        }
        let out = self.scalar(ScalarOp::Cast, &[from], ty, src);
        if let (Atom::Var(var), Scalar::Usize) = (out, ty)
            && !source.is_float()
            && !source.is_signed_int()
            && source.bits() < 64
        {
            self.facts.new_scalar(var, None, (1 << source.bits()) - 1);
        }
        out
    }

    /// The smaller of two `usize`.
    pub(super) fn least(&mut self, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let (left, right) = (self.facts.size_of(a), self.facts.size_of(b));
        if self.facts.at_least(&right, &left) {
            return a;
        }
        if self.facts.at_least(&left, &right) {
            return b;
        }
        if let Some(known) = self.computed(ScalarOp::Min, &[a, b]) {
            return known;
        }
        let out = self.scalar(ScalarOp::Min, &[a, b], Scalar::Usize, src);
        if let Atom::Var(var) = out {
            self.set_computed(ScalarOp::Min, &[a, b], var);
            let (near, far) = if self.facts.most(&left) <= self.facts.most(&right) {
                (left, right)
            } else {
                (right, left)
            };
            let symbol = self.facts.new_ranged(var, Size::known(0), near);
            let gap = far.sub(&Size::symbol(symbol)).unwrap_or_default();
            self.facts.set_nonnegative(gap);
        }
        out
    }

    /// The larger of two `usize`, or a `usize` clamped.
    fn bounded(&mut self, op: ScalarOp, args: &[Atom], src: SrcSpan) -> Atom {
        if let Some(known) = self.computed(op, args) {
            return known;
        }
        let out = self.scalar(op, args, Scalar::Usize, src);
        let Atom::Var(var) = out else { return out };
        self.set_computed(op, args, var);
        let sizes: Vec<Size> = args.iter().map(|arg| self.facts.size_of(*arg)).collect();
        match sizes.as_slice() {
            [a, b] => {
                // Both are at least 0: the larger is at most the sum.
                let Some(sum) = a.add(b) else { return out };
                let symbol = Size::symbol(self.facts.new_ranged(var, Size::known(0), sum));
                for gap in [symbol.sub(a), symbol.sub(b)] {
                    self.facts.set_nonnegative(gap.unwrap_or_default());
                }
            }
            [.., hi] => {
                self.facts.new_ranged(var, Size::known(0), hi.clone());
            }
            [] => {}
        }
        out
    }

    /// An operation whose result is at most its operand `most`.
    fn result_at_most(&mut self, op: ScalarOp, args: &[Atom], most: Atom, src: SrcSpan) -> Atom {
        if let Some(known) = self.computed(op, args) {
            return known;
        }
        let out = self.scalar(op, args, Scalar::Usize, src);
        if let Atom::Var(var) = out {
            self.set_computed(op, args, var);
            let most = self.facts.size_of(most);
            self.facts.new_ranged(var, Size::known(0), most);
        }
        out
    }

    /// `a - b`, or 0 where that would be negative.
    pub(super) fn difference_or_zero(&mut self, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let (left, right) = (self.facts.size_of(a), self.facts.size_of(b));
        if self.facts.at_least(&left, &right) {
            return self.exact(ScalarOp::Sub, a, b, src);
        }
        if self.facts.at_least(&right, &left) {
            return usize_const(0);
        }
        let out = self.select_difference(a, b, src);
        if let Atom::Var(var) = out {
            let symbol = self.facts.new_ranged(var, Size::known(0), left.clone());
            if let Some(difference) = left.sub(&right) {
                self.facts.set_positive(symbol, difference);
            }
        }
        out
    }

    fn select_difference(&mut self, a: Atom, b: Atom, src: SrcSpan) -> Atom {
        let positive = self.test(ScalarOp::Gt, a, b, src);
        let difference = self.scalar(ScalarOp::Sub, &[a, b], Scalar::Usize, src);
        let args = [positive, difference, usize_const(0)];
        self.scalar(ScalarOp::Select, &args, Scalar::Usize, src)
    }

    /// The extent and the first element of `lo..hi`.
    pub(super) fn range(
        &mut self,
        lo: &'p Expr,
        hi: &'p Expr,
        inclusive: bool,
        src: SrcSpan,
    ) -> Lowered<(Extent, Atom)> {
        let (lo, hi) = (self.atom(lo)?, self.atom(hi)?);
        if inclusive && lo == usize_const(0) && !self.has_next(hi) {
            let ok = self.test(ScalarOp::Lt, hi, usize_const(MOST_EXTENT as u64), src);
            self.check(CheckKind::TooLarge, ok, vec![hi], src);
            let size = self.facts.size_of(hi);
            self.facts.set_bounded(&size);
            let next = size.add(&Size::known(1));
            next.iter().for_each(|next| self.facts.set_bounded(next));
        }
        let count = match (self.elem_type(lo), inclusive) {
            (Scalar::Usize, false) => self.difference_or_zero(hi, lo, src),
            (Scalar::Usize, true) if self.has_next(hi) => {
                let end = self.exact(ScalarOp::Add, hi, usize_const(1), src);
                self.difference_or_zero(end, lo, src)
            }
            _ => self.count_between(lo, hi, inclusive, src),
        };
        Ok((self.extent(count, src), lo))
    }

    /// Whether `hi + 1` is known to be a `usize`.
    pub(super) fn has_next(&mut self, hi: Atom) -> bool {
        let size = self.facts.size_of(hi);
        self.facts.most(&size) < MOST_USIZE
    }

    /// How many integers there are from `lo` to `hi`.
    fn count_between(&mut self, lo: Atom, hi: Atom, inclusive: bool, src: SrcSpan) -> Atom {
        let ty = self.elem_type(lo);
        let op = if inclusive {
            ScalarOp::Le
        } else {
            ScalarOp::Lt
        };
        let from_zero = !ty.is_signed_int() && lo == Atom::Const(wrap(ty, 0));
        let some = if from_zero {
            bool_const(true)
        } else {
            self.test(op, lo, hi, src)
        };
        // Sign-extended, so that the difference modulo 2^64 is the difference.
        let (from, to) = (
            self.cast(lo, Scalar::Usize, src),
            self.cast(hi, Scalar::Usize, src),
        );
        let mut count = self.scalar(ScalarOp::Sub, &[to, from], Scalar::Usize, src);
        if ty.bits() == 64 && inclusive {
            let fits = self.test(ScalarOp::Lt, count, usize_const(MOST_EXTENT as u64), src);
            let none = self.scalar(ScalarOp::Not, &[some], Scalar::Bool, src);
            let ok = self.test(ScalarOp::BitOr, none, fits, src);
            self.check(CheckKind::TooLarge, ok, vec![count], src);
        }
        if inclusive {
            count = self.scalar(ScalarOp::Add, &[count, usize_const(1)], Scalar::Usize, src);
        }
        let args = [some, count, usize_const(0)];
        let count = self.scalar(ScalarOp::Select, &args, Scalar::Usize, src);
        if let Atom::Var(var) = count {
            self.bound_count(var, [lo, hi], inclusive);
        }
        count
    }

    /// What is known of the number of integers between two of a type.
    fn bound_count(&mut self, count: Var, [lo, hi]: [Atom; 2], inclusive: bool) {
        let ty = self.elem_type(lo);
        if ty.bits() < 64 {
            self.facts.new_scalar(count, None, 1 << ty.bits());
        } else if inclusive {
            let symbol = self.facts.new_extent(count);
            if ty == Scalar::Usize {
                let next = self.facts.size_of(hi).add(&Size::known(1));
                let size = next.and_then(|next| next.sub(&self.facts.size_of(lo)));
                size.into_iter()
                    .for_each(|size| self.facts.set_positive(symbol, size));
            }
        }
    }

    /// Element `index` of the range from `lo`.
    pub(super) fn range_element(&mut self, lo: Atom, index: Atom, src: SrcSpan) -> Atom {
        let ty = self.elem_type(lo);
        if ty == Scalar::Usize {
            return self.exact(ScalarOp::Add, lo, index, src);
        }
        let index = self.cast(index, ty, src);
        self.scalar(ScalarOp::Add, &[lo, index], ty, src)
    }

    /// A scalar expression.
    pub(super) fn atom(&mut self, expr: &'p Expr) -> Lowered<Atom> {
        self.expr(expr).map(|value: Value| value.atom())
    }
}

/// The size expression of the result.
fn combine(op: ScalarOp, left: &Size, right: &Size) -> Option<Size> {
    match op {
        ScalarOp::Add => left.add(right),
        ScalarOp::Sub => left.sub(right),
        _ => left.mul(right),
    }
}
