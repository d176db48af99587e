//! Views of any strides give what their copies give: those that are read where they lie, and others.

#![allow(missing_docs, reason = "tests only")]

use ndarray::{Array1, Array2, Array3, ArrayView, ArrayView2, ArrayView3, Axis, s};
use ragged::accel;
use std::fmt::Debug;

accel! {
    pub fn sums(xs: [[f64; m]; n]) -> [f64; n] { for row in xs { row.sum() } }

    pub fn softmax(xs: [[f64; m]; n]) -> [[f64; m]; n] {
        for row in xs {
            let most = row.max_or(0.0);
            let powers = for x in row { exp(x - most) };
            let total = powers.sum();
            for p in powers { p / total }
        }
    }

    pub fn times(a: [[f64; m]; n], x: [f64; m]) -> [f64; n] {
        for row in a { zip(row, x).map(|(p, q)| p * q).sum() }
    }

    pub fn dots(a: [[f64; m]; n], b: [[f64; m]; n]) -> [f64; n] {
        for (p, q) in zip(a, b) { zip(p, q).map(|(x, y)| x * y).sum() }
    }

    pub fn weighted(xs: [[f64; m]; n], ws: [f64; n]) -> [f64; n] {
        for (row, w) in zip(xs, ws) { w * row.sum() }
    }

    pub fn sorted(xs: [[f64; m]; n]) -> [[f64; m]; n] { for row in xs { row.sort() } }
    pub fn descending(xs: [[f64; m]; n]) -> [[f64; m]; n] { for row in xs { row.sort_by_key(|x| -x) } }

    pub fn prefixes(xs: [[f64; m]; n]) -> ([[f64; m]; n], [f64; n]) {
        let sums = for row in xs { row.scan(|a, b| a + b) };
        (sums, for row in sums { row.max_or(0.0) })
    }

    pub fn counts(xs: [[f64; m]; n]) -> [i64; n] {
        for row in xs { row.map(|x| if x > 3.0 { 1 } else { 0 }).sum() }
    }

    pub fn of_planes(xs: [[[f64; k]; m]; n]) -> [f64; n] {
        for plane in xs { plane.flatten().sum() }
    }

    pub fn of_lines(xs: [[[f64; k]; m]; n]) -> [[f64; m]; n] {
        for plane in xs { for line in plane { line.max_or(0.0) - line.min_or(0.0) } }
    }

    pub fn tallest(xs: [[[f64; k]; m]; n]) -> [f64; n] {
        for plane in xs { (for line in plane { line.sum() }).max_or(0.0) }
    }

    pub fn pairs(xs: [[(f64, i32); m]; n]) -> [(f64, i32); n] {
        for row in xs { (row.map(|(x, _)| x).sum(), row.map(|(_, i)| i).sum()) }
    }

    pub fn shares(xs: [[i64; m]; n]) -> [i64; n] {
        for row in xs { row.map(|x| 1000 / x).sum() }
    }

    pub fn numbered(xs: [[f64; m]; n]) -> [f64; n] {
        for (i, row) in xs.enumerate() { row.sum() + i as f64 }
    }

    pub fn both(xs: [[f64; m]; n]) -> ([f64; n], [f64; m]) {
        (for row in xs { row.sum() }, for column in xs.transpose() { column.sum() })
    }

    pub fn total(xs: [[f64; m]; n]) -> f64 { xs.flatten().sum() }

    pub fn doubled(xs: [[f64; m]; n]) -> [[f64; m]; n] { for row in xs { for x in row { 2.0 * x } } }

    pub fn plain(xs: [f64; n]) -> (f64, [f64; n]) { (xs.sum(), for x in xs { x + 1.0 }) }
}

