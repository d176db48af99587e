//! What costs depend on: sizes and numbers of the signature by their names, sums and maxima of many
//! sizes, and what only a run can tell.

use super::expr::{Expr, Id, MOST_SYMBOLS, Term};
use crate::ids::Var;
use crate::source::SrcSpan;

/// A number that costs depend on.
#[derive(Clone, Debug)]
pub enum Symbol {
    /// As the signature calls it: `n`, `len(xs)`, `|rows|`.
    Named(String),
    /// One number of a family, at a position that runs once through all when these indices do.
    Member {
        /// Which family.
        family: usize,
        /// The indices that have not been summed over.
        over: Vec<Var>,
        /// Whether others have been.
        summed: bool,
    },
    /// What is not known before.
    Unknown {
        /// What it is.
        what: Unknown,
        /// The constructs that decide it.
        at: Vec<SrcSpan>,
    },
}

/// What is not known before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The trips of a loop; the most, if there are several or it runs more than once.
    Trips,
    /// A size that values decide; the greatest, if there are several.
    Size,
    /// The numbers in a chunk of a sequence.
    Chunk,
    /// The chunks of all sequences.
    Chunks,
    /// All that there is no place for.
    Others,
}

/// Many sizes: the lengths of the rows of an array, the numbers in an array.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// All together.
    pub sum: Expr,
    /// The greatest.
    pub most: Expr,
}

/// The table of a function.
#[derive(Default)]
pub(super) struct Symbols {
    table: Vec<Symbol>,
    pub families: Vec<Family>,
    /// The greatest and the sum of families of the signature.
    named: Vec<(Id, Id)>,
}

impl Symbols {
    /// The family that the signature calls so.
    pub fn named_family(&mut self, sum: &str, most: &str) -> Family {
        let (sum, most) = (self.named(sum), self.named(most));
        if !self.named.contains(&(most, sum)) {
            self.named.push((most, sum));
        }
        Family {
            sum: Expr::of(sum),
            most: Expr::of(most),
        }
    }

    /// Leaves out what is known to be less than something else in `expr`.
    pub fn simplify(&self, expr: &mut Expr) {
        for (most, sum) in &self.named {
            expr.drop_within(*most, *sum);
        }
    }

    /// A symbol of the signature.
    pub fn named(&mut self, name: &str) -> Id {
        let is_it = |it: &Symbol| matches!(it, Symbol::Named(known) if known == name);
        match self.table.iter().position(is_it) {
            Some(at) => id(at),
            None => self.push(Symbol::Named(name.to_owned())),
        }
    }

    /// A symbol that only a run can tell: one for all of a kind, or nobody could read the costs.
    pub fn unknown(&mut self, what: Unknown, src: SrcSpan) -> Id {
        for (position, symbol) in self.table.iter_mut().enumerate() {
            if let Symbol::Unknown { what: other, at } = symbol
                && *other == what
            {
                at.push(src);
                return id(position);
            }
        }
        let at = vec![src];
        self.push(Symbol::Unknown { what, at })
    }

    fn member(&mut self, family: usize, over: Vec<Var>, summed: bool) -> Id {
        let is_it = |it: &Symbol| match it {
            Symbol::Member {
                family: other,
                over: others,
                summed: also,
            } => *other == family && *others == over && *also == summed,
            Symbol::Named(_) | Symbol::Unknown { .. } => false,
        };
        match self.table.iter().position(is_it) {
            Some(at) => id(at),
            None => self.push(Symbol::Member {
                family,
                over,
                summed,
            }),
        }
    }

    /// A number of `family`: the greatest, if it is not known where it stands.
    pub fn of_family(&mut self, family: usize, position: Option<Vec<Var>>) -> Expr {
        match position {
            Some(over) if !over.is_empty() => Expr::of(self.member(family, over, false)),
            _anywhere => self.families[family].most.clone(),
        }
    }

