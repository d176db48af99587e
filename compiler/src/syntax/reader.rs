//! What every part of the conversion shares: the error list, names, and places of tokens.

use super::ir::{Expr, ExprKind, Name};
use crate::report::{Diagnostic, Errors};
use crate::source::SrcSpan;
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;

/// Converts `syn` trees and records what the language does not have.
#[derive(Default)]
pub(super) struct Reader {
    /// What is wrong so far.
    pub errors: Errors,
    /// Names that are numbers in the function being read: sizes and scalar parameters.
    pub numbers: Vec<String>,
}

impl Reader {
    /// Records a mistake; the result stands for the expression that could not be read.
    pub fn reject(&mut self, diagnostic: Diagnostic) -> Expr {
        let src = diagnostic.span;
        self.errors.push(diagnostic);
        nothing(src)
    }
}

/// `()`, in the place of what could not be read.
pub(super) fn nothing(src: SrcSpan) -> Expr {
    Expr {
        kind: ExprKind::Tuple(Vec::new()),
        src,
    }
}

/// A path as it is usually written, without its type arguments.
pub(super) fn spelled(path: &syn::Path) -> String {
    let names = path.segments.iter().map(|it| it.ident.to_string());
    let first = path.leading_colon.map(|_| String::new());
    first
        .into_iter()
        .chain(names)
        .collect::<Vec<_>>()
        .join("::")
}

/// The name that `ident` is.
pub(super) fn name(ident: &Ident) -> Name {
    Name {
        text: ident.unraw().to_string(),
        ident: in_all_editions(ident.clone()),
    }
}

/// An identifier of the user's as one in every edition: `gen` is a keyword from 2024 on.
fn in_all_editions(ident: Ident) -> Ident {
    match ident == "gen" {
        true => Ident::new_raw("gen", ident.span()),
        false => ident,
    }
}

/// All identifiers of an item that is emitted as written.
pub(super) fn names_in_all_editions(tokens: TokenStream) -> TokenStream {
    let each = |tree| match tree {
        TokenTree::Ident(ident) => TokenTree::Ident(in_all_editions(ident)),
        TokenTree::Group(group) => {
            let inner = names_in_all_editions(group.stream());
            let mut whole = Group::new(group.delimiter(), inner);
            whole.set_span(group.span());
            TokenTree::Group(whole)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => tree,
    };
    tokens.into_iter().map(each).collect()
}

/// Opening to closing delimiter.
pub(super) fn group(span: DelimSpan) -> SrcSpan {
    SrcSpan {
        first: span.open(),
        last: span.close(),
    }
}
