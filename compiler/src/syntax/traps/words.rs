//! Words and signs of other languages: `and`, `then`, `lambda x: …`, comprehensions,
//! `for i in 0..n, j in 0..m`, `x => …`, `:=`

use super::{Failure, Level};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::split::{ident, is_punct, is_word};
use proc_macro2::{Delimiter, Ident, TokenTree};

pub(super) fn trap(failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.inner();
    comprehension(inner)
        .or_else(|| two_ranges(inner))
        .or_else(|| ident(inner.near(0)).and_then(here))
        .or_else(|| ident(inner.near(-1)).and_then(before))
        .or_else(|| arrow(inner))
        .or_else(|| question(inner))
        .or_else(|| colon(inner))
}

fn foreign_word(word: &Ident, remedy: &str) -> Diagnostic {
    Diagnostic::new(
        SrcSpan::token(word.span()),
        format!("`{word}` is not a word of the language"),
    )
    .help(remedy)
}

/// The parser stops at these words.
fn here(word: &Ident) -> Option<Diagnostic> {
    let remedy = match word.to_string().as_str() {
        "and" => "write `a && b`",
        "or" => "write `a || b`",
        "then" => "write `if c { a } else { b }`",
        "elif" => "write `else if`",
        "do" => "write the body in braces: `{ … }`",
        _ => return None,
    };
    Some(foreign_word(word, remedy))
}

/// The parser takes these words for names and stops behind them.
fn before(word: &Ident) -> Option<Diagnostic> {
    let remedy = match word.to_string().as_str() {
        "not" => "write `!a`",
        "var" => "write `let x = …;`, or `let mut x = …;` for one that changes",
        "lambda" => "write a closure: `|x| x + 1`",
        "elif" => "write `else if`",
        "switch" => "write `match x { 1 => a, _ => b }`",
        _ => return None,
    };
    Some(foreign_word(word, remedy))
}

/// `[x * x for x in xs]`
fn comprehension(inner: &Level) -> Option<Diagnostic> {
    let word = ident(inner.near(0)).filter(|word| *word == "for")?;
    let listed = matches!(
        inner.delimiter,
        Some(Delimiter::Bracket | Delimiter::Parenthesis)
    );
    (listed && inner.at > 0).then(|| {
        Diagnostic::new(
            SrcSpan::token(word.span()),
            "the value of a `for` stands in its braces",
        )
        .help("write `for x in xs { x * x }`")
    })
}

/// `for i in 0..n, j in 0..m { … }`
fn two_ranges(inner: &Level) -> Option<Diagnostic> {
    let comma = inner.near(0).filter(|tree| is_punct(Some(*tree), ','))?;
    let (before, behind) = inner.trees.split_at(inner.at);
    let start = before.iter().rposition(|tree| is_word(Some(tree), "for"))?;
    let is_block = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let ended = |tree: &TokenTree| is_punct(Some(tree), ';') || is_block(tree);
    let mut header = behind.iter().take_while(|tree| !is_block(tree));
    let fits = !before[start..].iter().any(ended) && header.any(|tree| is_word(Some(tree), "in"));
    fits.then(|| {
        Diagnostic::new(
            SrcSpan::token(comma.span()),
            "a `for` goes through one array",
        )
        .help(
            "write one in the other: `for i in 0..n { for j in 0..m { … } }`; \
                   two arrays side by side are `for (x, y) in zip(xs, ys) { … }`",
        )
    })
}

/// `xs.map(x => x + 1)`, `|x| => x`
fn arrow(inner: &Level) -> Option<Diagnostic> {
    let arrow = is_punct(inner.near(0), '=') && is_punct(inner.near(1), '>');
    let closure = inner.delimiter == Some(Delimiter::Parenthesis) || is_punct(inner.near(-1), '|');
    (arrow && closure).then(|| {
        let src = super::span(&inner.trees[inner.at..inner.at + 2]);
        Diagnostic::new(src, "closures are written with bars").help("write `|x| x + 1`")
    })
}

/// `c ? a : b`
fn question(inner: &Level) -> Option<Diagnostic> {
    let tree = inner.near(-1).filter(|tree| is_punct(Some(*tree), '?'))?;
    Some(
        Diagnostic::new(SrcSpan::token(tree.span()), "there is no `… ? … : …`")
            .help("write `if c { a } else { b }`"),
    )
}

/// `x := 1`, `x: f32 = 1.0`
fn colon(inner: &Level) -> Option<Diagnostic> {
    let tree = inner.near(0).filter(|tree| is_punct(Some(*tree), ':'))?;
    let block = inner.delimiter == Some(Delimiter::Brace);
    let name = ident(inner.near(-1))?;
    (block && !inner.trees.iter().any(|tree| is_punct(Some(tree), ','))).then(|| {
        let sign = SrcSpan::token(tree.span());
        let src = match inner.near(1) {
            Some(equals) if is_punct(Some(equals), '=') => sign.to(SrcSpan::token(equals.span())),
            _ => sign,
        };
        Diagnostic::new(src, "a new name starts with `let`")
            .help(format!("write `let {name} = …;` or `let {name}: T = …;`"))
    })
}
