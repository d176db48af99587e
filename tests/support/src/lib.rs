//! What the agreement tests share.
//!
//! The interpreter says what a program means; compiled code must agree with it to the bit. Here are
//! values from text, programs with header comments, Rust around a block, and the comparison.

pub use {half, num_complex};

pub mod agree;
pub mod apart;
pub mod border;
pub mod files;
pub mod header;
pub mod levels;
pub mod lifted;
pub mod literal;
pub mod maths;
pub mod modules;
pub mod random;
pub mod rng;
pub mod special;
pub mod typing;
pub mod wrap;
