//! Rows of programs on a graph of about a million edges.

use crate::inputs::{self, plain};
use crate::table::{Row, Table, assert_near, run};
use ragged_bench::limits::Limit;
use ragged_bench::programs::graphs as programs;
use ragged_bench::rivals::{breadth_first, page_rank as ranks};

/// Nodes: each has eight and a half edges on average.
const NODES: usize = 120_000;

pub(crate) fn levels(table: &mut Table) {
    let to = &inputs::graph(table.size(NODES));
    let most = to.lens().max();
    let start = to.lens().position(|len| Some(len) == most);
    let start = start.expect("there are nodes");
    let mut out = programs::levels(to, start).expect("edges lead to nodes");
    let mut rival_out = vec![0; to.len()];
    breadth_first::expert_into(&mut rival_out, plain(to), start);
    assert_eq!(out, rival_out);
    table.row(Row {
        rival: run(|| breadth_first::expert_into(&mut rival_out, plain(to), start)),
        ours: run(|| programs::levels::into(&mut out, to, start).expect("as before")),
        limit: None,
        expert: None,
    });
}

pub(crate) fn page_rank(table: &mut Table) {
    ranked(table, NODES);
}

/// Of a graph of ten times as many nodes, whose ranks leave the near caches.
pub(crate) fn page_rank_large(table: &mut Table) {
    ranked(table, 10 * NODES);
}

fn ranked(table: &mut Table, nodes: usize) {
    const ROUNDS: usize = 20;
    let to = inputs::graph(table.size(nodes));
    let from = &inputs::turned(&to);
    let leaving = &to.lens().collect::<Vec<usize>>()[..];
    let mut out = programs::page_rank(from, leaving, ROUNDS).expect("edges come from nodes");
    let mut rival_out = vec![0.0; from.len()];
    ranks::expert_into(&mut rival_out, plain(from), leaving, ROUNDS).expect("the same edges");
    for (ours, rival) in out.iter().zip(&rival_out) {
        assert_near(*ours, *rival, 1e-12);
    }
    let reads = Limit::Random((ROUNDS * from.values().len()) as f64, 8 * from.len());
    table.row(Row {
        rival: run(|| ranks::expert_into(&mut rival_out, plain(from), leaving, ROUNDS)),
        ours: run(|| {
            programs::page_rank::into(&mut out, from, leaving, ROUNDS).expect("as before")
        }),
        limit: Some(reads),
        expert: None,
    });
}
