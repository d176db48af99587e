//! Arrays that are the same for every index of a body, made outside of it.
//!
//! In: a parallel operation. Out: the statements that go in front of it; what is left of its body
//! still makes the same elements. Assumes that variables are assigned once.
//!
//! `for i in 0..n { for j in 0..m { e } }` and `generate((n, m), |i, j| e)` are one program, but the
//! array `0..m` stands in the body of the first. Where it stands it would keep the two loops from
//! being one (Note \[Collapse\]). So arrays that are only read, and cheap enough that nobody stores
//! them, go outside, with the scalars that they need. Nobody stores them, so nothing is computed where
//! they now stand: their elements may be in range, and their extents small, only by a check that
//! stays in the body. (What reads an array that an operation builds may be stored, when it has taken
//! that in; it stays.)

use crate::flat::ir::{Body, Consumer, Op, Seg, Stmt};
use crate::fused::cost::{CHEAP, body_cost};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::collections::HashSet;

/// Takes what need not stand in the body of `seg` out of it; `built` are the arrays that operations
/// build.
pub fn hoist(seg: &mut Seg, built: &HashSet<Var>) -> Vec<Stmt> {
    let mut inside: HashSet<Var> = seg.space.levels.iter().map(|level| level.index).collect();
    let mut whole = HashSet::new();
    held_whole(&seg.body, &mut whole);
    let moves: Vec<bool> = seg
        .body
        .stmts
        .iter()
        .map(|stmt| {
            let outside = uses(&stmt.op, built).is_some_and(|it| it.is_disjoint(&inside))
                && !stmt.outs.iter().any(|out| whole.contains(out));
            if !outside {
                inside.extend(&stmt.outs);
            }
            outside
        })
        .collect();
    let wanted = wanted(&seg.body, &moves, built);
    let stmts = std::mem::take(&mut seg.body.stmts).into_iter().zip(wanted);
    let (out, stay): (Vec<_>, Vec<_>) = stmts.partition(|(_, wanted)| *wanted);
    let stmts = |them: Vec<(Stmt, bool)>| them.into_iter().map(|(stmt, _)| stmt).collect();
    seg.body.stmts = stmts(stay);
    stmts(out)
}

/// Of the statements that may move: the arrays, and the scalars that these need. (Any other scalar is
/// better left to the machine's compiler, which may know its value.)
fn wanted(body: &Body, moves: &[bool], built: &HashSet<Var>) -> Vec<bool> {
    let mut needed = HashSet::new();
    let mut wanted = vec![false; moves.len()];
    for (at, stmt) in body.stmts.iter().enumerate().rev() {
        let array = matches!(stmt.op, Op::Seg(_));
        if moves[at] && (array || stmt.outs.iter().any(|out| needed.contains(out))) {
            wanted[at] = true;
            needed.extend(uses(&stmt.op, built).into_iter().flatten());
        }
    }
    wanted
}

/// The variables that an operation which may move uses; `None` if it may not.
fn uses(op: &Op, built: &HashSet<Var>) -> Option<HashSet<Var>> {
    match op {
        Op::Scalar(_, args) => Some(vars(args).collect()),
        Op::Len { array, .. } => Some(HashSet::from([*array])),
        Op::Seg(seg) => {
            let cheap = matches!(seg.consumer, Consumer::Build) && body_cost(&seg.body) <= CHEAP;
            let extents = seg.space.levels.iter().map(|level| level.extent.value);
            let mut used: HashSet<Var> = vars(&extents.collect::<Vec<_>>()).collect();
            used.extend(vars(&seg.body.results));
            for stmt in &seg.body.stmts {
                used.extend(in_element(&stmt.op, built)?);
            }
            cheap.then_some(used)
        }
        Op::Check { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => None,
    }
}

/// The same for an operation that makes an element.
fn in_element(op: &Op, built: &HashSet<Var>) -> Option<HashSet<Var>> {
    match op {
        Op::Scalar(..) | Op::Len { .. } => uses(op, built),
        Op::Read { array, .. } if built.contains(array) => None,
        Op::Read { array, index } => Some(vars(index).chain([*array]).collect()),
        Op::Check { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Seg(_) => None,
    }
}

fn vars(atoms: &[Atom]) -> impl Iterator<Item = Var> {
    atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    })
}

/// Adds the arrays of which more than single elements are asked for.
fn held_whole(body: &Body, whole: &mut HashSet<Var>) {
    whole.extend(vars(&body.results));
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Update { array, .. } => {
                whole.insert(*array);
            }
            Op::If { then, else_, .. } => {
                held_whole(then, whole);
                held_whole(else_, whole);
            }
            Op::Loop(it) => {
                whole.extend(vars(&it.init));
                held_whole(&it.cond, whole);
                held_whole(&it.body, whole);
            }
            Op::Seg(seg) => {
                held_whole(&seg.body, whole);
                match &seg.consumer {
                    Consumer::Scatter { into, .. } => whole.extend(into),
                    Consumer::Build | Consumer::Reduce { .. } | Consumer::Scan { .. } => {}
                    Consumer::Fold { init, step, .. } => {
                        whole.extend(vars(init));
                        held_whole(step, whole);
                    }
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
