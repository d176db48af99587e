//! What a function costs, in the sizes of its signature.
//!
//! In: a fused function. Out: ⟨work, depth, sequential space, parallel space⟩ of paper 002, up to
//! constant factors, as upper bounds. What is where: `expr` sums of products, `symbols` what they are
//! made of, `names` what the signature calls these, `sizes` bounds of operands, `families` of
//! lengths of rows, `rules` the model, `streamed` what it says of sequences, `bounds` what attributes
//! promise.

pub(super) mod bounds;
mod expr;
mod families;
pub(crate) mod names;
mod rules;
mod sizes;
mod streamed;
mod symbols;

use crate::fused::ir::Function;
use crate::fused::liveness::LastUses;
use crate::source::SrcSpan;
use expr::{Expr, Id, Term};
use rules::{Cost, Rules};
use std::fmt;
pub(crate) use streamed::of_stream;
use symbols::{Symbol, Symbols, Unknown};

/// The costs of a function.
pub struct Costs {
    cost: Cost,
    symbols: Symbols,
    /// What symbols are called.
    names: Vec<String>,
}

impl Costs {
    /// Of a function, whose last uses of arrays are known.
    pub fn of(function: &Function, last: &LastUses) -> Costs {
        let mut rules = Rules::new(function, last);
        let mut cost = rules.function();
        let symbols = rules.sizes.symbols;
        cost.each(|expr| symbols.simplify(expr));
        Costs::named(cost, symbols)
    }

    fn named(cost: Cost, symbols: Symbols) -> Costs {
        let names = called(&symbols);
        Costs {
            cost,
            symbols,
            names,
        }
    }

    /// `O(n·m)`
    fn show(&self, expr: &Expr) -> String {
        let mut text = "O(".to_owned();
        let shown = expr.show(|symbol| self.name(symbol), &mut text);
        shown.expect("a string takes all");
        text.push(')');
        text
    }

    fn show_term(&self, term: Term) -> String {
        let mut text = String::new();
        let shown = term.show(&|symbol| self.name(symbol), &mut text);
        shown.expect("a string takes all");
        text
    }

    fn name(&self, symbol: Id) -> &str {
        &self.names[symbol.index()]
    }

    /// What the letters in it stand for that the signature does not know.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for symbol in self.symbols.ids() {
            if let Symbol::Unknown { what, at } = self.symbols.get(symbol)
                && self.mentions(symbol)
            {
                lines.push(format!("`{}`: {}", self.name(symbol), meaning(*what, at)));
            }
        }
        lines
    }

    fn mentions(&self, symbol: Id) -> bool {
        let Cost {
            work,
            depth,
            sequential,
            parallel,
        } = &self.cost;
        let all = [work, depth, sequential, parallel].into_iter();
        let mut terms = all.flat_map(Expr::terms);
        terms.any(|term| term.exponent(symbol) != 0)
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost {
            work,
            depth,
            sequential,
            parallel,
        } = &self.cost;
        let name = |symbol: Id| self.name(symbol);
        f.write_str("work O(")?;
        work.show(name, f)?;
        f.write_str("), depth O(")?;
        depth.show(name, f)?;
        f.write_str("), space O(")?;
        sequential.show(name, f)?;
        if !parallel.is_within(sequential) {
            f.write_str(") to O(")?;
            parallel.show(name, f)?;
        }
        f.write_str(")")
    }
}

fn meaning(what: Unknown, at: &[SrcSpan]) -> String {
    let mut lines: Vec<u32> = at.iter().map(|src| src.start().line).collect();
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().map(u32::to_string).collect();
    let shown = shown.join(", ");
    match (what, lines.len()) {
        (Unknown::Trips, 1) => format!("the trips of the loop in line {shown}"),
        (Unknown::Trips, _) => format!("the most trips of the loops in lines {shown}"),
        (Unknown::Size, 1) => format!("the size that values decide in line {shown}"),
        (Unknown::Size, _) => format!("the greatest size that values decide in lines {shown}"),
        (Unknown::Chunk, _) => "how many numbers a chunk has, which limits bound".to_owned(),
        (Unknown::Chunks, _) => "how many chunks are computed".to_owned(),
        (Unknown::Others, _) => "more sizes than are told apart".to_owned(),
    }
}

/// The names of all symbols: `t` and `s` with numbers for what is not known before.
fn called(symbols: &Symbols) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for symbol in symbols.ids() {
        let name = match symbols.get(symbol) {
            Symbol::Named(name) => name.clone(),
            Symbol::Member { .. } => String::new(),
            Symbol::Unknown { what, .. } => {
                let letter = match what {
                    Unknown::Trips => "t",
                    Unknown::Size => "s",
                    Unknown::Chunk => "chunk",
                    Unknown::Chunks => "chunks",
                    Unknown::Others => "…",
                };
                fresh(letter, symbols, &names)
            }
        };
        names.push(name);
    }
    names
}

/// `t`, or the first of `t2`, `t3` … that nothing else is called.
fn fresh(letter: &str, symbols: &Symbols, names: &[String]) -> String {
    let taken = |name: &String| {
        let is_it = |symbol: Id| matches!(symbols.get(symbol), Symbol::Named(it) if it == name);
        names.contains(name) || symbols.ids().any(is_it)
    };
    let more = (2..).map(|number: usize| format!("{letter}{number}"));
    let mut all = std::iter::once(letter.to_owned()).chain(more);
    all.find(|name| !taken(name)).expect("there is no last one")
}
