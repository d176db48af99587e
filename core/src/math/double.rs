//! The elementary functions of `f64` (placeholder).

/// `exp` of an `f64`.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    x.exp()
}

/// `ln` of an `f64`.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    x.ln()
}

/// `sin` of an `f64`.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    x.sin()
}

/// `cos` of an `f64`.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    x.cos()
}

/// `tanh` of an `f64`.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    x.tanh()
}

/// `sqrt` of an `f64`.
#[inline(always)]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// `abs` of an `f64`.
#[inline(always)]
pub fn abs(x: f64) -> f64 {
    x.abs()
}

/// `floor` of an `f64`.
#[inline(always)]
pub fn floor(x: f64) -> f64 {
    x.floor()
}

/// `ceil` of an `f64`.
#[inline(always)]
pub fn ceil(x: f64) -> f64 {
    x.ceil()
}

/// `trunc` of an `f64`.
#[inline(always)]
pub fn trunc(x: f64) -> f64 {
    x.trunc()
}

/// `round` of an `f64`.
#[inline(always)]
pub fn round(x: f64) -> f64 {
    x.round()
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}
/// `sin` of every lane.
#[inline(always)]
pub fn sin_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    x.map(sin)
}
/// `cos` of every lane.
#[inline(always)]
pub fn cos_lanes<const L: usize>(x: [f64; L]) -> [f64; L] {
    x.map(cos)
}
