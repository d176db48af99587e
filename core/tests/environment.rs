//! What decides where kernels run: the level that the environment asks for, and the size of the work.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over lanes, as emitted code has them"
)]

use ragged_core::{Flag, Kernel, Level, Product, write};
use rayon::ThreadPoolBuilder;
use std::collections::HashSet;
use std::process::Command;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

/// What `says_its_level` prints in a process of its own, with this for `RAGGED_LEVEL`.
fn level_with(asked: Option<&str>) -> String {
    let this = std::env::current_exe().expect("the path of this test");
    let mut command = Command::new(this);
    command.args(["--ignored", "--exact", "says_its_level", "--nocapture"]);
    match asked {
        Some(asked) => command.env("RAGGED_LEVEL", asked),
        None => command.env_remove("RAGGED_LEVEL"),
    };
    let output = command.output().expect("a second process");
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().find_map(|line| line.split("level: ").nth(1));
    line.expect("the test has printed it").trim().to_owned()
}

#[test]
#[ignore = "run by `the_environment_chooses_the_level`"]
fn says_its_level() {
    println!("level: {:?}", Level::current());
}

#[test]
fn the_environment_chooses_the_level() {
    let best = Level::detect();
    for (asked, level) in [
        ("v1", Level::V1),
        ("v2", Level::V2),
        ("v3", Level::V3),
        ("v4", Level::V4),
    ] {
        let wanted = format!("{:?}", level.min(best));
        assert_eq!(level_with(Some(asked)), wanted, "{asked}");
    }
    for asked in [None, Some("v9"), Some(""), Some("V1")] {
        assert_eq!(level_with(asked), format!("{best:?}"), "{asked:?}");
    }
}

/// Notes which threads run it.
struct Threads(Mutex<HashSet<ThreadId>>);

impl Kernel for Threads {
    type Out = (f32,);
    const COST: u32 = 8;

    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let mut threads = self.0.lock().expect("no thread panics");
        threads.insert(thread::current().id());
        for l in 0..L {
            out.0[l] = (start + l) as f32;
        }
    }
}

/// The threads that write so many elements, in a pool of two, called from one of them or from outside.
fn threads(n: usize) -> HashSet<ThreadId> {
    let kernel = Threads(Mutex::default());
    let (out,) = write(&kernel, n).expect("memory");
    assert_eq!(out.len(), n);
    kernel.0.into_inner().expect("no thread panics")
}

#[test]
fn small_work_stays_on_the_calling_thread() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.expect("a pool of threads");
    for n in [1, 100, 1 << 16] {
        let caller = thread::current().id();
        assert_eq!(threads(n), HashSet::from([caller]), "{n} elements");
        pool.install(|| {
            let caller = thread::current().id();
            assert_eq!(threads(n), HashSet::from([caller]), "{n} elements");
        });
    }
    // And large work does not, or the above shows nothing.
    let used = pool.install(|| threads(1 << 23));
    assert_eq!(used.len(), 2);
}