/// Calls `f` on views of a matrix: blocks, steps, mirrors, broadcasts, transposes, empty ones.
fn matrices<T>(a: &Array2<T>, f: &mut dyn FnMut(ArrayView2<'_, T>)) {
    let (n, m) = a.dim();
    f(a.view());
    f(a.slice(s![.., ..m / 2]));
    f(a.slice(s![n / 3.., m / 3..]));
    f(a.slice(s![..;2, ..]));
    f(a.slice(s![..;-1, ..]));
    f(a.slice(s![.., ..;-1]));
    f(a.slice(s![..;-2, 1..;3]));
    f(a.slice(s![.., ..1]));
    f(a.slice(s![..1, 1..]));
    f(a.slice(s![1..2, ..;2]));
    f(a.slice(s![.., 2..2]));
    f(a.slice(s![1..1, ..;-1]));
    f(a.t());
    f(a.slice(s![1.., 1..]).reversed_axes());
    f(a.row(n / 2).broadcast((7, m)).expect("rows"));
    f(a.row(n / 2)
        .slice(s![1..])
        .broadcast((7, m - 1))
        .expect("rows"));
    let column = a.column(m / 2).insert_axis(Axis(1));
    f(column.broadcast((n, 5)).expect("columns"));
    f(a.slice(s![2, 2]).broadcast((3, 4)).expect("one"));
}

/// The same of three axes.
fn cubes<T>(a: &Array3<T>, f: &mut dyn FnMut(ArrayView3<'_, T>)) {
    let (n, m, k) = a.dim();
    f(a.view());
    f(a.slice(s![1.., .., ..]));
    f(a.slice(s![.., 1.., ..]));
    f(a.slice(s![.., .., 1..]));
    f(a.slice(s![..n / 2, ..m / 2, ..k / 2]));
    f(a.slice(s![..;2, ..;-1, ..]));
    f(a.slice(s![..;-1, .., ..;2]));
    f(a.slice(s![.., ..1, ..;-1]));
    f(a.slice(s![.., .., ..1]));
    f(a.slice(s![.., 2..2, ..;2]));
    f(a.slice(s![.., .., 3..3]));
    f(a.view().reversed_axes());
    f(a.view().permuted_axes([1, 0, 2]));
    f(a.view().permuted_axes([0, 2, 1]));
    let plane = a.index_axis(Axis(0), 1);
    f(plane.broadcast((4, m, k)).expect("planes"));
    let lines = a.slice(s![.., ..1, 1..]);
    f(lines.broadcast((n, 6, k - 1)).expect("lines"));
}

/// Numbers that add up to others in another order.
fn number(i: usize) -> f64 {
    let x = (i * 7919 % 10_007) as f64;
    x / 1000.0 - 3.0 + 1.0 / (x + 1.0)
}

fn matrix(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, m), |(i, j)| number(i * m + j))
}

/// Few elements, long rows, and many short ones.
const SIZES: [(usize, usize); 3] = [(13, 11), (6, 700), (300, 7)];

