//! Signatures and constants.

use crate::check;
use expect_test::expect;

#[test]
fn results() {
    check(
        r#"pub fn a(x: f32) { x }
           pub fn b(x: f32) -> () { }
           pub fn c(x: f32) -> f32 { 1 }
           pub fn d(xs: [f32]) -> f32 { xs }"#,
        expect![[r#"
            error: `a` has no result type
              at `fn a(x: f32)`
              help: write it after the parameters: `-> f32`
            error: `b` has no result
              at `()`
              functions are pure: one without a result would do nothing
              help: return what it computes
            error: expected `f32`, found an integer
              at `1`
              this is the result type of `c`
              help: write `1.0`
            error: expected `f32`, found `[f32]`
              at `xs`
              this is the result type of `d`
              help: take an element with `xs[i]`, or apply the operation to each with `map`
        "#]],
    );
}

#[test]
fn types_that_are_planned() {
    check(
        r#"pub fn a(xs: [[[f32; 3]]]) -> f32 { 1.0 }
           pub fn b(xs: [[f32; m]; n]) -> f32 { 1.0 }
           pub fn c(xs: Seq<f32>) -> f32 { 1.0 }
           struct P { xs: [f32] }
           pub fn d(ps: [P]) -> f32 { 1.0 }
           pub fn e(xs: [[([i32], f32)]]) -> f32 { 1.0 }
           pub fn f(p: P, t: ([i32], f32)) -> [f32] { p.xs }"#,
        expect![[r#"
            struct P { xs: [f32] }
            pub fn a(xs: [[[f32; 3]]]) -> f32 {
                1.0f32
            }
            pub fn b(xs: [[f32; m]; n]) -> f32 {
                1.0f32
            }
            pub fn c(xs: Seq<f32>) -> f32 {
                1.0f32
            }
            pub fn d(ps: [P]) -> f32 {
                1.0f32
            }
            pub fn e(xs: [[([i32], f32)]]) -> f32 {
                1.0f32
            }
            pub fn f(p: P, t: ([i32], f32)) -> [f32] {
                p.0
            }
        "#]],
    );
}

#[test]
fn sizes() {
    check(
        r#"const K: i32 = 3;
           pub fn a(xs: [f32; K]) -> f32 { 1.0 }
           pub fn b(n: i32, xs: [f32; n]) -> f32 { 1.0 }
           pub fn c(x: f32) -> [f32; m] { [x] }
           struct P { xs: [f32; n] }
           pub fn d(f: impl Fn([f32; n]) -> f32) -> f32 { 1.0 }
           pub fn e(xs: [f32; n], n: f32) -> [f32; n] { xs }
           pub fn g(xs: [f32; n], ys: [i32; n]) -> usize { n + m }"#,
        expect![[r#"
            error: the size `n` cannot be named here
              at `n`
              size names belong to the parameters of a function
              help: write `[T]`, a number, or the name of a `const`
            error: the constant `K` is not a size
              at `K`
              it is of type `i32`; sizes are `usize`
              help: declare it as `const K: usize`
            error: `n` is not a size
              at `n`
              the parameter `n` is not a `usize`
              help: make it a `usize`, or give the size another name
            error: nothing says what the size `m` is
              at `m`
              no parameter has this size
              help: leave it out: `[T]` is an array with a size of its own
            error: a function parameter of an exported function: not supported yet
              at `f: impl Fn([f32; n]) -> f32`
              help: take off `pub`: functions of this block can call it
            error: the size `n` cannot be named here
              at `n`
              size names belong to the parameters of a function
              help: write `[T]`, a number, or the name of a `const`
            error: `n` is not a size
              at `n`
              the parameter `n` is not a `usize`
              help: make it a `usize`, or give the size another name
            error: `n` is not a size
              at `n`
              the parameter `n` is not a `usize`
              help: make it a `usize`, or give the size another name
            error: cannot find `m`
              at `m`
              help: what is outside of the block comes in as a parameter
        "#]],
    );
}

#[test]
fn sizes_in_bodies() {
    check(
        r#"pub fn a(xs: [f32; n]) -> [f32] { let ys: [f32; 4] = xs; let (zs, _): ([f32; n], i32) = (xs, 1); ys }
           pub fn b(xs: [f32; n]) -> [f32] { let ys: [f32; k] = xs; let zs: [f32; 1] = 3; ys }"#,
        expect![[r#"
            error: cannot find `k`
              at `k`
              help: what is outside of the block comes in as a parameter
            error: expected `[f32]`, found an integer
              at `3`
              this is the type that is written
              help: `[x]` is an array of it alone, `fill(x, n)` one of equal elements
        "#]],
    );
}

#[test]
fn constants() {
    check(
        r#"const A: i32 = B; const B: i32 = A;
           const C: f32 = 1;
           const D: i32 = 1 / 0;
           const E: usize = 3 - 4;
           const F: f32 = exp(1.0);
           const G: [i32] = [1, 2];
           const H: i32 = { let x = 1; x };
           const I: (i32, i32) = (1, 2);
           const J: u8 = 256;
           const L: f32 = missing;
           pub fn f() -> f32 { C + L + F }"#,
        expect![[r#"
            error: the constant `A` is defined by itself
              at `A`
            error: expected `f32`, found an integer
              at `1`
              this is the type of the constant
              help: write `1.0`
            error: the constant `D` has no value
              at `1 / 0`
              division by zero
            error: the constant `E` has no value
              at `3 - 4`
              size 3 - 4 is below zero
            error: this is not a constant expression
              at `exp(1.0)`
              a `const` may use literals, tuples, structs and arrays of these, other constants, arithmetic, casts and scalar functions
              help: compute it in a function
            error: this is not a constant expression
              at `{ let x = 1; x }`
              a `const` may use literals, tuples, structs and arrays of these, other constants, arithmetic, casts and scalar functions
              help: compute it in a function
            error: `256` does not fit `u8`
              at `256`
              its values are 0 to 255
            error: cannot find `missing`
              at `missing`
              help: what is outside of the block comes in as a parameter
        "#]],
    );
}

#[test]
fn wild_types() {
    check(
        r#"pub fn f(x: _) -> f32 { x }
           pub fn g(f: impl Fn(_) -> f32) -> f32 { 1.0 }
           pub fn i(x: (), xs: ([f32], ())) -> f32 { 1.0 }
           pub fn j(x: f32, (y, x): (f32, usize), y: usize) -> f32 { 1.0 }
           pub fn h((a, b): (f32, f32), (c, _): (i32, i32)) -> f32 { a + b }"#,
        expect![[r#"
            error: `_` cannot stand for a type here
              at `_`
              help: write the type
            error: a function parameter of an exported function: not supported yet
              at `f: impl Fn(_) -> f32`
              help: take off `pub`: functions of this block can call it
            error: `_` cannot stand for a type here
              at `_`
              help: write the type
            error: `()` is not the type of a value
              at `()`
              help: leave it out
            error: `()` is not the type of a value
              at `()`
              help: leave it out
            error: `y` is bound twice
              at `y`
              help: give one of them another name
              and `y`: it is bound here first
            error: `x` is bound twice
              at `x`
              help: give one of them another name
              and `x`: it is bound here first
        "#]],
    );
}

#[test]
fn function_parameters_have_names() {
    check(
        r#"fn g((a, b): impl Fn(f32) -> f32) -> f32 { 1.0 }
           pub fn f(x: f32) -> f32 { x }"#,
        expect![[r#"
            error: a function parameter needs a plain name
              at `(a, b)`
              help: write `f: impl Fn(…) -> …`
        "#]],
    );
}
