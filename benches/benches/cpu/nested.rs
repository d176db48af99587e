//! Rows of programs on arrays of arrays of any lengths.

use crate::{Row, Table, assert_near, run};
use ragged::Ragged;
use ragged_bench::limits::Limit;
use ragged_bench::programs::nested as programs;
use ragged_bench::rivals::filter;
use ragged_bench::rivals::smvm::{self, Entry, Matrix};

/// A matrix of so many columns whose rows have these lengths; `column` gives the column of element
/// `k` of a row.
fn matrix(
    lens: impl IntoIterator<Item = usize>,
    column: impl Fn(usize, usize) -> usize,
) -> Ragged<Entry> {
    let (mut lengths, mut entries) = (Vec::new(), Vec::new());
    for (i, len) in lens.into_iter().enumerate() {
        lengths.push(len);
        entries.extend((0..len).map(|k| (column(i, k), ((i + 7 * k) % 1000) as f64 * 1e-3)));
    }
    Ragged::from_lengths(lengths, entries).expect("lengths of what was made")
}

/// Some number for each place, without a pattern.
fn scattered(i: usize, k: usize) -> usize {
    let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (k as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20
}

/// All elements are there.
pub(crate) fn dense(table: &mut Table) {
    let side = table.side(2000);
    row(table, side, &matrix(vec![side; side], |_, k| k));
}

/// About 60 elements around the diagonal.
pub(crate) fn banded(table: &mut Table) {
    let side = table.size(100_000).max(200);
    let lens = (0..side).map(|i| 55 + i % 11);
    row(
        table,
        side,
        &matrix(lens, |i, k| i.saturating_sub(30).min(side - 66) + k),
    );
}

/// About three elements, and some very long rows.
pub(crate) fn power_law(table: &mut Table) {
    let side = table.size(1_000_000);
    let lens = (0..side).map(|i| match i % 100_000 {
        777 => side / 5,
        _ => scattered(i, 1) % 7 * (scattered(i, 2) % 2 + 1) * 2 / 3,
    });
    row(table, side, &matrix(lens, |i, k| scattered(i, k) % side));
}

/// 4000 rows of about 3000.
pub(crate) fn long_rows(table: &mut Table) {
    let side = table.side(4000);
    let lens = (0..side).map(|i| side * 5 / 8 + i * 37 % (side / 4));
    row(table, side, &matrix(lens, |i, k| scattered(i, k) % side));
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
    let xs: &[f32] = &Vec::from_iter((0..n).map(|i| (scattered(i, 3) % 100) as f32));
    let limit = 99.5 - percent as f32;
    let mut out = programs::above(xs, limit).expect("there is memory");
    let mut rival_out = Vec::new();
    filter::expert_into(&mut rival_out, xs, limit);
    assert_eq!(out, rival_out);
    let kept = out.len();
    table.row(Row {
        rival: run(|| filter::expert_into(&mut rival_out, xs, limit)),
        ours: Some(run(|| {
            programs::above::into(&mut out, xs, limit).expect("as before")
        })),
        plain: run(|| filter::plain(xs, limit)),
        limit: Some(Limit::Read((4 * n + 4 * kept) as f64)),
        expected: None,
    });
}

fn row(table: &mut Table, columns: usize, a: &Ragged<Entry>) {
    let v: &[f64] = &Vec::from_iter((0..columns).map(|j| (j % 17) as f64));
    let rival = Matrix {
        offsets: a.offsets(),
        entries: a.values(),
    };
    let mut out = programs::smvm(a, v).expect("columns are in range");
    let mut rival_out = vec![0.0; a.len()];
    smvm::expert_into(&mut rival_out, rival, v).expect("columns are in range");
    for (ours, rival) in out.iter().zip(&rival_out) {
        assert_near(*ours, *rival, 1e-9 * columns as f64);
    }
    let bytes = size_of_val(rival.entries) + 8 * (2 * a.len() + columns);
    table.row(Row {
        rival: run(|| smvm::expert_into(&mut rival_out, rival, v)),
        ours: Some(run(|| {
            programs::smvm::into(&mut out, a, v).expect("as before")
        })),
        plain: run(|| smvm::plain(rival, v)),
        limit: Some(Limit::Read(bytes as f64)),
        expected: None,
    });
}
