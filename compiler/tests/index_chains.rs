//! Index functions after each other: what they divide cancels where the shapes say so.

use ragged_compiler::fused::ir::{Body, Op};
use ragged_compiler::prims::ScalarOp;
use ragged_compiler::{flat, fused, shaped, syntax, typed};

/// How many divisions the kernels of a function are left with, beside one of the index by the width of
/// a row.
fn divisions(text: &str) -> usize {
    let program = syntax::parse(text.parse().expect("tokens")).program;
    let typed = typed::infer(&program).expect("it types");
    let shaped = shaped::infer(typed).expect("it has shapes");
    let flat = flat::flatten(shaped).expect("it is flat");
    let [function] = &fused::fuse(flat).functions[..] else {
        panic!("one function")
    };
    let kernels = function
        .body
        .stmts
        .iter()
        .filter_map(|stmt| match &stmt.op {
            Op::Kernel(kernel) => Some(kernel),
            _other => None,
        });
    let counts = kernels.map(|kernel| {
        let rows = usize::from(kernel.extents.len() > 1);
        in_body(&kernel.body).saturating_sub(rows)
    });
    counts.sum()
}

fn in_body(body: &Body) -> usize {
    let divides = |op: &Op| match op {
        Op::Scalar(ScalarOp::Div, _) => 1,
        Op::Kernel(kernel) => in_body(&kernel.body),
        _other => 0,
    };
    body.stmts.iter().map(|stmt| divides(&stmt.op)).sum()
}

#[test]
fn what_is_flattened_and_cut_again_is_not_divided() {
    for (ret, body) in [
        ("[i32]", "a.flatten()"),
        ("[i32]", "a.transpose().flatten()"),
        ("[[i32; m]; n]", "a.flatten().reshape((n, m))"),
        (
            "[[i32; m]; n]",
            "a.transpose().flatten().reshape((m, n)).transpose()",
        ),
        (
            "[[i32; n]; m]",
            "a.transpose().flatten().reshape((m, n)).map(|r| r.rev())",
        ),
        (
            "[i32; m]",
            "a.transpose().flatten().reshape((m, n)).map(|r| r.sum())",
        ),
    ] {
        let text = format!("pub fn f(a: [[i32; m]; n]) -> {ret} {{ {body} }}");
        assert_eq!(divisions(&text), 0, "{body}");
    }
}

#[test]
fn extents_that_are_sums_are_rows_too() {
    let framed = "generate((n + 2, m + 2), |i, j| if i < n && j < m { a[i][j] } else { 0 })";
    for (ret, rest) in [
        ("[i32]", ".flatten()"),
        ("[[i32; w]; h]", ".flatten().reshape((n + 2, m + 2))"),
        ("[i32]", ".transpose().flatten()"),
    ] {
        let text = format!("pub fn f(a: [[i32; m]; n]) -> {ret} {{ {framed}{rest} }}");
        assert_eq!(divisions(&text), 0, "{rest}");
    }
}

#[test]
fn what_may_wrap_is_divided() {
    for body in [
        "for i in 0..n { i.wrapping_mul(m) / m }",
        "for i in 0..n { (i.wrapping_mul(m).wrapping_add(1)) / m }",
        "for i in 0..n { i.wrapping_mul(1000000) / 10 }",
        "for i in 0..n.wrapping_mul(m) { i / m }",
    ] {
        let text = format!("pub fn f(n: usize, m: usize) -> [usize] {{ assert!(m > 0); {body} }}");
        assert_eq!(divisions(&text), 1, "{body}");
    }
}
