//! What reads an array that is the value of a conditional, moved into its branches.
//!
//! In: a lowered function. Out: the same, in which operations that read the value of an `if` index by index
//! stand in both branches, with what they need that depends on it. Assumes that variables are assigned once.
//!
//! Note \[Readers in branches\]. After `let ys = if up { xs.map(f) } else { xs }; ys.map(g).sum()` an element of
//! `ys` is what the condition says, so it would have to be in memory, with a copy of `xs`. A branch that sums
//! as well is a program without conditionals: all of it fuses, and where there is nothing to do, nothing is
//! copied. Only one branch runs, so no work is done twice; there is twice the code of what moves, so it is not
//! to be much. With the readers moves what they need that depends on the conditional, and what depends on it and
//! checks something, since reads may rest on that: so those that come after such a check move, too. What else does
//! not depend on the conditional goes in front of it, unless that changes an array that is read in what it
//! passes; what else depends on it stays behind. What prints stays in order: where anything does, nothing moves.

use super::copy::{Copier, as_var as variable};
use super::ir::{Atom, Body, Consumer, Function, Op, Par, Stmt, VarInfo, VarType};
use super::uses::each_use;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;

/// How many statements move, those in bodies included.
const MOST: usize = 100;

/// How many parallel operations are among them.
const MOST_OPERATIONS: usize = 12;

/// How many of these a function gets more than it had: each arm of a `match` is a conditional in the one before.
const MOST_COPIES: usize = 36;

/// Moves what reads values of conditionals into their branches.
pub(super) fn readers_into_branches(mut function: Function) -> Function {
    if !function.prints() {
        let mut pass = Pass {
            vars: &mut function.vars,
            copies: 0,
        };
        pass.body(&mut function.body);
    }
    function
}

struct Pass<'f> {
    vars: &'f mut Vec<VarInfo>,
    /// How many parallel operations have been copied.
    copies: usize,
}

/// What becomes of the statements behind a conditional up to the last that moves, by position, in order.
struct Moving {
    /// They move into both branches.
    inside: Vec<usize>,
    /// They depend on the conditional, and stay behind it.
    behind: Vec<usize>,
    last: usize,
    /// How many parallel operations move.
    operations: usize,
}

