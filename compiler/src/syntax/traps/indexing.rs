//! `a[i, j]`, `a[1:3]`, `[f32, n]`

use super::{Failure, Level, ends_expression, text};
use crate::report::Diagnostic;
use crate::syntax::split::is_punct;
use proc_macro2::{Delimiter, TokenTree};

pub(super) fn trap(failure: &Failure) -> Option<Diagnostic> {
    let inner = failure.inner();
    if inner.delimiter != Some(Delimiter::Bracket) {
        return None;
    }
    let comma = is_punct(inner.near(0), ',');
    let array = failure.before().last();
    match ends_expression(array) {
        true if is_punct(inner.near(0), ':') => Some(colon(inner)),
        true if comma => Some(several_indices(array, inner)),
        false if comma => Some(size(inner)),
        _ => None,
    }
}

/// `a[i, j]`
fn several_indices(array: Option<&TokenTree>, inner: &Level) -> Diagnostic {
    let parts: Vec<String> = inner
        .trees
        .split(|tree| is_punct(Some(tree), ','))
        .map(text)
        .collect();
    let remedy = match array {
        Some(TokenTree::Ident(array)) if parts.iter().all(|part| is_plain(part)) => {
            format!("write `{array}[{}]`", parts.join("]["))
        }
        _ => "write `a[i][j]`".to_owned(),
    };
    Diagnostic::new(inner.src, "an index has one part")
        .note("an array of arrays is indexed one level at a time")
        .help(remedy)
}

/// Whether a part is short, and one index.
fn is_plain(part: &str) -> bool {
    !part.is_empty() && part.len() < 20 && !part.contains([':', '.'])
}

/// `a[1:3]`
fn colon(inner: &Level) -> Diagnostic {
    Diagnostic::new(inner.src, "slices are written with `..`")
        .help("write `a[1..3]`, `a[1..]` or `a[..3]`")
}

/// `[f32, n]`, `[f32; n, m]`
fn size(inner: &Level) -> Diagnostic {
    if inner.trees[..inner.at]
        .iter()
        .any(|tree| is_punct(Some(tree), ';'))
    {
        Diagnostic::new(inner.src, "an array type has one size")
            .note("a matrix is an array of rows")
            .help("write `[[f32; m]; n]`")
    } else {
        Diagnostic::new(inner.src, "the size in an array type follows a `;`")
            .help("write `[f32; n]`")
    }
}
