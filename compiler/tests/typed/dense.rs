//! Arrays of arrays: signatures, operators on axes, and the mistakes that are made with them.

use crate::check;
use expect_test::expect;

#[test]
fn sizes_at_every_level() {
    check(
        r#"const K: usize = 3;
           pub fn a(t: [[[[[[f32; K]; 2]; m]; n]; n]], n2: usize, u: [[f32; n2]; n2]) -> f32 { t[0][0][0][0][0][0] + u[0][0] }
           pub fn b(ps: [([f32; m], i32); n]) -> [[f32; m]; n] { for (row, k) in ps { row } }
           pub fn c(xs: [f32]) -> [[f32; w]] { xs.windows(2) }
           struct P { at: [f32; 3] }
           fn d(ps: [P; n]) -> [[f32; 3]; n] { for p in ps { p.at } }
           pub fn e(xs: [f32; n]) -> f32 { d(for x in xs { P { at: [x, x, x] } })[0][1] }"#,
        expect![[r#"
            struct P { at: [f32] }
            pub fn a(t: [[[[[[f32; 3]; 2]; m]; n]; n]], n2: usize, u: [[f32; n2]; n2]) -> f32 {
                (t[0usize][0usize][0usize][0usize][0usize][0usize] + u[0usize][0usize])
            }
            pub fn b(ps: [([f32; m], i32); n]) -> [[f32; m]; n] {
                map(ps, |(row: [f32], k: i32)| { row })
            }
            pub fn c(xs: [f32]) -> [[f32; w]] {
                windows(xs, 2usize)
            }
            fn d(ps: [P; n]) -> [[f32; 3]; n] {
                map(ps, |p: P| { p.0 })
            }
            pub fn e(xs: [f32; n]) -> f32 {
                d(map(xs, |x: f32| { P([x, x, x],) }))[0usize][1usize]
            }
        "#]],
    );
}

#[test]
fn sizes_that_nothing_gives() {
    check(
        r#"pub fn a(xs: [f32]) -> [f32; k] { xs }
           pub fn b(xs: [f32]) -> [[f32; k]; j] { j }
           pub fn c(xs: [f32]) -> [[f32; k]] { for x in xs { fill(x, k) } }
           pub fn d(f: f32, xs: [[f32; f]]) -> f32 { f }"#,
        expect![[r#"
            error: nothing says what the size `k` is
              at `k`
              no parameter has this size
              help: leave it out: `[T]` is an array with a size of its own
            error: cannot find `j`
              at `j`
              help: what is outside of the block comes in as a parameter
            error: cannot find `k`
              at `k`
              help: what is outside of the block comes in as a parameter
            error: `f` is not a size
              at `f`
              the parameter `f` is not a `usize`
              help: make it a `usize`, or give the size another name
        "#]],
    );
}

#[test]
fn inner_arrays_with_and_without_sizes() {
    check(
        r#"struct P { xs: [f32] }
           pub fn a(xs: [[[f32]; m]; n]) -> f32 { 1.0 }
           pub fn b(xs: [[[f32; k]]; n]) -> f32 { 1.0 }
           fn c(xs: [f32]) -> [[f32]] { [xs] }
           pub fn d(ps: [(P, [i32; 2]); n]) -> f32 { 1.0 }
           #[instances([[f32; 3]])]
           pub fn e<T>(xs: [[T]; n]) -> usize { xs.len() }
           fn f(g: impl Fn([[f32]]) -> f32, xs: [f32]) -> f32 { g([xs]) }"#,
        expect![[r#"
            struct P { xs: [f32] }
            pub fn a(xs: [[[f32]; m]; n]) -> f32 {
                1.0f32
            }
            pub fn b(xs: [[[f32; k]]; n]) -> f32 {
                1.0f32
            }
            pub fn d(ps: [(P, [i32; 2]); n]) -> f32 {
                1.0f32
            }
            pub fn e_f32(xs: [[[[f32]]]; n]) -> usize {
                len(xs)
            }
        "#]],
    );
}

#[test]
fn operators_along_an_axis_are_maps() {
    check(
        r#"pub fn a(t: [[[f32; l]; m]; n]) -> [[f32; l]; m] { t.sum_axis(0) }
           pub fn b(t: [[[f32; l]; m]; n]) -> [[f32; m]; n] { t.max_axis(2) }
           pub fn c(t: [[i32; m]; n]) -> [[i32; m]; n] { t.scan_axis(0, |a, b| a + b) }
           pub fn d(t: [[i32; m]; n], k: i32) -> [i32; m] { t.fold_axis(0, k * 2, |a, x| a + x) }
           pub fn e(xs: [i32]) -> i32 { xs.sum_axis(0) }
           pub fn f(t: [[[i32; l]; m]; n]) -> [[i32; l]; n] { t.scan_from_axis(1, 0, |a, b| a + b).1 }"#,
        expect![[r#"
            pub fn a(t: [[[f32; l]; m]; n]) -> [[f32; l]; m] {
                map(transpose(transpose(t, 0usize, 1usize), 1usize, 2usize), |tmp: [[f32]]| map(tmp, |tmp2: [f32]| sum(tmp2)))
            }
            pub fn b(t: [[[f32; l]; m]; n]) -> [[f32; m]; n] {
                map(t, |tmp: [[f32]]| map(tmp, |tmp2: [f32]| max(tmp2)))
            }
            pub fn c(t: [[i32; m]; n]) -> [[i32; m]; n] {
                transpose(map(transpose(t, 0usize, 1usize), |tmp: [i32]| scan(tmp, |a: i32, b: i32| (a + b))), 0usize, 1usize)
            }
            pub fn d(t: [[i32; m]; n], k: i32) -> [i32; m] {
                {
                    let tmp: i32 = (k * 2i32);
                    map(transpose(t, 0usize, 1usize), |tmp2: [i32]| fold(tmp2, tmp, |a: i32, x: i32| (a + x)))
                }
            }
            pub fn e(xs: [i32]) -> i32 {
                sum(xs)
            }
            pub fn f(t: [[[i32; l]; m]; n]) -> [[i32; l]; n] {
                {
                    let tmp3: [[([i32], i32)]] = map(transpose(t, 1usize, 2usize), |tmp: [[i32]]| map(tmp, |tmp2: [i32]| scan_from(tmp2, 0i32, |a: i32, b: i32| (a + b))));
                    (transpose(map(tmp3, |tmp4: [([i32], i32)]| map(tmp4, |tmp5: ([i32], i32)| tmp5.0)), 1usize, 2usize), map(tmp3, |tmp6: [([i32], i32)]| map(tmp6, |tmp7: ([i32], i32)| tmp7.1)))
                }.1
            }
        "#]],
    );
}

#[test]
fn operators_of_several_extents() {
    check(
        r#"const N: usize = 2;
           pub fn a(n: usize, m: usize) -> [[f32; m]; n] { fill(0.0, (n, m)) }
           pub fn b(n: usize) -> [[[usize; 4]; N]; n] { generate((n, N, n - n + 4), |i, j, k| i + j * k) }
           pub fn c(xs: [f32], ys: [[f32; m]; n]) -> [[f32; m]; n] { xs.reshape(ys.shape()) }
           pub fn d(t: [[[f32; 4]; m]; n]) -> [f32] { t.reshape(n * m * 4) }
           fn make(f: impl Fn(usize, usize) -> f32) -> [[f32; k]; 2] { generate((2, 3), f) }
           pub fn e(x: f32) -> [[f32; 3]; 2] { make(|i, j| x) }
           pub fn g(row: [f32; m], t: [[f32; m]; 2]) -> [[[f32; m]; 2]; 3] { if row[0] > 0.0 { row.broadcast((3, 2, m)) } else { t.broadcast((3, 2, m)) } }
           pub fn h(x: f32) -> [f32; 5] { x.broadcast(5) }"#,
        expect![[r#"
            pub fn a(n: usize, m: usize) -> [[f32; m]; n] {
                fill(fill(0.0f32, m), n)
            }
            pub fn b(n: usize) -> [[[usize; 4]; 2]; n] {
                {
                    let tmp: usize = ((n - n) + 4usize);
                    generate(n, |i: usize| generate(2usize, |j: usize| generate(tmp, |k: usize| (i + (j * k)))))
                }
            }
            pub fn c(xs: [f32], ys: [[f32; m]; n]) -> [[f32; m]; n] {
                {
                    let (tmp: usize, tmp2: usize) = shape(ys);
                    reshape(xs, tmp, tmp2)
                }
            }
            pub fn d(t: [[[f32; 4]; m]; n]) -> [f32] {
                {
                    let tmp: usize = ((n * m) * 4usize);
                    reshape(flatten(flatten(t)), tmp)
                }
            }
            fn make(f: impl Fn(usize, usize) -> f32) -> [[f32; k]; 2] {
                generate(2usize, |tmp: usize| generate(3usize, |tmp2: usize| f(tmp, tmp2)))
            }
            pub fn e(x: f32) -> [[f32; 3]; 2] {
                make(|i: usize, j: usize| x)
            }
            pub fn g(row: [f32; m], t: [[f32; m]; 2]) -> [[[f32; m]; 2]; 3] {
                if (row[0usize] > 0.0f32) { fill(fill(reshape(row, m), 2usize), 3usize) } else { fill(map(reshape(t, 2usize), |tmp: [f32]| reshape(tmp, m)), 3usize) }
            }
            pub fn h(x: f32) -> [f32; 5] {
                fill(x, 5usize)
            }
        "#]],
    );
}

#[test]
fn types_that_are_found_later() {
    check(
        r#"fn apply(f: impl Fn([[f32]]) -> [f32], t: [[f32; m]; n]) -> [f32] { f(t) }
           pub fn a(t: [[f32; m]; n]) -> [f32; m] { apply(|t| t.sum_axis(0), t) }
           pub fn b(n: usize) -> usize {
               let mut t = [];
               let (k, l) = t.shape();
               t = fill(1.0, (n, n));
               k + l
           }"#,
        expect![[r#"
            fn apply(f: impl Fn([[f32]]) -> [f32], t: [[f32; m]; n]) -> [f32] {
                f(t)
            }
            pub fn a(t: [[f32; m]; n]) -> [f32; m] {
                apply(t, |t2: [[f32]]| map(transpose(t2, 0usize, 1usize), |tmp: [f32]| sum(tmp)))
            }
            pub fn b(n: usize) -> usize {
                let mut t: [[f64]] = [];
                let (k: usize, l: usize) = shape(t);
                t = fill(fill(1.0f64, n), n);
                (k + l)
            }
        "#]],
    );
    check(
        r#"pub fn c() -> usize { let t = []; t.shape().0 }
           pub fn d() -> usize { let t = []; t.sum_axis(0).len() }"#,
        expect![[r#"
            error: the type of this is not known
              at `t.shape()`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
            error: the type of this is not known
              at `t.sum_axis(0)`
              nothing says what it is
              help: write the type: `let x: f32 = …`, `|x: f32| …`
        "#]],
    );
}

#[test]
fn lengths_of_annotations_are_required() {
    check(
        r#"pub fn a(xs: [f32; n]) -> f32 { let t: [[f32; n]; 1] = [xs]; t[0][0] }
           pub fn b(xs: [f32; n]) -> f32 { let t: [[f32; n]] = [xs]; t[0][0] }"#,
        expect![[r#"
            pub fn a(xs: [f32; n]) -> f32 {
                let t: [[f32]] = [xs];
                size!(len(t) is 1usize);
                size!(shape(t).1 is n);
                t[0usize][0usize]
            }
            pub fn b(xs: [f32; n]) -> f32 {
                let t: [[f32]] = [xs];
                size!(shape(t).1 is n);
                t[0usize][0usize]
            }
        "#]],
    );
    check(
        r#"pub fn c(xs: [f32; n]) -> f32 { let t: [([f32; n], f32)] = [(xs, 1.0)]; t[0].1 }"#,
        expect![[r#"
            pub fn c(xs: [f32; n]) -> f32 {
                let t: [([f32], f32)] = [(xs, 1.0f32)];
                size!(shape(unzip(t).0).1 is n);
                t[0usize].1
            }
        "#]],
    );
}

#[test]
fn positions() {
    check(
        r#"pub fn a(xs: [f32]) -> usize { xs.position(|x| x > 1.0) }
           pub fn b(xs: [bool], k: usize) -> usize { xs.position_or(k) }"#,
        expect![[r#"
            pub fn a(xs: [f32]) -> usize {
                {
                    let tmp: [bool] = map(xs, |x: f32| (x > 1.0f32));
                    let tmp3: usize = min_or(map(enumerate(tmp), |tmp2: (usize, bool)| if tmp2.1 { tmp2.0 } else { 18446744073709551615usize }), 18446744073709551615usize);
                    assert!((tmp3 != 18446744073709551615usize), "`position` finds no element");
                    tmp3
                }
            }
            pub fn b(xs: [bool], k: usize) -> usize {
                {
                    let tmp2: usize = min_or(map(enumerate(xs), |tmp: (usize, bool)| if tmp.1 { tmp.0 } else { 18446744073709551615usize }), 18446744073709551615usize);
                    if (tmp2 == 18446744073709551615usize) { k } else { tmp2 }
                }
            }
        "#]],
    );
    check(
        r#"pub fn c(xs: [f32]) -> usize { xs.position() }
           pub fn d(xs: [f32]) -> usize { xs.position_or(|x| x > 1.0) }
           pub fn e(xs: [f32]) -> usize { xs.position(|x| x) }"#,
        expect![[r#"
            error: expected `[bool]`, found `[f32]`
              at `xs`
              `position` is `xs.position(|x| e), flags.position() -> usize`
              help: ask something of each element: `xs.map(|x| x > 0.0)`
            error: expected `[bool]`, found `[f32]`
              at `xs`
              `position_or` is `xs.position_or(i, |x| e), flags.position_or(i) -> usize`
              help: ask something of each element: `xs.map(|x| x > 0.0)`
            error: a closure can only be passed to an operator or a function, or bound with `let`
              at `|x| x > 1.0`
              functions are not values: they cannot be stored or returned
              help: give it a name: `let f = |x| …;`
            error: expected `[bool]`, found `[f32]`
              at `xs.position(|x| x)`
              `position` is `xs.position(|x| e), flags.position() -> usize`
              help: ask something of each element: `xs.map(|x| x > 0.0)`
        "#]],
    );
}

#[test]
fn too_many_indices() {
    check(
        r#"pub fn a(t: [[f32; m]; n]) -> f32 { t[0][1][2] }
           pub fn c(t: [[f32; m]; n]) -> f32 { t[(0, 1)] }
           pub fn d(t: [[f32; m]; n]) -> f32 { t[0] }
           pub fn e(xs: [f32]) -> f32 { xs[0][1] }
           pub fn f(x: f32) -> f32 { x[0] }
           pub fn g(t: [[f32; m]; n]) -> [[f32; m]; n] { let mut u = t; u[0][1][2] = 1.0; u }
           pub fn h(t: [[f32; m]; n]) -> [[f32; m]; n] { let mut u = t; u[0..1][0] = t[1]; u }
           pub fn i(t: [[f32; m]; n]) -> [[f32; m]; n] { let mut u = t; u[0] = 1.0; u[0..1] = t[0]; u }"#,
        expect![[r#"
            error: `f32` cannot be indexed
              at `t[0][1]`
              `[[f32]]` takes 2 indices
            error: an index is one number
              at `(0, 1)`
              help: write `a[i][j]`
            error: expected `f32`, found `[f32]`
              at `t[0]`
              this is the result type of `d`
              help: take an element with `xs[i]`, or apply the operation to each with `map`
            error: `f32` cannot be indexed
              at `xs[0]`
              `[f32]` takes one index
            error: `f32` cannot be indexed
              at `x`
              only arrays have elements
            error: `f32` cannot be indexed
              at `u[0][1]`
              `[[f32]]` takes 2 indices
            error: an element of a slice cannot be assigned to
              at `u[0..1][0]`
              help: index the array itself: for `a[lo..hi][i]` write `a[lo + i]`
            error: expected `[f32]`, found a float
              at `1.0`
              this is the type of what is assigned to
              help: `[x]` is an array of it alone, `fill(x, n)` one of equal elements
            error: expected `[[f32]]`, found `[f32]`
              at `t[0]`
              this is the type of what is assigned to
        "#]],
    );
}

#[test]
fn axes_that_are_not_there() {
    check(
        r#"const K: usize = 3;
           pub fn a(t: [[f32; m]; n]) -> [f32] { t.sum_axis(2) }
           pub fn b(xs: [f32]) -> f32 { xs.max_axis(1) }
           pub fn c(t: [[f32; m]; n], k: usize) -> [f32] { t.sum_axis(k) }
           pub fn d(t: [[f32; m]; n]) -> [f32] { t.sum_axis(-1) }
           pub fn e(t: [[f32; m]; n]) -> [[f32]] { t.transpose(0, K) }
           pub fn f(xs: [f32]) -> f32 { xs.transpose()[0] }
           pub fn g(t: [[f32; m]; n]) -> [[f32; n]; m] { t.transpose(1) }
           pub fn h(t: [[f32; m]; n]) -> [[f32; n]; m] { t.transpose(1, 1) }
           pub fn i(xs: [f32]) -> f32 { xs.flatten()[0] }
           pub fn j(x: f32) -> f32 { x.sum_axis(0) }
           pub fn r(x: f32) -> f32 { x.reduce_axis(0, 0.0, |a, b| a) + y.sum_axis(0) }
           pub fn s(x: f32) -> f32 { generate((), |i| x)[0] + fill(x, ())[0] }
           pub fn k(t: [[f32; m]; n]) -> [f32] { t.sum_axis(0.0) }
           pub fn l(t: [[f32; m]; n]) -> f32 { t.sum() }
           pub fn m(t: [[f32; m]; n]) -> [f32] { t.sum_axis() }
           pub fn n(t: [[f32; m]; n]) -> f32 { t.broadcast(m)[0] }
           pub fn o(t: [[bool; m]; n]) -> [bool] { t.sum_axis(0) }
           pub fn p(t: [[f32; m]; n]) -> [f32] { t.reshape((2.0, 3)) }
           pub fn q(t: [[f32; m]; n]) -> f32 { t.reduce_axis(0, 0.0, |a| a)[0] }"#,
        expect![[r#"
            error: there is no axis 2
              at `2`
              `[[f32]]` has 2 axes, 0 to 1
            error: there is no axis 1
              at `1`
              `[f32]` has one axis, 0
            error: an axis is a constant
              at `k`
              the type of the result depends on it
              help: write a number, or the name of a `const`
            error: there is no axis -1
              at `-1`
              `[[f32]]` has 2 axes, 0 to 1
              help: the innermost axis is 1
            error: there is no axis 3
              at `K`
              `[[f32]]` has 2 axes, 0 to 1
            error: `transpose` needs an array of 2 dimensions or more, found `[f32]`
              at `xs.transpose()`
              it is `a.transpose() -> [[T; n]; m], a.transpose(i, j)`
            error: `transpose` takes two axes, or none
              at `t.transpose(1)`
              without axes it exchanges the first two
              help: write both: `a.transpose(0, 1)`
            error: `transpose` exchanges axis 1 with itself
              at `t.transpose(1, 1)`
              help: leave it out
            error: `flatten` needs an array of 2 dimensions or more, found `[f32]`
              at `xs.flatten()`
              it is `a.flatten() -> [T]`
            error: `sum_axis` needs an array, found `f32`
              at `x`
              it is `a.sum_axis(k) -> [T; n]`
            error: `reduce_axis` needs an array, found `f32`
              at `x`
              it is `a.reduce_axis(k, init, |a, b| e) -> [T; n]`
            error: cannot find `y`
              at `y`
              help: what is outside of the block comes in as a parameter
            error: this has no value
              at `()`
              `()` is not a value here
              help: write a value
            error: this has no value
              at `()`
              `()` is not a value here
              help: write a value
            error: an axis is a constant
              at `0.0`
              the type of the result depends on it
              help: write a number, or the name of a `const`
            error: `sum` cannot be applied to an array of `[f32]`
              at `t.sum()`
              `xs.sum() -> T` is for arrays of integers and floats
              help: apply it to each inner array with `map`, along an axis, `a.sum_axis(0)`, or to all elements, `a.flatten()`
            error: `sum_axis` takes 2 arguments (the array included), not 1
              at `t.sum_axis()`
              it is `a.sum_axis(k) -> [T; n]`
            error: `broadcast` to 1 dimension of an array with 2
              at `t.broadcast(m)`
              it is `a.broadcast((n, m)) -> [[T; m]; n]`
              help: name all extents of the result, outermost first
            error: `sum` cannot be applied to an array of `bool`
              at `t.sum_axis(0)`
              `xs.sum() -> T` is for arrays of integers and floats
              help: `count()` counts the elements that are true
            error: expected `usize`, found a float
              at `2.0`
              `reshape` is `a.reshape((n, m)) -> [[T; m]; n]`
              help: write an integer, or convert the other value to a float
            error: `reduce` calls its function with 2 arguments, this closure takes 1
              at `|a| a`
        "#]],
    );
}
