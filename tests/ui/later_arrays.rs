//! Sequences and functions in signatures.

use ragged::accel;

accel! {
    pub fn stream(ms: Seq<[f32; n]>) -> Seq<f32> { ms.map(|m| m.sum()) }

    pub fn function(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }
}

accel! {
    pub fn made(xs: [f32]) -> usize { for x in xs { [x, x] }.len() }
}

fn main() -> ragged::Result<()> {
    let _: f32 = stream([1.0])?.map(|item| item.unwrap()).sum();
    function(|x: f32| x, 1.0)?;
    Ok(())
}
