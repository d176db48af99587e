//! placeholder

pub mod math;
