//! Random programs give what the interpreter gives, each on one of several feature levels and numbers
//! of threads.

use ragged_core::Level;
use ragged_core::level::force;
use ragged_random::{PROGRAMS, SEED};
use ragged_test_support::agree::Compiled;
use ragged_test_support::random::check::{Tally, check, check_refused};
use ragged_test_support::{random, typing};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

type Program = (u64, &'static [Compiled]);

/// Feature levels, each with a number of threads. All programs must give the interpreter's bits, so
/// it is enough that each runs with one of these.
const SETTINGS: [(Level, usize); 3] = [(Level::V1, 1), (Level::V3, 2), (Level::V4, 3)];

/// Nothing else runs in this process: the level is one for all of it.
#[test]
fn compiled_programs_agree_with_the_interpreter() {
    let (mut total, mut wrong) = (Tally::default(), Vec::new());
    for (at, (level, threads)) in SETTINGS.into_iter().enumerate() {
        // Levels that the machine does not have become its best.
        force(Some(level));
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let programs: Vec<&Program> = PROGRAMS.iter().skip(at).step_by(SETTINGS.len()).collect();
        let (tally, failures) = check_all(&programs, &pool.expect("a pool of threads"));
        total += tally;
        let setting = format!("level {level:?}, {threads} threads");
        wrong.extend(failures.into_iter().map(|why| format!("{setting}, {why}")));
    }
    force(None);
    // Not by the macro, whose output is shown of tests that fail only: with it go the lines of `dbg!`.
    let summary = format!("seed {SEED}: {} programs, {total:?}\n", PROGRAMS.len());
    let _ = std::io::stdout().write_all(summary.as_bytes());
    assert!(
        wrong.is_empty(),
        "{}\n{} of {} programs; shrink one with\n\
         cargo run -p ragged-random --bin shrink -- {SEED} NUMBER",
        wrong.join("\n"),
        wrong.len(),
        PROGRAMS.len()
    );
    assert!(
        total.values > PROGRAMS.len() && total.skipped * 10 <= total.values,
        "too few calls were compared: {total:?}"
    );
    // One in thousands.
    assert!(
        total.refused * 100 <= PROGRAMS.len() + 100,
        "too many programs are refused: {total:?}"
    );
}

/// Two programs at a time.
fn check_all(programs: &[&Program], pool: &ThreadPool) -> (Tally, Vec<String>) {
    let next = AtomicUsize::new(0);
    let (total, wrong) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, functions)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let program = random::program(SEED, *number);
            let text = program.tree.to_string();
            let checked = match typing::compiles(&text) {
                Ok(()) => pool.install(|| check(&program, functions)),
                Err(why) => check_refused(&program, &why),
            };
            match checked {
                Ok(tally) => *total.lock().expect("no thread panics") += tally,
                Err(why) => {
                    let message = format!("seed {SEED}, program {number}:\n{text}\n{why}\n");
                    wrong.lock().expect("no thread panics").push(message);
                }
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let total = total.into_inner().expect("no thread panics");
    (total, wrong.into_inner().expect("no thread panics"))
}
