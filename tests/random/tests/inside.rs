//! Random programs have each operator inside of bodies over rows of any lengths, where it is flattened
//! otherwise than over whole arrays and over rows of one length. (That they have it at all,
//! `tests/support/tests/random.rs` says.)

use ragged_compiler::prims::records;
use ragged_test_support::random;
use ragged_test_support::random::inside::{control_in_ragged_bodies, in_ragged_bodies};
use std::collections::BTreeMap;

/// Programs of seed 1 that CI compiles: those of other seeds differ from commit to commit.
const PROGRAMS: u64 = 334;

#[test]
fn random_programs_have_every_operator_in_ragged_bodies() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..PROGRAMS {
        let text = random::program(1, number).tree.to_string();
        for name in in_ragged_bodies(&text) {
            *found.entry(name).or_default() += 1;
        }
    }
    let mut missing = Vec::new();
    for info in records() {
        let count = found.get(info.name).copied().unwrap_or_default();
        println!("{:20} {count:4}", info.name);
        if count == 0 {
            missing.push(info.name);
        }
    }
    assert!(
        missing.is_empty(),
        "of {PROGRAMS} random programs, none has these in a ragged body: {}; \
         make them in `tests/support/src/random/in_turn.rs`",
        missing.join(", ")
    );
}

/// Each where it gives scalars, or changes these alone, and where it gives or changes arrays.
#[test]
fn random_programs_have_conditionals_and_loops_in_ragged_bodies() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..PROGRAMS {
        let text = random::program(1, number).tree.to_string();
        for form in control_in_ragged_bodies(&text) {
            *found.entry(form).or_default() += 1;
        }
    }
    for form in ["if", "match", "while", "loop", "for"] {
        for form in [form.to_owned(), format!("{form}, arrays")] {
            let count = found.get(&form).copied().unwrap_or_default();
            println!("{form:16} {count:4}");
            assert!(
                count > 0,
                "of {PROGRAMS} random programs, none has `{form}` in a ragged body"
            );
        }
    }
}

/// What counts, on programs by hand.
#[test]
fn ragged_bodies_are_told_from_others() {
    let of_rows = "{ for row in a { row.rev().sum() } }";
    let of_blocks = "{ for rows in a { for row in rows { row.dedup().min_or(0) } } }";
    let cases: &[(&str, &str, &[&str])] = &[
        ("a: [[i32; m]; n]", of_rows, &[]),
        ("a: [[i32]]", of_rows, &["rev", "sum"]),
        ("a: [i32]", "{ a.rev().map(|x| x + a.sum()) }", &[]),
        (
            "n: usize",
            "{ for i in 0..n { generate(i, |j| j as i32).max_or(0) } }",
            &["generate", "max_or"],
        ),
        // Outside of the body.
        ("a: [[i32]]", "{ a.rev().map(|row| row.sum()) }", &["sum"]),
        // `min` of two numbers is no operator; what `position` stands for is none that is written.
        (
            "a: [[i32]]",
            "{ for row in a { row.position_or(0, |x| x > 1) as i32 }.map(|x| x.min(1)) }",
            &["position_or"],
        ),
        // What a body keeps is as long as values say.
        (
            "a: [[i32; m]; n]",
            "{ for row in a { row.filter(|x| x > 0).sum() } }",
            &["filter", "sum"],
        ),
    ];
    for (params, body, names) in cases {
        let text = format!("pub fn example({params}) -> [i32] {body}");
        let found: Vec<&str> = in_ragged_bodies(&text).into_iter().collect();
        assert_eq!(found, *names, "{text}");
    }
    let text = format!("pub fn example(a: [[[i32]]]) -> [[i32]] {of_blocks}");
    let found: Vec<&str> = in_ragged_bodies(&text).into_iter().collect();
    assert_eq!(found, ["dedup", "min_or"], "{text}");
}

#[test]
fn control_in_ragged_bodies_is_told_from_other_control() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "a: [[i32; m]; n]",
            "for r in a { if r.len() > 2 { r } else { r.rev() } }",
            &[],
        ),
        (
            "a: [[i32]]",
            "if a.len() > 2 { for r in a { r.rev() } } else { a }",
            &[],
        ),
        (
            "a: [[i32]]",
            "for r in a { if r.len() > 2 { r } else { r.rev() } }",
            &["if", "if, arrays"],
        ),
        (
            "a: [[i32]]",
            "for r in a { for x in r { match x { 0 => 1, _ => x } } }",
            &["match"],
        ),
        (
            "a: [[i32]]",
            "for r in a { let mut s = r; let mut k = 0; while k < 2 { s = s.rev(); k += 1; } s }",
            &["while", "while, arrays"],
        ),
        (
            "a: [[i32]]",
            "for r in a { let mut s = 0; for x in r { s = s ^ x; } for x in r { x ^ s } }",
            &["for"],
        ),
    ];
    for (params, body, forms) in cases {
        let text = format!("pub fn example({params}) -> [[i32]] {{ {body} }}");
        let found: Vec<String> = control_in_ragged_bodies(&text).into_iter().collect();
        assert_eq!(found, *forms, "{text}");
    }
}
