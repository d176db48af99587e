//! Text in; the shaped program, or the messages about it, out.

#[path = "../shaped_support/mod.rs"]
mod shaped_support;

mod control;
mod messages;
mod operators;
mod reductions;
mod registers;
mod sizes;

/// The block `text` is lowered to, or refused with, `expected`; both without their indentation.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found = match shaped_support::shaped(&dedented(text)) {
        Ok(program) => program.to_string(),
        Err(messages) => messages,
    };
    let expected = dedented(expected);
    assert!(
        found.trim_end() == expected.trim_end(),
        "found:\n{found}\nexpected:\n{expected}"
    );
}

/// Lines without the indentation of the first one that has text.
fn dedented(text: &str) -> String {
    let text = text.trim_start_matches('\n').trim_end();
    let indent = text.len() - text.trim_start().len();
    let lines = text.lines().map(|line| line.get(indent..).unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}
