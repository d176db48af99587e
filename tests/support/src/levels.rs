//! The same bits on every feature level and any number of threads; with `#[fast]`, bits that are
//! within the bounds of the program's calls.

use crate::agree::{self, Program, results};
use ragged_core::Level;
use ragged_core::level::{self, force};
use rayon::ThreadPoolBuilder;

/// Runs `programs` at every level on one to three threads. Nothing else may run in the process: the
/// level is one for all of it.
///
/// # Panics
/// If results differ.
pub fn check(programs: &[Program]) {
    let levels = [Level::V1, Level::V3, Level::V4];
    let levels = levels
        .into_iter()
        .filter(|level| *level <= level::Level::detect());
    let settings: Vec<(Level, usize)> = levels
        .flat_map(|level| [1, 2, 3].map(|threads| (level, threads)))
        .collect();
    let mut wrong = Vec::new();
    let compiled = programs
        .iter()
        .filter(|program| !program.functions.is_empty());
    let (fast, exact): (Vec<_>, Vec<_>) =
        compiled.partition(|program| program.text.contains("#[fast]"));
    // Any number of threads does for these, which the interpreter runs each time.
    for setting in settings.iter().filter(|(_, threads)| *threads == 2) {
        fast.iter()
            .for_each(|program| at(*setting, || agree::check(program)));
    }
    for program in exact {
        let first = results_at(program, settings[0]);
        for setting in &settings[1..] {
            if results_at(program, *setting) != first {
                wrong.push(format!("{} at {setting:?}", program.name));
            }
        }
    }
    force(None);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn results_at(
    program: &Program,
    setting: (Level, usize),
) -> Vec<ragged_core::Result<ragged_compiler::interpret::Value>> {
    at(setting, || results(program))
}

fn at<T: Send>((level, threads): (Level, usize), run: impl FnOnce() -> T + Send) -> T {
    force(Some(level));
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("a pool of threads").install(run)
}
