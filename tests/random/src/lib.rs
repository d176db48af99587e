//! A batch of random programs, compiled; see the build script.
#![allow(missing_docs, clippy::all, reason = "the modules are generated")]

use ragged_test_support::agree::Compiled;

include!(concat!(env!("OUT_DIR"), "/batch.rs"));
