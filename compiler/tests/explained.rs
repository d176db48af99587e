//! `EXPLAIN` leaves nothing out: each value that a function has a name for, and why each kind of check was
//! not proven. (That each check has a line, `page.rs` says.)

mod compiled;
mod program_files;

use compiled::functions;
use ragged_compiler::emit::rust::explain::left_for_run_time;
use ragged_compiler::ids::LocalId;
use ragged_compiler::typed::ir::{Expr, ExprKind, FnValue, Function, LocalType, StructDef, Type};
use ragged_compiler::typed::visit::{Name, Visit};
use ragged_compiler::{shaped, syntax, typed};
use std::collections::{BTreeSet, HashSet};

#[test]
fn every_value_with_a_name_has_a_representation() {
    let (mut names, mut missing) = (0, Vec::new());
    for (file, text) in program_files::all() {
        let parsed = syntax::parse(text.parse().expect("tokens"));
        let typed = || typed::infer_released(&parsed.program);
        let (Ok(mut typed), Ok(shaped)) = (typed(), typed().and_then(shaped::infer)) else {
            continue;
        };
        for function in &mut typed.functions {
            let Some(export) = &function.export else {
                continue;
            };
            let exported = export.name.to_string();
            let mut compiled = shaped.functions.iter();
            let values = compiled.find(|it| it.export.name == exported);
            let values = &values.expect("it is compiled").values;
            for (name, line) in locals(function, &typed.structs) {
                let part = format!("{name}.");
                let found = values.iter().any(|it| {
                    it.src.start().line == line && (it.name == name || it.name.starts_with(&part))
                });
                if !found {
                    let file = file.display();
                    missing.push(format!("{file}: {exported}: `{name}` of line {line}"));
                }
                names += 1;
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(names > 500, "{names} names");
}

/// Names and lines of the values that are read. Sizes are none; nor are what holds no scalar, and what stands
/// in a loop that has no trips.
fn locals(function: &mut Function, structs: &[StructDef]) -> BTreeSet<(String, u32)> {
    let mut without: HashSet<LocalId> = function.sizes.iter().map(|size| size.local).collect();
    left_out(&mut function.body, &mut without);
    let mut read = BTreeSet::new();
    let locals = &function.locals;
    function.body.names(&mut |name| {
        let Name::Read(local) = name else { return };
        let info = &locals[local.index()];
        let LocalType::Value(ty) = &info.ty else {
            return;
        };
        if !info.temporary && holds_scalar(ty, structs) && !without.contains(local) {
            read.insert((info.name.clone(), info.src.start().line));
        }
    });
    read
}

/// Adds what is bound in loops without trips.
fn left_out(expr: &mut Expr, found: &mut HashSet<LocalId>) {
    if matches!(&expr.kind, ExprKind::ForStmt { source, .. } if is_empty(source)) {
        bound(expr, found);
    }
    expr.visit(&mut |part| match part {
        Visit::Operand(inner) | Visit::Apart(inner) => left_out(inner, found),
        Visit::Function(FnValue::Lambda(lambda)) => left_out(&mut lambda.body, found),
        _ => {}
    });
}

fn bound(expr: &mut Expr, found: &mut HashSet<LocalId>) {
    expr.names(&mut |name| add(name, found));
}

fn add(name: Name<'_>, found: &mut HashSet<LocalId>) {
    if let Name::Bound(local) = name {
        found.insert(*local);
    }
}

/// Whether this is a range that is written without elements.
fn is_empty(source: &Expr) -> bool {
    let ExprKind::Range { lo, hi, inclusive } = &source.kind else {
        return false;
    };
    match (&lo.kind, &hi.kind) {
        (ExprKind::Const(lo), ExprKind::Const(hi)) => !inclusive && lo.bits >= hi.bits,
        _other => false,
    }
}

fn holds_scalar(ty: &Type, structs: &[StructDef]) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Array(elem) => holds_scalar(elem, structs),
        Type::Tuple(parts) => parts.iter().any(|it| holds_scalar(it, structs)),
        Type::Struct(id) => {
            let fields = &structs[id.index()].fields;
            fields.iter().any(|(_, ty)| holds_scalar(ty, structs))
        }
    }
}

/// What is said of the last check of functions with these parameters and bodies.
const SENTENCES: &[(&str, &str, &str)] = &[
    (
        "(xs: [i32], i: usize) -> i32",
        "xs[i]",
        "`i` is below `len(xs)`; `i` may be any number",
    ),
    (
        "(xs: [i32], ix: [usize]) -> [i32]",
        "xs.gather(ix)",
        "the index is in range; that depends on values",
    ),
    (
        "(xs: [i32], ix: [usize]) -> [i32]",
        "scatter_unique(xs, ix, for i in ix { 1 })",
        "no index comes twice; that depends on values",
    ),
    (
        "(xs: [i32], lo: usize, hi: usize) -> [i32]",
        "xs[lo..hi]",
        "`hi` is at most `len(xs)`; `hi` may be any number",
    ),
    (
        "(xs: [i32], ys: [i32]) -> [i32]",
        "xs[..ys.len()]",
        "`len(ys)` is at most `len(xs)`; nothing says how these relate",
    ),
    (
        "(n: usize, k: usize) -> usize",
        "n / k",
        "`k` is not `0`; `k` may be any number",
    ),
    (
        "(xs: [i32]) -> usize",
        "100 / xs.len()",
        "`len(xs)` is not `0`; it may be 0",
    ),
    (
        "(ns: [usize]) -> usize",
        "100 / ns.sum()",
        "the divisor is not 0; that depends on values",
    ),
    (
        "(n: usize, m: usize) -> usize",
        "n - m",
        "`n` is at least `m`; `n` and `m` may be any number",
    ),
    (
        "(ns: [usize]) -> usize",
        "ns.sum() - ns.product()",
        "the difference is not below 0; that depends on values",
    ),
    (
        "(n: usize, m: usize) -> usize",
        "n * m",
        "the number fits in a `usize`; that depends on values",
    ),
    (
        "(xs: [i32], ys: [i32]) -> [(i32, i32)]",
        "zip(xs, ys)",
        "`xs` and `ys` have one length; they are given apart",
    ),
    (
        "(a: [[i32]]) -> [[i32]]",
        "for r in a { zip(r, a[0]).map(|(x, y)| x + y) }",
        "`r` and this array have one length; that depends on values",
    ),
    (
        "(a: [[i32]], v: [i32]) -> [[i32]]",
        "for r in a { zip(r, v).map(|(x, y)| x + y) }",
        "`r` and `v` have one length, for all rows at once; that depends on values",
    ),
    (
        "(xs: [i32]) -> i32",
        "xs.max()",
        "`len(xs)` is above `0`; it may be 0",
    ),
    (
        "(a: [[i32]]) -> [i32]",
        "for r in a { r.max() }",
        "`max` has an element; that depends on values",
    ),
    (
        "(xs: [i32], k: usize) -> [i32]",
        "xs.step_by(k)",
        "`k` is not `0`; `k` may be any number",
    ),
    (
        "(xs: [i32]) -> [i32]",
        "xs.step_by(xs.len())",
        "`len(xs)` is not `0`; it may be 0",
    ),
    (
        "(xs: [i32], ns: [usize]) -> [i32]",
        "xs.step_by(ns.sum())",
        "the step of `step_by` is not 0; that depends on values",
    ),
    (
        "(n: usize, m: usize) -> [i32]",
        "fill(1, n * m)",
        "memory can hold `n*m` elements; `n` and `m` may be any number",
    ),
    (
        "(xs: [i32], ys: [i32]) -> [i32]",
        "fill(1, xs.len() * ys.len())",
        "memory can hold `len(xs)*len(ys)` elements; nothing bounds it",
    ),
    (
        "(ns: [usize]) -> [i32]",
        "fill(1, ns.sum())",
        "memory can hold the size; that depends on values",
    ),
    (
        "(x: i32) -> i32",
        "assert!(x > 0); x",
        "the assertion; it is meant for run time",
    ),
];

#[test]
fn each_kind_of_check_has_a_reason() {
    let mut wrong = Vec::new();
    for (signature, body, sentence) in SENTENCES {
        let text = format!("pub fn f{signature} {{ {body} }}");
        let functions = functions(&text);
        let checks = left_for_run_time(&functions[0]);
        let said: Vec<String> = checks.iter().map(|it| it.unproven()).collect();
        if said.last().map(String::as_str) != Some(sentence) {
            wrong.push(format!("{text}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
