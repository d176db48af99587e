//! A source that sleeps as long as computing takes: the two go on at once.

use crate::{median, time};
use ragged_bench::programs::streams;
use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

const ROWS: usize = 800;
const LEN: usize = 50_000;

const ROUNDS: usize = 5;

/// The most that both may take beside the slower one.
const MOST: f64 = 1.15;

/// Runs with a nap of this length before each row.
fn run(numbers: &[f64], nap: Duration) {
    let rows = (0..ROWS).map(|_| {
        if !nap.is_zero() {
            sleep(nap);
        }
        numbers
    });
    let sums = streams::dear::for_each(rows, |sum| {
        black_box(sum);
        Ok::<(), std::fmt::Error>(())
    });
    sums.expect("nothing fails");
}

pub fn table() {
    let numbers = Vec::from_iter((0..LEN).map(|i| i as f64 / LEN as f64));
    let ratios = (0..ROUNDS).map(|_| {
        let computing = time(|| run(&numbers, Duration::ZERO));
        let nap = computing / ROWS as u32;
        let sleeping = time(|| (0..ROWS).for_each(|_| sleep(nap)));
        let both = time(|| run(&numbers, nap));
        both.as_secs_f64() / computing.max(sleeping).as_secs_f64()
    });
    let ratio = median(ratios.collect());
    let verdict = if ratio <= MOST { "holds" } else { "fails" };
    println!("\nA source that sleeps as long as computing takes, beside the slower of the two\n");
    println!("| {ratio:.3} | at most {MOST} | {verdict} |");
}
