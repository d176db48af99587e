//! Prints what a block expands to: `cargo run -p ragged-compiler --example expand FILE`, the file
//! holding the text between the braces of `accel! { … }`; with `--fused` behind it, the kernels
//! and what contracts are held against instead, with `--page` the page that `RAGGED_EXPLAIN` writes.
//! For work on the compiler.

use ragged_compiler::{
    contracts, expand, expand_and_see, explain, flat, fused, shaped, streamed, syntax, typed,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: expand FILE [--fused | --page]")?;
    let text = std::fs::read_to_string(path)?;
    let block: proc_macro2::TokenStream = text.parse()?;
    if std::env::args().any(|arg| arg == "--fused") {
        return kernels(block);
    }
    if std::env::args().any(|arg| arg == "--page") {
        page(block, &text);
        return Ok(());
    }
    let start = std::time::Instant::now();
    let tokens = expand(block);
    let time = start.elapsed();
    println!("{tokens}");
    eprintln!("{:.2} ms", time.as_secs_f64() * 1e3);
    Ok(())
}

/// Prints the kernels of a block without mistakes.
fn kernels(block: proc_macro2::TokenStream) -> Result<(), Box<dyn std::error::Error>> {
    let program = syntax::parse(block).program;
    let typed = typed::infer(&program).map_err(|_| "it does not type")?;
    let streamed = streamed::split(typed, shaped::result_lengths);
    let (typed, streams) = streamed.map_err(|_| "it cannot be streamed")?;
    for stream in &streams {
        println!("{}", streamed::print::print(stream));
    }
    let shaped = shaped::infer(typed).map_err(|_| "it has no shapes")?;
    let flat = flat::flatten(shaped).map_err(|_| "it cannot be flattened")?;
    for function in fused::fuse(flat).functions {
        println!("{}", fused::print::print(&function));
        println!("{}", contracts::print::print(&function));
    }
    Ok(())
}

/// Prints the page of a block, if it has no mistakes.
fn page(block: proc_macro2::TokenStream, text: &str) {
    let lex = |text: &str| text.parse().expect("Rust");
    expand_and_see(block, lex, &mut |block, program| {
        let page = explain::page(block, program, "example", &|_| Some(text.to_owned()));
        println!("{}", explain::page::html(&page));
    });
}
