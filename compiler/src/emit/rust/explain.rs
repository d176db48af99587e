//! What the compiler did, in words.
//!
//! In: a fused function. Out: `EXPLAIN` (first line stable: `name: kernels 1, intermediates 0,
//! regular`, then a line per kernel and a line per array in memory), and a sentence for rustdoc.

use crate::contracts::{Facts, kernels};
use crate::emit::rust::free::visit_stmts;
use crate::fused::ir::{Body, Function, Kernel, Op, Reason, Sink};
use crate::fused::sweeps;
use crate::ids::Var;
use crate::source::SrcSpan;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The text of `EXPLAIN`.
pub fn text(function: &Function) -> String {
    let kernels = kernels(&function.body);
    let own = function.src.file();
    let mut text = format!("{}: {}\n", function.export.name, Facts::of(function));
    let trips = trips(&function.body);
    for (at, kernel) in kernels.iter().enumerate() {
        let _ = writeln!(
            text,
            "  kernel {}: {}{}, from {}",
            at + 1,
            verb(kernel),
            match trips.contains(&kernel.index) {
                true => ", tiled in time",
                false => "",
            },
            lines(kernel, &own)
        );
    }
    for manifest in &function.manifests {
        let line = manifest.src.start().line;
        let file = of_file(&manifest.src.file(), &own);
        let _ = writeln!(
            text,
            "  in memory: the array of line {line}{file}: {}",
            why(manifest.reason)
        );
    }
    text
}

/// One sentence for the function's documentation.
pub fn rustdoc(function: &Function) -> String {
    format!("\n*Compiled to:* {}.", Facts::of(function))
}

/// The indices of kernels of which several trips of a loop are done together.
fn trips(body: &Body) -> BTreeSet<Var> {
    let mut indices = BTreeSet::new();
    visit_stmts(body, &mut |stmt| {
        if let Op::Loop(it) = &stmt.op
            && it.reach.is_some()
        {
            indices.extend(sweeps::kernel(it).map(|(_, kernel)| kernel.index));
        }
    });
    indices
}

fn verb(kernel: &Kernel) -> &'static str {
    match &kernel.sink {
        Sink::Write | Sink::Pack if kernel.nest => "writes an array, with array operations inside",
        Sink::Write | Sink::Pack => "writes an array",
        Sink::Rows { .. } => "writes the rows of an irregular array",
        Sink::Reduce { combine, .. } if combine.neutral.is_some() => "reduces in lanes",
        Sink::Reduce { .. } => "reduces in order",
        Sink::Scan { combine, .. } if combine.neutral.is_some() => "scans in lanes",
        Sink::Scan { .. } => "scans in order",
        Sink::Fold { .. } => "folds left to right",
        Sink::Scatter { .. } => "scatters",
    }
}

/// The lines that a kernel is made of, with those of kernels inside, the function's own file first.
fn lines(kernel: &Kernel, own: &str) -> String {
    let mut files: BTreeMap<(bool, String), BTreeSet<u32>> = BTreeMap::new();
    for part in parts(kernel) {
        let file = part.file();
        let lines = files.entry((file != own, file)).or_default();
        lines.insert(part.start().line);
    }
    let shown: Vec<String> = files
        .iter()
        .map(|((_, file), lines)| {
            let word = if lines.len() == 1 { "line" } else { "lines" };
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{word} {}{}", lines.join(", "), of_file(file, own))
        })
        .collect();
    shown.join(", ")
}

fn parts(kernel: &Kernel) -> Vec<SrcSpan> {
    let inside = kernels(&kernel.body).into_iter().flat_map(parts);
    kernel.parts.iter().copied().chain(inside).collect()
}

/// What was imported from another file says so.
fn of_file(file: &str, own: &str) -> String {
    if file == own {
        String::new()
    } else {
        format!(" of {file}")
    }
}

fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Result => "it is a result",
        Reason::ControlFlow => "it is the state of a loop or the value of an `if`",
        Reason::Updated => "its elements are assigned",
        Reason::SeveralReaders => "several operations read it, and it is dear to compute twice",
        Reason::ReadOutOfOrder => "it is read at several or at computed indices",
        Reason::ReadInLoop => "it is read again and again, in a loop",
        Reason::MayFail => "it may fail where its reader does not look",
        Reason::Rows => "it is made row by row",
        Reason::Offsets => "it says where the rows of an irregular array begin",
        Reason::WholeArray => "a scan or scatter makes it as a whole",
    }
}
