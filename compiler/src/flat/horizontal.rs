//! Reductions that share what they read, as one reduction of a product.
//!
//! In: the body of a function. Out: the same values in the same order of combination, component by
//! component. Assumes what `flatten.rs` leaves: a reduction's body holds scalars.
//!
//! Note \[Horizontal fusion\]. Several reductions of one array read it several times, and an array
//! with several readers is stored if it is dear. Two reductions of one body become one if they run
//! over equal spaces, share an array that somebody has to read or compute ([`Producers`]), and are
//! of one class: operators in lanes would lose them to one in order. Nothing else may change. So
//! neither may fail, and elements that may fail are made by one operation at most, so that the first
//! failure stays the first. The later one goes up to the earlier, with what it needs, unless a check
//! stands in between, which may be what its reads are in range by; or else the earlier goes down,
//! if nobody waits for it. What updates or holds on to arrays in between keeps it up: it would have
//! to leave them alone until then.

use crate::flat::ir::{Body, Combine, Consumer, Op, Seg, Stmt, VarInfo};
use crate::flat::producers::{Producers, Sources};
use crate::flat::uses::each_use;
use crate::fused::plan::same_extent;
use crate::fused::total::may_fail;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// Of a product that is made of several: more would have too few registers.
const COMPONENTS: usize = 12;

/// Merges the reductions of a body, and those of the bodies in it.
pub fn merge(body: &mut Body, vars: &[VarInfo]) {
    let mut pass = Merge {
        vars,
        producers: Producers::default(),
    };
    pass.body(body);
}

struct Merge<'a> {
    vars: &'a [VarInfo],
    producers: Producers,
}

/// Where two reductions of a body meet.
enum Meeting {
    /// At the earlier one, with these statements before it.
    Up(Vec<usize>),
    /// At the later one.
    Down,
}

impl Merge<'_> {
    fn body(&mut self, body: &mut Body) {
        for stmt in &mut body.stmts {
            self.inside(&mut stmt.op);
            self.producers.add(stmt, self.vars);
        }
        let mut at = 0;
        while at < body.stmts.len() {
            let pair = (0..at).find_map(|first| {
                let meeting = self.meeting(&body.stmts, first, at)?;
                Some((first, meeting))
            });
            match pair {
                Some((first, meeting)) => join(&mut body.stmts, first, at, meeting),
                None => at += 1,
            }
        }
    }

    fn inside(&mut self, op: &mut Op) {
        match op {
            Op::If { then, else_, .. } => {
                self.body(then);
                self.body(else_);
            }
            Op::Loop(it) => {
                self.body(&mut it.cond);
                self.body(&mut it.body);
            }
            Op::Seg(seg) => self.body(&mut seg.body),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }

    /// Where the statements meet, if they are to become one.
    fn meeting(&self, stmts: &[Stmt], first: usize, second: usize) -> Option<Meeting> {
        let (a, b) = (reduction(&stmts[first])?, reduction(&stmts[second])?);
        let sources = [a, b].map(|seg| self.producers.sources(seg));
        if !alike(a, b) || !Sources::share(&sources[0], &sources[1]) {
            return None;
        }
        let between = &stmts[first + 1..second];
        let checks = between.iter().any(|stmt| fails(&stmt.op));
        let needs = self.needs(stmts, first, second);
        if needs.contains(&first) {
            return None;
        }
        if !checks && needs.iter().all(|at| moves(&stmts[*at].op)) {
            return Some(Meeting::Up(needs));
        }
        let waits = between.iter().any(|stmt| {
            !may_pass(&stmt.op)
                || self
                    .uses(stmt)
                    .iter()
                    .any(|it| stmts[first].outs.contains(it))
        });
        let late = checks && sources[0].may_fail();
        (!waits && !late).then_some(Meeting::Down)
    }

    /// Of the statements from `first` on those that `second` needs, in order.
    fn needs(&self, stmts: &[Stmt], first: usize, second: usize) -> Vec<usize> {
        let mut used = self.uses(&stmts[second]);
        let mut needs = Vec::new();
        for at in (first..second).rev() {
            if stmts[at].outs.iter().any(|out| used.contains(out)) {
                used.extend(self.uses(&stmts[at]));
                needs.push(at);
            }
        }
        needs.reverse();
        needs
    }

    /// What a statement uses, the extents of the arrays that it makes included.
    fn uses(&self, stmt: &Stmt) -> HashSet<Var> {
        let mut used = HashSet::default();
        each_use(&stmt.op, &mut |var| {
            used.insert(var);
        });
        for out in &stmt.outs {
            if let VarType::Array(ty) = &self.vars[out.index()].ty {
                let extents = ty.dims.iter().map(|dim| dim.value);
                used.extend(extents.filter_map(|extent| match extent {
                    Atom::Var(var) => Some(var),
                    Atom::Const(_) => None,
                }));
            }
        }
        used
    }
}

/// The operation of a reduction that cannot fail by itself.
fn reduction(stmt: &Stmt) -> Option<&Seg> {
    let Op::Seg(seg) = &stmt.op else {
        return None;
    };
    let Consumer::Reduce { combine, .. } = &seg.consumer else {
        return None;
    };
    (!may_fail(&seg.body) && !may_fail(&combine.body)).then_some(seg)
}

