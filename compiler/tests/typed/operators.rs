//! Operators: arguments, elements, function arguments.

use crate::check;
use expect_test::expect;

#[test]
fn counts_of_arguments() {
    check(
        r#"pub fn a(xs: [f32]) -> f32 { xs.sum(1) + sum() }
           pub fn b(xs: [f32]) -> f32 { xs.fold(|a, b| a + b) }
           pub fn c(xs: [f32]) -> [f32] { zip(xs) }
           pub fn d(xs: [f32]) -> f32 { xs.min(xs, xs) }
           pub fn e(xs: [f32], ys: [f32]) -> [f32] { xs.max(ys) }"#,
        expect![[r#"
            error: `sum` takes 1 argument (the array included), not 2
              at `xs.sum(1)`
              it is `xs.sum() -> T`
              help: along an axis it is called `sum_axis`, with the axis first
            error: `sum` takes 1 argument (the array included), not 0
              at `sum()`
              it is `xs.sum() -> T`
            error: `fold` takes 3 arguments (the array included), not 2
              at `xs.fold(|a, b| a + b)`
              it is `xs.fold(init, |acc, x| e) -> A`
            error: `zip` takes 2 to 12 arguments (the array included), not 1
              at `zip(xs)`
              it is `zip(xs, ys, …) -> [(A, B, …); n]`
            error: `min` takes 1 argument (the array included), not 3
              at `xs.min(xs, xs)`
              it is `xs.min() -> T`
            error: `max` of two values is for scalars
              at `xs.max(ys)`
              of an array it is `xs.max() -> T`
              help: for each pair of elements: `zip(xs, ys).map(|(x, y)| x.max(y))`
        "#]],
    );
}

#[test]
fn arguments_that_are_no_arrays() {
    check(
        r#"pub fn a(x: f32) -> f32 { x.sum() }
           pub fn b(n: usize) -> [usize] { n.map(|i| i) }
           pub fn c(xs: [f32], ys: [f32]) -> [f32] { (xs, ys).map(|(x, y)| x + y) }
           pub fn d(xs: [f32]) -> [f32] { xs.chain(1.0) }
           pub fn e(xs: [f32]) -> [f32] { xs.take(1.5).gather([1, 2]).gather([1i32]) }
           pub fn f(x: f32, xs: [i32]) -> [i32] { fill(x, 3).chain(xs) }"#,
        expect![[r#"
            error: `sum` needs an array, found `f32`
              at `x`
              it is `xs.sum() -> T`
            error: `map` needs an array, found `usize`
              at `n`
              it is `xs.map(|x| e) -> [U; n]`
              help: the array of the numbers below `n` is `0..n`
            error: `map` needs an array, found `([f32], [f32])`
              at `(xs, ys)`
              it is `xs.map(|x| e) -> [U; n]`
              help: pair up arrays with `zip(xs, ys)`, or take a field with `.0`
            error: expected `[f32]`, found a float
              at `1.0`
              `chain` is `xs.chain(ys) -> [T; n + m]`
              help: `[x]` is an array of it alone, `fill(x, n)` one of equal elements
            error: expected `usize`, found a float
              at `1.5`
              `take` is `xs.take(k) -> [T]`
              help: write an integer, or convert the other value to a float
            error: expected `[f32]`, found `[i32]`
              at `xs`
              `chain` is `xs.chain(ys) -> [T; n + m]`
        "#]],
    );
}

#[test]
fn elements_of_other_types() {
    check(
        r#"pub fn a(xs: [bool]) -> bool { xs.sum() }
           pub fn b(xs: [i32]) -> i32 { xs.mean() }
           pub fn c(xs: [(f32, i32)]) -> usize { xs.argmin() }
           pub fn d(xs: [f32]) -> bool { xs.any() }
           pub fn e(xs: [f32]) -> f32 { xs.unzip() }
           pub fn f(n: usize) -> f32 { for i in 0..n { 0..i }.sum() }
           pub fn g(xs: [bool]) -> bool { xs.product() || xs.max() }
           pub fn h(xs: [f32]) -> f32 { xs.max_or(1) }"#,
        expect![[r#"
            error: `sum` cannot be applied to an array of `bool`
              at `xs.sum()`
              `xs.sum() -> T` is for arrays of integers and floats
              help: `count()` counts the elements that are true
            error: `mean` cannot be applied to an array of `i32`
              at `xs.mean()`
              `xs.mean() -> T` is for arrays of floats
              help: convert the elements first: `xs.map(|x| x as f64).mean()`
            error: `argmin` cannot be applied to an array of `(f32, i32)`
              at `xs.argmin()`
              `xs.argmin() -> usize` is for arrays of integers and floats
              help: take one field: `xs.map(|x| x.0).argmin()`
            error: expected `[bool]`, found `[f32]`
              at `xs`
              `any` is `xs.any(|x| c) -> bool`
              help: ask something of each element: `xs.map(|x| x > 0.0)`
            error: `unzip` needs an array of tuples, found one of `f32`
              at `xs.unzip()`
              it is `ps.unzip() -> ([A; n], [B; n], …)`
            error: `sum` cannot be applied to an array of `[usize]`
              at `for i in 0..n { 0..i }.sum()`
              `xs.sum() -> T` is for arrays of integers and floats
              help: apply it to each inner array with `map`, along an axis, `a.sum_axis(0)`, or to all elements, `a.flatten()`
            error: `product` cannot be applied to an array of `bool`
              at `xs.product()`
              `xs.product() -> T` is for arrays of integers and floats
              help: `all()` says whether all are true
            error: `max` cannot be applied to an array of `bool`
              at `xs.max()`
              `xs.max() -> T` is for arrays of integers and floats
            error: expected `f32`, found an integer
              at `1`
              `max_or` is `xs.max_or(v) -> T`
              help: write `1.0`
        "#]],
    );
}

#[test]
fn closures() {
    check(
        r#"pub fn a(xs: [(f32, f32)]) -> [f32] { xs.map(|x, y| x + y) }
           pub fn b(xs: [f32]) -> f32 { xs.reduce(0.0, |a| a) }
           pub fn c(xs: [f32]) -> f32 { xs.reduce(0, |a, b| a + b) }
           pub fn d(xs: [f32]) -> f32 { xs.reduce(0.0, |a, b| a > b) }
           pub fn e(xs: [f32]) -> bool { xs.all(|x| x) }
           pub fn f(xs: [f32]) -> [f32] { xs.map(1.0) }
           pub fn g(xs: [f32]) -> [f32] { xs.map(xs) }
           pub fn h(xs: [i32]) -> f32 { xs.fold(0.0, |acc, x| acc + x) }
           pub fn i(xs: [i32]) -> i32 { xs.map(|x| { }).len() as i32 }"#,
        expect![[r#"
            error: `map` calls its function with 1 argument, this closure takes 2
              at `|x, y| x + y`
              help: take the tuple apart: `|(a, b)| …`
            error: `reduce` calls its function with 2 arguments, this closure takes 1
              at `|a| a`
            error: expected `f32`, found an integer
              at `0`
              `reduce` is `xs.reduce(init, |a, b| e) -> T`
              help: write `0.0`
            error: expected `f32`, found `bool`
              at `a > b`
              this is what `reduce` wants of its function
            error: expected `bool`, found `f32`
              at `x`
              this is what `all` wants of its function
              help: compare it: `… != 0.0`
            error: `map` takes a function here
              at `1.0`
              help: write a closure, `|x| …`, or the name of a function
            error: `map` takes a function here
              at `xs`
              help: write a closure, `|x| …`, or the name of a function
            error: `+` cannot be applied to a float and `i32`
              at `acc + x`
              both operands have one type; nothing is converted by itself
              help: convert one of them: `… as f64`
            error: this has no value
              at `{ }`
              the block ends without a value
              help: end it with an expression, without `;`
        "#]],
    );
}

#[test]
fn functions_by_name() {
    check(
        r#"fn half(x: f32) -> f32 { x / 2.0 }
           fn plus(x: f32, y: f32) -> f32 { x + y }
           pub fn a(xs: [i32]) -> [f32] { xs.map(half) }
           pub fn b(xs: [f32]) -> [f32] { xs.map(plus) }
           pub fn c(xs: [f32]) -> [f32] { xs.map(hlaf) }
           pub fn d(xs: [f32]) -> [bool] { xs.scan(plus).map(sqrt) }
           pub fn e(xs: [bool]) -> bool { xs.reduce(false, add) }
           pub fn f(xs: [f32]) -> f32 { xs.reduce(0.0, f64::max) }
           pub fn g(xs: [f32]) -> [f32] { xs.map(sort) }"#,
        expect![[r#"
            error: expected `f32`, found `i32`
              at `half`
              this is what `half` takes
              help: convert it: `… as f32`
            error: `plus` takes 2 arguments, not 1
              at `plus`
              and `fn plus(x: f32, y: f32) -> f32`: `plus` is declared here
            error: cannot find `hlaf`
              at `hlaf`
              help: did you mean `half`?
            error: expected `[bool]`, found `[f32]`
              at `xs.scan(plus).map(sqrt)`
              this is the result type of `d`
              help: ask something of each element: `xs.map(|x| x > 0.0)`
            error: `+` cannot be applied to `bool`
              at `add`
              it is for integers and floats
              help: convert it to an integer, or use `||`
            error: expected `f64`, found `f32`
              at `f64::max`
              `f64::max` takes this type
              help: convert it: `… as f64`
            error: `sort` needs an array, found `f32`
              at `sort`
              it is `xs.sort() -> [T; n]`
        "#]],
    );
}

#[test]
fn operators_that_make_sizes() {
    check(
        r#"pub fn a(xs: [f32]) -> [usize] { xs.lens() }
           pub fn b(xs: [f32]) -> [f32] { xs.concat() }
           pub fn c(xs: [f32], n: [i32]) -> [[f32]] { xs.unflatten(n) }
           pub fn d(xs: [f32]) -> [f32] { xs.flat_map(|x| x + 1.0) }
           pub fn e(xs: [f32]) -> [f32] { xs.filter(|x| x + 1.0) }
           pub fn f(xs: [f32]) -> [f32] { xs.partition(|x| x > 1.0) }
           pub fn g(xs: [f32]) -> [f32] { xs.compress(|x| x > 1.0) }
           pub fn h(x: f32) -> [f32] { filter(x, |x| x > 1.0) }
           pub fn i(xs: [f32]) -> [f32] { xs.filter() }"#,
        expect![[r#"
            error: `lens` needs an array of 2 dimensions or more, found `[f32]`
              at `xs.lens()`
              it is `a.lens() -> [usize; n]`
            error: `concat` needs an array of 2 dimensions or more, found `[f32]`
              at `xs.concat()`
              it is `a.concat() -> [T]`
            error: expected `[usize]`, found `[i32]`
              at `n`
              `unflatten` is `xs.unflatten(lengths) -> [[T]]`
            error: expected `[_]`, found `f32`
              at `x + 1.0`
              this is what `flat_map` wants of its function
              help: `[x]` is an array of it alone, `fill(x, n)` one of equal elements
            error: expected `bool`, found `f32`
              at `x + 1.0`
              this is what `filter` wants of its function
              help: compare it: `… != 0.0`
            error: expected `[f32]`, found `([f32], [f32])`
              at `xs.partition(|x| x > 1.0)`
              this is the result type of `f`
            error: a closure can only be passed to an operator or a function, or bound with `let`
              at `|x| x > 1.0`
              functions are not values: they cannot be stored or returned
              help: give it a name: `let f = |x| …;`
            error: `filter` needs an array, found `f32`
              at `x`
              it is `xs.filter(|x| c) -> [T]`
            error: `filter` takes 2 arguments (the array included), not 1
              at `xs.filter()`
              it is `xs.filter(|x| c) -> [T]`
        "#]],
    );
}

#[test]
fn operators_that_write_where_an_index_says() {
    check(
        r#"pub fn a(xs: [f32]) -> [f32] { histogram(3, 0.0, |a, b| a + b, xs, xs) }
           pub fn b(xs: [f32], ix: [usize]) -> [f32] { xs.permute(|a, b| a > b, ix, xs) }
           pub fn c(xs: [f32], ix: [usize]) -> [f32] { xs.scatter_unique(ix) }
           pub fn d(xs: [f32], ix: [usize]) -> [f32] { histogram(3, 0, |a, b| a + b, ix, xs) }
           pub fn e(xs: [f32], ix: [usize]) -> [f32] { permute(xs, ix, xs, |a, b| a + b) }"#,
        expect![[r#"
            error: expected `[usize]`, found `[f32]`
              at `xs`
              `histogram` is `histogram(k, init, |a, b| e, ix, vs) -> [T; k]`
            error: expected `f32`, found `bool`
              at `a > b`
              this is what `permute` wants of its function
            error: `scatter_unique` takes 3 arguments (the array included), not 2
              at `xs.scatter_unique(ix)`
              it is `scatter_unique(into, ix, vs) -> [T; n]`
            error: expected `[integer]`, found `[f32]`
              at `xs`
              `histogram` is `histogram(k, init, |a, b| e, ix, vs) -> [T; k]`
            error: expected `[usize]`, found `[f32]`
              at `xs`
              `permute` is `permute(into, |a, b| e, ix, vs) -> [T; n]`
        "#]],
    );
}

#[test]
fn pairs_and_runs() {
    check(
        r#"pub fn a(xs: [[f32]]) -> usize { xs.run_lengths().len() }
           pub fn b(xs: [f32]) -> usize { cartesian(xs, 3).len() }
           pub fn c(n: usize) -> usize { n.pairs().len() }
           pub fn d(xs: [f32]) -> [(usize, f32)] { xs.run_lengths() }"#,
        expect![[r#"
            error: `run_lengths` cannot be applied to an array of `[f32]`
              at `xs.run_lengths()`
              `xs.run_lengths() -> [(T, usize)]` is for arrays of scalars, complex numbers and tuples of these
              help: apply it to each inner array with `map`
            error: `cartesian` needs an array, found an integer
              at `3`
              it is `cartesian(xs, ys) -> [(A, B)]`
            error: `pairs` needs an array, found `usize`
              at `n`
              it is `xs.pairs() -> [(T, T)]`
              help: the array of the numbers below `n` is `0..n`
            error: expected `[(usize, f32)]`, found `[(f32, usize)]`
              at `xs.run_lengths()`
              this is the result type of `d`
        "#]],
    );
}

#[test]
fn generate_of_several_dimensions() {
    check(
        r#"pub fn a(n: usize) -> [f32] { generate((n, n), |i, j| 1.0) }
           pub fn c(n: usize) -> usize { generate((n, n), |(i, j)| i + j).len() }
           pub fn b(n: i32) -> [i32] { generate(n, |i| i) }"#,
        expect![[r#"
            error: expected `[f32]`, found `[[float]]`
              at `generate((n, n), |i, j| 1.0)`
              this is the result type of `a`
            error: `generate` calls its function with 2 arguments, this closure takes 1
              at `|(i, j)| i + j`
              help: leave out the inner parentheses: `|a, b| …`
            error: expected `usize`, found `i32`
              at `n`
              `generate` is `generate(n, |i| e) -> [T; n]`
              help: convert it: `… as usize`
        "#]],
    );
}

#[test]
fn elements_of_literals() {
    check(
        r#"pub fn a() -> [f32] { [1.0, 2, true] }
           pub fn b(n: i32) -> [f32] { [0.0; n] }"#,
        expect![[r#"
            error: expected a float, found an integer
              at `2`
              the elements of an array have one type
              help: write `2.0`
            error: expected a float, found `bool`
              at `true`
              the elements of an array have one type
            error: expected `usize`, found `i32`
              at `n`
              the length of an array is a `usize`
              help: convert it: `… as usize`
        "#]],
    );
}

#[test]
fn any_without_closure() {
    check(
        r#"pub fn f(xs: [bool], ys: [f32]) -> (bool, bool, usize) { (xs.any(), all(xs), count(ys, |y| y > 0.0) + xs.count()) }"#,
        expect![[r#"
            pub fn f(xs: [bool], ys: [f32]) -> (bool, bool, usize) {
                (any(xs), all(xs), (count(ys, |y: f32| (y > 0.0f32)) + count(xs)))
            }
        "#]],
    );
}
