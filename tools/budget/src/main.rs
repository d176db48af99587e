//! Macro time and rustc time against their budgets: `cargo run -p ragged-budget`.
//!
//! For each typical block, the milliseconds of `accel!` unoptimised, as cargo builds macros in all
//! profiles: inside rustc, which is what users wait for and what the budget is for; and the same
//! calls outside of rustc, where tokens are `proc_macro2`'s own and lexing the emitted text, done by
//! rustc's lexer inside, is most of the time. Then `cargo check` per block, macro and type checking
//! of what it gives, and the seconds of a release build per exported function. Says which blocks'
//! fastest call inside rustc is above the budget, and exits 1 where it is twice the budget on any
//! machine: measured by what `syn`, as unoptimised, takes to read some functions, and again and again
//! before it is believed, since a busy neighbour slows one of the two more than the other. The macro's
//! times are of its thread on the processor, the others are by the clock.
//!
//! With `-- programs`: what each program of the benchmark suite costs to compile, without a budget; names
//! after that choose some.

mod blocks;
mod inside;
mod programs;

use blocks::{Block, blocks};
use cpu_time::ThreadTime;
use inside::Inside;
use proc_macro2::TokenStream;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

/// For a typical block.
const MACRO_BUDGET: Duration = Duration::from_millis(5);
/// In yardsticks: the same number on all machines.
const BUDGET: f64 = 5.0 / YARDSTICK;
/// The milliseconds of the yardstick on the machine of the budget (Zen 4, 2.6 GHz).
const YARDSTICK: f64 = 2.66;
/// Calls of which the median is taken, in each round.
const CALLS: usize = 15;
/// Rounds of which the quietest counts: other work on the machine only ever adds to a time.
const ROUNDS: usize = 5;
/// Rounds after which a time above [`LIMIT`] is believed.
const MOST_ROUNDS: usize = 20;
/// In budgets: above it, the exit status is 1.
const LIMIT: f64 = 2.0;

/// Of the quietest round.
#[derive(Clone, Copy)]
struct Times {
    median: Duration,
    fastest: Duration,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((first, names)) if first == "programs" => programs::report(names).map(|()| true),
        _ => report(&blocks()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the table; whether the budget holds.
fn report(blocks: &[Block]) -> io::Result<bool> {
    let crates = Inside::new()?;
    println!("milliseconds per block          macro inside rustc   outside of rustc   cargo check");
    println!("block            lines  pub fn      median  fastest    median  fastest");
    let mut within = true;
    let (times, yardstick) = crates.macro_times(blocks)?;
    for (block, inside) in blocks.iter().zip(times) {
        let outside = outside(&block.text);
        let verdict = if inside.fastest > MACRO_BUDGET {
            "  above 5 ms"
        } else {
            ""
        };
        within &= holds(inside, yardstick);
        println!(
            "{:15} {:6} {:7} {:11.2} {:8.2} {:9.2} {:8.2} {:13.2}{verdict}",
            block.name,
            block.lines(),
            block.functions(),
            millis(inside.median),
            millis(inside.fastest),
            millis(outside.median),
            millis(outside.fastest),
            millis(crates.check_time(block)?),
        );
    }
    println!(
        "\nthe yardstick takes {:.2} ms; the budget is of a machine where it takes {YARDSTICK:.2}",
        millis(yardstick)
    );
    let seconds = crates.build_time()?.as_secs_f64();
    println!("`cargo build --release`: {seconds:.2} s per exported function of one or two kernels");
    Ok(within)
}

/// Whether a block's time is within what is put up with.
fn holds(times: Times, yardstick: Duration) -> bool {
    millis(times.fastest) <= LIMIT * BUDGET * millis(yardstick)
}

/// Of expanding `text` here.
fn outside(text: &str) -> Times {
    let block: TokenStream = text.parse().expect("the block is made of tokens");
    let rounds = (0..ROUNDS).map(|_| round(&block));
    rounds
        .min_by_key(|times| times.median)
        .expect("there are rounds")
}

fn round(block: &TokenStream) -> Times {
    let mut times: Vec<Duration> = (0..CALLS).map(|_| time(block.clone())).collect();
    times.sort_unstable();
    Times {
        median: times[CALLS / 2],
        fastest: times[0],
    }
}

fn time(block: TokenStream) -> Duration {
    let start = ThreadTime::now();
    let expanded = ragged_compiler::expand(block);
    let time = start.elapsed();
    let text = expanded.to_string();
    assert!(
        !text.contains("compile_error"),
        "the block compiles:\n{text}"
    );
    time
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
