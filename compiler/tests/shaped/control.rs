//! Conditionals, loops, assignment and calls as first-order code without mutation.

use super::check;

#[test]
fn if_assigns() {
    check(
        "pub fn f(x: i32, y: i32) -> (i32, i32) { let mut a = (x, y); if x > y { a.0 = y; a.1 = x; } a }",
        r#"
        f(x: %0: i32; y: %1: i32) -> i32, i32
          %2: bool = gt %0, %1
          %3: i32 = select %2, %1, %0
          %4: i32 = select %2, %0, %1
          return %3, %4
        "#,
    );
}

#[test]
fn if_of_arrays_of_one_extent() {
    check(
        "pub fn f(xs: [i32; n], c: bool) -> [i32; n] { if c { xs.rev() } else { xs } }",
        r#"
        f(xs: %1: [i32; n]; c: %2: bool) -> [i32; n]
          %0: usize = len %1
          %8: [i32; n] = if %2 {
            %7: [i32; n] = build %3 < %0 {
              %4: usize = sub %0, 1
              %5: usize = sub %4, %3
              %6: i32 = %1[%5]
              yield %6
            }
            yield %7
          } else {
            yield %1
          }
          return %8
        "#,
    );
}

#[test]
fn if_of_arrays_of_two_extents() {
    check(
        "pub fn f(xs: [i32], ys: [i32], c: bool) -> [i32] { if c { xs } else { ys } }",
        r#"
        f(xs: %1: [i32; len(xs)]; ys: %3: [i32; len(ys)]; c: %4: bool) -> [i32; α2]
          %0: usize = len %1
          %2: usize = len %3
          %5: usize, %6: [i32; α2] = if %4 {
            yield %0, %1
          } else {
            yield %2, %3
          }
          return %6
        "#,
    );
}

#[test]
fn lazy_and_of_a_read() {
    check(
        "pub fn f(xs: [i32], k: usize) -> bool { k < len(xs) && xs[k] > 0 }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> bool
          %0: usize = len %1
          %3: bool = lt %2, %0
          %6: bool = if %3 {
            %4: i32 = %1[%2]
            %5: bool = gt %4, 0
            yield %5
          } else {
            yield false
          }
          return %6
        "#,
    );
}

#[test]
fn lazy_and_of_scalars() {
    check(
        "pub fn f(x: i32) -> bool { x > 0 && x < 9 }",
        r#"
        f(x: %0: i32) -> bool
          %1: bool = gt %0, 0
          %2: bool = lt %0, 9
          %3: bool = bitand %1, %2
          return %3
        "#,
    );
}

#[test]
fn match_with_guard() {
    check(
        "pub fn f(a: i32, b: bool) -> i32 { match (a, b) { (0, true) => 1, (x @ 1..=3, _) if x > 1 => x, (_, y) => y as i32 } }",
        r#"
        f(a: %0: i32; b: %1: bool) -> i32
          %2: bool = eq %0, 0
          %3: bool = bitand %2, %1
          %11: i32 = if %3 {
            yield 1
          } else {
            %4: bool = ge %0, 1
            %5: bool = le %0, 3
            %6: bool = bitand %4, %5
            %8: bool = if %6 {
              %7: bool = gt %0, 1
              yield %7
            } else {
              yield false
            }
            %10: i32 = if %8 {
              yield %0
            } else {
              %9: i32 = cast %1
              yield %9
            }
            yield %10
          }
          return %11
        "#,
    );
}

#[test]
fn or_pattern_binds() {
    check(
        "pub fn f(a: i32, b: i32) -> i32 { match (a, b) { (x, 0) | (0, x) => x, _ => 9 } }",
        r#"
        f(a: %0: i32; b: %1: i32) -> i32
          %2: bool = eq %1, 0
          %3: bool = eq %0, 0
          %4: bool = bitor %2, %3
          %7: i32 = if %4 {
            %5: bool = eq %1, 0
            %6: i32 = select %5, %0, %1
            yield %6
          } else {
            yield 9
          }
          return %7
        "#,
    );
}

