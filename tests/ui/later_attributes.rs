//! Foreign code and other attributes of later versions.
#![allow(unexpected_cfgs)]

use ragged::accel;

accel! {
    #[foreign(cpu = crate::fft::cpu)]
    fn fft(xs: [f32]) -> [f32] { xs }

    #[foreign(cpu = crate::fft::cpu)]
    fn inverse(xs: [f32; n]) -> [f32; n];

    #[export_c]
    pub fn dotp(xs: [f32]) -> f32 { xs.sum() }

    #[cfg(feature = "fast")]
    pub fn configured(xs: [f32]) -> f32 { xs.sum() }
}

fn main() {}
