//! What sequences need and cost: memory beside a limit, time beside all in memory and beside the best
//! size of chunks there is, and a source that sleeps. `cargo bench -p ragged-bench --bench streams`.
//!
//! Each measurement of memory is of a process of its own, which is this program with `--child`.

mod chunks;
mod memory;
mod sleeping;
mod softmax;

use std::time::{Duration, Instant};

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--child").skip(1);
    if let Some(child) = args.next() {
        memory::child(&child);
        return;
    }
    memory::table();
    softmax::table();
    chunks::table();
    sleeping::table();
}

/// How long a call takes.
fn time(call: impl FnOnce()) -> Duration {
    let start = Instant::now();
    call();
    start.elapsed()
}

/// The median of some ratios, or times.
fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
