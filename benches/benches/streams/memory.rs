//! The most memory that a process has had in residence, above that of one that does nothing.

use crate::softmax::{ALL, LIMIT, stream_generated};
use ragged_bench::programs::streams;
use std::hint::black_box;
use std::process::Command;

const NUMBERS: usize = 1_000_000_000;

/// Programs, and how many MB each may need. What is handed in takes some, too.
const PROGRAMS: [(&str, &str, usize); 3] = [
    ("iota", "iota-square-sum of 10⁹ numbers", 64),
    ("sum", "sum of 10⁹ f64 that an iterator makes, 8 GB", 64),
    (
        "softmax",
        "softmax of rows of 65 to 500 f32 that an iterator makes, 4 GB, limit 256 MB",
        LIMIT / 1_000_000 * 11 / 10,
    ),
];

/// Runs a program in this process, and prints its peak in kB.
pub fn child(program: &str) {
    match program {
        "nothing" => {}
        "iota" => {
            black_box(streams::iota_square_sum(NUMBERS).expect("nothing fails"));
        }
        "sum" => {
            let numbers = (0..NUMBERS).map(|i| i as f64);
            black_box(streams::sum(numbers).expect("nothing fails"));
        }
        "softmax" => stream_generated(ALL),
        other => panic!("no program `{other}`"),
    }
    println!("{}", peak());
}

/// `VmHWM` of this process, in kB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|it| it.parse().ok())
        .expect("a number of kB")
}

/// The peak of a child.
fn peak_of(program: &str) -> f64 {
    let own = std::env::current_exe().expect("this program's path");
    let output = Command::new(own)
        .args(["--child", program])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{program}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("a number");
    text.trim().parse::<f64>().expect("a number") * 1024.0 / 1e6
}

pub fn table() {
    let empty = peak_of("nothing");
    println!(
        "\nPeak of resident memory (VmHWM), MB above the {empty:.1} of a program that does nothing\n"
    );
    for (program, what, most) in PROGRAMS {
        let above = peak_of(program) - empty;
        let verdict = if above <= most as f64 {
            "holds"
        } else {
            "fails"
        };
        println!("| {what} | {above:.1} | at most {most} | {verdict} |");
    }
}
