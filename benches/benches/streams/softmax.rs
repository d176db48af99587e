//! Softmax of a stream of rows beside the program with all rows in memory: throughputs.

use crate::{median, time};
use ragged::Ragged;
use ragged::seq::Limits;
use ragged_bench::programs::{nested, streams};
use std::convert::Infallible;
use std::hint::black_box;

/// Bytes of memory for a stream.
pub const LIMIT: usize = 256_000_000;

/// Bytes that are streamed, and those of a part that fits.
pub const ALL: usize = 4 << 30;
const PART: usize = 200_000_000;

/// The least share of the throughput in memory, or of what the rows are made at, if that is less.
const LEAST: f64 = 0.9;

/// Turns in which each is measured.
const ROUNDS: usize = 5;

/// How long the row of this number is: 65 to 500.
fn length(row: usize) -> usize {
    65 + (row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % 436
}

/// Rows of so many bytes in all, each of which is made when it is asked for.
fn generated(bytes: usize) -> impl Iterator<Item = Vec<f32>> + Send {
    let rows = (0..).map(|row| {
        let numbers = (0..length(row)).map(|i| ((i * 7 + row) % 13) as f32 - 6.0);
        numbers.collect::<Vec<f32>>()
    });
    let mut left = (bytes / 4) as isize;
    rows.take_while(move |row| {
        left -= row.len() as isize;
        left + row.len() as isize > 0
    })
}

/// Softmax of each of the rows that are made, handed on.
pub fn stream_generated(bytes: usize) {
    let ended = streams::softmax::for_each_with(limits(), generated(bytes), |row| {
        black_box(row);
        Ok::<(), Infallible>(())
    });
    ended.expect("nothing fails");
}

/// The same of rows that lie in memory, as slices, so many times over.
fn stream_slices(rows: &Ragged<f32>, times: usize) {
    let all = (0..times).flat_map(|_| rows.iter());
    let ended = streams::softmax::for_each_with(limits(), all, |row| {
        black_box(row);
        Ok::<(), Infallible>(())
    });
    ended.expect("nothing fails");
}

/// The same of so many rows that the program makes.
fn stream_produced(rows: usize) {
    let ended = streams::softmax_made::for_each_with(limits(), rows, |row| {
        black_box(row);
        Ok::<(), Infallible>(())
    });
    ended.expect("nothing fails");
}

fn limits() -> Limits {
    Limits::new().memory(LIMIT)
}

pub fn table() {
    let rows = Ragged::from_iter(generated(PART));
    let times = ALL / PART;
    let mut out = nested::softmax(&rows).expect("nothing fails");
    let made_at_once = streams::softmax_made_at_once::into;
    made_at_once(&mut out, rows.len()).expect("nothing fails");
    let mut speeds = [const { Vec::new() }; 6];
    let [whole, slices, made, streamed, at_once, produced] = &mut speeds;
    let speed =
        |bytes: usize, call: &mut dyn FnMut()| bytes as f64 / time(call).as_secs_f64() / 1e9;
    for _ in 0..ROUNDS {
        whole.push(speed(PART, &mut || {
            nested::softmax::into(&mut out, &rows).expect("nothing fails");
        }));
        slices.push(speed(times * PART, &mut || stream_slices(&rows, times)));
        made.push(speed(ALL / 4, &mut || {
            generated(ALL / 4).for_each(|row| drop(black_box(row)));
        }));
        streamed.push(speed(ALL, &mut || stream_generated(ALL)));
        at_once.push(speed(PART, &mut || {
            made_at_once(&mut out, rows.len()).expect("nothing fails");
        }));
        produced.push(speed(times * PART, &mut || {
            stream_produced(times * rows.len());
        }));
    }
    let [whole, slices, made, streamed, at_once, produced] = speeds.map(median);
    println!(
        "\nSoftmax of 4 GB of rows of 65 to 500 f32 with a limit of 256 MB, GB of rows in a second\n"
    );
    println!("| 200 MB of them in memory, results into an array that is there | {whole:.2} | |");
    println!(
        "| rows that lie in memory, streamed as slices | {slices:.2} | {} |",
        share(slices / whole)
    );
    println!("| making the rows, nothing computed | {made:.2} | |");
    let least = whole.min(made);
    println!(
        "| rows that are made, streamed | {streamed:.2} | {} |",
        share(streamed / least)
    );
    println!("| rows that the program makes, 200 MB of them in memory | {at_once:.2} | |");
    println!(
        "| the same rows and more, streamed | {produced:.2} | {} |",
        share(produced / at_once)
    );
}

/// What a share of the throughput that is due comes to.
fn share(share: f64) -> String {
    let verdict = if share >= LEAST { "holds" } else { "fails" };
    format!("{share:.2} of that, at least {LEAST}: {verdict}")
}
