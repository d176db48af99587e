//! The compiler behind `ragged::accel!`: one stage per folder, each a pure function from one
//! representation to the next.
#![allow(missing_docs, reason = "TEMPORARY while the stages are written")]
pub mod checks;
pub mod contracts;
pub mod emit;
pub mod flat;
pub mod fused;
pub mod ids;
pub mod interpret;
pub mod prims;
pub mod print;
pub mod report;
pub mod shaped;
pub mod source;
pub mod syntax;
pub mod typed;
