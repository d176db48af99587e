//! A sparse matrix times a vector, where the matrix is eight times what may be in memory:
//! `cargo run --release --example out_of_core_spmv [megabytes]`. The rows are made while they are read,
//! each with as many entries as it likes; 64 MB of them may be in memory, and the vector. Beside it, a
//! loop over batches of rows by hand.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use ragged::accel;
use ragged::seq::Limits;
use rayon::prelude::*;

accel! {
    /// The product of a matrix, row by row its columns and values, and a vector.
    pub fn product(rows: Seq<[(u32, f64)]>, x: [f64]) -> Seq<f64> {
        for row in rows { row.map(|(column, value)| value * x[column as usize]).sum() }
    }
}

/// What may be in memory of the rows and of the results.
const LIMIT: usize = 64 << 20;
/// Rows and columns.
const COLUMNS: u32 = 1 << 20;

type Row = Vec<(u32, f64)>;

fn main() -> Result<(), Box<dyn Error>> {
    let megabytes: usize = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => (8 * LIMIT) >> 20,
    };
    let x: Vec<f64> = (0..COLUMNS).map(|i| 1.0 + f64::from(i % 7)).collect();
    let before = peak();
    let (rows_made, entries) = timed("made alone", || {
        let lengths = rows(megabytes).map(|row| black_box(row).len());
        Ok(lengths.fold((0, 0), |(rows, entries), row| (rows + 1, entries + row)))
    })?;
    let limits = Limits::new().memory(LIMIT);
    let (count, ours) = timed("as a sequence", || {
        norm_of(product::with(limits, rows(megabytes), &x)?)
    })?;
    let after = peak();
    let (_, by_hand) = timed("batches by hand", || Ok(in_batches(rows(megabytes), &x)))?;
    assert!((ours - by_hand).abs() <= 1e-9 * by_hand, "{ours} {by_hand}");

    println!(
        "\n{count} rows of {} entries on average",
        entries / rows_made
    );
    println!("the product's norm is {:.6e}", ours.sqrt());
    if let (Some(before), Some(after)) = (before, after) {
        let limit = LIMIT >> 20;
        println!(
            "{} MB more in memory, of {limit} allowed",
            (after - before) >> 10
        );
    }
    Ok(())
}

/// Rows of 1 to 59 entries, and now and then one of thousands, until they are so many megabytes.
fn rows(megabytes: usize) -> impl Iterator<Item = Row> {
    let mut left = (megabytes << 20) / size_of::<(u32, f64)>();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((u128::from(state) * u128::from(below)) >> 64) as u64
    };
    std::iter::from_fn(move || {
        let most = if random(1000) == 0 { 20_000 } else { 59 };
        let count = (1 + random(most) as usize).min(left);
        left -= count;
        let entry = |at| (at, f64::from(at % 3) - 0.5);
        let row = (0..count).map(|_| entry(random(u64::from(COLUMNS)) as u32));
        (count > 0).then(|| row.collect())
    })
}

/// How many numbers there are, and the sum of their squares.
fn norm(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    numbers.fold((0, 0.0), |(count, sum), x| (count + 1, sum + x * x))
}

fn norm_of(numbers: impl Iterator<Item = ragged::Result<f64>>) -> ragged::Result<(usize, f64)> {
    let mut failed = None;
    let whole = norm(numbers.map_while(|x| x.map_err(|error| failed = Some(error)).ok()));
    failed.map_or(Ok(whole), Err)
}

/// The same by hand.
fn in_batches(mut rows: impl Iterator<Item = Row>, x: &[f64]) -> (usize, f64) {
    let (mut all, mut sum) = (0, 0.0);
    let mut batch: Vec<Row> = Vec::new();
    let mut results: Vec<f64> = Vec::new();
    loop {
        batch.clear();
        batch.extend(rows.by_ref().take(8192));
        if batch.is_empty() {
            return (all, sum);
        }
        let of_row = |row: &Row| {
            row.iter()
                .map(|(at, value)| value * x[*at as usize])
                .sum::<f64>()
        };
        batch.par_iter().map(of_row).collect_into_vec(&mut results);
        let (count, squares) = norm(results.iter().copied());
        (all, sum) = (all + count, sum + squares);
    }
}

fn timed<T>(name: &str, f: impl FnOnce() -> ragged::Result<T>) -> Result<T, Box<dyn Error>> {
    let start = Instant::now();
    let done = f()?;
    println!("{name:16} {:6.2} s", start.elapsed().as_secs_f64());
    Ok(done)
}

/// The most that has been in memory so far, in KB, where the system says it.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
