//! Kernels and the arrays between them: see [`ir`] for the property that holds.

mod after_keep;
mod append;
pub mod become_results;
mod beyond;
pub mod border;
mod carried;
mod cascades;
mod convoys;
pub mod cost;
pub mod fast;
pub mod fuse;
pub mod in_rows;
mod indices;
mod into_readers;
pub mod ir;
mod join;
mod keep;
mod layouts;
pub mod linear;
pub mod liveness;
mod manifests;
mod near;
mod ordered;
mod outside;
mod overwritten;
mod passes;
pub mod plan;
mod positions;
pub mod print;
pub mod sweep;
pub mod sweeps;
mod together;
pub mod total;
pub mod verify;
mod visits;

pub use fuse::fuse;
