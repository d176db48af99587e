//! A nest that joins rows of any lengths as a struct that implements the run time's `Join`, and the call
//! that runs it.
//!
//! In: a kernel whose body gives arrays. Out: items and statements, as Rust text. What the body keeps of
//! a kernel's values as its rows goes straight to where these end. Assumes as `nest.rs`.

use crate::emit::rust::ask;
use crate::emit::rust::call::{extent, kept, places, written};
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::nest::{cost, inner_host, may_fail, statements};
use crate::emit::rust::results::Places;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::tuples::{numbered, tuple};
use crate::fused::ir::{Kernel, Op, Sink, Stmt};
use crate::fused::liveness::uses_of_stmt;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Prints such a nest and its call.
pub fn emit(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) {
    let name = format!("__N{}", host.kernels);
    host.kernels += 1;
    let captured = Captured::new(host, kernel);
    let (arrays, count) = kept(stmt);
    let (items, kernels) = item(host, &name, arrays, kernel, &captured);
    host.items.push_str(&items);
    host.kernels = kernels;
    let (literal, n) = (captured.literal(&name), extent(host, kernel));
    match host.checks {
        Checks::Return => {
            let places = places(host, arrays);
            let run = host.checked(&format!("__r::join_to({literal}, {n}, {places})"));
            let _ = writeln!(host.text, "let v{} = {run} as i64;", count.0);
            written(host, arrays);
        }
        Checks::Nest => inside(host, arrays, count, &literal, &n),
        Checks::Flag => unreachable!("operators hold scalars only"),
    }
}

/// The call in a nest: one index after the other.
fn inside(host: &mut Host<'_>, arrays: &[Var], count: Var, literal: &str, n: &str) {
    for out in arrays {
        let ty = host.type_of(*out);
        let _ = writeln!(host.text, "let mut v{}: {ty} = __r::Buffer::new();", out.0);
    }
    let ends = arrays
        .iter()
        .map(|it| format!("__r::End::from(&mut v{})", it.0));
    let _ = writeln!(
        host.text,
        "let mut ends = {ends};\n\
         for at in 0..{n} {{\n__r::Join::run::<{{ L }}, F>({literal}, at, &mut ends, flag);\n\
         if flag.violated() {{ return; }}\n}}\n\
         let v{count} = v{first}.len() as i64;",
        ends = tuple(ends),
        count = count.0,
        first = arrays[0].0,
    );
}

/// The items of such a nest, and how many kernels have been printed then.
fn item(
    host: &Host<'_>,
    name: &str,
    arrays: &[Var],
    kernel: &Kernel,
    captured: &Captured,
) -> (String, usize) {
    let places = straight(kernel);
    let mut inner = inner_host(host, kernel, captured, &places);
    statements(&mut inner, kernel);
    finish(&mut inner, kernel);
    let outs = tuple(arrays.iter().map(|out| type_name(host.scalar_of(*out))));
    let rows = numbered('r', arrays.len());
    let (checks, cost) = (may_fail(&kernel.body), cost(host, &kernel.body, captured));
    let Names {
        declared,
        head,
        tail,
        ..
    } = captured.names();
    let text = format!(
        "struct {name}{declared} {{ {fields} }}\n\
         {head} __r::Join for {name}{tail} {{\ntype Outs = {outs};\n\
         const CHECKS: bool = {checks};\n\
         fn cost(&self) -> usize {{\n{locals}{cost}\n}}\n\
         #[inline(always)]\n\
         fn run<const L: usize, F: __r::Flag>(&self, index: usize, \
         rows: &mut <Self::Outs as __r::Joined>::Ends<'_>, flag: &mut F) {{\n\
         let {rows} = rows;\n{body}}}\n{asks}}}\n",
        fields = captured.declarations(),
        locals = captured.locals(),
        body = inner.text,
        asks = ask::text(host, kernel, captured),
    );
    (inner.items + &text, inner.kernels)
}

/// Prints how the results that are not in their rows come there.
fn finish(inner: &mut Host<'_>, kernel: &Kernel) {
    for (at, result) in kernel.body.results.iter().enumerate() {
        match result {
            Atom::Var(var) if inner.places.get(var) == Some(&at) => {}
            Atom::Var(var) => {
                let slice = inner.slice(*var);
                let _ = writeln!(inner.text, "r{at}.copy({slice}, flag);");
            }
            Atom::Const(_) => unreachable!("rows are arrays"),
        }
    }
}

/// The kept values that are the rows, and nothing else.
fn straight(kernel: &Kernel) -> Places {
    let (stmts, results) = (&kernel.body.stmts, &kernel.body.results);
    let mut used = HashSet::default();
    stmts.iter().for_each(|stmt| uses_of_stmt(stmt, &mut used));
    let place = |out: &Var| results.iter().position(|it| *it == Atom::Var(*out));
    let of_stmt = |stmt: &Stmt| {
        let Op::Kernel(Kernel {
            sink: Sink::Keep, ..
        }) = &stmt.op
        else {
            return None;
        };
        let (arrays, _) = kept(stmt);
        let free = arrays.len() == results.len() && !arrays.iter().any(|it| used.contains(it));
        let places = arrays.iter().map(|out| Some((*out, place(out)?)));
        free.then(|| places.collect()).flatten()
    };
    stmts.iter().find_map(of_stmt).unwrap_or_default()
}
