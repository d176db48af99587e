//! Random programs give what the interpreter gives.

use ragged_random::{PROGRAMS, SEED};
use ragged_test_support::random::check::{Tally, check};
use ragged_test_support::{random, typing};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[test]
fn compiled_programs_agree_with_the_interpreter() {
    let next = AtomicUsize::new(0);
    let (total, wrong) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, functions)) = PROGRAMS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let program = random::program(SEED, *number);
            let text = program.tree.to_string();
            let checked = typing::compiles(&text).and_then(|()| check(&program, functions));
            match checked {
                Ok(tally) => add(&mut total.lock().expect("no thread panics"), tally),
                Err(why) => {
                    let message = format!("seed {SEED}, program {number}:\n{text}\n{why}\n");
                    wrong.lock().expect("no thread panics").push(message);
                }
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner().expect("no thread panics");
    println!("seed {SEED}: {} programs, {total:?}", PROGRAMS.len());
    assert!(
        wrong.is_empty(),
        "{}\n{} of {} programs; shrink one with\n\
         cargo run -p ragged-random --bin shrink -- {SEED} NUMBER",
        wrong.join("\n"),
        wrong.len(),
        PROGRAMS.len()
    );
}

fn add(total: &mut Tally, tally: Tally) {
    total.values += tally.values;
    total.errors += tally.errors;
    total.skipped += tally.skipped;
}
