//! Facts from equalities, and from conditions that are known to hold.

use super::{Facts, MOST_EXTENT};
use crate::ids::SizeSym;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use crate::shaped::size::Size;

/// What an equality is good for.
#[derive(Clone, Copy)]
enum Equalities {
    /// One side stands for the other from now on.
    Replace,
    /// Each side bounds the other.
    Bound,
}

impl Facts {
    /// Records that `left` and `right` are equal.
    pub(in crate::shaped) fn equate(&mut self, left: &Size, right: &Size) {
        let Some(difference) = self.normal(left).sub(&self.normal(right)) else {
            return;
        };
        if let Some((symbol, by)) = self.solve(&difference) {
            return self.replace(symbol, by);
        }
        self.bound_both(Some(difference));
    }

    /// `difference` is 0, as two inequalities.
    fn bound_both(&mut self, difference: Option<Size>) {
        let opposite = difference
            .as_ref()
            .and_then(|difference| Size::known(0).sub(difference));
        self.nonnegative.extend(difference);
        self.nonnegative.extend(opposite);
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
        self.assume_as(condition, truth, Equalities::Replace);
    }

    /// The same for a condition that was computed in a body that has ended: what it was computed
    /// from must not stand for anything here.
    pub(in crate::shaped) fn assume_from_elsewhere(&mut self, condition: Atom) {
        self.assume_as(condition, true, Equalities::Bound);
    }

    fn assume_as(&mut self, condition: Atom, truth: bool, equalities: Equalities) {
        let Atom::Var(var) = condition else { return };
        let Some((op, args)) = self.conditions.get(var.index()).cloned().flatten() else {
            return;
        };
        match (op, truth) {
            (ScalarOp::Not, _) => self.assume_as(args[0], !truth, equalities),
            (ScalarOp::BitAnd, true) | (ScalarOp::BitOr, false) => {
                args.iter()
                    .for_each(|arg| self.assume_as(*arg, truth, equalities));
            }
            _ => self.assume_comparison(op, truth, &args, equalities),
        }
    }

    fn assume_comparison(
        &mut self,
        op: ScalarOp,
        truth: bool,
        args: &[Atom],
        equalities: Equalities,
    ) {
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
            (ScalarOp::Eq, true) | (ScalarOp::Ne, false) => {
                return match equalities {
                    Equalities::Replace => self.equate(&a, &b),
                    Equalities::Bound => self.bound_both(a.sub(&b)),
                };
            }
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
