//! Prefixes of which only the last is read.
//!
//! In: a fused function. Out: the same, where all that is read of a scan's prefixes is the last one: a
//! reduction finds that, which takes the right one of two. Both run strip by strip (`convoys.rs`), and the
//! prefixes are not in memory. Assumes that arrays are assigned once.
//!
//! The last prefix is not the scan's total, which is combined in another order: of floats it may have other
//! bits.

use crate::fused::convoys::member;
use crate::fused::fast::bodies;
use crate::fused::in_rows::definitions;
use crate::fused::ir::{Body, Combine, Function, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::keep::{Facts, has_scan};
use crate::fused::linear::{Defs, Poly, normal};
use crate::fused::ordered::array_type;
use crate::fused::together::inner_bodies;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{Atom, VarType};
use crate::typed::ir::Const;

/// Finds such scans outside of nests.
pub(super) fn last(function: &mut Function) {
    if !has_scan(&function.body) {
        return;
    }
    let (defs, facts) = (
        definitions(function),
        Facts::of(&function.vars, &function.body),
    );
    let mut lasts = Lasts::default();
    find(&defs, &facts, &function.body, &mut lasts);
    if !lasts.is_empty() {
        in_body(&lasts, &mut function.vars, &mut function.body);
    }
}

/// For the first out of each scan of which no more than the last prefix is read, once: the arrays of which it
/// is, each with what it is called.
type Lasts = HashMap<Var, Vec<(Var, Var)>>;

fn find(defs: &Defs<'_>, facts: &Facts<'_>, body: &Body, lasts: &mut Lasts) {
    for (at, stmt) in body.stmts.iter().enumerate() {
        let behind = &body.stmts[at + 1..];
        let read = member(stmt).and_then(|scan| read_last(defs, facts, (stmt, scan), behind));
        lasts.extend(read.map(|arrays| (stmt.outs[0], arrays)));
        if matches!(stmt.op, Op::If { .. } | Op::Loop(_)) {
            let inner = bodies(stmt).into_iter();
            inner.for_each(|body| find(defs, facts, body, lasts));
        }
    }
}

/// The arrays of which the statements behind read the last prefix, each once, if nobody reads anything else.
fn read_last(
    defs: &Defs<'_>,
    facts: &Facts<'_>,
    (stmt, kernel): (&Stmt, &Kernel),
    behind: &[Stmt],
) -> Option<Vec<(Var, Var)>> {
    if !matches!(kernel.sink, Sink::Scan { .. }) {
        return None;
    }
    let last = normal(kernel.extents[0], defs).plus(&Poly::known(1), -1);
    let reads = |array: Var| {
        let read = behind.iter().find(|stmt| match &stmt.op {
            Op::Read { array: of, index } => *of == array && normal(*index, defs) == last,
            _other => false,
        });
        read.map(|stmt| (array, stmt.outs[0]))
    };
    let uses = |array: &Var| facts.uses.get(array).copied().unwrap_or(0);
    let arrays = stmt.outs[..kernel.body.results.len()].iter().copied();
    let used: Vec<Var> = arrays.filter(|it| uses(it) > 0).collect();
    let once = !used.is_empty() && used.iter().all(|it| uses(it) == 1);
    let read = used.into_iter().map(reads).collect();
    once.then_some(read).flatten()
}

fn in_body(lasts: &Lasts, vars: &mut Vec<VarInfo>, body: &mut Body) {
    let mut read: HashSet<Var> = HashSet::default();
    for mut stmt in std::mem::take(&mut body.stmts) {
        let inner = inner_bodies(&mut stmt).into_iter();
        inner.for_each(|body| in_body(lasts, vars, body));
        if stmt.outs.first().is_some_and(|out| read.contains(out)) {
            continue;
        }
        let arrays = stmt.outs.first().and_then(|out| lasts.get(out));
        let reduction = arrays.map(|arrays| reduction(&stmt, arrays, vars));
        body.stmts.push(stmt);
        if let Some(reduction) = reduction {
            read.extend(&reduction.outs);
            body.stmts.push(reduction);
        }
    }
}

/// What gives the last elements of arrays that a kernel makes; anything where there are none.
fn reduction(stmt: &Stmt, arrays: &[(Var, Var)], vars: &mut Vec<VarInfo>) -> Stmt {
    let Op::Kernel(scan) = &stmt.op else {
        unreachable!("only scans have prefixes")
    };
    let elem = |(array, _): &(Var, Var)| {
        let ty = array_type(&vars[array.index()]);
        ty.expect("verified: prefixes are an array").elem
    };
    let elems: Vec<Scalar> = arrays.iter().map(elem).collect();
    let mut fresh = |ty: Scalar, like: Var| {
        let var = Var::next(vars);
        vars.push(VarInfo {
            ty: Layout::Plain(VarType::Scalar(ty)),
            ..vars[like.index()].clone()
        });
        var
    };
    let mut each = || -> Vec<Var> {
        let arrays = elems.iter().zip(arrays);
        arrays
            .map(|(elem, (array, _))| fresh(*elem, *array))
            .collect()
    };
    let (left, right, values) = (each(), each(), each());
    let index = fresh(Scalar::Usize, scan.index);
    let atoms = |vars: &[Var]| vars.iter().copied().map(Atom::Var).collect::<Vec<_>>();
    let reads = arrays.iter().zip(&values).map(|((array, _), value)| Stmt {
        outs: vec![*value],
        op: Op::Read {
            array: *array,
            index: Atom::Var(index),
        },
        src: stmt.src,
    });
    let zero = |ty: &Scalar| Atom::Const(Const { ty: *ty, bits: 0 });
    let kernel = Kernel {
        extents: scan.extents.clone(),
        index,
        body: Body {
            stmts: reads.collect(),
            results: atoms(&values),
        },
        sink: Sink::Reduce {
            init: elems.iter().map(zero).collect(),
            combine: Combine {
                body: Body {
                    stmts: Vec::new(),
                    results: atoms(&right),
                },
                left,
                right,
                neutral: None,
                goes_on: false,
            },
        },
        parts: scan.parts.clone(),
        nest: false,
    };
    Stmt {
        outs: arrays.iter().map(|(_, last)| *last).collect(),
        op: Op::Kernel(kernel),
        src: stmt.src,
    }
}
