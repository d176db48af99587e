use ragged_test_support::{random, typing};
fn main() {
    let mut args = std::env::args().skip(1);
    let n: u64 = args.next().map_or(500, |it| it.parse().unwrap());
    let seed: u64 = args.next().map_or(1, |it| it.parse().unwrap());
    let mut bad = 0;
    for number in (0..n).filter(|n| n % 5 == 1) {
        let text = random::program(seed, number).tree.to_string();
        if let Err(why) = typing::compiles(&text) {
            bad += 1;
            if bad < 8 {
                println!("{number}\n{text}\n{why}");
            }
        }
    }
    println!("{bad} bad");
}
