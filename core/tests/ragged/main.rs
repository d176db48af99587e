//! Arrays of arrays of any lengths: how they are made, read, and taken apart.

mod args;
mod by_value;
mod equal;
mod made;
#[cfg(feature = "ndarray")]
mod matrices;
mod outs;
mod products;
mod random;
