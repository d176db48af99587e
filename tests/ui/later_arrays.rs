//! Arrays of arrays and sequences.

use ragged::accel;

accel! {
    pub fn mixed(rows: [[[f32; 3]]]) -> usize { rows.len() }

    pub fn in_rows(rows: [[([f32], i32)]]) -> usize { rows.len() }

    pub fn stream(ms: Seq<[f32; n]>) -> Seq<f32> { ms.map(|m| m.sum()) }

    pub fn function(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }
}

accel! {
    pub fn made(xs: [f32]) -> usize { for x in xs { [x, x] }.len() }
}

accel! {
    struct Row { values: [f32], at: usize }

    fn inside(xs: [f32]) -> Row { Row { values: xs, at: 0 } }

    pub fn at_the_border(row: Row) -> Row { inside(row.values) }

    pub fn fine(xs: [f32]) -> f32 { inside(xs).values.sum() }
}

fn main() -> ragged::Result<()> {
    mixed(&[vec![1.0], vec![2.0]])?;
    in_rows(())?;
    let _: f32 = stream([1.0])?.map(|item| item.unwrap()).sum();
    function(|x: f32| x, 1.0)?;
    Ok(())
}
