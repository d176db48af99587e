//! What `#[fast]` makes of a program.

mod compiled;

use compiled::functions;
use expect_test::{Expect, expect};
use ragged_compiler::{contracts, fused};

/// The scalar statements of the only function, those of sizes left out.
fn check(text: &str, expected: Expect) {
    let functions = functions(text);
    let [function] = functions.as_slice() else {
        panic!("one function: {text}")
    };
    let printed = fused::print::print(function);
    let lines: Vec<&str> = printed.lines().skip(1).map(str::trim_start).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

fn is_fast(text: &str) -> Vec<bool> {
    let functions = functions(text);
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
            for i in 0..90 { s = (a * i as f64 + b * b) + s }
            s
        }",
        expect![[r#"
            %11, %12 = loop %2, %3 = 0.0, 0
            %4 = Lt %3, 90
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
fn square_roots_that_divide_are_reciprocal() {
    check(
        "#[fast] pub fn f(xs: [f32; n]) -> [(f32, f32); n] {
            for x in xs { (x / (sqrt(x) * x), 1.0 / sqrt(x) + x) }
        }",
        expect![[r#"
            %0 = len %1
            %15 = kernel pack %12 < %0
            %17 = %1[%12]
            %23 = Fast(Rsqrt) %17
            %24 = Mul %17, %23
            %25 = Mul %24, %23
            %20 = Mul %25, %23
            %21 = Mul 1.0, %23
            %22 = Add %21, %17
            elem %20, %22
            return %15
        "#]],
    );
    check(
        "#[fast] pub fn f(xs: [f32; n], y: f32) -> [f32; n] {
            for x in xs { y / (x * sqrt(x)) }
        }",
        expect![[r#"
            %0 = len %1
            %8 = kernel write %3 < %0
            %4 = %1[%3]
            %7 = Fast(OverCube) %2, %4
            elem %7
            return %8
        "#]],
    );
    check(
        "#[fast] pub fn f(xs: [f32; n], y: f32) -> [f32; n] {
            for x in xs { if x > 1.0 { sqrt(x).recip() } else { y / (x * y * sqrt(x)) } }
        }",
        expect![[r#"
            %0 = len %1
            %13 = kernel write %3 < %0
            %4 = %1[%3]
            %5 = Gt %4, 1.0
            %12 = if %5
            %14 = Fast(Rsqrt) %4
            %7 = Mul 1.0, %14
            yield %7
            else
            %15 = Fast(Rsqrt) %4
            %16 = Mul %2, %15
            %17 = Mul %16, %15
            %18 = Mul %17, %15
            %11 = Div %18, %2
            yield %11
            elem %12
            return %13
        "#]],
    );
}

#[test]
fn estimates_are_for_blocks_of_lanes_outside_of_loops() {
    check(
        "#[fast] pub fn f(x: f32, xs: [f32; n]) -> (f32, [f32; n]) {
            let s = for x in xs {
                let mut y = x;
                while y > 1.0 { y = y / sqrt(x); }
                y
            };
            (1.0 / sqrt(x), s)
        }",
        expect![[r#"
            %1 = len %2
            %10 = kernel write %3 < %1
            %4 = %2[%3]
            %9 = loop %5 = %4
            %6 = Gt %5, 1.0
            while %6
            %7 = Sqrt %4
            %8 = Div %5, %7
            next %8
            elem %9
            %11 = Sqrt %0
            %12 = Div 1.0, %11
            return %12, %10
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

#[test]
fn sums_take_products_as_they_are() {
    assert_eq!(
        is_fast(
            "#[fast] pub fn dotp(xs: [f32; n]) -> f32 { for x in xs { x * x }.sum() }
            #[fast] pub fn plain(xs: [f32; n]) -> f32 { xs.sum() }
            #[fast] pub fn most(xs: [f32; n]) -> f32 { for x in xs { x * x }.max() }
            #[fast] pub fn whole(xs: [i32; n]) -> i32 { for x in xs { x * x }.sum() }
            #[fast] pub fn halves(xs: [f16; n]) -> f16 { for x in xs { x * x }.sum() }
            #[fast] pub fn pair(xs: [f64; n]) -> (f64, f64) {
                for x in xs { (x, x * x) }.reduce((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
            }
            #[fast] pub fn mixed(xs: [f64; n]) -> (f64, f64) {
                for x in xs { (x, x * x) }.reduce((0.0, 0.0), |a, b| (max(a.0, b.0), a.1 + b.1))
            }
            #[fast] pub fn looked_at(xs: [f32; n]) -> f32 {
                let sum = for x in xs { x * x }.sum();
                assert!(sum < 2.0);
                sum
            }
            fn square(x: f64) -> f64 { x * x }
            #[fast] fn add(xs: [f64; n]) -> f64 { xs.sum() }
            pub fn half(xs: [f64; n]) -> f64 { add(for x in xs { square(x) }) }"
        ),
        [true, false, false, false, false, true, false, false, false]
    );
}

#[test]
fn functions_of_fused_operations() {
    check(
        "#[fast] pub fn f(a: f32, b: f64) -> (f32, f64, f32) { (exp(a), ln(b), sin(a)) }",
        expect![[r#"
            %2 = Fast(Exp) %0
            %3 = Fast(Ln) %1
            %4 = Maths(Sin) %0
            return %2, %3, %4
        "#]],
    );
}

#[test]
fn functions_that_a_check_looks_at_stay() {
    check(
        "#[fast] pub fn f(a: f32, xs: [f32; n]) -> f32 { xs[exp(a) as usize] }",
        expect![[r#"
            %1 = len %2
            %3 = Maths(Exp) %0
            %4 = Cast %3
            %5 = Lt %4, %1
            check %5 else !0 (%4, %1)
            %6 = %2[%4]
            return %6
        "#]],
    );
}
