//! What Rust has and the language has not.

use ragged::accel;

accel! {
    pub fn borrows(xs: &[f32]) -> Vec<f32> { xs }

    pub fn options(x: Option<f32>) -> f32 { x }

    pub fn sizes(xs: [f32; n + 1]) -> f32 { xs.sum() }

    pub fn lifetimes<'a>(x: f32) -> f32 { x }

    pub fn reference(xs: [f32]) -> f32 { sum(&xs) }

    pub fn question(xs: [f32]) -> f32 { xs.sum()? }

    pub fn vector() -> [i32] { vec![1, 2, 3] }

    pub fn print(x: f32) -> f32 { println!("{x}"); x }

    pub fn path(x: f32) -> f32 { x * std::f32::consts::PI }

    pub async fn waits(x: f32) -> f32 { x }

    pub fn closure(x: f32) -> f32 { (|y| y + 1.0)(x) }

    pub fn pattern(xs: [f32]) -> f32 { let [a, b] = xs; a + b }

    enum Colour { Red, Green }

    impl Point { fn norm(self) -> f32 { 1.0 } }

    static LIMIT: f32 = 1.0;

    type Real = f32;

    #[inline]
    pub fn fast(x: f32) -> f32 { x }

    pub fn compared(x: f32, y: f32) -> f32 { std::cmp::max(x, y) }
}

fn main() -> ragged::Result<()> {
    let ys: Vec<f32> = borrows(&[1.0, 2.0])?;
    let y = question(&ys)? + reference(&ys)?;
    println!("{} {:?} {}", fast(y)?, vector()?, options(Some(y))?);
    Ok(())
}