impl Pass<'_> {
    /// The last conditional first: what reads it may go on into one before.
    fn body(&mut self, body: &mut Body) {
        for at in (0..body.stmts.len()).rev() {
            let at = match self.moving(body, at) {
                Some(moving) => self.take_in(body, at, &moving),
                None => at,
            };
            match &mut body.stmts[at].op {
                Op::If { then, else_, .. } => {
                    self.body(then);
                    self.body(else_);
                }
                Op::Loop(it) => self.body(&mut it.body),
                Op::Par(par) => self.body(&mut par.body),
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. } => {}
            }
        }
    }

    /// What is to move into the conditional at `at`.
    fn moving(&self, body: &Body, at: usize) -> Option<Moving> {
        let Op::If { then, else_, .. } = &body.stmts[at].op else {
            return None;
        };
        let made = [then, else_].map(made_by_element);
        let outs = body.stmts[at].outs.iter().enumerate();
        let values = outs.filter(|(value, _)| {
            let mut sides = [then, else_].into_iter().zip(&made);
            sides.any(|(side, made)| made.contains(&side.results[*value]))
        });
        let readers = all_readers(body, at, values.map(|(_, out)| *out).collect());
        let last = *readers.iter().max()?;
        let (inside, behind) = self.sorted(body, at, &readers, last);
        let (mut stmts, mut operations) = (0, 0);
        for it in &inside {
            add_size(&body.stmts[*it], &mut stmts, &mut operations);
        }
        let few = stmts <= MOST
            && operations <= MOST_OPERATIONS
            && self.copies + operations <= MOST_COPIES;
        let moving = Moving {
            inside,
            behind,
            last,
            operations,
        };
        (few && self.may_change_places(body, at, &moving)).then_some(moving)
    }

    /// The statements behind `at` that have to move with the readers, and those that may stay behind.
    fn sorted(
        &self,
        body: &Body,
        at: usize,
        readers: &[usize],
        last: usize,
    ) -> (Vec<usize>, Vec<usize>) {
        let stmts = &body.stmts[..=last];
        let mut defined: HashSet<Var> = stmts[at].outs.iter().copied().collect();
        let (mut dependent, mut is_checked) = (Vec::new(), false);
        for (next, stmt) in stmts.iter().enumerate().skip(at + 1) {
            let rests = is_checked && !matches!(stmt.op, Op::Scalar(..) | Op::Len { .. });
            if rests || !self.uses(stmt).is_disjoint(&defined) {
                defined.extend(&stmt.outs);
                dependent.push(next);
                is_checked |= stmt.checks();
            }
        }
        let mut needed: HashSet<Var> = HashSet::default();
        let (mut inside, mut behind) = (Vec::new(), Vec::new());
        for next in dependent.into_iter().rev() {
            let stmt = &stmts[next];
            let is_needed = stmt.outs.iter().any(|out| needed.contains(out));
            if is_needed || readers.contains(&next) || stmt.checks() {
                needed.extend(self.uses(stmt));
                inside.push(next);
            } else {
                behind.push(next);
            }
        }
        inside.reverse();
        behind.reverse();
        (inside, behind)
    }

    /// Whether what does not depend on the conditional may go in front of it: it changes no array that is read in
    /// what it now comes before.
    fn may_change_places(&self, body: &Body, at: usize, moving: &Moving) -> bool {
        let (mut used, mut changed) = (HashSet::default(), HashSet::default());
        for next in at..=moving.last {
            let stmt = &body.stmts[next];
            if next == at || moving.inside.contains(&next) || moving.behind.contains(&next) {
                used.extend(self.uses(stmt));
            } else {
                add_changed(&stmt.op, &mut changed);
            }
        }
        let is_array = |var: &Var| matches!(self.vars[var.index()].ty, VarType::Array(_));
        !used.intersection(&changed).any(is_array)
    }

    /// Moves statements into both branches of the conditional at `at`; gives where that stands then.
    fn take_in(&mut self, body: &mut Body, at: usize, moving: &Moving) -> usize {
        self.copies += moving.operations;
        let rest = body.stmts.split_off(moving.last + 1);
        let mut stmts = body.stmts.split_off(at).into_iter().zip(at..);
        let (conditional, _) = stmts.next().expect("the conditional stands there");
        let (mut inside, mut behind) = (Vec::new(), Vec::new());
        for (stmt, next) in stmts {
            if moving.inside.contains(&next) {
                inside.push(stmt);
            } else if moving.behind.contains(&next) {
                behind.push(stmt);
            } else {
                body.stmts.push(stmt);
            }
        }
        behind.extend(rest);
        let outs = self.needed(&conditional, &inside, &behind, &body.results);
        let at = body.stmts.len();
        let conditional = self.with_readers(conditional, &inside, outs);
        body.stmts.push(conditional);
        body.stmts.extend(behind);
        at
    }

    /// What the conditional and the statements that move into it define and others need, in order.
    fn needed(
        &self,
        conditional: &Stmt,
        inside: &[Stmt],
        rest: &[Stmt],
        results: &[Atom],
    ) -> Vec<Var> {
        let mut used: HashSet<Var> = results.iter().copied().filter_map(variable).collect();
        rest.iter().for_each(|stmt| used.extend(self.uses(stmt)));
        let stmts = std::iter::once(conditional).chain(inside);
        let defined: Vec<Var> = stmts.flat_map(|stmt| stmt.outs.iter().copied()).collect();
        // Extents are defined before what has them.
        for var in defined.iter().rev() {
            if used.contains(var) {
                self.add_extents(*var, &mut used);
            }
        }
        defined
            .into_iter()
            .filter(|var| used.contains(var))
            .collect()
    }

    fn with_readers(&mut self, conditional: Stmt, inside: &[Stmt], outs: Vec<Var>) -> Stmt {
        let Stmt {
            outs: values,
            op,
            src,
        } = conditional;
        let Op::If { cond, then, else_ } = op else {
            unreachable!("the statement is a conditional")
        };
        let results: Vec<Atom> = outs.iter().copied().map(Atom::Var).collect();
        let [then, else_] = [then, else_].map(|side| {
            let mut copy = Copier {
                vars: self.vars,
                names: HashMap::from_iter(values.iter().copied().zip(side.results)),
            };
            let Body { stmts, results } = copy.body(inside, &results);
            Body {
                stmts: [side.stmts, stmts].concat(),
                results,
            }
        });
        let op = Op::If { cond, then, else_ };
        Stmt { outs, op, src }
    }

    /// The variables that a statement uses, with the extents of all arrays that stand in it.
    fn uses(&self, stmt: &Stmt) -> HashSet<Var> {
        let mut uses = HashSet::default();
        each_use(&stmt.op, &mut |var| {
            uses.insert(var);
            self.add_extents(var, &mut uses);
        });
        stmt.outs
            .iter()
            .for_each(|out| self.add_extents(*out, &mut uses));
        uses
    }

    fn add_extents(&self, var: Var, to: &mut HashSet<Var>) {
        if let VarType::Array(ty) = &self.vars[var.index()].ty {
            to.extend(ty.dims.iter().filter_map(|dim| variable(dim.value)));
        }
    }
}

/// The arrays of a body that are made element by element, on one side of a conditional at least.
fn made_by_element(body: &Body) -> HashSet<Atom> {
    let mut made = HashSet::default();
    for stmt in &body.stmts {
        if by_element(stmt).is_some() {
            made.extend(stmt.outs.iter().copied().map(Atom::Var));
        }
        if let Op::If { then, else_, .. } = &stmt.op {
            for side in [then, else_] {
                let inner = made_by_element(side);
                let outs = stmt.outs.iter().zip(&side.results);
                let outs = outs.filter(|(_, result)| inner.contains(result));
                made.extend(outs.map(|(out, _)| Atom::Var(*out)));
            }
        }
    }
    made
}

