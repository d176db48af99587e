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

fn cube() -> Value {
    Value::from([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]])
}

#[test]
fn axes_of_three() {
    let of_cube = |ret: &str, body: &str| {
        format!("pub fn example(a: [[[i32; l]; m]; n]) -> {ret} {{ {body} }}")
    };
    let table: [(&str, &str, Value); 13] = [
        (
            "(usize, usize, usize)",
            "a.shape()",
            (2_usize, 3_usize, 2_usize).into(),
        ),
        (
            "[[[i32; l]; n]; m]",
            "a.transpose()",
            [[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]].into(),
        ),
        (
            "[[[i32; m]; l]; n]",
            "a.transpose(2, 1)",
            [[[1, 3, 5], [2, 4, 6]], [[7, 9, 11], [8, 10, 12]]].into(),
        ),
        (
            "[[[i32; n]; m]; l]",
            "a.transpose(0, 2)",
            [[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]].into(),
        ),
        (
            "[[i32; l]]",
            "a.flatten()",
            [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]].into(),
        ),
        (
            "[[i32; 4]]",
            "a.reshape((3, 4))",
            [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]].into(),
        ),
        (
            "[[i32; l]; m]",
            "a.sum_axis(0)",
            [[8, 10], [12, 14], [16, 18]].into(),
        ),
        ("[[i32; l]; n]", "a.sum_axis(1)", [[9, 12], [27, 30]].into()),
        (
            "[[i32; m]; n]",
            "a.sum_axis(2)",
            [[3, 7, 11], [15, 19, 23]].into(),
        ),
        (
            "[[i32; m]; n]",
            "a.map(|t| t.map(|row| row.sum()))",
            [[3, 7, 11], [15, 19, 23]].into(),
        ),
        (
            "[[[i32; l]; m]; n]",
            "a.scan_axis(1, |a, b| a + b)",
            [[[1, 2], [4, 6], [9, 12]], [[7, 8], [16, 18], [27, 30]]].into(),
        ),
        (
            "[[[i32; l]; m]; n]",
            "a.rprescan_axis(0, 1, |a, b| a * b)",
            [[[7, 8], [9, 10], [11, 12]], [[1, 1], [1, 1], [1, 1]]].into(),
        ),
        (
            "([[[i32; l]; m]; n], [[i32; m]; n])",
            "a.scan_from_axis(2, 100, |a, b| a + b)",
            (
                [
                    [[100, 101], [100, 103], [100, 105]],
                    [[100, 107], [100, 109], [100, 111]],
                ],
                [[103, 107, 111], [115, 119, 123]],
            )
                .into(),
        ),
    ];
    for (ret, body, expected) in table {
        gives(&of_cube(ret, body), vec![cube()], expected);
    }
}

#[test]
fn six_dimensions() {
    let text = "
        pub fn example(n: usize) -> ([usize; 6], usize) {
            let a = generate((n, 2, 3, 2, n, 1), |i, j, k, l, m, o| i + 2 * (j + 2 * (k + 3 * (l + 2 * m))));
            let b = a.transpose(0, 5).transpose(2, 4);
            let (p, q, r, s, t, u) = b.shape();
            ([p, q, r, s, t, u], b[0][1][1][1][2][1])
        }";
    let expected = (1 + 2 * (1 + 2 * (2 + 3 * (1 + 2)))) as usize;
    gives(
        text,
        vec![2_usize.into()],
        ([1_usize, 2, 2, 2, 3, 2], expected),
    );
}

