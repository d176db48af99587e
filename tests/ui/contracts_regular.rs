//! `#[regular]` where arrays in an array may differ in length.

use ragged::accel;

accel! {
    #[regular]
    pub fn scaled(rows: [[f64]], k: f64) -> [[f64]] {
        for row in rows { for x in row { k * x } }
    }

    #[regular]
    pub fn triangle(n: usize) -> f64 {
        let rows = for i in 0..n { for j in 0..i { exp(j as f64) } };
        rows.map(|row| row.sum()).sum()
    }

    #[regular]
    pub fn joined(xs: [usize; n]) -> [usize] { xs.flat_map(|x| 0..x) }

    #[regular]
    pub fn dense(rows: [[f64; m]; n]) -> [f64; n] { rows.map(|row| row.sum()) }
}

fn main() {}
