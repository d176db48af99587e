//! The lifted forms of every operator as Rust modules (see `ragged_test_support::modules`), and those for
//! elements that are arrays and products.
//!
//! The latter are of every second operator, at one depth each, which `RAGGED_TURN` says (ten turns have
//! all); of all at every depth with `RAGGED_TURN=all`.

use ragged_compiler::prims::records;
use ragged_test_support::lifted::elements::{self, ARRAYS, PRODUCTS};
use ragged_test_support::{lifted, modules};
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RAGGED_TURN");
    let turn = match env::var("RAGGED_TURN").as_deref() {
        Ok("all") => None,
        Ok(turn) => Some(turn.parse().expect("`RAGGED_TURN` is a number or `all`")),
        Err(_) => Some(0),
    };
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    // Crates of their own: rustc takes gigabytes for all together.
    for (kinds, name) in [(ARRAYS, "arrays.rs"), (PRODUCTS, "products.rs")] {
        modules::write(&out, elements::programs(kinds, turn));
        fs::rename(out.join("modules.rs"), out.join(name)).expect("it has been written");
    }
    let programs = records().map(|info| (format!("lifted_{}", info.name), lifted::program(info)));
    modules::write(&out, programs.collect());
}
