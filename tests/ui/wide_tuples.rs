//! Tuples of more fields than Rust's own traits reach.

use ragged::accel;

accel! {
    pub fn sums(xs: [(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64); n]) -> [f64; n] {
        xs.map(|x| x.12 + x.0 as f64)
    }

    pub fn numbers(n: usize) -> ([i32], [[(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, usize)]]) {
        ([1], [generate(n, |i| (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, i))])
    }

    pub fn same(xs: Seq<(i8, (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8))>) -> usize { xs.count(|x| x.0 > 0) }

    struct Line { cells: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8), len: u8 }

    pub fn lens(lines: [Line]) -> [u8] { lines.map(|line| line.len) }
}

// Elsewhere they may have any number.
accel! {
    fn own(x: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
        (x, x, x, x, x, x, x, x, x, x, x, x, x)
    }

    fn last(xs: [(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)]) -> [f32] { xs.map(|x| x.12) }

    pub fn all(xs: [f32]) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, [f32]) {
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, last(xs.map(|x| own(x)).rev()))
    }
}

fn main() {}
