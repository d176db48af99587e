//! What Rust has and the language has not.

mod expressions;
mod items;
mod statements;
