//! Blocks that call functions of other blocks by path. Each module imports in another way; the
//! library is in files of its own, so that places in errors tell which file.
#![deny(warnings, missing_docs, clippy::all, clippy::pedantic)]

pub mod chains;
pub mod in_functions;
pub mod library;
pub mod namesakes;
pub mod paths;
pub mod places;
pub mod streams;
pub mod structs;
