//! What this machine can do at all, with all threads: the yardsticks of the table.
//!
//! Each function gives a figure per second; [`Limit`] gives the least time for an amount of work,
//! as a contestant that runs among the programs.

mod lanes;

use crate::levels::{Level, kernel};
use crate::memory::{as_uninit, fence, generate, prefetch, stream};
pub use lanes::{Mix, lanes_f32, lanes_f64};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Instant;

/// The work that a program cannot do without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Bytes read from memory.
    Read(f64),
    /// Bytes read and written, together.
    Copy(f64),
    /// Operations on f32 lanes.
    Lanes32(f64),
    /// Operations on f64 lanes.
    Lanes64(f64),
    /// Operations on f32 lanes that may be fused, each fused one counted as two.
    Fused32(f64),
    /// The same on f64 lanes.
    Fused64(f64),
    /// So many reads of 8 bytes at random places within so many bytes.
    Random(f64, usize),
}

impl Limit {
    /// A contestant whose seconds are the least that the work takes.
    pub fn contestant(self) -> Box<dyn FnMut() -> f64> {
        match self {
            Limit::Read(bytes) => least(bytes, read_probe()),
            Limit::Copy(bytes) => least(bytes, copy_probe()),
            Limit::Lanes32(operations) => least(operations, || lanes_f32(Mix::MulAndAdd)),
            Limit::Lanes64(operations) => least(operations, || lanes_f64(Mix::MulAndAdd)),
            Limit::Fused32(operations) => least(operations, || lanes_f32(Mix::Fma)),
            Limit::Fused64(operations) => least(operations, || lanes_f64(Mix::Fma)),
            Limit::Random(reads, bytes) => least(reads, random_probe(bytes)),
        }
    }
}

fn least(work: f64, mut rate: impl FnMut() -> f64 + 'static) -> Box<dyn FnMut() -> f64> {
    Box::new(move || work / rate())
}

/// The best of several runs: a limit is what is possible.
pub fn best(mut rate: impl FnMut() -> f64) -> f64 {
    (0..10).map(|_| rate()).fold(0.0, f64::max)
}

/// Bytes per second read from memory.
pub fn read_bandwidth() -> f64 {
    best(read_probe())
}

/// Bytes per second read and written, counted together, with streaming stores.
pub fn copy_bandwidth() -> f64 {
    best(copy_probe())
}

/// Random reads of 8 bytes per second within `bytes` of memory.
pub fn random_reads(bytes: usize) -> f64 {
    best(random_probe(bytes))
}

/// f32 operations per second in fused multiply-adds, each counted as two.
pub fn fma_peak_f32() -> f64 {
    best(|| lanes_f32(Mix::Fma))
}

fn read_probe() -> impl FnMut() -> f64 {
    let xs = generate(64 << 20, |i| i as u64);
    move || {
        per_second(size_of_val(&xs[..]), || {
            let parts = xs.par_chunks(1 << 17);
            parts
                .map(|part| read_part(Level::best(), part))
                .sum::<u64>()
        })
    }
}

kernel! {
    fn read_part(xs: &[u64]) -> u64 {
        let mut sums = [0_u64; 32];
        let (blocks, _) = xs.as_chunks::<32>();
        for block in blocks {
            for line in 0..4 {
                prefetch(&raw const block[line * 8], 2048);
            }
            for lane in 0..32 {
                sums[lane] |= block[lane];
            }
        }
        sums.iter().fold(0, |all, sum| all | sum) & 1
    }
}

fn copy_probe() -> impl FnMut() -> f64 {
    let xs = generate(64 << 20, |i| i as f32);
    let mut ys = generate(64 << 20, |_| 0.0_f32);
    move || {
        per_second(2 * size_of_val(&xs[..]), || {
            let parts = ys.par_chunks_mut(1 << 18).zip(xs.par_chunks(1 << 18));
            parts.for_each(|(to, from)| {
                stream(as_uninit(to), from);
                fence();
            });
        })
    }
}

fn random_probe(bytes: usize) -> impl FnMut() -> f64 {
    const PER_TASK: usize = 1 << 18;
    let words = (bytes / 8).next_power_of_two();
    let table = generate(words, |i| i as u64);
    move || {
        let tasks = 16 * rayon::current_num_threads();
        let rate = per_second(tasks * PER_TASK, || {
            let sums = (0..tasks).into_par_iter();
            sums.map(|task| read_at_random(&table, task as u64, PER_TASK))
                .sum::<u64>()
        });
        black_box(rate)
    }
}

/// Reads whose addresses do not depend on what was read, so that many are under way.
fn read_at_random(table: &[u64], seed: u64, count: usize) -> u64 {
    let shift = 64 - table.len().trailing_zeros();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut sum = 0_u64;
    for _ in 0..count {
        state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        sum = sum.wrapping_add(table[(state >> shift) as usize]);
    }
    sum
}

fn per_second<T>(work: usize, run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    work as f64 / start.elapsed().as_secs_f64()
}
