//! Loops of which each trip computes whole arrays from those of the trip before, near by.
//!
//! In: a fused function. Out: the same, in which such loops know how far a trip reads (`Loop::reach`),
//! so that a backend may take a part of the arrays through several trips at once. Assumes that what
//! a kernel reads is in range, or a check of it fails.
//!
//! A loop qualifies if its body is one kernel that writes all arrays of the state over their whole
//! index space, or hands one on as another, and if all else in it (counters, the condition) is scalars
//! that do not depend on these arrays and cannot fail. The kernel must read some of them: a trip that
//! does not is as fast by itself. An array that is handed on becomes one more
//! output of the kernel, so that all arrays of the state are of the same trip.

use crate::fused::beyond::beyond;
use crate::fused::ir::{Body, Function, Kernel, Layout, Loop, Op, Reach, Sink, Stmt, VarInfo};
use crate::fused::liveness::uses_of_kernel;
use crate::fused::near::{MOST, Near};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, VarType};

/// Finds the loops of `function`.
pub fn mark(function: &mut Function) {
    let mut defs = Defs::default();
    define(&function.body, &mut defs);
    mark_body(
        &mut function.body,
        &mut function.vars,
        &defs,
        Equal::default(),
    );
}

/// What scalars are.
pub(super) type Defs = HashMap<Var, Def>;

pub(super) enum Def {
    Scalar(ScalarOp, Vec<Atom>),
    /// One of two.
    Either(Atom, Atom),
}

/// Sizes that a check has found to be equal.
#[derive(Clone, Default)]
pub(super) struct Equal(HashMap<Var, Atom>);

impl Equal {
    /// One of those that are equal.
    fn of(&self, mut atom: Atom) -> Atom {
        while let Atom::Var(var) = atom
            && let Some(other) = self.0.get(&var)
        {
            atom = *other;
        }
        atom
    }

    pub(super) fn are(&self, a: Atom, b: Atom) -> bool {
        self.of(a) == self.of(b)
    }

    /// After a check that `ok` holds.
    fn learn(&mut self, ok: Atom, defs: &Defs) {
        let Atom::Var(ok) = ok else { return };
        let Some(Def::Scalar(ScalarOp::Eq, args)) = defs.get(&ok) else {
            return;
        };
        match (self.of(args[0]), self.of(args[1])) {
            (a, b) if a == b => {}
            (other, Atom::Var(var)) | (Atom::Var(var), other) => {
                self.0.insert(var, other);
            }
            (Atom::Const(_), Atom::Const(_)) => {}
        }
    }
}

pub(super) fn define(body: &Body, defs: &mut Defs) {
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(op, args) => {
                defs.insert(stmt.outs[0], Def::Scalar(*op, args.clone()));
            }
            Op::If { then, else_, .. } => {
                let sides = then.results.iter().zip(&else_.results);
                for (out, (a, b)) in stmt.outs.iter().zip(sides) {
                    defs.insert(*out, Def::Either(*a, *b));
                }
                define(then, defs);
                define(else_, defs);
            }
            Op::Loop(it) => {
                define(&it.cond, defs);
                define(&it.body, defs);
            }
            Op::Kernel(it) => define(&it.body, defs),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
}

fn mark_body(body: &mut Body, vars: &mut Vec<VarInfo>, defs: &Defs, mut equal: Equal) {
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::If { then, else_, .. } => {
                mark_body(then, vars, defs, equal.clone());
                mark_body(else_, vars, defs, equal.clone());
            }
            Op::Loop(it) => {
                mark_body(&mut it.body, vars, defs, equal.clone());
                it.reach = reach(it, vars, defs, &equal);
                if it.reach.is_some() {
                    write_all(it, vars);
                    add_beyond(it, vars, defs, &equal);
                }
            }
            Op::Check { ok, .. } => equal.learn(*ok, defs),
            Op::Scalar(..)
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::Kernel(_) => {}
        }
    }
}

/// The extents of an array of scalars.
fn dims(vars: &[VarInfo], var: Var) -> Option<Vec<Atom>> {
    match &vars[var.index()].ty {
        Layout::Plain(VarType::Array(ty)) => Some(ty.dims.iter().map(|dim| dim.value).collect()),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            None
        }
    }
}

/// The arrays of a loop's state.
pub fn states(it: &Loop, vars: &[VarInfo]) -> Vec<Var> {
    let params = it.params.iter().copied();
    params
        .filter(|param| dims(vars, *param).is_some())
        .collect()
}

/// The kernel of a trip.
pub fn kernel(it: &Loop) -> Option<(&Stmt, &Kernel)> {
    it.body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Kernel(kernel) => Some((stmt, kernel)),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => None,
    })
}

