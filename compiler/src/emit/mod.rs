//! Emission: cannot fail, blames nobody.

pub mod rust;
pub mod source;
pub mod stubs;

use crate::Lexer;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// A keyword of Rust from edition 2024 on, and a name before: with `r#` it is a name in all.
const LATER_KEYWORD: &str = "gen";

/// The identifier for a name without its `r#`.
pub fn ident(name: &str, span: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) if name != LATER_KEYWORD => Ident::new(name, span),
        Ok(_) | Err(_) => Ident::new_raw(name, span),
    }
}

/// The same as text.
pub fn ident_text(name: &str) -> String {
    ident(name, Span::call_site()).to_string()
}

/// Tokens of ours where the user's are, so that rustc marks that place.
pub fn at(tokens: TokenStream, place: Span) -> TokenStream {
    let place = place.resolved_at(Span::call_site());
    let at_place = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            tree = Group::new(group.delimiter(), at(group.stream(), place)).into();
        }
        tree.set_span(place);
        tree
    };
    tokens.into_iter().map(at_place).collect()
}

/// The tokens of each text. One call of the lexer, of which each costs as much as some hundred tokens;
/// none of the texts has a semicolon outside of brackets.
pub fn lex_all<const N: usize>(texts: [&str; N], lex: Lexer) -> [TokenStream; N] {
    let mut parts = lex_each(&texts.join(";"), lex).into_iter();
    texts.map(|_| parts.next().unwrap_or_default())
}

/// The tokens between the semicolons of a text.
pub fn lex_each(text: &str, lex: Lexer) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = lex(text).into_iter().collect();
    let is_end =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';');
    let parts = trees.split(is_end);
    parts.map(|part| part.iter().cloned().collect()).collect()
}
