//! What a block exports that does not compile is used all the same: only its mistakes are reported.

use ragged::{Dense, Ragged};

ragged::accel! {
    pub fn nothing() {}

    pub fn nothing_of(xs: [f32]) { let y = xs.sum(); }

    pub fn rows(xs: [f32]) -> [[f32]] { for x in xs { fill(z, 2) } }

    pub fn grid(xs: [f32; n]) -> [[f32; 2]; n] { for x in xs { fill(x, 2) } }

    pub fn words(xs: [i32]) -> [([u8], i32)] { for x in xs { (fill(7, 2), x) } }

    pub fn pairs(xs: [i32]) -> [(i32, f64)] { for x in xs { (x, 1.0) } }
}

fn main() -> ragged::Result<()> {
    nothing()?;
    nothing_of(&[1.0])?;
    let rows: Ragged<f32> = rows(&[1.0])?;
    println!("{:?}", rows.len());
    let grid: Dense<f32, 2> = grid(&[1.0])?;
    println!("{:?}", grid.len());
    let (letters, numbers) = words(&[1])?;
    let letters: Ragged<u8> = letters;
    println!("{} {}", letters.len(), numbers.len());
    println!("{}", pairs(&[1])?.len());
    Ok(())
}
