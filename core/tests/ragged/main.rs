//! Arrays of arrays of any lengths: how they are made, read, and taken apart.

mod made;
mod random;
