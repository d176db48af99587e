//! Types that the run time has with a feature only.
//!
//! In: the items of a function, or a struct. Out: the items, inside of a macro that says which
//! feature is missing where it is.

use crate::fused::ir::{Function, Layout};
use crate::prims::component;
use crate::shaped::ir::VarType;
use crate::typed::ir::SigType;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

/// A feature, and what comes with it.
struct Feature {
    /// Whether a function has values of its types. (By their types: a search of the emitted text
    /// takes as long as a stage.)
    used: fn(&Function) -> bool,
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
        used: has_halves,
        guard: "half_items",
        module: "half",
        types: &["f16", "bf16"],
        applied: false,
    },
    Feature {
        used: has_complex,
        guard: "complex_items",
        module: "num_complex",
        types: &["Complex"],
        applied: true,
    },
];

fn has_halves(function: &Function) -> bool {
    let inside = function.vars.iter().any(|var| match &var.ty {
        Layout::Plain(ty) | Layout::Component { ty, .. } => match ty {
            VarType::Scalar(scalar) => scalar.is_half(),
            VarType::Array(array) => array.elem.is_half(),
        },
        Layout::Packed { .. } => false,
    });
    inside
        || border(
            function,
            |ty| matches!(ty, SigType::Scalar(scalar) if scalar.is_half()),
        )
}

/// Inside they are pairs.
fn has_complex(function: &Function) -> bool {
    border(
        function,
        |ty| matches!(ty, SigType::Struct(id, _) if component(*id).is_some()),
    )
}

/// Whether a type that the function takes or gives, or a part of one, is such.
fn border(function: &Function, is: fn(&SigType) -> bool) -> bool {
    let params = function.params.iter().map(|param| &param.ty);
    params.chain([&function.ret]).any(|ty| has(ty, is))
}

fn has(ty: &SigType, is: fn(&SigType) -> bool) -> bool {
    is(ty)
        || match ty {
            SigType::Scalar(_) => false,
            SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
                fields.iter().any(|field| has(field, is))
            }
            SigType::Array { elem, .. } => has(elem, is),
        }
}

/// The items of a function; a message is about what is at `span`.
pub fn guarded(items: TokenStream, function: &Function, span: Span) -> TokenStream {
    let used = FEATURES.iter().filter(|it| (it.used)(function));
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
