//! The lifted forms of every operator as Rust modules (see `ragged_test_support::modules`).

use ragged_compiler::prims::records;
use ragged_test_support::{lifted, modules};
use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let programs = records().map(|info| (format!("lifted_{}", info.name), lifted::program(info)));
    modules::write(&out, programs.collect());
}
