//! What a block expands to beside its error messages.
//!
//! In: the tokens of a block that does not compile, and as much of its tree as could be read. Out:
//! the user's tokens once, with their own spans, for editors only (completion and go-to-definition
//! keep working inside the block), and a stand-in for each exported function, so that its callers
//! give no errors of their own.

use crate::prims::Scalar;
use crate::syntax::ir::{Function, ParamType, Program, Type, TypeKind};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::HashSet;

/// The echo and the stand-ins.
pub fn stand_ins(block: &TokenStream, program: &Program) -> TokenStream {
    let Some(unit) = program.units.last() else {
        return TokenStream::new();
    };
    let structs: HashSet<&str> = unit
        .structs
        .iter()
        .map(|it| it.name.text.as_str())
        .collect();
    let functions = unit
        .functions
        .iter()
        .filter_map(|it| stand_in(it, &structs));
    let structs = unit.structs.iter().filter_map(|it| {
        let fields: Option<Vec<TokenStream>> = it
            .fields
            .iter()
            .map(|(name, ty)| {
                let (name, ty) = (fresh(&name.text), value(ty, &HashSet::new())?);
                Some(quote!(pub #name: #ty))
            })
            .collect();
        let (name, fields) = (fresh(&it.name.text), fields?);
        Some(quote! {
            #[derive(Clone, Copy, Default)]
            #[allow(dead_code, missing_docs)]
            pub struct #name { #(#fields),* }
        })
    });
    let echo = if block.is_empty() {
        TokenStream::new()
    } else {
        // The outer block takes the lint away from a `cfg` that Cargo does not know.
        quote! {
            #[allow(unexpected_cfgs)]
            const _: () = { #[cfg(rust_analyzer)] const _: () = { #block }; };
        }
    };
    quote!(#echo #(#structs)* #(#functions)*)
}

/// A token of ours: the user's own appears in the echo only.
fn fresh(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

fn stand_in(function: &Function, structs: &HashSet<&str>) -> Option<TokenStream> {
    let export = function.export.as_ref()?;
    if !function.generics.is_empty() {
        return None;
    }
    let name = fresh(&function.name.text);
    let params: Option<Vec<TokenStream>> = function
        .params
        .iter()
        .map(|param| match &param.ty {
            ParamType::Value(ty) => argument(ty, structs),
            ParamType::Fn { .. } => None,
        })
        .collect();
    let (params, ret) = (params?, value(function.ret.as_ref()?, structs)?);
    let public = (!export.vis.is_empty()).then(|| quote!(pub));
    Some(quote! {
        #[allow(missing_docs, clippy::all)]
        #public fn #name(#(_: #params),*) -> ::ragged::Result<#ret> {
            ::core::unreachable!("this `accel!` block does not compile")
        }
        #[allow(missing_docs, non_camel_case_types)]
        #public enum #name {}
        #[allow(missing_docs, dead_code)]
        impl #name { #public const EXPLAIN: &'static ::core::primitive::str = ""; }
    })
}

fn argument(ty: &Type, structs: &HashSet<&str>) -> Option<TokenStream> {
    match &ty.kind {
        TypeKind::Array(elem, _) => {
            let elem = element(elem, structs)?;
            Some(quote!(impl ::ragged::AsArray<#elem>))
        }
        TypeKind::Tuple(fields) => {
            let fields: Option<Vec<_>> = fields.iter().map(|it| argument(it, structs)).collect();
            let fields = fields?;
            Some(quote!((#(#fields,)*)))
        }
        TypeKind::Name(_) => value(ty, structs),
        TypeKind::Infer | TypeKind::Seq(_) => None,
    }
}

/// A type of array elements: no arrays so far.
fn element(ty: &Type, structs: &HashSet<&str>) -> Option<TokenStream> {
    match &ty.kind {
        TypeKind::Array(..) => None,
        TypeKind::Tuple(fields) => {
            let fields: Option<Vec<_>> = fields.iter().map(|it| element(it, structs)).collect();
            let fields = fields?;
            Some(quote!((#(#fields,)*)))
        }
        TypeKind::Name(_) | TypeKind::Infer | TypeKind::Seq(_) => value(ty, structs),
    }
}

fn value(ty: &Type, structs: &HashSet<&str>) -> Option<TokenStream> {
    match &ty.kind {
        TypeKind::Name(name) => {
            let known = Scalar::by_name(&name.text).is_some();
            let name_token = fresh(&name.text);
            if known {
                Some(quote!(::core::primitive::#name_token))
            } else {
                structs
                    .contains(name.text.as_str())
                    .then(|| quote!(#name_token))
            }
        }
        TypeKind::Array(elem, _) => {
            let elem = value(elem, structs)?;
            Some(quote!(::std::vec::Vec<#elem>))
        }
        TypeKind::Tuple(fields) => {
            let fields: Option<Vec<_>> = fields.iter().map(|it| value(it, structs)).collect();
            let fields = fields?;
            Some(quote!((#(#fields,)*)))
        }
        TypeKind::Infer | TypeKind::Seq(_) => None,
    }
}
