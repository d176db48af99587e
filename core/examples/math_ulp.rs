//! Prints the largest error of each elementary function in ulp, and where it is.
//!
//! `cargo run --release -p ragged-core --example math_ulp -- [full | POINTS] [NAME …]`
//! `full`: all 2^32 values for the `f32` functions of one argument (minutes each) and 10^8 points
//! for the others; else POINTS (10^6) sampled points. Names: `f32::exp`, `f64::pow`, …

#[path = "../tests/math/derived.rs"]
mod derived;
#[path = "../tests/math/measure.rs"]
mod measure;
#[path = "../tests/math/reference.rs"]
mod reference;

use measure::{FUSED, ONES, TWOS, Worst};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let first = arguments.first().map_or("1000000", String::as_str);
    let full = first == "full";
    let points = if full {
        100_000_000
    } else {
        first.parse().expect("`full` or a number")
    };
    let step = if full {
        1
    } else {
        ((1u64 << 32) / points).max(1) as usize
    };
    let wanted = |name: &str| arguments.len() < 2 || arguments[1..].iter().any(|a| a == name);
    let show = |name: &str, bound: f64, work: &dyn Fn() -> Worst| {
        if wanted(name) {
            let Worst { ulp, at } = work();
            println!(
                "{name:10} {ulp:.4} ulp (bound {bound}) at {:e}, {:e}",
                at.0, at.1
            );
        }
    };
    for function in ONES.iter().chain(&FUSED) {
        show(
            &format!("f32::{}", function.name),
            function.bounds.0,
            &|| measure::single(function, 0, step),
        );
    }
    for function in &TWOS {
        show(
            &format!("f32::{}", function.name),
            function.bounds.0,
            &|| measure::single_two(function, points, 1),
        );
    }
    for function in ONES.iter().chain(&FUSED) {
        show(
            &format!("f64::{}", function.name),
            function.bounds.1,
            &|| measure::double(function, points, 1),
        );
    }
    for function in &TWOS {
        show(
            &format!("f64::{}", function.name),
            function.bounds.1,
            &|| measure::double_two(function, points, 1),
        );
    }
}
