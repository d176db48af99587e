//! The programs in the language: what the rivals are measured against.
//!
//! Each constant is one program. Programs on arrays of several axes are in [`dense`], on rows of any
//! lengths in [`nested`] and [`graphs`].

#![allow(clippy::type_complexity)] // the types are the signatures that the language gives

pub mod dense;
pub mod graphs;
pub mod nested;

ragged::accel! {
    pub fn dot_f32(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn dot_f64(xs: [f64; n], ys: [f64; n]) -> f64 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn iota_square_sum(n: u64) -> f64 { (0..n).map(|i| i as f64 * i as f64).sum() }
    #[fast]
    pub fn iota_square_sum_fast(n: u64) -> f64 { (0..n).map(|i| i as f64 * i as f64).sum() }
    pub fn scan_f64(xs: [f64; n]) -> [f64; n] { xs.scan(|a, b| a + b) }
    pub fn scan_f32(xs: [f32; n]) -> [f32; n] { xs.scan(|a, b| a + b) }
    pub fn scan_i32(xs: [i32; n]) -> [i32; n] { xs.scan(|a, b| a + b) }
    pub fn affine(xs: [f32; n]) -> [f32; n] { for x in xs { x * 2.0 + 1.0 } }

    const RISKFREE: f32 = 0.02;
    const VOLATILITY: f32 = 0.30;

    fn normal(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * abs(d));
        let p = k * (0.31938154 + k * (-0.35656378
            + k * (1.7814779 + k * (-1.821256 + k * 1.3302745))));
        let tail = 0.3989423 * exp(-0.5 * d * d) * p;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    fn price(s: f32, x: f32, t: f32) -> (f32, f32) {
        let deviation = VOLATILITY * sqrt(t);
        let d1 = (ln(s / x) + (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * t) / deviation;
        let d2 = d1 - deviation;
        let below1 = normal(d1);
        let below2 = normal(d2);
        let discounted = x * exp(-RISKFREE * t);
        (s * below1 - discounted * below2, discounted * (1.0 - below2) - s * (1.0 - below1))
    }

    pub fn black_scholes(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> [(f32, f32); n] {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t))
    }

    #[fast]
    pub fn black_scholes_fast(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> [(f32, f32); n] {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t))
    }

    pub fn black_scholes_apart(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> ([f32; n], [f32; n]) {
        zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t)).unzip()
    }

    pub fn mandelbrot(width: usize, height: usize, limit: i32) -> [i32] {
        let dx = 3.5 / width as f32;
        let dy = 2.0 / height as f32;
        for at in 0..width * height {
            let cx = -2.5 + (at % width) as f32 * dx;
            let cy = -1.0 + (at / width) as f32 * dy;
            let mut x = 0.0;
            let mut y = 0.0;
            let mut n = 0;
            while n < limit && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                n += 1;
            }
            n
        }
    }
}

/// Black-Scholes takes prices, strikes and years.
pub type Book<'a> = (&'a [f32], &'a [f32], &'a [f32]);

/// ```text
/// pub fn dot_f32(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }
/// ```
/// `Some(|xs, ys| dot_f32(xs, ys).unwrap())`
pub const DOT_F32: Option<fn(&[f32], &[f32]) -> f32> = Some(|xs, ys| dot_f32(xs, ys).unwrap());

/// ```text
/// pub fn dot_f64(xs: [f64; n], ys: [f64; n]) -> f64 { zip(xs, ys).map(|(x, y)| x * y).sum() }
/// ```
/// `Some(|xs, ys| dot_f64(xs, ys).unwrap())`
pub const DOT_F64: Option<fn(&[f64], &[f64]) -> f64> = Some(|xs, ys| dot_f64(xs, ys).unwrap());

/// ```text
/// pub fn iota_square_sum(n: u64) -> f64 { (0..n).map(|i| i as f64 * i as f64).sum() }
/// ```
/// `Some(|n| iota_square_sum(n).unwrap())`
pub const IOTA_SQUARE_SUM: Option<fn(u64) -> f64> = Some(|n| iota_square_sum(n).unwrap());

/// The same with `#[fast]`: the product and the sum may be fused.
///
/// `Some(|n| iota_square_sum_fast(n).unwrap())`
pub const IOTA_SQUARE_SUM_FAST: Option<fn(u64) -> f64> = Some(|n| iota_square_sum_fast(n).unwrap());

/// ```text
/// pub fn scan_f64(xs: [f64; n]) -> [f64; n] { xs.scan(|a, b| a + b) }
/// ```
/// `Some(|xs| scan_f64(xs).unwrap())`
pub const SCAN_F64: Option<fn(&[f64]) -> Vec<f64>> = Some(|xs| scan_f64(xs).unwrap());

/// `Some(|out, xs| scan_f64::into(out, xs).unwrap())`
pub const SCAN_F64_INTO: Option<fn(&mut Vec<f64>, &[f64])> =
    Some(|out, xs| scan_f64::into(out, xs).unwrap());

/// ```text
/// pub fn scan_f32(xs: [f32; n]) -> [f32; n] { xs.scan(|a, b| a + b) }
/// ```
/// `Some(|xs| scan_f32(xs).unwrap())`
pub const SCAN_F32: Option<fn(&[f32]) -> Vec<f32>> = Some(|xs| scan_f32(xs).unwrap());

