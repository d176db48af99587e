//! Kernels and the arrays between them: see [`ir`] for the property that holds.

pub mod border;
pub mod cost;
pub mod fuse;
pub mod ir;
pub mod plan;
pub mod print;
pub mod sweep;
pub mod verify;

pub use fuse::fuse;
