//! The procedural macro of `ragged`: token conversion, and writing the pages that `RAGGED_EXPLAIN`
//! asks for.

mod pages;

use proc_macro::TokenStream;

/// Compiles a block of array functions; see the crate `ragged`.
#[proc_macro]
pub fn accel(input: TokenStream) -> TokenStream {
    let Some(folder) = pages::folder() else {
        return ragged_compiler::expand_with(input.into(), lex).into();
    };
    let mut refused = proc_macro2::TokenStream::new();
    let mut tokens = ragged_compiler::expand_and_see(input.into(), lex, &mut |block, program| {
        refused.extend(pages::write(&folder, block, program));
    });
    tokens.extend(refused);
    tokens.into()
}

/// By rustc's lexer alone.
fn lex(text: &str) -> proc_macro2::TokenStream {
    match text.parse::<TokenStream>() {
        Ok(tokens) => tokens.into(),
        Err(error) => unreachable!("emitted text is Rust: {error}\n{text}"),
    }
}
