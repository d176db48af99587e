//! What is the same in every round of a loop or at every index, computed once.
//!
//! In: a lowered function. Out: the same, in which reductions, scans, folds and sorts that depend on nothing
//! of the body that they stand in stand in front of the operation or loop, with what they need. Assumes that
//! variables are assigned once.
//!
//! Note \[Invariants\]. `for x in xs { x / xs.sum() }` is what one writes, and what is meant is one sum. What
//! moves may run where the program would not have come to it: at no index at all, or in a branch that is
//! taken nowhere. So it must neither fail nor read out of range there, whatever is known in the body alone:
//! it has no check and no loop (which might not end), and reads arrays at the indices of operations over all of
//! them, or rows by their offsets (`reads`, below). Scalar operations are total: a quotient by 0 is some number.
//! Extents that are differences end at 0 (`extents`, below).
//! Behind a check, or in a branch, it goes over what is in memory already: `0..n` may
//! be what the check is about.

use super::ir::{Atom, Body, Consumer, Function, Op, Par, Stmt, VarInfo, VarType};
use super::registers::MOST;
use super::uses::each_use;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;

mod extents;
mod reads;

/// Takes what is the same in all rounds out of the bodies of a function.
pub(super) fn invariants_outside(mut function: Function) -> Function {
    let mut pass = Pass {
        vars: &function.vars,
        indices: HashMap::default(),
        defs: HashMap::default(),
        offsets: reads::offsets(&function),
    };
    let body = pass.body(std::mem::take(&mut function.body));
    function.body = body;
    function
}

struct Pass<'f> {
    vars: &'f [VarInfo],
    /// How many indices an index variable runs over.
    indices: HashMap<Var, Atom>,
    /// How scalars are computed.
    defs: HashMap<Var, Op>,
    /// Of what is in rows: where these begin.
    offsets: HashMap<Var, Var>,
}

/// What stands in a body and may move out of it.
struct Found {
    /// What a statement that may move defines.
    outs: Vec<Var>,
    /// Whether it is worth it by itself.
    is_dear: bool,
    uses: HashSet<Var>,
}

/// The search of a body for what may move.
struct Search {
    /// What is defined in it and stays.
    inside: HashSet<Var>,
    /// Arrays that are its own.
    whole: HashSet<Var>,
    /// In order.
    found: Vec<Found>,
}

