//! Says of each program file whether the compiler takes it, and what it says if not.

use ragged_test_support::{header, typing};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a program file");
        for (words, text) in header::instances(&text) {
            let _ = header::header(&text);
            if let Err(why) = typing::compiles(&text) {
                println!("{path} {words:?}:\n{why}");
            }
        }
    }
}
