//! `dbg!` costs nothing in release builds: what they have is the program without it. Debug builds have
//! another body, and only of functions that print.

use ragged_compiler::{expand, flat, fused, shaped, syntax, typed};

const PRINTS: &[&str] = &[
    "pub fn f(xs: [f32; n]) -> [f32; n] { for x in xs { 2.0 * dbg!(x + 1.0) } }",
    "pub fn f(xs: [f32]) -> f32 { dbg!(xs.map(|x| dbg!(x * x)).sum()) }",
    "pub fn f(xs: [i32], n: usize) -> [i32] { for i in 0..dbg!(n) { xs[dbg!(i)] } }",
    "pub fn f(a: [[f64; m]; n]) -> [f64; n] { for row in dbg!(a) { dbg!(row).sum() } }",
    "pub fn f(n: usize) -> [[usize]] { for i in 0..n { for j in 0..i { dbg!(i - j) } } }",
    "pub fn f(xs: [i32]) -> [i32] { xs.filter(|x| dbg!(x % 2) == 0).scan(|a, b| a + dbg!(b)) }",
    "pub fn f(xs: [i32]) -> i32 { let mut k = 0; while dbg!(k) < 9 { k += xs[k as usize]; } k }",
];

/// The kernels of a block.
fn kernels(text: &str) -> String {
    let program = syntax::parse(text.parse().expect("tokens")).program;
    let flat = typed::infer_released(&program)
        .and_then(shaped::infer)
        .and_then(flat::flatten);
    let flat = flat.unwrap_or_else(|_| panic!("refused: {text}"));
    let functions = fused::fuse(flat).functions;
    functions.iter().map(fused::print::print).collect()
}

#[test]
fn release_builds_have_the_same_kernels_without() {
    for text in PRINTS {
        // Of the same width, so that places are the same.
        let without = text.replace("dbg!", "    ");
        assert_eq!(kernels(text), kernels(&without), "{text}");
    }
}

fn builds(text: &str) -> usize {
    let emitted = expand(text.parse().expect("tokens")).to_string();
    assert!(!emitted.contains("compile_error"), "{text}");
    emitted.matches("debug_assertions").count()
}

#[test]
fn functions_that_print_have_a_body_for_each_build() {
    for text in PRINTS {
        assert_eq!(builds(text), 2, "{text}");
        assert_eq!(builds(&text.replace("dbg!", "")), 0, "{text}");
    }
    let called = "fn h(x: f32) -> f32 { dbg!(x) } pub fn f(x: f32) -> f32 { h(x) }
        pub fn g(x: f32) -> f32 { -x }";
    assert_eq!(builds(called), 2);
}
