//! `#[fused]` where an array is in memory, for each of the reasons.

use ragged::accel;

accel! {
    /// A scan makes its array as a whole.
    #[fused]
    pub fn ranks(xs: [f32; n]) -> [f32; n] {
        let prefix = xs.scan(|a, b| a + b);
        prefix.map(|p| p / prefix.last())
    }

    /// Two operations need all of it, and it takes long.
    #[fused]
    pub fn readers(xs: [f64; n]) -> (f64, [f64; n]) {
        let powers = xs.map(|x| exp(x));
        let total = powers.sum();
        (total, powers.map(|p| p / total))
    }

    /// Read elsewhere than where it is made.
    #[fused]
    pub fn gathered(xs: [f64; n], at: [usize; n]) -> [f64; n] {
        let powers = xs.map(|x| exp(x));
        for i in at { powers[i] }
    }

    /// Read again for each row.
    #[fused]
    pub fn again(xs: [f64; n], rows: [[f64; n]; m]) -> [f64; m] {
        let powers = xs.map(|x| exp(x));
        for row in rows { zip(row, powers).map(|(x, p)| x * p).sum() }
    }

    /// Read at each trip.
    #[fused]
    pub fn in_loop(xs: [f64; n], k: usize) -> f64 {
        let powers = xs.map(|x| exp(x));
        let mut total = 0.0;
        for i in 0..k { total += total * powers[i]; }
        total
    }

    /// An element may fail that nobody reads.
    #[fused]
    pub fn strict(xs: [i64; n], k: i64) -> [i64] {
        let parts = xs.map(|x| x / k);
        parts.take(3)
    }

    /// One of two arrays.
    #[fused]
    pub fn chosen(xs: [f64; n], ix: [usize], up: bool) -> f64 {
        let ys = if up { xs.map(|x| x + 1.0) } else { xs.rev() };
        ys.gather(ix).sum()
    }

    /// The same, read index by index: both branches sum.
    #[fused]
    pub fn either(xs: [f64; n], up: bool) -> f64 {
        let ys = if up { xs.map(|x| x + 1.0) } else { xs.rev() };
        ys.sum()
    }

    /// Trip after trip.
    #[fused]
    pub fn relaxed(xs: [f64; n], k: usize) -> f64 {
        let mut ys = xs;
        for _ in 0..k { ys = for y in ys { y / 2.0 }; }
        ys.sum()
    }

    /// Assigned.
    #[fused]
    pub fn assigned(xs: [f64; n]) -> f64 {
        let mut ys = xs;
        if n > 0 { ys[0] = 0.0; }
        ys.sum()
    }

    /// Kept while what it is a part of changes.
    #[fused]
    pub fn exchanged(a: [[f64; m]; n]) -> [[f64; m]; n] {
        let mut b = a;
        for i in 1..n { let row = b[i]; b[i] = b[i - 1]; b[i - 1] = row; }
        b
    }

    /// Rows, and where they begin.
    #[fused]
    pub fn rows(n: usize) -> f64 {
        let rows = for i in 0..n { for j in 0..i { exp(j as f64) } };
        rows.concat().rev().sum() + rows[n / 2].sum()
    }
}

fn main() {}