#[test]
fn while_loop() {
    check(
        "pub fn f(n: u64) -> u32 { let mut x = n; let mut k = 0; while x > 1 { x = x / 2; k += 1; } k }",
        r#"
        f(n: %0: u64) -> u32
          %6: u64, %7: u32 = loop (%1: u64 = %0, %2: u32 = 0) while {
            %3: bool = gt %1, 1
            yield %3
          } do {
            %4: u64 = div %1, 2
            %5: u32 = add %2, 1
            next %4, %5
          }
          return %7
        "#,
    );
}

#[test]
fn while_whose_condition_assigns() {
    check(
        "pub fn f(n: u32) -> u32 { let mut i = 0; while { i += 1; i < n } {} i }",
        r#"
        f(n: %0: u32) -> u32
          %1: bool = lt 1, %0
          %6: u32, %7: bool = loop (%2: u32 = 1, %3: bool = %1) while {
            yield %3
          } do {
            %4: u32 = add %2, 1
            %5: bool = lt %4, %0
            next %4, %5
          }
          return %6
        "#,
    );
}

#[test]
fn loop_with_break_value() {
    check(
        "pub fn f(n: u32) -> u32 { let mut k = n; loop { k += 1; if k % 7 == 0 { break k; } } }",
        r#"
        f(n: %0: u32) -> u32
          %10: u32, %11: bool, %12: u32 = loop (%1: u32 = %0, %2: bool = false, %3: u32 = 0) while {
            %4: bool = not %2
            yield %4
          } do {
            %5: u32 = add %1, 1
            %6: u32 = rem %5, 7
            %7: bool = eq %6, 0
            %8: bool = bitor %7, %2
            %9: u32 = select %7, %5, %3
            next %5, %8, %9
          }
          return %12
        "#,
    );
}

#[test]
fn continue_skips_the_rest() {
    check(
        "pub fn f(xs: [i32]) -> i32 { let mut s = 0; for x in xs { if x < 0 { continue; } s += x; } s }",
        r#"
        f(xs: %1: [i32; len(xs)]) -> i32
          %0: usize = len %1
          %10: i32, %11: usize = loop (%2: i32 = 0, %3: usize = 0) while {
            %4: bool = lt %3, %0
            yield %4
          } do {
            %5: i32 = %1[%3]
            %6: bool = lt %5, 0
            %8: i32 = if %6 {
              yield %2
            } else {
              %7: i32 = add %2, %5
              yield %7
            }
            %9: usize = add %3, 1
            next %8, %9
          }
          return %10
        "#,
    );
}

#[test]
fn break_of_an_outer_loop() {
    check(
        "pub fn f(n: u32) -> u32 { let mut s = 0; 'a: for i in 0..n { for j in 0..i { if j == 9 { break 'a; } s += j; } } s }",
        r#"
        f(n: %0: u32) -> u32
          %1: usize = cast %0
          %26: u32, %27: bool, %28: usize = loop (%2: u32 = 0, %3: bool = false, %4: usize = 0) while {
            %5: bool = not %3
            %6: bool = lt %4, %1
            %7: bool = bitand %5, %6
            yield %7
          } do {
            %8: u32 = cast %4
            %9: usize = cast %8
            %22: u32, %23: bool, %24: usize = loop (%10: u32 = %2, %11: bool = %3, %12: usize = 0) while {
              %13: bool = not %11
              %14: bool = lt %12, %9
              %15: bool = bitand %13, %14
              yield %15
            } do {
              %16: u32 = cast %12
              %17: bool = eq %16, 9
              %18: bool = bitor %17, %11
              %20: u32 = if %18 {
                yield %10
              } else {
                %19: u32 = add %10, %16
                yield %19
              }
              %21: usize = add %12, 1
              next %20, %18, %21
            }
            %25: usize = add %4, 1
            next %22, %23, %25
          }
          return %26
        "#,
    );
}

#[test]
fn element_assignment() {
    check(
        "pub fn f(xs: [i32; n]) -> [i32; n] { let mut a = xs; for i in 1..n { a[i] = a[i] + a[i - 1]; } a }",
        r#"
        f(xs: %1: [i32; n]) -> [i32; n]
          %0: usize = len %1
          %2: bool = gt %0, 1
          %3: usize = sub %0, 1
          %4: usize = select %2, %3, 0
          %14: [i32; n], %15: usize = loop (%5: [i32; n] = %1, %6: usize = 0) while {
            %7: bool = lt %6, %4
            yield %7
          } do {
            %8: usize = add 1, %6
            %9: i32 = %5[%8]
            %10: i32 = %5[%6]
            %11: i32 = add %9, %10
            %12: [i32; n] = %5 with [%8] %11
            %13: usize = add %6, 1
            next %12, %13
          }
          return %14
        "#,
    );
}

