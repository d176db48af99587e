//! A batch of random programs as Rust modules.
//!
//! `RAGGED_RANDOM` programs (100 unless set) of seed `RAGGED_SEED` (1 unless set), starting with
//! number `RAGGED_FIRST` (0 unless set); each `RAGGED_STEP`th of these (1 unless set), so that 3 and 7
//! make programs over sequences. Out: `OUT_DIR/batch.rs`. Programs that the compiler refuses are in
//! it without functions.

use ragged_test_support::{random, typing, wrap};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (count, seed) = (setting("RAGGED_RANDOM", 100), setting("RAGGED_SEED", 1));
    let (first, step) = (setting("RAGGED_FIRST", 0), setting("RAGGED_STEP", 1));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let mut modules = format!("pub const SEED: u64 = {seed};\n");
    let mut table = String::new();
    for number in (0..count).map(|at| first + at * step) {
        let text = random::program(seed, number).tree.to_string();
        let functions = write_module(&out, number, &text, &mut modules);
        let _ = writeln!(table, "({number}, {functions}),");
    }
    modules += &format!("pub static PROGRAMS: &[(u64, &[Compiled])] = &[\n{table}];\n");
    fs::write(out.join("batch.rs"), modules).expect("OUT_DIR can be written");
}

/// Writes the module of a program; gives the expression of its functions.
fn write_module(out: &Path, number: u64, text: &str, modules: &mut String) -> String {
    let Ok(()) = typing::compiles(text) else {
        return "&[]".to_owned();
    };
    let typed = typing::program(text).expect("what compiles is typed");
    let file = out.join(format!("p{number}.rs"));
    fs::write(&file, wrap::file(text, &typed)).expect("OUT_DIR can be written");
    let _ = writeln!(
        modules,
        "pub mod p{number} {{ include!(concat!(env!(\"OUT_DIR\"), \"/p{number}.rs\")); }}"
    );
    format!("p{number}::FUNCTIONS")
}

fn setting(name: &str, default: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    match env::var(name) {
        Ok(text) => text.parse().expect("settings are numbers"),
        Err(_) => default,
    }
}
