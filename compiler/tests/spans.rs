//! Which blocks of lanes are loaded, and which made of their neighbours: see `emit/rust/spans.rs`.

use ragged_compiler::emit::rust::spans::{FAR, Group, Span, Way, blocks, groups, ways};
use ragged_compiler::fused::linear::{Defs, normal};
use ragged_compiler::ids::Var;
use ragged_compiler::shaped::ir::Atom;

fn spans(positions: &[(&str, i64)]) -> Vec<Span> {
    let span = |(field, by): &(&str, i64)| Span {
        field: (*field).to_owned(),
        elem: "f32".to_owned(),
        start: by.to_string(),
        position: normal(Atom::Var(Var(0)), &Defs::default()).moved(*by),
    };
    positions.iter().map(span).collect()
}

#[test]
fn neighbours_of_one_that_is_loaded_are_made_of_it() {
    use Way::{After, Before, Loaded};
    let of = |positions: &[(&str, i64)]| ways(&spans(positions));
    assert_eq!(of(&[("x", 0), ("x", 2)]), [Loaded, Loaded]);
    assert_eq!(of(&[("x", 0), ("y", 1)]), [Loaded, Loaded]);
    assert_eq!(of(&[("x", 1), ("x", 0)]), [Loaded, Before(0)]);
    assert_eq!(
        of(&[("x", -1), ("x", 0), ("x", 1)]),
        [Before(1), Loaded, After(1)]
    );
    assert_eq!(
        of(&[("x", -2), ("x", -1), ("x", 0), ("x", 1), ("x", 2)]),
        [Before(1), Loaded, After(1), Loaded, After(3)]
    );
}

#[test]
fn spans_of_one_array_are_held_together() {
    let group = |of, before, more| Group { of, before, more };
    let near = spans(&[("x", -1), ("x", 0), ("y", 1), ("x", 1)]);
    let (all, places) = groups(&near);
    assert_eq!(all, [group(1, 1, 2), group(2, 0, 0)]);
    assert_eq!(places, [(0, 0), (0, 1), (1, 0), (0, 2)]);
    assert_eq!(
        all[0].ends(&near),
        ["0.wrapping_sub(1)", "0.wrapping_add(1)"]
    );
    let far = spans(&[("x", 0), ("x", FAR + 1)]);
    assert_eq!(groups(&far).0, [group(0, 0, 0), group(1, 0, 0)]);
    // Another row, which is held as widely.
    let mut rows = spans(&[("x", 2), ("x", -1), ("x", 1), ("x", 0)]);
    rows[3].position = normal(Atom::Var(Var(1)), &Defs::default());
    let (all, places) = groups(&rows);
    assert_eq!(all, [group(0, 3, 3), group(3, 1, 3)]);
    assert_eq!(places, [(0, 3), (0, 0), (0, 2), (1, 1)]);
}

#[test]
fn a_block_is_declared_after_the_one_that_it_is_made_of() {
    let text = blocks(&spans(&[("x", 0), ("x", 1)]), "block");
    let of = |what: &str| text.find(what).expect("it is declared");
    assert!(of("let b_0 = ") < of("let b_1 = __r::after::<f32, { L }, F>(b_0, n_1, flag)"));
}
