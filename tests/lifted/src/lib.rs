//! The lifted forms of every operator, compiled: [`PROGRAMS`]. See [`ragged_test_support::lifted`].
#![allow(missing_docs, clippy::all, reason = "the modules are generated")]

use ragged_test_support::agree::Program;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
