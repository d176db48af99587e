//! Arrays that are made to be sorted or chosen from, made where that is done.
//!
//! In, out: a fused function. A sort of elements by their keys reads an element for the key, and to move
//! it: as the array was planned (`plan.rs`) these are two readers of it, and a dear one is in memory. But
//! they have become one kernel, which computes key and element once, together, where that is dear
//! (`core/src/sort/moved.rs`): so it makes the element as well. So it is with what chooses elements, which
//! were read to be counted and to be written; that computes them twice (`core/src/keep.rs`), so only those
//! are made there that take no longer than to be written and read again. Assumes that arrays are assigned
//! once.

use crate::fused::after_keep::CHEAP;
use crate::fused::convoys::cost;
use crate::fused::fast::bodies;
use crate::fused::ir::{Body, Function, Kernel, Op, Sink, Stmt};
use crate::fused::keep::Facts;
use crate::fused::sweep::{body_may_fail, may_fail};
use crate::fused::together::{is_straight, reads_own, rename, take_made, uses};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Finds such arrays in the whole function.
pub(super) fn into_readers(function: &mut Function) {
    if has_reader(&function.body) {
        let facts = Facts::of(&function.vars, &function.body);
        in_body(&facts, &mut function.body);
    }
}

fn has_reader(body: &Body) -> bool {
    body.stmts
        .iter()
        .any(|stmt| reader(stmt).is_some() || bodies(stmt).into_iter().any(has_reader))
}

/// The kernel that a statement is, if it sorts elements or keeps some.
fn reader(stmt: &Stmt) -> Option<&Kernel> {
    let Op::Kernel(kernel) = &stmt.op else {
        return None;
    };
    let takes = matches!(kernel.sink, Sink::Sort(_) | Sink::Keep);
    (takes && !kernel.nest && is_straight(&kernel.body)).then_some(kernel)
}

fn in_body(facts: &Facts<'_>, body: &mut Body) {
    for inner in body.stmts.iter_mut().flat_map(|it| it.op.bodies_mut()) {
        in_body(facts, inner);
    }
    let mut at = 0;
    while at < body.stmts.len() {
        let made = reader(&body.stmts[at]).and_then(|into| {
            let before = &body.stmts[..at];
            (0..at).find_map(|maker| Some((maker, joined(facts, before, maker, into)?)))
        });
        match made {
            // It may read another array that is made for it: it is looked at again, one further up.
            Some((maker, kernel)) => {
                body.stmts[at].op = Op::Kernel(kernel);
                body.stmts.remove(maker);
                at -= 1;
            }
            None => at += 1,
        }
    }
}

/// The kernel with what the statement `maker` before it makes for nobody else.
fn joined(facts: &Facts<'_>, before: &[Stmt], maker: usize, into: &Kernel) -> Option<Kernel> {
    let made = &before[maker];
    let Op::Kernel(make) = &made.op else {
        return None;
    };
    let pays = !matches!(into.sink, Sink::Keep) || cost(&make.body) <= CHEAP;
    let fits = pays
        && matches!(make.sink, Sink::Write)
        && !make.nest
        && make.extents == into.extents
        && is_straight(&make.body)
        && fails_first(made, &before[maker + 1..], into)
        && made.outs.iter().all(|out| {
            let reads = count(&into.body, *out);
            reads > 0
                && facts.uses.get(out) == Some(&reads)
                && reads_own(&into.body, *out, into.index)
        })
        && before[maker + 1..].iter().all(|stmt| leaves(stmt, made));
    fits.then(|| make_inside(make, &made.outs, into))
}

/// Whether it is the same failure that is found first if what is `made` is computed by the kernel `into`: that
/// would find all of one index before any of the next.
fn fails_first(made: &Stmt, between: &[Stmt], into: &Kernel) -> bool {
    !may_fail(&made.op)
        || !body_may_fail(&into.body) && !between.iter().any(|stmt| may_fail(&stmt.op))
}

/// How often a body reads an array.
fn count(body: &Body, array: Var) -> usize {
    let reads = |stmt: &Stmt| {
        let here = matches!(&stmt.op, Op::Read { array: of, .. } if *of == array);
        let inside = bodies(stmt).into_iter().map(|body| count(body, array));
        usize::from(here) + inside.sum::<usize>()
    };
    body.stmts.iter().map(reads).sum()
}

/// Whether a statement, which comes before what is `made` then, changes nothing in place that this reads: it
/// would have to be copied.
fn leaves(stmt: &Stmt, made: &Stmt) -> bool {
    let changes = match &stmt.op {
        Op::Kernel(kernel) => matches!(kernel.sink, Sink::Scatter { .. } | Sink::Append { .. }),
        Op::Update { .. } | Op::If { .. } | Op::Loop(_) => true,
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) => {
            false
        }
    };
    !changes || uses(stmt).is_disjoint(&uses(made))
}

/// A kernel that computes the elements of `outs` instead of reading them.
fn make_inside(make: &Kernel, outs: &[Var], into: &Kernel) -> Kernel {
    let mut made = make.body.clone();
    rename(
        &mut made,
        &HashMap::from_iter([(make.index, Atom::Var(into.index))]),
    );
    let values: HashMap<Var, Atom> = outs.iter().copied().zip(made.results).collect();
    let mut body = into.body.clone();
    let mut names = HashMap::default();
    take_made(&mut body, &values, &mut names);
    rename(&mut body, &names);
    body.stmts.splice(0..0, made.stmts);
    Kernel {
        body,
        ..into.clone()
    }
}
