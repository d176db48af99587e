//! Typed programs from text, and the signatures of their exported functions.

use proc_macro2::{TokenStream, TokenTree};
use ragged_compiler::report::Report;
use ragged_compiler::typed::ir::{Function, ParamType, Program, SigType};
use ragged_compiler::{syntax, typed};

/// The typed program, or why there is none.
pub fn program(text: &str) -> Result<Program, String> {
    let tokens = text.parse().map_err(|error| format!("{error}"))?;
    let parsed = syntax::parse(tokens);
    parsed.errors.propagate().map_err(|report| show(&report))?;
    typed::infer(&parsed.program).map_err(|report| show(&report))
}

/// The exported functions, each with the name it is called by.
pub fn exported(program: &Program) -> impl Iterator<Item = (&str, &Function)> {
    program
        .functions
        .iter()
        .filter_map(|function| Some((function.export.as_ref()?.name.as_str(), function)))
}

/// The types of the parameters of an exported function.
pub fn params(function: &Function) -> Vec<&SigType> {
    function.params.iter().map(|param| sig(&param.ty)).collect()
}

fn sig(ty: &ParamType) -> &SigType {
    match ty {
        ParamType::Value(sig) => sig,
        ParamType::Fn { .. } => unreachable!("exported functions take no functions"),
    }
}

/// All messages of a report, with their places.
pub fn show(report: &Report) -> String {
    let mut text = String::new();
    for message in report.diagnostics() {
        let at = message.span.start();
        text += &format!("{}:{}: {}\n", at.line, at.column, message.title);
        for line in &message.lines {
            text += &format!("    {line}\n");
        }
    }
    text
}

/// Whether the compiler takes the program, or what it says; a panic of it counts as saying no.
pub fn compiles(text: &str) -> Result<(), String> {
    let attempt = || {
        let tokens = text.parse().map_err(|error| format!("{error}"))?;
        let messages = messages(ragged_compiler::expand(tokens));
        if messages.is_empty() {
            Ok(())
        } else {
            Err(messages.join("\n"))
        }
    };
    std::panic::catch_unwind(attempt).unwrap_or_else(|_| Err("the compiler panics".to_owned()))
}

/// Whether what [`compiles`] refused with this message is an error of the compiler, or something that it
/// does not do yet. A random program may be wrong itself, where an index or a size is known.
pub fn should_compile(why: &str) -> bool {
    why.contains("the compiler") || why.contains("not supported")
}

/// The texts of all `compile_error!`.
fn messages(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => inside = ident == "compile_error",
            TokenTree::Group(group) if inside => found.push(group.stream().to_string()),
            TokenTree::Group(group) => found.extend(messages(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}
