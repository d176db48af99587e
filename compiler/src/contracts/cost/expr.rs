//! Costs up to constant factors: sums of products of symbols.
//!
//! Sizes are taken to be at least 1, as usual, so `n*m + n` is `n*m`. A product may divide by a size:
//! half of the indices of `n * m` rows of `m` are `n*m/m`, which is `n`.

use std::fmt;

/// How many symbols a function's costs may have.
pub(super) const MOST_SYMBOLS: usize = 32;

/// A number that a cost depends on, by its place in the table of symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Id(pub(super) u8);

impl Id {
    /// Its place.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A product: the exponent of each symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    exponents: [i8; MOST_SYMBOLS],
    /// All symbols from here on have exponent 0.
    end: u8,
}

impl Term {
    /// A constant.
    pub const ONE: Term = Term {
        exponents: [0; MOST_SYMBOLS],
        end: 0,
    };

    /// One symbol.
    pub fn of(symbol: Id) -> Term {
        let mut term = Term::ONE;
        term.exponents[usize::from(symbol.0)] = 1;
        term.end = symbol.0 + 1;
        term
    }

    /// Times the `sign`th power of `other`.
    fn combined(mut self, other: Term, sign: i8) -> Term {
        let mut at = 0;
        while at < usize::from(other.end) {
            let more = sign * other.exponents[at];
            self.exponents[at] = self.exponents[at].saturating_add(more);
            at += 1;
        }
        self.end = self.end.max(other.end);
        self
    }

    /// The product.
    pub fn times(self, other: Term) -> Term {
        self.combined(other, 1)
    }

    /// The quotient.
    pub fn over(self, other: Term) -> Term {
        self.combined(other, -1)
    }

    /// How often a symbol is a factor.
    pub fn exponent(self, symbol: Id) -> i8 {
        self.exponents[usize::from(symbol.0)]
    }

    /// The symbols in it with their exponents.
    pub fn factors(self) -> impl Iterator<Item = (Id, i8)> {
        let all = (0..self.end).map(move |at| (Id(at), self.exponents[usize::from(at)]));
        all.filter(|(_, exponent)| *exponent != 0)
    }

    /// Whether it is at most `other`, up to a constant.
    fn is_within(self, other: Term) -> bool {
        let mut at = 0;
        while at < usize::from(self.end.max(other.end)) {
            if self.exponents[at] > other.exponents[at] {
                return false;
            }
            at += 1;
        }
        true
    }

    /// `n·m²/k`
    pub fn show<'n>(self, name: &impl Fn(Id) -> &'n str, out: &mut dyn fmt::Write) -> fmt::Result {
        let mut first = true;
        for (symbol, exponent) in self.factors().filter(|it| it.1 > 0) {
            if !first {
                out.write_str("·")?;
            }
            first = false;
            show_power(name(symbol), exponent, out)?;
        }
        if first {
            out.write_str("1")?;
        }
        for (symbol, exponent) in self.factors().filter(|it| it.1 < 0) {
            out.write_str("/")?;
            show_power(name(symbol), exponent, out)?;
        }
        Ok(())
    }

    fn degree(self) -> i32 {
        self.factors()
            .map(|(_, exponent)| i32::from(exponent))
            .sum()
    }
}

fn show_power(name: &str, exponent: i8, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(name)?;
    match exponent.unsigned_abs() {
        1 => Ok(()),
        2 => out.write_str("²"),
        3 => out.write_str("³"),
        more => write!(out, "^{more}"),
    }
}

/// A sum of products, none within another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expr(Vec<Term>);

impl Expr {
    /// A constant.
    pub fn one() -> Expr {
        Expr(vec![Term::ONE])
    }

    /// One symbol.
    pub fn of(symbol: Id) -> Expr {
        Expr(vec![Term::of(symbol)])
    }

    /// Its products.
    pub fn terms(&self) -> &[Term] {
        &self.0
    }

    /// The sum; the greater of two is the same up to a factor of 2.
    pub fn add(&mut self, other: &Expr) {
        for term in &other.0 {
            self.add_term(*term);
        }
    }

    /// As [`Expr::add`].
    pub fn plus(mut self, other: &Expr) -> Expr {
        self.add(other);
        self
    }

    /// Adds one product.
    pub fn add_term(&mut self, term: Term) {
        if self.0.is_empty() {
            self.0.push(term);
        } else if !self.0.iter().any(|own| term.is_within(*own)) {
            self.0.retain(|own| !own.is_within(term));
            self.0.push(term);
        }
    }

    /// The product.
    pub fn times(&self, other: &Expr) -> Expr {
        let mut product = Expr::default();
        for left in &self.0 {
            for right in &other.0 {
                product.add_term(left.times(*right));
            }
        }
        product
    }

    /// Divided by a product.
    pub fn over(&self, by: Term) -> Expr {
        let mut quotient = Expr::default();
        for term in &self.0 {
            quotient.add_term(term.over(by));
        }
        quotient
    }

    /// Whether it is at most `other`, up to a constant.
    pub fn is_within(&self, other: &Expr) -> bool {
        self.excess(other).is_none()
    }

    /// A product in it that no product of `other` bounds.
    pub fn excess(&self, other: &Expr) -> Option<Term> {
        let within = |term: Term| other.0.iter().any(|bound| term.is_within(*bound));
        self.0.iter().copied().find(|term| !within(*term))
    }

    /// Leaves out products with `most` that are there with `sum` as well: no size is more than the
    /// sum of all.
    pub fn drop_within(&mut self, most: Id, sum: Id) {
        let all = self.clone();
        let by_sum = |term: Term| term.over(Term::of(most)).times(Term::of(sum));
        self.0.retain(|term| {
            term.exponent(most) <= 0 || !all.0.iter().any(|other| by_sum(*term).is_within(*other))
        });
    }

    /// As text: greater degrees first.
    pub fn show<'n>(&self, name: impl Fn(Id) -> &'n str, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.0.as_slice() {
            [] => out.write_str("1"),
            [term] => term.show(&name, out),
            terms => {
                let mut shown: Vec<(i32, String)> = Vec::new();
                for term in terms {
                    let mut text = String::new();
                    term.show(&name, &mut text)?;
                    shown.push((-term.degree(), text));
                }
                shown.sort();
                let shown: Vec<&str> = shown.iter().map(|(_, text)| text.as_str()).collect();
                out.write_str(&shown.join(" + "))
            }
        }
    }
}
