//! Sums whose elements need not be rounded before they are added.
//!
//! In: a kernel. Out: what it adds per component, a product or a value, where it is a sum of a
//! `#[fast]` function with a product among its elements. Assumes that the pass has marked what is
//! computed as written.

use crate::fused::ir::{Combine, Kernel, Layout, Op, Sink, VarInfo};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};

/// What is added to a sum.
pub enum Term {
    /// The product of two numbers, which goes in without a rounding of its own.
    Product([Atom; 2]),
    /// A number.
    Value(Atom),
}

/// What a kernel adds to the sum of each component.
pub fn terms(kernel: &Kernel, vars: &[VarInfo]) -> Option<Vec<Term>> {
    let Sink::Reduce { combine, .. } = &kernel.sink else {
        return None;
    };
    if kernel.nest || !is_sum(combine, vars) {
        return None;
    }
    let results = kernel.body.results.iter();
    let terms: Vec<Term> = results
        .map(|result| match product(kernel, *result, vars) {
            Some(factors) => Term::Product(factors),
            None => Term::Value(*result),
        })
        .collect();
    let fuses = terms.iter().any(|term| matches!(term, Term::Product(_)));
    fuses.then_some(terms)
}

/// Whether the operator adds each component.
fn is_sum(combine: &Combine, vars: &[VarInfo]) -> bool {
    let stmts = &combine.body.stmts;
    let adds = |at: usize| {
        let operands = [combine.left[at], combine.right[at]].map(Atom::Var);
        let result = combine.body.results[at];
        stmts.iter().any(|stmt| {
            result == Atom::Var(stmt.outs[0])
                && is_free(stmt.outs[0], vars)
                && matches!(&stmt.op, Op::Scalar(ScalarOp::Add, args) if *args == operands)
        })
    };
    let components = combine.left.len();
    combine.neutral.is_some() && stmts.len() == components && (0..components).all(adds)
}

/// The factors of an element.
fn product(kernel: &Kernel, element: Atom, vars: &[VarInfo]) -> Option<[Atom; 2]> {
    let Atom::Var(element) = element else {
        return None;
    };
    let stmts = kernel.body.stmts.iter();
    let stmt = stmts
        .filter(|_| is_free(element, vars))
        .find(|stmt| stmt.outs == [element])?;
    match &stmt.op {
        Op::Scalar(ScalarOp::Mul, args) => args.as_slice().try_into().ok(),
        _other => None,
    }
}

/// Whether it is a number that fused operations compute, and need not be rounded as written.
fn is_free(var: Var, vars: &[VarInfo]) -> bool {
    let VarInfo { ty, fast, .. } = &vars[var.index()];
    let scalars = [Scalar::F32, Scalar::F64];
    *fast && matches!(ty, Layout::Plain(VarType::Scalar(ty)) if scalars.contains(ty))
}
