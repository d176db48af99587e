//! Sequences: what items may be, how chunks are read, computed and handed out, and what goes wrong.

mod append;
mod ends;
mod faults;
mod forgiven;
mod items;
mod nested;
mod pipeline;
mod read;
mod rows;
mod sources;
mod watch;

use ragged_core::Site;

/// Where the functions of these tests are.
static SITE: Site = Site {
    function: "test",
    file: "test.rs",
    line: 3,
    column: 8,
    checks: &[],
};

/// Calls `f` in a pool of so many threads, and outside of it.
fn with_threads<T: Send>(threads: usize, f: impl Fn() -> T + Send + Sync) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("threads can be started").install(f)
}
