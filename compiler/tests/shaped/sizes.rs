//! Sizes: what is proven, what is checked, and when.

use super::check;

#[test]
fn named_size_is_checked_once_at_entry() {
    check(
        "pub fn f(xs: [f32; n], ys: [f32; n], zs: [f32; n]) -> f32 { zip(xs, ys, zs).map(|(x, y, z)| x + y + z).sum() }",
        r#"
        f(xs: %1: [f32; n]; ys: %3: [f32; n]; zs: %5: [f32; n]) -> f32
          %0: usize = len %1
          %2: usize = len %3
          %4: usize = len %5
          %6: bool = eq %0, %2
          check %6 <sizes of xs and ys> (%0, %2)
          %7: bool = eq %0, %4
          check %7 <sizes of xs and zs> (%0, %4)
          %14: [f32; n] = build %8 < %0 {
            %9: f32 = %1[%8]
            %10: f32 = %3[%8]
            %11: f32 = %5[%8]
            %12: f32 = add %9, %10
            %13: f32 = add %12, %11
            yield %13
          }
          %20: f32 = reduce from 0.0 %15 < %0 {
            %16: f32 = %14[%15]
            yield %16
          } by (%17; %18) neutral -0.0 {
            %19: f32 = add %17, %18
            yield %19
          }
          return %20
        "#,
    );
}

#[test]
fn unnamed_sizes_are_checked_once_at_use() {
    check(
        "pub fn f(xs: [f32], ys: [f32]) -> (f32, f32) { (zip(xs, ys).map(|(x, y)| x * y).sum(), zip(ys, xs).map(|(x, y)| x + y).sum()) }",
        r#"
        f(xs: %1: [f32; len(xs)]; ys: %3: [f32; len(ys)]) -> f32, f32
          %0: usize = len %1
          %2: usize = len %3
          %4: bool = eq %0, %2
          check %4 <sizes of xs and ys> (%0, %2)
          %9: [f32; len(xs)] = build %5 < %0 {
            %6: f32 = %1[%5]
            %7: f32 = %3[%5]
            %8: f32 = mul %6, %7
            yield %8
          }
          %15: f32 = reduce from 0.0 %10 < %0 {
            %11: f32 = %9[%10]
            yield %11
          } by (%12; %13) neutral -0.0 {
            %14: f32 = add %12, %13
            yield %14
          }
          %20: [f32; len(xs)] = build %16 < %0 {
            %17: f32 = %3[%16]
            %18: f32 = %1[%16]
            %19: f32 = add %17, %18
            yield %19
          }
          %26: f32 = reduce from 0.0 %21 < %0 {
            %22: f32 = %20[%21]
            yield %22
          } by (%23; %24) neutral -0.0 {
            %25: f32 = add %23, %24
            yield %25
          }
          return %15, %26
        "#,
    );
}

#[test]
fn known_size() {
    check(
        "pub fn f(xs: [f32; 3]) -> f32 { xs[0] + xs[2] }",
        r#"
        f(xs: %1: [f32; 3]) -> f32
          %0: usize = len %1
          %2: bool = eq 3, %0
          check %2 <sizes of the type [_; 3] and xs> (3, %0)
          %3: f32 = %1[0]
          %4: f32 = %1[2]
          %5: f32 = add %3, %4
          return %5
        "#,
    );
}

#[test]
fn size_from_a_parameter() {
    check(
        "pub fn f(xs: [f32; k], k: usize) -> [f32; k] { for i in 0..k { xs[i] } }",
        r#"
        f(xs: %1: [f32; len(xs)]; k: %2: usize) -> [f32; len(xs)]
          %0: usize = len %1
          %3: bool = eq %2, %0
          check %3 <sizes of the type [_; k] and xs> (%2, %0)
          %5: [usize; len(xs)] = build %4 < %0 {
            yield %4
          }
          %8: [f32; len(xs)] = build %6 < %0 {
            %7: f32 = %1[%6]
            yield %7
          }
          return %8
        "#,
    );
}

#[test]
fn result_of_a_named_size() {
    check(
        "pub fn f(xs: [f32; n], ys: [f32]) -> [f32; n] { ys }",
        r#"
        f(xs: %1: [f32; n]; ys: %3: [f32; len(ys)]) -> [f32; len(ys)]
          %0: usize = len %1
          %2: usize = len %3
          %4: bool = eq %0, %2
          check %4 <sizes of xs and the result> (%0, %2)
          return %3
        "#,
    );
}

#[test]
fn callee_signature() {
    check(
        "fn g(xs: [i32; n], ys: [i32; n]) -> [i32; n] { for i in 0..n { xs[i] * ys[i] } } pub fn f(xs: [i32], ys: [i32]) -> [i32] { g(xs, ys) }",
        r#"
        f(xs: %1: [i32; len(xs)]; ys: %3: [i32; len(ys)]) -> [i32; len(xs)]
          %0: usize = len %1
          %2: usize = len %3
          %4: bool = eq %0, %2
          check %4 <sizes of xs and ys> (%0, %2)
          %6: [usize; len(xs)] = build %5 < %0 {
            yield %5
          }
          %11: [i32; len(xs)] = build %7 < %0 {
            %8: i32 = %1[%7]
            %9: i32 = %3[%7]
            %10: i32 = mul %8, %9
            yield %10
          }
          return %11
        "#,
    );
}

