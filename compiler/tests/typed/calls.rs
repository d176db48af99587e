//! Calls of the functions of the block and of function parameters.

use crate::check;
use expect_test::expect;

#[test]
fn counts_and_types_of_arguments() {
    check(
        r#"fn g(x: f32, n: i32) -> f32 { x * n as f32 }
           pub fn a(x: f32) -> f32 { g(x) + g(x, 1, 2) }
           pub fn b(x: f32) -> f32 { g(1, x) }
           pub fn c(x: f32) -> i32 { g(x, 1) }
           pub fn d(x: f32) -> f32 { x.g(2) }"#,
        expect![[r#"
            error: `g` takes 2 arguments, not 1
              at `g(x)`
              and `fn g(x: f32, n: i32) -> f32`: `g` is declared here
            error: `g` takes 2 arguments, not 3
              at `g(x, 1, 2)`
              and `fn g(x: f32, n: i32) -> f32`: `g` is declared here
            error: expected `f32`, found an integer
              at `1`
              this is what `g` takes
              help: write `1.0`
            error: expected `i32`, found `f32`
              at `x`
              this is what `g` takes
              help: convert it: `… as i32`
            error: expected `i32`, found `f32`
              at `g(x, 1)`
              this is the result type of `c`
              help: convert it: `… as i32`
        "#]],
    );
}

#[test]
fn function_parameters() {
    check(
        r#"fn apply(f: impl Fn(f32, i32) -> f32, x: f32) -> f32 { f(x, 1) }
           fn bad(f: impl Fn(f32) -> f32, xs: [i32]) -> f32 { f(1.0, 2.0) + f(1) + f }
           fn on(f: impl Fn(f32) -> f32, xs: [i32]) -> [f32] { xs.map(f) }
           pub fn a(x: f32) -> f32 { apply(|x| x, x) + apply(|x, n| n, x) + apply(x, x) }
           pub fn b(x: f32) -> f32 { apply(sqrt, x) }"#,
        expect![[r#"
            error: `apply` calls its function with 2 arguments, this closure takes 1
              at `|x| x`
            error: expected `f32`, found `i32`
              at `n`
              this is what `apply` wants of its function
              help: convert it: `… as f32`
            error: `apply` takes a function here
              at `x`
              help: write a closure, `|a, b| …`, or the name of a function
            error: `sqrt` takes 1 argument, not 2
              at `sqrt`
              it is called as `sqrt(x)`
            error: `f` takes 1 argument, not 2
              at `f(1.0, 2.0)`
              and `f`: `f` is declared here
            error: expected `f32`, found an integer
              at `1`
              this is the type of the parameter of `f`
              help: write `1.0`
            error: `f` is a function, not a value
              at `f`
              help: call it: `f(…)`, or pass it to an operator: `xs.map(f)`
            error: `f` takes `f32`, `map` would call it with `i32`
              at `f`
              help: change its type, or pass a closure that calls it
              and `f`: `f` is declared here
        "#]],
    );
}

#[test]
fn imported_functions_hide_their_helpers() {
    check(
        r#"@unit dotp as inner {
               fn helper(x: f32) -> f32 { x }
               pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { helper(zip(xs, ys).map(|(x, y)| x * y).sum()) }
           }
           pub fn norm(xs: [f32]) -> f32 { helper(dotp(xs, xs)) }"#,
        expect![[r#"
            error: cannot find `helper`
              at `helper`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
            error: cannot find `dotp`
              at `dotp`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
        "#]],
    );
}

#[test]
fn exported_functions_take_values() {
    check(
        "pub fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }",
        expect![[r#"
            error: a function parameter of an exported function: not supported yet
              at `f: impl Fn(f32) -> f32`
              help: take off `pub`: functions of this block can call it
        "#]],
    );
}

#[test]
fn free_functions_shadow_operators() {
    check(
        r#"fn sum(xs: [f32]) -> f32 { xs.sum() / 2.0 }
           fn min(a: f32, b: f32, c: f32) -> f32 { a.min(b).min(c) }
           pub fn f(xs: [f32]) -> (f32, f32) { (sum(xs), min(xs[0], xs[1], xs.min())) }"#,
        expect![[r#"
            fn sum(xs: [f32]) -> f32 {
                (sum(xs) / 2.0f32)
            }
            fn min(a: f32, b: f32, c: f32) -> f32 {
                min(min(a, b), c)
            }
            pub fn f(xs: [f32]) -> (f32, f32) {
                (sum(xs), min(xs[0usize], xs[1usize], min(xs)))
            }
        "#]],
    );
}

#[test]
fn private_functions_are_checked_but_left_out() {
    check(
        r#"fn unused(x: f32) -> f32 { x + 1.0 }
           pub fn f(x: f32) -> f32 { x }"#,
        expect![[r#"
            pub fn f(x: f32) -> f32 {
                x
            }
        "#]],
    );
}

#[test]
fn private_functions_with_mistakes() {
    check(
        r#"fn unused(x: f32) -> f32 { x + 1 }
           pub fn f(x: f32) -> f32 { x }"#,
        expect![[r#"
            error: `+` cannot be applied to `f32` and an integer
              at `x + 1`
              both operands have one type; nothing is converted by itself
              help: write `1.0`
        "#]],
    );
}

#[test]
fn imported_functions() {
    check(
        r#"@unit dotp as inner {
               const HALF: f32 = 0.5;
               struct Hidden { x: f32 }
               fn helper(x: f32) -> f32 { let h = Hidden { x }; h.x * HALF }
               pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { helper(zip(xs, ys).map(|(x, y)| x * y).sum()) }
           }
           const HALF: i32 = 1;
           fn helper(x: i32) -> i32 { x + HALF }
           pub fn norm(xs: [f32; n], k: i32) -> (f32, i32) { (inner(xs, xs).sqrt(), helper(k)) }"#,
        expect![[r#"
            struct Hidden { x: f32 }
            fn helper(x: f32) -> f32 {
                let h: Hidden = Hidden(x,);
                (h.0 * 0.5f32)
            }
            fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
                helper(sum(map(zip(xs, ys), |(x: f32, y: f32)| (x * y))))
            }
            fn helper(x: i32) -> i32 {
                (x + 1i32)
            }
            pub fn norm(xs: [f32; n], k: i32) -> (f32, i32) {
                (sqrt(dotp(xs, xs)), helper(k))
            }
        "#]],
    );
}

#[test]
fn functions_that_give_something_else() {
    check(
        r#"fn half(x: f32) -> f32 { x / 2.0 }
           fn on(f: impl Fn(f32) -> f32, xs: [f32]) -> [f32] { xs.scan(f) }
           pub fn a(xs: [f32]) -> bool { xs.any(half) || xs.all(sqrt) }"#,
        expect![[r#"
            error: `half` gives `f32`, `any` wants `bool` of its function
              at `half`
              help: convert what it gives in a closure around `half`
            error: `sqrt` gives `f32`, `all` wants `bool` of its function
              at `sqrt`
              help: convert what it gives in a closure around `sqrt`
            error: `f` takes 1 argument, `scan` would call it with 2
              at `f`
              help: change its type, or pass a closure that calls it
              and `f`: `f` is declared here
        "#]],
    );
}

#[test]
fn functions_named_after_what_they_hide() {
    check(
        r#"fn map(xs: [f32]) -> [f32] { xs.map(|x| x) }
           pub fn f(xs: [f32]) -> [f32] { xs.map().map(|x| x) }"#,
        expect![[r#"
            error: `map` takes 2 arguments (the array included), not 1
              at `xs.map()`
              it is `xs.map(|x| e) -> [U; n]`
        "#]],
    );
}
