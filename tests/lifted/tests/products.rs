//! Each operator on elements that are products, at the depth whose turn it is; see
//! `ragged_test_support::lifted::elements`.
#![allow(missing_docs, clippy::all, reason = "the modules are generated")]

use ragged_test_support::agree::Program;

include!(concat!(env!("OUT_DIR"), "/products.rs"));

/// Nothing else runs in this process: the level is one for all of it.
#[test]
fn operators_on_products_give_what_the_interpreter_gives() {
    ragged_test_support::lifted::elements::check(PROGRAMS);
}
