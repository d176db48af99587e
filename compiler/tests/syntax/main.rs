//! The `syntax` stage: text in, printed tree or messages out.
//!
//! `UPDATE_EXPECT=1 cargo test` rewrites what is expected.

mod foreign;
mod grammar;
mod imports;
mod messages;
mod speed;
mod statements;
mod traps;

use expect_test::Expect;
use proc_macro2::LineColumn;
use ragged_compiler::report::Diagnostic;
use ragged_compiler::syntax::{parse, verify};
use std::fmt::Write;

/// Checks the tree of a block, or the messages about it.
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&outcome(text));
}

/// Checks the messages about function bodies, one per line of `bodies`.
fn check_bodies(bodies: &str, expected: Expect) {
    let mut out = String::new();
    for body in bodies
        .lines()
        .map(str::trim)
        .filter(|body| !body.is_empty())
    {
        let text = format!("fn f(n: usize) {{ {body} }}");
        let outcome = outcome(&text);
        let shown = outcome.strip_prefix("fn f(n: usize) ").unwrap_or(&outcome);
        writeln!(out, "{body}\n{}", indented(shown)).expect("a string takes all");
    }
    expected.assert_eq(&out);
}

fn outcome(text: &str) -> String {
    let parsed = parse(text.parse().expect("tokens"));
    match parsed.errors.propagate() {
        Ok(()) => {
            verify(&parsed.program).expect("a well-formed tree");
            parsed.program.to_string()
        }
        Err(report) => report
            .diagnostics()
            .iter()
            .map(|diagnostic| message(text, diagnostic))
            .collect(),
    }
}

/// A message with the source that it marks.
fn message(text: &str, diagnostic: &Diagnostic) -> String {
    let span = diagnostic.span;
    let marked = &text[offset(text, span.first.start())..offset(text, span.last.end())];
    let marked = marked.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = format!("error: {}\n at {marked}\n", diagnostic.title);
    for line in &diagnostic.lines {
        writeln!(out, "    {line}").expect("a string takes all");
    }
    out
}

fn offset(text: &str, at: LineColumn) -> usize {
    let lines = text.split_inclusive('\n').take(at.line - 1);
    let before: usize = lines.map(str::len).sum();
    let column: usize = text[before..]
        .chars()
        .take(at.column)
        .map(char::len_utf8)
        .sum();
    before + column
}

fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .fold(String::new(), |mut out, line| {
            writeln!(out, "    {line}").expect("a string takes all");
            out
        })
}
