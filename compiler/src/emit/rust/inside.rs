//! Calls of kernels in the body of a nest: sequential, in lanes.
//!
//! In: a kernel statement and its printed items. Out: statements, as Rust text. Arrays go to their rows
//! of the nest's outputs, or become the body's own. Assumes as `kernel.rs`.

use crate::emit::rust::append;
use crate::emit::rust::call::{extent, kept, places, scan_start, selected};
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::item;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::tuples::{names, tuple};
use crate::fused::ir::{Kernel, Sink, SortOf, Stmt};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// The call of a kernel in the body of a nest: sequential, in lanes.
pub fn call(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel, literal: &str) {
    let n = &extent(host, kernel);
    let run = |name: &str, rest: String| {
        format!("__r::inner::{name}::<{{ L }}, _, F>({literal}, {n}, {rest}flag)")
    };
    let outs = names(&stmt.outs);
    match &kernel.sink {
        Sink::Write => {
            let (form, rows) = rows(host, &stmt.outs, n);
            let _ = writeln!(host.text, "{};", run(&format!("write{form}"), rows + ", "));
            finished(host, &stmt.outs);
        }
        Sink::Pack => unreachable!("only results are packed"),
        Sink::Rows { .. } | Sink::Join => unreachable!("a nest"),
        Sink::Keep => {
            let (arrays, count) = kept(stmt);
            let ends = arrays.iter().map(|out| host.places.get(out));
            let ends: Option<Vec<_>> = ends.collect();
            let run = match ends {
                Some(ends) => {
                    let ends = ends.iter().map(|end| format!("&mut *r{end}"));
                    run("keep_onto", tuple(ends) + ", ")
                }
                None => run("keep_to", places(host, arrays) + ", "),
            };
            let _ = writeln!(host.text, "let v{} = {run} as i64;", count.0);
        }
        Sink::Reduce { init, .. } => {
            let init = tuple(init.iter().map(|atom| host.atom(*atom)));
            let _ = writeln!(
                host.text,
                "let {outs} = {};",
                run("reduce_from", init + ", ")
            );
        }
        Sink::Scan {
            init, exclusive, ..
        } => {
            let (start, from) = scan_start(host, init.as_deref());
            let (arrays, totals) = stmt.outs.split_at(kernel.body.results.len());
            let (form, rows) = rows(host, arrays, n);
            let run = run(
                &format!("scan{form}"),
                format!("{from}, {exclusive}, {rows}, "),
            );
            let _ = match totals.is_empty() {
                false => {
                    let (totals, empty) = (names(totals), start.unwrap_or_default());
                    writeln!(host.text, "let {totals} = {run}.unwrap_or({empty});")
                }
                true => writeln!(host.text, "{run};"),
            };
            finished(host, arrays);
        }
        Sink::Fold { init, .. } => {
            let init = tuple(init.iter().map(|atom| host.atom(*atom)));
            let _ = writeln!(host.text, "let {outs} = {};", run("fold", init + ", "));
        }
        Sink::Sort(sorted @ SortOf::At(_, at)) => {
            let (outs, places) = selected(host, &stmt.outs, at);
            let (verb, several) = (sorted.verb(), at.len());
            let _ = writeln!(
                host.text,
                "let {outs} = __r::inner::{verb}_to::<{{ L }}, _, _, F, {several}>\
                 ({literal}, {n}, {places}, flag);"
            );
        }
        Sink::Sort(sorted) => {
            let (form, rows) = rows(host, &stmt.outs, n);
            let types = match sorted {
                SortOf::Elements(_) => "_",
                _keys => "_, _",
            };
            let _ = writeln!(
                host.text,
                "__r::inner::{}{form}::<{{ L }}, {types}, F>({literal}, {n}, {rows}, flag);",
                sorted.verb()
            );
            finished(host, &stmt.outs);
        }
        Sink::Append { into } => append::call_inside(host, stmt, into, (literal, n)),
        Sink::Scatter { into, id } => {
            for (out, array) in stmt.outs.iter().zip(into) {
                host.start(stmt, *out, *array);
            }
            let targets = tuple(stmt.outs.iter().map(|out| format!("&mut v{}[..]", out.0)));
            let run = run("scatter", format!("{targets}, {}, ", id.0));
            let _ = writeln!(host.text, "{run};");
        }
    }
    host.text.push_str("if flag.violated() { return; }\n");
}

/// Prints a kernel that writes an array, and beside it combines the elements, as `next` says, and its
/// call; `kernel` does both.
pub fn emit_reduced(host: &mut Host<'_>, stmt: &Stmt, next: &Stmt, kernel: &Kernel, init: &[Atom]) {
    let (literal, _) = item(host, stmt, kernel);
    let (n, outs) = (extent(host, kernel), names(&next.outs));
    let init = tuple(init.iter().map(|atom| host.atom(*atom)));
    let (form, places) = own(host, &stmt.outs);
    let _ = writeln!(
        host.text,
        "let {outs} = __r::inner::write{form}_and_reduce::<{{ L }}, _, F>(\
         {literal}, {n}, {init}, {places}, flag);\n\
         if flag.violated() {{ return; }}"
    );
}

/// Where the arrays of a kernel in a nest go: to their rows of the output, or into arrays that are
/// defined here. In front, which form of the operation takes them: for rows alone, for arrays of the
/// body's own alone, or for slices.
fn rows(host: &mut Host<'_>, outs: &[Var], n: &str) -> (&'static str, String) {
    let of_row = |out: &Var| host.places.get(out).map(|row| format!("&mut *r{row}"));
    let rows: Option<Vec<String>> = outs.iter().map(of_row).collect();
    if let Some(rows) = rows {
        return ("_rows", tuple(rows.iter()));
    }
    if outs.iter().all(|out| !host.places.contains_key(out)) {
        return match own(host, outs) {
            ("", places) => ("_to", places),
            local => local,
        };
    }
    for out in outs.iter().filter(|out| !host.places.contains_key(out)) {
        let made = host.checked(&format!("__r::Buffer::zeroed({n}, 1)"));
        let ty = host.type_of(*out);
        let _ = writeln!(host.text, "let mut v{}: {ty} = {made};", out.0);
    }
    let slices = outs.iter().map(|out| match host.places.get(out) {
        Some(row) => format!("r{row}.slice()"),
        None => format!("&mut v{}[..]", out.0),
    });
    ("", tuple(slices))
}

/// Where arrays of the body's own go, which are defined here. In front, which form of an operation
/// takes them.
fn own(host: &mut Host<'_>, outs: &[Var]) -> (&'static str, String) {
    if !outs.iter().all(|out| host.locals.contains(out)) {
        return ("", places(host, outs));
    }
    // All that is borrowed first: arrays that are made together are dropped before any of it.
    for out in outs {
        let _ = writeln!(host.text, "let mut n{} = __r::Near::new();", out.0);
    }
    for out in outs {
        let (name, ty) = (out.0, type_name(host.scalar_of(*out)));
        let _ = writeln!(
            host.text,
            "let mut v{name} = __r::Local::<{ty}>::new(&mut n{name});"
        );
    }
    let locals = outs.iter().map(|out| format!("&mut v{}", out.0));
    ("_local", tuple(locals))
}

/// Defines those that are rows of the output.
pub fn finished(host: &mut Host<'_>, outs: &[Var]) {
    for out in outs {
        if host.places.contains_key(out) {
            host.placed(*out);
        }
    }
}
