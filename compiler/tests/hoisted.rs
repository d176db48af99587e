//! Scalars that are the same for every index: which stand in front of a kernel.

mod compiled;

use compiled::functions;
use ragged_compiler::fused;

/// What stands in front of the kernel of a function, a statement a line.
fn ahead(block: &str) -> String {
    let text = fused::print::print(&functions(block)[0]);
    let (ahead, _) = text.split_once("kernel").expect("there is one");
    ahead.to_owned()
}

#[test]
fn a_quotient_is_computed_once() {
    let ahead = ahead(
        "pub fn f(rows: [[f64]; n], a: f64) -> [f64; n] { for r in rows { r.sum() + a / n as f64 } }",
    );
    assert!(ahead.contains("= Div"), "{ahead}");
}

#[test]
fn so_is_one_that_stands_two_bodies_deep() {
    let ahead = ahead(
        "pub fn f(rows: [[f32]; n], a: f32) -> [[f32]; n] {
             for r in rows { for x in r { let w = sqrt(a); x * w.exp() } }
         }",
    );
    assert!(ahead.contains("= Sqrt"), "{ahead}");
    assert!(ahead.contains("= Maths(Exp)"), "{ahead}");
}

#[test]
fn what_is_cheap_or_of_literals_is_left_to_rustc() {
    let ahead = ahead(
        "pub fn f(xs: [f64; n], a: f64) -> [f64; n] { for x in xs { x * (a + 1.0) * (2.0 / 3.0) } }",
    );
    assert!(!ahead.contains("= Add"), "{ahead}");
    assert!(!ahead.contains("= Div"), "{ahead}");
}

#[test]
fn what_only_some_elements_need_stays() {
    let ahead = ahead(
        "pub fn f(xs: [f64; n], a: f64) -> [f64; n] {
             for x in xs { if x > 0.0 { x / sqrt(a).exp() } else { x } }
         }",
    );
    assert!(!ahead.contains("= Maths(Exp)"), "{ahead}");
}
