//! What `EXPLAIN` says of the programs in a text, by the compiler itself.
//!
//! In: a text with Rust blocks and lines `{explain NAME}`. Out: the same text with what is said of
//! `NAME`, an exported function of the last `accel!` block before, for each such line.

use ragged_compiler::emit::rust::function;
use ragged_compiler::{flat, fused, shaped, syntax, typed};

/// The text with its lines filled in.
pub fn filled(text: &str) -> String {
    let (mut out, mut block) = (String::new(), String::new());
    let mut in_block = false;
    for line in text.lines() {
        match line {
            "```rust" => (in_block, block) = (true, String::new()),
            "```" => in_block = false,
            _ if in_block => block += &format!("{line}\n"),
            _ => {}
        }
        let name = line.strip_prefix("{explain ");
        match name.and_then(|name| name.strip_suffix('}')) {
            Some(name) => out += &format!("```text\n{}```\n", explained(&block, name)),
            None => out += &format!("{line}\n"),
        }
    }
    out
}

/// What is said of `name` in a Rust block; its lines count from the block's first.
fn explained(block: &str, name: &str) -> String {
    let lines = block.lines();
    let inside = lines.scan(false, |inside, line| {
        let outside = !*inside;
        *inside = (*inside || line == "ragged::accel! {") && line != "}";
        Some(if outside || !*inside { "" } else { line })
    });
    let tokens = inside.collect::<Vec<_>>().join("\n").parse();
    let program = syntax::parse(tokens.expect("the block is made of tokens")).program;
    let typed = typed::infer(&program).unwrap_or_else(|_| panic!("`{name}`: it does not type"));
    let shaped = shaped::infer(typed).unwrap_or_else(|_| panic!("`{name}`: it has no shapes"));
    let flat = flat::flatten(shaped).unwrap_or_else(|_| panic!("`{name}`: it is not flat"));
    let program = fused::fuse(flat);
    let found = program.functions.iter().find(|it| it.export.name == name);
    let found = found.unwrap_or_else(|| panic!("there is no function `{name}`"));
    function::explained(found, &program.structs).1
}