#[test]
fn array_state_that_keeps_its_extent() {
    check(
        "pub fn f(xs: [i32; n], k: u32) -> [i32; n] { let mut a = xs; for i in 0..k { a = a.map(|x| x * 2); } a }",
        r#"
        f(xs: %1: [i32; n]; k: %2: u32) -> [i32; n]
          %0: usize = len %1
          %3: usize = cast %2
          %13: [i32; n], %14: usize = loop (%4: [i32; n] = %1, %5: usize = 0) while {
            %6: bool = lt %5, %3
            yield %6
          } do {
            %7: u32 = cast %5
            %11: [i32; n] = build %8 < %0 {
              %9: i32 = %4[%8]
              %10: i32 = mul %9, 2
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
fn array_state_that_grows() {
    check(
        "pub fn f(k: usize) -> [usize] { let mut a: [usize] = []; for i in 0..k { a = a.chain([i]); } a }",
        r#"
        f(k: %0: usize) -> [usize; α8]
          %1: [usize; 0] = []
          %2: bool = le %0, 9223372036854775807
          check %2 <too large> (%0)
          %18: usize, %19: [usize; α8], %20: usize = loop (%3: usize = 0, %4: [usize; α4] = %1, %5: usize = 0) while {
            %6: bool = lt %5, %0
            yield %6
          } do {
            %7: [usize; 1] = [%5]
            %8: usize = add %3, 1
            %9: bool = le %8, 9223372036854775807
            check %9 <too large> (%8)
            %16: [usize; α4 + 1] = build %10 < %8 {
              %11: bool = lt %10, %3
              %15: usize = if %11 {
                %12: usize = %4[%10]
                yield %12
              } else {
                %13: usize = sub %10, %3
                %14: usize = %7[%13]
                yield %14
              }
              yield %15
            }
            %17: usize = add %5, 1
            next %8, %16, %17
          }
          return %19
        "#,
    );
}

#[test]
fn closures_run_in_their_frame() {
    check(
        "fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 { f(f(x)) } pub fn f(xs: [i32], k: i32) -> [i32] { xs.map(|x| twice(|y| y * k, x)) }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: i32) -> [i32; len(xs)]
          %0: usize = len %1
          %7: [i32; len(xs)] = build %3 < %0 {
            %4: i32 = %1[%3]
            %5: i32 = mul %4, %2
            %6: i32 = mul %5, %2
            yield %6
          }
          return %7
        "#,
    );
}

#[test]
fn parallelism_in_parallelism() {
    check(
        "pub fn f(xs: [f32], ys: [f32]) -> [f32] { for x in xs { sum(for y in ys { x * y }) } }",
        r#"
        f(xs: %1: [f32; len(xs)]; ys: %3: [f32; len(ys)]) -> [f32; len(xs)]
          %0: usize = len %1
          %2: usize = len %3
          %16: [f32; len(xs)] = build %4 < %0 {
            %5: f32 = %1[%4]
            %9: [f32; len(ys)] = build %6 < %2 {
              %7: f32 = %3[%6]
              %8: f32 = mul %5, %7
              yield %8
            }
            %15: f32 = reduce from 0.0 %10 < %2 {
              %11: f32 = %9[%10]
              yield %11
            } by (%12; %13) neutral -0.0 {
              %14: f32 = add %12, %13
              yield %14
            }
            yield %15
          }
          return %16
        "#,
    );
}

#[test]
fn assertion() {
    check(
        r#"pub fn f(x: f32) -> f32 { assert!(x >= 0.0, "negative"); sqrt(x) }"#,
        r#"
        f(x: %0: f32) -> f32
          %1: bool = ge %0, 0.0
          check %1 <assert "negative"> ()
          %2: f32 = sqrt %0
          return %2
        "#,
    );
}