    fn push(&mut self, symbol: Symbol) -> Id {
        if self.table.len() + 1 < MOST_SYMBOLS {
            self.table.push(symbol);
            return id(self.table.len() - 1);
        }
        if self.table.len() < MOST_SYMBOLS {
            let (what, at) = (Unknown::Others, Vec::new());
            self.table.push(Symbol::Unknown { what, at });
        }
        id(MOST_SYMBOLS - 1)
    }

    /// All symbols.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.table.len()).map(id)
    }

    /// What a symbol stands for.
    pub fn get(&self, symbol: Id) -> &Symbol {
        &self.table[usize::from(symbol.0)]
    }

    /// The sum of `expr` over all values of `index`, of which there are `extent`. Members may be 0,
    /// and what stands beside one is there all the same, so there is a 1 for each.
    pub fn sum_over(&mut self, expr: &Expr, index: Var, extent: &Expr) -> Expr {
        let mut sum = Expr::default();
        for term in expr.terms() {
            match self.member_over(*term, index) {
                None => sum.add(&Expr::times(extent, &single(*term))),
                Some(member) => {
                    let rest = self.most_over(&single(term.over(Term::of(member))), index);
                    sum.add(&rest.times(&self.summed(member, index).plus(extent)));
                }
            }
        }
        sum
    }

    /// The greatest value of `expr` over all values of `index`.
    pub fn most_over(&self, expr: &Expr, index: Var) -> Expr {
        let mut most = Expr::default();
        for term in expr.terms() {
            match self.member_over(*term, index) {
                None => most.add_term(*term),
                Some(member) => {
                    let rest = self.most_over(&single(term.over(Term::of(member))), index);
                    most.add(&rest.times(&self.most_of(member)));
                }
            }
        }
        most
    }

    /// The logarithm of a size: that of a product is the sum of those of its factors. Of what only a
    /// run can tell it has no name, and is bounded by that itself.
    pub fn log(&mut self, expr: &Expr) -> Expr {
        let mut log = Expr::one();
        for term in expr.terms() {
            for (symbol, _) in term.factors().filter(|(_, exponent)| *exponent > 0) {
                let of_symbol = match self.get(symbol).clone() {
                    Symbol::Named(name) => Expr::of(self.named(&format!("log({name})"))),
                    Symbol::Member { .. } => {
                        let most = self.most_of(symbol);
                        self.log(&most)
                    }
                    Symbol::Unknown { .. } => Expr::of(symbol),
                };
                log.add(&of_symbol);
            }
        }
        log
    }

    fn member_over(&self, term: Term, index: Var) -> Option<Id> {
        let mut factors = term.factors();
        let found = factors.find(|(symbol, exponent)| {
            *exponent > 0
                && matches!(self.get(*symbol), Symbol::Member { over, .. } if over.contains(&index))
        });
        found.map(|(symbol, _)| symbol)
    }

    fn summed(&mut self, member: Id, index: Var) -> Expr {
        let Symbol::Member { family, over, .. } = self.get(member) else {
            unreachable!("a member of a family")
        };
        let (family, mut over) = (*family, over.clone());
        over.retain(|it| *it != index);
        match over.is_empty() {
            true => self.families[family].sum.clone(),
            false => Expr::of(self.member(family, over, true)),
        }
    }

    fn most_of(&self, member: Id) -> Expr {
        match self.get(member) {
            Symbol::Member {
                family,
                summed: true,
                ..
            } => self.families[*family].sum.clone(),
            Symbol::Member { family, .. } => self.families[*family].most.clone(),
            Symbol::Named(_) | Symbol::Unknown { .. } => unreachable!("a member of a family"),
        }
    }
}

fn single(term: Term) -> Expr {
    let mut expr = Expr::default();
    expr.add_term(term);
    expr
}

fn id(at: usize) -> Id {
    Id(u8::try_from(at).expect("fewer than `MOST_SYMBOLS`"))
}
