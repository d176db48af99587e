//! The same bits on every feature level and any number of threads; with `#[fast]`, bits that are
//! within the bounds of the program's calls.

use ragged_core::Level;
use ragged_core::level::{self, force};
use ragged_programs::PROGRAMS;
use ragged_test_support::agree::{self, Program, results};
use rayon::ThreadPoolBuilder;

/// Nothing else runs in this process: the level is one for all of it.
#[test]
fn results_depend_on_neither_level_nor_threads() {
    let levels = [Level::V1, Level::V3, Level::V4];
    let levels = levels
        .into_iter()
        .filter(|level| *level <= level::Level::detect());
    let settings: Vec<(Level, usize)> = levels
        .flat_map(|level| [1, 2, 3].map(|threads| (level, threads)))
        .collect();
    let mut wrong = Vec::new();
    let compiled = PROGRAMS
        .iter()
        .filter(|program| !program.functions.is_empty());
    let (fast, exact): (Vec<_>, Vec<_>) =
        compiled.partition(|program| program.text.contains("#[fast]"));
    assert!(!fast.is_empty(), "there are programs with `#[fast]`");
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
