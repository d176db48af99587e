//! Float to integer casts with the meaning of Rust's `as`.
//!
//! In: a float. Out: its integer part, saturated to the range of the target; 0 for NaN.
//! Assumes: nothing.

/// `x as i8`.
#[inline(always)]
pub fn f32_to_i8(x: f32) -> i8 {
    x as i8
}

/// `x as i16`.
#[inline(always)]
pub fn f32_to_i16(x: f32) -> i16 {
    x as i16
}

/// `x as i32`.
#[inline(always)]
pub fn f32_to_i32(x: f32) -> i32 {
    x as i32
}

/// `x as i64`.
#[inline(always)]
pub fn f32_to_i64(x: f32) -> i64 {
    x as i64
}

/// `x as isize`.
#[inline(always)]
pub fn f32_to_isize(x: f32) -> isize {
    x as isize
}

/// `x as u8`.
#[inline(always)]
pub fn f32_to_u8(x: f32) -> u8 {
    x as u8
}

/// `x as u16`.
#[inline(always)]
pub fn f32_to_u16(x: f32) -> u16 {
    x as u16
}

/// `x as u32`.
#[inline(always)]
pub fn f32_to_u32(x: f32) -> u32 {
    x as u32
}

/// `x as u64`.
#[inline(always)]
pub fn f32_to_u64(x: f32) -> u64 {
    x as u64
}

/// `x as usize`.
#[inline(always)]
pub fn f32_to_usize(x: f32) -> usize {
    x as usize
}

/// `x as i8`.
#[inline(always)]
pub fn f64_to_i8(x: f64) -> i8 {
    x as i8
}

/// `x as i16`.
#[inline(always)]
pub fn f64_to_i16(x: f64) -> i16 {
    x as i16
}

/// `x as i32`.
#[inline(always)]
pub fn f64_to_i32(x: f64) -> i32 {
    x as i32
}

/// `x as i64`.
#[inline(always)]
pub fn f64_to_i64(x: f64) -> i64 {
    x as i64
}

/// `x as isize`.
#[inline(always)]
pub fn f64_to_isize(x: f64) -> isize {
    x as isize
}

/// `x as u8`.
#[inline(always)]
pub fn f64_to_u8(x: f64) -> u8 {
    x as u8
}

/// `x as u16`.
#[inline(always)]
pub fn f64_to_u16(x: f64) -> u16 {
    x as u16
}

/// `x as u32`.
#[inline(always)]
pub fn f64_to_u32(x: f64) -> u32 {
    x as u32
}

/// `x as u64`.
#[inline(always)]
pub fn f64_to_u64(x: f64) -> u64 {
    x as u64
}

/// `x as usize`.
#[inline(always)]
pub fn f64_to_usize(x: f64) -> usize {
    x as usize
}

/// `x as f32`.
#[inline(always)]
pub fn i64_to_f32(x: i64) -> f32 {
    x as f32
}

/// `x as f64`.
#[inline(always)]
pub fn i64_to_f64(x: i64) -> f64 {
    x as f64
}

/// `x as f32`.
#[inline(always)]
pub fn u64_to_f32(x: u64) -> f32 {
    x as f32
}

/// `x as f64`.
#[inline(always)]
pub fn u64_to_f64(x: u64) -> f64 {
    x as f64
}

/// `x as f32`.
#[inline(always)]
pub fn isize_to_f32(x: isize) -> f32 {
    x as f32
}

/// `x as f64`.
#[inline(always)]
pub fn isize_to_f64(x: isize) -> f64 {
    x as f64
}

/// `x as f32`.
#[inline(always)]
pub fn usize_to_f32(x: usize) -> f32 {
    x as f32
}

/// `x as f64`.
#[inline(always)]
pub fn usize_to_f64(x: usize) -> f64 {
    x as f64
}