#[test]
fn stencil_with_guards_needs_no_check() {
    check(
        "pub fn f(xs: [f32; n]) -> [f32; n] { for i in 0..n { if i > 0 && i + 1 < n { xs[i - 1] + xs[i + 1] } else { xs[i] } } }",
        r#"
        f(xs: %1: [f32; n]) -> [f32; n]
          %0: usize = len %1
          %3: [usize; n] = build %2 < %0 {
            yield %2
          }
          %16: [f32; n] = build %4 < %0 {
            %5: bool = gt %4, 0
            %6: usize = add %4, 1
            %7: bool = lt %6, %0
            %8: bool = bitand %5, %7
            %15: f32 = if %8 {
              %9: usize = sub %4, 1
              %10: f32 = %1[%9]
              %11: usize = add %4, 1
              %12: f32 = %1[%11]
              %13: f32 = add %10, %12
              yield %13
            } else {
              %14: f32 = %1[%4]
              yield %14
            }
            yield %15
          }
          return %16
        "#,
    );
}

#[test]
fn inner_range_up_to_an_index() {
    check(
        "pub fn f(xs: [i32; n]) -> [i32; n] { for i in 0..n { sum(for j in 0..i { xs[j] * xs[i - 1 - j] }) } }",
        r#"
        f(xs: %1: [i32; n]) -> [i32; n]
          %0: usize = len %1
          %3: [usize; n] = build %2 < %0 {
            yield %2
          }
          %20: [i32; n] = build %4 < %0 {
            %6: [usize; i] = build %5 < %4 {
              yield %5
            }
            %13: [i32; i] = build %7 < %4 {
              %8: i32 = %1[%7]
              %9: usize = sub %4, 1
              %10: usize = sub %9, %7
              %11: i32 = %1[%10]
              %12: i32 = mul %8, %11
              yield %12
            }
            %19: i32 = reduce from 0 %14 < %4 {
              %15: i32 = %13[%14]
              yield %15
            } by (%16; %17) neutral 0 {
              %18: i32 = add %16, %17
              yield %18
            }
            yield %19
          }
          return %20
        "#,
    );
}

#[test]
fn matrix_in_one_array() {
    check(
        "pub fn f(a: [f32], n: usize, m: usize) -> f32 { let k = n * m; let b = a[0..k]; let mut s = 0.0; for i in 0..n { for j in 0..m { s += b[i * m + j]; } } s }",
        r#"
        f(a: %1: [f32; len(a)]; n: %2: usize; m: %3: usize) -> f32
          %0: usize = len %1
          %4: usize = bitor %2, %3
          %5: bool = le %4, 4294967295
          %6: bool = if %5 {
            yield true
          } else {
            %7: usize = max %3, 1
            %8: usize = div 18446744073709551615, %7
            %9: bool = le %2, %8
            yield %9
          }
          check %6 <overflow> (%2, %3)
          %10: usize = mul %2, %3
          %11: bool = le %10, %0
          check %11 <slice> (0, %10, %0)
          %14: [f32; n*m] = build %12 < %10 {
            %13: f32 = %1[%12]
            yield %13
          }
          %15: bool = le %2, 9223372036854775807
          check %15 <too large> (%2)
          %31: f32, %32: usize = loop (%16: f32 = 0.0, %17: usize = 0) while {
            %18: bool = lt %17, %2
            yield %18
          } do {
            %19: bool = le %3, 9223372036854775807
            check %19 <too large> (%3)
            %28: f32, %29: usize = loop (%20: f32 = %16, %21: usize = 0) while {
              %22: bool = lt %21, %3
              yield %22
            } do {
              %23: usize = mul %17, %3
              %24: usize = add %23, %21
              %25: f32 = %14[%24]
              %26: f32 = add %20, %25
              %27: usize = add %21, 1
              next %26, %27
            }
            %30: usize = add %17, 1
            next %28, %30
          }
          return %31
        "#,
    );
}

#[test]
fn wrapped_index() {
    check(
        "pub fn f(xs: [i32; n]) -> [i32; n] { for i in 0..n { xs[(i + 1) % n] } }",
        r#"
        f(xs: %1: [i32; n]) -> [i32; n]
          %0: usize = len %1
          %3: [usize; n] = build %2 < %0 {
            yield %2
          }
          %8: [i32; n] = build %4 < %0 {
            %5: usize = add %4, 1
            %6: usize = rem %5, %0
            %7: i32 = %1[%6]
            yield %7
          }
          return %8
        "#,
    );
}

#[test]
fn second_read_is_proven_by_the_first() {
    check(
        "pub fn f(xs: [i32], k: usize) -> i32 { xs[k] + xs[k] }",
        r#"
        f(xs: %1: [i32; len(xs)]; k: %2: usize) -> i32
          %0: usize = len %1
          %3: bool = lt %2, %0
          check %3 <index> (%2, %0)
          %4: i32 = %1[%2]
          %5: i32 = %1[%2]
          %6: i32 = add %4, %5
          return %6
        "#,
    );
}

