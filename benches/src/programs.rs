//! The programs in the language: what the rivals are measured against.

pub mod audio;
pub mod dense;
pub mod flat;
pub mod fluid;
pub mod graphs;
pub mod images;
pub mod nested;
pub mod norms;
pub mod order;
pub mod streams;
pub mod words;
