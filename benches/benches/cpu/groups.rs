//! Rows of programs that bring elements into an order in part, or together by it.

use crate::inputs::{self, scattered};
use crate::order::{FOUR_MILLION, element, keys, many_short, one_huge};
use crate::table::{Row, Table, run};
use ragged::Ragged;
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::order as programs;
use ragged_bench::rivals::group::{self, Groups};
use ragged_bench::rivals::sort::{Pair, Scratch};
use ragged_bench::rivals::{merge as merges, select, select_rows};

pub(crate) fn kth_smallest(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let (xs, k) = (&keys(n)[..], n / 3);
    let mut scratch = select::Scratch::default();
    let out = programs::kth_smallest(xs, k).expect("there are more keys");
    assert_eq!(out, select::expert(xs, k, &mut scratch));
    table.row(Row {
        rival: run(|| select::expert(xs, k, &mut scratch)),
        ours: run(|| programs::kth_smallest(xs, k).expect("as before")),
        limit: Some(Limit::Read(size_of_val(xs) as f64)),
        expert: None,
    });
}

pub(crate) fn middle_of_rows(table: &mut Table) {
    let lens = many_short(table).map(|len| len.max(1));
    each_middle(table, &inputs::rows(lens, element));
}

pub(crate) fn middle_of_huge_row(table: &mut Table) {
    let lens = one_huge(table).map(|len| len.max(1));
    each_middle(table, &inputs::rows(lens, element));
}

fn each_middle(table: &mut Table, input: &Ragged<i32>) {
    let rival = inputs::plain(input);
    let mut scratch = select::Scratch::default();
    let mut out = programs::middle_of_rows(input).expect("no row is empty");
    let mut rival_out = vec![0; input.len()];
    select_rows::expert_into(&mut rival_out, rival, &mut scratch);
    assert!(out == rival_out, "the program and its rival differ");
    let bytes = size_of_val(rival.offsets) + size_of_val(rival.elements) + size_of_val(&out[..]);
    table.row(Row {
        rival: run(|| select_rows::expert_into(&mut rival_out, rival, &mut scratch)),
        ours: run(|| programs::middle_of_rows::into(&mut out, input).expect("as before")),
        limit: Some(Limit::Read(bytes as f64)),
        expert: None,
    });
}

pub(crate) fn merge(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let sorted = |k| {
        let mut xs = memory::generate(n, |i| scattered(i, k) as i32);
        xs.sort_unstable();
        xs
    };
    let (xs, ys) = (&sorted(5)[..], &sorted(6)[..]);
    let mut out = programs::merge(xs, ys).expect("there is memory");
    let mut rival_out = Vec::new();
    merges::expert_into(&mut rival_out, xs, ys);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| merges::expert_into(&mut rival_out, xs, ys)),
        ours: run(|| programs::merge::into(&mut out, xs, ys).expect("as before")),
        limit: Some(Limit::Copy((4 * size_of_val(xs)) as f64)),
        expert: None,
    });
}

/// By 65 000 keys, which are any numbers of 32 bits.
pub(crate) fn group_by_key(table: &mut Table) {
    const KEYS: usize = 65_000;
    let n = table.size(FOUR_MILLION);
    let key = |i| scattered(scattered(i, 5) % KEYS, 6) as i32;
    let pairs: &[Pair] = &memory::generate(n, |i| (key(i), i as f32));
    let mut scratch = Scratch::new(n);
    let (mut out, mut sorted) = (Groups::default(), Vec::new());
    group::expert_into(&mut out, pairs, &mut sorted, &mut scratch);
    let (mut keys, mut rows) = programs::group_by_key(pairs).expect("there is memory");
    assert!(
        keys == out.keys && rows.offsets() == out.offsets && rows.values() == out.values,
        "the program and its rival differ"
    );
    let bytes = size_of_val(pairs) + size_of_val(&out.values[..]);
    table.row(Row {
        rival: run(|| group::expert_into(&mut out, pairs, &mut sorted, &mut scratch)),
        ours: run(|| {
            programs::group_by_key::into((&mut keys, &mut rows), pairs).expect("as before")
        }),
        limit: Some(Limit::Copy(bytes as f64)),
        expert: None,
    });
}
