//! Arrays that are merged from where they lie.

mod emitted;

use emitted::text;

fn is_merged(block: &str) -> bool {
    let text = text(block);
    text.contains("JOINS") && text.contains("::joined(")
}

#[test]
fn arrays_in_memory_are() {
    assert!(is_merged(
        "pub fn f(xs: [i32], ys: [i32]) -> [i32] { xs.merge(ys) }"
    ));
    assert!(is_merged(
        "pub fn f(xs: [f64; n], ys: [f64; n]) -> [f64] { xs.merge(ys) }"
    ));
    assert!(is_merged(
        "pub fn f(xs: [u8], ys: [u8]) -> [u8] { let s = xs.sort(); s.merge(ys.sort()) }"
    ));
}

#[test]
fn what_is_computed_is_not() {
    assert!(!is_merged(
        "pub fn f(xs: [i32], ys: [i32]) -> [i32] { xs.map(|x| x / 2).merge(ys) }"
    ));
    assert!(!is_merged(
        "pub fn f(xs: [i32], ys: [i32]) -> [usize] { xs.chain(ys).argsort() }"
    ));
    assert!(!is_merged(
        "pub fn f(xss: [[i32]], ys: [i32]) -> [[i32]] { for xs in xss { xs.merge(ys) } }"
    ));
}