/// Whether two reductions have one space and one class, and are not too many together.
fn alike(a: &Seg, b: &Seg) -> bool {
    let in_lanes = |seg: &Seg| match &seg.consumer {
        Consumer::Reduce { combine, .. } => combine.neutral.is_some(),
        Consumer::Build
        | Consumer::Rows { .. }
        | Consumer::Scan { .. }
        | Consumer::Fold { .. }
        | Consumer::Scatter { .. }
        | Consumer::Sort(_) => false,
    };
    same_extent(&a.space.levels[0].extent, &b.space.levels[0].extent)
        && in_lanes(a) == in_lanes(b)
        && goes_on(a) == goes_on(b)
        && a.body.results.len() + b.body.results.len() <= COMPONENTS
}

fn goes_on(seg: &Seg) -> bool {
    matches!(&seg.consumer, Consumer::Reduce { combine, .. } if combine.goes_on)
}

fn fails(op: &Op) -> bool {
    match op {
        Op::Check { .. } => true,
        Op::If { then, else_, .. } => may_fail(then) || may_fail(else_),
        Op::Loop(it) => may_fail(&it.cond) || may_fail(&it.body),
        Op::Seg(seg) => {
            may_fail(&seg.body)
                || match &seg.consumer {
                    Consumer::Build | Consumer::Rows { .. } | Consumer::Sort(_) => false,
                    Consumer::Scatter { .. } => true,
                    Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                        may_fail(&combine.body)
                    }
                    Consumer::Fold { step, .. } => may_fail(step),
                }
        }
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => {
            false
        }
    }
}

/// Whether what the later reduction needs may be computed earlier.
fn moves(op: &Op) -> bool {
    match op {
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } => true,
        Op::Seg(seg) => matches!(seg.consumer, Consumer::Build) && !fails(op),
        Op::Check { .. } | Op::Literal(_) | Op::Update { .. } | Op::If { .. } | Op::Loop(_) => {
            false
        }
    }
}

/// Whether the earlier reduction may come after it.
fn may_pass(op: &Op) -> bool {
    match op {
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => true,
        Op::Seg(seg) => match &seg.consumer {
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Fold { .. }
            | Consumer::Sort(_) => true,
            Consumer::Scatter { .. } => false,
        },
        Op::Literal(_) | Op::Update { .. } | Op::If { .. } | Op::Loop(_) => false,
    }
}

/// Makes one of the statements `first` and `second`.
fn join(stmts: &mut Vec<Stmt>, first: usize, second: usize, meeting: Meeting) {
    let later = stmts.remove(second);
    match meeting {
        Meeting::Up(needs) => {
            both(&mut stmts[first], later);
            for (moved, at) in needs.into_iter().enumerate() {
                let stmt = stmts.remove(at);
                stmts.insert(first + moved, stmt);
            }
        }
        Meeting::Down => {
            let mut earlier = stmts.remove(first);
            both(&mut earlier, later);
            stmts.insert(second - 1, earlier);
        }
    }
}

/// Adds the components of `other` to `stmt`.
fn both(stmt: &mut Stmt, other: Stmt) {
    let (Op::Seg(seg), Op::Seg(other_seg)) = (&mut stmt.op, other.op) else {
        unreachable!("both are reductions")
    };
    let (
        Consumer::Reduce { init, combine },
        Consumer::Reduce {
            init: more,
            combine: with,
        },
    ) = (&mut seg.consumer, other_seg.consumer)
    else {
        unreachable!("both are reductions")
    };
    init.extend(more);
    add_operator(combine, with);
    let mut body = other_seg.body;
    rename(
        &mut body,
        other_seg.space.levels[0].index,
        seg.space.levels[0].index,
    );
    seg.body.stmts.extend(body.stmts);
    seg.body.results.extend(body.results);
    seg.parts.push(other.src);
    seg.parts.extend(other_seg.parts);
    stmt.outs.extend(other.outs);
}

fn add_operator(combine: &mut Combine, other: Combine) {
    combine.left.extend(other.left);
    combine.right.extend(other.right);
    combine.body.stmts.extend(other.body.stmts);
    combine.body.results.extend(other.body.results);
    let neutral = combine.neutral.iter_mut().zip(other.neutral);
    neutral.for_each(|(neutral, more)| neutral.extend(more));
}

/// Calls the index of a reduction's body by another name.
fn rename(body: &mut Body, from: Var, to: Var) {
    let atom = |atom: &mut Atom| {
        if *atom == Atom::Var(from) {
            *atom = Atom::Var(to);
        }
    };
    body.results.iter_mut().for_each(atom);
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::Scalar(_, args) => args.iter_mut().for_each(atom),
            Op::Read { index, .. } => index.iter_mut().for_each(atom),
            Op::If { cond, then, else_ } => {
                atom(cond);
                rename(then, from, to);
                rename(else_, from, to);
            }
            Op::Loop(it) => {
                it.init.iter_mut().for_each(atom);
                rename(&mut it.cond, from, to);
                rename(&mut it.body, from, to);
            }
            Op::Len { .. } => {}
            Op::Check { .. } | Op::Literal(_) | Op::Update { .. } | Op::Seg(_) => {
                unreachable!("a reduction that cannot fail is of scalars")
            }
        }
    }
}
