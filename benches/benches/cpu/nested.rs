//! Rows of sparse matrices, and of what keeps some of an array.

use crate::inputs::{self, medium, scattered};
use crate::table::{Row, Table, assert_near, run};
use ragged::Ragged;
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::nested as programs;
use ragged_bench::rivals::filter;
use ragged_bench::rivals::smvm::{self, Entry};
use sprs::CsMat;
use sprs::prod::mul_acc_mat_vec_csr;

/// A matrix whose rows have these lengths; `column` gives the column of element `k` of a row of so many.
fn matrix(
    lens: impl IntoIterator<Item = usize>,
    column: impl Fn(usize, usize, usize) -> usize,
) -> Ragged<Entry> {
    let value = |i, k| ((i + 7 * k) % 1000) as f64 * 1e-3;
    inputs::rows(lens, |i, k, len| (column(i, k, len), value(i, k)))
}

/// Columns here and there, in order.
fn spread(side: usize) -> impl Fn(usize, usize, usize) -> usize {
    move |i, k, len| k * side / len + scattered(i, k) % (side / len)
}

/// A matrix, how many columns it has, and what takes most of a product's time.
type Shape = (Ragged<Entry>, usize, Reads);

/// All elements are there.
fn full(table: &Table) -> Shape {
    let side = table.side(2000);
    (matrix(vec![side; side], |_, k, _| k), side, Reads::InOrder)
}

/// About 60 elements around the diagonal.
fn band(table: &Table) -> Shape {
    let side = table.size(100_000).max(200);
    let lens = (0..side).map(|i| 55 + i % 11);
    let column = |i: usize, k, _| i.saturating_sub(30).min(side - 66) + k;
    (matrix(lens, column), side, Reads::InOrder)
}

/// About three elements in a row, and some very long rows.
fn skewed(table: &Table) -> Shape {
    let side = table.size(1_000_000);
    let lens = (0..side).map(|i| match i % 100_000 {
        777 => side / 5,
        _ => scattered(i, 1) % 7 * (scattered(i, 2) % 2 + 1) * 2 / 3,
    });
    (matrix(lens, spread(side)), side, Reads::AtRandom)
}

/// 4000 rows of about 3000.
fn long(table: &Table) -> Shape {
    let side = table.side(4000);
    let lens = (0..side).map(|i| side * 5 / 8 + i * 37 % (side / 4));
    (matrix(lens, spread(side)), side, Reads::InOrder)
}

pub(crate) fn dense(table: &mut Table) {
    by_hand(table, &full(table));
}

pub(crate) fn banded(table: &mut Table) {
    by_hand(table, &band(table));
}

pub(crate) fn power_law(table: &mut Table) {
    by_hand(table, &skewed(table));
}

pub(crate) fn long_rows(table: &mut Table) {
    by_hand(table, &long(table));
}

/// 40 000 rows of 65 to 500.
pub(crate) fn medium_rows(table: &mut Table) {
    let side = table.size(40_000);
    let lens = (0..side).map(medium);
    by_hand(table, &(matrix(lens, spread(side)), side, Reads::InOrder));
}

/// A million rows of three, among them one of 8 million.
pub(crate) fn huge_row(table: &mut Table) {
    let side = table.size(1_000_000);
    let lens = (0..side).map(|i| if i == side / 3 { 8 * side } else { 3 });
    let column = |i, k, _| scattered(i, k) % side;
    by_hand(table, &(matrix(lens, column), side, Reads::AtRandom));
}

pub(crate) fn dense_sprs(table: &mut Table) {
    by_sprs(table, &full(table));
}

pub(crate) fn banded_sprs(table: &mut Table) {
    by_sprs(table, &band(table));
}

pub(crate) fn power_law_sprs(table: &mut Table) {
    by_sprs(table, &skewed(table));
}

pub(crate) fn long_rows_sprs(table: &mut Table) {
    by_sprs(table, &long(table));
}

/// A sparse product may take no longer than the faster of its rivals.
const PRODUCT_TOLERANCE: f64 = 1.0;

fn by_hand(table: &mut Table, shape: &Shape) {
    let rival = inputs::plain(&shape.0);
    product(table, shape, |out, v| {
        smvm::expert_into(out, rival, v).expect("columns are in range")
    });
}

fn by_sprs(table: &mut Table, shape: &Shape) {
    let (a, columns, _) = shape;
    let offsets = a.offsets().iter().map(|it| *it as usize).collect();
    let (indices, values) = a.values().iter().copied().unzip();
    let rival = CsMat::new((a.len(), *columns), offsets, indices, values);
    product(table, shape, |out, v| {
        // It adds to what is there.
        out.fill(0.0);
        mul_acc_mat_vec_csr(rival.view(), v, out);
    });
}

/// What takes most of the time: the elements, or what they say to read, if that is anywhere.
#[derive(Clone, Copy)]
enum Reads {
    InOrder,
    AtRandom,
}

fn product(
    table: &mut Table,
    &(ref a, columns, reads): &Shape,
    rival: impl Fn(&mut [f64], &[f64]) + Sync,
) {
    let v: &[f64] = &memory::generate(columns, |j| (j % 17) as f64);
    let mut out = programs::smvm(a, v).expect("columns are in range");
    let mut rival_out = vec![0.0; a.len()];
    rival(&mut rival_out, v);
    for (ours, rival) in out.iter().zip(&rival_out) {
        assert_near(*ours, *rival, 1e-9 * columns as f64);
    }
    let bytes = size_of_val(a.values()) + 8 * (2 * a.len() + columns);
    let limit = match reads {
        Reads::InOrder => Limit::Read(bytes as f64),
        Reads::AtRandom => Limit::Random(a.values().len() as f64, 8 * columns),
    };
    let row = Row {
        rival: run(|| rival(&mut rival_out, v)),
        ours: run(|| programs::smvm::into(&mut out, a, v).expect("as before")),
        limit: Some(limit),
        expert: None,
    };
    table.row_within(PRODUCT_TOLERANCE, row);
}

/// A filter of 10 M numbers that keeps 1 % of them.
pub(crate) fn filter_few(table: &mut Table) {
    filtered(table, 1);
}

/// The same, half of them.
pub(crate) fn filter_half(table: &mut Table) {
    filtered(table, 50);
}

/// The same, nearly all of them.
pub(crate) fn filter_most(table: &mut Table) {
    filtered(table, 99);
}

fn filtered(table: &mut Table, percent: usize) {
    let n = table.size(10_000_000);
    let xs: &[f32] = &memory::generate(n, |i| (scattered(i, 3) % 100) as f32);
    let limit = 99.5 - percent as f32;
    let mut out = programs::above(xs, limit).expect("there is memory");
    let mut rival_out = Vec::new();
    filter::expert_into(&mut rival_out, xs, limit);
    assert_eq!(out, rival_out);
    let kept = out.len();
    table.row(Row {
        rival: run(|| filter::expert_into(&mut rival_out, xs, limit)),
        ours: run(|| programs::above::into(&mut out, xs, limit).expect("as before")),
        limit: Some(Limit::Read((4 * n + 4 * kept) as f64)),
        expert: None,
    });
}