/// The operation of a statement, if its outs are arrays that it makes element by element.
fn by_element(stmt: &Stmt) -> Option<&Par> {
    match &stmt.op {
        Op::Par(par) if matches!(par.consumer, Consumer::Build | Consumer::Scan { .. }) => {
            Some(par)
        }
        _other => None,
    }
}

/// The statements behind `at` that read these arrays, or what they make of them, index by index, as all do that
/// use an array which is read so.
fn all_readers(body: &Body, at: usize, mut arrays: Vec<Var>) -> Vec<usize> {
    let (mut all, mut next) = (Vec::new(), 0);
    while next < arrays.len() {
        for reader in readers(body, at, arrays[next]).unwrap_or_default() {
            all.push(reader);
            let stmt = &body.stmts[reader];
            if by_element(stmt).is_some() {
                let made = stmt.outs.iter().filter(|out| !arrays.contains(out));
                let made: Vec<Var> = made.copied().collect();
                arrays.extend(made);
            }
        }
        next += 1;
    }
    all
}

/// The statements behind `at` that use an array, if all read it index by index. (The body may yield it, too.)
fn readers(body: &Body, at: usize, array: Var) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for (position, stmt) in body.stmts.iter().enumerate().skip(at + 1) {
        let mut uses = 0;
        each_use(&stmt.op, &mut |var| uses += usize::from(var == array));
        if uses == 0 {
            continue;
        }
        if reads_in_order(&stmt.op, array, &mut HashSet::default()) < uses {
            return None;
        }
        found.push(position);
    }
    Some(found)
}

/// How often an operation, or one in the branches of a conditional, reads an array at what is computed from the
/// operation's index; `indices` are those around it, and what is computed from them.
fn reads_in_order(op: &Op, array: Var, indices: &mut HashSet<Var>) -> usize {
    let of = |body: &Body, indices: &mut HashSet<Var>| -> usize {
        let stmts = body.stmts.iter();
        stmts.map(|stmt| reads_of(stmt, array, indices)).sum()
    };
    match op {
        Op::Par(par) => {
            indices.insert(par.index);
            of(&par.body, indices)
        }
        // Of elements it may be either; it is computed once in any case.
        Op::If { then, else_, .. } => of(then, indices) + of(else_, indices),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Loop(_) => 0,
    }
}

fn reads_of(stmt: &Stmt, array: Var, indices: &mut HashSet<Var>) -> usize {
    match &stmt.op {
        Op::Scalar(_, args) if variables(args).any(|it| indices.contains(&it)) => {
            indices.extend(&stmt.outs);
            0
        }
        Op::Read { array: read, index } if *read == array => {
            let mut index = variables(index).peekable();
            let is_somewhere = index.peek().is_some();
            usize::from(is_somewhere && index.all(|it| indices.contains(&it)))
        }
        op => reads_in_order(op, array, indices),
    }
}

/// Adds the arrays that an operation may change, or hold on to.
fn add_changed(op: &Op, to: &mut HashSet<Var>) {
    match op {
        Op::Update { array, .. } => {
            to.insert(*array);
        }
        Op::If { .. } | Op::Loop(_) => each_use(op, &mut |var| {
            to.insert(var);
        }),
        Op::Par(par) => match &par.consumer {
            Consumer::Scatter { into, .. } => to.extend(into),
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Fold { .. }
            | Consumer::Sort(_) => {
                let stmts = par.body.stmts.iter();
                stmts.for_each(|stmt| add_changed(&stmt.op, to));
            }
        },
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) => {}
    }
}

/// Counts a statement and those of its bodies, and the parallel operations among them.
fn add_size(stmt: &Stmt, stmts: &mut usize, operations: &mut usize) {
    *stmts += 1;
    let mut add = |body: &Body| {
        let inner = body.stmts.iter();
        inner.for_each(|stmt| add_size(stmt, stmts, operations));
    };
    match &stmt.op {
        Op::If { then, else_, .. } => [then, else_].into_iter().for_each(add),
        Op::Loop(it) => [&it.cond, &it.body].into_iter().for_each(add),
        Op::Par(par) => {
            add(&par.body);
            match &par.consumer {
                Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                    add(&combine.body);
                }
                Consumer::Fold { step, .. } => add(step),
                Consumer::Build
                | Consumer::Rows { .. }
                | Consumer::Scatter { .. }
                | Consumer::Sort(_) => {}
            }
            *operations += 1;
        }
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => {}
    }
}

fn variables(atoms: &[Atom]) -> impl Iterator<Item = Var> {
    atoms.iter().copied().filter_map(variable)
}
