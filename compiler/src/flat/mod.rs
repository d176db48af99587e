//! Nested parallelism flattened: see [`ir`] for the property that holds.

pub mod flatten;
pub mod ir;

pub use flatten::flatten;
