//! Reductions per column and per pair of a row and a column, which run with lanes over columns or in
//! tiles: the bits of the language's order, at the edges of blocks, on every feature level.

#![allow(missing_docs, reason = "tests only")]

use ndarray::{Array1, Array2, Array3, Axis};
use ragged::__private::{Level, Order, level::force};
use ragged::{Result, accel};
use std::sync::Mutex;

accel! {
    #[instances(f32, f64)]
    pub fn product<T: Float>(a: [[T; k]; n], b: [[T; m]; k]) -> [[T; m]; n] {
        for row in a { for column in transpose(b) { sum(zip(row, column).map(|(x, y)| x * y)) } }
    }

    pub fn against(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        for x in a { for y in b { sqrt(zip(x, y).map(|(x, y)| (x - y) * (x - y)).sum()) } }
    }

    pub fn differences(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
        for x in a { for y in b { zip(x, y).map(|(x, y)| x - y).sum() } }
    }

    // Several parts, something that is known outside, one part that is the step's alone.
    pub fn weighted(a: [[f64; k]; n], b: [[f64; m]; k], c: [[f64; k]; m], w: [f64; k], by: f64)
        -> [[f64; m]; n]
    {
        for i in 0..n { for j in 0..m {
            i as f64 - sum(for l in 0..k { (a[i][l] - b[l][j]) * w[l] + c[j][l] / by })
        } }
    }

    pub fn batches(a: [[[f32; k]; n]; s], b: [[[f32; m]; k]; s]) -> [[[f32; m]; n]; s] {
        for (x, y) in zip(a, b) {
            for row in x { for j in 0..m { sum(for l in 0..k { row[l] * y[l][j] }) } }
        }
    }

    #[fast]
    pub fn fast(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        for row in a { for column in transpose(b) { sum(zip(row, column).map(|(x, y)| x * y)) } }
    }

    pub fn columns(a: [[f32; m]; n]) -> [f32; m] { a.sum_axis(0) }

    pub fn least_and_greatest(a: [[f32; m]; n]) -> ([f32; m], [f32; m]) {
        let columns = transpose(a);
        (columns.map(|c| c.min_or(0.5)), columns.map(|c| c.max_or(0.5)))
    }

    pub fn extremes(a: [[i32; m]; n]) -> [(i32, usize); m] {
        for column in transpose(a) { (column.max_or(7), column.argmax_or(9)) }
    }

    #[instances(u8, f32, f64)]
    pub fn turned<T: Num>(a: [[T; m]; n]) -> [[T; n]; m] { a.transpose() }

    pub fn with_turned(a: [[f64; n]; n], b: [[f64; n]; n]) -> [[f64; n]; n] {
        for i in 0..n { for j in 0..n { a[i][j] + b[j][i] * 2.0 } }
    }

    // Checks in the values: the error is that of the lowest column, and there of the lowest row.
    pub fn picked(a: [[f64; m]; n], at: [[usize; m]; n], xs: [f64]) -> [f64; m] {
        for j in 0..m { sum(for i in 0..n { a[i][j] * xs[at[i][j]] }) }
    }
}

/// A sum in the language's order: chunks of 16384, 64 accumulators, a tree.
fn in_order<T: Copy + std::ops::Add<Output = T>>(neutral: T, zero: T, values: &[T]) -> T {
    let total = |chunk: &[T]| {
        let mut acc = [neutral; 64];
        for (i, x) in chunk.iter().enumerate() {
            acc[i % 64] = acc[i % 64] + *x;
        }
        for half in [32, 16, 8, 4, 2, 1] {
            for l in 0..half {
                acc[l] = acc[l] + acc[l + half];
            }
        }
        acc[0]
    };
    let totals = values.chunks(16384).map(total);
    totals.reduce(|a, b| a + b).map_or(zero, |sum| zero + sum)
}

/// The bits of numbers; all NaN are one.
fn bits(xs: &[f32]) -> Vec<u32> {
    let of = |x: &f32| if x.is_nan() { 1 } else { x.to_bits() };
    xs.iter().map(of).collect()
}

fn numbers(seed: u32) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) - 0.5
    }
}

fn matrix(rows: usize, columns: usize, seed: u32) -> Array2<f64> {
    let next = numbers(seed);
    Array2::from_shape_simple_fn((rows, columns), next)
}

