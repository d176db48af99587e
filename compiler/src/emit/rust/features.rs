//! Types that the run time has with a feature only.
//!
//! In: the items of a function, or a struct, and the text in which its types occur. Out: the items,
//! inside of a macro that says which feature is missing where it is.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

/// A feature, and what comes with it.
struct Feature {
    /// How paths into it start, in emitted functions.
    path: &'static str,
    /// The macro of the run time that passes items on, or says what is missing.
    guard: &'static str,
    /// The module of `__private`, and the types in it.
    module: &'static str,
    types: &'static [&'static str],
    /// Whether `<` comes behind a type.
    applied: bool,
}

const FEATURES: [Feature; 2] = [
    Feature {
        path: "__r::half::",
        guard: "half_items",
        module: "half",
        types: &["f16", "bf16"],
        applied: false,
    },
    Feature {
        path: "__r::num_complex::",
        guard: "complex_items",
        module: "num_complex",
        types: &["Complex"],
        applied: true,
    },
];

/// The items of a function whose body is `text`; a message is about what is at `span`.
pub fn guarded(items: TokenStream, text: &str, span: Span) -> TokenStream {
    let used = FEATURES.iter().filter(|it| text.contains(it.path));
    used.fold(items, |items, feature| feature.guard(items, span))
}

/// A struct with the types of its fields by their paths: their names may mean other things, or
/// nothing, around the block.
pub fn resolved(tokens: TokenStream, span: Span) -> TokenStream {
    FEATURES.iter().fold(tokens, |tokens, feature| {
        let mut found = false;
        let tokens = feature.resolve(tokens, &mut found);
        match found {
            true => feature.guard(tokens, span),
            false => tokens,
        }
    })
}

impl Feature {
    fn guard(&self, items: TokenStream, span: Span) -> TokenStream {
        let guard = format_ident!("{}", self.guard, span = span);
        let path = quote_spanned!(span=> ::ragged::__private::#guard!);
        // The brackets too, or rustc marks the block.
        let mut items = Group::new(Delimiter::Brace, items);
        items.set_span(span);
        quote!(#path #items)
    }

    /// A name in front of `:` is that of a field.
    fn resolve(&self, tokens: TokenStream, found: &mut bool) -> TokenStream {
        let mut trees = tokens.into_iter().peekable();
        let mut out = TokenStream::new();
        while let Some(tree) = trees.next() {
            let next = match trees.peek() {
                Some(TokenTree::Punct(next)) => Some(next.as_char()),
                _ => None,
            };
            let is_type = match self.applied {
                true => next == Some('<'),
                false => next != Some(':'),
            };
            match tree {
                TokenTree::Ident(ident)
                    if is_type && self.types.iter().any(|name| ident == name) =>
                {
                    *found = true;
                    let module = format_ident!("{}", self.module, span = ident.span());
                    out.extend(quote_spanned!(ident.span()=> ::ragged::__private::#module::#ident));
                }
                TokenTree::Group(group) => {
                    let inside = self.resolve(group.stream(), found);
                    let mut new = Group::new(group.delimiter(), inside);
                    new.set_span(group.span());
                    out.extend([TokenTree::Group(new)]);
                }
                other => out.extend([other]),
            }
        }
        out
    }
}
