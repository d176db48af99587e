//! Prints program NUMBER of SEED, or says of COUNT programs which are refused, made as small as they
//! go: `random SEED NUMBER` or `random SEED FIRST COUNT`.

use ragged_test_support::random::{self, RandomProgram, shrink::smaller};
use ragged_test_support::typing;

fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("numbers"))
        .collect();
    match args.as_slice() {
        [seed, number] => println!("{}", random::program(*seed, *number).tree),
        [seed, first, count] => {
            // Panics of the compiler are told of with the program.
            std::panic::set_hook(Box::new(|_| {}));
            for number in *first..first + count {
                let program = random::program(*seed, number);
                if let Some(why) = refusal(&program) {
                    let small = shrunk(program, &why);
                    println!("// {number}\n{}\n{why}", small.tree);
                }
            }
        }
        _other => eprintln!("random SEED NUMBER | random SEED FIRST COUNT"),
    }
}

fn refusal(program: &RandomProgram) -> Option<String> {
    typing::compiles(&program.tree.to_string()).err()
}

/// The smallest program that is refused for the same reason.
fn shrunk(mut program: RandomProgram, why: &str) -> RandomProgram {
    program.inputs.clear();
    let same = |it: &RandomProgram| refusal(it).as_deref() == Some(why);
    while let Some(next) = smaller(&program).into_iter().find(same) {
        program = next;
    }
    program
}
