//! Emission: cannot fail, blames nobody.

pub mod rust;
pub mod source;
pub mod stubs;

use proc_macro2::{Ident, Span};

/// The identifier for a name without its `r#`.
pub fn ident(name: &str, span: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, span),
        Err(_) => Ident::new_raw(name, span),
    }
}

/// The same as text.
pub fn ident_text(name: &str) -> String {
    ident(name, Span::call_site()).to_string()
}
