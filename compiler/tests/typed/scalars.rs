//! Scalar types: operands, literals, casts, scalar functions.

use crate::check;
use expect_test::expect;

#[test]
fn operands_of_two_types() {
    check(
        r#"pub fn f(x: f32, n: i32) -> f32 { x + n }
           pub fn g(x: f32) -> f32 { 2 * x + x * 3 }
           pub fn h(i: i32, n: usize) -> bool { i < n }
           pub fn i(x: f32, y: f64) -> bool { x == y }
           pub fn j(n: usize) -> usize { n + 1.5 }"#,
        expect![[r#"
            error: `+` cannot be applied to `f32` and `i32`
              at `x + n`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as f32`
            error: `*` cannot be applied to an integer and `f32`
              at `2 * x`
              both operands have one type; nothing is converted by itself
              help: write `2.0`
            error: `*` cannot be applied to `f32` and an integer
              at `x * 3`
              both operands have one type; nothing is converted by itself
              help: write `3.0`
            error: `<` cannot be applied to `i32` and `usize`
              at `i < n`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as usize`
            error: `==` cannot be applied to `f32` and `f64`
              at `x == y`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as f64`
            error: `+` cannot be applied to `usize` and a float
              at `n + 1.5`
              both operands have one type; nothing is converted by itself
              help: write an integer, or convert the other value to a float
        "#]],
    );
}

#[test]
fn operators_on_other_types() {
    check(
        r#"pub fn f(xs: [f32], ys: [f32]) -> [f32] { xs + ys }
           pub fn g(xs: [f32], ys: [f32]) -> bool { xs == ys }
           pub fn h(a: bool, b: bool) -> bool { a + b }
           pub fn i(a: (i32, i32), b: (i32, i32)) -> bool { a < b }
           pub fn j(x: f32) -> f32 { x & 1.0 }
           pub fn k(x: f32, n: i32) -> i32 { n << x }
           pub fn l(x: i32) -> bool { !x && x }
           pub fn m(xs: [f32]) -> [f32] { -xs }
           pub fn n(n: usize, b: bool, x: f32) -> i32 { (-n, -b, !x); 1 }"#,
        expect![[r#"
            error: `+` cannot be applied to `[f32]`
              at `xs + ys`
              it is for integers and floats
              help: apply it to each pair of elements: `zip(xs, ys).map(|(x, y)| x + y)`
            error: `==` cannot be applied to `[f32]`
              at `xs == ys`
              it is for scalars, complex numbers and tuples of these
              help: compare element by element: `zip(xs, ys).all(|(x, y)| x == y)`
            error: `+` cannot be applied to `bool`
              at `a + b`
              it is for integers and floats
              help: convert it to an integer, or use `||`
            error: `<` cannot be applied to `(i32, i32)`
              at `a < b`
              it is for scalars
              help: apply it to the fields
            error: `&` cannot be applied to `f32`
              at `x & 1.0`
              it is for integers and `bool`
            error: `<<` cannot be applied to `f32`
              at `n << x`
              it is for integers
            error: expected `bool`, found `i32`
              at `!x`
              an operand of `&&` is a `bool`
              help: compare it: `… != 0`
            error: expected `bool`, found `i32`
              at `x`
              an operand of `&&` is a `bool`
              help: compare it: `… != 0`
            error: `-` cannot be applied to `[f32]`
              at `-xs`
              it is for signed integers and floats
              help: apply it to each element with `map`
            error: `-` cannot be applied to `usize`
              at `-n`
              it is for signed integers and floats
              help: convert it to a signed type with `as` first
            error: `-` cannot be applied to `bool`
              at `-b`
              it is for signed integers and floats
              help: negate a `bool` with `!`
            error: `!` cannot be applied to `f32`
              at `!x`
              it is for integers and `bool`
        "#]],
    );
}

#[test]
fn literals_out_of_range() {
    check(
        r#"pub fn f() -> (u8, i8, i8, u32, f32, i32) { (256, -128, 128, -1, 1e39, 3_000_000_000) }
           pub fn g(x: u8) -> u8 { match x { 300 => 1, -1 => 2, _ => 3 } }
           pub fn h() -> (u64, usize) { (3_000_000_000 as u64, 300u8 as usize) }"#,
        expect![[r#"
            error: `256` does not fit `u8`
              at `256`
              its values are 0 to 255
            error: `128` does not fit `i8`
              at `128`
              its values are -128 to 127
            error: `-1` does not fit `u32`
              at `-1`
              its values are 0 to 4294967295
            error: `1e39` does not fit `f32`
              at `1e39`
              it is too large
            error: `3000000000` does not fit `i32`
              at `3_000_000_000`
              its values are -2147483648 to 2147483647
            error: `300` does not fit `u8`
              at `300`
              its values are 0 to 255
            error: `-1` does not fit `u8`
              at `-1`
              its values are 0 to 255
            error: `300` does not fit `u8`
              at `300u8`
              its values are 0 to 255
        "#]],
    );
}

#[test]
fn casts() {
    check(
        r#"pub fn a(x: i32) -> bool { x as bool }
           pub fn b(x: bool) -> f32 { x as f32 }
           pub fn c(x: [i32]) -> [f32] { x as [f32] }
           pub fn d(x: (i32, i32)) -> f32 { x as f32 }
           pub fn e(x: i32) -> f32 { x as Foo }
           pub fn g(x: i32) -> f32 { x as _ }"#,
        expect![[r#"
            error: `i32` cannot become `bool`
              at `x as bool`
              help: compare it: `… != 0`
            error: `bool` cannot become `f32`
              at `x as f32`
              help: go through an integer: `… as u8 as f32`
            error: `[i32]` cannot be converted with `as`
              at `x as [f32]`
              it is for scalars
              help: apply it to each element with `map`
            error: `(i32, i32)` cannot be converted with `as`
              at `x as f32`
              it is for scalars
            error: cannot find type `Foo`
              at `Foo`
              help: types are scalars, structs of the block, tuples and arrays `[T]`
        "#]],
    );
}

#[test]
fn casts_of_all_kinds() {
    check(
        r#"pub fn a(x: i32, b: bool, y: f64) -> (u8, f32, i64, i32, u32, f64, bool) {
               (x as u8, x as f32, b as i64, y as i32, 97u8 as u32, b'a' as f64, b as bool)
           }"#,
        expect![[r#"
            pub fn a(x: i32, b: bool, y: f64) -> (u8, f32, i64, i32, u32, f64, bool) {
                ((x as u8), (x as f32), (b as i64), (y as i32), (97u8 as u32), (97u8 as f64), b)
            }
        "#]],
    );
}

#[test]
fn scalar_functions() {
    check(
        r#"pub fn a(n: i32) -> i32 { n.pow(2) }
           pub fn b(n: i32) -> i32 { n.sqrt() }
           pub fn c() -> f64 { sqrt(2) }
           pub fn d(n: u32) -> u32 { n.abs() }
           pub fn e(x: f32) -> u32 { x.count_ones() }
           pub fn f(x: f32) -> f32 { x.max() + x.max(1, 2) + x.clamp(0.0) }
           pub fn g(x: f32, n: i32) -> f32 { x.max(n) + n.rotate_left(3i32) as f32 }
           pub fn h(xs: [f32]) -> f32 { sqrt(xs) + xs.abs() }
           pub fn i(xs: [f32], ys: [f32]) -> [f32] { xs.max(ys) }"#,
        expect![[r#"
            error: `pow` cannot be applied to `i32`
              at `n.pow(2)`
              it is for floats
              help: that of integers is `x.wrapping_pow(2)`
            error: `sqrt` cannot be applied to `i32`
              at `n.sqrt()`
              it is for floats
              help: write `2.0` for `2`; convert other integers with `as f32` or `as f64`
            error: `sqrt` cannot be applied to an integer
              at `sqrt(2)`
              it is for floats
              help: write `2.0` for `2`; convert other integers with `as f32` or `as f64`
            error: `abs` cannot be applied to `u32`
              at `n.abs()`
              it is for signed integers and floats
            error: `count_ones` cannot be applied to `f32`
              at `x.count_ones()`
              it is for integers
            error: `max` takes 2 arguments, not 1
              at `x.max()`
              it is called as `max(x, y)`
            error: `max` takes 2 arguments, not 3
              at `x.max(1, 2)`
              it is called as `max(x, y)`
            error: `clamp` takes 3 arguments, not 2
              at `x.clamp(0.0)`
              it is called as `clamp(x, y, z)`
            error: expected `f32`, found `i32`
              at `n`
              the arguments of `max` have one type
              help: convert it: `… as f32`
            error: expected `u32`, found `i32`
              at `3i32`
              the amount of a rotation is a `u32`
              help: convert it: `… as u32`
            error: `sqrt` cannot be applied to `[f32]`
              at `sqrt(xs)`
              it is for floats
              help: apply it to each element with `map`
            error: `abs` cannot be applied to `[f32]`
              at `xs.abs()`
              it is for signed integers and floats
              help: apply it to each element with `map`
            error: `max` of two values is for scalars
              at `xs.max(ys)`
              of an array it is `xs.max() -> T`
              help: for each pair of elements: `zip(xs, ys).map(|(x, y)| x.max(y))`
        "#]],
    );
}

#[test]
fn arguments_of_other_types() {
    check(
        r#"pub fn a(x: f32) -> f32 { x.powi(2.0) }
           pub fn b(x: i32) -> i32 { x.wrapping_pow(x) }
           pub fn c(x: i32) -> i32 { x.isqrt() }
           pub fn d(x: u32) -> u32 { x.unsigned_abs() }
           pub fn e(x: i32) -> i32 { abs_diff(x, 1) }
           pub fn f(x: i32) -> i32 { x.erf() }
           pub fn g(x: f32) -> f32 { x.atan2(1.0f64) }
           pub fn h(x: f32) -> f32 { x.log() }
           pub fn i(x: f32) -> f32 { x.is_nan() }
           pub fn j(x: bool) -> bool { x.rem_euclid(x) }
           pub fn k() -> i32 { (-4).div_ceil(2) }"#,
        expect![[r#"
            error: expected `i32`, found a float
              at `2.0`
              the exponent of `powi` is an `i32`; `pow` takes a float
              help: write an integer, or convert the other value to a float
            error: expected `u32`, found `i32`
              at `x`
              the exponent is a `u32`
              help: convert it: `… as u32`
            error: `isqrt` cannot be applied to `i32`
              at `x.isqrt()`
              it is for unsigned integers
            error: `unsigned_abs` cannot be applied to `u32`
              at `x.unsigned_abs()`
              it is for signed integers
            error: expected `i32`, found `u32`
              at `abs_diff(x, 1)`
              this is the result type of `e`
              help: convert it: `… as i32`
            error: `erf` cannot be applied to `i32`
              at `x.erf()`
              it is for floats
              help: write `2.0` for `2`; convert other integers with `as f32` or `as f64`
            error: expected `f32`, found `f64`
              at `1.0f64`
              the arguments of `atan2` have one type
              help: convert it: `… as f32`
            error: `log` takes 2 arguments, not 1
              at `x.log()`
              it is called as `log(x, y)`
              help: the natural logarithm is `ln`
            error: expected `f32`, found `bool`
              at `x.is_nan()`
              this is the result type of `i`
            error: `rem_euclid` cannot be applied to `bool`
              at `x.rem_euclid(x)`
              it is for integers and floats
            error: `div_ceil` cannot be applied to `i32`
              at `(-4).div_ceil(2)`
              it is for unsigned integers
        "#]],
    );
}

#[test]
fn results_of_other_types() {
    check(
        r#"const SMALLEST: u8 = unsigned_abs(-128i8);
           pub fn a(x: i8, y: i8) -> (u8, u32, bool) { (x.abs_diff(y), x.leading_ones(), is_nan(1.0)) }
           pub fn b() -> u32 { abs_diff(-3, 4) }
           pub fn c(n: usize) -> usize { n.abs_diff(3).isqrt().saturating_sub(1) + SMALLEST as usize }"#,
        expect![[r#"
            pub fn a(x: i8, y: i8) -> (u8, u32, bool) {
                (abs_diff(x, y), leading_ones(x), is_nan(1.0f64))
            }
            pub fn b() -> u32 {
                abs_diff(-3i32, 4i32)
            }
            pub fn c(n: usize) -> usize {
                (saturating_sub(isqrt(abs_diff(n, 3usize)), 1usize) + (128u8 as usize))
            }
        "#]],
    );
}

#[test]
fn defaults_are_checked() {
    check(
        r#"pub fn f() -> i32 { let x = 1; let y = -x; let z = abs(-3); let u: u32 = 4; -u; y }"#,
        expect![[r#"
            error: `-` cannot be applied to `u32`
              at `-u`
              it is for signed integers and floats
              help: convert it to a signed type with `as` first
        "#]],
    );
}

#[test]
fn suffixes() {
    check(
        r#"pub fn f() -> f32 { 1f32 + 2u8 + 1.5 }"#,
        expect![[r#"
            error: `+` cannot be applied to `f32` and `u8`
              at `1f32 + 2u8`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as f32`
        "#]],
    );
}

#[test]
fn shifts_take_any_amount() {
    check(
        r#"pub fn f(x: u8, n: u64, s: i16) -> u8 { (x << n) >> s << 1 << 2u32 }"#,
        expect![[r#"
            pub fn f(x: u8, n: u64, s: i16) -> u8 {
                ((((x << (n as u8)) >> (s as u8)) << 1u8) << (2u32 as u8))
            }
        "#]],
    );
}

#[test]
fn wrapping_and_checked() {
    check(
        r#"pub fn f(n: usize, m: usize, i: i32) -> (usize, usize, i32) { (n - m, n.wrapping_sub(m), i - 1) }"#,
        expect![[r#"
            pub fn f(n: usize, m: usize, i: i32) -> (usize, usize, i32) {
                ((n - m), wrapping_sub(n, m), (i - 1i32))
            }
        "#]],
    );
}

#[test]
fn casts_to_arrays() {
    check(
        r#"pub fn f(x: i32) -> [f32] { x as [f32] }
           pub fn g(x: i32) -> i32 { let y: i32 = x as [i32; 3]; y }"#,
        expect![[r#"
            error: `i32` cannot become `[f32]`
              at `x as [f32]`
              `as` gives scalars only
            error: `i32` cannot become `[i32]`
              at `x as [i32; 3]`
              `as` gives scalars only
        "#]],
    );
}

#[test]
fn literals_of_both_kinds() {
    check(
        r#"pub fn f() -> f32 { 1.5i32 as f32 }"#,
        expect![[r#"
            error: a float literal cannot be of type `i32`
              at `1.5i32`
              help: write an integer, or a float type: `1.5f32`
        "#]],
    );
}

#[test]
fn casts_to_what_is_inferred() {
    check(
        r#"pub fn f(x: i32) -> f32 { let y: f32 = x as _; y }"#,
        expect![[r#"
            pub fn f(x: i32) -> f32 {
                let y: f32 = (x as f32);
                y
            }
        "#]],
    );
}

#[test]
fn operands_known_late() {
    check(
        r#"pub fn f(xs: [bool]) -> bool { let mut e = []; let r = e.map(|x| x & x); let s = e.map(|x| x == x); let t = e.map(|x| x < x); e = xs; r[0] }
           pub fn g(xs: [f32]) -> f32 { let mut e = []; let r = e.map(|x| x & x); e = xs; r[0] }
           pub fn h(ys: [f32]) -> f32 { let mut e = []; let r = e.map(|x| x.rotate_left(1)); e = [ys]; 1.0 }"#,
        expect![[r#"
            error: `&` cannot be applied to `f32`
              at `x & x`
              it is for integers and `bool`
        "#]],
    );
}

#[test]
fn numbers_without_a_point() {
    check(
        r#"pub fn a(xs: [f32]) -> f32 { xs.fold(0, |a, x| a + x) }
           pub fn b(xs: [f32]) -> f32 { let mut t = 0; for x in xs { t = max(t, x); } t }
           pub fn c(n: usize) -> [f32] { let mut v = fill(0, n); v[0] = 1.5; v }
           pub fn d() -> [f32] { for i in 0..10 { i * 0.5 } }
           pub fn e(x: i32, y: f64) -> f64 { x + y }"#,
        expect![[r#"
            error: `+` cannot be applied to an integer and `f32`
              at `a + x`
              both operands have one type; nothing is converted by itself
              help: a number without a point is an integer: write it with one, `0.0` for `0`
            error: expected an integer, found `f32`
              at `x`
              the arguments of `max` have one type
              help: a number without a point is an integer: write it with one, `0.0` for `0`
            error: expected an integer, found a float
              at `1.5`
              this is the type of what is assigned to
              help: a number without a point is an integer: write it with one, `0.0` for `0`
            error: expected `[f32]`, found `[integer]`
              at `v`
              this is the result type of `c`
            error: `*` cannot be applied to an integer and a float
              at `i * 0.5`
              both operands have one type; nothing is converted by itself
              help: write an integer, or convert the other value to a float
            error: `+` cannot be applied to `i32` and `f64`
              at `x + y`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as f64`
        "#]],
    );
}
