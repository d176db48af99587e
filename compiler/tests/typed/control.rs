//! Branches, loops, assignments and statements.

use crate::check;
use expect_test::expect;

#[test]
fn branches() {
    check(
        r#"pub fn a(x: i32) -> f32 { if x { 1.0 } else { 2.0 } }
           pub fn b(x: i32) -> f32 { if x > 0 { 1.0 } else { 2 } }
           pub fn c(x: i32) -> f32 { if x > 0 { 1.0 } }
           pub fn d(x: i32) -> f32 { match x { 0 => 1.0, _ => true } }
           pub fn e(x: bool) -> i32 { let y = if x { 1 }; 2 }"#,
        expect![[r#"
            error: expected `bool`, found `i32`
              at `x`
              the condition of `if` is a `bool`
              help: compare it: `… != 0`
            error: expected a float, found an integer
              at `2`
              both branches of an `if` have one type
              help: write `2.0`
            error: this `if` has a value and no `else`
              at `if x > 0 { 1.0 }`
              what it would be if the condition is false is not said
              help: add `else { … }`
            error: expected a float, found `bool`
              at `true`
              all arms of a `match` have one type
            error: this `if` has a value and no `else`
              at `if x { 1 }`
              what it would be if the condition is false is not said
              help: add `else { … }`
        "#]],
    );
}

#[test]
fn values_that_are_not_used() {
    check(
        r#"pub fn a(x: i32) -> i32 { x + 1; x }
           pub fn b(xs: [i32]) -> i32 { for x in xs { x * 2 } 1 }
           pub fn c(xs: [i32]) -> i32 { for x in xs { x * 2 }; 1 }
           pub fn d(x: i32) -> i32 { dbg!(x); assert!(x > 0); assert!(x < 9, "too large"); x }
           pub fn e(x: i32) -> i32 { let mut y = 0; while x > y { y } y }"#,
        expect![[r#"
            error: this value is not used
              at `x + 1`
              functions are pure: a value that is not used has no effect
              help: leave it out, or bind it with `let`
            error: the array that this `for` gives is not used
              at `for x in xs { x * 2 }`
              a `for` whose body has a value is an array; what follows it is a statement of its own
              help: bind it with `let`, put it in parentheses, or end its body with `;`
            error: the array that this `for` gives is not used
              at `for x in xs { x * 2 }`
              a `for` whose body has a value is an array; what follows it is a statement of its own
              help: bind it with `let`, put it in parentheses, or end its body with `;`
            error: the body of a `while` has no use for a value
              at `y`
              help: end it with `;`, or assign it to a `let mut`
        "#]],
    );
}

#[test]
fn statements_without_value() {
    check(
        r#"pub fn a(x: i32) -> i32 { x + 1; }
           pub fn b(x: i32) -> i32 { }
           pub fn c(x: i32) -> i32 { let y = { x; }; let z = while false {}; 1 }
           pub fn d(x: i32) -> i32 { let y; let z: i32; 1 }
           pub fn e(x: i32) -> i32 { let mut y = x; for i in 0..3 { y += i; } }"#,
        expect![[r#"
            error: `a` ends without a value
              at `x + 1`
              help: leave out the `;` after the last expression
            error: `b` ends without a value
              at `{ }`
              help: end it with the value that it gives
            error: this value is not used
              at `x`
              functions are pure: a value that is not used has no effect
              help: leave it out, or bind it with `let`
            error: this has no value
              at `{ x; }`
              the block ends without a value
              help: end it with an expression, without `;`
            error: this has no value
              at `while false {}`
              it is a statement: its type is `()`
              help: write the value that is wanted behind it
            error: a variable needs a value where it is declared
              at `let y;`
              help: write `let x = …;`
            error: a variable needs a value where it is declared
              at `let z: i32;`
              help: write `let x = …;`
            error: this has no value
              at `for i in 0..3 { y += i; }`
              it is a statement: its type is `()`
              help: write the value that is wanted behind it
        "#]],
    );
}

#[test]
fn returns() {
    check(
        r#"pub fn a(x: i32) -> i32 { if x > 0 { return 1; } 2 }
           pub fn b(x: i32) -> i32 { return x + 1; }
           pub fn c(x: i32) -> i32 { return x + 1.0 }
           pub fn d(x: i32) -> i32 { let y = if x > 0 { x } else { return 3 }; y }"#,
        expect![[r#"
            error: `+` cannot be applied to `i32` and a float
              at `x + 1.0`
              both operands have one type; nothing is converted by itself
              help: write an integer, or convert the other value to a float
        "#]],
    );
}

#[test]
fn jumps_out_of_operands() {
    check(
        r#"pub fn a(xs: [i32], k: i32) -> i32 {
               let mut s = 0;
               for x in xs { s += k * x + if x == k { return s; } else if x > k { break; } else { x }; }
               s
           }
           pub fn b(x: i32) -> i32 {
               let mut y = x;
               while y > 0 || (if x == 1 { return 2; } else { y < -5 }) { y -= 1; }
               loop { return y; }
           }"#,
        expect![[r#"
            pub fn a(xs: [i32], k: i32) -> i32 { 'l1: {
                let mut s: i32 = 0i32;
                'l0: for x: i32 in xs {
                    s = {
                        let tmp3: i32 = s;
                        let tmp: i32 = (k * x);
                        let tmp2: i32 = if (x == k) {
                            break 'l1 s;
                        } else { if (x > k) {
                            break 'l0;
                        } else { x } };
                        let tmp4: i32 = (tmp + tmp2);
                        (tmp3 + tmp4)
                    };
                };
                break 'l1 s
            } }
            pub fn b(x: i32) -> i32 { 'l0: {
                let mut y: i32 = x;
                'l1: loop {
                    let tmp: bool = if (y > 0i32) { true } else { if (x == 1i32) {
                        break 'l0 2i32;
                    } else { (y < -5i32) } };
                    if tmp {
                        y = (y - 1i32);
                    } else { break 'l1 }
                };
                'l2: loop {
                    break 'l0 y;
                }
            } }
        "#]],
    );
}

#[test]
fn immutable() {
    check(
        r#"pub fn a(x: i32) -> i32 { let y = x; y = 2; x += 1; y }
           pub fn b(xs: [i32]) -> [i32] { xs[0] = 1; xs }
           const K: i32 = 1;
           pub fn c(x: i32) -> i32 { K = 2; f = 3; missing = 1; x }
           pub fn d(mut x: i32) -> i32 { x = 1.5; x -= true; x <<= 1; x }
           pub fn f(t: (i32, f32)) -> i32 { let mut u = t; u.2 = 1; u.0[1] = 2; (u, u.0) = 1; u.0 }"#,
        expect![[r#"
            error: `y` cannot be assigned to
              at `y`
              it is not declared as `mut`
              and `y`: `y` is declared here: write `mut y`
            error: `x` cannot be assigned to
              at `x`
              it is not declared as `mut`
              and `x`: `x` is declared here: write `mut x`
            error: `xs` cannot be assigned to
              at `xs[0]`
              it is not declared as `mut`
              and `xs`: `xs` is declared here: write `mut xs`
            error: the constant `K` cannot be assigned to
              at `K`
              help: use a `let mut`
            error: `f` is a function, not a value
              at `f`
              help: call it: `f(…)`, or pass it to an operator: `xs.map(f)`
            error: cannot find `missing`
              at `missing`
              help: what is outside of the block comes in as a parameter
            error: expected `i32`, found a float
              at `1.5`
              this is the type of what is assigned to
              help: write an integer, or convert the other value to a float
            error: `-` cannot be applied to `bool`
              at `x -= true`
              it is for integers and floats
            error: `(i32, f32)` has no field `2`
              at `2`
              it has 2 fields
            error: `i32` cannot be indexed
              at `u.0`
              only arrays have elements
            error: expected `(_, _)`, found an integer
              at `1`
              this is the type of what is assigned to
        "#]],
    );
}

#[test]
fn assigned_in_parallel() {
    check(
        r#"pub fn a(xs: [i32]) -> [i32] { let mut s = 0; for x in xs { s += x; s } }
           pub fn b(xs: [i32]) -> [i32] { let mut s = 0; xs.map(|x| { s = x; s }) }
           pub fn c(xs: [i32]) -> [usize] { let mut a = [0; 4]; for i in 0..4 { a[i] = 1; i } }
           pub fn d(xs: [i32]) -> [i32] { xs.map(|x| { let mut a = [x; 4]; a[0] = 2; let mut s = x; s += 1; a.sum() + s }) }
           pub fn e(xs: [i32]) -> i32 { let mut s = 0; for x in xs { s += x; } for i in 0..2 { for j in 0..2 { s += 1; } } s }
           pub fn f(xs: [i32]) -> i32 { let mut s = 0; for i in 0..2 { let t = xs.map(|x| { s += x; s }); s = t.sum(); } s }"#,
        expect![[r#"
            error: `s` is assigned inside a parallel body
              at `s += x`
              a closure, or a `for` with a value, runs for all elements at once
              help: use `fold` or `reduce`, which carry a value; a `for` without a value is sequential
              and `s`: `s` is declared outside of that body
            error: `s` is assigned inside a parallel body
              at `s = x`
              a closure, or a `for` with a value, runs for all elements at once
              help: use `fold` or `reduce`, which carry a value; a `for` without a value is sequential
              and `s`: `s` is declared outside of that body
            error: `a` is assigned inside a parallel body
              at `a[i] = 1`
              a closure, or a `for` with a value, runs for all elements at once
              help: give the new array as the result, or use `scatter`; a `for` without a value is sequential
              and `a`: `a` is declared outside of that body
            error: `s` is assigned inside a parallel body
              at `s += x`
              a closure, or a `for` with a value, runs for all elements at once
              help: use `fold` or `reduce`, which carry a value; a `for` without a value is sequential
              and `s`: `s` is declared outside of that body
        "#]],
    );
}

#[test]
fn slices_cannot_be_assigned() {
    check(
        r#"pub fn a(xs: [i32]) -> [i32] { let mut a = xs; a[1..3] = xs; a }"#,
        expect![[r#"
            pub fn a(xs: [i32]) -> [i32] {
                let mut a: [i32] = xs;
                a[1usize..3usize] = xs;
                a
            }
        "#]],
    );
}

#[test]
fn loops() {
    check(
        r#"pub fn a(x: i32) -> i32 { loop { } }
           pub fn b(x: i32) -> i32 { loop { break 1; break true; } }
           pub fn i(x: i32) -> i32 { loop { break 1; break; } }
           pub fn j(x: i32) -> i32 { loop { break; break 1; } }
           pub fn c(x: i32) -> i32 { while x > 0 { break 1; } 2 }
           pub fn d(x: i32) -> i32 { break; continue 'a; 'b: loop { break 'c; } }
           pub fn e(xs: [i32]) -> [i32] { for x in xs { if x > 0 { break; } x } }
           pub fn f(xs: [i32]) -> [i32] { loop { break xs.map(|x| { if x > 0 { break; } x }); } }
           pub fn g(xs: [i32]) -> [i32] { let mut n = 0; while n < 3 { n += 1; let ys = for x in xs { if x > n { continue; } x }; } xs }
           pub fn h(x: i32) -> i32 { loop { x + 1 } }"#,
        expect![[r#"
            error: this `loop` never ends
              at `loop { }`
              no `break` leaves it
              help: leave it with `break value`, or use `while`
            error: expected an integer, found `bool`
              at `true`
              all `break`s of a `loop` give one type
              help: convert it: `… as i32`
              and `break 1`: this one gives an integer
            error: this `break` gives no value
              at `break`
              another `break` of the same `loop` does
              help: give it one too: `break value`
            error: this `break` gives a value
              at `break 1`
              another `break` of the same `loop` does not
              help: give all of them a value, or none
            error: only a `loop` can be left with a value
              at `1`
              help: assign it to a `let mut` before the `break`
            error: `break` outside of a loop
              at `break`
            error: no loop around this is called `'a`
              at `continue 'a`
              help: write `'a:` before the loop
            error: no loop around this is called `'c`
              at `break 'c`
              help: write `'c:` before the loop
            error: a `for` with a value cannot be left early
              at `break`
              its body runs for all elements at once
              help: use `while` or `loop`, or give a value that says to skip the element
            error: `break` outside of a loop
              at `break`
              a closure cannot leave the loop around it
            error: a `for` with a value cannot be left early
              at `continue`
              its body runs for all elements at once
              help: use `while` or `loop`, or give a value that says to skip the element
            error: the body of a `loop` has no use for a value
              at `x + 1`
              help: end it with `;`, or assign it to a `let mut`
            error: this `loop` never ends
              at `loop { x + 1 }`
              no `break` leaves it
              help: leave it with `break value`, or use `while`
        "#]],
    );
}

#[test]
fn sources_of_for() {
    check(
        r#"pub fn a(n: usize) -> [usize] { for i in n { i } }
           pub fn b(xs: [f32], ys: [f32]) -> [f32] { for (x, y) in (xs, ys) { x * y } }
           pub fn c(x: f32) -> [f32] { for y in x { y } }
           pub fn d(xs: [(i32, f32)]) -> [f32] { for (a, b, c) in xs { b } }"#,
        expect![[r#"
            error: `for` needs an array, found `usize`
              at `n`
              help: count with a range: `for i in 0..n { … }`
            error: `for` needs an array, found `([f32], [f32])`
              at `(xs, ys)`
              help: pair up arrays with `zip`: `for (x, y) in zip(xs, ys) { … }`
            error: `for` needs an array, found `f32`
              at `x`
            error: this pattern takes apart a tuple of 3, the value is a tuple of 2
              at `(a, b, c)`
              its type is `(i32, f32)`
              help: write `_` or `..` for fields that are not used
        "#]],
    );
}

#[test]
fn ranges() {
    check(
        r#"pub fn a(n: usize) -> [usize] { 0..(n, n) }
           pub fn b(n: u8) -> [u8] { 0..n }
           pub fn c(n: usize) -> [usize] { 3..=n }
           pub fn d(n: usize, m: i32) -> [usize] { 0..m + (0..=n) }
           pub fn e(x: f32) -> [f32] { 0.0..x }"#,
        expect![[r#"
            error: expected an integer, found `(usize, usize)`
              at `(n, n)`
              both bounds of a range are integers of one type
            error: `+` cannot be applied to `[usize]`
              at `m + (0..=n)`
              it is for integers and floats
              help: apply it to each element: `ys.map(|y| x + y)`
            error: expected an integer, found a float
              at `0.0`
              both bounds of a range are integers of one type
              help: write an integer, or convert the other value to a float
            error: expected an integer, found `f32`
              at `x`
              both bounds of a range are integers of one type
              help: convert one of them with `as`
        "#]],
    );
}

#[test]
fn indices() {
    check(
        r#"pub fn a(xs: [f32], i: i32) -> f32 { xs[i] + xs[0.5] + xs[(1, 2)] }
           pub fn b(x: f32, t: (i32, i32)) -> f32 { x[0] + t[0] }
           pub fn c(xs: [f32], i: i32) -> [f32] { xs[i..] }
           pub fn d(xs: [f32], i: usize) -> ([f32], [f32], [f32], [f32]) { (xs[i..], xs[..i], xs[1..=i], xs[..]) }"#,
        expect![[r#"
            error: expected `usize`, found `i32`
              at `i`
              an index is a `usize`
              help: convert it: `… as usize`
            error: expected `usize`, found a float
              at `0.5`
              an index is a `usize`
              help: write an integer, or convert the other value to a float
            error: an index is one number
              at `(1, 2)`
              help: write `a[i][j]`
            error: `f32` cannot be indexed
              at `x`
              only arrays have elements
            error: `(i32, i32)` cannot be indexed
              at `t`
              help: take a field of a tuple with `.0`
            error: expected `usize`, found `i32`
              at `i`
              a bound of a slice is a `usize`
              help: convert it: `… as usize`
        "#]],
    );
}

#[test]
fn types_that_nothing_determines() {
    check(
        r#"pub fn a() -> usize { let xs = []; xs.len() }
           pub fn b() -> usize { [].map(|x| x.0).len() }
           pub fn c() -> usize { let x: [_] = [[]]; 1 }
           fn g<T>() -> i32 { 1 }
           pub fn d() -> i32 { g() }"#,
        expect![[r#"
            error: the type of this is not known
              at `[]`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: the type of this is not known
              at `x.0`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: the type of this is not known
              at `[]`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: the type of this is not known
              at `g()`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
        "#]],
    );
}

#[test]
fn values_of_jumps() {
    check(
        r#"pub fn a(x: i32) -> i32 { let mut y = 0; while y < 3 { let z = break; y += 1 + continue; } y }
           pub fn b(x: i32) -> i32 { let y = return x; y }
           pub fn c(x: i32) -> i32 { let mut y = x; let r = loop { if y > 3 { break }; y += 1; }; y }
           pub fn d(x: i32) -> i32 { let mut y = x; loop { if y > 3 { break }; y += 1; } y }
           pub fn e(x: bool) -> i32 { loop { if x { break 1 } else { break 2 } } }"#,
        expect![[r#"
            error: this has no value
              at `break`
              it leaves what is around it
              help: write it as a statement of its own
            error: this has no value
              at `continue`
              it leaves what is around it
              help: write it as a statement of its own
            error: this has no value
              at `return x`
              it leaves what is around it
              help: write it as a statement of its own
            error: this has no value
              at `loop { if y > 3 { break }; y += 1; }`
              it is a statement: its type is `()`
              help: write the value that is wanted behind it
        "#]],
    );
}
