//! Functions in signatures.

use ragged::accel;

accel! {
    pub fn function(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }
}

accel! {
    pub fn made(xs: [f32]) -> usize { for x in xs { [x, x] }.len() }
}

fn main() -> ragged::Result<()> {
    function(|x: f32| x, 1.0)?;
    Ok(())
}
