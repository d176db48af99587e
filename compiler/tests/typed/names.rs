//! Names: what is not found, what is defined twice, what Rust calls otherwise.

use crate::check;
use expect_test::expect;

#[test]
fn types_as_functions() {
    check(
        r#"struct P { x: f32, y: f32 }
           pub fn f(a: f32) -> f32 { P(a, a).x }
           pub fn g(a: f32) -> f32 { Complex(a, a).re }"#,
        expect![[r#"
            error: `P` is a type, not a function
              at `P`
              help: a value of it is made by `P { x: …, y: … }`
            error: `Complex` is a type, not a function
              at `Complex`
              help: a value of it is made by `complex(re, im)`
        "#]],
    );
}

#[test]
fn unknown_names_with_suggestions() {
    check(
        r#"pub fn f(values: [f32]) -> f32 { valeus.sum() + total }
           pub fn g(xs: [f32]) -> f32 { xs.summ() + mximum(xs) + sqr(2.0) + xs.frobnicate() }"#,
        expect![[r#"
            error: cannot find `valeus`
              at `valeus`
              help: did you mean `values`?
            error: cannot find `total`
              at `total`
              help: what is outside of the block comes in as a parameter
            error: cannot find `summ`
              at `summ`
              help: did you mean `sum`?
            error: cannot find `mximum`
              at `mximum`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
            error: cannot find `sqr`
              at `sqr`
              help: did you mean `sqrt`?
            error: cannot find `frobnicate`
              at `frobnicate`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
        "#]],
    );
}

#[test]
fn unknown_types() {
    check(
        r#"struct Point { x: f23 }
           pub fn f(a: Piont, b: Vec) -> isize { 0 as u128 }"#,
        expect![[r#"
            error: cannot find type `f23`
              at `f23`
              help: did you mean `f32`?
            error: cannot find type `Piont`
              at `Piont`
              help: did you mean `Point`?
            error: cannot find type `Vec`
              at `Vec`
              help: arrays are written `[T]`
            error: cannot find type `isize`
              at `isize`
              help: sizes are `usize`; signed integers have a fixed width: `i64`
        "#]],
    );
}

#[test]
fn unknown_struct_and_fields() {
    check(
        r#"struct P { x: f32, y: f32 }
           pub fn f(p: P) -> P { Q { x: 1.0 } }
           pub fn g(p: P) -> f32 { p.z + p.xx }
           pub fn h(p: P) -> P { P { x: 1.0, x: 2.0, w: 3.0 } }
           pub fn i(p: P) -> f32 { let P { x } = p; x }
           pub fn j(ps: [P]) -> f32 { ps.x.sum() }
           pub fn k(t: (f32, f32)) -> f32 { t.2 }"#,
        expect![[r#"
            error: cannot find struct `Q`
              at `Q`
            error: `P` has no field `z`
              at `z`
              its fields are `x`, `y`
            error: `P` has no field `xx`
              at `xx`
              help: did you mean `x`?
            error: the field `x` occurs twice
              at `x`
              help: leave one of them out
            error: `P` has no field `w`
              at `w`
              its fields are `x`, `y`
            error: `P` misses `y`
              at `P { x: 1.0, x: 2.0, w: 3.0 }`
              help: give each field a value, or write `..other`
            error: `P` misses `y`
              at `P { x }`
              help: write `..` for fields that are not used
            error: `[P]` has no field `x`
              at `x`
              help: take the field of each element: `xs.map(|x| x.x)`
            error: `(f32, f32)` has no field `2`
              at `2`
              it has 2 fields
        "#]],
    );
}

#[test]
fn names_of_rust() {
    check(
        r#"pub fn f(xs: [f32]) -> [f32] { xs.iter().map(|x| x * 2.0) }
           pub fn g(xs: [f32]) -> [f32] { xs.map(|x| x * 2.0).collect() }
           pub fn h(x: f32) -> f32 { x.powf(2.0) + x.log() + x.clone() }
           pub fn i(xs: [f32]) -> bool { xs.is_empty() || xs.get(0).unwrap() }"#,
        expect![[r#"
            error: there is no `iter`
              at `iter`
              help: arrays are mapped directly: leave it out
            error: `collect` needs a sequence, found `[f32]`
              at `collect`
              help: operators give arrays: leave it out
            error: there is no `powf`
              at `powf`
              help: it is called `pow`
            error: `log` takes 2 arguments, not 1
              at `x.log()`
              it is called as `log(x, y)`
              help: the natural logarithm is `ln`
            error: there is no `clone`
              at `clone`
              help: values are never moved: leave it out
            error: there is no `is_empty`
              at `is_empty`
              help: write `xs.len() == 0`
            error: there is no `unwrap`
              at `unwrap`
              help: operators give values, and an error ends the call: leave it out
            error: there is no `get`
              at `get`
              help: write `xs[i]`
        "#]],
    );
}

#[test]
fn planned_names() {
    check(
        r#"pub fn f(xs: [f32]) -> [f32] { random_f32(xs.len()).sort() }
           pub fn g(xs: [usize]) -> [usize] { xs.elements() + tabulate(xs) }"#,
        expect![[r#"
            error: `random_f32`: not supported yet
              at `random_f32`
              help: make the numbers in Rust, and pass them as an array
            error: `elements` needs a sequence, found `[usize]`
              at `elements`
              help: operators give arrays: leave it out
            error: `tabulate` needs a sequence, found `[usize]`
              at `tabulate`
              help: operators give arrays: leave it out
        "#]],
    );
}

#[test]
fn defined_twice() {
    check(
        r#"const A: i32 = 1; const A: i32 = 2;
           fn f() -> i32 { A }
           struct S { x: i32 }
           struct S { y: i32 }
           pub fn f() -> i32 { 2 }"#,
        expect![[r#"
            error: `f` is defined twice
              at `f`
              help: give one of them another name
              and `f`: `f` is defined here first
            error: `S` is defined twice
              at `S`
              help: give one of them another name
              and `S`: `S` is defined here first
            error: `A` is defined twice
              at `A`
              help: give one of them another name
              and `A`: `A` is defined here first
        "#]],
    );
}

#[test]
fn functions_are_no_values() {
    check(
        r#"fn g(x: f32) -> f32 { x }
           pub fn f(xs: [f32]) -> f32 { let h = g; sum }
           pub fn i(f: f32, xs: [f32]) -> f32 { f(xs) }
           pub fn j(sum: f32, xs: [f32]) -> f32 { sum(xs) }
           pub fn k(xs: [f32]) -> f32 { let h = |x| x + 1.0; h(1.0) }"#,
        expect![[r#"
            error: `g` is a function, not a value
              at `g`
              help: call it: `g(…)`, or pass it to an operator: `xs.map(g)`
            error: `sum` is a function, not a value
              at `sum`
              help: call it: `sum(…)`, or pass it to an operator: `xs.map(sum)`
            error: `f` is not a function
              at `f(xs)`
              a variable of this name hides the function
              help: give the variable another name
              and `f`: `f` is a variable
            error: `sum` is not a function
              at `sum(xs)`
              a variable of this name hides the function
              help: give the variable another name
              and `sum`: `sum` is a variable
        "#]],
    );
}

#[test]
fn constants_of_types() {
    check(
        r#"pub fn f() -> f32 { f32::MAXIMUM }
           pub fn g() -> i32 { i32::INFINITY }
           pub fn h(x: f32) -> f32 { f32::powf(x, 2.0) + f32::sqrt(2) + f32::reciprocal(x) }"#,
        expect![[r#"
            error: `f32` has no `MAXIMUM`
              at `MAXIMUM`
            error: `i32` has no `INFINITY`
              at `INFINITY`
            error: `f32` has no `powf`
              at `powf`
              help: it is called `pow`
            error: expected `f32`, found an integer
              at `2`
              `f32::sqrt` takes this type
              help: write `2.0`
            error: `f32` has no `reciprocal`
              at `reciprocal`
        "#]],
    );
}

#[test]
fn uses_of_what_failed_are_not_reported() {
    check(
        r#"pub fn f(xs: [f32]) -> f32 {
               let a = missing + 1.0;
               let b = a * 2 + xs.map(|x| x + a).sum();
               for i in a { let _ = i; }
               b[a].c.d(a)
           }"#,
        expect![[r#"
            error: cannot find `missing`
              at `missing`
              help: what is outside of the block comes in as a parameter
            error: cannot find `d`
              at `d`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
        "#]],
    );
}

#[test]
fn recursion() {
    check(
        r#"pub fn fact(n: u64) -> u64 { if n == 0 { 1 } else { n * fact(n - 1) } }
           fn even(n: u64) -> bool { n == 0 || odd(n - 1) }
           fn odd(n: u64) -> bool { n != 0 && even(n - 1) }
           fn grow<T>(x: T) -> bool { grow((x, x)) }
           pub fn g() -> bool { grow(1) }"#,
        expect![[r#"
            error: `fact` calls itself: recursion is not supported yet
              at `fact(n - 1)`
              help: use `while` or `loop` with `let mut` state
            error: `grow` calls itself: recursion is not supported yet
              at `grow((x, x))`
              in the instance with `T = i32`
              help: use `while` or `loop` with `let mut` state
            error: `even` calls itself: recursion is not supported yet
              at `even(n - 1)`
              through `odd`
              help: use `while` or `loop` with `let mut` state
        "#]],
    );
}

#[test]
fn structs_that_contain_themselves() {
    check(
        r#"struct A { b: B }
           struct B { a: [A] }
           pub fn f(x: f32) -> f32 { x }"#,
        expect![[r#"
            error: the struct `B` contains itself
              at `[A]`
              help: store positions in an array instead
        "#]],
    );
}

#[test]
fn names_of_array_libraries() {
    let names = [
        "t",
        "swap_axes",
        "swapaxes",
        "permuted_axes",
        "dim",
        "raw_dim",
        "nrows",
        "ncols",
        "row",
        "column",
        "col",
        "rows",
        "outer_iter",
        "axis_iter",
        "genrows",
        "columns",
        "cols",
        "gencolumns",
        "ravel",
        "into_shape",
        "to_shape",
        "into_shape_with_order",
        "matmul",
        "tile",
    ];
    let functions = names.map(|name| {
        format!("pub fn of_{name}(a: [[f32; m]; n]) -> [[f32; m]; n] {{ a.{name}() }}")
    });
    check(
        &functions.concat(),
        expect![[r#"
        error: there is no `t`
          at `t`
          help: it is called `transpose`
        error: there is no `swap_axes`
          at `swap_axes`
          help: it is called `transpose`
        error: there is no `swapaxes`
          at `swapaxes`
          help: it is called `transpose`
        error: there is no `permuted_axes`
          at `permuted_axes`
          help: it is called `transpose`
        error: there is no `dim`
          at `dim`
          help: it is called `shape`
        error: there is no `raw_dim`
          at `raw_dim`
          help: it is called `shape`
        error: there is no `nrows`
          at `nrows`
          help: write `a.len()`
        error: there is no `ncols`
          at `ncols`
          help: write `a.shape().1`
        error: there is no `row`
          at `row`
          help: write `a[i]`
        error: there is no `column`
          at `column`
          help: write `a.transpose()[j]`
        error: there is no `col`
          at `col`
          help: write `a.transpose()[j]`
        error: there is no `rows`
          at `rows`
          help: an array of arrays is the array of its rows: leave it out
        error: there is no `outer_iter`
          at `outer_iter`
          help: an array of arrays is the array of its rows: leave it out
        error: there is no `axis_iter`
          at `axis_iter`
          help: an array of arrays is the array of its rows: leave it out
        error: there is no `genrows`
          at `genrows`
          help: an array of arrays is the array of its rows: leave it out
        error: there is no `columns`
          at `columns`
          help: write `a.transpose()`
        error: there is no `cols`
          at `cols`
          help: write `a.transpose()`
        error: there is no `gencolumns`
          at `gencolumns`
          help: write `a.transpose()`
        error: there is no `ravel`
          at `ravel`
          help: it is called `flatten`
        error: there is no `into_shape`
          at `into_shape`
          help: it is called `reshape`
        error: there is no `to_shape`
          at `to_shape`
          help: it is called `reshape`
        error: there is no `into_shape_with_order`
          at `into_shape_with_order`
          help: it is called `reshape`
        error: there is no `matmul`
          at `matmul`
          help: write `for r in a { for c in b.transpose() { zip(r, c).map(|(x, y)| x * y).sum() } }`
        error: there is no `tile`
          at `tile`
          help: it is called `repeat`
    "#]],
    );
}

#[test]
fn names_of_other_languages() {
    check(
        r#"pub fn a(xs: [i32], y: i32) -> bool { xs.contains(y) }
           pub fn b(xs: [f64]) -> f64 { xs.std() }
           pub fn c(xs: [f64]) -> f64 { median(xs) }
           pub fn d(xs: [i32]) -> [i32] { xs.filter_map(|x| x) }
           pub fn e(xs: [u8]) -> [[u8]] { xs.split(32u8) }
           pub fn f(xs: [f32], ys: [f32]) -> [f32] { xs.convolve(ys) }
           pub fn g(ix: [usize], vs: [i32]) -> [i32] { reduce_by_index(ix, vs) }
           pub fn h(xs: [i32]) -> [i32] { xs.foldr(0, |a, x| a + x) }"#,
        expect![[r#"
            error: there is no `contains`
              at `contains`
              help: write `xs.any(|x| x == y)`
            error: there is no `std`
              at `std`
              help: write `let m = xs.mean(); sqrt(xs.map(|x| (x - m) * (x - m)).mean())`
            error: there is no `median`
              at `median`
              help: write `xs.kth_smallest(k)`: the median is that of `xs.len() / 2`
            error: there is no `filter_map`
              at `filter_map`
              help: write `xs.filter(|x| …).map(|x| …)`
            error: there is no `split`
              at `split`
              help: a piece is a slice, `xs[i..j]`: find where they begin and end, `(0..xs.len()).filter(|i| …)`
            error: there is no `convolve`
              at `convolve`
              help: write `xs.windows(n).map(|w| zip(w, ys).map(|(x, y)| x * y).sum())`
            error: there is no `reduce_by_index`
              at `reduce_by_index`
              help: it is called `histogram`
            error: there is no `foldr`
              at `foldr`
              help: write `xs.rev().fold(init, |a, x| …)`
        "#]],
    );
}

#[test]
fn closures_with_names() {
    check(
        r#"pub fn a(x: i32) -> i32 { let f = |x, y| x + y; f(x) }
           pub fn b(x: i32) -> i32 { let f = |x| f(x); f(x) }
           pub fn c(x: i32) -> i32 { let f = |x| x; f }
           pub fn d(x: f32) -> f32 { let mut k = 1.0; let f = |x| { k = x; x }; f(x) + k }
           pub fn e(xs: [i32]) -> i32 { let f = |a, b| a; xs.map(f).sum() }
           pub fn g(x: f32) -> f32 { let f = |x| x + 1; f(x) }"#,
        expect![[r#"
            error: `f` takes 2 arguments, not 1
              at `f(x)`
              and `|x, y| x + y`: `f` is declared here
            error: cannot find `f`
              at `f`
              help: functions of other blocks come in with `use`; those of Rust cannot be called
            error: `f` is a function, not a value
              at `f`
              help: call it: `f(…)`, or pass it to an operator: `xs.map(f)`
            error: `k` is assigned inside a parallel body
              at `k = x`
              a closure, or a `for` with a value, runs for all elements at once
              help: use `fold` or `reduce`, which carry a value; a `for` without a value is sequential
              and `k`: `k` is declared outside of that body
            error: `map` calls its function with 1 argument, this closure takes 2
              at `|a, b| a`
            error: `+` cannot be applied to `f32` and an integer
              at `x + 1`
              both operands have one type; nothing is converted by itself
              help: write `1.0`
        "#]],
    );
}
