//! Arrays that are the same for every index of a body, made outside of it.
//!
//! In: a parallel operation. Out: the statements that go in front of it; what is left of its body
//! still makes the same elements. Assumes that variables are assigned once.
//!
//! `for i in 0..n { for j in 0..m { e } }` and `generate((n, m), |i, j| e)` are one program, but the
//! array `0..m` stands in the body of the first. Where it stands it would keep the two loops from
//! being one (Note \[Collapse\]). So arrays that are only read, and cheap enough that nobody stores
//! them, go outside, with the scalars that they need. So do floats that take as long as a division, to be
//! computed once. Nobody stores these arrays, so nothing is computed where they now stand: their elements may
//! be in range, and their extents small, only by a check that stays in the body. (What reads an array that an
//! operation builds may be stored, when it has taken that in; it stays.)
//!
//! Note \[Checks outside\]. A check that is the same for every index, such as that `m` is an extent or
//! that a column has an element, keeps two loops apart as well, and a reduction from running across
//! the loop around it. It may go outside if nothing that could fail, or not end, stands before it in
//! the body; there it holds as well where the operation has no index at all.

use crate::flat::elements::Costs;
use crate::flat::ir::{Body, Consumer, Op, Seg, Stmt, VarInfo};
use crate::fused::cost::{CHEAP, DIVISION, body_cost, scalar_cost};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// Takes what need not stand in the body of `seg` out of it; `built` are the arrays that operations
/// build.
pub fn hoist(seg: &mut Seg, built: &HashSet<Var>, vars: &[VarInfo]) -> Vec<Stmt> {
    let mut inside: HashSet<Var> = seg.space.levels.iter().map(|level| level.index).collect();
    let whole = held_whole(&seg.body);
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
    let wanted = wanted(&seg.body, &moves, built, vars);
    take(&mut seg.body, wanted)
}

/// The arrays of a body that nobody stores, `costs` being those that are computed where they are read.
pub fn delayed(body: &Body, costs: &Costs) -> HashSet<Var> {
    let whole = held_whole(body);
    let arrays = body.stmts.iter().filter(|stmt| {
        let mut outs = stmt.outs.iter();
        matches!(stmt.op, Op::Seg(_)) && outs.all(|out| costs.knows(*out) && !whole.contains(out))
    });
    arrays.flat_map(|stmt| &stmt.outs).copied().collect()
}

/// Takes the marked statements out of a body.
fn take(body: &mut Body, marked: Vec<bool>) -> Vec<Stmt> {
    let stmts = std::mem::take(&mut body.stmts).into_iter().zip(marked);
    let (out, stay): (Vec<_>, Vec<_>) = stmts.partition(|(_, marked)| *marked);
    let stmts = |them: Vec<(Stmt, bool)>| them.into_iter().map(|(stmt, _)| stmt).collect();
    body.stmts = stmts(stay);
    stmts(out)
}

/// Takes the checks that may go in front of `seg` out of it, see Note \[Checks outside\], with the
/// scalars that they need. `failing` are arrays whose elements may fail where they are read.
pub fn take_checks(seg: &mut Seg, failing: &HashSet<Var>) -> Vec<Stmt> {
    let mut needed = HashSet::default();
    let mut moves = vec![false; seg.body.stmts.len()];
    for at in same_everywhere(seg, failing).into_iter().rev() {
        let stmt = &seg.body.stmts[at];
        let check = matches!(stmt.op, Op::Check { .. });
        if check || stmt.outs.iter().any(|out| needed.contains(out)) {
            moves[at] = true;
            needed.extend(operands(&stmt.op).into_iter().flatten());
        }
    }
    take(&mut seg.body, moves)
}

/// The checks, scalars and lengths at the beginning of a body that are the same for every index: up to
/// the first statement that could fail and is not.
fn same_everywhere(seg: &Seg, failing: &HashSet<Var>) -> Vec<usize> {
    let mut inside: HashSet<Var> = seg.space.levels.iter().map(|level| level.index).collect();
    let mut same = Vec::new();
    for (at, stmt) in seg.body.stmts.iter().enumerate() {
        let used = operands(&stmt.op);
        if used.is_some_and(|it| it.is_disjoint(&inside)) {
            same.push(at);
            continue;
        }
        if !goes_on(&stmt.op, failing) {
            break;
        }
        inside.extend(&stmt.outs);
    }
    same
}

