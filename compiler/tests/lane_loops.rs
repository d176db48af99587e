//! What goes from one lane loop of a long body to the next: how it is kept.

use ragged_compiler::expand;

/// The expansion of a block, without spaces.
fn text(block: &str) -> String {
    let text = expand(block.parse().expect("tokens")).to_string();
    assert!(!text.contains("compile_error"), "{text}");
    text.replace(' ', "")
}

/// More operations than one lane loop has.
const LONG: &str = "pub fn f(xs: [f64; n]) -> [f64; n] {
    for x in xs { let a = exp(x); let b = ln(a * 2.0); let c = exp(b - 1.0); x + a * b + c }
}";

#[test]
fn elements_of_arrays_are_read_again() {
    let text = text(LONG);
    let loops = text.matches("forlin0..L").count();
    assert!(loops > 1, "{text}");
    assert_eq!(text.matches("b0[l]").count(), 2, "{text}");
}

#[test]
fn values_fill_arrays_that_nobody_cleared() {
    let text = text(LONG);
    assert!(text.contains(".push("), "{text}");
    assert!(!text.contains("=[0f64;L]"), "{text}");
}

#[test]
fn what_a_loop_changes_is_cleared_first() {
    let text = text(
        "pub fn f(xs: [f32; n]) -> [f32; n] {
             for x in xs { let mut y = x; while y < 1.0e3 { y = y * y + 1.0; } y }
         }",
    );
    assert!(text.contains("=[0f32;L]"), "{text}");
}

#[test]
fn what_functions_of_whole_blocks_take_may_stay_in_registers() {
    let text = text(
        "pub fn f(xs: [f64; n]) -> [f64; n] {
             for x in xs { let a = exp(x); sin(a) + ln(a + 1.0) * exp(a * 0.5) }
         }",
    );
    assert!(text.contains("sin_lanes("), "{text}");
    assert!(!text.contains(".push("), "{text}");
}
