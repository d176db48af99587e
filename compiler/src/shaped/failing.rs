//! Lengths of rows in whose making something fails.
//!
//! In: how many elements the row of an index has, as the body computes it. Out: the same as `i64`, for
//! the lengths that are computed before the rows.
//! Assumes that the row is a variable of the innermost open body.
//!
//! Note \[Failing rows\]. Lengths may be computed without the checks of their body (Note \[Checks in
//! copies\]), and are none where one of these fails: `(n - 1) / 2` for an `n` of 0 is half of all numbers,
//! and that no memory can hold them would be the error. The error is that of the body, which comes
//! afterwards: so a row has no elements where a check before it fails that its length may rest on. Any
//! check would do that the body comes to before the row, since it gets no further. Taken are those of
//! numbers that the length is made of, which cost no more than it does. That a difference is below zero,
//! or a length larger than any extent, shows in its sign, and a sum or product that saturates is such a
//! length.

use super::ir::{Atom, Op, Stmt};
use super::lower::Lower;
use super::par::components;
use super::value::{Array, number_const};
use crate::checks::CheckKind;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::source::SrcSpan;

/// What makes a count 0 where a check fails that it rests on.
enum Guard {
    /// Nothing has to.
    None,
    /// Its sign.
    Sign,
    /// The sign of what this operation gives for its operands instead.
    Saturated(Method),
    /// These conditions.
    Holds(Vec<Holds>),
}

/// What holds where a check does.
enum Holds {
    Condition(Atom),
    /// A product is what it would be if it saturated.
    Product(Var, Vec<Atom>),
}

impl Lower<'_> {
    /// The length of a row that the innermost open body makes, as `i64`, or 0: see Note
    /// \[Failing rows\].
    pub(super) fn length_of_row(&mut self, row: &Array, src: SrcSpan) -> Atom {
        let zero = number_const(Scalar::I64, 0);
        let mut count = row.extent.value;
        let (guard, args) = match count {
            Atom::Var(var) => Written::before(self, row).guard(var),
            Atom::Const(_) => (Guard::None, Vec::new()),
        };
        if let Guard::Saturated(method) = guard {
            count = self.scalar(ScalarOp::Method(method), &args, Scalar::Usize, src);
        }
        let length = self.scalar(ScalarOp::Cast, &[count], Scalar::I64, src);
        match guard {
            Guard::None => length,
            Guard::Sign | Guard::Saturated(_) => {
                self.scalar(ScalarOp::Max, &[length, zero], Scalar::I64, src)
            }
            Guard::Holds(all) => {
                let all = all.into_iter().map(|it| self.condition(it, src));
                let all = all.collect::<Vec<_>>().into_iter();
                let all = all.reduce(|all, it| self.test(ScalarOp::BitAnd, all, it, src));
                let all = all.expect("there is a check");
                self.scalar(ScalarOp::Select, &[all, length, zero], Scalar::I64, src)
            }
        }
    }

    fn condition(&mut self, holds: Holds, src: SrcSpan) -> Atom {
        match holds {
            Holds::Condition(ok) => ok,
            Holds::Product(product, args) => {
                let saturating = ScalarOp::Method(Method::SaturatingMul);
                let most = self.scalar(saturating, &args, Scalar::Usize, src);
                self.test(ScalarOp::Eq, most, Atom::Var(product), src)
            }
        }
    }
}

/// What has been written of the innermost open body before a row of it.
struct Written<'l, 'p> {
    lower: &'l Lower<'p>,
    stmts: &'l [Stmt],
    /// By variable, the position of the statement that defines it.
    homes: HashMap<Var, usize>,
}

/// The scalar operations that a value is computed by.
#[derive(Default)]
struct Chain {
    /// All variables on the way.
    vars: HashSet<Var>,
    /// The positions of other operations that it begins with.
    starts: HashSet<usize>,
}

