//! The programs as an expert writes them with rayon: one file each, committed before the
//! generated code is tuned against them.
//!
//! Each file has `plain`, what rayon gives without further thought, and the expert's version:
//! lanes, masks, feature levels, huge pages and streaming stores, by hand. Where the language
//! promises IEEE operations, the fair rival uses no others; `fast` is what may be reached without.

pub mod audio;
pub mod black_scholes;
pub mod breadth_first;
pub mod canny;
pub mod distances;
pub mod dot;
#[cfg(target_arch = "x86_64")]
mod eights;
pub mod filter;
pub mod fluid;
pub mod group;
pub mod iota_square_sum;
pub mod jacobi;
pub mod mandelbrot;
pub mod matches;
pub mod maths;
pub mod matvec;
pub mod md5;
pub mod merge;
pub mod nbody;
pub mod norms;
pub mod page_rank;
pub mod pipeline;
pub mod product;
pub mod ragged_softmax;
pub mod rows;
pub mod scan;
pub mod search;
pub mod select;
pub mod select_rows;
pub mod small;
pub mod smvm;
pub mod softmax;
pub mod sort;
pub mod sort_rows;
pub mod sums;
pub mod top_1;
