//! Structs that Rust has already, `#[element(path)]`.
//!
//! In: what the block says of such a struct. Out: items through which emitted code reads its fields
//! and makes its values. They alone name its fields, by the user's tokens: where the two
//! declarations differ, rustc says so there, and all other emitted code stands.
//!
//! The struct may be of another crate, so the items are an impl of a trait of their own. They go
//! into each function: beside it, their names would be ones that two blocks cannot both have.

use crate::Lexer;
use crate::emit::at;
use crate::emit::rust::border::{alias, elem_type};
use crate::ids::StructId;
use crate::prims::Scalar;
use crate::shaped::border::border_type;
use crate::source::SrcSpan;
use crate::typed::ir::{Home, Outside, StructDef};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// How field number `at` is read, behind a dot.
pub fn getter(id: StructId, at: usize) -> String {
    format!("__s{}_{at}()", id.0)
}

/// The function that makes a value of all fields.
pub fn maker(id: StructId) -> String {
    format!("<{} as __E{}>::make", alias(id), id.0)
}

/// What emitted code calls the run time and the scalars, whose names may mean something else around
/// the block.
pub fn names() -> String {
    let scalars = Scalar::ALL.into_iter().filter(|it| !it.is_half());
    let scalars: String = scalars.map(|it| it.name().to_owned() + ",").collect();
    format!("use ::ragged::__private as __r;\nuse ::core::primitive::{{{scalars}}};\n")
}

/// What rustc checks the structs by, whether a function has them or not.
pub fn checked(structs: &[StructDef], lex: Lexer) -> TokenStream {
    if outsides(structs).next().is_none() {
        return TokenStream::new();
    }
    let (names, items) = (lex(&names()), items(structs, lex));
    let bounds = with_bounds(lex(&bounds(structs)), structs);
    quote! {
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, reason = "generated")]
        const _: () = {
            #names
            #items
            fn elements() #bounds {}
        };
    }
}

/// That the structs can be elements, behind the head of a function or an impl. With these, rustc
/// takes it for granted inside, and says once for each struct that it cannot.
pub fn bounds(structs: &[StructDef]) -> String {
    let bounds: String = outsides(structs).map(|(id, ..)| bound(id) + ",").collect();
    match bounds.is_empty() {
        true => bounds,
        false => format!(" where {bounds}"),
    }
}

/// The name that stands for a bound.
fn bound(id: StructId) -> String {
    format!("__B{}", id.0)
}

/// Bounds in place of their names.
pub fn with_bounds(tokens: TokenStream, structs: &[StructDef]) -> TokenStream {
    let bounds = outsides(structs).map(|(id, _, outside)| {
        let path = &outside.path;
        let is_element = at(
            quote!(: ::ragged::__private::Element),
            SrcSpan::of(path).last,
        );
        (bound(id), quote!(#path #is_element))
    });
    replaced(tokens, &bounds.collect::<Vec<_>>())
}

/// The items of all structs from outside, for the body of a function.
pub fn items(structs: &[StructDef], lex: Lexer) -> TokenStream {
    outsides(structs)
        .map(|(id, _, outside)| item(id, outside, lex))
        .collect()
}

/// Paths in place of the aliases, which stand only inside of functions.
pub fn with_paths(tokens: TokenStream, structs: &[StructDef]) -> TokenStream {
    let paths = outsides(structs).map(|(id, _, outside)| (alias(id), outside.path.clone()));
    replaced(tokens, &paths.collect::<Vec<_>>())
}

/// A struct of the block as written, with paths in the types of its fields: outside of the block
/// the names of structs from there may mean other things.
pub fn in_fields(tokens: &TokenStream, structs: &[StructDef]) -> TokenStream {
    let paths: Vec<(String, TokenStream)> = outsides(structs)
        .map(|(_, def, outside)| (def.name.clone(), outside.path.clone()))
        .collect();
    let parsed = (!paths.is_empty()).then(|| syn::parse2::<syn::ItemStruct>(tokens.clone()));
    let Some(Ok(mut item)) = parsed else {
        return tokens.clone();
    };
    for field in &mut item.fields {
        let ty = &field.ty;
        field.ty = syn::Type::Verbatim(replaced(quote!(#ty), &paths));
    }
    quote!(#item)
}

/// `tokens` with others in place of names.
fn replaced(tokens: TokenStream, others: &[(String, TokenStream)]) -> TokenStream {
    if others.is_empty() {
        return tokens;
    }
    let replace = |tree: TokenTree| match tree {
        TokenTree::Ident(ident) => match others.iter().find(|(name, _)| ident == name) {
            Some((_, other)) => other.clone(),
            None => TokenTree::Ident(ident).into(),
        },
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replaced(group.stream(), others));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => tree.into(),
    };
    tokens.into_iter().flat_map(replace).collect()
}

/// The structs from outside.
fn outsides(structs: &[StructDef]) -> impl Iterator<Item = (StructId, &StructDef, &Outside)> {
    structs.iter().enumerate().filter_map(|(at, def)| {
        let id = StructId(u32::try_from(at).ok()?);
        match &def.home {
            Home::Outside(outside) => Some((id, def, outside)),
            Home::Block(_) | Home::Complex(_) | Home::Inside => None,
        }
    })
}

fn item(id: StructId, outside: &Outside, lex: Lexer) -> TokenStream {
    let (name, path) = (format_ident!("{}", alias(id)), &outside.path);
    let fields: Vec<Field<'_>> = (outside.fields.iter().enumerate())
        .map(|(number, field)| Field {
            getter: format_ident!("__s{}_{number}", id.0),
            value: format_ident!("v{number}"),
            ty: at(lex(&elem_type(&border_type(&field.ty))), field.src.first),
            ident: &field.ident,
        })
        .collect();
    let trait_name = format_ident!("__E{}", id.0);
    let head = fields.iter().map(|it| {
        let (getter, ty) = (&it.getter, &it.ty);
        quote!(fn #getter(&self) -> #ty;)
    });
    let getters = fields.iter().map(|it| it.getter(path));
    let (values, types): (Vec<_>, Vec<_>) = fields.iter().map(|it| (&it.value, &it.ty)).unzip();
    let inits = fields.iter().map(Field::init);
    quote! {
        type #name = #path;
        trait #trait_name {
            #(#head)*
            fn make(#(#values: #types),*) -> Self;
        }
        impl #trait_name for #path {
            #(#getters)*
            #[inline(always)]
            fn make(#(#values: #types),*) -> Self {
                #path { #(#inits),* }
            }
        }
    }
}

struct Field<'a> {
    getter: Ident,
    value: Ident,
    ty: TokenStream,
    ident: &'a Ident,
}

impl Field<'_> {
    /// A copy: fields of packed structs cannot be borrowed.
    fn getter(&self, path: &TokenStream) -> TokenStream {
        let Field {
            getter, ty, ident, ..
        } = self;
        let it = at(quote!(it), ident.span());
        quote! {
            #[inline(always)]
            fn #getter(&self) -> #ty {
                let #path { #ident: #it, .. } = *self;
                #it
            }
        }
    }

    fn init(&self) -> TokenStream {
        let (ident, value) = (self.ident, &self.value);
        let value = at(quote!(#value), ident.span());
        quote!(#ident: #value)
    }
}
