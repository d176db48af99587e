//! `fused` → Rust tokens for the CPU.

mod abreast;
mod accumulate;
mod append;
mod ask;
mod batches;
mod body;
pub mod border;
mod by_position;
mod call;
pub mod captured;
mod carried;
mod cascade;
mod column_steps;
pub mod columns;
mod conjuncts;
mod convoy;
mod counts;
mod dear;
mod even;
pub mod explain;
mod features;
pub mod free;
pub mod fresh;
pub mod function;
mod host;
mod in_parts;
mod in_place;
mod inside;
mod join;
pub mod kernel;
pub mod lags;
mod lane_checks;
mod lanes;
mod layout;
mod looping;
mod lying;
mod middle;
mod narrow;
mod nest;
mod outside;
mod packed;
pub mod reads;
pub mod results;
mod rough;
pub mod rowed;
pub mod scalar;
pub mod scan_along;
mod seeks;
mod segments;
pub mod slots;
pub mod spans;
pub mod steps;
mod stream_heads;
mod stream_lengths;
mod stream_steps;
mod streams;
mod strides;
mod sweeps;
pub mod tiles;
mod trips;
mod tuples;

use crate::Lexer;
use crate::checks::Check;
use crate::fused::ir::Program;
use crate::streamed::ir::Stream;
use crate::typed::ir::{Home, StructDef};
use proc_macro2::TokenStream;
use quote::quote;

/// The items that a block expands to; `printing` has the functions as debug builds have them, where
/// that is something else.
pub fn program(
    program: &Program,
    streams: &[Stream],
    printing: Option<&Program>,
    lex: Lexer,
) -> TokenStream {
    let structs = program.structs.iter();
    let structs = structs.map(|it| emit_struct(it, &program.structs));
    let checked = outside::checked(&program.structs, lex);
    let fixed = function::Fixed::new(lex);
    let functions = program.functions.iter().enumerate();
    let functions = functions.filter(|(_, it)| !streams::is_part(it, streams));
    let functions = functions.map(|(at, it)| {
        let printing = printing.map(|program| &program.functions[at]);
        let printing = printing.filter(|it| it.checks.iter().any(Check::prints));
        function::emit(it, printing, &program.structs, &fixed, lex)
    });
    let over = streams.iter();
    let over = over.map(|it| streams::stream(it, program, printing, &fixed, lex));
    let explain = &fixed.explain;
    quote!(#(#structs)* #checked #(#functions)* #(#over)* #explain;)
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
    let item = quote!(#[derive(#(#paths),*)] #[allow(dead_code, reason = "fields may be read in blocks alone")] #tokens);
    features::resolved(item, def.ident.span())
}
