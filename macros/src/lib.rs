//! The procedural macro of `ragged`: token conversion only.

use proc_macro::TokenStream;

/// Compiles a block of array functions; see the crate `ragged`.
#[proc_macro]
pub fn accel(input: TokenStream) -> TokenStream {
    ragged_compiler::expand(input.into()).into()
}