#[test]
fn rows_are_elements_of_every_operator() {
    for (body, expected) in [
        ("a.rev()", vec![[4, 5, 6], [1, 2, 3]]),
        ("a.rotate_left(1)", vec![[4, 5, 6], [1, 2, 3]]),
        ("a.take(1)", vec![[1, 2, 3]]),
        ("a.skip(1)", vec![[4, 5, 6]]),
        ("a.step_by(2)", vec![[1, 2, 3]]),
        ("a.split_at(1).1", vec![[4, 5, 6]]),
        (
            "a.repeat(2)",
            vec![[1, 2, 3], [4, 5, 6], [1, 2, 3], [4, 5, 6]],
        ),
        ("a.gather([1, 0, 1])", vec![[4, 5, 6], [1, 2, 3], [4, 5, 6]]),
        ("scatter(a, [1], [a[0]])", vec![[1, 2, 3], [1, 2, 3]]),
        (
            "a.pairwise(|x, y| zip(x, y).map(|(p, q)| q - p))",
            vec![[3, 3, 3]],
        ),
        (
            "a.scan(|x, y| zip(x, y).map(|(p, q)| p + q))",
            vec![[1, 2, 3], [5, 7, 9]],
        ),
        (
            "a.prescan(fill(0, m), |x, y| zip(x, y).map(|(p, q)| p + q))",
            vec![[0, 0, 0], [1, 2, 3]],
        ),
        (
            "[a.reduce(fill(1, m), |x, y| zip(x, y).map(|(p, q)| p * q))]",
            vec![[4, 10, 18]],
        ),
        (
            "[a.fold(fill(0, m), |x, y| zip(x, y).map(|(p, q)| 10 * p + q))]",
            vec![[14, 25, 36]],
        ),
        ("fill(a[1], 2)", vec![[4, 5, 6], [4, 5, 6]]),
        ("[a.first(), a.last_or(a[0])]", vec![[1, 2, 3], [4, 5, 6]]),
        (
            "for (i, row) in a.enumerate() { row.map(|x| x * i as i32) }",
            vec![[0, 0, 0], [4, 5, 6]],
        ),
        ("zip(a, 0..2).unzip().0", vec![[1, 2, 3], [4, 5, 6]]),
        (
            "a.flatten().windows(3).step_by(3)",
            vec![[1, 2, 3], [4, 5, 6]],
        ),
        ("a.flatten().chunks(3)", vec![[1, 2, 3], [4, 5, 6]]),
        ("[a[0], a[1]][..]", vec![[1, 2, 3], [4, 5, 6]]),
        (
            "for row in a { row.scan(|x, y| x + y) }",
            vec![[1, 3, 6], [4, 9, 15]],
        ),
        (
            "for row in a { let mut r = row; for i in 1..m { r[i] += r[i - 1]; } r }",
            vec![[1, 3, 6], [4, 9, 15]],
        ),
        (
            "{ let mut t = a; while t[0][0] < 4 { t[..1] = t[1..]; } t }",
            vec![[4, 5, 6], [4, 5, 6]],
        ),
    ] {
        let text = format!("pub fn example(a: [[i32; m]; n]) -> [[i32; m]] {{ {body} }}");
        gives(&text, vec![matrix()], expected);
    }
}

#[test]
fn products_with_arrays_and_functions_of_arrays() {
    let text = "
        struct Body { at: [f64; 3], mass: f64 }
        fn distance(a: [f64; k], b: [f64; k]) -> f64 {
            sqrt(zip(a, b).map(|(x, y)| (x - y) * (x - y)).sum())
        }
        fn total<T>(xs: [T; n], f: impl Fn(T) -> f64) -> f64 { xs.map(f).sum() }
        pub fn example(at: [[f64; 3]; n], mass: [f64; n]) -> [f64; n] {
            let bodies = zip(at, mass).map(|(at, mass)| Body { at, mass });
            for b in bodies { total(bodies, |c| c.mass * distance(b.at, c.at)) }
        }";
    let at = [[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]];
    gives(text, vec![at.into(), [2.0, 1.0].into()], [5.0, 10.0]);
}

#[test]
fn powers_and_steps_over_array_state() {
    let power = "
        pub fn example(a: [[f64; n]; n], steps: usize) -> [f64; n] {
            let mut v = fill(1.0, n);
            for i in 0..steps {
                let w = for row in a { zip(row, v).map(|(x, y)| x * y).sum() };
                v = w.map(|x| x / w.max());
            }
            v
        }";
    gives(
        power,
        vec![[[2.0, 0.0], [0.0, 1.0]].into(), 3_usize.into()],
        [1.0, 0.125],
    );
    let floyd = "
        pub fn example(d: [[i32; n]; n]) -> [[i32; n]; n] {
            let mut d = d;
            for k in 0..n {
                d = generate((n, n), |i, j| d[i][j].min(d[i][k] + d[k][j]));
            }
            d
        }";
    let distances = [[0, 1, 100], [100, 0, 1], [1, 100, 0]];
    gives(
        floyd,
        vec![distances.into()],
        [[0, 1, 2], [2, 0, 1], [1, 2, 0]],
    );
}