/// What a function of a view gives, and of its copy, which has to be the same.
fn same<T, D, R: Debug + PartialEq>(
    view: ArrayView<'_, T, D>,
    of_view: impl FnOnce(ArrayView<'_, T, D>) -> ragged::Result<R>,
    of_copy: impl FnOnce(ArrayView<'_, T, D>) -> ragged::Result<R>,
) where
    T: Clone,
    D: ndarray::Dimension,
{
    let copy = view.to_owned();
    let copy = copy.as_standard_layout();
    let what = format!("shape {:?}, strides {:?}", view.shape(), view.strides());
    match (of_view(view), of_copy(copy.view())) {
        (Ok(found), Ok(expected)) => assert!(found == expected, "{what}"),
        (found, expected) => assert_eq!(found.map_err(text), expected.map_err(text), "{what}"),
    }
}

fn text(error: ragged::Error) -> String {
    error.to_string()
}

macro_rules! check {
    ($view:expr, $($f:expr),*) => {{ $( same($view.view(), $f, $f); )* }};
}

#[test]
fn rows_of_matrices() {
    for (n, m) in SIZES {
        let a = matrix(n, m);
        matrices(&a, &mut |view| {
            let x = Array1::from_shape_fn(view.ncols(), |j| number(j + 3));
            let w = Array1::from_shape_fn(view.nrows(), |i| number(i + 5));
            check!(
                view,
                |it| sums(it),
                |it| softmax(it),
                |it| times(it, &x),
                |it| weighted(it, &w),
                |it| prefixes(it),
                |it| counts(it),
                |it| numbered(it),
                |it| both(it),
                |it| total(it),
                |it| doubled(it)
            );
        });
    }
}

/// Enough for several threads, and rows that are too long to be collected.
#[test]
fn many_rows_and_very_long_ones() {
    let long = matrix(3, 70_000);
    check!(long.slice(s![.., ..;2]), |it| sums(it));
    check!(long.slice(s![..;-1, 1..]), |it| sums(it));
    let a = matrix(800, 600);
    for view in [
        a.slice(s![.., 100..]),
        a.slice(s![..;-1, ..;2]),
        a.slice(s![..;2, 500..]),
    ] {
        check!(view, |it| sums(it));
    }
}

#[test]
fn rows_that_are_sorted() {
    for (n, m) in [(13, 11), (6, 700)] {
        matrices(&matrix(n, m), &mut |view| check!(view, |it| sorted(it)));
        matrices(&matrix(n, m), &mut |view| check!(view, |it| descending(it)));
    }
}

/// Two views, of strides of their own.
#[test]
fn rows_of_two_matrices() {
    for (n, m) in [(12, 12), (90, 700)] {
        let (a, b) = (matrix(n, m), matrix(m, n));
        matrices(&a, &mut |view| {
            let shape = view.raw_dim();
            matrices(&b, &mut |other| {
                if other.raw_dim() == shape && n < 100 {
                    check!(view, |it| dots(it, other), |it| dots(other, it));
                }
            });
            let other = b.slice(s![..shape[0].min(m);-1, ..shape[1].min(n)]);
            if other.raw_dim() == shape {
                check!(view, |it| dots(it, other), |it| dots(other, it));
            }
        });
    }
}

#[test]
fn rows_of_cubes() {
    for shape in [(5, 4, 6), (3, 5, 600), (40, 9, 5)] {
        let cube = Array3::from_shape_fn(shape, |(i, j, k)| number(i * 1001 + j * 31 + k));
        cubes(&cube, &mut |view| {
            check!(view, |it| of_planes(it), |it| of_lines(it), |it| tallest(
                it
            ));
        });
    }
}

#[test]
fn rows_of_pairs() {
    for (n, m) in SIZES {
        let a = matrix(n, m).mapv(|x| (x, (x * 100.0) as i32));
        matrices(&a, &mut |view| check!(view, |it| pairs(it)));
    }
}

/// The violated check is that of the lowest index, with its values.
#[test]
fn checks_of_rows() {
    for (n, m) in SIZES {
        let a = matrix(n, m).mapv(|x| x as i64 + 100);
        matrices(&a, &mut |view| check!(view, |it| shares(it)));
        let mut zeros = a;
        zeros[[n / 2, m / 2]] = 0;
        zeros[[n - 1, m - 1]] = 0;
        matrices(&zeros, &mut |view| check!(view, |it| shares(it)));
    }
}

#[test]
fn views_of_one_axis() {
    for (n, m) in SIZES {
        let a = matrix(n, m);
        for view in [
            a.column(1),
            a.row(1),
            a.slice(s![..;-1, 2]),
            a.slice(s![1, ..;3]),
        ] {
            check!(view, |it| plain(it));
        }
        let w = a.column(0);
        check!(a.slice(s![.., 1..]), |it| weighted(it, w));
    }
}

/// What lies between the elements of a view may be another's, who writes it meanwhile.
#[test]
fn what_lies_between_is_not_read() {
    let mut a = matrix(500, 700);
    let (mut left, mut right) = a.view_mut().split_at(Axis(1), 600);
    let expected = sums(&left.to_owned()).unwrap();
    let found = std::thread::scope(|scope| {
        scope.spawn(|| right.fill(f64::NAN));
        sums(left.view_mut())
    });
    assert_eq!(found.unwrap(), expected);
}

#[test]
fn results_are_written_in_place() {
    let a = matrix(90, 600);
    let view = a.slice(s![..;-2, 50..]);
    let mut out = vec![0.0; view.nrows()];
    sums::into(&mut out[..], view).unwrap();
    assert_eq!(Ok(out), sums(&view.to_owned()));
    let mut short = [0.0; 3];
    let error = sums::into(&mut short[..], view).unwrap_err();
    assert!(matches!(
        error.kind(),
        ragged::ErrorKind::ResultLength { .. }
    ));
}

/// A view of many more elements than there are.
#[test]
fn a_row_that_is_all_rows() {
    let row = Array1::from_elem(1 << 11, 1.0);
    let huge = row.broadcast((1 << 10, 1 << 11)).expect("rows");
    assert_eq!(sums(huge), Ok(vec![2048.0; 1 << 10]));
}

#[test]
fn explain_says_what_is_read_in_place() {
    let says = |explain: &str, line: &str| explain.contains(&format!("  views in place: {line}\n"));
    for explain in [
        sums::EXPLAIN,
        softmax::EXPLAIN,
        sorted::EXPLAIN,
        weighted::EXPLAIN,
    ] {
        assert!(says(explain, "`xs`"), "{explain}");
    }
    for explain in [
        of_planes::EXPLAIN,
        of_lines::EXPLAIN,
        pairs::EXPLAIN,
        shares::EXPLAIN,
    ] {
        assert!(says(explain, "`xs`"), "{explain}");
    }
    assert!(says(times::EXPLAIN, "`a`") && says(dots::EXPLAIN, "`a`, `b`"));
    for explain in [
        numbered::EXPLAIN,
        both::EXPLAIN,
        total::EXPLAIN,
        doubled::EXPLAIN,
    ] {
        assert!(!explain.contains("views in place"), "{explain}");
    }
}
