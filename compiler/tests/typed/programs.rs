//! Valid programs.

use crate::{check, infer};
use expect_test::expect;
use ragged_compiler::prims::records;

#[test]
fn every_operator_example_is_typed() {
    for info in records() {
        let typed = infer(info.example);
        assert!(
            typed.starts_with("pub fn example("),
            "{}:\n{typed}",
            info.name
        );
    }
}

#[test]
fn the_page_s_first_look() {
    check(
        "/// Inner product.
         pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
             zip(xs, ys).map(|(x, y)| x * y).sum()
         }
         pub fn twice(xs: [f32]) -> f32 { dotp(xs, xs) + xs.dotp(xs) }",
        expect![[r#"
            pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
                sum(map(zip(xs, ys), |(x: f32, y: f32)| (x * y)))
            }
            pub fn twice(xs: [f32]) -> f32 {
                (dotp(xs, xs) + dotp(xs, xs))
            }
        "#]],
    );
}

#[test]
fn literals_take_their_types_from_use() {
    check(
        "pub fn f(xs: [u8], n: i64) -> (u8, i64, [i64], f64, usize) {
             let k = 3;
             let half = 0.5;
             let unused = 7;
             (xs[k] + 1, n * -2, (0..n).map(|i| i - 1), half, 2 + k)
         }
         pub fn ranges() -> [usize] { for i in 0..3 { let _ = 1u8 << 3; i } }",
        expect![[r#"
            pub fn f(xs: [u8], n: i64) -> (u8, i64, [i64], f64, usize) {
                let k: usize = 3usize;
                let half: f64 = 0.5f64;
                let unused: i32 = 7i32;
                ((xs[k] + 1u8), (n * -2i64), map((0i64..n), |i: i64| (i - 1i64)), half, (2usize + k))
            }
            pub fn ranges() -> [usize] {
                map((0usize..3usize), |i: usize| {
                    let _ = (1u8 << 3u8);
                    i
                })
            }
        "#]],
    );
}

#[test]
fn structs_literals_updates_and_fields() {
    check(
        "#[derive(Clone, Copy)]
         struct P { x: f32, y: f32 }
         struct Two { a: P, b: (i32, [f32]) }
         pub fn norm(p: P) -> f32 { let P { x, y: why } = p; (x * x + why * why).sqrt() }
         pub fn shift(ps: [P], dx: f32) -> [P] { ps.map(|p| P { x: p.x + dx, ..p }) }
         pub fn make(x: f32) -> P { let y = 1.0; P { y, x } }
         pub fn two(t: Two) -> [f32] { let Two { b: (_, xs), .. } = t; xs.map(|x| x + t.a.norm()) }
         pub fn best(ps: [P]) -> usize { for p in ps { p.x }.argmax() }",
        expect![[r#"
            struct P { x: f32, y: f32 }
            struct Two { a: P, b: (i32, [f32]) }
            pub fn norm(p: P) -> f32 {
                let (x: f32, why: f32) = p;
                sqrt(((x * x) + (why * why)))
            }
            pub fn shift(ps: [P], dx: f32) -> [P] {
                map(ps, |p: P| {
                    let tmp: P = p;
                    P((p.0 + dx), tmp.1)
                })
            }
            pub fn make(x: f32) -> P {
                let y: f32 = 1.0f32;
                P(x, y)
            }
            pub fn two(t: Two) -> [f32] {
                let (_, (_, xs: [f32])) = t;
                map(xs, |x: f32| (x + norm(t.0)))
            }
            pub fn best(ps: [P]) -> usize {
                argmax(map(ps, |p: P| { p.0 }))
            }
        "#]],
    );
}

#[test]
fn sequential_state() {
    check(
        "pub fn collatz(n: u64) -> u32 {
             let mut x = n;
             let mut steps = 0;
             while x != 1 {
                 x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                 steps += 1;
             }
             steps
         }
         pub fn swaps(a: i32, b: i32) -> (i32, i32) {
             let (mut a, mut b) = (a, b);
             (a, b) = (b, a);
             (a, _) = (a + 1, b);
             return (a, b);
         }
         pub fn sieve(n: usize) -> [bool] {
             let mut composite = [false; n];
             for i in 2..n {
                 let mut j = i * i;
                 while j < n { composite[j] = true; j += i; }
             }
             composite.map(|c| !c)
         }
         pub fn root(x: f64) -> f64 {
             let mut y = x;
             'outer: loop {
                 let next = 0.5 * (y + x / y);
                 if (next - y).abs() < 1e-12 { break 'outer next; }
                 y = next;
             }
         }
         pub fn first_above(xs: [f32], t: f32) -> usize {
             let mut found = xs.len();
             for i in 0..xs.len() {
                 if xs[i] <= t { continue; }
                 found = i;
                 break;
             }
             found
         }",
        expect![[r#"
            pub fn collatz(n: u64) -> u32 {
                let mut x: u64 = n;
                let mut steps: u32 = 0u32;
                'l0: while (x != 1u64) {
                    x = if ((x % 2u64) == 0u64) { (x / 2u64) } else { ((3u64 * x) + 1u64) };
                    steps = (steps + 1u32);
                };
                steps
            }
            pub fn swaps(a: i32, b: i32) -> (i32, i32) {
                let (mut a2: i32, mut b2: i32) = (a, b);
                {
                    let (tmp: i32, tmp2: i32) = (b2, a2);
                    a2 = tmp;
                    b2 = tmp2;
                };
                {
                    let (tmp3: i32, _) = ((a2 + 1i32), b2);
                    a2 = tmp3;
                };
                (a2, b2)
            }
            pub fn sieve(n: usize) -> [bool] {
                let mut composite: [bool] = fill(false, n);
                'l0: for i: usize in (2usize..n) {
                    let mut j: usize = (i * i);
                    'l1: while (j < n) {
                        composite[j] = true;
                        j = (j + i);
                    }
                };
                map(composite, |c: bool| !c)
            }
            pub fn root(x: f64) -> f64 {
                let mut y: f64 = x;
                'l0: loop {
                    let next: f64 = (0.5f64 * (y + (x / y)));
                    if (abs((next - y)) < 1e-12f64) {
                        break 'l0 next;
                    } else {};
                    y = next;
                }
            }
            pub fn first_above(xs: [f32], t: f32) -> usize {
                let mut found: usize = len(xs);
                'l0: for i: usize in (0usize..len(xs)) {
                    if (xs[i] <= t) {
                        continue 'l0;
                    } else {};
                    found = i;
                    break 'l0;
                };
                found
            }
        "#]],
    );
}

