//! What fusion makes of a block's text.

use ragged_compiler::fused::ir::Function;
use ragged_compiler::{flat, fused, shaped, syntax, typed};

/// The functions of a block, each verified.
///
/// # Panics
/// When the block is refused.
pub fn functions(text: &str) -> Vec<Function> {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    assert!(parsed.errors.propagate().is_ok(), "{text}");
    let typed = typed::infer(&parsed.program);
    let flat = typed.and_then(shaped::infer).and_then(flat::flatten);
    let Ok(flat) = flat else {
        panic!("refused: {text}")
    };
    let functions = fused::fuse(flat).functions;
    for function in &functions {
        assert_eq!(fused::verify::verify(function), Ok(()), "{text}");
    }
    functions
}
