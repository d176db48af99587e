//! What the tests of `shaped` share: programs from text, and an evaluator.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod eval;
mod held;
pub mod scalar;

use proc_macro2::TokenStream;
use ragged_compiler::report::Report;
use ragged_compiler::{shaped, syntax, typed};

/// The typed program of a block.
pub fn typed(text: &str) -> typed::ir::Program {
    let tokens: TokenStream = text.parse().expect("tokens");
    let parsed = syntax::parse(tokens);
    let typed = parsed
        .errors
        .propagate()
        .and_then(|()| typed::infer(&parsed.program));
    typed.unwrap_or_else(|report| panic!("{}\nin {text}", messages(&report)))
}

/// The shaped and verified program of a block, or the messages about it.
pub fn shaped(text: &str) -> Result<shaped::ir::Program, String> {
    let program = shaped::infer(typed(text)).map_err(|report| messages(&report))?;
    for function in &program.functions {
        if let Err(sentence) = shaped::verify::verify(function) {
            panic!("{sentence}\nin {function}");
        }
    }
    Ok(program)
}

/// All messages with their places, as text.
pub fn messages(report: &Report) -> String {
    let mut text = String::new();
    for diagnostic in report.diagnostics() {
        let at = diagnostic.span.start();
        text += &format!("{}:{}: {}\n", at.line, at.column, diagnostic.title);
        for line in &diagnostic.lines {
            text += &format!("  {line}\n");
        }
        for (span, sentence) in &diagnostic.also {
            let at = span.start();
            text += &format!("  {}:{}: {sentence}\n", at.line, at.column);
        }
    }
    text
}
