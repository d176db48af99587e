//! What the interpreter's tests share: hand-built trees, and programs from text.
#![allow(dead_code, reason = "each test file uses a part")]

pub mod build;
pub mod text;

use ragged_compiler::interpret::Maths;

/// The functions of `std`; the run time has its own.
pub struct StdMaths;

impl Maths for StdMaths {
    fn exp_f32(&self, x: f32) -> f32 {
        x.exp()
    }
    fn ln_f32(&self, x: f32) -> f32 {
        x.ln()
    }
    fn sin_f32(&self, x: f32) -> f32 {
        x.sin()
    }
    fn cos_f32(&self, x: f32) -> f32 {
        x.cos()
    }
    fn tanh_f32(&self, x: f32) -> f32 {
        x.tanh()
    }
    fn pow_f32(&self, x: f32, y: f32) -> f32 {
        x.powf(y)
    }
    fn exp_f64(&self, x: f64) -> f64 {
        x.exp()
    }
    fn ln_f64(&self, x: f64) -> f64 {
        x.ln()
    }
    fn sin_f64(&self, x: f64) -> f64 {
        x.sin()
    }
    fn cos_f64(&self, x: f64) -> f64 {
        x.cos()
    }
    fn tanh_f64(&self, x: f64) -> f64 {
        x.tanh()
    }
    fn pow_f64(&self, x: f64, y: f64) -> f64 {
        x.powf(y)
    }
}

/// Floats of all magnitudes and signs, so that the order of additions shows.
pub fn floats(n: usize) -> Vec<f32> {
    let mut state = 12345_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let float = |_| (next() as f32 / 2e9 - 0.5) * [1e-3, 1.0, 1e3, 1e5][(next() % 4) as usize];
    (0..n).map(float).collect()
}
