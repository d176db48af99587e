//! Kernels and the arrays between them: see [`ir`] for the property that holds.

pub mod border;
pub mod cost;
pub mod fast;
pub mod fuse;
pub mod ir;
mod keep;
mod layouts;
mod near;
pub mod plan;
mod positions;
pub mod print;
pub mod sweep;
pub mod sweeps;
pub mod verify;

pub use fuse::fuse;
