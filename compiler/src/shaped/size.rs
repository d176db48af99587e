//! Size expressions: polynomials over size symbols, with integer coefficients.
//!
//! A known size is a constant, a fixed one a symbol, `len(a) - 1` or `chain` a sum. Two sizes are
//! proven equal when their difference is the zero polynomial, proven different when it is another
//! constant. (Paper 004 §3; `varying` sizes arrive with nested arrays.)

use crate::ids::SizeSym;
use std::cmp::Ordering;
use std::fmt;

/// A product of symbols, sorted; empty for the constant term.
type Monomial = Vec<SizeSym>;

/// A polynomial: its terms in the order of their monomials, none with coefficient 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Size(Vec<(Monomial, i64)>);

impl Size {
    /// A known size.
    pub fn known(n: i64) -> Size {
        Size::term(&[], n)
    }

    /// A fixed but unknown size.
    pub fn symbol(symbol: SizeSym) -> Size {
        Size::term(&[symbol], 1)
    }

    /// A product of symbols (sorted) with a coefficient.
    pub fn term(symbols: &[SizeSym], coefficient: i64) -> Size {
        match coefficient {
            0 => Size::default(),
            _ => Size(vec![(symbols.to_vec(), coefficient)]),
        }
    }

    /// Whether nothing is known of it.
    pub fn is_symbol(&self) -> bool {
        matches!(self.0.as_slice(), [(monomial, 1)] if monomial.len() == 1)
    }

    /// Whether `symbol` occurs in it.
    pub fn mentions(&self, symbol: SizeSym) -> bool {
        self.terms().any(|(monomial, _)| monomial.contains(&symbol))
    }

    /// Its value, if it is known.
    pub fn as_known(&self) -> Option<i64> {
        match self.0.as_slice() {
            [] => Some(0),
            [(monomial, coefficient)] if monomial.is_empty() => Some(*coefficient),
            [..] => None,
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
            let mut terms = Vec::with_capacity(other.0.len());
            for (right, b) in &other.0 {
                terms.push((merged(left, right), a.checked_mul(*b)?));
            }
            terms.sort_unstable();
            out = out.add(&Size(terms))?;
        }
        Some(out)
    }

    /// Terms: symbols and coefficient.
    pub fn terms(&self) -> impl Iterator<Item = (&[SizeSym], i64)> {
        self.0
            .iter()
            .map(|(monomial, coefficient)| (monomial.as_slice(), *coefficient))
    }

    /// The terms that are not below 0: no less, since symbols are not.
    pub fn without_negative(&self) -> Size {
        let terms = self.0.iter().filter(|(_, coefficient)| *coefficient > 0);
        Size(terms.cloned().collect())
    }

    /// `symbol` replaced by `by`.
    pub fn substitute(&self, symbol: SizeSym, by: &Size) -> Option<Size> {
        let (mut out, mut with) = (Vec::with_capacity(self.0.len()), Vec::new());
        for (monomial, coefficient) in &self.0 {
            let list = if monomial.contains(&symbol) {
                &mut with
            } else {
                &mut out
            };
            list.push((monomial.clone(), *coefficient));
        }
        let mut out = Size(out);
        for (mut monomial, coefficient) in with {
            let factors = monomial.len();
            monomial.retain(|factor| *factor != symbol);
            let times = factors - monomial.len();
            let mut term = Size(vec![(monomial, coefficient)]);
            for _ in 0..times {
                term = term.mul(by)?;
            }
            out = out.add(&term)?;
        }
        Some(out)
    }

    /// `self + sign * other`, merging two sorted lists.
    fn combine(&self, other: &Size, sign: i64) -> Option<Size> {
        let mut out = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return Some(Size(out)),
            };
            let a = if order == Ordering::Greater {
                None
            } else {
                left.next()
            };
            let b = if order == Ordering::Less {
                None
            } else {
                right.next()
            };
            let coefficient = a.map_or(0, |(_, coefficient)| *coefficient).checked_add(
                b.map_or(0, |(_, coefficient)| *coefficient)
                    .checked_mul(sign)?,
            )?;
            if let (Some((monomial, _)), true) = (a.or(b), coefficient != 0) {
                out.push((monomial.clone(), coefficient));
            }
        }
    }

    /// As text, symbols by the names that `name` gives them; the constant last and what is
    /// subtracted after what is added: `n - 1`, `m - k`.
    pub fn show(&self, name: impl Fn(SizeSym) -> Option<String>) -> String {
        let mut terms: Vec<&(Monomial, i64)> = self.0.iter().collect();
        terms.sort_by_key(|(monomial, coefficient)| (monomial.is_empty(), *coefficient < 0));
        let mut text = String::new();
        for (monomial, coefficient) in terms {
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

/// The product of two monomials.
fn merged(left: &[SizeSym], right: &[SizeSym]) -> Monomial {
    let mut product = [left, right].concat();
    product.sort_unstable();
    product
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|_| None))
    }
}
