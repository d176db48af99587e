//! Empty arrays of arrays: what their elements would look like.

mod interpret_support;

use interpret_support::text::call;
use ragged_compiler::interpret::Value;

fn gives(text: &str, args: Vec<Value>, expected: impl Into<Value>) {
    assert_eq!(call(text, args), Ok(expected.into()), "{text}");
}

/// An array of no rows, each of which would have `m` elements.
fn no_rows(m: usize) -> Value {
    Value::array(Vec::new(), || Value::from(vec![0; m]))
}

#[test]
fn an_array_without_rows_has_a_row_length() {
    let text = |body: &str| {
        format!("pub fn example(a: [[i32; m]; n], k: usize) -> (usize, usize) {{ {body} }}")
    };
    for body in [
        "a.shape()",
        "(n, m)",
        "a.rev().shape()",
        "a.map(|row| row.rev()).shape()",
        "a.map(|row| row.map(|x| x / 0)).shape()",
        "(for i in 0..n { a[i] }).shape()",
        "(for i in 0..n { for j in 0..m { a[i][j] } }).shape()",
        "generate((k, m), |i, j| a[i][j]).shape()",
        "fill(0, (k, m)).shape()",
        "a.transpose().transpose().shape()",
        "zip(a, a).map(|(x, y)| x).shape()",
        "a.chain(a)[..].gather([]).shape()",
        "{ let mut b = a; b[0..0] = a; b.shape() }",
    ] {
        gives(
            &text(body),
            vec![no_rows(3), 0_usize.into()],
            (0_usize, 3_usize),
        );
    }
    gives(
        &text("a.transpose().shape()"),
        vec![no_rows(3), 0_usize.into()],
        (3_usize, 0_usize),
    );
    let unknown = Value::Array(Vec::new());
    gives(
        &text("a.shape()"),
        vec![unknown, 0_usize.into()],
        (0_usize, 0_usize),
    );
}

#[test]
fn shapes_of_empty_results() {
    let table: [(&str, (usize, usize)); 12] = [
        ("xs.windows(3).shape()", (0, 3)),
        ("xs.chunks_exact(3).shape()", (0, 3)),
        ("xs.chunks_exact(3).transpose().shape()", (3, 0)),
        ("xs.windows(3).transpose().transpose().shape()", (0, 3)),
        ("fill(xs, 3)[1..1].shape()", (0, 2)),
        ("xs.take(0).reshape((0, 7)).shape()", (0, 7)),
        ("xs.take(0).reshape((7, 0)).shape()", (7, 0)),
        ("xs.take(0).broadcast((4, 0)).shape()", (4, 0)),
        (
            "(for x in xs.take(0) { let mut s = fill(x, 3); s[1] = 1; s }).shape()",
            (0, 3),
        ),
        (
            "(for x in xs.take(0) { xs.map(|y| y / x) }).shape()",
            (0, 2),
        ),
        (
            "(for x in xs.take(0) { xs.windows(2).first().chain(xs) }).shape()",
            (0, 4),
        ),
        (
            "(for i in 0..0 { let mut s = xs; while true { s = s.rev(); } s }).shape()",
            (0, 0),
        ),
    ];
    for (body, expected) in table {
        let text = format!("pub fn example(xs: [i32]) -> (usize, usize) {{ {body} }}");
        gives(&text, vec![[1, 2].into()], expected);
    }
}
