//! Extents that are small only where every index is known to exist.
//!
//! In: statements that have moved in front of a body. Out: the same, the extents of which are not above what they
//! are made of, also where the body has no index. Assumes that variables are assigned once.
//!
//! Where a row has an element, `len - 1` is that: in the body of `for x in xs` no check says so. In front of it
//! the difference is close to 2^64 if there is none.

use super::{Pass, variable};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Method, ScalarOp};
use crate::shaped::ir::{Atom, Consumer, Op, Par, Stmt};

impl Pass<'_> {
    /// Makes the differences saturating that extents of these statements depend on, where they may be below 0.
    pub(super) fn bound_extents(&self, stmts: &mut [Stmt]) {
        let mut extents = HashSet::default();
        for stmt in &mut *stmts {
            each_par(stmt, &mut |par| self.add_operands(par.extent, &mut extents));
        }
        for stmt in stmts {
            self.saturate(stmt, &extents);
        }
    }

    /// Adds the variables that an extent is computed from, itself among them.
    fn add_operands(&self, extent: Atom, all: &mut HashSet<Var>) {
        let Some(var) = variable(extent) else {
            return;
        };
        if all.insert(var)
            && let Some((_, args)) = self.scalar(extent)
        {
            args.iter().for_each(|arg| self.add_operands(*arg, all));
        }
    }

    fn saturate(&self, stmt: &mut Stmt, extents: &HashSet<Var>) {
        if let (Op::Scalar(op @ ScalarOp::Sub, _), [out]) = (&mut stmt.op, &stmt.outs[..])
            && extents.contains(out)
            && !self.is_in_memory(Atom::Var(*out))
        {
            *op = ScalarOp::Method(Method::SaturatingSub);
        }
        each_stmt(stmt, &mut |inner| self.saturate(inner, extents));
    }
}

fn each_par(stmt: &mut Stmt, f: &mut impl FnMut(&Par)) {
    if let Op::Par(par) = &stmt.op {
        f(par);
    }
    each_stmt(stmt, &mut |inner| each_par(inner, f));
}

/// Calls `f` with the statements of the bodies of one.
fn each_stmt(stmt: &mut Stmt, f: &mut impl FnMut(&mut Stmt)) {
    let bodies = match &mut stmt.op {
        Op::If { then, else_, .. } => vec![then, else_],
        Op::Loop(it) => vec![&mut it.cond, &mut it.body],
        Op::Par(par) => {
            let consumes = match &mut par.consumer {
                Consumer::Build
                | Consumer::Rows { .. }
                | Consumer::Scatter { .. }
                | Consumer::Sort(_) => None,
                Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                    Some(&mut combine.body)
                }
                Consumer::Fold { step, .. } => Some(step),
            };
            [&mut par.body].into_iter().chain(consumes).collect()
        }
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => Vec::new(),
    };
    bodies
        .into_iter()
        .flat_map(|body| &mut body.stmts)
        .for_each(f);
}
