//! Operators: their index spaces, bodies and consumers.

use super::check;

#[test]
fn generate() {
    check(
        "pub fn f(n: usize) -> [usize] { generate(n, |i| i + 1) }",
        r#"
        f(n: %0: usize) -> [usize; n]
          %1: bool = le %0, 9223372036854775807
          check %1 <too large> (%0)
          %4: [usize; n] = build %2 < %0 {
            %3: usize = add %2, 1
            yield %3
          }
          return %4
        "#,
    );
}

#[test]
fn fill() {
    check(
        "pub fn f(v: f32, n: usize) -> [f32; n] { fill(v, n) }",
        r#"
        f(v: %0: f32; n: %1: usize) -> [f32; n]
          %2: bool = le %1, 9223372036854775807
          check %2 <too large> (%1)
          %4: [f32; n] = build %3 < %1 {
            yield %0
          }
          return %4
        "#,
    );
}

#[test]
fn map_over_zip() {
    check(
        "pub fn f(xs: [f32; n], ys: [f32; n]) -> [f32; n] { zip(xs, ys).map(|(x, y)| x * y) }",
        r#"
        f(xs: %1: [f32; n]; ys: %3: [f32; n]) -> [f32; n]
          %0: usize = len %1
          %2: usize = len %3
          %4: bool = eq %0, %2
          check %4 <sizes of xs and ys> (%0, %2)
          %9: [f32; n] = build %5 < %0 {
            %6: f32 = %1[%5]
            %7: f32 = %3[%5]
            %8: f32 = mul %6, %7
            yield %8
          }
          return %9
        "#,
    );
}

#[test]
fn for_over_range() {
    check(
        "pub fn f(xs: [f32; n]) -> [f32; n] { for i in 0..n { xs[i] } }",
        r#"
        f(xs: %1: [f32; n]) -> [f32; n]
          %0: usize = len %1
          %3: [usize; n] = build %2 < %0 {
            yield %2
          }
          %6: [f32; n] = build %4 < %0 {
            %5: f32 = %1[%4]
            yield %5
          }
          return %6
        "#,
    );
}

#[test]
fn unzip_and_enumerate_cost_nothing() {
    check(
        "pub fn f(ps: [(i32, f32); n]) -> [(usize, f32); n] { let (_, b) = ps.unzip(); b.enumerate() }",
        r#"
        f(ps: %1: [i32; n], %2: [f32; n]) -> [usize; n], [f32; n]
          %0: usize = len %1
          %4: [usize; n] = build %3 < %0 {
            yield %3
          }
          return %4, %2
        "#,
    );
}

#[test]
fn range_of_i32() {
    check(
        "pub fn f(a: i32, b: i32) -> [i32] { a..b }",
        r#"
        f(a: %0: i32; b: %1: i32) -> [i32; α0]
          %2: bool = lt %0, %1
          %3: usize = cast %0
          %4: usize = cast %1
          %5: usize = sub %4, %3
          %6: usize = select %2, %5, 0
          %10: [i32; α0] = build %7 < %6 {
            %8: i32 = cast %7
            %9: i32 = add %0, %8
            yield %9
          }
          return %10
        "#,
    );
}

#[test]
fn gather() {
    check(
        "pub fn f(xs: [f32], ix: [usize]) -> [f32] { xs.gather(ix) }",
        r#"
        f(xs: %1: [f32; len(xs)]; ix: %3: [usize; len(ix)]) -> [f32; len(ix)]
          %0: usize = len %1
          %2: usize = len %3
          %8: [f32; len(ix)] = build %4 < %2 {
            %5: usize = %3[%4]
            %6: bool = lt %5, %0
            check %6 <index> (%5, %0)
            %7: f32 = %1[%5]
            yield %7
          }
          return %8
        "#,
    );
}

#[test]
fn rev() {
    check(
        "pub fn f(xs: [i32]) -> [i32] { xs.rev() }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; len(xs)]
          %0: usize = len %1
          %6: [i32; len(xs)] = build %2 < %0 {
            %3: usize = sub %0, 1
            %4: usize = sub %3, %2
            %5: i32 = %1[%4]
            yield %5
          }
          return %6
        "#,
    );
}

#[test]
fn rotate_left() {
    check(
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.rotate_left(k) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> [i32; len(xs)]
          %0: usize = len %1
          %3: bool = le %2, %0
          check %3 <index> (%2, %0)
          %4: usize = sub %0, %2
          %11: [i32; len(xs)] = build %5 < %0 {
            %6: bool = ge %5, %4
            %7: usize = sub %5, %4
            %8: usize = add %5, %2
            %9: usize = select %6, %7, %8
            %10: i32 = %1[%9]
            yield %10
          }
          return %11
        "#,
    );
}

#[test]
fn take() {
    check(
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.take(k) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> [i32; α2]
          %0: usize = len %1
          %3: usize = min %0, %2
          %6: [i32; α2] = build %4 < %3 {
            %5: i32 = %1[%4]
            yield %5
          }
          return %6
        "#,
    );
}

#[test]
fn skip() {
    check(
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.skip(k) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> [i32; α2]
          %0: usize = len %1
          %3: bool = gt %0, %2
          %4: usize = sub %0, %2
          %5: usize = select %3, %4, 0
          %9: [i32; α2] = build %6 < %5 {
            %7: usize = add %2, %6
            %8: i32 = %1[%7]
            yield %8
          }
          return %9
        "#,
    );
}