/// How far from its own index an element reads the arrays of the trip before, if the loop qualifies.
fn reach(it: &Loop, vars: &[VarInfo], defs: &Defs, equal: &Equal) -> Option<Reach> {
    let (stmt, kernel) = kernel(it)?;
    let states = states(it, vars);
    let made: Vec<Var> = states.iter().chain(&stmt.outs).copied().collect();
    let others = it
        .body
        .stmts
        .iter()
        .filter(|other| !std::ptr::eq(*other, stmt));
    let apart = it
        .cond
        .stmts
        .iter()
        .chain(others)
        .all(|stmt| is_apart(stmt, &made));
    let whole = |var: &Var| {
        let dims = dims(vars, *var).unwrap_or_default();
        let mut pairs = dims.iter().zip(&kernel.extents);
        dims.len() == kernel.extents.len() && pairs.all(|(a, b)| equal.are(*a, *b))
    };
    let mut used = HashSet::default();
    uses_of_kernel(kernel, &mut used);
    let fixed = |atom: &Atom| !matches!(atom, Atom::Var(var) if it.params.contains(var));
    let next = it.params.iter().zip(&it.body.results);
    let next = next
        .filter(|(param, _)| states.contains(param))
        .all(|(_, next)| matches!(next, Atom::Var(var) if made.contains(var)));
    let qualifies = matches!(kernel.sink, Sink::Write)
        && !kernel.nest
        && states.iter().any(|state| used.contains(state))
        && states.iter().all(whole)
        && kernel.extents.iter().all(fixed)
        && apart
        && next;
    if !qualifies {
        return None;
    }
    let along = |axis| {
        let near = Near {
            vars,
            defs,
            equal,
            kernel,
            states: &states,
            axis,
        };
        // Strips of rows have no columns of the other end.
        let near = near.reach().filter(|it| axis == 0 || !it.round)?;
        (near.most <= MOST).then_some(near.most as usize)
    };
    Some(Reach {
        rows: along(0)?,
        inner: (1..kernel.extents.len()).map(along).collect(),
        beyond: None,
    })
}

/// Adds the kernel's body for arrays with rows beyond both ends, if the rows go on from the other end.
fn add_beyond(it: &mut Loop, vars: &mut Vec<VarInfo>, defs: &Defs, equal: &Equal) {
    let Some((_, kernel)) = kernel(it) else {
        return;
    };
    let near = Near {
        vars,
        defs,
        equal,
        kernel,
        states: &states(it, vars),
        axis: 0,
    };
    if !near.reach().is_some_and(|it| it.round) {
        return;
    }
    let (body, all) = beyond(&near);
    *vars = all;
    if let Some(reach) = &mut it.reach {
        reach.beyond = Some(body);
    }
}

/// Whether a statement is about scalars only, which do not depend on the arrays `made`, and cannot
/// fail.
fn is_apart(stmt: &Stmt, made: &[Var]) -> bool {
    match &stmt.op {
        Op::Scalar(..) => true,
        Op::Len { array, .. } | Op::Read { array, .. } => !made.contains(array),
        Op::If { then, else_, .. } => {
            let mut both = then.stmts.iter().chain(&else_.stmts);
            both.all(|stmt| is_apart(stmt, made))
        }
        Op::Check { .. } | Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => {
            false
        }
    }
}

/// Makes each array of the next state an output of its own, in the order of the state.
fn write_all(it: &mut Loop, vars: &mut Vec<VarInfo>) {
    let states = states(it, vars);
    let Some(stmt) = it
        .body
        .stmts
        .iter_mut()
        .find(|stmt| matches!(stmt.op, Op::Kernel(_)))
    else {
        return;
    };
    let Op::Kernel(kernel) = &mut stmt.op else {
        return;
    };
    let (mut outs, mut results) = (Vec::new(), Vec::new());
    for (param, next) in it.params.iter().zip(&mut it.body.results) {
        let Atom::Var(var) = *next else { continue };
        if !states.contains(param) {
            continue;
        }
        let made = stmt.outs.iter().position(|out| *out == var);
        match made {
            Some(at) if !outs.contains(&var) => {
                outs.push(var);
                results.push(kernel.body.results[at]);
                continue;
            }
            Some(at) => results.push(kernel.body.results[at]),
            None => {
                let info = vars[var.index()].clone();
                let Layout::Plain(VarType::Array(ty)) = &info.ty else {
                    continue;
                };
                let ty = Layout::Plain(VarType::Scalar(ty.elem));
                let out = Var::next(vars);
                vars.push(VarInfo { ty, ..info.clone() });
                let (array, index) = (var, Atom::Var(kernel.index));
                let op = Op::Read { array, index };
                kernel.body.stmts.push(Stmt {
                    outs: vec![out],
                    op,
                    src: stmt.src,
                });
                results.push(Atom::Var(out));
            }
        }
        let out = Var::next(vars);
        let info = vars[var.index()].clone();
        vars.push(info);
        outs.push(out);
        *next = Atom::Var(out);
    }
    stmt.outs = outs;
    kernel.body.results = results;
}
