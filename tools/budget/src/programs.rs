//! The programs of the benchmark suite, one block each, and what they cost to compile.

use crate::blocks::{Block, block_of};
use crate::inside::Inside;
use std::io;

/// What each is called in the suite, the function, and the file that has it.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("dot product", "dot_f32", FLAT),
    ("Black-Scholes", "black_scholes", FLAT),
    ("Mandelbrot", "mandelbrot", FLAT),
    (
        "N-body",
        "nbody",
        include_str!("../../../benches/src/programs/dense.rs"),
    ),
    (
        "fluid flow",
        "flow",
        include_str!("../../../benches/src/programs/fluid.rs"),
    ),
    (
        "Canny edges",
        "edges",
        include_str!("../../../benches/src/programs/images.rs"),
    ),
    (
        "sparse product",
        "smvm",
        include_str!("../../../benches/src/programs/nested.rs"),
    ),
    (
        "MD5",
        "find",
        include_str!("../../../benches/src/programs/words.rs"),
    ),
    (
        "PageRank",
        "page_rank",
        include_str!("../../../benches/src/programs/graphs.rs"),
    ),
    (
        "audio windows",
        "windows",
        include_str!("../../../benches/src/programs/audio.rs"),
    ),
    ("iota-square-sum", "iota_square_sum", FLAT),
];

const FLAT: &str = include_str!("../../../benches/src/programs/flat.rs");

/// Prints, for each program, its name, the milliseconds of the macro and the seconds of a release build.
pub fn report() -> io::Result<()> {
    let crates = Inside::new()?;
    let blocks: Vec<Block> = PROGRAMS.iter().map(block).collect();
    let (times, _) = crates.macro_times(&blocks)?;
    for (block, times) in blocks.iter().zip(times) {
        let rustc = crates.release_time(block)?;
        let millis = times.fastest.as_secs_f64() * 1e3;
        println!("{}\t{millis:.1}\t{:.2}", block.name, rustc.as_secs_f64());
    }
    Ok(())
}

fn block((name, function, file): &(&'static str, &str, &str)) -> Block {
    let text = only(&block_of(file), function);
    Block { name, text }
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
