//! What irregularity costs: a program on arrays of any lengths beside the same on arrays of one length,
//! on the same matrix.

use crate::inputs;
use crate::table::{Row, Table, assert_near, run};
use ragged::{DenseArg, Ragged};
use ragged_bench::limits::Limit;
use ragged_bench::programs::{dense, nested};

/// Elements of a matrix.
const ELEMENTS: usize = 1 << 22;

/// A matrix of this width, as rows of any lengths.
fn matrix(table: &Table, width: usize) -> Ragged<f32> {
    inputs::numbers(vec![width; table.size(ELEMENTS / width)])
}

fn regular(rows: &Ragged<f32>, width: usize) -> DenseArg<'_, f32, 2> {
    DenseArg::new([rows.len(), width], rows.values()).expect("all rows are so long")
}

pub(crate) fn sums_wide(table: &mut Table) {
    row_sums(table, 512);
}

pub(crate) fn sums_narrow(table: &mut Table) {
    row_sums(table, 16);
}

fn row_sums(table: &mut Table, width: usize) {
    let rows = &matrix(table, width);
    let mut regular_out = dense::row_sums(regular(rows, width)).expect("there is memory");
    let mut out = nested::row_sums(rows).expect("there is memory");
    assert_eq!(out, regular_out);
    table.row(Row {
        rival: run(|| {
            dense::row_sums::into(&mut regular_out, regular(rows, width)).expect("as before")
        }),
        ours: run(|| nested::row_sums::into(&mut out, rows).expect("as before")),
        limit: Some(Limit::Read(size_of_val(rows.values()) as f64)),
        expert: None,
    });
}

pub(crate) fn softmax_wide(table: &mut Table) {
    softmax(table, 512);
}

pub(crate) fn softmax_narrow(table: &mut Table) {
    softmax(table, 16);
}

fn softmax(table: &mut Table, width: usize) {
    let rows = &matrix(table, width);
    let mut regular_out = dense::softmax(regular(rows, width)).expect("there is memory");
    let mut out = nested::softmax(rows).expect("there is memory");
    for (ours, regular) in out.values().iter().zip(&regular_out) {
        assert_near((*ours).into(), (*regular).into(), 0.0);
    }
    table.row(Row {
        rival: run(|| {
            dense::softmax::into(&mut regular_out, regular(rows, width)).expect("as before")
        }),
        ours: run(|| nested::softmax::into(&mut out, rows).expect("as before")),
        limit: Some(Limit::Copy(2.0 * size_of_val(rows.values()) as f64)),
        expert: None,
    });
}
