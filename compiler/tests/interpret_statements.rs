//! Statements, calls and size names.

mod interpret_support;

use interpret_support::text::{call, call_within};
use ragged_compiler::interpret::{TroubleKind, Value};

fn gives<T: Into<Value>>(text: &str, args: Vec<Value>, expected: T) {
    assert_eq!(call(text, args), Ok(expected.into()), "{text}");
}

#[test]
fn loops_and_assignment() {
    let gcd = "pub fn example(a: u64, b: u64) -> u64 {
        let mut a = a; let mut b = b;
        while b != 0 { let t = a % b; a = b; b = t; }
        a
    }";
    gives(gcd, vec![48_u64.into(), 18_u64.into()], 6_u64);
    let sieve = "pub fn example(n: usize) -> [bool] {
        let mut prime = fill(true, n);
        for i in 2..n {
            for j in 2..n { if i * j < n { prime[i * j] = false; } }
        }
        prime
    }";
    let primes = [
        true, true, true, true, false, true, false, true, false, false,
    ];
    gives(sieve, vec![10_usize.into()], primes);
    let looped = "pub fn example(n: usize) -> usize {
        let mut i = 0;
        loop { i += 1; if i % 2 == 0 { continue; } if i > n { break i * 10; } }
    }";
    gives(looped, vec![6_usize.into()], 70_usize);
    let labelled = "pub fn example(n: usize) -> usize {
        let mut hits = 0;
        'outer: for i in 0..n {
            for j in 0..n { if j > i { continue 'outer; } if i == 3 { break 'outer; } hits += 1; }
        }
        hits
    }";
    gives(labelled, vec![9_usize.into()], 6_usize);
}

#[test]
fn assignment_to_parts() {
    let text = "pub fn example(k: usize) -> ([i32], i32) {
        let mut p = (fill(0, 3), 1);
        p.0[k] = 5;
        p.1 += 1;
        p
    }";
    gives(text, vec![1_usize.into()], ([0, 5, 0], 2));
    let (index, len) = (3, 3);
    let out = TroubleKind::IndexOutOfRange { index, len };
    assert_eq!(call(text, vec![3_usize.into()]), Err(out));
}

#[test]
fn matches_and_patterns() {
    let text = "pub fn example(x: i32, y: i32) -> i32 {
        match (x, y) {
            (0, _) | (_, 0) => 0,
            (1..=9, b) if b > 5 => b,
            (-100..=-1, b) => -b,
            p => p.0 * p.1,
        }
    }";
    for (x, y, expected) in [(0, 7, 0), (7, 0, 0), (5, 6, 6), (5, 5, 25), (-3, 4, -4)] {
        gives(text, vec![x.into(), y.into()], expected);
    }
}

#[test]
fn lazy_operators_guard() {
    let text = "pub fn example(xs: [i32], i: usize) -> bool { i < xs.len() && xs[i] > 0 }";
    gives(text, vec![[1].into(), 5_usize.into()], false);
    let text = "pub fn example(xs: [i32], i: usize) -> bool { i >= xs.len() || xs[i] > 0 }";
    gives(text, vec![[1].into(), 5_usize.into()], true);
}

#[test]
fn functions_as_arguments_see_their_own_locals() {
    let text = "
        fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 { let k = 100; f(f(x)) + k }
        fn hand_on(f: impl Fn(i32) -> i32, x: i32) -> i32 { let k = 7; twice(|y| f(y) + k, x) }
        pub fn example(k: i32) -> i32 { hand_on(|x| x * k, 3) }
    ";
    gives(text, vec![2.into()], (3 * 2 + 7) * 2 + 7 + 100);
}

#[test]
fn structs() {
    let text = "
        struct P { x: f32, n: usize }
        pub fn example(ps: [P]) -> P {
            ps.reduce(P { x: 0.0, n: 0 }, |a, b| P { n: a.n + b.n, x: a.x + b.x })
        }
    ";
    let points = [(1.5_f32, 2_usize), (2.5, 3)];
    gives(text, vec![points.into()], (4_f32, 5_usize));
}

