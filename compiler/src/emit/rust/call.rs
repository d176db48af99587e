//! Calls of kernels.
//!
//! In: a kernel that is printed, and how it comes. Out: the call that runs it, and where its arrays go.
//! Assumes: what the statement defines is not defined yet.

use crate::emit::rust::append;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::Form;
use crate::emit::rust::packed;
use crate::emit::rust::scan_along;
use crate::emit::rust::tuples::{names, tuple};
use crate::fused::ir::{Kernel, Sink, SortOf, Stmt};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// The arrays that a kernel keeps values in, and how many these are.
pub fn kept(stmt: &Stmt) -> (&[Var], Var) {
    let (count, arrays) = stmt.outs.split_last().expect("verified: the count is last");
    (arrays, *count)
}

/// What a scan starts from, if it starts from anything: as a value, and as an `Option`.
pub fn scan_start(host: &Host<'_>, init: Option<&[Atom]>) -> (Option<String>, String) {
    let start = init.map(|init| tuple(init.iter().map(|it| host.atom(*it))));
    let from = match &start {
        Some(start) => format!("__r::Some({start})"),
        None => "__r::None".to_owned(),
    };
    (start, from)
}

/// How many indices a kernel has.
pub fn extent(host: &Host<'_>, kernel: &Kernel) -> String {
    product(host, &kernel.extents)
}

/// How many indices levels have together.
pub fn product(host: &Host<'_>, extents: &[Atom]) -> String {
    let extents: Vec<String> = extents.iter().map(|it| host.atom(*it)).collect();
    match extents.as_slice() {
        [] => "1usize".to_owned(),
        [one] => one.clone(),
        several => format!("__r::total(&[{}])", several.join(", ")),
    }
}

/// Prints the call of a kernel.
pub fn call(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel, literal: &str, form: Form) {
    let n = extent(host, kernel);
    let outs = names(&stmt.outs);
    match &kernel.sink {
        Sink::Rows { .. } | Sink::Join => unreachable!("a nest"),
        Sink::Write | Sink::Pack => {
            let places = places(host, &stmt.outs);
            let width = host.atom(kernel.extents[kernel.extents.len() - 1]);
            let run = match form {
                Form::Flat => format!("__r::write_to({literal}, {n}, {places})"),
                Form::Loop => format!("__r::write_loops_to({literal}, {n}, {places})"),
                Form::Rows => format!("__r::write_rows_to({literal}, {n}, {width}, {places})"),
                Form::Squares => {
                    format!("__r::write_squares_to({literal}, {n}, {width}, {places})")
                }
            };
            let run = host.checked(&run);
            let _ = writeln!(host.text, "{run};");
            written(host, &stmt.outs);
        }
        Sink::Keep => {
            let (arrays, count) = kept(stmt);
            let places = places(host, arrays);
            let keep = match packed::maker(host, stmt, kernel) {
                Some(maker) => format!("keep_packed_to::<_, {maker}>"),
                None => "keep_to".to_owned(),
            };
            let run = host.checked(&format!("__r::{keep}({literal}, {n}, {places})"));
            let _ = writeln!(host.text, "let v{} = {run} as i64;", count.0);
            written(host, arrays);
        }
        Sink::Reduce { init, combine } => {
            let init = tuple(init.iter().map(|atom| host.atom(*atom)));
            let reduce = match combine.goes_on {
                true => "reduce_on",
                false => "reduce_from",
            };
            let run = host.checked(&format!("__r::{reduce}({literal}, {n}, {init})"));
            let _ = writeln!(host.text, "let {outs} = {run};");
        }
        Sink::Scan {
            along: Some(along), ..
        } => scan_along::call(host, stmt, kernel, *along, literal),
        Sink::Scan {
            init,
            exclusive,
            total,
            along: None,
            ..
        } => {
            let (start, from) = scan_start(host, init.as_deref());
            let arrays = kernel.body.results.len();
            let (arrays, totals) = stmt.outs.split_at(arrays);
            let places = places(host, arrays);
            let run = format!("__r::scan_to({literal}, {n}, {from}, {exclusive}, {places})");
            let run = host.checked(&run);
            let _ = match total {
                true => {
                    let (totals, empty) = (names(totals), start.unwrap_or_default());
                    writeln!(host.text, "let {totals} = {run}.unwrap_or({empty});")
                }
                false => writeln!(host.text, "{run};"),
            };
            written(host, arrays);
        }
        Sink::Fold { init, .. } => {
            let init = tuple(init.iter().map(|atom| host.atom(*atom)));
            let run = host.checked(&format!("__r::fold({literal}, {n}, {init})"));
            let _ = writeln!(host.text, "let {outs} = {run};");
        }
        Sink::Sort(sorted @ SortOf::At(_, at)) => {
            let (outs, at) = selected(host, &stmt.outs, at);
            let run = format!("__r::{}_to({literal}, {n}, {at})", sorted.verb());
            let run = host.checked(&run);
            let _ = writeln!(host.text, "let {outs} = {run};");
        }
        Sink::Sort(sorted) => {
            let places = places(host, &stmt.outs);
            let run = format!("__r::{}_to({literal}, {n}, {places})", sorted.verb());
            let run = host.checked(&run);
            let _ = writeln!(host.text, "{run};");
            written(host, &stmt.outs);
        }
        Sink::Append { into } => append::call(host, stmt, into, (literal, &n)),
        Sink::Scatter { into, id } => {
            for (out, array) in stmt.outs.iter().zip(into) {
                host.start(stmt, *out, *array);
            }
            let targets = tuple(stmt.outs.iter().map(|out| format!("&mut v{}[..]", out.0)));
            let run = host.checked(&format!(
                "__r::scatter({literal}, {n}, {targets}, {})",
                id.0
            ));
            let _ = writeln!(host.text, "{run};");
        }
    }
}

/// What a selection gives, and the places in the order, as arrays.
pub fn selected(host: &Host<'_>, outs: &[Var], at: &[Atom]) -> (String, String) {
    let list = |all: Vec<String>| format!("[{}]", all.join(", "));
    let outs = outs.iter().map(|out| format!("v{}", out.0)).collect();
    let at = at.iter().map(|at| host.atom(*at)).collect();
    (list(outs), list(at))
}

/// Where a kernel's arrays go: into the caller's memory, or into arrays that are defined here.
pub fn places(host: &mut Host<'_>, outs: &[Var]) -> String {
    for out in outs.iter().filter(|out| !host.places.contains_key(out)) {
        let ty = host.type_of(*out);
        let _ = writeln!(host.text, "let mut v{}: {ty} = __r::Buffer::new();", out.0);
    }
    tuple(outs.iter().map(|out| match host.places.get(out) {
        Some(result) => format!("__r::ArrayOut::reborrow(&mut o{result})"),
        None => format!("__r::ArrayOut::buffer(&mut v{})", out.0),
    }))
}

/// Defines those that went into the caller's memory.
pub fn written(host: &mut Host<'_>, outs: &[Var]) {
    for out in outs.iter().filter(|out| host.places.contains_key(out)) {
        host.placed(*out);
    }
}
