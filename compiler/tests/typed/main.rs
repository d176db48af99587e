//! What the `typed` stage accepts, what it makes of it, and what it says about the rest.
//!
//! Tests are text in, text out: the typed program, or the messages with their places.

mod calls;
mod control;
mod dense;
mod generics;
mod mutants;
mod names;
mod operators;
mod patterns;
mod programs;
mod scalars;
mod signatures;
mod speed;

use expect_test::Expect;
use ragged_compiler::report::Diagnostic;
use ragged_compiler::source::SrcSpan;
use ragged_compiler::{syntax, typed};

/// Types `source` and compares the result.
fn check(source: &str, expect: Expect) {
    expect.assert_eq(&infer(source));
}

/// The typed program, or the messages.
fn infer(source: &str) -> String {
    let tokens = source.parse().expect("a test is made of tokens");
    let parsed = syntax::parse(tokens);
    let grammar = parsed.errors.propagate();
    grammar.expect("a test has no mistakes of grammar");
    match typed::infer(&parsed.program) {
        Ok(program) => {
            let verdict = typed::verify::verify(&program);
            verdict.expect("a typed program is consistent");
            typed::print::print(&program)
        }
        Err(report) => {
            let messages = report.diagnostics().iter();
            messages.map(|message| show(source, message)).collect()
        }
    }
}

/// A message with the source that it marks.
fn show(source: &str, message: &Diagnostic) -> String {
    let marked = |span| format!("`{}`", marked(source, span));
    let mut text = format!("error: {}\n  at {}\n", message.title, marked(message.span));
    for line in &message.lines {
        text += &format!("  {line}\n");
    }
    for (span, sentence) in &message.also {
        text += &format!("  and {}: {sentence}\n", marked(*span));
    }
    text
}

/// First to last token of a construct.
fn marked(source: &str, span: SrcSpan) -> String {
    let offset = |line: usize, column: usize| {
        let before = source.split_inclusive('\n').take(line - 1);
        let lines: usize = before.map(|line| line.chars().count()).sum();
        lines + column
    };
    let (start, end) = (span.first.start(), span.last.end());
    let (start, end) = (
        offset(start.line, start.column),
        offset(end.line, end.column),
    );
    let text: String = source.chars().skip(start).take(end - start).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
