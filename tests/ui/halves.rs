//! Floats of 16 bits that do not fit, and what is said where their feature is off.

use ragged::accel;

accel! {
    pub fn mixed(x: f16, y: f32) -> f16 { x + y }

    pub fn kinds(x: f16, y: bf16) -> bool { x < y }

    pub fn large() -> f16 { 70000.0 }

    pub fn suffix() -> f16 { 1.5_bf16 }

    pub fn whole(x: bf16) -> bf16 { x & 1 }

    pub fn half(x: half) -> f32 { 1.0 }
}

ragged::__ragged_missing_half!();

fn main() {}
