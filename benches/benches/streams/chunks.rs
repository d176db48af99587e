//! Chunks whose size adapts beside those of the best fixed size that is found.

use crate::{median, time};
use ragged::seq::Limits;
use ragged_bench::programs::streams;
use std::hint::black_box;

/// Sizes that are tried: powers of four.
const POWERS: u32 = 12;

/// Turns in which each size is measured, and then the best beside chunks that adapt.
const TRIES: usize = 3;
const ROUNDS: usize = 15;

/// The most that adapting may cost.
const MOST: f64 = 1.15;

/// Measures a run under limits on the items of a chunk.
fn row(what: &str, run: impl Fn(Limits)) {
    let fixed = |power: u32| Limits::new().items(4_usize.pow(power));
    let seconds = |limits: Limits| time(|| run(limits)).as_secs_f64();
    seconds(Limits::new());
    let tried = (0..=POWERS).map(|power| {
        let times = (0..TRIES).map(|_| seconds(fixed(power)));
        (median(times.collect()), power)
    });
    let (_, best) = tried
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("some sizes");
    let ratios = (0..ROUNDS).map(|_| seconds(Limits::new()) / seconds(fixed(best)));
    let ratio = median(ratios.collect());
    let verdict = if ratio <= MOST { "holds" } else { "fails" };
    println!(
        "| {what} | {} | {ratio:.3} | {verdict} |",
        4_usize.pow(best)
    );
}

/// Sums of the exponentials of rows of these lengths.
fn rows(lengths: impl Fn(usize) -> usize + Sync, count: usize) -> impl Fn(Limits) {
    let longest = (0..count).map(&lengths).max().unwrap_or(0);
    let numbers = Vec::from_iter((0..longest).map(|i| (i % 100) as f64 / 100.0));
    move |limits| {
        let rows = (0..count).map(|row| &numbers[..lengths(row)]);
        let sums = streams::powers::with(limits, rows).expect("nothing is computed yet");
        black_box(sums.map(|sum| sum.expect("nothing fails")).sum::<f64>());
    }
}

/// One long row among three: a short one is followed by a long one or by another short one.
fn uneven(row: usize) -> usize {
    if row % 3 == 1 { 1_000_000 } else { 1 }
}

pub fn table() {
    println!("\nChunks that adapt beside the best fixed size: at most {MOST}\n");
    println!("| items | best size | adapting / best | |\n|---|---|---|---|");
    row("20 million numbers", |limits| {
        let numbers = (0..20_000_000).map(|i| f64::from(i) * 1e-8);
        let squares = streams::squares::with(limits, numbers).expect("nothing fails");
        black_box(squares);
    });
    row("rows of 200 000", rows(|_| 200_000, 400));
    row("rows that grow to 20 000", rows(|row| row, 20_000));
    row("rows of 1, 10^6, 1, 1, 10^6, 1 …", rows(uneven, 240));
}
