//! Operators on empty arrays and at their edges.

mod interpret_support;

use interpret_support::text::call;
use ragged_compiler::interpret::{TroubleKind, Value};

/// `body` of `xs: [i32]` and `k: usize`, giving `ret`.
fn of(ret: &str, body: &str, xs: &[i32], k: usize) -> Result<Value, TroubleKind> {
    let text = format!("pub fn example(xs: [i32], k: usize) -> {ret} {{ {body} }}");
    call(&text, vec![Value::from(xs), Value::from(k)])
}

fn gives<T: Into<Value>>(ret: &str, body: &str, xs: &[i32], k: usize, expected: T) {
    assert_eq!(of(ret, body, xs, k), Ok(expected.into()), "{body}");
}

fn fails(ret: &str, body: &str, xs: &[i32], k: usize, expected: TroubleKind) {
    assert_eq!(of(ret, body, xs, k), Err(expected), "{body}");
}

fn none() -> Vec<i32> {
    Vec::new()
}

#[test]
fn empty_arrays_give_empty_arrays() {
    for body in [
        "generate(k, |i| xs[i])",
        "fill(1, k)",
        "xs.map(|x| 1 / x)",
        "for x in xs { 1 / x }",
        "zip(xs, xs).map(|(a, b)| a + b)",
        "let (a, b) = zip(xs, xs).unzip(); a",
        "for (i, x) in xs.enumerate() { x }",
        "xs.gather(0..k)",
        "xs.rev()",
        "xs.rotate_left(0)",
        "xs.rotate_right(0)",
        "xs.take(5)",
        "xs.skip(5)",
        "xs.step_by(2)",
        "let (a, b) = xs.split_at(0); b.chain(a)",
        "xs.repeat(3)",
        "xs.pairwise(|a, b| a - b)",
        "xs.scan(|a, b| a + b)",
        "xs.scan(|a, b| a / b)",
        "xs.prescan(7, |a, b| a + b)",
        "xs.rscan(|a, b| a + b)",
        "xs.rprescan(7, |a, b| a + b)",
        "let (a, t) = xs.scan_from(7, |a, b| a + b); a",
        "let (a, t) = xs.rscan_from(7, |a, b| a + b); a",
        "scatter(xs, 0..k, xs)",
        "xs[0..k]",
        "xs[k..]",
    ] {
        gives("[i32]", body, &[], 0, none());
    }
}

#[test]
fn reductions_of_nothing() {
    for (body, expected) in [
        ("xs.sum()", 0),
        ("xs.product()", 1),
        ("xs.min_or(7)", 7),
        ("xs.max_or(7)", 7),
        ("xs.first_or(7)", 7),
        ("xs.last_or(7)", 7),
        ("xs.reduce(7, |a, b| a + b)", 7),
        ("xs.fold(7, |a, b| a + b)", 7),
        ("let (a, t) = xs.scan_from(7, |a, b| a + b); t", 7),
        ("let (a, t) = xs.rscan_from(7, |a, b| a + b); t", 7),
    ] {
        gives("i32", body, &[], 0, expected);
    }
    gives("usize", "xs.count(|x| x > 0)", &[], 0, 0_usize);
    gives("usize", "xs.len()", &[], 0, 0_usize);
    gives("usize", "xs.argmin_or(9)", &[], 0, 9_usize);
    gives("usize", "xs.argmax_or(9)", &[], 0, 9_usize);
    gives("bool", "xs.any(|x| x > 0)", &[], 0, false);
    gives("bool", "xs.all(|x| x > 0)", &[], 0, true);
    for body in ["xs.min()", "xs.max()", "xs.first()", "xs.last()"] {
        fails("i32", body, &[], 0, TroubleKind::EmptyArray);
    }
    for body in ["xs.argmin()", "xs.argmax()"] {
        fails("usize", body, &[], 0, TroubleKind::EmptyArray);
    }
    let mean = "pub fn example(xs: [f64]) -> f64 { xs.mean() }";
    let empty = Value::Array(Vec::new());
    assert_eq!(call(mean, vec![empty]), Err(TroubleKind::EmptyArray));
}

