//! Where results are written.
//!
//! In: a fused function. Out: the arrays that live in the caller's memory from the start: results,
//! and what is changed in place to become one. All others are handed over at the end. Assumes the
//! last uses of the same function.

use crate::emit::rust::reads::Arrays;
use crate::fused::ir::{Function, Layout, Op, Sink, Stmt};
use crate::fused::liveness::LastUses;
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// The number of the result that an array becomes.
pub type Places = HashMap<Var, usize>;

/// Places the arrays of `function`, whose parameters are `params`.
pub fn places(function: &Function, params: &Arrays, last: &LastUses) -> Places {
    let made: HashMap<Var, &Stmt> = function
        .body
        .stmts
        .iter()
        .flat_map(|stmt| stmt.outs.iter().map(move |out| (*out, stmt)))
        .collect();
    let mut places = Places::default();
    for (result, atom) in function.body.results.iter().enumerate() {
        if let Atom::Var(var) = atom
            && !is_scalar(function, *var)
            && !places.contains_key(var)
            && let Some(history) = history(*var, &made, params, last)
        {
            places.extend(history.into_iter().map(|var| (var, result)));
        }
    }
    places
}

/// The arrays of which `var` is the last, each the one before with changes made in place; `None` if
/// the first of them cannot start in the caller's memory.
fn history(
    mut var: Var,
    made: &HashMap<Var, &Stmt>,
    params: &Arrays,
    last: &LastUses,
) -> Option<Vec<Var>> {
    let mut history = Vec::new();
    loop {
        history.push(var);
        let stmt = made.get(&var)?;
        let before = match &stmt.op {
            Op::Kernel(kernel) => match &kernel.sink {
                Sink::Write
                | Sink::Rows { .. }
                | Sink::Pack
                | Sink::Keep
                | Sink::Join
                | Sink::Scan { .. }
                | Sink::Sort(_) => {
                    return Some(history);
                }
                Sink::Scatter { into, .. } | Sink::Append { into } => into[position(stmt, var)],
                Sink::Reduce { .. } | Sink::Fold { .. } => return None,
            },
            Op::Update { array, .. } => *array,
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::If { .. }
            | Op::Loop(_) => return None,
        };
        match params.get(&before) {
            // Copied, and then changed.
            Some(field) => return field.path.is_empty().then_some(history),
            None if !last.is_last(*stmt, before) => return Some(history),
            None => var = before,
        }
    }
}

fn is_scalar(function: &Function, var: Var) -> bool {
    matches!(
        function.vars[var.index()].ty,
        Layout::Plain(VarType::Scalar(_))
    )
}

fn position(stmt: &Stmt, var: Var) -> usize {
    let position = stmt.outs.iter().position(|out| *out == var);
    position.expect("a statement defines its outs")
}
