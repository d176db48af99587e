//! The program files, and every example of the operator table, as Rust modules (see
//! `ragged_test_support::modules`).

use ragged_compiler::prims::records;
use ragged_test_support::{files, modules};
use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let mut programs = files::programs(Path::new("programs"));
    programs.extend(records().map(|info| {
        let text = format!(
            "// call: {} => {}\n{}\n",
            info.call, info.gives, info.example
        );
        (format!("table_{}", info.name), text)
    }));
    modules::write(&out, programs);
}
