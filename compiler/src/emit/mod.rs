//! Emission: cannot fail, blames nobody.

pub mod rust;
pub mod source;
pub mod stubs;
