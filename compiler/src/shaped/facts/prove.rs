//! Bounds and inequalities, from the ranges of symbols and from recent facts.

use super::{Facts, MOST_EXTENT, MOST_USIZE, Mark};
use crate::ids::SizeSym;
use crate::shaped::ir::Atom;
use crate::shaped::size::Size;

/// Facts that a proof tries, newest first: bounds the time of compilation.
const TRIED: usize = 12;
/// Symbols that a proof replaces by their bounds.
const REPLACED: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

/// What a size is over all indices of a body.
pub(in crate::shaped) enum Summed {
    /// The same at each.
    Constant,
    /// No more than this, all of them together.
    Total(Size),
}

impl Facts {
    /// An upper bound.
    pub(in crate::shaped) fn most(&self, size: &Size) -> u128 {
        let size = self.normal(size);
        let most = self.most_of_terms(&size);
        if most > MOST_EXTENT && self.bounded.contains(&size) {
            MOST_EXTENT
        } else {
            most
        }
    }

    fn most_of_terms(&self, size: &Size) -> u128 {
        let mut sum: u128 = 0;
        for (monomial, coefficient) in size.terms() {
            let Ok(coefficient) = u128::try_from(coefficient) else {
                continue;
            };
            let term = monomial.iter().fold(coefficient, |product, symbol| {
                product.saturating_mul(self.most_of_symbol(*symbol))
            });
            sum = sum.saturating_add(term);
        }
        sum
    }

    pub(super) fn most_of_symbol(&self, symbol: SizeSym) -> u128 {
        let most = self.symbols[symbol.index()].most;
        let bounded = || self.bounded.contains(&Size::symbol(symbol));
        if most > MOST_EXTENT && bounded() {
            MOST_EXTENT
        } else {
            most
        }
    }

    /// Whether `size`, computed without wrapping, is a `usize`: by its bound, or by that of its sum
    /// with something that is not negative.
    pub(in crate::shaped) fn fits(&self, size: &Size) -> bool {
        let size = self.normal(size);
        let below = |size: &Size| self.most_of_terms(size) <= MOST_USIZE;
        let below_with_fact = |size: &Size| {
            let mut sums = self.recent().filter_map(|fact| size.add(fact));
            sums.any(|sum| below(&sum))
        };
        below(&size)
            || below_with_fact(&size)
            || self
                .fitting
                .iter()
                .any(|fitting| self.at_least(fitting, &size))
    }

    fn recent(&self) -> impl Iterator<Item = &Size> {
        self.nonnegative.iter().rev().take(TRIED)
    }

    /// Whether `left >= right` is proven.
    pub(in crate::shaped) fn at_least(&self, left: &Size, right: &Size) -> bool {
        let Some(difference) = left.sub(right) else {
            return false;
        };
        if let Some(known) = difference.as_known() {
            return known >= 0;
        }
        let proven = |size: &Size| {
            let least = self.least(size, self.mark());
            least.is_some_and(|least| least >= 0)
        };
        proven(&difference)
            || self
                .recent()
                .any(|fact| difference.sub(fact).is_some_and(|rest| proven(&rest)))
    }

    /// Whether `left >= right` was proven at `mark` by the ranges of symbols.
    pub(in crate::shaped) fn in_range_at(&self, left: &Size, right: &Size, mark: Mark) -> bool {
        let difference = self.normal_at(left, mark).sub(&self.normal_at(right, mark));
        let least = difference.and_then(|it| self.least(&it, mark));
        least.is_some_and(|least| least >= 0)
    }

    /// A lower bound, by what was known at `mark`: symbols with a range are replaced by an end of it, the
    /// newest first; all others are at least 0.
    fn least(&self, size: &Size, mark: Mark) -> Option<i64> {
        let mut size = self.normal_at(size, mark);
        for _ in 0..REPLACED {
            let Some(symbol) = self.newest_ranged(&size) else {
                break;
            };
            size = self.normal_at(&self.at_ends(&size, symbol, End::Least)?, mark);
        }
        let mut least = 0;
        for (monomial, coefficient) in size.terms() {
            if monomial.is_empty() {
                least = coefficient;
            } else if coefficient < 0 {
                return None;
            }
        }
        Some(least)
    }

    fn newest_ranged(&self, size: &Size) -> Option<SizeSym> {
        let symbols = size
            .terms()
            .flat_map(|(monomial, _)| monomial.iter().copied());
        symbols
            .filter(|symbol| self.symbols[symbol.index()].range.is_some())
            .max()
    }

    /// `symbol` replaced by the end of its range that makes each term least, or greatest.
    fn at_ends(&self, size: &Size, symbol: SizeSym, wanted: End) -> Option<Size> {
        let (lo, hi) = self.symbols[symbol.index()].range.as_ref()?;
        let mut out = Size::default();
        for (monomial, coefficient) in size.terms() {
            let term = Size::term(monomial, coefficient);
            let end = if (coefficient > 0) == (wanted == End::Least) {
                lo
            } else {
                hi
            };
            out = out.add(&term.substitute(symbol, end)?)?;
        }
        Some(out)
    }

    /// An upper bound of `size` in terms of the first variables, so many, by the ranges of symbols: a sum, since a
    /// difference may be below 0 where `size` is not computed, as on the other side of a conditional.
    pub(in crate::shaped) fn most_before(&self, size: &Size, vars: usize) -> Option<Size> {
        let mut size = self.normal(size);
        for _ in 0..REPLACED {
            let symbols = size.terms().flat_map(|(monomial, _)| monomial);
            let newer = |symbol: &&SizeSym| match self.home(**symbol) {
                Atom::Var(var) => var.index() >= vars,
                Atom::Const(_) => false,
            };
            let Some(symbol) = symbols.filter(newer).max() else {
                return Some(size.without_negative());
            };
            size = self.normal(&self.at_ends(&size, *symbol, End::Greatest)?);
        }
        None
    }

    /// An upper bound of the sum of `size` over an index space of `count`, by the ranges of symbols and what was
    /// known at `mark`: of symbols that `summed` knows nothing of, the ends of their ranges are taken.
    pub(in crate::shaped) fn most_in_all(
        &self,
        size: &Size,
        count: &Size,
        mark: Mark,
        summed: &dyn Fn(SizeSym) -> Option<Summed>,
    ) -> Option<Size> {
        let mut size = self.normal_at(size, mark);
        for _ in 0..REPLACED {
            let symbols = size.terms().flat_map(|(monomial, _)| monomial);
            let varying = symbols.filter(|symbol| summed(**symbol).is_none()).max();
            let Some(symbol) = varying else { break };
            size = self.normal_at(&self.at_ends(&size, *symbol, End::Greatest)?, mark);
        }
        let mut all = Size::default();
        for (monomial, coefficient) in size.without_negative().terms() {
            let (mut term, mut totals) = (Size::known(coefficient), Vec::new());
            for symbol in monomial {
                match summed(*symbol)? {
                    Summed::Constant => term = term.mul(&Size::symbol(*symbol))?,
                    Summed::Total(total) => totals.push(total),
                }
            }
            let over_all = match totals.as_slice() {
                [] => count,
                [total] => total,
                _several => return None,
            };
            all = all.add(&term.mul(over_all)?)?;
        }
        Some(all)
    }
}
