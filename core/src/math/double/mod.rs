//! The elementary functions of `f64`.
//!
//! In: an `f64`. Out: an `f64`, within the bound that each function states. Where one `f64` is not
//! enough, an unevaluated sum `high + low` carries the rest; products are made exact by cutting
//! factors to 26 bits (Dekker), since there is no `mul_add`.
//! Assumes: what [the parent](super) says.

mod exp;
mod ln;
mod payne_hanek;
mod pow;
mod tanh;
mod trig;

pub use super::round::double::{
    abs, ceil, ceil_lanes, floor, floor_lanes, round, round_lanes, sqrt, trunc, trunc_lanes,
};
pub use exp::exp;
pub use ln::ln;
pub use pow::{pow, pow_lanes};
pub use tanh::tanh;
pub use trig::{cos, cos_lanes, sin, sin_lanes};
