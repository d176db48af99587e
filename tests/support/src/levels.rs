//! The same bits on every feature level and any number of threads; with `#[fast]`, bits that are
//! within the bounds of the program's calls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::agree::{self, Inputs, Program, inputs, results};
use ragged_core::Level;
use ragged_core::level::{self, force};
use rayon::ThreadPoolBuilder;

/// How many programs have their results kept at once.
const TOGETHER: usize = 16;

/// Runs `programs` at every level on several numbers of threads. Nothing else may run in the process: the
/// level is one for all of it.
///
/// # Panics
/// If results differ.
pub fn check(programs: &[Program]) {
    let compiled = programs
        .iter()
        .filter(|program| !program.functions.is_empty());
    let (fast, exact): (Vec<_>, Vec<_>) =
        compiled.partition(|program| program.text.contains("#[fast]"));
    // Any number of threads does for these, which the interpreter runs each time.
    for (level, _) in settings() {
        force(Some(level));
        each(&fast, |_, program| on(2, || agree::check(program)));
    }
    let wrong: Vec<String> = exact.chunks(TOGETHER).flat_map(differing).collect();
    force(None);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The levels of this machine, each with numbers of threads. The ends of the list have several; what
/// threads share is the same in between.
fn settings() -> impl Iterator<Item = (Level, &'static [usize])> {
    let settings: [(Level, &[usize]); 3] = [
        (Level::V1, &[1, 3]),
        (Level::V3, &[2]),
        (Level::V4, &[1, 2, 3]),
    ];
    settings
        .into_iter()
        .filter(|(level, _)| *level <= level::Level::detect())
}

/// Those of `programs` that give other results than at the first setting, and at which.
fn differing(programs: &[&Program]) -> Vec<String> {
    let with_inputs = programs.iter().map(|program| (*program, inputs(program)));
    let programs: Vec<(&Program, Inputs<'_>)> = with_inputs.collect();
    let first: Vec<OnceLock<_>> = programs.iter().map(|_| OnceLock::new()).collect();
    let wrong = Mutex::new(Vec::new());
    for (level, threads) in settings() {
        force(Some(level));
        each(&programs, |at, (program, inputs)| {
            for threads in threads {
                let now = on(*threads, || results(inputs));
                if first[at].get_or_init(|| now.clone()) != &now {
                    let name = program.name;
                    let it = format!("{name} at {level:?} on {threads} threads");
                    wrong.lock().expect("no panic in between").push(it);
                }
            }
        });
    }
    wrong.into_inner().expect("no panic in between")
}

/// Does `check` with each of `programs`, two at a time: most have no work for several threads.
fn each<P: Sync>(programs: &[P], check: impl Fn(usize, &P) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut at = next.fetch_add(1, Ordering::Relaxed);
        while let Some(program) = programs.get(at) {
            check(at, program);
            at = next.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Runs on a pool of so many threads.
fn on<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(run)
}
