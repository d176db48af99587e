use ragged_compiler::syntax::parse;
use std::time::{Duration, Instant};

/// The whole compiler has 5 ms for a block of this size in an unoptimised build.
#[test]
fn a_large_block_is_read_quickly() {
    let function = "
        pub fn f(xs: [[f32; m]; n], ys: [f32; m]) -> [f32; n] {
            let scaled = for x in xs { for (a, b) in zip(x, ys) { (a * b + 1.0) / 2.0 - sqrt(a) } };
            let mut total = 0.0;
            for i in 0..n {
                if scaled[i].sum() > total && i % 2 == 0 { total = scaled[i][0] } else { total += 1.0 }
            }
            scaled.map(|x| x.map(|y| y / total).scan(|a, b| a + b).sum())
        }";
    let numbered = (0..4).map(|at| function.replace("fn f", &format!("fn f{at}")));
    let text: String = numbered.collect();
    let tokens: proc_macro2::TokenStream = text.parse().expect("tokens");
    let best = (0..20)
        .map(|_| {
            let tokens = tokens.clone();
            let start = Instant::now();
            assert!(parse(tokens).errors.is_empty());
            start.elapsed()
        })
        .min();
    println!("{best:?}");
    assert!(best < Some(Duration::from_millis(20)), "{best:?}");
}

/// Time does not grow with the square of the depth.
#[test]
fn depth_costs_no_more_than_length() {
    let deep = |depth: usize| {
        let body = "(x + ".repeat(depth) + "x" + &")".repeat(depth);
        let tokens: proc_macro2::TokenStream = format!("fn f(x: f32) -> f32 {{ {body} }}")
            .parse()
            .expect("tokens");
        let times = (0..5).map(|_| {
            let tokens = tokens.clone();
            let start = Instant::now();
            assert!(parse(tokens).errors.is_empty());
            start.elapsed()
        });
        times.min().expect("five times")
    };
    let (short, long) = (deep(10), deep(80));
    println!("{short:?} {long:?}");
    assert!(long < short * 40, "{short:?} {long:?}");
}
