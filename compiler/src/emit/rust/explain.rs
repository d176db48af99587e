//! What the compiler did, in words.
//!
//! In: a fused function. Out: `EXPLAIN` (first line stable: `name: kernels 1, intermediates 0,
//! regular`, then a line per kernel and a line per array in memory), and a sentence for rustdoc.

use crate::fused::ir::{Body, Function, Kernel, Op, Reason, Sink};
use std::fmt::Write;

/// The text of `EXPLAIN`.
pub fn text(function: &Function) -> String {
    let kernels = kernels(&function.body);
    let mut text = format!("{}: {}\n", function.export.name, summary(function, kernels.len()));
    for (at, kernel) in kernels.iter().enumerate() {
        let _ = writeln!(text, "  kernel {}: {}, from {}", at + 1, verb(kernel), lines(kernel));
    }
    for manifest in &function.manifests {
        let line = manifest.src.start().line;
        let _ = writeln!(text, "  in memory: the array of line {line}: {}", why(manifest.reason));
    }
    text
}

/// One sentence for the function's documentation.
pub fn rustdoc(function: &Function) -> String {
    format!("\n*Compiled to:* {}.", summary(function, kernels(&function.body).len()))
}

fn summary(function: &Function, kernels: usize) -> String {
    let intermediates =
        function.manifests.iter().filter(|it| it.reason != Reason::Result).count();
    format!("kernels {kernels}, intermediates {intermediates}, regular")
}

fn kernels(body: &Body) -> Vec<&Kernel> {
    let mut out = Vec::new();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Kernel(kernel) => out.push(kernel),
            Op::If { then, else_, .. } => {
                out.extend(kernels(then));
                out.extend(kernels(else_));
            }
            Op::Loop(it) => {
                out.extend(kernels(&it.cond));
                out.extend(kernels(&it.body));
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len(_)
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
    out
}

fn verb(kernel: &Kernel) -> &'static str {
    match &kernel.sink {
        Sink::Write | Sink::Pack => "writes an array",
        Sink::Reduce { combine, .. } if combine.neutral.is_some() => "reduces in lanes",
        Sink::Reduce { .. } => "reduces in order",
        Sink::Scan { combine, .. } if combine.neutral.is_some() => "scans in lanes",
        Sink::Scan { .. } => "scans in order",
        Sink::Fold { .. } => "folds left to right",
        Sink::Scatter { .. } => "scatters",
    }
}

fn lines(kernel: &Kernel) -> String {
    let mut lines: Vec<u32> = kernel.parts.iter().map(|part| part.start().line).collect();
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().map(u32::to_string).collect();
    match shown.as_slice() {
        [line] => format!("line {line}"),
        _several => format!("lines {}", shown.join(", ")),
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
        Reason::WholeArray => "a scan or scatter makes it as a whole",
    }
}
