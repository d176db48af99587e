//! Where results are written.
//!
//! In: a fused function. Out: the arrays that live in the caller's memory from the start: results,
//! and what is changed in place to become one, in branches of conditionals too. All others are handed
//! over at the end. Assumes the last uses of the same function.

use crate::emit::rust::reads::Arrays;
use crate::fused::ir::{Body, Function, Layout, Op, Sink, SortOf, Stmt};
use crate::fused::liveness::LastUses;
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// The number of the result that an array becomes.
pub type Places = HashMap<Var, usize>;

/// Places the arrays of `function`, whose parameters are `params`.
pub fn places(function: &Function, params: &Arrays, last: &LastUses) -> Places {
    let mut places = Places::default();
    for (result, atom) in function.body.results.iter().enumerate() {
        let mut histories = Histories {
            params,
            last,
            arrays: Vec::new(),
        };
        if let Atom::Var(var) = atom
            && !is_scalar(function, *var)
            && !places.contains_key(var)
            && histories.trace(*var, &function.body) == Some(Start::Fresh)
        {
            places.extend(histories.arrays.into_iter().map(|var| (var, result)));
        }
    }
    places
}

/// Where the first of several arrays starts, each the one before with changes made in place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// In memory that a statement writes, or copies to.
    Fresh,
    /// It is an array from outside of the body, changed.
    Changed(Var),
    /// It is an array from outside of the body, as that is.
    Outside(Var),
}

struct Histories<'a> {
    params: &'a Arrays,
    last: &'a LastUses,
    /// What is to be in the caller's memory.
    arrays: Vec<Var>,
}

impl Histories<'_> {
    /// Adds the arrays of a body of which `var` is the last; `None` if the first of them cannot start in the
    /// caller's memory.
    fn trace(&mut self, mut var: Var, body: &Body) -> Option<Start> {
        let mut is_changed = false;
        loop {
            let mut stmts = body.stmts.iter();
            let Some(stmt) = stmts.find(|stmt| stmt.outs.contains(&var)) else {
                return Some(match is_changed {
                    true => Start::Changed(var),
                    false => Start::Outside(var),
                });
            };
            self.arrays.push(var);
            is_changed = true;
            let before = match &stmt.op {
                Op::Kernel(kernel) => match &kernel.sink {
                    Sink::Write
                    | Sink::Rows { .. }
                    | Sink::Pack
                    | Sink::Keep
                    | Sink::Join
                    | Sink::Scan { .. }
                    | Sink::Sort(SortOf::Keys(_) | SortOf::Elements(_)) => {
                        return Some(Start::Fresh);
                    }
                    Sink::Scatter { into, .. } | Sink::Append { into } => into[position(stmt, var)],
                    Sink::Reduce { .. } | Sink::Fold { .. } | Sink::Sort(SortOf::At(..)) => {
                        return None;
                    }
                },
                Op::Update { array, .. } => *array,
                Op::If { then, else_, .. } => {
                    match self.branches([then, else_], position(stmt, var))? {
                        // Each branch goes on from it, and that is its last use.
                        Start::Changed(before) | Start::Outside(before) => {
                            var = before;
                            continue;
                        }
                        Start::Fresh => return Some(Start::Fresh),
                    }
                }
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Loop(_) => return None,
            };
            match self.params.get(&before) {
                // Copied, and then changed.
                Some(field) => return field.path.is_empty().then_some(Start::Fresh),
                None if !self.last.is_last(stmt, before) => return Some(Start::Fresh),
                None => var = before,
            }
        }
    }

    /// The same for what branches yield: one may yield an array from outside that is copied, if the other makes
    /// its own; or both go on from the same.
    fn branches(&mut self, sides: [&Body; 2], result: usize) -> Option<Start> {
        let [then, else_] = sides.map(|side| match side.results[result] {
            Atom::Var(var) => self.trace(var, side),
            Atom::Const(_) => None,
        });
        match (then?, else_?) {
            (Start::Fresh, Start::Fresh | Start::Outside(_))
            | (Start::Outside(_), Start::Fresh) => Some(Start::Fresh),
            (Start::Changed(a), Start::Changed(b) | Start::Outside(b))
            | (Start::Outside(a), Start::Changed(b)) => {
                (a == b && !self.params.contains_key(&a)).then_some(Start::Changed(a))
            }
            (Start::Outside(_), Start::Outside(_))
            | (Start::Fresh, Start::Changed(_))
            | (Start::Changed(_), Start::Fresh) => None,
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
