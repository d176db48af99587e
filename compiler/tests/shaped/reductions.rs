//! Reductions, folds and scans: neutral elements and the order of operands.

use super::check;

#[test]
fn sum_of_floats() {
    check(
        "pub fn f(xs: [f64]) -> f64 { xs.sum() }",
        r#"
        f(xs: %1: [f64; len(xs)]) -> f64
          %0: usize = len %1
          %7: f64 = reduce from 0.0 %2 < %0 {
            %3: f64 = %1[%2]
            yield %3
          } by (%4; %5) neutral -0.0 {
            %6: f64 = add %4, %5
            yield %6
          }
          return %7
        "#,
    );
}

#[test]
fn count() {
    check(
        "pub fn f(xs: [i32]) -> usize { xs.count(|x| x > 1) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> usize
          %0: usize = len %1
          %9: usize = reduce from 0 %2 < %0 {
            %3: i32 = %1[%2]
            %4: bool = gt %3, 1
            %5: usize = cast %4
            yield %5
          } by (%6; %7) neutral 0 {
            %8: usize = add %6, %7
            yield %8
          }
          return %9
        "#,
    );
}

#[test]
fn any() {
    check(
        "pub fn f(xs: [bool]) -> bool { xs.any() }",
        r#"
        f(xs: %1: [bool; len(xs)]) -> bool
          %0: usize = len %1
          %7: bool = reduce from false %2 < %0 {
            %3: bool = %1[%2]
            yield %3
          } by (%4; %5) neutral false {
            %6: bool = bitor %4, %5
            yield %6
          }
          return %7
        "#,
    );
}

#[test]
fn max_of_u8() {
    check(
        "pub fn f(xs: [u8]) -> u8 { xs.max() }",
        r#"
        f(xs: %1: [u8; len(xs)]) -> u8
          %0: usize = len %1
          %2: bool = gt %0, 0
          check %2 <empty for `max`> ()
          %8: u8 = reduce from 0 %3 < %0 {
            %4: u8 = %1[%3]
            yield %4
          } by (%5; %6) neutral 0 {
            %7: u8 = max %5, %6
            yield %7
          }
          return %8
        "#,
    );
}

#[test]
fn min_or() {
    check(
        "pub fn f(xs: [f32]) -> f32 { xs.min_or(0.0) }",
        r#"
        f(xs: %1: [f32; len(xs)]) -> f32
          %0: usize = len %1
          %7: f32 = reduce from NaN %2 < %0 {
            %3: f32 = %1[%2]
            yield %3
          } by (%4; %5) neutral NaN {
            %6: f32 = min %4, %5
            yield %6
          }
          %8: bool = eq %0, 0
          %9: f32 = select %8, 0.0, %7
          return %9
        "#,
    );
}

#[test]
fn mean() {
    check(
        "pub fn f(xs: [f32]) -> f32 { xs.mean() }",
        r#"
        f(xs: %1: [f32; len(xs)]) -> f32
          %0: usize = len %1
          %2: bool = gt %0, 0
          check %2 <empty for `mean`> ()
          %8: f32 = reduce from 0.0 %3 < %0 {
            %4: f32 = %1[%3]
            yield %4
          } by (%5; %6) neutral -0.0 {
            %7: f32 = add %5, %6
            yield %7
          }
          %9: f32 = cast %0
          %10: f32 = div %8, %9
          return %10
        "#,
    );
}

#[test]
fn argmin_of_integers() {
    check(
        "pub fn f(xs: [i32]) -> usize { xs.argmin() }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> usize
          %0: usize = len %1
          %2: bool = gt %0, 0
          check %2 <empty for `argmin`> ()
          %17: i32, %18: usize = reduce from 2147483647, 18446744073709551615 %3 < %0 {
            %4: i32 = %1[%3]
            yield %4, %3
          } by (%5, %6; %7, %8) neutral 2147483647, 18446744073709551615 {
            %9: bool = before(min) %7, %5
            %10: bool = before(min) %5, %7
            %11: bool = not %10
            %12: bool = lt %8, %6
            %13: bool = bitand %11, %12
            %14: bool = bitor %9, %13
            %15: i32 = select %14, %7, %5
            %16: usize = select %14, %8, %6
            yield %15, %16
          }
          return %18
        "#,
    );
}

#[test]
fn argmax_of_floats() {
    check(
        "pub fn f(xs: [f32]) -> usize { xs.argmax() }",
        r#"
        f(xs: %1: [f32; len(xs)]) -> usize
          %0: usize = len %1
          %2: bool = gt %0, 0
          check %2 <empty for `argmax`> ()
          %17: f32, %18: usize = reduce from NaN, 18446744073709551615 %3 < %0 {
            %4: f32 = %1[%3]
            yield %4, %3
          } by (%5, %6; %7, %8) neutral NaN, 18446744073709551615 {
            %9: bool = before(max) %7, %5
            %10: bool = before(max) %5, %7
            %11: bool = not %10
            %12: bool = lt %8, %6
            %13: bool = bitand %11, %12
            %14: bool = bitor %9, %13
            %15: f32 = select %14, %7, %5
            %16: usize = select %14, %8, %6
            yield %15, %16
          }
          return %18
        "#,
    );
}

