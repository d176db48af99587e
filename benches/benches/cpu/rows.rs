//! Rows of programs on the rows of arrays of any lengths.

use crate::inputs::{self, medium, skewed};
use crate::table::{Row, Table, assert_near, run};
use ragged::Ragged;
use ragged_bench::limits::Limit;
use ragged_bench::programs::nested as programs;
use ragged_bench::rivals::{matches as words, ragged_softmax, top_1 as largest};

/// Many short rows, and some long ones.
fn short(table: &Table) -> Ragged<f32> {
    inputs::numbers((0..table.size(1_000_000)).map(skewed))
}

/// Rows of 65 to 500.
fn middling(table: &Table) -> Ragged<f32> {
    inputs::numbers((0..table.size(40_000)).map(medium))
}

pub(crate) fn softmax(table: &mut Table) {
    softened(table, &short(table));
}

pub(crate) fn softmax_medium(table: &mut Table) {
    softened(table, &middling(table));
}

fn softened(table: &mut Table, rows: &Ragged<f32>) {
    let rival = inputs::plain(rows);
    let mut out = programs::softmax_by_factor(rows).expect("there is memory");
    let (mut offsets, mut elements) = (rival.offsets.to_vec(), rival.elements.to_vec());
    ragged_softmax::expert_into(&mut offsets, &mut elements, rival);
    assert_eq!(out.offsets(), offsets);
    for (ours, rival) in out.values().iter().zip(&elements) {
        assert_near((*ours).into(), (*rival).into(), 1e-6);
    }
    let bytes = 2 * (size_of_val(rival.offsets) + size_of_val(rival.elements));
    table.row(Row {
        rival: run(|| ragged_softmax::expert_into(&mut offsets, &mut elements, rival)),
        ours: run(|| programs::softmax_by_factor::into(&mut out, rows).expect("as before")),
        limit: Some(Limit::Copy(bytes as f64)),
        expert: None,
    });
}

pub(crate) fn top_1(table: &mut Table) {
    found(table, &short(table));
}

pub(crate) fn top_1_medium(table: &mut Table) {
    found(table, &middling(table));
}

fn found(table: &mut Table, rows: &Ragged<f32>) {
    let rival = inputs::plain(rows);
    let mut out = programs::top_1(rows).expect("there is memory");
    let mut rival_out = vec![0; rows.len()];
    largest::expert_into(&mut rival_out, rival);
    assert_eq!(out, rival_out);
    let bytes = size_of_val(rival.offsets) + size_of_val(rival.elements) + size_of_val(&out[..]);
    table.row(Row {
        rival: run(|| largest::expert_into(&mut rival_out, rival)),
        ours: run(|| programs::top_1::into(&mut out, rows).expect("as before")),
        limit: Some(Limit::Read(bytes as f64)),
        expert: None,
    });
}

/// How often a word that shares its ends with many others stands in each of 300 000 lines.
pub(crate) fn matches(table: &mut Table) {
    let word = b"thought";
    let lines = &inputs::lines(table.size(300_000));
    let rival = inputs::plain(lines);
    let mut out = programs::matches(lines, word).expect("the word is not empty");
    let mut rival_out = vec![0; lines.len()];
    words::expert_into(&mut rival_out, rival, word);
    assert_eq!(out, rival_out);
    let bytes = size_of_val(rival.offsets) + rival.elements.len() + size_of_val(&out[..]);
    table.row(Row {
        rival: run(|| words::expert_into(&mut rival_out, rival, word)),
        ours: run(|| programs::matches::into(&mut out, lines, word).expect("as before")),
        limit: Some(Limit::Read(bytes as f64)),
        expert: None,
    });
}
