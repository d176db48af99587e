//! The programs of the benchmark suite, one block each, and what they cost to compile.

use crate::blocks::{Block, block_of};
use crate::inside::Inside;
use std::io;

/// What it is called in the suite, the function, its arguments as a caller has them, and the file that has it.
type Program = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

const PROGRAMS: &[Program] = &[
    ("dot product", "dot_f32", &["&[f32]", "&[f32]"], FLAT),
    (
        "Black-Scholes",
        "black_scholes",
        &["&[f32]", "&[f32]", "&[f32]"],
        FLAT,
    ),
    ("Mandelbrot", "mandelbrot", &["usize", "usize", "i32"], FLAT),
    (
        "N-body",
        "nbody",
        &["&[f32]", "&[f32]", "&[f32]", "&[f32]"],
        include_str!("../../../benches/src/programs/dense.rs"),
    ),
    (
        "fluid flow",
        "flow",
        &["&[[f32; 64]]", "&[[f32; 64]]", "&[[f32; 64]]", "usize"],
        include_str!("../../../benches/src/programs/fluid.rs"),
    ),
    (
        "Canny edges",
        "edges",
        &["&[[u8; 64]]", "i16", "i16"],
        include_str!("../../../benches/src/programs/images.rs"),
    ),
    (
        "sort",
        "sort_i32",
        &["&[i32]"],
        include_str!("../../../benches/src/programs/order.rs"),
    ),
    (
        "sparse product",
        "smvm",
        &["&ragged::Ragged<(usize, f64)>", "&[f64]"],
        include_str!("../../../benches/src/programs/nested.rs"),
    ),
    (
        "MD5",
        "find",
        &["&[[u32; 4]]", "&[u32]", "(u32, u32, u32, u32)"],
        include_str!("../../../benches/src/programs/words.rs"),
    ),
    (
        "PageRank",
        "page_rank",
        &["&ragged::Ragged<usize>", "&[usize]", "usize"],
        include_str!("../../../benches/src/programs/graphs.rs"),
    ),
    (
        "audio windows",
        "windows",
        &["&[f64]", "&[(usize, usize)]", "usize"],
        include_str!("../../../benches/src/programs/audio.rs"),
    ),
    ("iota-square-sum", "iota_square_sum", &["u64"], FLAT),
];

const FLAT: &str = include_str!("../../../benches/src/programs/flat.rs");

/// Prints, for each program that one of these names begins with, or for all if there are none, its name,
/// the milliseconds of the macro and the seconds of a release build.
pub fn report(names: &[String]) -> io::Result<()> {
    let is_wanted = |program: &&Program| {
        names.is_empty() || names.iter().any(|name| name.starts_with(program.0))
    };
    let programs: Vec<&Program> = PROGRAMS.iter().filter(is_wanted).collect();
    let crates = Inside::new()?;
    let blocks: Vec<Block> = programs.iter().copied().map(block).collect();
    let (times, _) = crates.macro_times(&blocks)?;
    for ((block, times), program) in blocks.iter().zip(times).zip(programs) {
        let rustc = crates.release_time(block, &call(program))?;
        let millis = times.fastest.as_secs_f64() * 1e3;
        println!("{}\t{millis:.1}\t{:.2}", block.name, rustc.as_secs_f64());
    }
    Ok(())
}

fn block((name, function, _, file): &Program) -> Block {
    let text = only(&block_of(file), function);
    Block { name, text }
}

/// A call of the function: what is generic over the arguments' types is compiled where it is called, and
/// what may be inlined where that is.
fn call((_, function, types, _): &Program) -> String {
    let arguments = types.iter().enumerate();
    let typed: Vec<String> = arguments.map(|(at, ty)| format!("a{at}: {ty}")).collect();
    let names: Vec<String> = (0..types.len()).map(|at| format!("a{at}")).collect();
    let (typed, names) = (typed.join(", "), names.join(", "));
    format!("#[inline(never)]\npub fn call({typed}) -> impl Sized {{ {function}({names}) }}")
}

/// A block without its exported functions but one.
fn only(block: &str, function: &str) -> String {
    let wanted = format!("pub fn {function}(");
    let mut text = String::new();
    // Attributes and comments go with what they stand before.
    let mut before = String::new();
    let mut left_out = false;
    for line in block.lines() {
        let inside = line.trim_start();
        if left_out {
            left_out = line != "    }";
        } else if inside.starts_with("#[") || inside.starts_with("///") {
            before += &format!("{line}\n");
        } else if inside.starts_with("pub fn ") && !inside.starts_with(&wanted) {
            before.clear();
            left_out = !line.ends_with('}');
        } else {
            text += &format!("{}{line}\n", std::mem::take(&mut before));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_one_exported_function() {
        for program in PROGRAMS {
            let block = block(program);
            assert_eq!(block.functions(), 1, "{}", block.name);
            let expanded = ragged_compiler::expand(block.text.parse().expect("tokens"));
            assert!(
                !expanded.to_string().contains("compile_error"),
                "{}",
                block.name
            );
        }
    }
}
