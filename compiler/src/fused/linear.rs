//! Index arithmetic as polynomials.
//!
//! In: what is known of scalars. Out: an index in normal form, in which the position of an element of
//! a matrix, `(at / m) * m + at % m`, is `at` again. Arithmetic wraps, as that of positions does.

use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use std::collections::BTreeMap;

/// What a scalar of the kernel is.
pub type Defs<'a> = HashMap<Var, (ScalarOp, &'a [Atom])>;

/// What a normal form is made with.
pub trait Known {
    /// How a scalar is computed, if that is to be looked at.
    fn definition(&self, var: Var) -> Option<(ScalarOp, &[Atom])>;

    /// The quotient of these operands, if there is one.
    fn quotient(&self, args: &[Atom]) -> Option<Atom>;

    /// The normal form of a scalar, where it does not follow from its definition.
    fn sum(&self, var: Var) -> Option<Poly>;
}

impl Known for Defs<'_> {
    fn definition(&self, var: Var) -> Option<(ScalarOp, &[Atom])> {
        self.get(&var).copied()
    }

    /// The first, where there are several.
    fn quotient(&self, args: &[Atom]) -> Option<Atom> {
        let same = self
            .iter()
            .filter(|(_, (op, others))| *op == ScalarOp::Div && *others == args);
        same.map(|(var, _)| *var).min().map(Atom::Var)
    }

    fn sum(&self, _var: Var) -> Option<Poly> {
        None
    }
}

/// A sum of products of variables, each with a factor; no factor is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poly(BTreeMap<Vec<Var>, i64>);

/// Longer ones are not worth the time.
const MOST_TERMS: usize = 24;

impl Poly {
    /// A number.
    pub fn known(n: i64) -> Poly {
        let mut terms = BTreeMap::new();
        if n != 0 {
            terms.insert(Vec::new(), n);
        }
        Poly(terms)
    }

    /// A variable alone.
    pub fn var(var: Var) -> Poly {
        Poly(BTreeMap::from([(vec![var], 1)]))
    }

    /// Its products of variables with their factors.
    pub fn terms(&self) -> impl Iterator<Item = (&[Var], i64)> {
        self.0
            .iter()
            .map(|(vars, factor)| (vars.as_slice(), *factor))
    }

    /// Whether it grows evenly with a variable: no other one is made of that.
    pub fn is_linear_in(&self, var: Var, defs: &Defs<'_>) -> bool {
        self.terms().all(|(vars, _)| {
            let own = vars.iter().filter(|it| **it == var).count();
            let others = vars.iter().filter(|it| **it != var);
            own <= 1 && !others.clone().any(|it| depends(*it, var, defs))
        })
    }

    /// Whether it is another number where a variable is another one.
    pub fn depends_on(&self, var: Var, defs: &Defs<'_>) -> bool {
        let mut vars = self.terms().flat_map(|(vars, _)| vars.iter().copied());
        vars.any(|it| depends(it, var, defs))
    }

    /// The number that is added to what depends on variables.
    pub fn known_part(&self) -> i64 {
        self.0.get([].as_slice()).copied().unwrap_or(0)
    }

    /// How much more it is than another one, if that is known.
    pub fn distance(&self, other: &Poly) -> Option<i64> {
        let difference = self.clone().plus(other, -1);
        let mut terms = difference.terms();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0),
            (Some(([], distance)), None) => Some(distance),
            (Some(_), _) => None,
        }
    }

    /// Whether a sum of sizes is known not to be negative.
    pub fn is_natural(&self) -> bool {
        self.terms().all(|(_, factor)| factor >= 0)
    }

    /// A sum that is at least, or at most, as large wherever indices are below their `extents`.
    pub fn bound(&self, extents: &HashMap<Var, Poly>, high: bool) -> Option<Poly> {
        let mut bound = Poly::known(0);
        for (vars, factor) in self.terms() {
            let mut indices = vars.iter().filter_map(|var| extents.get(var));
            let (extent, other) = (indices.next(), indices.next());
            if other.is_some() {
                return None;
            }
            let fixed = vars
                .iter()
                .filter(|var| !extents.contains_key(var))
                .fold(Poly::known(1), |all, var| all.times(&Poly::var(*var)));
            let term = match extent {
                None => fixed,
                Some(extent) if (factor > 0) == high => fixed.times(&extent.clone().moved(-1)),
                Some(_) => continue,
            };
            bound = bound.plus(&term, factor);
        }
        Some(bound)
    }

    /// The sum with a number.
    pub fn moved(self, by: i64) -> Poly {
        self.plus(&Poly::known(1), by)
    }

    /// The sum with as much of another one.
    pub fn plus(mut self, other: &Poly, factor: i64) -> Poly {
        for (vars, own) in &other.0 {
            let sum = self.0.entry(vars.clone()).or_insert(0);
            *sum = sum.wrapping_add(own.wrapping_mul(factor));
        }
        self.0.retain(|_, factor| *factor != 0);
        self
    }

    /// The product.
    pub fn times(&self, other: &Poly) -> Poly {
        let mut product = Poly::known(0);
        for (vars, factor) in &self.0 {
            let moved = other.0.iter().map(|(others, own)| {
                let mut all = [vars.as_slice(), others].concat();
                all.sort_unstable();
                (all, *own)
            });
            product = product.plus(&Poly(moved.collect()), *factor);
        }
        product
    }
}

/// The normal form of a `usize`.
pub fn normal(atom: Atom, known: &impl Known) -> Poly {
    let var = match atom {
        Atom::Const(it) => return Poly::known(it.bits as i64),
        Atom::Var(var) => var,
    };
    let found = match (known.sum(var), known.definition(var)) {
        (Some(sum), _) => Some(sum),
        (None, Some((op, args))) => computed(op, args, known),
        (None, None) => None,
    };
    match found {
        Some(poly) if poly.0.len() <= MOST_TERMS => poly,
        Some(_) | None => Poly::var(var),
    }
}

/// The normal form of what an operation gives, if it has one.
fn computed(op: ScalarOp, args: &[Atom], known: &impl Known) -> Option<Poly> {
    let of = |at: usize| normal(args[at], known);
    match op {
        ScalarOp::Add => Some(of(0).plus(&of(1), 1)),
        ScalarOp::Sub => Some(of(0).plus(&of(1), -1)),
        ScalarOp::Mul => Some(of(0).times(&of(1))),
        ScalarOp::Rem => {
            let quotient = normal(known.quotient(args)?, known);
            Some(of(0).plus(&quotient.times(&of(1)), -1))
        }
        _other => None,
    }
}

/// Whether a scalar is made of a variable.
pub fn depends(scalar: Var, var: Var, defs: &Defs<'_>) -> bool {
    let of = |atom: &Atom| matches!(atom, Atom::Var(arg) if depends(*arg, var, defs));
    let args = defs.get(&scalar).map(|(_, args)| *args);
    scalar == var || args.is_some_and(|args| args.iter().any(of))
}