#[test]
fn element_and_field_assignment() {
    check(
        "struct P { x: f32, y: [i32] }
         pub fn f(xs: [(f32, i32)], p: P, i: usize) -> ([(f32, i32)], [i32]) {
             let mut a = xs;
             a[i].0 = 1.5;
             a[i + 1].1 += 2;
             let mut q = p;
             q.x *= 2.0;
             q.y[0] <<= 3u8;
             (a, q.y)
         }",
        expect![[r#"
            struct P { x: f32, y: [i32] }
            pub fn f(xs: [(f32, i32)], p: P, i: usize) -> ([(f32, i32)], [i32]) {
                let mut a: [(f32, i32)] = xs;
                a[i].0 = 1.5f32;
                {
                    let tmp: usize = (i + 1usize);
                    a[tmp].1 = (a[tmp].1 + 2i32);
                };
                let mut q: P = p;
                q.0 = (q.0 * 2.0f32);
                q.1[0usize] = (q.1[0usize] << (3u8 as i32));
                (a, q.1)
            }
        "#]],
    );
}

#[test]
fn functions_as_values() {
    check(
        "fn apply(f: impl Fn(f32) -> f32, xs: [f32]) -> [f32] { xs.map(f) }
         fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(f(x)) }
         fn square(x: f32) -> f32 { x * x }
         pub fn a(xs: [f32]) -> [f32] { apply(sqrt, apply(square, apply(|x| twice(square, x), xs))) }
         pub fn b(xs: [i64]) -> (i64, i64, i64) { (xs.reduce(0, add), xs.reduce(i64::MIN, max), xs.reduce(1, mul)) }
         pub fn c(xs: [f32]) -> f32 { xs.reduce(f32::NEG_INFINITY, f32::max) }
         pub fn d(xs: [f32], t: f32) -> [f32] { apply(|x| x.max(t), xs) }",
        expect![[r#"
            fn square(x: f32) -> f32 {
                (x * x)
            }
            fn twice(f: impl Fn(f32) -> f32, x: f32) -> f32 {
                f(f(x))
            }
            fn apply(f: impl Fn(f32) -> f32, xs: [f32]) -> [f32] {
                map(xs, f)
            }
            pub fn a(xs: [f32]) -> [f32] {
                apply(apply(apply(xs, |x: f32| twice(x, |tmp: f32| square(tmp))), |tmp2: f32| square(tmp2)), |tmp3: f32| sqrt(tmp3))
            }
            pub fn b(xs: [i64]) -> (i64, i64, i64) {
                (reduce(xs, 0i64, |tmp: i64, tmp2: i64| (tmp + tmp2)), reduce(xs, -9223372036854775808i64, |tmp3: i64, tmp4: i64| max(tmp3, tmp4)), reduce(xs, 1i64, |tmp5: i64, tmp6: i64| (tmp5 * tmp6)))
            }
            pub fn c(xs: [f32]) -> f32 {
                reduce(xs, -inff32, |tmp: f32, tmp2: f32| max(tmp, tmp2))
            }
            pub fn d(xs: [f32], t: f32) -> [f32] {
                apply(xs, |x: f32| max(x, t))
            }
        "#]],
    );
}

#[test]
fn nesting_inside_bodies() {
    check(
        "pub fn table(n: usize) -> [f32] {
             let rows = for i in 0..n { for j in 0..i { (i * j) as f32 } };
             rows.map(sum)
         }
         pub fn shadow(xs: [f32]) -> f32 {
             let x = xs.len();
             let x = x as f32;
             xs.map(|x| x + 1.0).sum() / x
         }",
        expect![[r#"
            pub fn table(n: usize) -> [f32] {
                let rows: [[f32]] = map((0usize..n), |i: usize| { map((0usize..i), |j: usize| { ((i * j) as f32) }) });
                map(rows, |tmp: [f32]| sum(tmp))
            }
            pub fn shadow(xs: [f32]) -> f32 {
                let x: usize = len(xs);
                let x2: f32 = (x as f32);
                (sum(map(xs, |x3: f32| (x3 + 1.0f32))) / x2)
            }
        "#]],
    );
}

#[test]
fn sizes_are_values() {
    check(
        "const K: usize = 2 * 4;
         pub fn f(xs: [f32; n], ys: [f32; K], k: usize, zs: [i32; k]) -> [f32; n] {
             let total: [f32; n] = xs.map(|x| x * n as f32 + k as f32);
             total.map(|t| t + ys[K - 1])
         }",
        expect![[r#"
            pub fn f(xs: [f32; n], ys: [f32; 8], k: usize, zs: [i32; k]) -> [f32; n] {
                let total: [f32] = map(xs, |x: f32| ((x * (n as f32)) + (k as f32)));
                size!(len(total) is n);
                map(total, |t: f32| (t + ys[(8usize - 1usize)]))
            }
        "#]],
    );
}

#[test]
fn constants_are_evaluated() {
    check(
        "const A: i32 = B * 2 - 1;
         const B: i32 = 1 << 4;
         const ROOT: f32 = (2.0f32).sqrt();
         const BYTE: u8 = 200 as u8 + 250;
         const LOW: i8 = -128;
         const BIG: u64 = u64::MAX ^ 1;
         const YES: bool = A > 3 && !(B == 2);
         const SMALL: f32 = if YES { 0.1 } else { f32::MAX };
         pub fn f() -> (i32, f32, u8, i8, u64, bool, f32) { (A, ROOT, BYTE, LOW, BIG, YES, SMALL) }",
        expect![[r#"
            pub fn f() -> (i32, f32, u8, i8, u64, bool, f32) {
                (31i32, 1.4142135f32, 194u8, -128i8, 18446744073709551614u64, true, 0.1f32)
            }
        "#]],
    );
}

#[test]
fn equality_of_tuples() {
    check(
        "pub fn f(xs: [(i32, f32)], y: (i32, f32)) -> ([bool], bool) {
             (xs.map(|x| x == y), xs[0] != (1, 2.0))
         }",
        expect![[r#"
            pub fn f(xs: [(i32, f32)], y: (i32, f32)) -> ([bool], bool) {
                (map(xs, |x: (i32, f32)| ((x.0 == y.0) && (x.1 == y.1))), {
                    let tmp: (i32, f32) = xs[0usize];
                    let tmp2: (i32, f32) = (1i32, 2.0f32);
                    ((tmp.0 != tmp2.0) || (tmp.1 != tmp2.1))
                })
            }
        "#]],
    );
}

#[test]
fn names_that_are_operators_and_scalar_functions() {
    check(
        "pub fn f(xs: [i32], k: u32) -> (i32, i32, [i32], i32, i32, i32) {
             let mut best = 0;
             for i in 0..xs.len() { best = best.max(xs[i]); }
             (xs.max(), best, xs.rotate_left(1), best.rotate_left(k), max(best, 3), clamp(best, 0, 9))
         }
         fn sum(x: i32, y: i32) -> i32 { x + y }
         pub fn g(xs: [i32]) -> i32 { sum(xs.sum(), 1) }",
        expect![[r#"
            pub fn f(xs: [i32], k: u32) -> (i32, i32, [i32], i32, i32, i32) {
                let mut best: i32 = 0i32;
                'l0: for i: usize in (0usize..len(xs)) {
                    best = max(best, xs[i]);
                };
                (max(xs), best, rotate_left(xs, 1usize), rotate_left(best, k), max(best, 3i32), clamp(best, 0i32, 9i32))
            }
            fn sum(x: i32, y: i32) -> i32 {
                (x + y)
            }
            pub fn g(xs: [i32]) -> i32 {
                sum(sum(xs), 1i32)
            }
        "#]],
    );
}

#[test]
fn a_type_that_is_known_late() {
    check(
        "pub fn f(xs: [u32]) -> (u32, [i64]) {
             let mut empty = [];
             let late = loop { if xs.len() == 0 { break empty; } };
             let r = late.map(|p| p.0);
             empty = [(1i64, true)];
             (xs.fold(0, |acc, x| acc.rotate_left(1) ^ x), r)
         }",
        expect![[r#"
            pub fn f(xs: [u32]) -> (u32, [i64]) {
                let mut empty: [(i64, bool)] = [];
                let late: [(i64, bool)] = 'l0: loop { if (len(xs) == 0usize) {
                    break 'l0 empty;
                } else {} };
                let r: [i64] = map(late, |p: (i64, bool)| p.0);
                empty = [(1i64, true)];
                (fold(xs, 0u32, |acc: u32, x: u32| (rotate_left(acc, 1u32) ^ x)), r)
            }
        "#]],
    );
}

#[test]
fn matches() {
    check(
        "const LIMIT: i32 = 10;
         pub fn f(x: i32, b: bool) -> f32 {
             match (x, b) {
                 (LIMIT, true) => 1.0,
                 (..=-1, _) | (11.., _) => 2.0,
                 (0..10, true) => 3.0,
                 (y @ 0..=10, false) if y > 5 => y as f32,
                 (y, _) => (y + 1) as f32,
             }
         }
         pub fn g(c: u8) -> u8 { match c { b'a'..=b'z' => c - 32, 0..97 | 123..=255 => c } }",
        expect![[r#"
            pub fn f(x: i32, b: bool) -> f32 {
                match (x, b) {
                    (10i32, true) => 1.0f32,
                    (..=-1i32, _) | (11i32..=, _) => 2.0f32,
                    (0i32..=9i32, true) => 3.0f32,
                    (y @ 0i32..=10i32, false) if (y > 5i32) => (y as f32),
                    (y2, _) => ((y2 + 1i32) as f32),
                }
            }
            pub fn g(c: u8) -> u8 {
                match c {
                    97u8..=122u8 => (c - 32u8),
                    0u8..=96u8 | 123u8..=255u8 => c,
                }
            }
        "#]],
    );
}

#[test]
fn jumps_in_branches() {
    check(
        "pub fn f(xs: [i32]) -> i32 {
             let mut s = 0;
             'rows: for i in 0..xs.len() {
                 let x = if xs[i] > 0 { xs[i] } else { continue };
                 let y = match x { 1 => break, 2 => { continue 'rows; } other => other };
                 s += y;
             }
             s
         }",
        expect![[r#"
            pub fn f(xs: [i32]) -> i32 {
                let mut s: i32 = 0i32;
                'l0: for i: usize in (0usize..len(xs)) {
                    let x: i32 = if (xs[i] > 0i32) { xs[i] } else { continue 'l0 };
                    let y: i32 = match x {
                        1i32 => break 'l0,
                        2i32 => {
                            continue 'l0;
                        },
                        other => other,
                    };
                    s = (s + y);
                };
                s
            }
        "#]],
    );
}
