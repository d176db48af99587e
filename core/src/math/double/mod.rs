//! The elementary functions of `f64`.
//!
//! In: an `f64`. Out: an `f64`, within the bound that each function states. Where one `f64` is not
//! enough, an unevaluated sum `high + low` carries the rest; products are made exact by cutting
//! factors to 26 bits (Dekker), since there is no `mul_add`.
//! Assumes: what [the parent](super) says.

mod arcs;
mod areas;
mod erf;
mod exp;
mod growth;
mod ln;
mod logs;
mod pair;
mod payne_hanek;
mod pow;
pub(super) mod roots;
mod tanh;
mod trig;

pub use super::round::double::{
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
