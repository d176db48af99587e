//! What a function over sequences costs as a whole, from what its parts cost (paper 002 §3.5, where
//! streams are computed chunk by chunk).
//!
//! | | work | depth | space on one processor | on as many as there are elements |
//! |---|---|---|---|---|
//! | all chunks of a pass | sum | sum | one item's | one chunk's |
//!
//! What depends on the items of a chunk is, summed over all chunks, what it is for all items; what
//! does not is there as often as there are chunks. In memory is one chunk, of one item at least and of
//! as many as limits allow.

use super::expr::{Expr, Id, Term};
use super::rules::Cost;
use super::symbols::{Symbol, Symbols, Unknown};
use super::{Costs, names};
use crate::fused::ir::Function;
use crate::fused::liveness::last_uses;
use crate::ids::{SizeSym, Var};
use crate::shaped::border::border_type;
use crate::shaped::ir::{Atom, leaves};
use crate::shaped::size::Size;
use crate::streamed::ir::{Arg, Given, Part, Pass, Source, Stream};

/// The costs of a function over sequences, whose parts `find` finds by their names.
pub fn of_stream<'p>(stream: &'p Stream, find: &dyn Fn(&str) -> &'p Function) -> Costs {
    let mut whole = Whole {
        stream,
        find,
        symbols: Symbols::default(),
        cost: Cost::constant(),
    };
    for part in &stream.parts {
        match part {
            Part::Once { function, args, .. } => whole.once(find(function), args),
            Part::Pass(pass) => {
                let all = pass.all();
                all.iter().for_each(|it| whole.pass(find(&it.step), it));
            }
        }
    }
    let Whole {
        mut cost, symbols, ..
    } = whole;
    cost.each(|expr| symbols.simplify(expr));
    Costs::named(cost, symbols)
}

/// What a size of a part is to the whole.
#[derive(Clone)]
enum Role {
    /// The same in each chunk.
    Same,
    /// A constant.
    Constant,
    /// What the whole calls so.
    Called(String),
    /// How many items a chunk has; what all are called.
    Items(Option<String>),
    /// The numbers in its items together; what those of the greatest item are called.
    Numbers(String),
    /// The sum of whole numbers that are its items, or in them; what the greatest is called.
    Sum(String),
}

/// How much of a sequence is looked at.
#[derive(Clone, Copy)]
enum View {
    /// All of it.
    All,
    /// An item.
    One,
    /// A chunk.
    Chunk,
}

type Roles = Vec<(String, Role)>;

struct Whole<'p, 'f> {
    stream: &'p Stream,
    find: &'f dyn Fn(&str) -> &'p Function,
    symbols: Symbols,
    cost: Cost,
}

