//! What goes from one lane loop of a long body to the next: how it is kept.

mod emitted;

use emitted::text;

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

/// Rounds of a hash, with so many values in each that live on, and different constants if asked for.
fn hash(rounds: usize, values: usize, constants: bool) -> String {
    let mut body: String = (0..values)
        .map(|i| format!("let h{i} = x.rotate_left({i});"))
        .collect();
    for i in 0..rounds {
        let (old, last, new) = (i, i + values - 1, i + values);
        let k = if constants { 77 + i } else { 77 };
        body += &format!("let h{new} = (h{old} ^ (h{last} & {k})) + h{last};");
    }
    let (last, first) = (rounds + values - 1, rounds);
    format!("pub fn f(xs: [u32; n]) -> [u32; n] {{ for x in xs {{ {body} h{first} ^ h{last} }} }}")
}

const ABREAST: &str = "forlin0..L/4";

#[test]
fn long_bodies_of_few_values_are_abreast() {
    let text = text(&hash(60, 4, false));
    // For four groups, and for two at a time where these do not fit into registers.
    assert_eq!(text.matches(ABREAST).count(), 2, "{text}");
    // Each step for four groups, and for blocks that are too small for them.
    for group in ["h", "h_0", "h_1", "h_2", "h_3"] {
        let sums = group.replace('h', "");
        let adds =
            |line: &&str| line.contains(".wrapping_add(") && line.contains(&format!("{sums}="));
        let lines = text.split(';').filter(adds).count();
        assert!(lines >= 60, "{lines} in {group}: {text}");
    }
    // Values come and go as arrays: none is read again from where it lies.
    assert_eq!(text.matches("b0[l]").count(), 1, "{text}");
    assert_eq!(text.matches("__r::Apart::<u32,{L}>").count(), 1, "{text}");
}

#[test]
fn other_bodies_are_cut() {
    for block in [hash(20, 4, false), hash(60, 20, false), hash(60, 4, true)] {
        let text = text(&block);
        assert!(!text.contains(ABREAST), "{text}");
    }
}

#[test]
fn sizes_and_reads_are_behind_what_is_abreast() {
    let body = hash(60, 4, false);
    let body = body.replace("h60 ^ h63", "ys[(h60 ^ h63) as usize % 7]");
    let text = text(&body.replace("(xs: [u32; n])", "(xs: [u32; n], ys: [u32; 7])"));
    let (before, behind) = text.split_once(".moved()").expect("one loop abreast");
    assert!(
        before.contains(ABREAST) && behind.contains("forlin0..L{"),
        "{text}"
    );
    assert!(
        !before.contains("asusize") && behind.contains("asusize"),
        "{text}"
    );
}
