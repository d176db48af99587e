//! `#[work(…)]` and `#[space(…)]` that do not hold.

use ragged::accel;

accel! {
    /// A sum for each pair.
    #[work(n * m)]
    pub fn product(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] {
        let columns = b.transpose();
        for row in a { for column in columns { zip(row, column).map(|(x, y)| x * y).sum() } }
    }

    /// An array in memory, and one per row.
    #[space(n)]
    pub fn ranks(a: [[f64; m]; n]) -> [f64; n] {
        let sums = for row in a { let p = row.scan(|x, y| x + y); p[m / 2] / p.last() };
        sums.scan(|x, y| x + y)
    }

    /// Nothing bounds the trips.
    #[work(n)]
    pub fn roots(xs: [f64; n]) -> [f64; n] {
        for x in xs {
            let mut y = x;
            while abs(y * y - x) > 1e-9 { y = (y + x / y) / 2.0; }
            y
        }
    }

    /// The lengths of rows are no product.
    #[work(len(rows))]
    pub fn sums(rows: [[f64]]) -> [f64] { for row in rows { row.sum() } }

    #[work(n * l)]
    pub fn unknown(xs: [f64; n], k: usize) -> f64 { xs.sum() + k as f64 }

    #[space(size)]
    pub fn no_sizes(x: f64) -> f64 { x }
}

fn main() {}