impl<'p> Whole<'p, '_> {
    /// Adds a part that is run once.
    fn once(&mut self, function: &'p Function, args: &[Given]) {
        let mut roles = Roles::new();
        for (param, arg) in function.params.iter().zip(args) {
            self.given(function, &param.vars, *arg, &mut roles);
        }
        let own = Costs::of(function, &last_uses(function));
        let all = |whole: &mut Self, expr| whole.viewed(expr, &own.symbols, &roles, View::All);
        let cost = Cost {
            work: all(self, &own.cost.work),
            depth: all(self, &own.cost.depth),
            sequential: all(self, &own.cost.sequential),
            parallel: all(self, &own.cost.parallel),
        };
        self.cost.then(&cost);
    }

    /// Adds a pass.
    fn pass(&mut self, step: &'p Function, pass: &Pass) {
        let roles = self.roles(step, pass);
        let own = Costs::of(step, &last_uses(step));
        let mut cost = Cost {
            work: self.summed(&own.cost.work, &own.symbols, &roles),
            depth: self.summed(&own.cost.depth, &own.symbols, &roles),
            sequential: self.viewed(&own.cost.sequential, &own.symbols, &roles, View::One),
            parallel: self.viewed(&own.cost.parallel, &own.symbols, &roles, View::Chunk),
        };
        // The driver holds what a source gives.
        for (param, _) in params(step, pass).filter(|(_, arg)| matches!(arg, Arg::Chunk(_))) {
            for var in &param.vars {
                let one = self.elements(step, *var, &roles, View::One);
                cost.sequential.add(&one);
                let chunk = self.elements(step, *var, &roles, View::Chunk);
                cost.parallel.add(&chunk);
            }
        }
        self.cost.then(&cost);
    }

    /// What is summed over all chunks.
    fn summed(&mut self, expr: &Expr, own: &Symbols, roles: &Roles) -> Expr {
        let src = self.stream.src;
        let chunks = self.symbols.unknown(Unknown::Chunks, src);
        let mut sum = Expr::default();
        for term in expr.terms() {
            let all = self.term(*term, own, roles, View::All);
            let of_items = term.factors().any(|(symbol, exponent)| {
                let role = role(own, symbol, roles);
                exponent > 0 && matches!(role, Role::Items(_) | Role::Numbers(_) | Role::Sum(_))
            });
            sum.add_term(if of_items {
                all
            } else {
                all.times(Term::of(chunks))
            });
        }
        // There are no more chunks than items, but for the last.
        for (_, role) in roles {
            if let Role::Items(Some(items)) = role {
                let items = self.symbols.named(items);
                sum.drop_within(chunks, items);
            }
        }
        sum
    }

    fn viewed(&mut self, expr: &Expr, own: &Symbols, roles: &Roles, view: View) -> Expr {
        let mut seen = Expr::default();
        for term in expr.terms() {
            seen.add_term(self.term(*term, own, roles, view));
        }
        seen
    }

    fn term(&mut self, term: Term, own: &Symbols, roles: &Roles, view: View) -> Term {
        let mut seen = Term::ONE;
        for (symbol, exponent) in term.factors() {
            let factor = self.symbol(symbol, own, roles, view);
            for _ in 0..exponent.unsigned_abs() {
                seen = if exponent > 0 {
                    seen.times(factor)
                } else {
                    seen.over(factor)
                };
            }
        }
        seen
    }

    fn symbol(&mut self, symbol: Id, own: &Symbols, roles: &Roles, view: View) -> Term {
        match own.get(symbol) {
            Symbol::Named(name) => {
                let role = role_of(name, roles);
                self.called(name, role, view)
            }
            Symbol::Unknown { what, at } => {
                let all = at.iter().map(|src| self.symbols.unknown(*what, *src));
                all.last().map_or(Term::ONE, Term::of)
            }
            Symbol::Member { .. } => unreachable!("summed over, in the costs of a function"),
        }
    }

    /// What a size that a part calls `name` is.
    fn called(&mut self, name: &str, role: Role, view: View) -> Term {
        let name = match (role, view) {
            (Role::Constant, _) | (Role::Items(_), View::One) | (Role::Items(None), View::All) => {
                return Term::ONE;
            }
            (Role::Items(_) | Role::Numbers(_), View::Chunk) => {
                let src = self.stream.src;
                return Term::of(self.symbols.unknown(Unknown::Chunk, src));
            }
            (Role::Same, _) => name.to_owned(),
            (Role::Called(name), _) | (Role::Items(Some(name)), View::All) => name,
            (Role::Numbers(most) | Role::Sum(most), view) => {
                self.symbols.named_family(name, &most);
                match view {
                    View::All | View::Chunk => name.to_owned(),
                    View::One => most,
                }
            }
        };
        Term::of(self.symbols.named(&name))
    }

    /// How many elements an array parameter has.
    fn elements(&mut self, step: &Function, var: Var, roles: &Roles, view: View) -> Expr {
        let mut product = Expr::one();
        for size in names::sizes(step, var) {
            let mut sum = Expr::one();
            for (symbols, _) in size.terms() {
                let mut term = Term::ONE;
                for symbol in symbols {
                    if let Some(name) = names::size(step, *symbol) {
                        let role = role_of(&name, roles);
                        term = term.times(self.called(&name, role, view));
                    }
                }
                sum.add_term(term);
            }
            product = product.times(&sum);
        }
        product
    }

    /// What the sizes of a step's parameters are.
    fn roles(&self, step: &Function, pass: &Pass) -> Roles {
        let mut roles = Roles::new();
        for (param, arg) in params(step, pass) {
            match arg {
                Arg::Chunk(_) => {
                    for var in &param.vars {
                        of_items(step, *var, &mut roles);
                    }
                }
                Arg::Ends(source) => {
                    let names = param.vars.iter().filter_map(|it| names::scalar(step, *it));
                    let Source::Count(value) = pass.sources[source] else {
                        unreachable!("items of a parameter have no ends")
                    };
                    let items = match self.origin(value) {
                        Some(Role::Called(name)) => Some(name),
                        Some(Role::Constant) => None,
                        _unknown => Some("items".to_owned()),
                    };
                    roles.extend(names.map(|it| (it, Role::Items(items.clone()))));
                }
                Arg::Given(given) => self.given(step, &param.vars, given, &mut roles),
                Arg::State(_) | Arg::Last | Arg::Unwanted => {}
            }
        }
        roles
    }

    /// What a number is that a part is given.
    fn given(&self, function: &Function, vars: &[Var], given: Given, roles: &mut Roles) {
        if let (Given::Value(value), [var]) = (given, vars)
            && let Some(name) = names::scalar(function, *var)
            && let Some(role) = self.origin(value)
        {
            roles.push((name, role));
        }
    }

    /// What a value is, if it is a number of the signature or a constant.
    fn origin(&self, value: usize) -> Option<Role> {
        let mut makers = self.stream.parts.iter().filter_map(|part| match part {
            Part::Once {
                function,
                args,
                makes,
            } => {
                let at = makes.iter().position(|it| *it == value)?;
                Some(((self.find)(function), args, &makes[..at]))
            }
            Part::Pass(_) => None,
        });
        let (maker, args, before) = makers.next()?;
        let types = before
            .iter()
            .map(|it| border_type(&self.stream.values[*it]));
        let at = types.map(|ty| leaves(&ty).len()).sum::<usize>();
        let var = match maker.body.results.get(at)? {
            Atom::Const(_) => return Some(Role::Constant),
            Atom::Var(var) => *var,
        };
        let mut params = maker.params.iter().zip(args);
        let (_, arg) = params.find(|(param, _)| param.vars == [var])?;
        match arg {
            Given::Param(_) => names::scalar(maker, var).map(Role::Called),
            Given::Value(value) => self.origin(*value),
        }
    }
}

