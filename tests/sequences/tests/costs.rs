//! Work, steps and space of iota-square-sum by the size of chunks, counted: the table of *A streaming model
//! for nested data parallelism*, §6.4. There work is about 8.5 for each of `l` numbers, steps are
//! about 7.5 for each of `l / b` chunks of `b`, and space is 14 for each of `b` numbers, even where there
//! are fewer. Here a step is one kernel, in which nothing is stored but the numbers it reads: of
//! `produce` not even these.

use std::sync::{Arc, Mutex};

use ragged::Result;
use ragged::seq::{Limits, Progress};

ragged::accel! {
    /// Of what comes from outside.
    pub fn of_numbers(numbers: Seq<u64>) -> u64 { numbers.map(|x| x * x).sum() }

    /// Of numbers that are made.
    pub fn of_iota(l: usize) -> u64 { produce(l, |i| i as u64).map(|x| x * x).sum() }
}

/// What a run took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cost {
    /// Numbers squared and added.
    work: usize,
    /// Chunks: each is one kernel.
    steps: usize,
    /// Most numbers in memory.
    space: usize,
}

/// Runs of which that with the fewest steps counts: a moment in which the machine does something else looks
/// as if numbers had become dear, and then chunks shrink.
const RUNS: usize = 10;

/// The cost with at most `b` numbers in a chunk.
fn cost(l: usize, b: usize, run: impl Fn(Limits) -> Result<u64>) -> Cost {
    let runs = (0..RUNS).map(|_| once(l, b, &run));
    runs.min_by_key(|it| it.steps).expect("some runs")
}

/// The cost of one run.
fn once(l: usize, b: usize, run: impl Fn(Limits) -> Result<u64>) -> Cost {
    let all = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&all);
    let limits = Limits::new().items(b).watch(move |it: &Progress| {
        let mut seen = seen.lock().expect("no panics");
        seen.push(*it);
    });
    let squares = (0..l as u64).map(|x| x * x).sum();
    assert_eq!(run(limits), Ok(squares), "{l} in chunks of {b}");
    let all = all.lock().expect("no panics");
    let last = all.last().copied().unwrap_or_default();
    Cost {
        work: last.items,
        steps: last.chunks,
        space: all
            .iter()
            .map(|it| it.chunk_bytes / size_of::<u64>())
            .max()
            .unwrap_or(0),
    }
}

#[test]
fn iota_square_sum_costs_what_the_model_says() {
    for l in [10, 100, 1000] {
        for b in [1, 10, 100, 1000] {
            let ours = cost(l, b, |limits| of_numbers::with(limits, 0..l as u64));
            let made = cost(l, b, |limits| of_iota::with(limits, l));
            println!("l = {l:4}, b = {b:4}: {ours:?}, made: {made:?}");
            assert_eq!((ours.work, made.work), (l, l));
            // Chunks begin with one item and grow, at least twofold; the end may be an empty one.
            let most = l.div_ceil(b) + 1 + b.ilog2() as usize;
            for cost in [ours, made] {
                assert!((l.div_ceil(b)..=most).contains(&cost.steps), "{cost:?}");
            }
            assert!((1..=l.min(b)).contains(&ours.space), "{ours:?}");
            assert_eq!(made.space, 0, "nothing is stored");
        }
    }
}
