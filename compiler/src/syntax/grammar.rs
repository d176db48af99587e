//! What `syn` cannot parse: our message for the traps, else what `syn` says.

use super::split;
use super::traps::Failure;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{TokenStream, TokenTree};

/// Explains why an item does not parse.
pub(super) fn explain(error: &syn::Error, trees: &[TokenTree]) -> Diagnostic {
    explain_at(error, trees.to_vec(), split::span_of(trees))
}

/// The same for the arguments of a macro at `src`.
pub(super) fn explain_in(error: &syn::Error, tokens: &TokenStream, src: SrcSpan) -> Diagnostic {
    explain_at(error, tokens.clone().into_iter().collect(), src)
}

fn explain_at(error: &syn::Error, trees: Vec<TokenTree>, whole: SrcSpan) -> Diagnostic {
    // The emitted message reaches from the start to the end of the place that is wrong.
    let src = SrcSpan::of(&error.to_compile_error());
    let message = error.to_string();
    let failure = Failure::locate(trees, src, whole, &message);
    failure
        .trap()
        .unwrap_or_else(|| plain(&message, failure.src))
}

/// The parser's own words, in the style of ours.
fn plain(message: &str, src: SrcSpan) -> Diagnostic {
    let message = message.lines().next().unwrap_or_default();
    let title = ["unexpected token, ", "unexpected end of input, "]
        .iter()
        .find_map(|prefix| message.strip_prefix(prefix))
        .unwrap_or(message);
    let (title, remedy) = match title {
        title if title.starts_with("expected one of: `for`, parentheses") => (
            "expected a type",
            "types are scalars, structs of the block, tuples and arrays `[T]`",
        ),
        title if title.starts_with("expected one of: identifier, `::`, `<`, `_`") => (
            "expected a pattern",
            "patterns are names, `_`, literals, tuples and structs",
        ),
        "expected curly braces" => ("expected `{`", "bodies stand in braces: `{ … }`"),
        "expected `;`" | "expected semicolon" => (
            "expected `;`",
            "a statement ends with `;`; only the last expression of a block has none",
        ),
        title => (title, "the grammar inside the block is Rust's"),
    };
    Diagnostic::new(src, title).help(remedy)
}