#[test]
fn step_by() {
    check(
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.step_by(k) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> [i32; α2]
          %0: usize = len %1
          %3: bool = ne %2, 0
          check %3 <step of `step_by`> ()
          %4: bool = eq %0, 0
          %5: usize = sub %0, 1
          %6: usize = div %5, %2
          %7: usize = add %6, 1
          %8: usize = select %4, 0, %7
          %12: [i32; α2] = build %9 < %8 {
            %10: usize = mul %9, %2
            %11: i32 = %1[%10]
            yield %11
          }
          return %12
        "#,
    );
}

#[test]
fn split_at() {
    check(
        "pub fn f(xs: [i32], k: usize) -> ([i32], [i32]) { xs.split_at(k) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> [i32; k], [i32; len(xs) - k]
          %0: usize = len %1
          %3: bool = le %2, %0
          check %3 <slice> (0, %2, %0)
          %4: usize = sub %0, %2
          %7: [i32; k] = build %5 < %2 {
            %6: i32 = %1[%5]
            yield %6
          }
          %11: [i32; len(xs) - k] = build %8 < %4 {
            %9: usize = add %2, %8
            %10: i32 = %1[%9]
            yield %10
          }
          return %7, %11
        "#,
    );
}

#[test]
fn chain() {
    check(
        "pub fn f(xs: [i32; n], ys: [i32; m]) -> [i32] { xs.chain(ys) }",
        r#"
        f(xs: %1: [i32; n]; ys: %3: [i32; m]) -> [i32; n + m]
          %0: usize = len %1
          %2: usize = len %3
          %4: usize = add %0, %2
          %11: [i32; n + m] = build %5 < %4 {
            %6: bool = lt %5, %0
            %10: i32 = if %6 {
              %7: i32 = %1[%5]
              yield %7
            } else {
              %8: usize = sub %5, %0
              %9: i32 = %3[%8]
              yield %9
            }
            yield %10
          }
          return %11
        "#,
    );
}

#[test]
fn repeat() {
    check(
        "pub fn f(xs: [i32]) -> [i32] { xs.repeat(2) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; 2*len(xs)]
          %0: usize = len %1
          %2: usize = mul %0, 2
          %6: [i32; 2*len(xs)] = build %3 < %2 {
            %4: usize = rem %3, %0
            %5: i32 = %1[%4]
            yield %5
          }
          return %6
        "#,
    );
}

#[test]
fn pairwise() {
    check(
        "pub fn f(xs: [i32]) -> [i32] { xs.pairwise(|a, b| b - a) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; α1]
          %0: usize = len %1
          %2: bool = gt %0, 1
          %3: usize = sub %0, 1
          %4: usize = select %2, %3, 0
          %10: [i32; α1] = build %5 < %4 {
            %6: i32 = %1[%5]
            %7: usize = add %5, 1
            %8: i32 = %1[%7]
            %9: i32 = sub %8, %6
            yield %9
          }
          return %10
        "#,
    );
}

#[test]
fn slice() {
    check(
        "pub fn f(xs: [i32], lo: usize, hi: usize) -> [i32] { xs[lo..hi] }",
        r#"
        f(xs: %1: [i32; len(xs)]; lo: %2: usize; hi: %3: usize) -> [i32; hi - lo]
          %0: usize = len %1
          %4: bool = le %2, %3
          check %4 <slice> (%2, %3, %0)
          %5: bool = le %3, %0
          check %5 <slice> (%2, %3, %0)
          %6: usize = sub %3, %2
          %10: [i32; hi - lo] = build %7 < %6 {
            %8: usize = add %2, %7
            %9: i32 = %1[%8]
            yield %9
          }
          return %10
        "#,
    );
}

#[test]
fn first_and_last_or() {
    check(
        "pub fn f(xs: [i32]) -> i32 { xs.first() + xs.last_or(7) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> i32
          %0: usize = len %1
          %2: bool = gt %0, 0
          check %2 <empty for `first`> ()
          %3: i32 = %1[0]
          %4: usize = sub %0, 1
          %5: i32 = %1[%4]
          %6: i32 = add %3, %5
          return %6
        "#,
    );
}

#[test]
fn literal() {
    check(
        "pub fn f(x: f32) -> [(f32, i32)] { [(x, 1), (0.5, 2)] }",
        r#"
        f(x: %0: f32) -> [f32; 2], [i32; 2]
          %1: [f32; 2] = [%0, 0.5]
          %2: [i32; 2] = [1, 2]
          return %1, %2
        "#,
    );
}

#[test]
fn scatter() {
    check(
        "pub fn f(into: [(i32, f32)], ix: [usize; m], vs: [(i32, f32); m]) -> [(i32, f32)] { scatter(into, ix, vs) }",
        r#"
        f(into: %1: [i32; len(into)], %2: [f32; len(into)]; ix: %4: [usize; m]; vs: %6: [i32; m], %7: [f32; m]) -> [i32; len(into)], [f32; len(into)]
          %0: usize = len %1
          %3: usize = len %4
          %5: usize = len %6
          %8: bool = eq %3, %5
          check %8 <sizes of ix and vs> (%3, %5)
          %13: [i32; len(into)], %14: [f32; len(into)] = scatter into %1, %2 <index> %9 < %3 {
            %10: usize = %4[%9]
            %11: i32 = %6[%9]
            %12: f32 = %7[%9]
            yield %10, %11, %12
          }
          return %13, %14
        "#,
    );
}
