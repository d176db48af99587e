//! The programs in the language: what the rivals are measured against.

pub mod dense;
pub mod flat;
pub mod graphs;
pub mod nested;
