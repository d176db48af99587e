//! Which variables an operation uses.
//!
//! In: operations. Out: the variables that stand in them, those that they define themselves
//! included where bodies use them. Assumes that variables are assigned once, so that these are no
//! others'.

use crate::flat::ir::{Body, Consumer, Op, Seg};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Calls `see` with each variable that `op` uses, as often as it does.
pub fn each_use(op: &Op, see: &mut impl FnMut(Var)) {
    match op {
        Op::Scalar(_, args) | Op::Literal(args) => atoms(args, see),
        Op::Check { ok, values, .. } => {
            atoms(&[*ok], see);
            atoms(values, see);
        }
        Op::Len { array, .. } => see(*array),
        Op::Read { array, index } => {
            see(*array);
            atoms(index, see);
        }
        Op::Update {
            array,
            index,
            value,
        } => {
            see(*array);
            atoms(index, see);
            atoms(&[*value], see);
        }
        Op::If { cond, then, else_ } => {
            atoms(&[*cond], see);
            body(then, see);
            body(else_, see);
        }
        Op::Loop(it) => {
            atoms(&it.init, see);
            body(&it.cond, see);
            body(&it.body, see);
        }
        Op::Seg(it) => seg(it, see),
    }
}

fn seg(it: &Seg, see: &mut impl FnMut(Var)) {
    for level in &it.space.levels {
        atoms(&[level.extent.value], see);
    }
    body(&it.body, see);
    match &it.consumer {
        Consumer::Build | Consumer::Sort(_) => {}
        Consumer::Rows { offsets } => offsets.iter().for_each(|array| see(*array)),
        Consumer::Reduce { init, combine } => {
            atoms(init, see);
            body(&combine.body, see);
        }
        Consumer::Scan { init, combine, .. } => {
            init.iter().for_each(|init| atoms(init, see));
            body(&combine.body, see);
        }
        Consumer::Fold { init, step, .. } => {
            atoms(init, see);
            body(step, see);
        }
        Consumer::Scatter { into, .. } => into.iter().for_each(|array| see(*array)),
    }
}

fn body(it: &Body, see: &mut impl FnMut(Var)) {
    for stmt in &it.stmts {
        each_use(&stmt.op, see);
    }
    atoms(&it.results, see);
}

fn atoms(atoms: &[Atom], see: &mut impl FnMut(Var)) {
    for atom in atoms {
        if let Atom::Var(var) = atom {
            see(*var);
        }
    }
}
