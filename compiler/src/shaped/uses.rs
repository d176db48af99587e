//! Which variables an operation uses.
//!
//! In: operations. Out: the variables that stand in them, those that their bodies define
//! included. Assumes that variables are assigned once, so that these are no others'.

use super::ir::{Atom, Body, Consumer, Op, Par};
use crate::ids::Var;

/// Calls `see` with each variable that `op` uses, as often as it does.
pub(super) fn each_use(op: &Op, see: &mut impl FnMut(Var)) {
    match op {
        Op::Scalar(_, args) | Op::Literal(args) => each(args, see),
        Op::Check { ok, values, .. } => {
            each(&[*ok], see);
            each(values, see);
        }
        Op::Len { array, .. } => see(*array),
        Op::Read { array, index } => {
            see(*array);
            each(index, see);
        }
        Op::Update {
            array,
            index,
            value,
        } => {
            see(*array);
            each(index, see);
            each(&[*value], see);
        }
        Op::If { cond, then, else_ } => {
            each(&[*cond], see);
            of_body(then, see);
            of_body(else_, see);
        }
        Op::Loop(it) => {
            each(&it.init, see);
            of_body(&it.cond, see);
            of_body(&it.body, see);
        }
        Op::Par(par) => of_par(par, see),
    }
}

fn of_par(par: &Par, see: &mut impl FnMut(Var)) {
    each(&[par.extent], see);
    of_body(&par.body, see);
    match &par.consumer {
        Consumer::Build | Consumer::Sort(_) => {}
        Consumer::Rows { offsets: them } | Consumer::Scatter { into: them, .. } => {
            them.iter().for_each(|array| see(*array));
        }
        Consumer::Reduce { init, combine } => {
            each(init, see);
            of_body(&combine.body, see);
        }
        Consumer::Scan { init, combine, .. } => {
            init.iter().for_each(|init| each(init, see));
            of_body(&combine.body, see);
        }
        Consumer::Fold { init, step, .. } => {
            each(init, see);
            of_body(step, see);
        }
    }
}

fn of_body(body: &Body, see: &mut impl FnMut(Var)) {
    each(&body.results, see);
    for stmt in &body.stmts {
        stmt.outs.iter().for_each(|out| see(*out));
        each_use(&stmt.op, see);
    }
}

fn each(atoms: &[Atom], see: &mut impl FnMut(Var)) {
    for atom in atoms {
        if let Atom::Var(var) = atom {
            see(*var);
        }
    }
}
