//! Facts from equalities, and from conditions that are known to hold.

use super::{Facts, MOST_EXTENT};
use crate::ids::SizeSym;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use crate::shaped::size::Size;

impl Facts {
    /// Records that `left` and `right` are equal.
    pub(in crate::shaped) fn equate(&mut self, left: &Size, right: &Size) {
        let Some(difference) = self.normal(left).sub(&self.normal(right)) else {
            return;
        };
        if let Some((symbol, by)) = self.solve(&difference) {
            return self.replace(symbol, by);
        }
        if let Some(opposite) = Size::known(0).sub(&difference) {
            self.nonnegative.extend([difference, opposite]);
        }
    }

    /// `difference = 0` as `symbol = …`, for the symbol of which least is known.
    fn solve(&self, difference: &Size) -> Option<(SizeSym, Size)> {
        let lone = difference
            .terms()
            .filter_map(|(monomial, coefficient)| match monomial {
                [symbol] if coefficient.abs() == 1 => Some((*symbol, coefficient)),
                _ => None,
            });
        let alone = lone.filter(|(symbol, _)| {
            difference
                .terms()
                .filter(|(monomial, _)| monomial.contains(symbol))
                .count()
                == 1
        });
        let (symbol, coefficient) =
            alone.max_by_key(|(symbol, _)| (self.most_of_symbol(*symbol), *symbol))?;
        let term = Size::term(&[symbol], coefficient);
        let rest = difference.sub(&term)?;
        let by = if coefficient == 1 {
            Size::known(0).sub(&rest)?
        } else {
            rest
        };
        Some((symbol, by))
    }

    pub(super) fn replace(&mut self, symbol: SizeSym, by: Size) {
        if by.mentions(symbol) {
            return;
        }
        if self.most_of_symbol(symbol) <= MOST_EXTENT && self.most(&by) > MOST_EXTENT {
            self.bounded.push(by.clone());
        }
        if let Some((lo, hi)) = self.symbols[symbol.index()].range.clone() {
            self.nonnegative.extend(hi.sub(&by));
            self.nonnegative.extend(by.sub(&lo));
        } else if by.terms().any(|(_, coefficient)| coefficient < 0) {
            self.nonnegative.push(by.clone());
        }
        self.equal.push((symbol, by));
    }

    /// Records what follows from `condition` being `truth`.
    pub(in crate::shaped) fn assume(&mut self, condition: Atom, truth: bool) {
        let Atom::Var(var) = condition else { return };
        let Some((op, args)) = self.conditions.get(var.index()).cloned().flatten() else {
            return;
        };
        match (op, truth) {
            (ScalarOp::Not, _) => self.assume(args[0], !truth),
            (ScalarOp::BitAnd, true) | (ScalarOp::BitOr, false) => {
                args.iter().for_each(|arg| self.assume(*arg, truth));
            }
            _ => self.assume_comparison(op, truth, &args),
        }
    }

    fn assume_comparison(&mut self, op: ScalarOp, truth: bool, args: &[Atom]) {
        let &[left, right] = args else { return };
        let (a, b) = (self.size_of(left), self.size_of(right));
        let below = |small: &Size, big: &Size, gap: i64| {
            big.sub(small)
                .and_then(|difference| difference.sub(&Size::known(gap)))
        };
        let fact = match (op, truth) {
            (ScalarOp::Lt, true) | (ScalarOp::Ge, false) => below(&a, &b, 1),
            (ScalarOp::Le, true) | (ScalarOp::Gt, false) => below(&a, &b, 0),
            (ScalarOp::Gt, true) | (ScalarOp::Le, false) => below(&b, &a, 1),
            (ScalarOp::Ge, true) | (ScalarOp::Lt, false) => below(&b, &a, 0),
            (ScalarOp::Eq, true) | (ScalarOp::Ne, false) => return self.equate(&a, &b),
            (ScalarOp::Eq, false) | (ScalarOp::Ne, true) => self.apart(&a, &b),
            _ => None,
        };
        self.nonnegative.extend(fact);
    }

    /// `a != b` where one end of their order is already known.
    fn apart(&self, a: &Size, b: &Size) -> Option<Size> {
        let (big, small) = if self.at_least(a, b) {
            (a, b)
        } else if self.at_least(b, a) {
            (b, a)
        } else {
            return None;
        };
        big.sub(small)?.sub(&Size::known(1))
    }
}
