//! Size expressions: polynomials over size symbols, with integer coefficients.
//!
//! A known size is a constant, a fixed one a symbol, `len(a) - 1` or `chain` a sum. Two sizes are
//! proven equal when their difference is the zero polynomial, proven different when it is another
//! constant. (Paper 004 §3; `varying` sizes arrive with nested arrays.)

use crate::ids::SizeSym;
use std::collections::BTreeMap;
use std::fmt;

/// A product of symbols, sorted; empty for the constant term.
type Monomial = Vec<SizeSym>;

/// A polynomial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Size(BTreeMap<Monomial, i64>);

impl Size {
    /// A known size.
    pub fn known(n: i64) -> Size {
        let mut terms = BTreeMap::new();
        if n != 0 {
            terms.insert(Vec::new(), n);
        }
        Size(terms)
    }

    /// A fixed but unknown size.
    pub fn symbol(symbol: SizeSym) -> Size {
        Size(BTreeMap::from([(vec![symbol], 1)]))
    }

    /// A product of symbols (sorted) with a coefficient.
    pub fn term(symbols: &[SizeSym], coefficient: i64) -> Size {
        Size(BTreeMap::from([(symbols.to_vec(), coefficient)]))
    }

    /// Whether `symbol` occurs in it.
    pub fn mentions(&self, symbol: SizeSym) -> bool {
        self.0.keys().any(|monomial| monomial.contains(&symbol))
    }

    /// Its value, if it is known.
    pub fn as_known(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Sum; `None` where a coefficient leaves `i64`.
    pub fn add(&self, other: &Size) -> Option<Size> {
        self.combine(other, 1)
    }

    /// Difference.
    pub fn sub(&self, other: &Size) -> Option<Size> {
        self.combine(other, -1)
    }

    /// Product.
    pub fn mul(&self, other: &Size) -> Option<Size> {
        let mut out = Size::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut monomial = left.clone();
                monomial.extend(right);
                monomial.sort_unstable();
                out.add_term(monomial, a.checked_mul(*b)?)?;
            }
        }
        Some(out)
    }

    /// Terms: symbols and coefficient.
    pub fn terms(&self) -> impl Iterator<Item = (&[SizeSym], i64)> {
        self.0
            .iter()
            .map(|(monomial, coefficient)| (monomial.as_slice(), *coefficient))
    }

    /// `symbol` replaced by `by`.
    pub fn substitute(&self, symbol: SizeSym, by: &Size) -> Option<Size> {
        let mut out = Size::default();
        for (monomial, coefficient) in &self.0 {
            let mut term = Size::known(*coefficient);
            for factor in monomial {
                let factor = if *factor == symbol {
                    by.clone()
                } else {
                    Size::symbol(*factor)
                };
                term = term.mul(&factor)?;
            }
            out = out.add(&term)?;
        }
        Some(out)
    }

    fn combine(&self, other: &Size, sign: i64) -> Option<Size> {
        let mut out = self.clone();
        for (monomial, coefficient) in &other.0 {
            out.add_term(monomial.clone(), coefficient.checked_mul(sign)?)?;
        }
        Some(out)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) -> Option<()> {
        let sum = self
            .0
            .get(&monomial)
            .copied()
            .unwrap_or(0)
            .checked_add(coefficient)?;
        if sum == 0 {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
        Some(())
    }

    /// As text, symbols by the names that `name` gives them.
    pub fn show(&self, name: impl Fn(SizeSym) -> Option<String>) -> String {
        let mut text = String::new();
        // Symbols first, the constant last: `n - 1`, not `-1 + n`.
        for (monomial, coefficient) in self.0.iter().rev() {
            text.push_str(match (text.is_empty(), *coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            let count = coefficient.unsigned_abs();
            let mut factors: Vec<String> = Vec::new();
            if count != 1 || monomial.is_empty() {
                factors.push(count.to_string());
            }
            let symbols = monomial
                .iter()
                .map(|symbol| name(*symbol).unwrap_or(symbol.to_string()));
            factors.extend(symbols);
            text.push_str(&factors.join("*"));
        }
        if text.is_empty() {
            "0".to_owned()
        } else {
            text
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|_| None))
    }
}