impl<'l, 'p> Written<'l, 'p> {
    fn before(lower: &'l Lower<'p>, row: &Array) -> Self {
        let parts = components(&row.elem);
        let makes = |stmt: &Stmt| stmt.outs.iter().any(|out| parts.contains(out));
        let stmts = lower.written();
        let stmts = &stmts[..stmts.iter().position(makes).unwrap_or(0)];
        let outs = stmts.iter().enumerate();
        let homes = outs.flat_map(|(at, stmt)| stmt.outs.iter().map(move |out| (*out, at)));
        Written {
            lower,
            stmts,
            homes: homes.collect(),
        }
    }

    /// How `count` comes to be 0, and what it is computed of.
    fn guard(&self, count: Var) -> (Guard, Vec<Atom>) {
        let chain = self.chain(Atom::Var(count));
        let begins = chain.starts.iter().max().map_or(0, |at| at + 1);
        if self.stmts[..begins].iter().any(Stmt::checks) {
            // Then the copy holds all checks.
            return (Guard::None, Vec::new());
        }
        let (op, args) = match self.homes.get(&count).map(|at| &self.stmts[*at].op) {
            Some(Op::Scalar(op, args)) => (Some(*op), args.clone()),
            _start => (None, Vec::new()),
        };
        let (mut all, mut own) = (Vec::new(), true);
        for stmt in self.stmts {
            let Some((kind, values, holds)) = self.check(&stmt.op, &chain) else {
                continue;
            };
            all.push(holds);
            own &= match kind {
                CheckKind::TooLarge => values == [Atom::Var(count)],
                CheckKind::Underflow | CheckKind::Overflow => values == args,
                _ => false,
            };
        }
        let guard = match op {
            _ if all.is_empty() => Guard::None,
            _ if !own => Guard::Holds(all),
            Some(ScalarOp::Add) => Guard::Saturated(Method::SaturatingAdd),
            Some(ScalarOp::Mul) => Guard::Saturated(Method::SaturatingMul),
            _ => Guard::Sign,
        };
        (guard, args)
    }

    /// The check that a statement is, if what is computed by `of` may rest on it.
    fn check(&self, op: &'l Op, of: &Chain) -> Option<(&'l CheckKind, &'l [Atom], Holds)> {
        let Op::Check { ok, id, values } = op else {
            return None;
        };
        let kind = &self.lower.checks[id.index()].kind;
        match kind {
            CheckKind::Duplicate
            | CheckKind::Sizes { .. }
            | CheckKind::Empty { .. }
            | CheckKind::Print { .. } => return None,
            CheckKind::Index
            | CheckKind::Slice
            | CheckKind::Division
            | CheckKind::Underflow
            | CheckKind::Overflow
            | CheckKind::Step { .. }
            | CheckKind::TooLarge
            | CheckKind::Assert { .. } => {}
        }
        let tests = self.chain(*ok);
        if tests.starts.is_subset(&of.starts) && !tests.vars.is_disjoint(&of.vars) {
            return Some((kind, values, Holds::Condition(*ok)));
        }
        let product = self.stmts.iter().find_map(|stmt| match &stmt.op {
            Op::Scalar(ScalarOp::Mul, args) if args == values => Some(stmt.outs[0]),
            _ => None,
        })?;
        let holds = Holds::Product(product, values.clone());
        of.vars.contains(&product).then_some((kind, values, holds))
    }

    fn chain(&self, value: Atom) -> Chain {
        let mut chain = Chain::default();
        self.follow(value, &mut chain);
        chain
    }

    fn follow(&self, value: Atom, chain: &mut Chain) {
        let Atom::Var(var) = value else { return };
        if !chain.vars.insert(var) {
            return;
        }
        let Some(at) = self.homes.get(&var) else {
            return;
        };
        match &self.stmts[*at].op {
            Op::Scalar(_, args) => args.iter().for_each(|arg| self.follow(*arg, chain)),
            Op::Len { .. } => {}
            _start => {
                chain.starts.insert(*at);
            }
        }
    }
}