#[test]
fn arrays_that_are_not_rectangular() {
    let (left, right) = (2, 1);
    let mismatch = || TroubleKind::SizeMismatch { left, right };
    for body in [
        "[[1, 2], [3]].transpose()[0][0]",
        "[[1, 2], [3]].shape().1 as i32",
        "[[1, 2], [3]].sum_axis(0)[0]",
        "{ let a: [[i32; 2]] = [[1, 2], [3]]; a[0][0] }",
        "same([[1, 2], [3]])",
        "(for i in 1..3 { fill(0, 3 - i) }).transpose()[0][0]",
    ] {
        let text = format!(
            "fn same(a: [[i32; m]; n]) -> i32 {{ a[0][0] }} pub fn example() -> i32 {{ {body} }}"
        );
        stops(&text, vec![], mismatch());
    }
    let rows = "fn example(xs: [i32]) -> [[i32; k]] { [xs, xs[1..]] }";
    stops(&format!("pub {rows}"), vec![[1, 2].into()], mismatch());
    // What needs no axis holds rows of any lengths.
    let sums =
        "pub fn example(n: usize) -> [usize] { for row in (for i in 0..n { 0..i }) { row.sum() } }";
    gives(sums, vec![4_usize.into()], vec![0_usize, 0, 1, 3]);
}

#[test]
fn extents_that_do_not_fit() {
    let text =
        |body: &str| format!("pub fn example(a: [[i32; m]; n], k: usize) -> i32 {{ {body} }}");
    let (left, right) = (8, 6);
    let kind = TroubleKind::SizeMismatch { left, right };
    stops(
        &text("a.reshape((2, 4))[0][0]"),
        vec![matrix(), 0_usize.into()],
        kind,
    );
    let (left, right) = (2, 3);
    let kind = TroubleKind::SizeMismatch { left, right };
    stops(
        &text("a[0].broadcast((5, 2))[0][0]"),
        vec![matrix(), 0_usize.into()],
        kind,
    );
    let (left, right) = (1 << 63, 2);
    let kind = TroubleKind::SizeOverflow { left, right };
    stops(
        &text("a.reshape((k, 2))[0][0]"),
        vec![matrix(), (1_usize << 63).into()],
        kind,
    );
    for operator in ["chunks", "chunks_exact", "windows"] {
        let body = format!("a[0].{operator}(k).len() as i32");
        stops(
            &text(&body),
            vec![matrix(), 0_usize.into()],
            TroubleKind::StepZero,
        );
    }
    gives(
        &text("a[0].windows(k).len() as i32"),
        vec![matrix(), 4_usize.into()],
        0,
    );
    gives(
        &text("a[0].chunks_exact(k).len() as i32"),
        vec![matrix(), 2_usize.into()],
        1,
    );
    gives(
        &text("a[0].chunks(k).last().len() as i32"),
        vec![matrix(), 2_usize.into()],
        1,
    );
}

#[test]
fn positions() {
    let text = |body: &str| format!("pub fn example(xs: [i32]) -> usize {{ {body} }}");
    let xs = || vec![[4, 5, 6, 5].into()];
    gives(&text("xs.position(|x| x == 5)"), xs(), 1_usize);
    gives(&text("xs.position_or(9, |x| x == 7)"), xs(), 9_usize);
    gives(&text("xs.map(|x| x > 5).position()"), xs(), 2_usize);
    let message = "`position` finds no element".to_owned();
    stops(
        &text("xs.position(|x| x == 7)"),
        xs(),
        TroubleKind::Assertion { message },
    );
}

/// `array[at[0]][at[1]]…`
fn at<'v>(array: &'v Value, at: &[usize]) -> &'v Value {
    at.iter().fold(array, |array, i| &array.elements()[*i])
}

#[test]
fn any_two_axes_are_exchanged() {
    let extents = [2, 3, 2, 3, 2];
    let indices = (0..72).map(|k: usize| [k / 36, k / 12 % 3, k / 6 % 2, k / 2 % 3, k % 2]);
    for (i, j) in (0..5)
        .flat_map(|i| (0..5).map(move |j| (i, j)))
        .filter(|(i, j)| i != j)
    {
        let text = format!(
            "pub fn example() -> ([[[[[usize; t]; s]; r]; q]], [[[[[usize; t1]; s1]; r1]; q1]]) {{
                let a = generate((2, 3, 2, 3, 2), |i, j, k, l, m| ((((i * 3 + j) * 2 + k) * 3 + l) * 2 + m));
                (a, a.transpose({i}, {j}))
            }}"
        );
        let both = call(&text, vec![]).expect("no error");
        let [a, exchanged] = both.components() else {
            panic!("two arrays")
        };
        let mut of_exchanged = extents;
        of_exchanged.swap(i, j);
        let mut level = exchanged;
        for extent in of_exchanged {
            assert_eq!(level.elements().len(), extent);
            level = &level.elements()[0];
        }
        for index in indices.clone() {
            let mut other = index;
            other.swap(i, j);
            assert_eq!(at(a, &index), at(exchanged, &other), "{i}, {j}");
        }
    }
}
