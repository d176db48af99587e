//! Patterns and exhaustiveness.

use crate::check;
use expect_test::expect;

#[test]
fn what_is_missing() {
    check(
        r#"pub fn a(x: bool) -> i32 { match x { true => 1 } }
           pub fn b(x: u8) -> i32 { match x { 0..=9 => 1, 11.. => 2 } }
           pub fn c(x: i32) -> i32 { match x { 0 => 1, 1 | 2 => 3 } }
           pub fn d(x: (bool, bool)) -> i32 { match x { (true, _) => 1, (_, true) => 2 } }
           pub fn e(x: f32) -> i32 { match x { 0.0 => 1, 1.0..=2.0 => 2 } }
           pub fn f(x: i32) -> i32 { match x { y if y > 0 => 1, ..=0 => 2 } }
           pub fn g(x: (u8, (bool, u8))) -> i32 { match x { (0..=100, _) => 1, (_, (true, 7)) => 2, (101.., (false, _)) => 3 } }"#,
        expect![[r#"
            error: this `match` does not cover all values
              at `match x { true => 1 }`
              no arm takes `false`
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { 0..=9 => 1, 11.. => 2 }`
              no arm takes `10`
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { 0 => 1, 1 | 2 => 3 }`
              no arm takes `..=-1`
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { (true, _) => 1, (_, true) => 2 }`
              no arm takes `(false, false)`
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { 0.0 => 1, 1.0..=2.0 => 2 }`
              no arm takes all other values
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { y if y > 0 => 1, ..=0 => 2 }`
              no arm takes `1..`
              help: add an arm for it, or `_ => …` for all the rest
            error: this `match` does not cover all values
              at `match x { (0..=100, _) => 1, (_, (true, 7)) => 2, (101.., (false, _)) => 3 }`
              no arm takes `(101.., (true, ..=6))`
              help: add an arm for it, or `_ => …` for all the rest
        "#]],
    );
}

#[test]
fn covered() {
    check(
        r#"struct P { x: bool, n: u8 }
           pub fn a(x: u8) -> i32 { match x { 0..10 => 1, 10..=99 => 2, 100.. => 3 } }
           pub fn b(p: P) -> i32 { match p { P { x: true, .. } => 1, P { n: 0..=127, .. } => 2, P { n: 128..=255, x: _ } => 3 } }
           pub fn c(x: i64) -> i32 { match x { ..0 => 1, 0 => 2, 1.. => 3 } }
           pub fn d(x: (bool, bool)) -> i32 { match x { (a, false) | (false, a) => a as i32, (true, true) => 1 } }
           pub fn e(x: i32) -> i32 { match x { n @ (1 | 2) => n, _ => 0 } }"#,
        expect![[r#"
            struct P { x: bool, n: u8 }
            pub fn a(x: u8) -> i32 {
                match x {
                    0u8..=9u8 => 1i32,
                    10u8..=99u8 => 2i32,
                    100u8..= => 3i32,
                }
            }
            pub fn b(p: P) -> i32 {
                match p {
                    (true, _) => 1i32,
                    (_, 0u8..=127u8) => 2i32,
                    (_, 128u8..=255u8) => 3i32,
                }
            }
            pub fn c(x: i64) -> i32 {
                match x {
                    ..=-1i64 => 1i32,
                    0i64 => 2i32,
                    1i64..= => 3i32,
                }
            }
            pub fn d(x: (bool, bool)) -> i32 {
                match x {
                    (a, false) | (false, a) => (a as i32),
                    (true, true) => 1i32,
                }
            }
            pub fn e(x: i32) -> i32 {
                match x {
                    n @ 1i32 | 2i32 => n,
                    _ => 0i32,
                }
            }
        "#]],
    );
}

#[test]
fn patterns_that_may_fail() {
    check(
        r#"pub fn a(x: (i32, i32)) -> i32 { let (1, y) = x; y }
           pub fn b(xs: [(i32, i32)]) -> [i32] { xs.map(|(0, y)| y) }
           pub fn c(xs: [i32]) -> [i32] { for 1..=3 in xs { 1 } }
           pub fn d((1, x): (i32, i32)) -> i32 { x }"#,
        expect![[r#"
            error: this pattern does not match all values
              at `(1, y)`
              `let` needs one that does; this one does not take `(..=0, _)`
              help: use `match`
            error: this pattern does not match all values
              at `(0, y)`
              a closure needs one that does; this one does not take `(..=-1, _)`
              help: use `match`
            error: this pattern does not match all values
              at `1..=3`
              a closure needs one that does; this one does not take `..=0`
              help: use `match`
            error: this pattern does not match all values
              at `(1, x)`
              a parameter needs one that does; this one does not take `(..=0, _)`
              help: use `match`
        "#]],
    );
}

#[test]
fn patterns_of_other_types() {
    check(
        r#"struct P { x: f32 }
           pub fn a(x: i32) -> i32 { match x { true => 1, 1.5 => 2, (a, b) => 3, P { x } => 4, _ => 5 } }
           pub fn b(x: (i32, i32)) -> i32 { let (a, b, c) = x; a }
           pub fn c(x: (i32, i32, i32)) -> i32 { let (a, .., b) = x; let (first, ..) = x; let (..) = x; a + b + first }
           pub fn d(p: P) -> f32 { let (x,) = p; x }
           pub fn e(x: i32) -> i32 { let Q { a } = x; a }
           pub fn f(xs: [i32]) -> [f32] { xs.map(|x: f32| x) }
           pub fn g(x: i32) -> i32 { let y: f32 = x; 1 }"#,
        expect![[r#"
            error: this pattern is for `bool`, the value is `i32`
              at `true`
            error: this pattern is for a float, the value is `i32`
              at `1.5`
            error: this pattern takes apart a tuple, the value is `i32`
              at `(a, b)`
              help: write one name
            error: this pattern is for `P`, the value is `i32`
              at `P { x }`
            error: this pattern takes apart a tuple of 3, the value is a tuple of 2
              at `(a, b, c)`
              its type is `(i32, i32)`
              help: write `_` or `..` for fields that are not used
            error: this pattern takes apart a tuple, the value is `P`
              at `(x,)`
              help: write `P { … }`
            error: cannot find struct `Q`
              at `Q`
            error: this pattern is for `f32`, the value is `i32`
              at `f32`
            error: expected `f32`, found `i32`
              at `x`
              this is the type that is written
              help: convert it: `… as f32`
        "#]],
    );
}

#[test]
fn names_in_patterns() {
    check(
        r#"pub fn a(x: (i32, i32)) -> i32 { let (y, y) = x; y }
           pub fn b(x: (i32, bool)) -> i32 { match x { (y, true) | (_, y) => 1, _ => 2 } }
           pub fn c(x: (i32, bool)) -> i32 { match x { (y, true) | (y, false) => y } }
           pub fn d(x: (i32, i32)) -> i32 { match x { (y, 1) | (z, 2) => 1, _ => 2 } }
           const N: i32 = 4;
           pub fn e(x: i32) -> i32 { let N = x; 1 }
           pub fn f(x: i32) -> i32 { match x { 5..=3 => 1, 3..3 => 2, 2..=2 => 4, _ => 3 } }"#,
        expect![[r#"
            error: `y` is bound twice
              at `y`
              help: give one of them another name
              and `y`: it is bound here first
            error: this pattern is for `bool`, the value is `i32`
              at `y`
            error: `y` is not bound in all alternatives
              at `(z, 2)`
              whichever alternative matches, the same names must have a value
              help: write `_` where the value is not used, or an arm for each alternative
            error: this pattern does not match all values
              at `N`
              `let` needs one that does; this one does not take `..=3`
              help: use `match`
            error: this range pattern matches nothing
              at `5..=3`
              its bounds are reversed
        "#]],
    );
}

#[test]
fn patterns_of_what_is_not_known() {
    check(
        r#"struct P { x: f32, y: f32 }
           pub fn a(p: P) -> f32 { let P { x, x: z, .. } = p; x }
           pub fn b() -> usize { [].map(|(a, ..)| 1).len() + [].unzip() }
           pub fn c(xs: [i32]) -> i32 { match xs { 1 => 1, _ => 2 } }
           pub fn d(xs: [i32]) -> i32 { match xs { ys => ys[0] } }"#,
        expect![[r#"
            error: the field `x` occurs twice
              at `x`
              help: leave one of them out
            error: the type of this is not known
              at `(a, ..)`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: the type of this is not known
              at `[].unzip()`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: this pattern is for an integer, the value is `[i32]`
              at `1`
        "#]],
    );
}