/// The parameters of a step and what each is given.
fn params<'f>(
    step: &'f Function,
    pass: &Pass,
) -> impl Iterator<Item = (&'f crate::shaped::ir::Param, Arg)> {
    let args = pass
        .args
        .iter()
        .flat_map(|arg| std::iter::repeat_n(*arg, arg.params()));
    step.params.iter().zip(args.collect::<Vec<_>>())
}

/// What the sizes of a variable are that holds items, or a part of all of them.
fn of_items(step: &Function, var: Var, roles: &mut Roles) {
    if let Some(numbers) = names::array(step, var) {
        let role = match names::is_offsets(step, var) {
            true => Role::Numbers,
            false => Role::Sum,
        };
        roles.push((numbers.sum, role(numbers.most)));
    }
    if let Some(first) = names::sizes(step, var).first() {
        for name in sizes(step, first) {
            let items = Role::Items(Some(name.clone()));
            roles.push((name, items));
        }
    }
}

fn sizes(step: &Function, size: &Size) -> Vec<String> {
    let symbols = size.terms().flat_map(|(symbols, _)| symbols);
    symbols
        .filter_map(|it: &SizeSym| names::size(step, *it))
        .collect()
}

/// The first that is known of a size of this name.
fn role_of(name: &str, roles: &Roles) -> Role {
    let found = roles.iter().find(|(known, _)| known == name);
    found.map_or(Role::Same, |(_, role)| role.clone())
}

fn role(own: &Symbols, symbol: Id, roles: &Roles) -> Role {
    match own.get(symbol) {
        Symbol::Named(name) => role_of(name, roles),
        Symbol::Unknown { .. } | Symbol::Member { .. } => Role::Same,
    }
}
