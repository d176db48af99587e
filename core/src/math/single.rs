//! The elementary functions of `f32` (placeholder).

/// `exp` of an `f32`.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    x.exp()
}

/// `ln` of an `f32`.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    x.ln()
}

/// `sin` of an `f32`.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    x.sin()
}

/// `cos` of an `f32`.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    x.cos()
}

/// `tanh` of an `f32`.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    x.tanh()
}

/// `sqrt` of an `f32`.
#[inline(always)]
pub fn sqrt(x: f32) -> f32 {
    x.sqrt()
}

/// `abs` of an `f32`.
#[inline(always)]
pub fn abs(x: f32) -> f32 {
    x.abs()
}

/// `floor` of an `f32`.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    x.floor()
}

/// `ceil` of an `f32`.
#[inline(always)]
pub fn ceil(x: f32) -> f32 {
    x.ceil()
}

/// `trunc` of an `f32`.
#[inline(always)]
pub fn trunc(x: f32) -> f32 {
    x.trunc()
}

/// `round` of an `f32`.
#[inline(always)]
pub fn round(x: f32) -> f32 {
    x.round()
}

/// `x` to the power of `y`.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    x.powf(y)
}
/// `sin` of every lane.
#[inline(always)]
pub fn sin_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    x.map(sin)
}
/// `cos` of every lane.
#[inline(always)]
pub fn cos_lanes<const L: usize>(x: [f32; L]) -> [f32; L] {
    x.map(cos)
}
