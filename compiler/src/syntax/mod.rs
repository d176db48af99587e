//! Tokens to the tree of the block.
//!
//! In: the tokens inside `accel! { … }`. Out: [`ir::Program`] and what is wrong with its grammar.
//! The grammar is Rust's, read by `syn`; what Rust has and the language has not is turned away here,
//! with a message that says what to write instead. Names are not looked up and nothing is typed.

pub mod ir;

mod attributes;
mod calls;
mod control;
mod exprs;
mod foreign;
mod functions;
mod generics;
mod grammar;
mod imports;
mod items;
mod literals;
mod macros;
mod patterns;
mod print;
mod reader;
mod returns;
pub(crate) mod split;
mod traps;
mod types;
mod verify;

pub use imports::{Import, Imports, imports};
pub use verify::verify;

use crate::report::Errors;
use proc_macro2::TokenStream;

/// What [`parse`] found.
#[derive(Debug)]
pub struct Parsed {
    /// The tree. Where `errors` is not empty it is partial: items that could not be read are
    /// missing, and expressions that could not be are `()`.
    pub program: ir::Program,
    /// What is wrong, in the order of the source.
    pub errors: Errors,
}

/// Reads a block whose imports are resolved.
pub fn parse(tokens: TokenStream) -> Parsed {
    let mut reader = reader::Reader::default();
    let mut units = Vec::new();
    reader.block_items(tokens, &mut units);
    Parsed {
        program: ir::Program {
            units,
            builtin: types::builtin(),
        },
        errors: reader.errors,
    }
}