#[test]
fn recognised_sum_of_sizes_has_no_checks() {
    check(
        "pub fn f(xs: [usize]) -> usize { xs.reduce(0, |a, b| a + b) }",
        r#"
        f(xs: %1: [usize; len(xs)]) -> usize
          %0: usize = len %1
          %7: usize = reduce from 0 %2 < %0 {
            %3: usize = %1[%2]
            yield %3
          } by (%4; %5) neutral 0 {
            %6: usize = add %4, %5
            yield %6
          }
          return %7
        "#,
    );
}

#[test]
fn recognised_per_component() {
    check(
        "pub fn f(xs: [(i32, u8)]) -> (i32, u8) { xs.reduce((0, 255), |(a, b), (c, d)| (max(a, c), b & d)) }",
        r#"
        f(xs: %1: [i32; len(xs)], %2: [u8; len(xs)]) -> i32, u8
          %0: usize = len %1
          %12: i32, %13: u8 = reduce from 0, 255 %3 < %0 {
            %4: i32 = %1[%3]
            %5: u8 = %2[%3]
            yield %4, %5
          } by (%6, %7; %8, %9) neutral -2147483648, 255 {
            %10: i32 = max %6, %8
            %11: u8 = bitand %7, %9
            yield %10, %11
          }
          return %12, %13
        "#,
    );
}

#[test]
fn other_operator() {
    check(
        "pub fn f(xs: [(i32, i32)]) -> (i32, i32) { xs.reduce((1, 0), |(a, b), (c, d)| (a * c, b * c + d)) }",
        r#"
        f(xs: %1: [i32; len(xs)], %2: [i32; len(xs)]) -> i32, i32
          %0: usize = len %1
          %13: i32, %14: i32 = reduce from 1, 0 %3 < %0 {
            %4: i32 = %1[%3]
            %5: i32 = %2[%3]
            yield %4, %5
          } by (%6, %7; %8, %9) {
            %10: i32 = mul %6, %8
            %11: i32 = mul %7, %8
            %12: i32 = add %11, %9
            yield %10, %12
          }
          return %13, %14
        "#,
    );
}

#[test]
fn fold() {
    check(
        "pub fn f(xs: [bool]) -> u32 { xs.fold(0, |acc, b| acc * 2 + b as u32) }",
        r#"
        f(xs: %1: [bool; len(xs)]) -> u32
          %0: usize = len %1
          %9: u32 = fold from 0 %2 < %0 {
            %3: bool = %1[%2]
            yield %3
          } step (%4; %5) {
            %6: u32 = mul %4, 2
            %7: u32 = cast %5
            %8: u32 = add %6, %7
            yield %8
          }
          return %9
        "#,
    );
}

#[test]
fn fold_of_an_array_is_a_loop() {
    check(
        "pub fn f(xs: [i32], ys: [i32; m]) -> [i32; m] { xs.fold(ys, |acc, x| acc.map(|y| y * x)) }",
        r#"
        f(xs: %1: [i32; len(xs)]; ys: %3: [i32; m]) -> [i32; m]
          %0: usize = len %1
          %2: usize = len %3
          %13: [i32; m], %14: usize = loop (%4: [i32; m] = %3, %5: usize = 0) while {
            %6: bool = lt %5, %0
            yield %6
          } do {
            %7: i32 = %1[%5]
            %11: [i32; m] = build %8 < %2 {
              %9: i32 = %4[%8]
              %10: i32 = mul %9, %7
              yield %10
            }
            %12: usize = add %5, 1
            next %11, %12
          }
          return %13
        "#,
    );
}

#[test]
fn scan() {
    check(
        "pub fn f(xs: [i32]) -> [i32] { xs.scan(|a, b| a + b) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; len(xs)]
          %0: usize = len %1
          %7: [i32; len(xs)] = scan inclusive %2 < %0 {
            %3: i32 = %1[%2]
            yield %3
          } by (%4; %5) neutral 0 {
            %6: i32 = add %4, %5
            yield %6
          }
          return %7
        "#,
    );
}

#[test]
fn prescan() {
    check(
        "pub fn f(xs: [i32]) -> [i32] { xs.prescan(1, |a, b| a * 2 + b) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; len(xs)]
          %0: usize = len %1
          %8: [i32; len(xs)] = scan exclusive from 1 %2 < %0 {
            %3: i32 = %1[%2]
            yield %3
          } by (%4; %5) {
            %6: i32 = mul %4, 2
            %7: i32 = add %6, %5
            yield %7
          }
          return %8
        "#,
    );
}

#[test]
fn rscan_from_swaps_and_reverses() {
    check(
        "pub fn f(xs: [i32]) -> ([i32], i32) { xs.rscan_from(1, |a, b| a * 2 + b) }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> [i32; len(xs)], i32
          %0: usize = len %1
          %10: [i32; len(xs)], %11: i32 = scan exclusive with total from 1 %2 < %0 {
            %3: usize = sub %0, 1
            %4: usize = sub %3, %2
            %5: i32 = %1[%4]
            yield %5
          } by (%6; %7) {
            %8: i32 = mul %7, 2
            %9: i32 = add %8, %6
            yield %9
          }
          %16: [i32; len(xs)] = build %12 < %0 {
            %13: usize = sub %0, 1
            %14: usize = sub %13, %12
            %15: i32 = %10[%14]
            yield %15
          }
          return %16, %11
        "#,
    );
}