/// `Some(|out, xs| scan_f32::into(out, xs).unwrap())`
pub const SCAN_F32_INTO: Option<fn(&mut Vec<f32>, &[f32])> =
    Some(|out, xs| scan_f32::into(out, xs).unwrap());

/// ```text
/// pub fn scan_i32(xs: [i32; n]) -> [i32; n] { xs.scan(|a, b| a + b) }
/// ```
/// `Some(|xs| scan_i32(xs).unwrap())`
pub const SCAN_I32: Option<fn(&[i32]) -> Vec<i32>> = Some(|xs| scan_i32(xs).unwrap());

/// `Some(|out, xs| scan_i32::into(out, xs).unwrap())`
pub const SCAN_I32_INTO: Option<fn(&mut Vec<i32>, &[i32])> =
    Some(|out, xs| scan_i32::into(out, xs).unwrap());

/// ```text
/// const RISKFREE: f32 = 0.02;
/// const VOLATILITY: f32 = 0.30;
///
/// fn normal(d: f32) -> f32 {
///     let k = 1.0 / (1.0 + 0.2316419 * abs(d));
///     let p = k * (0.31938154 + k * (-0.35656378
///         + k * (1.7814779 + k * (-1.821256 + k * 1.3302745))));
///     let tail = 0.3989423 * exp(-0.5 * d * d) * p;
///     if d > 0.0 { 1.0 - tail } else { tail }
/// }
///
/// fn price(s: f32, x: f32, t: f32) -> (f32, f32) {
///     let deviation = VOLATILITY * sqrt(t);
///     let d1 = (ln(s / x) + (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * t) / deviation;
///     let d2 = d1 - deviation;
///     let below1 = normal(d1);
///     let below2 = normal(d2);
///     let discounted = x * exp(-RISKFREE * t);
///     (s * below1 - discounted * below2, discounted * (1.0 - below2) - s * (1.0 - below1))
/// }
///
/// pub fn black_scholes(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> [(f32, f32); n] {
///     zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t))
/// }
/// ```
/// `Some(|(s, x, t)| black_scholes(s, x, t).unwrap())`
pub const BLACK_SCHOLES: Option<fn(Book) -> Vec<(f32, f32)>> =
    Some(|(s, x, t)| black_scholes(s, x, t).unwrap());

/// `Some(|out, (s, x, t)| black_scholes::into(out, s, x, t).unwrap())`
pub const BLACK_SCHOLES_INTO: Option<fn(&mut Vec<(f32, f32)>, Book)> =
    Some(|out, (s, x, t)| black_scholes::into(out, s, x, t).unwrap());

/// ```text
/// pub fn black_scholes_apart(ss: [f32; n], xs: [f32; n], ts: [f32; n]) -> ([f32; n], [f32; n]) {
///     zip(ss, xs, ts).map(|(s, x, t)| price(s, x, t)).unzip()
/// }
/// ```
/// `Some(|(s, x, t)| black_scholes_apart(s, x, t).unwrap())`
pub const BLACK_SCHOLES_APART: Option<fn(Book) -> (Vec<f32>, Vec<f32>)> =
    Some(|(s, x, t)| black_scholes_apart(s, x, t).unwrap());

/// The same as `BLACK_SCHOLES` with `#[fast]`.
///
/// `Some(|(s, x, t)| black_scholes_fast(s, x, t).unwrap())`
pub const BLACK_SCHOLES_FAST: Option<fn(Book) -> Vec<(f32, f32)>> =
    Some(|(s, x, t)| black_scholes_fast(s, x, t).unwrap());

/// `Some(|out, (s, x, t)| black_scholes_fast::into(out, s, x, t).unwrap())`
pub const BLACK_SCHOLES_FAST_INTO: Option<fn(&mut Vec<(f32, f32)>, Book)> =
    Some(|out, (s, x, t)| black_scholes_fast::into(out, s, x, t).unwrap());

/// ```text
/// pub fn mandelbrot(width: usize, height: usize, limit: i32) -> [[i32; width]; height] {
///     let dx = 3.5 / width as f32;
///     let dy = 2.0 / height as f32;
///     generate((height, width), |(row, column)| {
///         let cx = -2.5 + column as f32 * dx;
///         let cy = -1.0 + row as f32 * dy;
///         let mut x = 0.0;
///         let mut y = 0.0;
///         let mut n = 0;
///         while n < limit && x * x + y * y <= 4.0 {
///             (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
///             n += 1;
///         }
///         n
///     })
/// }
/// ```
/// `Some(|w, h, limit| mandelbrot(w, h, limit).unwrap().into_raw_vec_and_offset().0)`
pub const MANDELBROT: Option<fn(usize, usize, i32) -> Vec<i32>> =
    Some(|w, h, limit| mandelbrot(w, h, limit).unwrap());

/// ```text
/// pub fn affine(xs: [f32; n]) -> [f32; n] { for x in xs { x * 2.0 + 1.0 } }
/// ```
/// `Some(|xs| affine(xs).unwrap())`
pub const AFFINE: Option<fn(&[f32]) -> Vec<f32>> = Some(|xs| affine(xs).unwrap());

/// `Some(|out, xs| affine::into(out, xs).unwrap())`
pub const AFFINE_INTO: Option<fn(&mut Vec<f32>, &[f32])> =
    Some(|out, xs| affine::into(out, xs).unwrap());
