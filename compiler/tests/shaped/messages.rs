//! Messages: contradictions of sizes, and what is not compiled yet.

use super::check;

#[test]
fn zip_of_different_known_sizes() {
    check(
        r#"
        pub fn f(xs: [f32; 5], ys: [f32; 3]) -> [f32] {
            zip(xs, ys).map(|(x, y)| x * y)
        }
        "#,
        r#"
        2:5: sizes 5 and 3 do not match
          `zip` needs arrays of one length; `xs` has length 5, `ys` has length 3
          help: cut the longer one with `take`, `skip` or a slice
          2:13: this is 2 shorter than `xs`
        "#,
    );
}

#[test]
fn zip_of_different_sizes() {
    check(
        r#"
        pub fn f(xs: [f32; n]) -> [f32; n] {
            zip(xs, xs[1..]).map(|(x, y)| x * y)
        }
        "#,
        r#"
        2:5: sizes `n` and `n - 1` do not match
          `zip` needs arrays of one length; `xs` has length `n`, the slice of `xs` has length `n - 1`
          help: cut the longer one with `take`, `skip` or a slice
          2:13: this is 1 shorter than `xs`
        "#,
    );
}

#[test]
fn scatter_of_different_sizes() {
    check(
        r#"
        pub fn f(xs: [f32; n], ix: [usize; n]) -> [f32; n] {
            scatter(xs, ix, xs.chain([1.0]))
        }
        "#,
        r#"
        2:5: sizes `n` and `n + 1` do not match
          `scatter` needs arrays of one length; `ix` has length `n`, the result of `chain` has length `n + 1`
          help: cut the longer one with `take`, `skip` or a slice
          2:21: this is 1 longer than `ix`
        "#,
    );
}

#[test]
fn histogram_of_different_sizes() {
    check(
        r#"
        pub fn f(xs: [f32; n]) -> [f32] {
            histogram(3, 0.0, |a, b| a + b, 0..n + 1, xs)
        }
        "#,
        r#"
        2:5: sizes `n + 1` and `n` do not match
          `histogram` needs arrays of one length; the range has length `n + 1`, `xs` has length `n`
          help: cut the longer one with `take`, `skip` or a slice
          2:47: this is 1 shorter than the range
        "#,
    );
}

#[test]
fn result_of_another_size() {
    check(
        r#"
        pub fn f(xs: [f32; n]) -> [f32; n] {
            xs.chain([1.0])
        }
        "#,
        r#"
        2:5: sizes `n + 1` and `n` do not match
          the signature says `n`; the result has length `n + 1`
          help: change the size in the signature, or the length of the array
          1:27: declared with size `n` here
        "#,
    );
}

#[test]
fn argument_of_another_size() {
    check(
        r#"
        fn g(xs: [i32; 3]) -> i32 { xs[0] }
        pub fn f(xs: [i32; 4]) -> i32 { g(xs) }
        "#,
        r#"
        2:35: sizes 4 and 3 do not match
          the signature says `3`; `xs` has length 4
          help: change the size in the signature, or the length of the array
          1:10: declared with size `3` here
        "#,
    );
}

#[test]
fn a_mistake_of_a_callee_is_said_once() {
    check(
        r#"
        fn g(xs: [i32; n], ys: [i32; n]) -> i32 {
            zip(xs, ys.chain([1])).map(|(x, y)| x * y).sum()
        }
        pub fn f(xs: [i32; a]) -> i32 { g(xs, xs) + g(xs, xs) }
        "#,
        r#"
        2:5: sizes `a` and `a + 1` do not match
          `zip` needs arrays of one length; `xs` has length `a`, the result of `chain` has length `a + 1`
          help: cut the longer one with `take`, `skip` or a slice
          2:13: this is 1 longer than `xs`
        "#,
    );
}

#[test]
fn several_mistakes() {
    check(
        r#"
        pub fn f(xs: [i32; 3], ys: [i32; 4]) -> i32 {
            let a = zip(xs, ys).map(|(x, y)| x * y).sum();
            let b = zip(ys, [a, a]).map(|(x, y)| x * y).sum();
            a + b
        }
        "#,
        r#"
        2:13: sizes 3 and 4 do not match
          `zip` needs arrays of one length; `xs` has length 3, `ys` has length 4
          help: cut the longer one with `take`, `skip` or a slice
          2:21: this is 1 longer than `xs`
        3:13: sizes 4 and 2 do not match
          `zip` needs arrays of one length; `ys` has length 4, the array literal has length 2
          help: cut the longer one with `take`, `skip` or a slice
          3:21: this is 2 shorter than `ys`
        "#,
    );
}

#[test]
fn sizes_without_a_name() {
    check(
        r#"
        pub fn f(xs: [f32], k: usize) -> [f32] {
            let t = xs.take(k);
            zip(t, t.chain([1.0])).map(|(x, y)| x * y)
        }
        "#,
        r#"
        3:5: sizes do not match
          `zip` needs arrays of one length; the result of `chain` is 1 longer than `t`
          help: cut the longer one with `take`, `skip` or a slice
          3:12: this is 1 longer than `t`
        "#,
    );
}

#[test]
fn calls_that_grow_exponentially() {
    let more = |at: u32| {
        format!(
            "fn f{at}(x: i32) -> i32 {{ f{0}(x) * f{0}(x + 1) }}\n",
            at - 1
        )
    };
    let text: String = (1..=40).map(more).collect();
    let text = format!("fn f0(x: i32) -> i32 {{ x }}\n{text}pub fn f(x: i32) -> i32 {{ f40(x) }}");
    check(
        &text,
        r#"
        4:32: a function as large as `f` with all its calls: not supported yet
          calls are put in place; with this one there are more than 50000 values
          help: compute what several calls share once, and pass it on
        "#,
    );
}

#[test]
fn an_axis_of_another_size() {
    check(
        r#"
        pub fn f(a: [[f32; m]; n]) -> [[f32; m]; n] {
            for row in a { row[1..] }
        }
        pub fn g(a: [[f32; m]; n]) -> [[f32; m]; n] { a[1..] }
        "#,
        r#"
        2:5: sizes `m - 1` and `m` do not match
          the signature says `m`; axis 1 of the result has length `m - 1`
          help: change the size in the signature, or the length of the array
          1:32: declared with size `m` here
        4:47: sizes `n - 1` and `n` do not match
          the signature says `n`; axis 0 of the result has length `n - 1`
          help: change the size in the signature, or the length of the array
          4:31: declared with size `n` here
        "#,
    );
}

#[test]
fn flags_of_another_length() {
    check(
        r#"
        pub fn f(xs: [f32; n], flags: [bool; n]) -> [f32] { xs.compress(flags[1..]) }
        "#,
        r#"
        1:53: sizes `n` and `n - 1` do not match
          `compress` needs arrays of one length; `xs` has length `n`, the slice of `flags` has length `n - 1`
          help: cut the longer one with `take`, `skip` or a slice
          1:65: this is 1 shorter than `xs`
        "#,
    );
}

#[test]
fn lengths_in_operators() {
    check(
        r#"
        pub fn f(xs: [[f32; 3]; n]) -> [f32; 3] {
            xs.reduce([0.0; 4], |a, b| zip(a, b).map(|(x, y)| x + y))
        }
        "#,
        r#"
        2:15: `reduce` starts from an array of another length than the elements
          this is 1 longer than an element of `xs`
          help: give both the same length
        "#,
    );
}
