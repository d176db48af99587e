//! `reduce(+)`, `i as usize < n`, `for … { … } + 1`, `i++`, `a @ b`

use super::{Failure, Level, span, text};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::split::{ident, is_punct, is_word};
use proc_macro2::{Delimiter, Spacing, TokenTree};

pub(super) fn trap(failure: &Failure) -> Option<Diagnostic> {
    operator_as_function(failure)
        .or_else(|| failure.levels.iter().rev().find_map(cast_before_less))
        .or_else(|| step(failure))
        .or_else(|| matrix_product(failure))
        .or_else(|| operator_after_block(failure))
}

const OPERATORS: [&str; 18] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&",
    "||",
];

/// `reduce(+)`, `fold(0, +)`, `scan((*))`
fn operator_as_function(failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.inner();
    if inner.delimiter != Some(Delimiter::Parenthesis) {
        return None;
    }
    let args: Vec<&[TokenTree]> = inner
        .trees
        .split(|tree| is_punct(Some(tree), ','))
        .collect();
    let (arg, op) = args.iter().find_map(|arg| {
        let op = text(arg).replace(' ', "");
        OPERATORS.contains(&op.as_str()).then_some((*arg, op))
    })?;
    let diagnostic = Diagnostic::new(span(arg), "an operator is not a function by itself");
    let closure = format!("|a, b| a {op} b");
    Some(match ident(failure.before().last()) {
        Some(name) if args.len() == 1 && takes_start(name) => diagnostic
            .note(format!(
                "`{name}` takes the value to start with, then the function"
            ))
            .help(format!("write `{name}({}, {closure})`", neutral(&op))),
        _ => diagnostic.help(format!("write `{closure}`")),
    })
}

fn takes_start(name: &proc_macro2::Ident) -> bool {
    [
        "reduce",
        "fold",
        "prescan",
        "scan_from",
        "rprescan",
        "rscan_from",
    ]
    .iter()
    .any(|word| name == word)
}

fn neutral(op: &str) -> &'static str {
    match op {
        "*" => "1",
        "&&" => "true",
        "||" => "false",
        _ => "0",
    }
}

/// `i as usize < n`
fn cast_before_less(level: &Level) -> Option<Diagnostic> {
    let end = level.at.min(level.trees.len());
    let start = (0..end).rev().find(|&at| {
        is_word(level.trees.get(at), "as")
            && ident(level.trees.get(at + 1)).is_some()
            && is_punct(level.trees.get(at + 2), '<')
    })?;
    let ended = level.trees[start..end]
        .iter()
        .any(|tree| is_punct(Some(tree), ';'));
    if ended {
        return None;
    }
    let ty = &level.trees[start + 1];
    let value = start
        .checked_sub(1)
        .map_or("…".to_owned(), |at| level.trees[at].to_string());
    Some(
        Diagnostic::new(
            span(&level.trees[start..start + 3]),
            format!("`<` after `as {ty}` starts a list of types"),
        )
        .help(format!(
            "put the cast in parentheses: `({value} as {ty}) < …`"
        )),
    )
}

/// `i++`, `--i`
fn step(failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.inner();
    let first = [-1, 0, -2]
        .into_iter()
        .filter_map(|offset| inner.at.checked_add_signed(offset))
        .find(|&at| doubled(&inner.trees, at))?;
    let sign = &inner.trees[first];
    Some(
        Diagnostic::new(
            span(&inner.trees[first..first + 2]),
            format!("there is no operator `{sign}{sign}`"),
        )
        .help(format!("write `i {sign}= 1`")),
    )
}

/// `a @ b`
fn matrix_product(failure: &Failure) -> Option<Diagnostic> {
    let sign = failure.inner().near(0)?;
    is_punct(Some(sign), '@').then(|| {
        let src = SrcSpan::token(sign.span());
        Diagnostic::new(src, "there is no operator `@`").help(
            "a matrix product is `for r in a { for c in b.transpose() { zip(r, c).map(|(x, y)| x * y).sum() } }`",
        )
    })
}

/// Whether a sign stands twice at `at`.
fn doubled(trees: &[TokenTree], at: usize) -> bool {
    ['+', '-']
        .into_iter()
        .any(|sign| is_punct(trees.get(at), sign) && is_punct(trees.get(at + 1), sign))
}

/// `for x in xs { x } + 1`, `if c { 1 } else { 2 } as f32`
fn operator_after_block(failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.inner();
    if inner.delimiter != Some(Delimiter::Brace) {
        return None;
    }
    let operator = operator_behind_brace(inner)?;
    let keyword = statement_keyword(&inner.trees[..operator]);
    Some(ends_at_its_brace(keyword, joint(&inner.trees[operator..])))
}

/// A sign of one or more characters.
fn joint(trees: &[TokenTree]) -> SrcSpan {
    let glued = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
    let length = trees.iter().take_while(|tree| glued(tree)).count() + 1;
    span(&trees[..length.min(trees.len())])
}

/// The message for an operator behind a block-like expression that starts a statement.
pub(super) fn ends_at_its_brace(keyword: Option<&str>, src: SrcSpan) -> Diagnostic {
    let (this, shape) = match keyword {
        Some(word) => (format!("this `{word}`"), format!("`({word} … {{ … }})`")),
        None => ("this block".to_owned(), "`({ … })`".to_owned()),
    };
    Diagnostic::new(
        src,
        format!("{this} is a statement, which ends at its `}}`"),
    )
    .note("Rust reads what follows as the next statement")
    .help(format!(
        "put it in parentheses, {shape}, or give it a name with `let`"
    ))
}

/// The parser stops at most operators, behind `<`, and at the end of what it takes for a closure.
fn operator_behind_brace(level: &Level) -> Option<usize> {
    let behind = |at: usize| {
        at.checked_sub(1).is_some_and(|before| {
            matches!(&level.trees[before], TokenTree::Group(group)
                if group.delimiter() == Delimiter::Brace)
        })
    };
    let at = level.at;
    let here = level.near(0).is_some_and(|tree| match tree {
        TokenTree::Punct(punct) => "+/%=<>^?".contains(punct.as_char()),
        tree => is_word(Some(tree), "as"),
    });
    if here && behind(at) {
        return Some(at);
    }
    let open = at.checked_sub(1)?;
    if is_punct(level.trees.get(open), '<') && behind(open) {
        return Some(open);
    }
    (0..at)
        .rev()
        .find(|&bar| is_punct(level.trees.get(bar), '|') && behind(bar))
}

/// The word that the last statement starts with, if it is not a plain block.
fn statement_keyword(trees: &[TokenTree]) -> Option<&'static str> {
    let start = trees
        .iter()
        .rposition(|tree| is_punct(Some(tree), ';'))
        .map_or(0, |semicolon| semicolon + 1);
    let statement = &trees[start..];
    (0..statement.len()).rev().find_map(|at| {
        let branch = at > 0 && is_word(statement.get(at - 1), "else");
        ["for", "if", "match", "while", "loop"]
            .into_iter()
            .find(|word| !branch && is_word(statement.get(at), word))
    })
}
