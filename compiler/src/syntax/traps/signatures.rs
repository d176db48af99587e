//! Signatures: parameters without types, results without an arrow, functions without a body.

use super::{Failure, Level};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::split::{ident, is_punct, is_word};
use proc_macro2::{Delimiter, TokenTree};

pub(super) fn trap(failure: &Failure) -> Option<Diagnostic> {
    let item = &failure.levels[0];
    let function = item.trees[..item.at]
        .iter()
        .any(|tree| is_word(Some(tree), "fn"));
    if !function {
        return None;
    }
    match failure.levels.len() {
        1 => result(item).or_else(|| body(item, failure.src)),
        2 => parameter(failure.inner()),
        _ => None,
    }
}

/// `fn f(x: f32): f32 { … }`, `fn f(x: f32) f32 { … }`
fn result(item: &Level) -> Option<Diagnostic> {
    let behind_parameters = matches!(item.near(-1), Some(TokenTree::Group(group))
        if group.delimiter() == Delimiter::Parenthesis);
    let stop = item.near(0)?;
    let is_type = matches!(stop, TokenTree::Ident(_) | TokenTree::Group(_));
    if !behind_parameters || !(is_type || is_punct(Some(stop), ':')) {
        return None;
    }
    Some(
        Diagnostic::new(
            SrcSpan::token(stop.span()),
            "the result type follows an arrow",
        )
        .help("write `-> f32`"),
    )
}

/// `fn f(x: f32) -> f32;`
fn body(item: &Level, src: SrcSpan) -> Option<Diagnostic> {
    let ended = item.near(0).is_none() || is_punct(item.near(0), ';');
    ended.then(|| match foreign(item) {
        Some(attribute) => Diagnostic::unsupported(attribute, "`#[foreign]`")
            .help("write the function in the language, or call it between two blocks"),
        None => Diagnostic::new(src, "this function has no body")
            .help("write the body in braces: `{ … }`"),
    })
}

/// The attribute `#[foreign(…)]`, with which a function will need no body.
fn foreign(item: &Level) -> Option<SrcSpan> {
    item.trees.windows(2).find_map(|pair| {
        let TokenTree::Group(group) = &pair[1] else {
            return None;
        };
        let first = group.stream().into_iter().next();
        let is_foreign = is_punct(pair.first(), '#') && is_word(first.as_ref(), "foreign");
        is_foreign.then(|| SrcSpan::token(pair[0].span()).to(SrcSpan::token(group.span())))
    })
}

/// `fn f(x, y)`
fn parameter(parameters: &Level) -> Option<Diagnostic> {
    let ended = parameters.near(0).is_none() || is_punct(parameters.near(0), ',');
    let name = ident(parameters.near(-1))?;
    let first = parameters.near(-2).is_none() || is_punct(parameters.near(-2), ',');
    (parameters.delimiter == Some(Delimiter::Parenthesis) && ended && first).then(|| {
        Diagnostic::new(
            SrcSpan::token(name.span()),
            format!("parameter `{name}` has no type"),
        )
        .help(format!(
            "write `{name}: f32`, or `{name}: [f32]` for an array"
        ))
    })
}
