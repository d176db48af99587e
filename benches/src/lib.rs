//! Measures programs written in `ragged` beside rivals written by hand.
//!
//! `rivals` holds what an expert writes with rayon, `programs` the same
//! programs in the language, `limits` what the machine can do at all, and
//! `measure` puts them side by side and `verdict` judges the figures. `cargo bench -p ragged-bench` prints the table.

pub mod levels;
pub mod limits;
pub mod measure;
pub mod memory;
pub mod programs;
pub mod rivals;
pub mod verdict;
