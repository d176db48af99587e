//! Which loops are tiled in time, by what `EXPLAIN` says, and how far their trips reach.

use ragged_compiler::fused::ir::{Body, Op, Reach};

/// How far the trips of the function's loops reach along the outermost axis.
fn reaches(block: &str) -> Vec<Option<usize>> {
    let all = all_reaches(block).into_iter();
    all.map(|reach| reach.map(|it| it.rows)).collect()
}

/// How far they reach along each axis.
fn all_reaches(block: &str) -> Vec<Option<Reach>> {
    let block = block.parse().expect("the tests are tokens");
    let program = ragged_compiler::syntax::parse(block).program;
    let fused = ragged_compiler::typed::infer(&program)
        .and_then(ragged_compiler::shaped::infer)
        .and_then(ragged_compiler::flat::flatten)
        .map(ragged_compiler::fused::fuse);
    let fused = fused.unwrap_or_else(|report| panic!("{}", report.to_tokens()));
    fused
        .functions
        .iter()
        .flat_map(|it| of_body(&it.body))
        .collect()
}

fn of_body(body: &Body) -> Vec<Option<Reach>> {
    let loops = body.stmts.iter().filter_map(|stmt| match &stmt.op {
        Op::Loop(it) => Some(it.reach.clone()),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Kernel(_) => None,
    });
    loops.collect()
}

/// A loop over one array of which `body` is the next element at `i`.
fn line(body: &str) -> Vec<Option<usize>> {
    reaches(&format!(
        "pub fn f(a: [i64; n], b: [usize; n], k: usize, steps: usize) -> [i64; n] {{
             let mut x = a;
             for _ in 0..steps {{ x = for i in 0..n {{ {body} }}; }}
             x
         }}"
    ))
}

#[test]
fn neighbours_are_within_reach() {
    assert_eq!(line("x[i] + 1"), [Some(0)]);
    assert_eq!(line("if i > 2 { x[i - 3] } else { x[i] }"), [Some(3)]);
    assert_eq!(
        line("if i + 2 < n { x[i + 2] } else { a[n - 1 - i] }"),
        [Some(2)]
    );
    assert_eq!(line("x[max(i, 1) - 1] + x[min(i + 1, n - 1)]"), [Some(1)]);
    assert_eq!(line("x[i.saturating_sub(4)]"), [Some(4)]);
    assert_eq!(
        line("x[clamp(i as i64 - 2, 0, n as i64 - 1) as usize]"),
        [Some(2)]
    );
    assert_eq!(
        line("let j = if i > 0 { i - 1 } else { i }; x[j]"),
        [Some(1)]
    );
}

#[test]
fn other_elements_are_not() {
    for body in [
        "x[n - 1 - i]",
        "x[0] + x[i]",
        "x[min(i, 5)]",
        "x[max(i, k)]",
        "x[b[i]]",
        "if i >= k { x[i - k] } else { 0 }",
        // Wraps around to the last element.
        "x[min(i.wrapping_sub(1), n - 1)]",
        "x[min((i as i32 - 1) as usize, n - 1)]",
        "if i > 0 { x[i / 2] } else { 0 }",
    ] {
        assert_eq!(line(body), [None], "{body}");
    }
}

#[test]
fn steps_over_an_end_go_on_from_the_other() {
    for (body, reach) in [
        ("x[(i + 1) % n]", 1),
        ("x[(3 + i) % n]", 3),
        ("x[(i + n - 1) % n] + x[(i + (n - 1)) % n]", 1),
        ("x[(i + (n - 5 % n)) % n]", 5),
        ("x[((i + 2) % n + n - 1) % n]", 1),
        ("x[(max(i, 1) - 1 + 3) % n]", 3),
        ("if i > 2 { x[(i + 1) % n] } else { x[i] }", 1),
        // The bound holds anyway.
        ("x[min((i + 2) % n, n - 1)]", 2),
    ] {
        assert_eq!(line(body), [Some(reach)], "{body}");
    }
    for body in [
        "x[(i + k) % n]",
        "if k > 0 { x[(i + 1) % k] } else { 0 }",
        "x[(i * 2) % n]",
        // A large number, which has another remainder.
        "x[i.wrapping_sub(1) % n]",
        "x[(i.wrapping_sub(2) + n) % n]",
        "x[(i + (n - 2)) % n]",
        // No step beyond an end is left.
        "x[max((i + 1) % n, 1) - 1]",
        "x[min((i + 2) % n, n.saturating_sub(2))]",
        "x[((i + 1) % n).saturating_sub(1)]",
    ] {
        assert_eq!(line(body), [None], "{body}");
    }
}

