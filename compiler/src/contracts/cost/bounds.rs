//! `#[work(…)]` and `#[space(…)]`: costs within a bound.
//!
//! In: a fused function and what its attributes say. Out: a message where the cost has a product that
//! no product of the bound covers, at the construct that it comes from. Space is that on one
//! processor.

use super::Costs;
use super::expr::{Expr, Id, Term};
use super::names;
use super::rules::{Cost, Rules};
use super::symbols::Symbols;
use crate::contracts::ir::{Bound, Factor, Quantity};
use crate::fused::ir::{Body, Function, Op, Stmt};
use crate::fused::liveness::last_uses;
use crate::report::{Diagnostic, Errors};
use crate::source::SrcSpan;

/// Says which bounds of `function` do not hold.
pub(in crate::contracts) fn check(function: &Function, bounds: &[Bound], errors: &mut Errors) {
    let last = last_uses(function);
    for bound in bounds {
        let mut rules = Rules::new(function, &last);
        let cost = rules.function();
        match limit(function, bound, &mut rules.sizes.symbols) {
            Ok(limit) => errors.extend(exceeded(function, bound, rules, cost, &limit)),
            Err(name) => errors.push(no_size(function, bound, name)),
        }
    }
}

/// The bound in the symbols of the cost, or the name in it that is no size.
fn limit<'b>(
    function: &Function,
    bound: &'b Bound,
    symbols: &mut Symbols,
) -> Result<Expr, &'b Factor> {
    let known = names::all(function);
    let mut limit = Expr::one();
    for product in &bound.terms {
        let mut term = Term::ONE;
        for factor in product {
            if !known.contains(&factor.name) {
                return Err(factor);
            }
            let symbol = Term::of(symbols.named(&factor.name));
            term = match factor.below {
                true => term.over(symbol),
                false => term.times(symbol),
            };
        }
        limit.add_term(term);
    }
    Ok(limit)
}

fn no_size(function: &Function, bound: &Bound, factor: &Factor) -> Diagnostic {
    let known: Vec<String> = names::all(function)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let sizes = match known.is_empty() {
        true => "it has none; write `1` for a constant".to_owned(),
        false => format!("write one of {}", known.join(", ")),
    };
    let title = format!(
        "`{}` is no size of the signature of `{}`",
        factor.name, function.name
    );
    Diagnostic::new(bound.src, title).help(sizes)
}

fn exceeded<'f>(
    function: &'f Function,
    bound: &Bound,
    mut rules: Rules<'f>,
    mut cost: Cost,
    limit: &Expr,
) -> Option<Diagnostic> {
    cost.each(|expr| rules.sizes.symbols.simplify(expr));
    let excess = quantity(&cost, bound.of).excess(limit)?;
    let exceeds = |rules: &mut Rules<'f>, expr: Expr| {
        let mut expr = expr;
        rules.sizes.symbols.simplify(&mut expr);
        expr.excess(limit).is_some()
    };
    let culprit = blame(&mut rules, &function.body, bound.of, &exceeds);
    let costs = Costs::named(cost, rules.sizes.symbols);
    let message = too_much(function, bound, &costs, culprit.unwrap_or(function.src));
    Some(explained(message, function, bound, &costs, excess))
}

fn too_much(function: &Function, bound: &Bound, costs: &Costs, src: SrcSpan) -> Diagnostic {
    let all = costs.show(quantity(&costs.cost, bound.of));
    let takes = match bound.of {
        Quantity::Work => format!("the work of `{}` is {all}", function.name),
        Quantity::Space => format!("`{}` needs {all} space", function.name),
    };
    Diagnostic::new(src, format!("{takes}, which `{bound}` does not cover"))
}

/// Says which part is too much, why, and what to write.
fn explained(
    message: Diagnostic,
    function: &Function,
    bound: &Bound,
    costs: &Costs,
    excess: Term,
) -> Diagnostic {
    let term = costs.show_term(excess);
    let message = message.note(format!("`{term}` comes from here"));
    let legend = costs.legend().into_iter();
    let (message, unknown) = legend.fold((message, false), |(message, _), line| {
        (message.note(line), true)
    });
    let message = match (unknown, bound.of) {
        (true, _) => message.help(
            "let a size of the signature bound it: `while i < n && …`, `for i in 0..n { … }`",
        ),
        (false, of) => message.help(format!(
            "write `#[{of}({})]`, or do less here",
            costs.written(quantity(&costs.cost, of))
        )),
    };
    message.also(
        bound.src,
        format!("here `{}` promises to need no more", function.name),
    )
}

fn quantity(cost: &Cost, of: Quantity) -> &Expr {
    match of {
        Quantity::Work => &cost.work,
        Quantity::Space => &cost.sequential,
    }
}

/// Whether an expression is above the limit, with what the operations around it make of it.
type Exceeds<'e, 'f> = &'e dyn Fn(&mut Rules<'f>, Expr) -> bool;

/// The innermost construct that is too much by itself.
fn blame<'f>(
    rules: &mut Rules<'f>,
    body: &'f Body,
    of: Quantity,
    exceeds: Exceeds<'_, 'f>,
) -> Option<SrcSpan> {
    for stmt in &body.stmts {
        if let Some(cost) = rules.stmt(stmt)
            && exceeds(rules, quantity(&cost, of).clone())
        {
            return inside(rules, stmt, of, exceeds).or(Some(stmt.src));
        }
    }
    None
}

fn inside<'f>(
    rules: &mut Rules<'f>,
    stmt: &'f Stmt,
    of: Quantity,
    exceeds: Exceeds<'_, 'f>,
) -> Option<SrcSpan> {
    match &stmt.op {
        Op::Kernel(kernel) => {
            let all = |rules: &mut Rules<'f>, each: Expr| {
                let extent = rules.sizes.product(&kernel.extents);
                let symbols = &mut rules.sizes.symbols;
                let all = match of {
                    Quantity::Work => symbols.sum_over(&each, kernel.index, &extent),
                    Quantity::Space => symbols.most_over(&each, kernel.index),
                };
                exceeds(rules, all)
            };
            blame(rules, &kernel.body, of, &all)
        }
        Op::If { then, else_, .. } => {
            blame(rules, then, of, exceeds).or_else(|| blame(rules, else_, of, exceeds))
        }
        // What a trip costs times the trips is the loop's own matter.
        Op::Loop(_)
        | Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => None,
    }
}

impl Costs {
    /// As an attribute has it: `n * n + m`.
    fn written(&self, expr: &Expr) -> String {
        let terms: Vec<String> = expr.terms().iter().map(|it| self.product(*it)).collect();
        terms.join(" + ")
    }

    fn product(&self, term: Term) -> String {
        let repeated = |(symbol, exponent): (Id, i8)| {
            let times = usize::from(exponent.unsigned_abs());
            std::iter::repeat_n(self.name(symbol), times)
        };
        let above: Vec<&str> = term
            .factors()
            .filter(|it| it.1 > 0)
            .flat_map(repeated)
            .collect();
        let below: Vec<&str> = term
            .factors()
            .filter(|it| it.1 < 0)
            .flat_map(repeated)
            .collect();
        let above = match above.is_empty() {
            true => "1".to_owned(),
            false => above.join(" * "),
        };
        below
            .iter()
            .fold(above, |text, name| format!("{text} / {name}"))
    }
}
