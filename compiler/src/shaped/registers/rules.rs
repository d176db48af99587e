//! Which bodies keep their arrays.
//!
//! In: an operation. Out: whether it runs best as it is.

use crate::fused::cost::scalar_cost;
use crate::shaped::ir::{Atom, Consumer, Op, Par};

/// What may be computed again for each element of a row, see Note \[Collapse\] of `flat`.
const CHEAP_ROW: u32 = 8;

/// Whether a body only makes an array of its own, from cheap scalars: it is going to be one
/// operation with the one around it.
pub(super) fn makes_rows(par: &Par) -> bool {
    let Some((last, before)) = par.body.stmts.split_last() else {
        return false;
    };
    let is_row = |atom: &Atom| last.outs.iter().any(|out| Atom::Var(*out) == *atom);
    matches!(par.consumer, Consumer::Build)
        && matches!(&last.op, Op::Par(inner) if matches!(inner.consumer, Consumer::Build))
        && par.body.results.iter().all(is_row)
        && before.iter().map(|stmt| cheap_cost(&stmt.op)).sum::<u32>() <= CHEAP_ROW
}

/// Whether a body reduces rows to scalars, an array of these, and does nothing else with arrays: it reads them as they
/// lie in memory, which is faster than in lanes over their first, second … elements.
pub(super) fn reduces_rows(par: &Par) -> bool {
    let body = &par.body;
    let scalar = |op: &Op| matches!(op, Op::Scalar(..) | Op::Check { .. } | Op::Read { .. });
    let made = |atom: &Atom| {
        let mut arrays = body.stmts.iter().filter(|stmt| is_build(&stmt.op));
        arrays.any(|stmt| stmt.outs.iter().any(|out| Atom::Var(*out) == *atom))
    };
    matches!(par.consumer, Consumer::Build)
        && !body.results.iter().any(made)
        && body.stmts.iter().all(|stmt| match &stmt.op {
            Op::Par(par) => {
                let operator = match &par.consumer {
                    Consumer::Build => &[],
                    Consumer::Reduce { combine, .. } => combine.body.stmts.as_slice(),
                    Consumer::Rows { .. }
                    | Consumer::Scan { .. }
                    | Consumer::Fold { .. }
                    | Consumer::Scatter { .. } => return false,
                };
                let stmts = par.body.stmts.iter().chain(operator);
                stmts.map(|stmt| &stmt.op).all(scalar)
            }
            op => scalar(op),
        })
}

pub(super) fn is_build(op: &Op) -> bool {
    matches!(op, Op::Par(par) if matches!(par.consumer, Consumer::Build))
}

pub(super) fn cheap_cost(op: &Op) -> u32 {
    match op {
        Op::Scalar(op, _) => scalar_cost(*op, None),
        Op::Read { .. } | Op::Len { .. } => 1,
        Op::Check { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Par(_) => CHEAP_ROW + 1,
    }
}
