//! Quotients and remainders of indices that need not be computed.
//!
//! In: divisions of sizes in bodies that are being fused. Out: what they are where that follows from
//! the index spaces around them, so that `reshape`, `flatten` and `transpose` after each other are
//! sums and products. Assumes that a body only runs for indices of its space.
//!
//! Note [Divided indices]. Let `x` and `d` be the integers that the normal forms of a dividend and
//! of a divisor stand for, each index between 0 and its extent. If `x = d * q + r` with
//! `0 <= r < d`, then `q` is the quotient and `r` the remainder, so long as neither `x` nor `d` is
//! beyond the range of `usize`, in which normal forms wrap. They are not if `x` is below 2^16 times
//! the number of points of the index spaces that it is made of: no loop comes to its 2^48th point.
//! What is not proven so is divided at run time; the order of what is left is the user's.

use crate::fused::fuse::Fuse;
use crate::fused::ir::{Body, Op};
use crate::fused::linear::{Known, Poly, normal};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// What is known of sizes.
#[derive(Default)]
pub(super) struct Indices {
    /// How they are computed.
    pub(super) defs: HashMap<Var, (ScalarOp, Vec<Atom>)>,
    /// The extents of the indices of the spaces around.
    extents: HashMap<Var, Poly>,
}

/// Longer sums are not cheaper than a division.
const MOST_TERMS: usize = 3;

/// Longer quotients are not either.
const MOST_STEPS: usize = 8;

/// By how much an index may be multiplied; see Note [Divided indices].
const MOST_FACTOR: i64 = 1 << 16;

/// `d * quotient + rest` is the dividend.
struct Parts {
    quotient: Poly,
    rest: Poly,
}

impl Known for Fuse<'_> {
    fn definition(&self, var: Var) -> Option<(ScalarOp, &[Atom])> {
        if self.indices.extents.contains_key(&var) {
            return None;
        }
        let (op, args) = self.indices.defs.get(&var)?;
        Some((*op, args))
    }

    fn quotient(&self, args: &[Atom]) -> Option<Atom> {
        self.known_size(ScalarOp::Div, args)
    }

    fn sum(&self, var: Var) -> Option<Poly> {
        let mut sums = self.scopes.iter().rev().flat_map(|scope| &scope.sums);
        if let Some((_, sum)) = sums.find(|(other, _)| *other == var) {
            return Some(sum.clone());
        }
        // An extent of a space around is not 0.
        let (ScalarOp::Max, [extent @ Atom::Var(_), other]) = self.definition(var)? else {
            return None;
        };
        let extent = (*other == size(1)).then(|| normal(*extent, self))?;
        let mut around = self.indices.extents.values();
        around.any(|it| *it == extent).then_some(extent)
    }
}

impl<'a> Fuse<'a> {
    /// Notes that `index` runs below `extent` until it is [left](Self::leaves).
    pub(super) fn runs_below(&mut self, index: Var, extent: Atom) {
        let extent = normal(extent, self);
        self.indices.extents.insert(index, extent);
    }

    /// Notes that a space is left.
    pub(super) fn leaves(&mut self, indices: &[Var]) {
        for index in indices {
            self.indices.extents.remove(index);
        }
    }

    /// Notes that `var` is the number of a point of rows of `extent`: in row `row`, at `column`.
    pub(super) fn counts(&mut self, var: Var, row: Atom, extent: Atom, column: Atom) {
        let first = normal(row, self).times(&normal(extent, self));
        let sum = first.plus(&normal(column, self), 1);
        self.scope().sums.push((var, sum));
    }

    /// What a quotient or a remainder of sizes is, if it need not be computed, or has been with
    /// another name of the dividend.
    pub(super) fn divided(&mut self, op: ScalarOp, args: &[Atom], src: SrcSpan) -> Option<Atom> {
        let dividend = normal(args[0], self);
        let divisor = normal(args[1], self);
        if let Some(parts) = self.parts(&dividend, &divisor) {
            let part = match op {
                ScalarOp::Div => parts.quotient,
                _ => parts.rest,
            };
            if let Some(atom) = self.materialised(&part, src) {
                return Some(atom);
            }
        }
        let name = self.name_of(&dividend).filter(|name| *name != args[0])?;
        Some(self.computed(op, [name, args[1]], src))
    }

    /// How many rows of what width a body over `0..extent` takes its indices for, if it divides them
    /// by that width: then it can be run row by row.
    pub(super) fn in_rows(
        &mut self,
        index: Var,
        extent: &Extent,
        body: &Body,
        src: SrcSpan,
    ) -> Option<[Atom; 2]> {
        // Products that may wrap are no products of sizes.
        if extent.size.is_symbol() {
            return None;
        }
        let all = normal(self.atom(extent.value), self);
        let own = |atom: &Atom| matches!(atom, Atom::Var(var) if body.stmts.iter().any(|it| it.outs.contains(var)));
        let divisors = body.stmts.iter().filter_map(|stmt| match &stmt.op {
            Op::Scalar(ScalarOp::Div, args) if args[0] == Atom::Var(index) => Some(args[1]),
            _other => None,
        });
        let (rows, width) = divisors.filter(|it| !own(it)).find_map(|width| {
            let Parts { quotient, rest } = split(&all, &normal(width, self))?;
            (rest == Poly::known(0)).then_some((quotient, width))
        })?;
        Some([self.materialised(&rows, src)?, width])
    }