#[test]
fn size_names_are_bound_and_checked() {
    let text = "pub fn example(xs: [i32; n], ys: [i32; n]) -> usize { n }";
    gives(text, vec![[1, 2].into(), [3, 4].into()], 2_usize);
    let (left, right) = (2, 3);
    let mismatch = TroubleKind::SizeMismatch { left, right };
    let unequal = call(text, vec![[1, 2].into(), [3, 4, 5].into()]);
    assert_eq!(unequal, Err(mismatch.clone()));
    let known = "pub fn example(xs: [i32; 2]) -> i32 { xs[1] }";
    assert_eq!(call(known, vec![[1, 2, 3].into()]), Err(mismatch.clone()));
    let param = "pub fn example(xs: [i32; k], k: usize) -> usize { k }";
    let unequal = call(param, vec![[1, 2, 3].into(), 2_usize.into()]);
    assert_eq!(unequal, Err(mismatch));
    let result = "pub fn example(xs: [i32; n]) -> [i32; n] { xs.skip(1) }";
    let (left, right) = (2, 1);
    let mismatch = TroubleKind::SizeMismatch { left, right };
    assert_eq!(call(result, vec![[1, 2].into()]), Err(mismatch));
}

#[test]
fn checked_sizes() {
    let text = "pub fn example(xs: [i32]) -> usize { xs.len() - 1 }";
    let (left, right) = (0, 1);
    let underflow = TroubleKind::SizeUnderflow { left, right };
    assert_eq!(call(text, vec![Value::Array(vec![])]), Err(underflow));
    // A recognised operator wraps, as the other integers do; a written `+` is checked.
    let text = "pub fn example(xs: [usize]) -> usize { xs.reduce(0, |a, b| a + b) }";
    gives(text, vec![[usize::MAX, 2].into()], 1usize);
    let text = "pub fn example(xs: [usize]) -> usize { xs[0] + xs[1] }";
    let overflow = call(text, vec![[usize::MAX, 2].into()]);
    assert!(matches!(overflow, Err(TroubleKind::SizeOverflow { .. })));
}

#[test]
fn assertions() {
    let text = "pub fn example(x: i32) -> i32 { assert!(x > 0, \"positive\"); x }";
    gives(text, vec![1.into()], 1);
    let message = "positive".to_owned();
    let failed = Err(TroubleKind::Assertion { message });
    assert_eq!(call(text, vec![0.into()]), failed);
}

#[test]
fn endless_loops_run_out_of_fuel() {
    let text = "pub fn example() -> i32 { let mut x = 0; while true { x += 1; } x }";
    assert_eq!(
        call_within(text, vec![], 10_000),
        Err(TroubleKind::OutOfFuel)
    );
    let text = "pub fn example() -> [i32] { fill(0, 100000) }";
    assert_eq!(
        call_within(text, vec![], 10_000),
        Err(TroubleKind::OutOfFuel)
    );
}

#[test]
fn growth_runs_out_of_fuel() {
    let text = "pub fn example() -> usize {
        let mut a = fill(0, 1); for i in 0..60 { a = a.chain(a); } a.len()
    }";
    assert_eq!(
        call_within(text, vec![], 1_000_000),
        Err(TroubleKind::OutOfFuel)
    );
}

#[test]
fn errors_say_where() {
    use interpret_support::{StdMaths, text::program};
    let text = "pub fn example(a: i32) -> i32 {\n    let b = 1;\n    b / a\n}";
    let program = program(text);
    let func = ragged_compiler::interpret::find(&program, "example").expect("the function");
    let trouble = ragged_compiler::interpret::run(&program, func, vec![0.into()], &StdMaths);
    let at = trouble.expect_err("a division by zero").at;
    assert_eq!((at.line, at.column), (3, 5));
}
