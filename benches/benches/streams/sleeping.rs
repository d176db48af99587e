//! A source that sleeps as long as computing takes: the two go on at once.

use crate::{median, time};
use ragged_bench::programs::streams;
use std::convert::Infallible;
use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

const ROWS: usize = 800;
const LEN: usize = 50_000;

const ROUNDS: usize = 5;

/// The most that both may take beside the slower one.
const MOST: f64 = 1.15;

/// Rows, each after a nap of this length.
fn rows(numbers: &[f64], nap: Duration) -> impl Iterator<Item = &[f64]> + Send {
    (0..ROWS).map(move |_| {
        if !nap.is_zero() {
            sleep(nap);
        }
        numbers
    })
}

fn compute(numbers: &[f64], nap: Duration) {
    let sums = streams::dear::for_each(rows(numbers, nap), |sum| {
        black_box(sum);
        Ok::<(), Infallible>(())
    });
    sums.expect("nothing fails");
}

/// Reads the rows into chunks, and computes nothing of them.
fn read(numbers: &[f64], nap: Duration) {
    let lengths = streams::lengths::for_each(rows(numbers, nap), |length| {
        black_box(length);
        Ok::<(), Infallible>(())
    });
    lengths.expect("nothing fails");
}

pub fn table() {
    let numbers = Vec::from_iter((0..LEN).map(|i| i as f64 / LEN as f64));
    let [mut of_naps, mut of_reading] = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        let computing = time(|| compute(&numbers, Duration::ZERO));
        let nap = computing / ROWS as u32;
        let sleeping = time(|| (0..ROWS).for_each(|_| sleep(nap)));
        let reading = time(|| read(&numbers, nap));
        let both = time(|| compute(&numbers, nap)).as_secs_f64();
        of_naps.push(both / computing.max(sleeping).as_secs_f64());
        of_reading.push(both / computing.max(reading).as_secs_f64());
    }
    println!("\nA source that sleeps as long as computing takes, beside the slower of the two\n");
    for (source, ratios) in [
        ("its naps", of_naps),
        ("its naps and reading it", of_reading),
    ] {
        let ratio = median(ratios);
        let verdict = if ratio <= MOST { "holds" } else { "fails" };
        println!("| {source} | {ratio:.3} | at most {MOST} | {verdict} |");
    }
}
