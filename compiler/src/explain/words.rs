//! What tokens say: classes for colours, names of arrays, operators.

use super::page::{Class, Line};
use super::source::{Item, Source};
use proc_macro2::TokenTree;

/// The name behind `fn`.
pub fn function_name(trees: &[TokenTree]) -> Option<String> {
    let is_fn = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "fn");
    let at = trees.iter().position(is_fn)?;
    match trees.get(at + 1) {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// For the colours of a token.
pub fn class(source: &Source, at: usize) -> Class {
    const KEYWORDS: [&str; 21] = [
        "as", "break", "const", "continue", "else", "enum", "false", "fn", "for", "if", "in",
        "let", "loop", "match", "mut", "pub", "return", "struct", "true", "use", "while",
    ];
    const TYPES: [&str; 16] = [
        "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "f16", "bf16",
        "f32", "f64", "isize", "Complex",
    ];
    let token = &source.tokens[at];
    let text = token.text.as_str();
    let follows = |text: &str| source.tokens.get(at + 1).is_some_and(|it| it.text == text);
    match token.class {
        Class::Name if KEYWORDS.contains(&text) => Class::Keyword,
        Class::Name if TYPES.contains(&text) => Class::Type,
        Class::Name if follows("(") || follows("!") => Class::Call,
        class => class,
    }
}

/// Of a line of what stands between tokens: spaces or a comment.
pub fn class_of_gap(text: &str) -> Class {
    match text.trim().is_empty() {
        true => Class::Other,
        false => Class::Comment,
    }
}

/// Takes the indentation that all lines share, and spaces at ends.
pub fn unindent(lines: &mut [Line]) {
    let text = |line: &Line| {
        let texts = line.pieces.iter().map(|piece| piece.text.as_str());
        texts.collect::<String>()
    };
    let indents = lines.iter().map(text);
    let indents = indents.filter(|line| !line.trim().is_empty());
    let indents = indents.map(|line| line.chars().take_while(|it| *it == ' ').count());
    let shared = indents.min().unwrap_or(0);
    for line in lines {
        let mut left = shared;
        for piece in &mut line.pieces {
            let spaces = piece.text.chars().take_while(|it| *it == ' ').count();
            let taken = spaces.min(left);
            piece.text.drain(..taken);
            left = if piece.text.is_empty() {
                left - taken
            } else {
                0
            };
        }
        line.pieces.retain(|piece| !piece.text.is_empty());
    }
}

/// What the user calls the value of a construct: `let NAME = …;`, or the function that it is the
/// value of.
pub fn name_of(source: &Source, (first, last): (usize, usize)) -> Option<String> {
    let text = |at: usize| source.tokens.get(at).map(|it| it.text.as_str());
    let before = text(first.checked_sub(1)?)?;
    let is_whole = matches!(text(last + 1), Some(";" | "}"));
    match before {
        "=" if is_whole => pattern(source, first - 1),
        ";" | "{" => of_function(source, source.tokens.get(last + 1)?.opens?),
        _ => None,
    }
}

/// The pattern in front of a `=`.
fn pattern(source: &Source, equals: usize) -> Option<String> {
    let is_end = |at: &usize| {
        let text = source.tokens[*at].text.as_str();
        matches!(text, ";" | "{" | "}" | "let")
    };
    let start = (0..equals).rev().find(is_end)? + 1;
    let colon = (start..equals).find(|at| source.tokens[*at].text == ":");
    let text = source.text(start..colon.unwrap_or(equals));
    let name = text.trim_start_matches("mut ").trim();
    let is_operator = |it: char| "+-*/%&|^<>!=".contains(it);
    (!name.is_empty() && !name.contains(is_operator)).then(|| name.to_owned())
}

/// The function whose body opens here, if it does.
fn of_function(source: &Source, open: usize) -> Option<String> {
    let item = item_of(source, open)?;
    let opens_body = (item.tokens.start..open).all(|at| source.tokens[at].text != "{");
    item.function.clone().filter(|_| opens_body)
}

/// The item that a token is in.
pub fn item_of(source: &Source, token: usize) -> Option<&Item> {
    source.items.iter().find(|it| it.tokens.contains(&token))
}

/// The operator that a construct is: the name of its last call, or `for`.
pub fn operator(source: &Source, (first, last): (usize, usize)) -> Option<String> {
    if source.tokens[first].text == "for" {
        return Some("for".to_owned());
    }
    let open = source.tokens[last].opens?;
    let callee = source.tokens.get(open.checked_sub(1)?)?;
    let is_call = callee.class == Class::Name && source.tokens[open].text == "(";
    is_call.then(|| callee.text.clone())
}
