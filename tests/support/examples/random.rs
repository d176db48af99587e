//! Prints program NUMBER of SEED, or says of COUNT programs which are refused: `random SEED NUMBER`
//! or `random SEED FIRST COUNT`.

use ragged_test_support::{random, typing};

fn main() {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|arg| arg.parse().expect("numbers"))
        .collect();
    match args.as_slice() {
        [seed, number] => println!("{}", random::program(*seed, *number).tree),
        [seed, first, count] => {
            for number in *first..first + count {
                let text = random::program(*seed, number).tree.to_string();
                if let Err(why) = typing::compiles(&text) {
                    println!("// {number}\n{text}\n{why}");
                }
            }
        }
        _other => eprintln!("random SEED NUMBER | random SEED FIRST COUNT"),
    }
}
