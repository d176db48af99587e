//! The compiler takes random programs: many more than are run, since rustc need not compile these. What
//! it takes has passed the checks behind each of its stages.

use ragged_random::SEED;
use ragged_test_support::{random, typing};
use rayon::prelude::*;
use std::env;

/// Those before are run.
const FIRST: u64 = 1 << 20;

#[test]
fn the_compiler_takes_random_programs() {
    let count = env::var("RAGGED_TAKEN").map_or(200, |it| it.parse().expect("a number"));
    let refused = |number| {
        let program = random::program(SEED, number).tree.to_string();
        let why = typing::compiles(&program).err()?;
        typing::should_compile(&why).then(|| format!("program {number}:\n{program}\n{why}\n"))
    };
    let numbers = (FIRST..FIRST + count).into_par_iter();
    let refused: Vec<String> = numbers.filter_map(refused).collect();
    assert!(
        refused.is_empty(),
        "{}\n{} of {count} programs; shrink one with\n\
         cargo run -p ragged-random --bin shrink -- {SEED} NUMBER",
        refused.join("\n"),
        refused.len(),
    );
}
