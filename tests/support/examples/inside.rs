use ragged_compiler::prims::records;
use ragged_test_support::random;
use std::collections::BTreeMap;
fn main() {
    let mut args = std::env::args().skip(1);
    let n: u64 = args.next().map_or(500, |it| it.parse().unwrap());
    let seed: u64 = args.next().map_or(1, |it| it.parse().unwrap());
    let wanted = args.next().unwrap_or_default();
    let mut found: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let start = std::time::Instant::now();
    for number in 0..n {
        let text = random::program(seed, number).tree.to_string();
        let set = random::inside::in_ragged_bodies(&text);
        if set.contains(wanted.as_str()) {
            println!("{number}\n{text}");
        }
        for name in set {
            found.entry(name).or_default().push(number);
        }
    }
    for info in records() {
        let all = found.get(info.name).cloned().unwrap_or_default();
        println!(
            "{:18} {:4} {:?}",
            info.name,
            all.len(),
            all.iter().take(5).collect::<Vec<_>>()
        );
    }
    println!("{:?}", start.elapsed());
}
