//! What a block expands to.

use ragged_compiler::expand;

/// The expansion of a block, without spaces.
///
/// # Panics
/// When the block is refused.
pub fn text(block: &str) -> String {
    let text = expand(block.parse().expect("tokens")).to_string();
    assert!(!text.contains("compile_error"), "{text}");
    text.replace(' ', "")
}
