//! Which bodies keep their arrays.
//!
//! In: an operation. Out: whether it runs best as it is.

use crate::fused::cost::scalar_cost;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Consumer, Op, Par, Stmt};

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
/// lie in memory, which is faster than in lanes over their first, second … elements. (Not for windows, of
/// which the first elements lie next to each other as well.)
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
                    | Consumer::Scatter { .. }
                    | Consumer::Sort(_) => return false,
                };
                let stmts = par.body.stmts.iter().chain(operator);
                stmts.map(|stmt| &stmt.op).all(scalar)
            }
            op => scalar(op),
        })
}

/// Elements of rows that are too short for lanes along them.
const SHORT: u64 = 7;

/// Whether what a body does to arrays is done to few elements, and more than reductions of one array each
/// by one operation: those have a way of their own, many rows together.
pub(super) fn has_short_rows(par: &Par) -> bool {
    let rows = par.body.stmts.iter().filter_map(|stmt| match &stmt.op {
        Op::Par(row) => Some(row),
        _scalar => None,
    });
    let is_short = |row: &Par| matches!(row.extent, Atom::Const(it) if it.bits <= SHORT);
    rows.clone().all(is_short) && rows.clone().any(|row| !is_one_sum(row))
}

/// Whether an operation reduces what it reads of one array, by one operation.
fn is_one_sum(row: &Par) -> bool {
    let Consumer::Reduce { combine, .. } = &row.consumer else {
        return false;
    };
    let reads = row.body.stmts.iter();
    let reads = reads.filter(|stmt| matches!(stmt.op, Op::Read { .. }));
    combine.body.stmts.len() == 1 && reads.count() == 1
}

/// Whether the rows of an operation are windows: what is beside an element of one is in the next one
/// at its place.
pub(super) fn makes_windows(par: &Par) -> bool {
    let [stmt] = par.body.stmts.as_slice() else {
        return false;
    };
    let Op::Par(row) = &stmt.op else { return false };
    let [
        Stmt {
            op: Op::Scalar(ScalarOp::Add, args),
            outs,
            ..
        },
        read,
    ] = row.body.stmts.as_slice()
    else {
        return false;
    };
    let both = [par.index, row.index].map(Atom::Var);
    let Op::Read { index, .. } = &read.op else {
        return false;
    };
    is_build(&stmt.op)
        && both.iter().all(|it| args.contains(it))
        && index.as_slice() == [Atom::Var(outs[0])]
}

/// Whether a body that reduces rows has such only of which the first elements lie next to each other.
pub(super) fn reduces_windows(par: &Par, is_by_columns: &dyn Fn(Var) -> bool) -> bool {
    let rows = par.body.stmts.iter().filter_map(|stmt| match &stmt.op {
        Op::Par(row) => Some(&row.body.stmts),
        _other => None,
    });
    let mut read = rows.flatten().filter_map(|stmt| match &stmt.op {
        Op::Read { array, .. } => Some(is_by_columns(*array)),
        _other => None,
    });
    read.next() == Some(true) && read.all(|window| window)
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
