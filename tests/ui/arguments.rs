//! Wrong arguments from Rust.

use ragged::accel;

accel! {
    /// Inner product.
    pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }

    pub fn scale(k: f32, xs: [f32]) -> [f32] { xs.map(|x| k * x) }

    pub fn norms(ps: [(f32, f32)]) -> [f32] { ps.map(|(x, y)| sqrt(x * x + y * y)) }
}

fn main() {
    let floats = vec![1.0f32, 2.0];
    let doubles = vec![1.0f64, 2.0];
    let _ = dotp(&floats, &doubles);
    let _ = dotp(floats.clone(), &floats);
    let _ = dotp(floats.iter(), &floats);
    let _ = scale(2, &floats);
    let _ = scale(2.0, 3.0);
    let _ = norms(&[(1.0f32, 2.0f32, 3.0f32)]);
    let _ = dotp(&floats);
    let _: f32 = dotp(&floats, &floats);
    let (mut sum, mut out) = (0.0f64, vec![0.0f64]);
    let _ = dotp::into(&mut sum, &floats, &floats);
    let _ = scale::into(&mut out, 2.0, &floats);
    let _ = scale::into(out, 2.0, &floats);
    let _ = scale::into(&mut sum, 2.0, &floats);
}
