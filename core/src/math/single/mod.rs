//! The elementary functions of `f32`.
//!
//! In: an `f32`. Out: an `f32`, within the bound that each function states. `exp` and `ln` stay in
//! `f32`; the others compute in `f64`, where a plain polynomial is already accurate to the last bit.
//! Assumes: what [the parent](super) says.

mod arcs;
mod areas;
mod erf;
mod exp;
mod growth;
mod ln;
mod logs;
mod pow;
mod roots;
mod tanh;
mod trig;
#[cfg(target_arch = "x86_64")]
mod turns;

pub use super::round::single::{
    abs, ceil, ceil_lanes, copysign, floor, floor_lanes, round, round_lanes, sqrt, trunc,
    trunc_lanes,
};
pub use arcs::{acos, asin, atan, atan2};
pub use areas::{acosh, asinh, atanh, ln_1p};
pub use erf::{erf, erfc};
pub use exp::{exp, exp_lanes};
pub(super) use exp::{exp_fused, exp_fused_lanes};
pub use growth::{cosh, exp_m1, sinh};
pub(super) use ln::ln_fused;
pub use ln::{ln, ln_lanes};
pub use logs::{exp2, log, log2, log10};
pub use pow::{pow, pow_lanes, powi};
pub use roots::{cbrt, hypot};
pub use tanh::tanh;
pub use trig::{cos, cos_lanes, sin, sin_lanes, tan, tan_lanes};
