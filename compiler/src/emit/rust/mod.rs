//! `fused` → Rust tokens for the CPU.

pub mod accumulate;
pub mod border;
pub mod captured;
pub mod columns;
mod even;
pub mod explain;
mod features;
pub mod free;
pub mod function;
pub mod host;
mod inside;
pub mod kernel;
pub mod lanes;
mod layout;
pub mod linear;
mod liveness;
mod looping;
mod middle;
mod nest;
mod outside;
pub mod reads;
pub mod results;
mod rough;
pub mod rowed;
pub mod scalar;
mod segments;
pub mod slots;
pub mod spans;
pub mod steps;
mod sweeps;
pub mod tiles;
mod trips;

use crate::Lexer;
use crate::fused::ir::Program;
use crate::typed::ir::{Home, StructDef};
use proc_macro2::TokenStream;
use quote::quote;

/// The items that a block expands to.
pub fn program(program: &Program, lex: Lexer) -> TokenStream {
    let structs = program.structs.iter();
    let structs = structs.map(|it| emit_struct(it, &program.structs));
    let checked = outside::checked(&program.structs, lex);
    let fixed = function::Fixed::new(lex);
    let functions = program
        .functions
        .iter()
        .map(|it| function::emit(it, &program.structs, &fixed, lex));
    quote!(#(#structs)* #checked #(#functions)*)
}

/// A struct of the block, `Copy`, `Clone` and `Default` whether the user derives them or not.
fn emit_struct(def: &StructDef, structs: &[StructDef]) -> TokenStream {
    let Home::Block(tokens) = &def.home else {
        return TokenStream::new();
    };
    let tokens = outside::in_fields(tokens, structs);
    let missing = ["Clone", "Copy", "Default"]
        .into_iter()
        .filter(|name| !def.derives.iter().any(|own| own == name))
        .map(|name| quote::format_ident!("{name}"));
    let missing: Vec<_> = missing.collect();
    let paths = missing.iter().map(|name| match name.to_string().as_str() {
        "Clone" => quote!(::core::clone::Clone),
        "Copy" => quote!(::core::marker::Copy),
        _default => quote!(::core::default::Default),
    });
    let item = quote!(#[derive(#(#paths),*)] #[allow(dead_code)] #tokens);
    features::resolved(item, def.ident.span())
}
