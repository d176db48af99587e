//! Sparse matrix × vector, and conjugate gradients on top of it, for a matrix in the Matrix Market
//! format: `cargo run --release --example smvm [file.mtx]`. Without a file, one that finite elements
//! around an airfoil have left.

mod market;

use market::Matrix;
use ragged::{Ragged, accel};
use std::time::Instant;

accel! {
    /// Sparse matrix × vector; a row is a list of (column, value).
    pub fn smvm(rows: [[(usize, f64)]; n], v: [f64]) -> [f64; n] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }

    /// The `x` with `rows · x = b`, by conjugate gradients, and how many steps that took. The matrix
    /// must be symmetric and positive definite.
    pub fn solve(rows: [[(usize, f64)]; n], b: [f64; n], tolerance: f64) -> ([f64; n], usize) {
        let mut x = fill(0.0, n);
        let mut rest = b;
        let mut way = b;
        let mut square = dot(b, b);
        let enough = tolerance * tolerance * square;
        let mut steps = 0;
        while square > enough && steps < 10 * n {
            let image = smvm(rows, way);
            let length = square / dot(way, image);
            x = zip(x, way).map(|(x, w)| x + length * w);
            rest = zip(rest, image).map(|(r, i)| r - length * i);
            let next = dot(rest, rest);
            way = zip(rest, way).map(|(r, w)| r + next / square * w);
            square = next;
            steps += 1;
        }
        (x, steps)
    }

    fn dot(xs: [f64; n], ys: [f64; n]) -> f64 { zip(xs, ys).map(|(x, y)| x * y).sum() }

    /// The largest difference, as a part of the largest number.
    pub fn difference(xs: [f64; n], ys: [f64; n]) -> f64 {
        let most = xs.map(|x| abs(x)).max_or(1.0);
        zip(xs, ys).map(|(x, y)| abs(x - y)).max_or(0.0) / most
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let matrix = match std::env::args().nth(1) {
        Some(path) => {
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
            market::read(&path, &text)?
        }
        None => market::read("airfoil.mtx", include_str!("../data/airfoil.mtx"))?,
    };
    let rows = &matrix.rows;
    let lens = || rows.lens();
    println!(
        "{} × {}, {} non-zeros, from {} to {} in a row",
        rows.len(),
        matrix.columns,
        rows.values().len(),
        lens().min().unwrap_or(0),
        lens().max().unwrap_or(0)
    );
    multiply(&matrix)?;
    if matrix.symmetric {
        let ones = vec![1.0; rows.len()];
        let (x, steps) = solve(rows, &ones, 1e-10)?;
        let rest = difference(&ones, &smvm(rows, &x)?)?;
        println!("solved for ones in {steps} steps, off by {rest:.1e}");
    }
    println!("\n{}\n{}", smvm::EXPLAIN, solve::EXPLAIN);
    Ok(())
}

/// Compares the product with one by hand.
fn multiply(matrix: &Matrix) -> Result<(), Box<dyn std::error::Error>> {
    let v: Vec<f64> = (0..matrix.columns).map(|j| 1.0 + (j % 7) as f64).collect();
    let begin = Instant::now();
    let product = smvm(&matrix.rows, &v)?;
    let time = begin.elapsed().as_secs_f64();
    let off = difference(&by_hand(&matrix.rows, &v), &product)?;
    println!(
        "one product in {:.3} ms, off by {off:.1e} from one by hand",
        time * 1e3
    );
    Ok(())
}

/// Another order of addition than ours.
fn by_hand(rows: &Ragged<(usize, f64)>, v: &[f64]) -> Vec<f64> {
    let product = |row: &[(usize, f64)]| row.iter().map(|&(j, a)| a * v[j]).sum();
    rows.iter().map(product).collect()
}
