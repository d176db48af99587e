//! Emission: cannot fail, blames nobody.

pub mod rust;
pub mod source;
pub mod stubs;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// The identifier for a name without its `r#`.
pub fn ident(name: &str, span: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, span),
        Err(_) => Ident::new_raw(name, span),
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
