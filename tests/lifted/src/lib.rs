//! The lifted forms of every operator, compiled: [`PROGRAMS`]. See [`ragged_test_support::lifted`].
#![allow(missing_docs, clippy::all, reason = "the modules are generated")]

use ragged_test_support::agree::Program;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// The program called `name`.
pub fn program(name: &str) -> &'static Program {
    let found = PROGRAMS.iter().find(|program| program.name == name);
    found.expect("there is a test for each program")
}