#[test]
fn index_space_edges() {
    let xs = [1, 2, 3];
    gives("[i32]", "xs.rotate_left(k)", &xs, 3, xs);
    gives("[i32]", "xs.rotate_right(k)", &xs, 3, xs);
    gives("[i32]", "xs.take(k)", &xs, 9, xs);
    gives("[i32]", "xs.skip(k)", &xs, 9, none());
    gives("[i32]", "xs.step_by(k)", &xs, 9, [1]);
    gives("[i32]", "xs.repeat(k)", &xs, 0, none());
    gives("[i32]", "xs[k..=2]", &xs, 1, [2, 3]);
    gives("[i32]", "xs[k..]", &xs, 3, none());
    gives("[i32]", "xs[..k]", &xs, 1, [1]);
    gives("[usize]", "5..k", &xs, 3, Vec::<usize>::new());
    gives("[usize]", "3..=k", &xs, 5, [3_usize, 4, 5]);
    gives("[usize]", "4..=k", &xs, 3, Vec::<usize>::new());
}

#[test]
fn index_space_errors() {
    let xs = [1, 2, 3];
    let (len, lo) = (3, 0);
    let index = |index| TroubleKind::IndexOutOfRange { index, len };
    let slice = |lo, hi| TroubleKind::SliceOutOfRange { lo, hi, len };
    fails("i32", "xs[k]", &xs, 3, index(3));
    fails("[i32]", "xs.gather(fill(k, 1))", &xs, 7, index(7));
    fails(
        "[i32]",
        "scatter(xs, fill(k, 1), fill(1, 1))",
        &xs,
        3,
        index(3),
    );
    fails("[i32]", "xs.rotate_left(k)", &xs, 4, index(4));
    fails("[i32]", "xs.rotate_right(k)", &xs, 4, index(4));
    fails("[i32]", "xs.step_by(k)", &xs, 0, TroubleKind::StepZero);
    fails(
        "[i32]",
        "let (a, b) = xs.split_at(k); a",
        &xs,
        4,
        slice(lo, 4),
    );
    fails("[i32]", "xs[k..]", &xs, 4, slice(4, 3));
    fails("[i32]", "xs[..k]", &xs, 4, slice(0, 4));
    fails("[i32]", "xs[2..k]", &xs, 1, slice(2, 1));
    fails("[i32]", "xs[2..=k]", &xs, 3, slice(2, 4));
    let (left, right) = (3, 2);
    let mismatch = TroubleKind::SizeMismatch { left, right };
    fails(
        "i32",
        "zip(xs, 0..k).map(|(x, i)| x).sum()",
        &xs,
        2,
        mismatch.clone(),
    );
    fails("[i32]", "scatter(xs, 0..3, fill(1, k))", &xs, 2, mismatch);
    let size = u64::MAX;
    fails(
        "[i32]",
        "fill(1, k)",
        &xs,
        usize::MAX,
        TroubleKind::TooLarge { size },
    );
    fails(
        "[i32]",
        "xs.repeat(k)",
        &xs,
        usize::MAX,
        TroubleKind::TooLarge { size },
    );
}

#[test]
fn nan_and_zeros_in_reductions() {
    let of = |ret: &str, body: &str, xs: &[f32]| {
        let text = format!("pub fn example(xs: [f32]) -> {ret} {{ {body} }}");
        call(&text, vec![Value::from(xs)]).expect("a value")
    };
    let nan = f32::NAN;
    assert_eq!(of("f32", "xs.min()", &[nan, 2.0, 1.0]), Value::from(1_f32));
    assert_eq!(of("f32", "xs.max()", &[nan, 2.0, 1.0]), Value::from(2_f32));
    assert_eq!(of("f32", "xs.min()", &[nan, nan]), Value::from(nan));
    assert_eq!(of("f32", "xs.min()", &[0.0, -0.0]), Value::from(-0_f32));
    assert_eq!(of("f32", "xs.max()", &[-0.0, 0.0]), Value::from(0_f32));
    assert_eq!(of("f32", "xs.sum()", &[-0.0]), Value::from(0_f32));
    assert_eq!(
        of("[f32]", "xs.scan(|a, b| a + b)", &[-0.0]),
        Value::from([-0_f32])
    );
    assert_eq!(
        of("usize", "xs.argmin()", &[nan, 1.0, 0.5, 0.5]),
        Value::from(2_usize)
    );
    assert_eq!(
        of("usize", "xs.argmax()", &[nan, 1.0, 1.0, 0.5]),
        Value::from(1_usize)
    );
    assert_eq!(
        of("usize", "xs.argmin()", &[0.0, -0.0]),
        Value::from(1_usize)
    );
    assert_eq!(
        of("usize", "xs.argmax()", &[-0.0, 0.0]),
        Value::from(1_usize)
    );
    assert_eq!(
        of("usize", "xs.argmax()", &[nan, nan]),
        Value::from(0_usize)
    );
}
