//! How long typing takes: it runs unoptimised inside rustc.

use ragged_compiler::{syntax, typed};
use std::time::{Duration, Instant};

const BLOCK: &str = "
    pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
        zip(xs, ys).map(|(x, y)| x * y).sum()
    }
    struct Particle { x: f32, y: f32, mass: f32 }
    fn square(x: f32) -> f32 { x * x }
    pub fn energy(ps: [Particle; n], vs: [(f32, f32); n]) -> f32 {
        for (p, (vx, vy)) in zip(ps, vs) { 0.5 * p.mass * (square(vx) + square(vy)) }.sum()
    }
    pub fn centre(ps: [Particle]) -> (f32, f32) {
        let mass = ps.map(|p| p.mass).sum();
        let x = ps.map(|p| p.mass * p.x).sum() / mass;
        let y = ps.map(|p| p.mass * p.y).sum() / mass;
        (x, y)
    }
    pub fn collatz(n: usize) -> [u32] {
        for i in 0..n {
            let mut x = i as u64 + 1;
            let mut steps = 0;
            while x != 1 {
                x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                steps += 1;
            }
            steps
        }
    }
    pub fn histogram(xs: [f32], k: usize) -> [u32] {
        let mut counts = [0; k];
        for x in xs {
            let bin = ((x * k as f32) as usize).min(k - 1);
            counts[bin] += 1;
        }
        counts
    }
    pub fn normal(xs: [f32]) -> [f32] { let m = xs.mean(); xs.map(|x| (x - m) / xs.len() as f32) }
";

#[test]
fn a_typical_block_takes_under_two_milliseconds() {
    let parsed = syntax::parse(BLOCK.parse().expect("tokens"));
    let run = || {
        let start = Instant::now();
        let program = typed::infer(&parsed.program).expect("a valid block");
        let inferred = start.elapsed();
        typed::verify::verify(&program).expect("consistent");
        (inferred, start.elapsed() - inferred)
    };
    let runs: Vec<(Duration, Duration)> = (0..20).map(|_| run()).collect();
    let infer = runs.iter().map(|run| run.0).min().expect("twenty runs");
    let verify = runs.iter().map(|run| run.1).min().expect("twenty runs");
    println!("infer {infer:?}, verify {verify:?}");
    assert!(
        infer + verify < Duration::from_millis(2),
        "{infer:?} + {verify:?}"
    );
}