impl Pass<'_> {
    fn body(&mut self, body: Body) -> Body {
        let Body { stmts, results } = body;
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.stmt(stmt, &mut out);
        }
        Body {
            stmts: out,
            results,
        }
    }

    /// Writes a statement to `out`, behind what of it stands outside.
    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        match &mut stmt.op {
            Op::If { then, else_, .. } => {
                self.each(then);
                self.each(else_);
            }
            Op::Loop(it) => {
                for body in [&mut it.cond, &mut it.body] {
                    self.each(body);
                    self.take(body, &it.params, false, out);
                }
            }
            Op::Par(par) => {
                if let Consumer::Rows { offsets } = &par.consumer {
                    let outs = stmt.outs.iter().copied();
                    self.offsets.extend(outs.zip(offsets.iter().copied()));
                }
                self.par(par, out);
            }
            Op::Scalar(..) | Op::Read { .. } | Op::Len { .. } => {
                if let [var] = stmt.outs[..] {
                    self.defs.insert(var, stmt.op.clone());
                }
            }
            Op::Check { .. } | Op::Literal(_) | Op::Update { .. } => {}
        }
        out.push(stmt);
    }

    fn each(&mut self, body: &mut Body) {
        *body = self.body(std::mem::take(body));
    }

    fn par(&mut self, par: &mut Par, out: &mut Vec<Stmt>) {
        self.indices.insert(par.index, par.extent);
        self.each(&mut par.body);
        self.take(&mut par.body, &[par.index], true, out);
        match &mut par.consumer {
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {}
            Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                let operands = [&combine.left[..], &combine.right].concat();
                self.each(&mut combine.body);
                self.take(&mut combine.body, &operands, false, out);
            }
            Consumer::Fold {
                acc, elem, step, ..
            } => {
                let operands = [&acc[..], elem].concat();
                self.each(step);
                self.take(step, &operands, false, out);
            }
        }
    }

    /// Moves what can and should stand outside of `body` to `out`; `own` are the body's variables. `certain`:
    /// every index comes to it.
    fn take(&self, body: &mut Body, own: &[Var], certain: bool, out: &mut Vec<Stmt>) {
        let mut search = Search {
            inside: own.iter().copied().collect(),
            whole: HashSet::default(),
            found: Vec::new(),
        };
        self.add_whole(body, &mut search.whole);
        self.find(body, certain, &mut search);
        let mut needed = HashSet::default();
        let mut wanted = HashSet::default();
        for it in search.found.into_iter().rev() {
            if it.is_dear || it.outs.iter().any(|out| needed.contains(out)) {
                wanted.extend(it.outs);
                needed.extend(it.uses);
            }
        }
        if !wanted.is_empty() {
            let before = out.len();
            drain(body, &wanted, out);
            self.bound_extents(&mut out[before..]);
        }
    }

    /// Finds what of a body may move.
    fn find(&self, body: &Body, mut certain: bool, search: &mut Search) {
        for stmt in &body.stmts {
            let uses = self.uses(stmt);
            let stays =
                stmt.outs.is_empty() || stmt.outs.iter().any(|out| search.whole.contains(out));
            if !stays && uses.is_disjoint(&search.inside) && self.may_move(&stmt.op, certain) {
                search.found.push(Found {
                    outs: stmt.outs.clone(),
                    is_dear: is_dear(&stmt.op),
                    uses,
                });
                continue;
            }
            if let Op::If { then, else_, .. } = &stmt.op {
                self.find(then, false, search);
                self.find(else_, false, search);
            }
            certain &= !stmt.checks();
            search.inside.extend(&stmt.outs);
        }
    }

    /// Adds the arrays of a body that are more than read: what it yields it has to make itself, and what changes
    /// or goes round a loop is its own.
    fn add_whole(&self, body: &Body, whole: &mut HashSet<Var>) {
        let is_array = |var: &Var| matches!(self.vars[var.index()].ty, VarType::Array(_));
        let arrays = |atoms: &[Atom]| -> Vec<Var> {
            let vars = atoms.iter().copied().filter_map(variable);
            vars.filter(is_array).collect()
        };
        whole.extend(arrays(&body.results));
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Update { array, .. } => {
                    whole.insert(*array);
                }
                Op::If { then, else_, .. } => {
                    self.add_whole(then, whole);
                    self.add_whole(else_, whole);
                }
                Op::Loop(it) => {
                    whole.extend(arrays(&it.init));
                    self.add_whole(&it.cond, whole);
                    self.add_whole(&it.body, whole);
                }
                Op::Par(par) => {
                    self.add_whole(&par.body, whole);
                    match &par.consumer {
                        Consumer::Scatter { into: them, .. } | Consumer::Rows { offsets: them } => {
                            whole.extend(them)
                        }
                        Consumer::Fold { init, step, .. } => {
                            whole.extend(arrays(init));
                            self.add_whole(step, whole);
                        }
                        Consumer::Build
                        | Consumer::Reduce { .. }
                        | Consumer::Scan { .. }
                        | Consumer::Sort(_) => {}
                    }
                }
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_) => {}
            }
        }
    }

    /// The variables that a statement uses, and the types of what it defines.
    fn uses(&self, stmt: &Stmt) -> HashSet<Var> {
        let mut uses = HashSet::default();
        each_use(&stmt.op, &mut |var| {
            uses.insert(var);
        });
        for out in &stmt.outs {
            if let VarType::Array(ty) = &self.vars[out.index()].ty {
                let extents = ty.dims.iter().map(|dim| dim.value);
                uses.extend(extents.filter_map(variable));
            }
        }
        uses
    }

    /// Whether an operation that uses nothing of a body can stand in front of it.
    fn may_move(&self, op: &Op, certain: bool) -> bool {
        match op {
            Op::Scalar(..) | Op::Len { .. } | Op::Literal(_) => true,
            Op::Read { array, index } => self.is_in_range(*array, index),
            Op::Update { .. } | Op::Check { .. } | Op::Loop(_) => false,
            Op::If { then, else_, .. } => [then, else_]
                .iter()
                .all(|body| self.all_may_move(body, certain)),
            Op::Par(par) => self.par_may_move(par, certain),
        }
    }

    fn all_may_move(&self, body: &Body, certain: bool) -> bool {
        let mut stmts = body.stmts.iter();
        stmts.all(|stmt| self.may_move(&stmt.op, certain))
    }

    fn par_may_move(&self, par: &Par, certain: bool) -> bool {
        let consumes = match &par.consumer {
            Consumer::Build | Consumer::Sort(_) => true,
            Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                self.all_may_move(&combine.body, certain)
            }
            Consumer::Fold { step, .. } => self.all_may_move(step, certain),
            // These write where others say.
            Consumer::Rows { .. } | Consumer::Scatter { .. } => false,
        };
        consumes
            && (certain || self.is_in_memory(par.extent))
            && self.all_may_move(&par.body, certain)
    }
}

/// Moves the statements that define `wanted` to `out`.
fn drain(body: &mut Body, wanted: &HashSet<Var>, out: &mut Vec<Stmt>) {
    let mut stay = Vec::with_capacity(body.stmts.len());
    for mut stmt in std::mem::take(&mut body.stmts) {
        if stmt.outs.first().is_some_and(|var| wanted.contains(var)) {
            out.push(stmt);
            continue;
        }
        if let Op::If { then, else_, .. } = &mut stmt.op {
            drain(then, wanted, out);
            drain(else_, wanted, out);
        }
        stay.push(stmt);
    }
    body.stmts = stay;
}

/// Whether an operation goes through many elements, and not only where what it makes is read.
fn is_dear(op: &Op) -> bool {
    let any = |body: &Body| body.stmts.iter().any(|stmt| is_dear(&stmt.op));
    match op {
        Op::Par(par) => {
            let few = matches!(par.extent, Atom::Const(it) if it.bits <= MOST);
            let builds = matches!(par.consumer, Consumer::Build);
            !few && !builds || any(&par.body)
        }
        Op::If { then, else_, .. } => any(then) || any(else_),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Loop(_) => false,
    }
}

fn variable(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}
