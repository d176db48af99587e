//! What the `typed` stage accepts, what it makes of it, and what it says about the rest.

use ragged_compiler::prims::PRIMS;
use ragged_compiler::{syntax, typed};

/// The typed program, or the messages.
fn infer(source: &str) -> String {
    let tokens = source.parse().expect("the test is made of tokens");
    let parsed = syntax::parse(tokens);
    parsed
        .errors
        .propagate()
        .expect("the test has no grammar mistakes");
    match typed::infer(&parsed.program) {
        Ok(program) => {
            typed::verify::verify(&program).expect("the typed program is consistent");
            typed::print::print(&program)
        }
        Err(report) => {
            let messages = report.diagnostics().iter().map(|d| {
                let at = d.span.start();
                let mut text = format!("{}:{} {}", at.line, at.column, d.title);
                for line in &d.lines {
                    text += &format!("\n    {line}");
                }
                for (span, sentence) in &d.also {
                    let at = span.start();
                    text += &format!("\n  {}:{} {sentence}", at.line, at.column);
                }
                text
            });
            messages.collect::<Vec<_>>().join("\n")
        }
    }
}

#[test]
fn every_operator_example_is_typed() {
    for info in PRIMS {
        println!("{}", infer(info.example));
    }
}
