//! What `#[fast]` makes of a program.

use expect_test::{Expect, expect};
use ragged_compiler::fused::ir::Function;
use ragged_compiler::{contracts, flat, fused, shaped, syntax, typed};

fn compiled(text: &str) -> Vec<Function> {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    assert!(parsed.errors.propagate().is_ok(), "{text}");
    let typed = typed::infer(&parsed.program);
    let shaped = typed.and_then(shaped::infer);
    let flat = shaped.and_then(flat::flatten);
    let Ok(flat) = flat else {
        panic!("refused: {text}")
    };
    let functions = fused::fuse(flat).functions;
    for function in &functions {
        assert_eq!(fused::verify::verify(function), Ok(()), "{text}");
    }
    functions
}

/// The scalar statements of the only function, those of sizes left out.
fn check(text: &str, expected: Expect) {
    let functions = compiled(text);
    let [function] = functions.as_slice() else {
        panic!("one function: {text}")
    };
    let printed = fused::print::print(function);
    let lines: Vec<&str> = printed.lines().skip(1).map(str::trim_start).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

fn is_fast(text: &str) -> Vec<bool> {
    let functions = compiled(text);
    let facts = functions.iter().map(contracts::Facts::of);
    facts.map(|facts| facts.fast).collect()
}

#[test]
fn products_and_sums_are_one_operation() {
    check(
        "#[fast] pub fn f(a: f32, b: f32, c: f32) -> (f32, f32, f32, f32) {
            (a * b + c, c + a * b, a * b - c, c - a * b)
        }",
        expect![[r#"
            %4 = Fast(MulAdd) %0, %1, %2
            %6 = Fast(MulAdd) %0, %1, %2
            %8 = Fast(MulSub) %0, %1, %2
            %10 = Fast(SubMul) %0, %1, %2
            return %4, %6, %8, %10
        "#]],
    );
}

#[test]
fn sums_of_products_start_from_what_was_there() {
    check(
        "#[fast] pub fn f(xs: [f64; n], eps: f64) -> [f64; n] {
            for x in xs { let y = x + 1.0; x * x + y * y + eps }
        }",
        expect![[r#"
            %0 = len %1
            %10 = kernel write %3 < %0
            %4 = %1[%3]
            %5 = Add %4, 1.0
            %11 = Fast(MulAdd) %4, %4, %2
            %9 = Fast(MulAdd) %5, %5, %11
            elem %9
            return %10
        "#]],
    );
}

#[test]
fn a_state_is_not_put_in_front_of_a_sum() {
    check(
        "#[fast] pub fn f(a: f64, b: f64) -> f64 {
            let mut s = 0.0;
            for i in 0..9 { s = (a * i as f64 + b * b) + s }
            s
        }",
        expect![[r#"
            %11, %12 = loop %2, %3 = 0.0, 0
            %4 = Lt %3, 9
            while %4
            %5 = Cast %3
            %6 = Mul %0, %5
            %8 = Fast(MulAdd) %1, %1, %6
            %9 = Add %8, %2
            %10 = Add %3, 1
            next %9, %10
            return %11
        "#]],
    );
}

#[test]
fn what_is_called_is_fast_and_what_calls_is_not() {
    check(
        "#[fast] fn inner(a: f64, b: f64, g: impl Fn(f64) -> f64) -> f64 { g(a) * b + 1.0 }
        pub fn f(a: f64, b: f64) -> (f64, f64) { (inner(a, b, |x| x * x + 2.0), a * b + 1.0) }",
        expect![[r#"
            %3 = Fast(MulAdd) %0, %0, 2.0
            %5 = Fast(MulAdd) %3, %1, 1.0
            %6 = Mul %0, %1
            %7 = Add %6, 1.0
            return %5, %7
        "#]],
    );
    check(
        "fn inner(a: f64, b: f64) -> f64 { a * b + 1.0 }
        #[fast] pub fn f(a: f64, b: f64) -> f64 { inner(a, b) }",
        expect![[r#"
            %3 = Fast(MulAdd) %0, %1, 1.0
            return %3
        "#]],
    );
}

#[test]
fn equal_operations_stay_apart_where_one_is_rounded_as_written() {
    check(
        "#[fast] fn fast(a: f64, b: f64) -> f64 { a * b + 1.0 }
        pub fn f(a: f64, b: f64) -> (f64, f64) { (fast(a, b), a * b + 1.0) }",
        expect![[r#"
            %3 = Fast(MulAdd) %0, %1, 1.0
            %4 = Mul %0, %1
            %5 = Add %4, 1.0
            return %3, %5
        "#]],
    );
}

#[test]
fn what_checks_look_at_is_computed_as_written() {
    check(
        "#[fast] pub fn f(xs: [f64; n], a: f64, b: f64) -> [f64; n] {
            for x in xs { xs[(a * x + b) as usize] * a + b }
        }",
        expect![[r#"
            %0 = len %1
            %13 = kernel write %4 < %0
            %5 = %1[%4]
            %6 = Mul %2, %5
            %7 = Add %6, %3
            %8 = Cast %7
            %9 = Lt %8, %0
            check %9 else !0 (%8, %0)
            %10 = %1[%8]
            %12 = Fast(MulAdd) %10, %2, %3
            elem %12
            return %13
        "#]],
    );
    check(
        "#[fast] pub fn f(xs: [f64; n], k: usize) -> [f64; n] {
            for x in xs { if x * x + 1.0 < 2.0 { x * x + xs[k] } else { 0.0 } }
        }",
        expect![[r#"
            %0 = len %1
            %13 = kernel write %3 < %0
            %4 = %1[%3]
            %5 = Mul %4, %4
            %6 = Add %5, 1.0
            %7 = Lt %6, 2.0
            %12 = if %7
            %9 = Lt %2, %0
            check %9 else !0 (%2, %0)
            %10 = %1[%2]
            %11 = Fast(MulAdd) %4, %4, %10
            yield %11
            else
            yield 0.0
            elem %12
            return %13
        "#]],
    );
}

#[test]
fn facts_say_what_came_of_it() {
    assert_eq!(
        is_fast(
            "#[fast] pub fn a(x: f32) -> f32 { x * x + 1.0 }
            #[fast] pub fn b(x: i32) -> i32 { x * x + 1 }
            pub fn c(x: f32) -> f32 { x * x + 1.0 }"
        ),
        [true, false, false]
    );
}
