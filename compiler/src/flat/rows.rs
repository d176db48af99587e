//! Rows whose elements do not depend on the row that they are in.
//!
//! In: an operation that makes rows of the lengths of rows that it reads. Out: one operation over the
//! elements of all rows, if the body allows. Assumes a verified operation.
//!
//! `for row in rows { for x in row { f(x) } }` does to each element what it does, wherever that lies:
//! flattened, it is one loop over all elements, without offsets and in whole lanes, and an array that
//! fuses as any other (thesis §4.2; paper 003 §3.4). So it is where the body uses its index for nothing
//! but the place of a row that it reads, and the inner index for nothing but positions in that row.

use crate::flat::ir::{Body, Consumer, Level, Op, Seg, Stmt, VarInfo};
use crate::flat::uses::each_use;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::typed::ir::Const;

/// The operation that makes `outs`, as `seg` does, at all positions; nothing if it needs the rows.
pub fn over_all(seg: &Seg, outs: &[Var], vars: &[VarInfo]) -> Option<Seg> {
    let Consumer::Rows { offsets } = &seg.consumer else {
        return None;
    };
    let (offsets, index) = (one_of(offsets)?, seg.space.levels[0].index);
    let (stmt, inner) = inner(&seg.body)?;
    let starts = starts(&seg.body, offsets, index);
    let mut own = outer_vars(&seg.body, index);
    own.insert(inner.space.levels[0].index);
    let position = Position {
        starts,
        index: inner.space.levels[0].index,
    };
    let mut body = inner.body.clone();
    let all = position.moved(&mut body)?;
    let levels = &inner.space.levels[1..];
    let mut mentioned = levels.iter().map(|level| level.extent.value);
    let fixed = |atom: Atom| !matches!(atom, Atom::Var(var) if own.contains(&var));
    if !mentioned.all(fixed) || mentions(&body, &own) {
        return None;
    }
    let VarType::Array(ty) = &vars[outs[0].index()].ty else {
        return None;
    };
    let first = Level {
        index: all,
        extent: ty.dims[0].clone(),
    };
    // In the order in which the rows are yielded.
    let place = |atom: &Atom| stmt.outs.iter().position(|out| Atom::Var(*out) == *atom);
    let places: Option<Vec<usize>> = seg.body.results.iter().map(place).collect();
    body.results = places?.into_iter().map(|at| body.results[at]).collect();
    let mut whole = inner.clone();
    whole.space.levels[0] = first;
    whole.body = body;
    whole.parts.push(stmt.src);
    Some(whole)
}

fn size_const(bits: u64) -> Atom {
    let ty = Scalar::Usize;
    Atom::Const(Const { ty, bits })
}

/// The one array that all are.
fn one_of(arrays: &[Var]) -> Option<Var> {
    let (first, rest) = arrays.split_first()?;
    rest.iter().all(|other| other == first).then_some(*first)
}

/// The operation in a body of which all else can be left out.
fn inner(body: &Body) -> Option<(&Stmt, &Seg)> {
    let mut found = None;
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } => {}
            Op::Seg(seg) if is_spare(seg, &stmt.outs, body) => {}
            Op::Seg(seg) if found.is_none() && matches!(seg.consumer, Consumer::Build) => {
                found = Some((stmt, seg));
            }
            Op::Seg(_)
            | Op::Check { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_) => return None,
        }
    }
    found
}

/// Whether an operation of `body` cannot fail and nobody needs `outs`, which it makes.
fn is_spare(seg: &Seg, outs: &[Var], body: &Body) -> bool {
    let mut stmts = seg.body.stmts.iter();
    let plain = |stmt: &Stmt| matches!(stmt.op, Op::Scalar(..) | Op::Len { .. } | Op::Read { .. });
    matches!(seg.consumer, Consumer::Build)
        && stmts.all(plain)
        && !mentions(body, &outs.iter().copied().collect())
}

/// The variables that hold where the row at `index` begins.
fn starts(body: &Body, offsets: Var, index: Var) -> HashSet<Var> {
    let mut read: HashSet<Var> = HashSet::default();
    let mut starts = HashSet::default();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Read { array, index: at } if *array == offsets && *at == [Atom::Var(index)] => {
                read.extend(&stmt.outs);
            }
            Op::Scalar(ScalarOp::Cast, args) => {
                if let [Atom::Var(arg)] = args.as_slice()
                    && read.contains(arg)
                {
                    starts.extend(&stmt.outs);
                }
            }
            Op::Scalar(..)
            | Op::Read { .. }
            | Op::Len { .. }
            | Op::Check { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Seg(_) => {}
        }
    }
    starts
}

fn outer_vars(body: &Body, index: Var) -> HashSet<Var> {
    let outs = body.stmts.iter().flat_map(|stmt| stmt.outs.iter().copied());
    outs.chain([index]).collect()
}

/// How a body names positions among the elements of all rows.
struct Position {
    starts: HashSet<Var>,
    index: Var,
}

impl Position {
    /// Makes the first such position in `body` its index, and all others equal to it.
    fn moved(&self, body: &mut Body) -> Option<Var> {
        let mut all = None;
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            if let Op::Scalar(ScalarOp::Add, args) = &mut stmt.op
                && self.is_sum(args)
            {
                match all {
                    None => {
                        all = Some(stmt.outs[0]);
                        continue;
                    }
                    Some(first) => *args = vec![Atom::Var(first), size_const(0)],
                }
            }
            stmts.push(stmt);
        }
        body.stmts = stmts;
        all
    }

    fn is_sum(&self, args: &[Atom]) -> bool {
        let start = |atom: Atom| matches!(atom, Atom::Var(var) if self.starts.contains(&var));
        let index = Atom::Var(self.index);
        match args {
            [a, b] => start(*a) && *b == index || start(*b) && *a == index,
            _ => false,
        }
    }
}

/// Whether a body uses any of these.
fn mentions(body: &Body, vars: &HashSet<Var>) -> bool {
    let mut found = false;
    let mut see = |var: Var| found |= vars.contains(&var);
    for stmt in &body.stmts {
        each_use(&stmt.op, &mut see);
    }
    for atom in &body.results {
        if let Atom::Var(var) = atom {
            see(*var);
        }
    }
    found
}
