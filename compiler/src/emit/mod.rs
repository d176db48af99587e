//! Emission: cannot fail, blames nobody.

pub mod rust;
