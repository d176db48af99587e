//! What is asked for from far behind: arrays that a kernel goes through once.

mod emitted;

use emitted::text;

/// How often a block of an array is loaded in this way.
fn loads_once(block: &str) -> usize {
    text(block).matches("::load_once::<").count()
}

#[test]
fn whole_arrays_are_read_once() {
    let sums = "pub fn f(xs: [f32; n]) -> (f32, f32) { (xs.sum(), xs.map(abs).max_or(0.0)) }";
    assert!(loads_once(sums) > 0);
    let lines = "pub fn f(xs: [f64; n], ys: [f64; n]) -> [f64; n] { zip(xs, ys).map(|(x, y)| 2.0 * x + y) }";
    assert!(loads_once(lines) > 1);
}

#[test]
fn so_are_whole_rows_of_one_length() {
    assert!(
        loads_once("pub fn f(a: [[f32; m]; n]) -> [f32; n] { for row in a { row.sum() } }") > 0
    );
}

#[test]
fn so_are_whole_rows_of_lengths_of_their_own() {
    let rows = "pub fn f(rows: [[f32]; n]) -> [f32; n] { for row in rows { row.sum() } }";
    assert!(loads_once(rows) > 0);
    let products = "pub fn f(rows: [[(u32, f32)]], x: [f32; n]) -> [f32] \
                    { for row in rows { row.map(|(j, v)| v * x[j as usize]).sum() } }";
    assert!(loads_once(products) > 0);
}

#[test]
fn rows_that_are_read_again_are_not() {
    let shares = "pub fn f(rows: [[f32]]) -> [[f32]] \
                  { for row in rows { let all = row.sum(); row.map(|x| x / all) } }";
    assert_eq!(loads_once(shares), 0);
}

#[test]
fn what_is_read_at_two_places_is_not() {
    let differences = "pub fn f(xs: [f32; n]) -> f32 { xs.pairwise(|a, b| abs(b - a)).sum() }";
    assert_eq!(loads_once(differences), 0);
}

#[test]
fn nor_is_what_a_scan_reads() {
    assert_eq!(
        loads_once("pub fn f(xs: [f32; n]) -> [f32; n] { xs.scan(|a, b| a + b) }"),
        0
    );
}

#[test]
fn nor_is_what_a_filter_counts_first() {
    assert_eq!(
        loads_once("pub fn f(xs: [f32; n]) -> [f32] { xs.filter(|x| x > 0.5) }"),
        0
    );
}

#[test]
fn nor_are_parts_of_rows_or_windows_that_overlap() {
    let heads = "pub fn f(a: [[f32; m]; n]) -> [f32; n] { for row in a { row[..m / 2].sum() } }";
    assert_eq!(loads_once(heads), 0);
    let windows = "pub fn f(xs: [f32; n]) -> [f32] { xs.windows(64).map(|w| w.sum()) }";
    assert_eq!(loads_once(windows), 0);
    let tails = "pub fn f(rows: [[f32]; n]) -> [f32; n] { for row in rows { row[1..].sum() } }";
    assert_eq!(loads_once(tails), 0);
}
