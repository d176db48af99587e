//! Programs that Rust's grammar reads in another way than it looks.

use ragged::accel;

accel! {
    pub fn ranges(n: usize) -> [usize] {
        0..n.map(|i| i * i)
    }

    pub fn minus(xs: [f32]) -> [f32] {
        for x in xs { x * 2.0 } - 1.0
    }

    pub fn two_indices(a: [f32], i: usize, j: usize) -> f32 {
        a[i, j]
    }

    pub fn operator(xs: [f32]) -> f32 {
        xs.reduce(+)
    }

    pub fn cast(i: i32, n: usize) -> bool {
        i as usize < n
    }

    pub fn chained(i: usize, n: usize) -> bool {
        0 <= i < n
    }

    pub fn open(xs: [f32]) -> [usize] {
        let n = xs.len();
        ..n
    }
}

fn main() -> ragged::Result<()> {
    let squares: Vec<usize> = ranges(3)?;
    println!("{squares:?} {}", operator(&minus(&[1.0])?)?);
    Ok(())
}