#[test]
fn a_trip_has_a_body_beyond_the_ends_if_it_goes_round() {
    let beyond = |read: &str| {
        let all = all_reaches(&format!(
            "pub fn f(a: [i64; n], steps: usize) -> [i64; n] {{
                 let mut x = a;
                 for _ in 0..steps {{ x = for i in 0..n {{ x[{read}] }}; }}
                 x
             }}"
        ));
        all[0].as_ref().map(|it| it.beyond.is_some())
    };
    assert_eq!(beyond("(i + 1) % n"), Some(true));
    // No step, but above the own index.
    assert_eq!(beyond("max(i + 1, 1) % n"), Some(true));
    assert_eq!(beyond("(i as i64 + 1) as usize % n"), Some(true));
    assert_eq!(
        beyond("(if steps > 3 { i + 1 } else { i }) % n"),
        Some(true)
    );
    assert_eq!(beyond("i.saturating_sub(1) % n"), Some(false));
    assert_eq!(beyond("i % n"), Some(false));
    assert_eq!(beyond("max(i, 1) - 1"), Some(false));
}

#[test]
fn rows_count_along_the_outermost_axis() {
    let of = |element: &str| {
        reaches(&format!(
            "pub fn f(a: [[[f32; k]; m]; n], c: [[f32; k]; m], steps: usize) -> [[[f32; k]; m]; n] {{
                 let mut x = a;
                 for t in 0..steps {{ x = generate((n, m, k), |i, j, l| {{ {element} }}); }}
                 x
             }}"
        ))
    };
    assert_eq!(
        of("if i > 0 { x[i - 1][m - 1 - j][0] + t as f32 } else { c[j][l] }"),
        [Some(1)]
    );
    assert_eq!(
        of("if j > 0 && i + 2 < n { x[i + 2][j - 1][l] } else { x[i][j][l] }"),
        [Some(2)]
    );
    assert_eq!(of("x[j][j][l]"), [None]);
}

#[test]
fn the_other_axes_are_looked_at_one_by_one() {
    let of = |element: &str| {
        let all = all_reaches(&format!(
            "pub fn f(a: [[[f32; k]; m]; n], steps: usize) -> [[[f32; k]; m]; n] {{
                 let mut x = a;
                 for _ in 0..steps {{ x = generate((n, m, k), |i, j, l| {{ {element} }}); }}
                 x
             }}"
        ));
        all[0].clone().map(|reach| reach.inner)
    };
    assert_eq!(of("x[i][j][l]"), Some(vec![Some(0), Some(0)]));
    assert_eq!(
        of("if j > 2 && l + 1 < k { x[i][j - 3][l + 1] } else { x[i][j][l] }"),
        Some(vec![Some(3), Some(1)])
    );
    assert_eq!(
        of("x[i][max(j, 2) - 2][l.saturating_sub(4)] + x[i][min(j + 1, m - 1)][l]"),
        Some(vec![Some(2), Some(4)])
    );
    assert_eq!(of("x[i][m - 1 - j][(l + 1) % k]"), Some(vec![None, None]));
    assert_eq!(of("x[i][j][0]"), Some(vec![Some(0), None]));
    // Not the own index of that axis.
    assert_eq!(of("x[i][l][j]"), Some(vec![None, None]));
    assert_eq!(of("x[j][j][l]"), None);
}

#[test]
fn the_rest_of_a_trip_does_not_depend_on_the_arrays() {
    let of = |body: &str| {
        reaches(&format!(
            "pub fn f(a: [f64; n], b: [f64; n], steps: i32) -> ([f64; n], [f64; n]) {{
                 let (mut x, mut y, mut k) = (a, b, 0);
                 {body}
                 (x, y)
             }}"
        ))
    };
    assert_eq!(
        of("while k < steps { x = for v in x { v / 2.0 }; k += 1; }"),
        [Some(0)]
    );
    // Two arrays, of which one becomes the other.
    let step =
        "let z = for i in 0..n { if i > 0 { y[i - 1] - x[i] } else { y[i] } }; x = y; y = z;";
    assert_eq!(
        of(&format!("while k < steps {{ {step} k += 2; }}")),
        [Some(1)]
    );
    for body in [
        "while x[0] > 0.5 { x = for v in x { v / 2.0 }; }",
        "while k < steps { x = for v in x { v / 2.0 }; k += x[0] as i32; }",
        "while k < steps { x = for v in x { v / 2.0 }; y = for i in 0..n { x[n - 1 - i] }; k += 1; }",
        "while k < steps { x = x.scan(|a, b| a + b); k += 1; }",
        "while k < steps { x[0] += 1.0; k += 1; }",
        "while k < steps { x = for v in x { v / 2.0 }; assert!(k != 7, \"no\"); k += 1; }",
    ] {
        assert_eq!(of(body), [None], "{body}");
    }
}

#[test]
fn explain_says_so() {
    let explain = |read: &str| {
        let block = format!(
            "pub fn f(a: [i64; n], steps: usize) -> [i64; n] {{
                 let mut x = a;
                 for _ in 0..steps {{ x = for i in 0..n {{ x[{read}] }}; }}
                 x
             }}"
        );
        ragged_compiler::expand(block.parse().expect("tokens")).to_string()
    };
    assert!(explain("max(i, 1) - 1").contains("writes an array, tiled in time, from line"));
    assert!(explain("n - 1 - i").contains("writes an array, from line"));
}