/// Whether what follows an operation is reached in any case.
fn goes_on(op: &Op, failing: &HashSet<Var>) -> bool {
    let all = |body: &Body| body.stmts.iter().all(|stmt| goes_on(&stmt.op, failing));
    match op {
        Op::Scalar(..) | Op::Len { .. } | Op::Literal(_) | Op::Update { .. } => true,
        Op::Read { array, .. } => !failing.contains(array),
        Op::If { then, else_, .. } => all(then) && all(else_),
        Op::Seg(seg) => {
            all(&seg.body)
                && match &seg.consumer {
                    Consumer::Build | Consumer::Rows { .. } | Consumer::Sort(_) => true,
                    Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                        all(&combine.body)
                    }
                    Consumer::Fold { step, .. } => all(step),
                    Consumer::Scatter { .. } => false,
                }
        }
        Op::Check { .. } | Op::Loop(_) => false,
    }
}

/// What a check, a scalar or a length uses; `None` of anything else.
fn operands(op: &Op) -> Option<HashSet<Var>> {
    match op {
        Op::Scalar(_, args) => Some(vars(args).collect()),
        Op::Len { array, .. } => Some(HashSet::from_iter([*array])),
        Op::Check { ok, values, .. } => Some(vars(&[*ok]).chain(vars(values)).collect()),
        Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Seg(_) => None,
    }
}

/// Of the statements that may move: the arrays and dear floats, and the scalars that these need. (Any other
/// scalar is better left to the machine's compiler, which may know its value. What takes as long as a
/// division it would leave in a loop that writes: for what it knows, that may be where operands lie.)
fn wanted(body: &Body, moves: &[bool], built: &HashSet<Var>, types: &[VarInfo]) -> Vec<bool> {
    let mut needed = HashSet::default();
    let mut wanted = vec![false; moves.len()];
    for (at, stmt) in body.stmts.iter().enumerate().rev() {
        let dear = matches!(stmt.op, Op::Seg(_)) || is_dear_float(stmt, types);
        if moves[at] && (dear || stmt.outs.iter().any(|out| needed.contains(out))) {
            wanted[at] = true;
            needed.extend(uses(&stmt.op, built).into_iter().flatten());
        }
    }
    wanted
}

/// Whether a statement makes a float, of what is no literal, by an operation that takes as long as a division.
fn is_dear_float(stmt: &Stmt, types: &[VarInfo]) -> bool {
    let (Op::Scalar(op, args), [out]) = (&stmt.op, &stmt.outs[..]) else {
        return false;
    };
    match types[out.index()].ty {
        VarType::Scalar(ty) if ty.is_float() => {
            vars(args).next().is_some() && scalar_cost(*op, Some(ty)) >= DIVISION
        }
        _ => false,
    }
}

/// The variables that an operation which may move uses; `None` if it may not.
fn uses(op: &Op, built: &HashSet<Var>) -> Option<HashSet<Var>> {
    match op {
        Op::Scalar(_, args) => Some(vars(args).collect()),
        Op::Len { array, .. } => Some(HashSet::from_iter([*array])),
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

/// The arrays of which more than single elements are asked for.
fn held_whole(body: &Body) -> HashSet<Var> {
    let mut whole = HashSet::default();
    add_whole(body, &mut whole);
    whole
}

fn add_whole(body: &Body, whole: &mut HashSet<Var>) {
    whole.extend(vars(&body.results));
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Update { array, .. } => {
                whole.insert(*array);
            }
            Op::If { then, else_, .. } => {
                add_whole(then, whole);
                add_whole(else_, whole);
            }
            Op::Loop(it) => {
                whole.extend(vars(&it.init));
                add_whole(&it.cond, whole);
                add_whole(&it.body, whole);
            }
            Op::Seg(seg) => {
                add_whole(&seg.body, whole);
                match &seg.consumer {
                    Consumer::Scatter { into: them, .. } | Consumer::Rows { offsets: them } => {
                        whole.extend(them);
                    }
                    Consumer::Build
                    | Consumer::Reduce { .. }
                    | Consumer::Scan { .. }
                    | Consumer::Sort(_) => {}
                    Consumer::Fold { init, step, .. } => {
                        whole.extend(vars(init));
                        add_whole(step, whole);
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
