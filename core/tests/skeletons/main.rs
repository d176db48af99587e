//! Every skeleton against a slow, obvious implementation of the stated order, bit for bit, at
//! every feature level and on one to three threads.

#![allow(
    clippy::needless_range_loop,
    clippy::manual_memcpy,
    reason = "loops over lanes, as emitted code has them"
)]

mod reference;
mod values;

/// In a module of their own, so that they can be named together: CI runs them beside all other tests, since they hold
/// the whole process to a level, one after the other.
#[path = "."]
mod skeletons {
    mod append;
    mod beside;
    mod cascade;
    mod convoy;
    mod counted;
    mod dear;
    mod extremes;
    mod failures;
    mod gathers;
    mod held;
    mod hostile;
    mod join;
    mod keep;
    mod merges;
    mod moved;
    mod nest_failures;
    mod nest_rows;
    mod nests;
    mod order;
    mod packed;
    mod round;
    mod seek;
    mod segments;
    mod shared;
    mod sorts;
    mod sweeps;
    mod turned;
    mod uneven;
}

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use ragged_core::Level;
use ragged_core::level::force;

/// Sizes around lanes, blocks, rounds and chunks.
pub const SIZES: [usize; 15] = [
    0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 16383, 16384, 16385, 50_000, 200_003,
];

/// Runs `f` at every level, and on 1, 2 and 3 threads.
pub fn everywhere(f: impl Fn() + Sync) {
    let _one_at_a_time = lock();
    for (i, level) in [Level::V1, Level::V3, Level::V4, Level::V2]
        .into_iter()
        .enumerate()
    {
        force(Some(level));
        assert_eq!(Level::current(), level.min(Level::detect()));
        pools()[i % 3].install(&f);
    }
    for pool in pools() {
        force(None);
        pool.install(&f);
    }
}

/// Runs `f` at the machine's level on 1, 2 and 3 threads, with the number of the run.
pub fn on_each_pool(mut f: impl FnMut(usize) + Send) {
    let _one_at_a_time = lock();
    force(None);
    for (i, pool) in pools().iter().enumerate() {
        pool.install(|| f(i));
    }
}

/// Pools of 1, 2 and 3 threads.
fn pools() -> &'static [ThreadPool] {
    static POOLS: OnceLock<Vec<ThreadPool>> = OnceLock::new();
    let pool = |threads| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    };
    POOLS.get_or_init(|| (1..=3).map(pool).collect())
}

/// Levels are forced for the whole process.
fn lock() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}
