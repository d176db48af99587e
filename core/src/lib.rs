//! The run time of `ragged`: parallel skeletons, values, errors.
//!
//! In: kernels that the compiler emitted (safe Rust, see [`kernel`]). Out: their results, computed
//! on the caller's rayon pool at the machine's best feature level, or an [`Error`].
//! Assumes: nothing about emitted code beyond its types; a wrong kernel gives wrong values or a
//! panic, never undefined behaviour.

#![allow(
    clippy::needless_range_loop,
    reason = "hot paths are indexed loops: what LLVM makes the best vectors of"
)]

pub mod append;
pub mod args;
pub mod batches;
pub mod beside;
mod between;
mod blocks;
mod budget;
mod by_hand;
pub mod cascade;
mod chain;
pub mod columns;
pub mod convoy;
mod counted;
mod counts;
pub mod dense;
pub mod elements;
pub mod error;
mod first;
mod flag;
pub mod fold;
mod gathered;
mod gathers;
mod groups;
#[cfg(feature = "half")]
pub mod halves;
mod in_place;
pub mod indices;
pub mod inner;
mod inside;
pub mod join;
pub mod keep;
mod keep_strips;
pub mod kernel;
pub mod lags;
pub mod lanes;
pub mod level;
pub mod local;
mod long;
pub mod loops;
#[cfg(feature = "mmap")]
mod mapped;
mod masks;
pub mod math;
mod memory;
pub mod narrow;
pub mod nest;
pub mod out;
mod overhang;
mod packed;
mod packing;
mod parallel;
mod prefixes;
mod print;
mod product;
mod quotients;
pub mod ragged;
pub mod recycle;
pub mod reduce;
mod rooms;
mod rough;
mod rounds;
mod row_blocks;
pub mod row_extremes;
mod row_groups;
pub mod row_sums;
mod rowed;
mod rows;
mod running;
pub mod scan;
pub mod scan_along;
pub mod scatter;
mod scatter_strips;
mod seek;
pub mod segments;
pub mod seq;
mod short;
pub mod sort;
pub mod spans;
pub mod squares;
mod states;
#[cfg(feature = "ndarray")]
mod strided;
mod strips;
mod summed;
mod sums;
pub mod sweeps;
pub mod tiles;
mod tuples;
mod turned;
pub mod uneven;
pub mod vector;
mod whole;
mod wide;
pub mod write;

#[cfg(feature = "half")]
pub use ::half;
#[cfg(feature = "complex")]
pub use ::num_complex;
pub use append::append;
pub use args::{ArrayArg, AsArray, Whole};
pub use batches::{Batch, Batches, Flat, PerRow, batches_to, batches_uneven_to};
pub use beside::{after, before};
pub use between::{Apart, Filling, Room};
pub use cascade::{Cascade, Step, Window, cascade_to};
pub use columns::{Across, Shape, StepOf, columns_to, few_steps_to};
pub use convoy::{Arrays, Carries, Convoy, Keeps, Placing, Strip, Totals, Turning, convoy_to};
pub use counted::{Counted, counted_to};
pub use dense::{AsDense, AsDenseOut, Dense, DenseArg, DenseOut, DenseVec, DenseView, ShapeOut};
pub use elements::{Elements, Gather, Lanes};
pub use error::{Check, CheckKind, Error, ErrorKind, Failure, Result, Site};
pub use fold::fold;
pub use groups::load_groups;
#[cfg(feature = "half")]
pub use halves::{Half, lanes as half_lanes};
pub use in_place::{InPlace, Read, RowsOf, Source, nest_in_place_to};
pub use indices::{Running, count_f64, index_f32, index_f64};
pub use join::{End, Join, Joined, join_to};
pub use keep::{keep_packed_to, keep_to};
pub use kernel::{
    CHUNK, Combine, Element, Fast, Flag, Fold, Kernel, LANES, Operator, Product, Report, Tally,
};
pub use lags::{Lags, lags_to, sums as lag_sums};
pub use lanes::{
    NonEmpty, ask, behind, element, fetch, get, joined, load, load_div, load_fetched, load_kept,
    load_last, load_near, load_once, load_rem, load_rev, load_row, saturating_product, total,
};
pub use level::Level;
pub use local::{Local, Near};
pub use loops::{Hidden, Looping, write_loops_to};
#[cfg(feature = "mmap")]
pub use mapped::{Mapped, MappedRow};
pub use narrow::{Repeated, is_narrow, load_repeated, narrow_to};
pub use nest::{Nest, RowOut, Rows, nest, nest_by_to, nest_to};
pub use out::{ArrayOut, AsArrayOut, component, copy};
pub use packed::{Components, Laid, Make, Packed};
pub use packing::Kept;
pub use quotients::{divide, divide_long};
pub use ragged::{
    AsProducts, AsRagged, AsRaggedOut, Nested, Products, Ragged, RaggedArg, RaggedError,
    RaggedIntoIter, RaggedIter, RaggedOf, RaggedOut, RaggedView,
};
pub use recycle::Buffer;
pub use reduce::{reduce, reduce_from, reduce_on};
pub use rowed::{Columns, Edged, Row, Rowed, write_rows_to};
pub use scan::{scan, scan_to};
pub use scan_along::{Along, scan_along_to};
pub use scatter::scatter;
pub use segments::{Segments, segments_to};
pub use seq::SeqItem;
pub use sort::{Moves, argselect_to, argsort_to, select_to, sort_elements_to, sort_to};
pub use spans::{Span, span};
pub use squares::write_squares_to;
pub use sweeps::{States, Sweep, Sweeps};
pub use tiles::{Tiles, tiles_to};
pub use uneven::uneven_to;
pub use vector::{Real, Vector};
pub use wide::Wide;
pub use write::{write, write_to};
