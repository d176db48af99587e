//! What the compiler did, in words.
//!
//! In: a fused function. Out: `EXPLAIN` (first line stable: `name: kernels 1, intermediates 0,
//! regular`, then a line per kernel and a line per array in memory), and a sentence for rustdoc.

use crate::contracts::{Facts, kernels};
use crate::fused::ir::{Function, Kernel, Reason, Sink};
use std::fmt::Write;

/// The text of `EXPLAIN`.
pub fn text(function: &Function) -> String {
    let kernels = kernels(&function.body);
    let mut text = format!("{}: {}\n", function.export.name, Facts::of(function));
    for (at, kernel) in kernels.iter().enumerate() {
        let _ = writeln!(
            text,
            "  kernel {}: {}, from {}",
            at + 1,
            verb(kernel),
            lines(kernel)
        );
    }
    for manifest in &function.manifests {
        let line = manifest.src.start().line;
        let _ = writeln!(
            text,
            "  in memory: the array of line {line}: {}",
            why(manifest.reason)
        );
    }
    text
}

/// One sentence for the function's documentation.
pub fn rustdoc(function: &Function) -> String {
    format!("\n*Compiled to:* {}.", Facts::of(function))
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