    /// See Note [Divided indices].
    fn parts(&self, dividend: &Poly, divisor: &Poly) -> Option<Parts> {
        let parts = split(dividend, divisor)?;
        // The rest of a mirrored index, as `i * m + (m - 1 - j)`, takes one divisor back.
        let taken_back = Parts {
            quotient: parts.quotient.clone().moved(-1),
            rest: parts.rest.clone().plus(divisor, 1),
        };
        let mut both = [parts, taken_back].into_iter();
        let parts = both.find(|it| self.is_rest(&it.rest, divisor) == Some(true))?;
        self.fits(dividend).then_some(parts)
    }

    /// Whether `rest` is at least 0 and below the divisor, which fits.
    fn is_rest(&self, rest: &Poly, divisor: &Poly) -> Option<bool> {
        let most = self.bound(rest, true)?;
        let room = divisor.clone().plus(&most, -1).moved(-1);
        let least = self.bound(rest, false)?;
        let exact = room.terms().all(|(vars, _)| vars.is_empty());
        let divisor_fits = is_one(divisor) || (exact && room.known_part() < MOST_FACTOR);
        Some(divisor_fits && room.is_natural() && least.is_natural())
    }

    /// Whether a sum is neither negative nor beyond the range of `usize`.
    fn fits(&self, sum: &Poly) -> bool {
        let (Some(most), Some(least)) = (self.bound(sum, true), self.bound(sum, false)) else {
            return false;
        };
        let mut points = Poly::known(MOST_FACTOR - 1);
        let mut seen: Vec<Var> = sum.terms().flat_map(|(vars, _)| vars.to_vec()).collect();
        seen.sort_unstable();
        seen.dedup();
        for extent in seen.iter().filter_map(|var| self.indices.extents.get(var)) {
            points = points.times(extent);
        }
        // There is a point, so that this is a number that is left of them.
        let room = points.plus(&most, -1).moved(MOST_FACTOR);
        least.is_natural() && room.is_natural()
    }

    /// A sum that is at least, or at most, as large at all indices.
    fn bound(&self, sum: &Poly, high: bool) -> Option<Poly> {
        sum.bound(&self.indices.extents, high)
    }

    /// What is a sum already.
    fn name_of(&self, sum: &Poly) -> Option<Atom> {
        let mut terms = sum.terms();
        match (terms.next(), terms.next()) {
            (None, _) => return Some(size(0)),
            (Some(([], number)), None) => return Some(size(number as u64)),
            (Some(([var], 1)), None) => return Some(Atom::Var(*var)),
            (Some(_), _) => {}
        }
        let mut sums = self.scopes.iter().rev().flat_map(|scope| &scope.sums);
        let (var, _) = sums.find(|(_, other)| other == sum)?;
        Some(Atom::Var(*var))
    }

    /// A scalar that is `sum`, unless that is long.
    fn materialised(&mut self, sum: &Poly, src: SrcSpan) -> Option<Atom> {
        if let Some(name) = self.name_of(sum) {
            return Some(name);
        }
        let (more, less): (Vec<_>, Vec<_>) = sum.terms().partition(|(_, factor)| *factor > 0);
        if more.is_empty() || more.len() + less.len() > MOST_TERMS {
            return None;
        }
        let mut total: Option<Atom> = None;
        for (vars, factor) in more.into_iter().chain(less) {
            let op = if factor > 0 {
                ScalarOp::Add
            } else {
                ScalarOp::Sub
            };
            let factors = vars.iter().map(|var| Atom::Var(*var));
            let number = (factor.unsigned_abs() != 1 || vars.is_empty())
                .then(|| size(factor.unsigned_abs()));
            let term = factors
                .chain(number)
                .reduce(|a, b| self.computed(ScalarOp::Mul, [a, b], src))?;
            total = Some(match total {
                Some(total) => self.computed(op, [total, term], src),
                None => term,
            });
        }
        total
    }
}

/// Divides by a sum: term by term if that is a single term, else as polynomials are divided, by the term
/// of the most variables. Of several quotients this is one.
fn split(dividend: &Poly, divisor: &Poly) -> Option<Parts> {
    let (by, number) = divisor.terms().max_by_key(|(vars, _)| vars.len())?;
    if number <= 0 {
        return None;
    }
    let only = divisor.terms().count() == 1;
    let (mut quotient, mut rest) = (Poly::known(0), dividend.clone());
    for _ in 0..=MOST_STEPS {
        let whole = rest.terms().find_map(|(vars, factor)| {
            let left = without(vars, by)?;
            // A number is divided as such.
            let divides = match vars.is_empty() {
                true => only && factor >= number,
                false => factor % number == 0,
            };
            divides.then(|| (product(&left), factor / number))
        });
        let Some((left, times)) = whole else {
            return Some(Parts { quotient, rest });
        };
        rest = rest.plus(&left.times(divisor), times.wrapping_neg());
        quotient = quotient.plus(&left, times);
    }
    None
}

/// `vars` without those of `by`, if all of these are among them.
fn without(vars: &[Var], by: &[Var]) -> Option<Vec<Var>> {
    let mut left = vars.to_vec();
    for var in by {
        let at = left.iter().position(|it| it == var)?;
        left.remove(at);
    }
    Some(left)
}

fn product(vars: &[Var]) -> Poly {
    let factors = vars.iter().map(|var| Poly::var(*var));
    factors.fold(Poly::known(1), |all, var| all.times(&var))
}

/// Whether a divisor is a number or a scalar, and so what it stands for.
fn is_one(divisor: &Poly) -> bool {
    divisor
        .terms()
        .all(|(vars, factor)| vars.is_empty() || (vars.len() == 1 && factor == 1))
}

/// A known size.
pub(super) fn size(bits: u64) -> Atom {
    let ty = Scalar::Usize;
    Atom::Const(Const { ty, bits })
}