#[test]
fn index_below_a_condition() {
    check(
        "pub fn f(xs: [f32]) -> f32 { let mut s = 0.0; let mut i = 0; while i < len(xs) { s += xs[i]; i += 1; } s }",
        r#"
        f(xs: %1: [f32; len(xs)]) -> f32
          %0: usize = len %1
          %8: f32, %9: usize = loop (%2: f32 = 0.0, %3: usize = 0) while {
            %4: bool = lt %3, %0
            yield %4
          } do {
            %5: f32 = %1[%3]
            %6: f32 = add %2, %5
            %7: usize = add %3, 1
            next %6, %7
          }
          return %8
        "#,
    );
}

#[test]
fn underflow() {
    check(
        "pub fn f(n: usize, m: usize) -> usize { n - m }",
        r#"
        f(n: %0: usize; m: %1: usize) -> usize
          %2: bool = ge %0, %1
          check %2 <underflow> (%0, %1)
          %3: usize = sub %0, %1
          return %3
        "#,
    );
}

#[test]
fn no_underflow_below_a_condition() {
    check(
        "pub fn f(n: usize, m: usize) -> usize { if n >= m { n - m } else { m - n } }",
        r#"
        f(n: %0: usize; m: %1: usize) -> usize
          %2: bool = ge %0, %1
          %5: usize = if %2 {
            %3: usize = sub %0, %1
            yield %3
          } else {
            %4: usize = sub %1, %0
            yield %4
          }
          return %5
        "#,
    );
}

#[test]
fn overflow_of_a_sum() {
    check(
        "pub fn f(n: usize, m: usize) -> usize { n + m }",
        r#"
        f(n: %0: usize; m: %1: usize) -> usize
          %2: usize = sub 18446744073709551615, %1
          %3: bool = le %0, %2
          check %3 <overflow> (%0, %1)
          %4: usize = add %0, %1
          return %4
        "#,
    );
}

#[test]
fn overflow_of_a_product() {
    check(
        "pub fn f(n: usize, m: usize) -> usize { n * m }",
        r#"
        f(n: %0: usize; m: %1: usize) -> usize
          %2: usize = bitor %0, %1
          %3: bool = le %2, 4294967295
          %4: bool = if %3 {
            yield true
          } else {
            %5: usize = max %1, 1
            %6: usize = div 18446744073709551615, %5
            %7: bool = le %0, %6
            yield %7
          }
          check %4 <overflow> (%0, %1)
          %8: usize = mul %0, %1
          return %8
        "#,
    );
}

#[test]
fn lengths_do_not_overflow() {
    check(
        "pub fn f(xs: [u8]) -> usize { len(xs) * 3 + 1 }",
        r#"
        f(xs: %1: [u8; len(xs)]) -> usize
          %0: usize = len %1
          %2: usize = mul %0, 3
          %3: usize = add %2, 1
          return %3
        "#,
    );
}

#[test]
fn division() {
    check(
        "pub fn f(x: i32, y: i32) -> i32 { x / y + x / 2 }",
        r#"
        f(x: %0: i32; y: %1: i32) -> i32
          %2: bool = ne %1, 0
          check %2 <division> ()
          %3: i32 = div %0, %1
          %4: i32 = div %0, 2
          %5: i32 = add %3, %4
          return %5
        "#,
    );
}

#[test]
fn facts_end_with_their_branch() {
    check(
        "pub fn f(xs: [i32], ys: [i32], c: bool) -> i32 { let a = if c { zip(xs, ys).map(|(x, y)| x * y).sum() } else { 0 }; a + zip(xs, ys).map(|(x, y)| x * y).sum() }",
        r#"
        f(xs: %1: [i32; len(xs)]; ys: %3: [i32; len(ys)]; c: %4: bool) -> i32
          %0: usize = len %1
          %2: usize = len %3
          %17: i32 = if %4 {
            %5: bool = eq %0, %2
            check %5 <sizes of xs and ys> (%0, %2)
            %10: [i32; len(xs)] = build %6 < %0 {
              %7: i32 = %1[%6]
              %8: i32 = %3[%6]
              %9: i32 = mul %7, %8
              yield %9
            }
            %16: i32 = reduce from 0 %11 < %0 {
              %12: i32 = %10[%11]
              yield %12
            } by (%13; %14) neutral 0 {
              %15: i32 = add %13, %14
              yield %15
            }
            yield %16
          } else {
            yield 0
          }
          %18: bool = eq %0, %2
          check %18 <sizes of xs and ys> (%0, %2)
          %23: [i32; len(xs)] = build %19 < %0 {
            %20: i32 = %1[%19]
            %21: i32 = %3[%19]
            %22: i32 = mul %20, %21
            yield %22
          }
          %29: i32 = reduce from 0 %24 < %0 {
            %25: i32 = %23[%24]
            yield %25
          } by (%26; %27) neutral 0 {
            %28: i32 = add %26, %27
            yield %28
          }
          %30: i32 = add %17, %29
          return %30
        "#,
    );
}