/// Runs `test` at each level that this machine has; the level is the whole process's.
fn at_each_level(test: impl Fn(Level) -> Result<()>) -> Result<()> {
    static LEVEL: Mutex<()> = Mutex::new(());
    let guard = LEVEL.lock();
    let all = [Level::V1, Level::V3, Level::V4].into_iter();
    let result = all
        .filter(|level| *level <= Level::detect())
        .try_for_each(|level| {
            force(Some(level));
            test(level)
        });
    force(None);
    drop(guard);
    result
}

/// Rows, steps, columns.
const SHAPES: [(usize, usize, usize); 21] = [
    (0, 3, 40),
    (5, 0, 40),
    (5, 3, 0),
    (1, 1, 1),
    (3, 5, 7),
    (4, 1, 32),
    (13, 2, 33),
    (17, 64, 33),
    (10, 65, 100),
    (25, 33, 64),
    (12, 130, 70),
    (40, 200, 47),
    (9, 7, 40),
    (6, 8, 45),
    (5, 20, 40),
    (7, 40, 33),
    (4, 63, 32),
    (15, 128, 50),
    (9, 129, 36),
    (4, 16_390, 32),
    (2, 16_385, 6),
];

#[test]
fn all_levels_give_the_bits_of_the_order() -> Result<()> {
    for (n, k, m) in SHAPES {
        let (a, b) = (matrix(n, k, 1), matrix(k, m, 2));
        let (c, w) = (matrix(m, k, 3), matrix(1, k, 4).remove_axis(Axis(0)));
        let (a32, b32) = (a.mapv(|x| x as f32), b.mapv(|x| x as f32));
        let c32 = c.mapv(|x| x as f32);
        let a3 = Array3::from_shape_fn((3, n, k), |(s, i, l)| a32[[i, l]] + s as f32);
        let b3 = Array3::from_shape_fn((3, k, m), |(s, l, j)| b32[[l, j]] - s as f32);
        let each = |f: &dyn Fn(usize, usize, usize) -> f64| {
            Array2::from_shape_fn((n, m), |(i, j)| {
                let values: Vec<f64> = (0..k).map(|l| f(i, j, l)).collect();
                in_order(-0.0, 0.0, &values)
            })
        };
        let each32 = |f: &dyn Fn(usize, usize, usize) -> f32| {
            Array2::from_shape_fn((n, m), |(i, j)| {
                let values: Vec<f32> = (0..k).map(|l| f(i, j, l)).collect();
                in_order(-0.0, 0.0, &values)
            })
        };
        let product64 = each(&|i, j, l| a[[i, l]] * b[[l, j]]);
        let product32 = each32(&|i, j, l| a32[[i, l]] * b32[[l, j]]);
        let distances = each32(&|i, j, l| (a32[[i, l]] - c32[[j, l]]).powi(2)).mapv(f32::sqrt);
        let sums = each(&|i, j, l| (a[[i, l]] - b[[l, j]]) * w[l] + c[[j, l]] / 3.0);
        let expected = Array2::from_shape_fn((n, m), |(i, j)| i as f64 - sums[[i, j]]);
        let of_batch: Vec<_> = (0..3)
            .map(|s| each32(&|i, j, l| a3[[s, i, l]] * b3[[s, l, j]]))
            .collect();
        let most = k as f32 * f32::EPSILON;
        at_each_level(|level| {
            let at = format!("{n} x {k} x {m} at {level:?}");
            assert_eq!(product_f64(&a, &b)?, product64, "{at}");
            assert_eq!(product_f32(&a32, &b32)?, product32, "{at}");
            assert_eq!(against(&a32, &c32)?, distances, "{at}");
            let found = weighted(&a, &b, &c, w.as_slice().unwrap_or_default(), 3.0)?;
            assert_eq!(found, expected, "{at}");
            for (s, found) in batches(&a3, &b3)?.outer_iter().enumerate() {
                assert_eq!(found, of_batch[s], "{at}, matrix {s}");
            }
            let near = fast(&a32, &b32)?;
            let close = |(x, y): (&f32, &f32)| (x - y).abs() <= most;
            assert!(near.iter().zip(&product32).all(close), "{at}");
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn results_that_go_round_the_caches_start_anywhere() -> Result<()> {
    // 32 MiB and more, in rows of whole cache lines.
    let (n, m) = (4100, 2112);
    let (a, b) = (matrix(n, 1, 9), matrix(m, 1, 10));
    let (a, b) = (a.mapv(|x| x as f32), b.mapv(|x| x as f32));
    at_each_level(|level| {
        let found = against(&a, &b)?;
        for (i, row) in found.outer_iter().enumerate() {
            let near = |(j, x): (usize, &f32)| *x == (a[[i, 0]] - b[[j, 0]]).abs();
            let all = row.iter().enumerate().all(near);
            assert!(all, "row {i} of {n} x {m} at {level:?}");
        }
        Ok(())
    })
}

#[test]
fn zeros_infinities_and_nan_are_those_of_differences() -> Result<()> {
    let edges = [
        0.0,
        -0.0,
        1e-45,
        1e30,
        -1e30,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    let a = Array2::from_shape_fn((8, 2), |(i, l)| edges[(i + 3 * l) % 8]);
    let b = Array2::from_shape_fn((64, 2), |(j, l)| edges[(j / (1 + 7 * l)) % 8]);
    at_each_level(|level| {
        for ((i, j), found) in differences(&a, &b)?.indexed_iter() {
            let of = |l: usize| a[[i, l]] - b[[j, l]];
            let expected = 0.0 + (of(0) + of(1));
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "{found} for {expected} at {level:?}");
        }
        Ok(())
    })
}

#[test]
fn columns_of_any_number_and_height() -> Result<()> {
    for (n, m) in [
        (0, 5),
        (1, 4),
        (3, 3),
        (33, 5),
        (64, 17),
        (65, 64),
        (200, 100),
        (17_000, 5),
        (3, 16_500),
        (70, 16_500),
        (1100, 1500),
    ] {
        let a = matrix(n, m, 5).mapv(|x| x as f32);
        // Columns of zeros of one sign or both, NaN, infinities.
        let odd = Array2::from_shape_fn((n, m), |(i, j)| match (j % 7, i % 3) {
            (0, 0) | (1, _) => f32::NAN,
            (2, 1) => f32::NEG_INFINITY,
            (3, 0 | 1) => -0.0,
            (3 | 4, _) => 0.0,
            (5, _) => -0.0,
            _others => a[[i, j]],
        });
        let fold = |of: fn(f32, f32) -> f32| -> Vec<f32> {
            let total = |column: ndarray::ArrayView1<f32>| column.iter().copied().reduce(of);
            odd.columns()
                .into_iter()
                .map(|it| total(it).unwrap_or(0.5))
                .collect()
        };
        let (least, greatest) = (fold(Order::min), fold(Order::max));
        let whole = a.mapv(|x| (x * 20.0) as i32);
        let sums: Array1<f32> = a
            .columns()
            .into_iter()
            .map(|column| in_order(-0.0, 0.0, &column.to_vec()))
            .collect();
        let most: Vec<(i32, usize)> = whole
            .columns()
            .into_iter()
            .map(|column| match column.iter().max() {
                Some(most) => (*most, column.iter().position(|x| x == most).unwrap_or(0)),
                None => (7, 9),
            })
            .collect();
        at_each_level(|level| {
            assert_eq!(columns(&a)?, sums.to_vec(), "{n} x {m} at {level:?}");
            assert_eq!(extremes(&whole)?, most, "{n} x {m} at {level:?}");
            let found = least_and_greatest(&odd)?;
            assert_eq!(bits(&found.0), bits(&least), "{n} x {m} at {level:?}");
            assert_eq!(bits(&found.1), bits(&greatest), "{n} x {m} at {level:?}");
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn transposes_of_any_size() -> Result<()> {
    for (n, m) in [
        (0, 70),
        (1, 64),
        (64, 1),
        (63, 70),
        (70, 63),
        (130, 65),
        (65, 200),
        (129, 129),
    ] {
        let a = matrix(n, m, 7);
        let (bytes, short) = (a.mapv(|x| (x * 200.0) as u8), a.mapv(|x| x as f32));
        let square = matrix(n, n, 8);
        at_each_level(|level| {
            assert_eq!(turned_f64(&a)?, a.t(), "{n} x {m} at {level:?}");
            assert_eq!(turned_f32(&short)?, short.t(), "{n} x {m} at {level:?}");
            assert_eq!(turned_u8(&bytes)?, bytes.t(), "{n} x {m} at {level:?}");
            let expected = &square + &(&square.t() * 2.0);
            assert_eq!(with_turned(&square, &square)?, expected, "{n} at {level:?}");
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn a_violated_check_is_that_of_the_lowest_column() {
    let a = matrix(100, 50, 6);
    let mut at = Array2::from_elem((100, 50), 2_usize);
    let xs = [1.0, 2.0, 3.0];
    assert_eq!(picked(&a, &at, &xs).map(|sums| sums.len()), Ok(50));
    at[[3, 40]] = 5;
    at[[90, 20]] = 4;
    let error = picked(&a, &at, &xs).expect_err("an index is out of range");
    assert!(error.to_string().contains("index 4"), "{error}");
}
