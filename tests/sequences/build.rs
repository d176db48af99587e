//! The program files as Rust modules (see `ragged_test_support::modules`).

use ragged_test_support::{files, modules};
use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    modules::write(&out, files::programs(Path::new("programs")));
}
