//! Generic functions and their instances.

use crate::check;
use expect_test::expect;

#[test]
fn one_instance_per_use() {
    check(
        r#"fn square<T: Num>(x: T) -> T { x * x }
           fn pair<A, B>(a: A, b: B) -> (A, B) { (a, b) }
           pub fn f(x: f32, n: i32) -> (f32, i32, f32) { let (a, b) = pair(square(x), square(n)); (a, b, square(x)) }
           pub fn g(xs: [u8]) -> [u8] { xs.map(square) }"#,
        expect![[r#"
            fn square(x: f32) -> f32 {
                (x * x)
            }
            fn square(x: i32) -> i32 {
                (x * x)
            }
            fn pair(a: f32, b: i32) -> (f32, i32) {
                (a, b)
            }
            pub fn f(x: f32, n: i32) -> (f32, i32, f32) {
                let (a: f32, b: i32) = pair(square(x), square(n));
                (a, b, square(x))
            }
            fn square(x: u8) -> u8 {
                (x * x)
            }
            pub fn g(xs: [u8]) -> [u8] {
                map(xs, |tmp: u8| square(tmp))
            }
        "#]],
    );
}

#[test]
fn exported_instances() {
    check(
        r#"#[instances(f32, f64)]
           pub fn dotp<T: Num>(xs: [T; n], ys: [T; n]) -> T { zip(xs, ys).map(|(x, y)| x * y).sum() }
           #[instances((f32, i32), (f64, u8))]
           pub fn convert<T: Float, U: Int>(xs: [T]) -> ([U], T) { (xs.map(|x| x as U), T::MAX) }"#,
        expect![[r#"
            pub fn dotp_f32(xs: [f32; n], ys: [f32; n]) -> f32 {
                sum(map(zip(xs, ys), |(x: f32, y: f32)| (x * y)))
            }
            pub fn dotp_f64(xs: [f64; n], ys: [f64; n]) -> f64 {
                sum(map(zip(xs, ys), |(x: f64, y: f64)| (x * y)))
            }
            pub fn convert_f32_i32(xs: [f32]) -> ([i32], f32) {
                (map(xs, |x: f32| (x as i32)), 3.4028235e38f32)
            }
            pub fn convert_f64_u8(xs: [f64]) -> ([u8], f64) {
                (map(xs, |x: f64| (x as u8)), 1.7976931348623157e308f64)
            }
        "#]],
    );
}

#[test]
fn wrong_instances() {
    check(
        r#"#[instances(bool)]
           pub fn c<T: Num>(x: T) -> T { x }
           #[instances(f33)]
           pub fn d<T: Num>(x: T) -> T { x }
           fn unused<T>(x: T, y: f23) -> T { x }
           #[instances(f32)]
           pub fn e<T: Int>(x: T) -> T { x }"#,
        expect![[r#"
            error: this type does not satisfy `T: Num`
              at `bool`
            error: cannot find type `f33`
              at `f33`
              help: did you mean `f32`?
            error: this type does not satisfy `T: Int`
              at `f32`
            error: cannot find type `f23`
              at `f23`
              help: did you mean `f32`?
        "#]],
    );
}

#[test]
fn bounds() {
    check(
        r#"fn square<T: Num>(x: T) -> T { x * x }
           fn bits<T: Int>(x: T) -> T { x & x }
           pub fn f(b: bool, xs: [f32]) -> bool { square(b); bits(1.5); square(xs); square((1, 2)); b }"#,
        expect![[r#"
            error: `T` cannot be `bool`
              at `square(b)`
              it is for integers and floats
            error: `T` cannot be a float
              at `bits(1.5)`
              it is for integers
            error: `T` cannot be `[f32]`
              at `square(xs)`
              it is for integers and floats
            error: `T` cannot be `(integer, integer)`
              at `square((1, 2))`
              it is for integers and floats
        "#]],
    );
}

#[test]
fn mistakes_are_reported_for_one_instance() {
    check(
        r#"#[instances(f32, f64)]
           pub fn f<T: Num>(x: T) -> T { x + true }
           #[instances(i32, f32)]
           pub fn g<T: Num>(x: T) -> T { x * 2 }"#,
        expect![[r#"
            error: `+` cannot be applied to `bool`
              at `x + true`
              it is for integers and floats
              in the instance with `T = f32`
              help: convert it to an integer, or use `||`
            error: `*` cannot be applied to `f32` and an integer
              at `x * 2`
              both operands have one type; nothing is converted by itself
              in the instance with `T = f32`
              help: write `2 as T`
        "#]],
    );
}

#[test]
fn type_arguments() {
    check(
        r#"fn zero<T: Num>() -> T { 0 as T }
           pub fn f() -> f32 { zero::<f32>() + zero() }
           pub fn g() -> f32 { zero::<f32, f64>() + sum::<f32>([1.0]) }"#,
        expect![[r#"
            error: `zero` takes 1 type argument, not 2
              at `f32, f64`
              help: leave them out: types are found from the arguments
              and `fn zero<T: Num>() -> T`: `zero` is declared here
            error: `sum` takes no type arguments
              at `f32`
              help: leave them out: types are found from the arguments
        "#]],
    );
}

#[test]
fn function_parameters_of_generic_functions() {
    check(
        r#"fn apply<A, B>(f: impl Fn(A) -> B, xs: [A]) -> [B] { xs.map(f) }
           pub fn f(xs: [f32]) -> [i32] { apply(|x| x as i32, xs) }"#,
        expect![[r#"
            fn apply(f: impl Fn(f32) -> i32, xs: [f32]) -> [i32] {
                map(xs, f)
            }
            pub fn f(xs: [f32]) -> [i32] {
                apply(xs, |x: f32| (x as i32))
            }
        "#]],
    );
}

#[test]
fn arrays_of_arrays_as_instances() {
    check(
        r#"fn first<T>(xs: [T]) -> T { xs[0] }
           pub fn f(n: usize) -> [usize] { first(for i in 0..n { 0..i }) }"#,
        expect![[r#"
            fn first(xs: [[usize]]) -> [usize] {
                xs[0usize]
            }
            pub fn f(n: usize) -> [usize] {
                first(map((0usize..n), |i: usize| { (0usize..i) }))
            }
        "#]],
    );
}
