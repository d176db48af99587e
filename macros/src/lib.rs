//! The procedural macro of `ragged`: token conversion only.

use proc_macro::TokenStream;

/// Compiles a block of array functions; see the crate `ragged`.
#[proc_macro]
pub fn accel(input: TokenStream) -> TokenStream {
    ragged_compiler::expand_with(input.into(), lex).into()
}

/// By rustc's lexer alone.
fn lex(text: &str) -> proc_macro2::TokenStream {
    match text.parse::<TokenStream>() {
        Ok(tokens) => tokens.into(),
        Err(error) => unreachable!("emitted text is Rust: {error}\n{text}"),
    }
}
