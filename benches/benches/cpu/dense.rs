//! Rows of programs on arrays of arrays.

use crate::table::{Row, Table, assert_near, run};
use ndarray::{ArrayView2, s};
use ragged::DenseArg;
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::dense as programs;
use ragged_bench::rivals::jacobi::Grid;
use ragged_bench::rivals::nbody::Bodies;
use ragged_bench::rivals::{distances, jacobi, matvec, nbody, product, softmax, sums};
use std::ops::Range;

/// A matrix of numbers between 0 and 1 in row-major order.
fn matrix(height: usize, width: usize) -> Vec<f32> {
    memory::generate(height * width, |i| (i * 7919 % 10_007) as f32 * 1e-4)
}

pub(crate) fn argument(elements: &[f32], shape: [usize; 2]) -> DenseArg<'_, f32, 2> {
    DenseArg::new(shape, elements).expect("the shape says how many elements there are")
}

fn assert_all_near<'a>(ours: impl IntoIterator<Item = &'a f32>, rival: &[f32], tolerance: f64) {
    let ours: Vec<f32> = ours.into_iter().copied().collect();
    assert_eq!(ours.len(), rival.len());
    for (&ours, &rival) in ours.iter().zip(rival) {
        assert_near(ours.into(), rival.into(), tolerance);
    }
}

type Accelerations = (Vec<f32>, Vec<f32>, Vec<f32>);

pub(crate) fn bodies(table: &mut Table) {
    bodies_row(table, nbody::expert, |b| {
        programs::nbody(b.x, b.y, b.z, b.mass).unwrap()
    });
}

pub(crate) fn bodies_fast(table: &mut Table) {
    bodies_row(table, nbody::fast, |b| {
        programs::nbody_fast(b.x, b.y, b.z, b.mass).unwrap()
    });
}

fn bodies_row(
    table: &mut Table,
    rival: fn(Bodies) -> [Vec<f32>; 3],
    ours: fn(Bodies) -> Accelerations,
) {
    /// Additions, multiplications, a root and a division, as written.
    const OPERATIONS_PER_PAIR: f64 = 18.0;
    let inputs = nbody::inputs(table.size(32_768));
    let bodies = Bodies::new(inputs.each_ref().map(|xs| &xs[..]));
    let (found, expected) = (ours(bodies), rival(bodies));
    let most = expected
        .iter()
        .flatten()
        .fold(0.0_f32, |m, a| m.max(a.abs()));
    for (found, expected) in [found.0, found.1, found.2].iter().zip(&expected) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-4 * most);
        }
    }
    let pairs = (bodies.len() as f64).powi(2);
    table.row(Row {
        rival: run(|| rival(bodies)),
        ours: run(|| ours(bodies)),
        limit: Some(Limit::Lanes32(OPERATIONS_PER_PAIR * pairs)),
        expert: None,
    });
}

/// The side of the matrices that are summed and softened.
pub(crate) const SIDE: usize = 8192;

pub(crate) fn row_sums(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let ours = || programs::row_sums(argument(a, [side, side])).unwrap();
    assert_all_near(&ours(), &sums::rows(a, side), 1e-3);
    table.row(Row {
        rival: run(|| sums::rows(a, side)),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(a) as f64)),
        expert: None,
    });
}

pub(crate) fn column_sums(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let ours = || programs::column_sums(argument(a, [side, side])).unwrap();
    assert_all_near(&ours(), &sums::columns(a, side), 1e-3);
    table.row(Row {
        rival: run(|| sums::columns(a, side)),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(a) as f64)),
        expert: None,
    });
}

pub(crate) fn softmax(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let ours = || programs::softmax(argument(a, [side, side])).unwrap();
    assert_all_near(&ours(), &softmax::expert(a, side), 1e-6);
    table.row(Row {
        rival: run(|| softmax::expert(a, side)),
        ours: run(ours),
        limit: Some(Limit::Copy(2.0 * size_of_val(a) as f64)),
        expert: None,
    });
}

pub(crate) fn softmax_into(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let mut rival_out = matrix(side, side);
    let mut out = programs::softmax(argument(a, [side, side])).unwrap();
    table.row(Row {
        rival: run(|| softmax::expert_into(&mut rival_out, a, side)),
        ours: run(move || {
            programs::softmax::into(&mut out, argument(a, [side, side])).unwrap();
        }),
        limit: Some(Limit::Copy(2.0 * size_of_val(a) as f64)),
        expert: None,
    });
}

/// The middle half of the columns of a matrix.
fn block(a: &[f32], side: usize) -> (ArrayView2<'_, f32>, Range<usize>) {
    let columns = side / 4..side / 4 + side / 2;
    let a = ArrayView2::from_shape((side, side), a).expect("a square");
    (a.slice_move(s![.., columns.clone()]), columns)
}

pub(crate) fn row_sums_of_block(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let (view, columns) = block(a, side);
    let ours = || programs::row_sums(view).unwrap();
    let rival = || sums::rows_of_block(a, side, columns.clone());
    assert_all_near(&ours(), &rival(), 1e-3);
    table.row(Row {
        rival: run(rival),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(a) as f64 / 2.0)),
        expert: None,
    });
}

pub(crate) fn softmax_of_block(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let (view, columns) = block(a, side);
    let ours = || programs::softmax(view).unwrap();
    let rival = || softmax::block(a, side, columns.clone());
    assert_all_near(&ours(), &rival(), 1e-6);
    table.row(Row {
        rival: run(rival),
        ours: run(ours),
        limit: Some(Limit::Copy(size_of_val(a) as f64)),
        expert: None,
    });
}

