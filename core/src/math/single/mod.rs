//! The elementary functions of `f32`.
//!
//! In: an `f32`. Out: an `f32`, within the bound that each function states. `exp` and `ln` stay in
//! `f32`; the others compute in `f64`, where a plain polynomial is already accurate to the last bit.
//! Assumes: what [the parent](super) says.

mod exp;
mod ln;
mod pow;
mod tanh;
mod trig;

pub use super::round::single::{
    abs, ceil, ceil_lanes, floor, floor_lanes, round, round_lanes, sqrt, trunc, trunc_lanes,
};
pub use exp::exp;
pub use ln::ln;
pub use pow::{pow, pow_lanes};
pub use tanh::tanh;
pub use trig::{cos, cos_lanes, sin, sin_lanes};
