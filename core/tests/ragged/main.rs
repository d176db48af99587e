//! Arrays of arrays of any lengths: how they are made, read, and taken apart.

mod args;
mod made;
mod outs;
mod products;
mod random;
