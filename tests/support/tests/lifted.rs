//! Every operator compiles wherever it stands. (`tests/lifted` runs its lifted forms.)

use ragged_compiler::prims::records;
use ragged_test_support::{lifted, typing};
use std::env;

#[test]
fn every_operator_compiles_at_any_depth() {
    refused_are_none(records().map(lifted::program));
}

/// In the places whose turn it is; `RAGGED_TURN=all` has all of them.
#[test]
fn every_operator_compiles_in_any_place_of_a_body() {
    let turn = match env::var("RAGGED_TURN").as_deref() {
        Ok("all") => None,
        Ok(turn) => Some(turn.parse().expect("a number, or `all`")),
        Err(_) => Some(0),
    };
    refused_are_none(lifted::places::programs(turn));
}

fn refused_are_none(programs: impl Iterator<Item = String>) {
    let refused = programs.filter_map(|text| {
        let why = typing::compiles(&text).err()?;
        Some(format!("{why}\n{text}"))
    });
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
