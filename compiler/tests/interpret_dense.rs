//! Arrays of arrays: the programs that a dense array is for, and what they give.

mod interpret_support;

use interpret_support::floats;
use interpret_support::text::call;
use ragged_compiler::interpret::{TroubleKind, Value};

fn gives(text: &str, args: Vec<Value>, expected: impl Into<Value>) {
    assert_eq!(call(text, args), Ok(expected.into()), "{text}");
}

fn stops(text: &str, args: Vec<Value>, kind: TroubleKind) {
    assert_eq!(call(text, args), Err(kind), "{text}");
}

fn matrix() -> Value {
    Value::from([[1, 2, 3], [4, 5, 6]])
}

/// An array of no rows, each of which would have `m` elements.
fn no_rows(m: usize) -> Value {
    Value::array(Vec::new(), || Value::from(vec![0; m]))
}

#[test]
fn matrix_products() {
    let expected = [[19, 22], [43, 50]];
    let args = || vec![Value::from([[1, 2], [3, 4]]), Value::from([[5, 6], [7, 8]])];
    for body in [
        "for row in a { for column in b.transpose() { zip(row, column).map(|(x, y)| x * y).sum() } }",
        "generate((n, l), |i, j| sum(for k in 0..m { a[i][k] * b[k][j] }))",
        "{
            let mut c = fill(0, (n, l));
            for i in 0..n { for j in 0..l { for k in 0..m { c[i][j] += a[i][k] * b[k][j]; } } }
            c
        }",
        "for row in a {
            let mut sums = fill(0, l);
            for k in 0..m { for j in 0..l { sums[j] += row[k] * b[k][j]; } }
            sums
        }",
    ] {
        let text = format!(
            "pub fn example(a: [[i32; m]; n], b: [[i32; l]; m]) -> [[i32; l]; n] {{ {body} }}"
        );
        gives(&text, args(), expected);
    }
}

#[test]
fn rows_elements_and_slices() {
    for (body, expected) in [
        ("a[1]", vec![4, 5, 6]),
        ("for row in a { row[0] }", vec![1, 4]),
        ("a[0..1][0]", vec![1, 2, 3]),
        ("a[1][1..]", vec![5, 6]),
        ("a.last()[..=1]", vec![4, 5]),
        ("a.rev()[0]", vec![4, 5, 6]),
        ("a.gather([1, 1])[1]", vec![4, 5, 6]),
        ("a.chain(a)[3]", vec![4, 5, 6]),
        ("[a[1], a[0]].flatten()", vec![4, 5, 6, 1, 2, 3]),
    ] {
        let text = format!("pub fn example(a: [[i32; m]; n]) -> [i32] {{ {body} }}");
        gives(&text, vec![matrix()], expected);
    }
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
fn what_is_assigned_inside_of_an_array_keeps_its_shape() {
    let text = |assign: &str| {
        format!("pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] {{ let mut b = a; {assign} b }}")
    };
    gives(
        &text("b[1][0] = 9;"),
        vec![matrix()],
        [[1, 2, 3], [9, 5, 6]],
    );
    gives(
        &text("b[1] = b[0];"),
        vec![matrix()],
        [[1, 2, 3], [1, 2, 3]],
    );
    gives(
        &text("b[0..2] = [b[1], b[0]];"),
        vec![matrix()],
        [[4, 5, 6], [1, 2, 3]],
    );
    gives(
        &text("b[0][1..] = [8, 9];"),
        vec![matrix()],
        [[1, 8, 9], [4, 5, 6]],
    );
    gives(
        &text("b[0][..=1] = [8, 9];"),
        vec![matrix()],
        [[8, 9, 3], [4, 5, 6]],
    );
    let (left, right) = (3, 2);
    stops(
        &text("b[1] = [1, 2];"),
        vec![matrix()],
        TroubleKind::SizeMismatch { left, right },
    );
    stops(
        &text("b[..1] = [[1, 2]];"),
        vec![matrix()],
        TroubleKind::SizeMismatch { left, right },
    );
    let (left, right) = (2, 1);
    stops(
        &text("b[..] = [[1, 2, 3]];"),
        vec![matrix()],
        TroubleKind::SizeMismatch { left, right },
    );
    let (lo, hi, len) = (1, 4, 3);
    stops(
        &text("b[0][1..4] = [1];"),
        vec![matrix()],
        TroubleKind::SliceOutOfRange { lo, hi, len },
    );
    let (index, len) = (2, 2);
    stops(
        &text("b[2][0] = 1;"),
        vec![matrix()],
        TroubleKind::IndexOutOfRange { index, len },
    );
}

#[test]
fn a_lane_is_reduced_like_an_array() {
    let column: Vec<f32> = floats(40_000);
    let rows: Vec<[f32; 2]> = column.iter().map(|x| [*x, 1.0]).collect();
    let expected = call(
        "pub fn example(xs: [f32]) -> f32 { xs.sum() }",
        vec![column.into()],
    );
    let text = "pub fn example(a: [[f32; m]; n]) -> f32 { a.sum_axis(0)[0] }";
    assert_eq!(call(text, vec![rows.into()]), expected);
}
