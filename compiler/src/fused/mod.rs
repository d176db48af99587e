//! Kernels and the arrays between them: see [`ir`] for the property that holds.

pub mod border;
pub mod cost;
pub mod fuse;
pub mod ir;
pub mod plan;
pub mod sweep;

pub use fuse::fuse;