pub(crate) fn times_of_block(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &matrix(side, side)[..];
    let (view, columns) = block(a, side);
    let x = &matrix(1, view.ncols())[..];
    let ours = || programs::times(view, x).unwrap();
    let rival = || matvec::expert(a, side, columns.clone(), x);
    assert_all_near(&ours(), &rival(), 1e-3);
    table.row(Row {
        rival: run(rival),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(a) as f64 / 2.0)),
        expert: None,
    });
}

/// Coordinates of each point.
const DIMENSIONS: usize = 64;

/// A subtraction, a multiplication and an addition for each coordinate.
fn operations_of_distances(len: usize) -> Limit {
    Limit::Lanes32(3.0 * (len * len * DIMENSIONS) as f64)
}

pub(crate) fn distances(table: &mut Table) {
    let len = table.side(4096);
    let shape = [len, DIMENSIONS];
    let ps = &matrix(len, DIMENSIONS)[..];
    let qs = &ps.iter().map(|p| 1.0 - p).collect::<Vec<_>>()[..];
    let ours = || programs::distances(argument(ps, shape), argument(qs, shape)).unwrap();
    assert_all_near(&ours(), &distances::expert(ps, qs, DIMENSIONS), 1e-5);
    table.row(Row {
        rival: run(|| distances::expert(ps, qs, DIMENSIONS)),
        ours: run(ours),
        limit: Some(operations_of_distances(len)),
        expert: None,
    });
}

pub(crate) fn distances_into(table: &mut Table) {
    let len = table.side(4096);
    let shape = [len, DIMENSIONS];
    let ps = &matrix(len, DIMENSIONS)[..];
    let qs = &ps.iter().map(|p| 1.0 - p).collect::<Vec<_>>()[..];
    let mut rival_out = matrix(len, len);
    let mut out = programs::distances(argument(ps, shape), argument(qs, shape)).unwrap();
    table.row(Row {
        rival: run(|| distances::expert_into(&mut rival_out, ps, qs, DIMENSIONS)),
        ours: run(move || {
            programs::distances::into(&mut out, argument(ps, shape), argument(qs, shape)).unwrap();
        }),
        limit: Some(operations_of_distances(len)),
        expert: None,
    });
}

pub(crate) fn jacobi(table: &mut Table) {
    /// Four additions and a multiplication, as written.
    const OPERATIONS_PER_POINT: usize = 5;
    const SWEEPS: usize = 160;
    let side = table.side(1448);
    let start = &matrix(side, side)[..];
    let grid = Grid::new(start, side);
    let ours = || programs::jacobi(argument(start, [side, side]), SWEEPS).unwrap();
    assert!(
        ours().iter().eq(&jacobi::expert(grid, SWEEPS)),
        "the program and its rival differ"
    );
    let points = (side - 2) * (side - 2) * SWEEPS;
    table.row(Row {
        rival: run(|| jacobi::expert(grid, SWEEPS)),
        ours: run(ours),
        limit: Some(Limit::Lanes32((OPERATIONS_PER_POINT * points) as f64)),
        expert: None,
    });
}

/// A product of matrices may take this much more than a library's.
const PRODUCT_TOLERANCE: f64 = 1.5;

macro_rules! products {
    ($name:ident, $T:ident, $module:ident, $library:ident, $ours:ident, $limit:path) => {
        pub(crate) fn $name(table: &mut Table) {
            let n = table.side(1024);
            let [a, b] = [7919, 6101]
                .map(|factor| memory::generate(n * n, move |i| (i * factor % 10_007) as $T * 1e-4));
            let (a, b) = (&a[..], &b[..]);
            let mut out = a.to_vec();
            let argument = |elements| DenseArg::new([n, n], elements).unwrap();
            let mut own = programs::$ours(argument(a), argument(b)).unwrap();
            product::$module::$library(&mut out, a, b, n, n);
            for (ours, rival) in own.iter().zip(&out) {
                assert_near(f64::from(*ours), f64::from(*rival), 1e-5);
            }
            let row = Row {
                rival: run(|| product::$module::$library(&mut out, a, b, n, n)),
                ours: run(|| {
                    programs::$ours::into(&mut own, argument(a), argument(b)).unwrap();
                }),
                limit: Some($limit(2.0 * (n * n * n) as f64)),
                expert: None,
            };
            table.row_within(PRODUCT_TOLERANCE, row);
        }
    };
}

products!(
    product_f32,
    f32,
    of_f32,
    matrixmultiply,
    product_f32,
    Limit::Fused32
);
products!(
    product_f64,
    f64,
    of_f64,
    matrixmultiply,
    product_f64,
    Limit::Fused64
);
products!(
    product_fast_f32,
    f32,
    of_f32,
    matrixmultiply,
    product_fast_f32,
    Limit::Fused32
);
products!(
    product_fast_f64,
    f64,
    of_f64,
    matrixmultiply,
    product_fast_f64,
    Limit::Fused64
);

/// The same beside `faer`.
#[cfg(feature = "faer")]
pub(crate) mod faer {
    use super::*;

    products!(product_f32, f32, of_f32, faer, product_f32, Limit::Fused32);
    products!(product_f64, f64, of_f64, faer, product_f64, Limit::Fused64);
    products!(
        product_fast_f32,
        f32,
        of_f32,
        faer,
        product_fast_f32,
        Limit::Fused32
    );
    products!(
        product_fast_f64,
        f64,
        of_f64,
        faer,
        product_fast_f64,
        Limit::Fused64
    );
}
