//! Measures programs written in `ragged` beside rivals written by hand.
//!
//! `rivals` holds what an expert writes with rayon, `programs` the same
//! programs in the language, `limits` what the machine can do at all, `measure` puts them side by
//! side, `verdict` judges the figures and `drawing` draws them. `cargo bench -p ragged-bench` prints
//! the tables.

pub mod drawing;
pub mod levels;
pub mod limits;
pub mod measure;
pub mod memory;
pub mod programs;
pub mod rivals;
pub mod verdict;
