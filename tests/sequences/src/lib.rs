//! The programs of `programs/`, compiled: [`PROGRAMS`].
//!
//! Header comments of the files say which calls must give what, see
//! [`ragged_test_support::header`].
#![allow(missing_docs, clippy::all, reason = "the modules are generated")]

use ragged_test_support::agree::Program;

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
