//! Nested parallelism flattened: see [`ir`] for the property that holds.

mod across;
mod elements;
pub mod flatten;
pub mod hoist;
pub mod horizontal;
pub mod in_step;
pub mod ir;
pub mod print;
pub mod producers;
pub mod rows;
pub mod uses;
pub mod verify;

pub use flatten::flatten;
