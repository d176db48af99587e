//! Rows of programs that sort, or look for what is sorted.

use crate::inputs::{self, scattered, skewed};
use crate::table::{Row, Table, run};
use ragged::Ragged;
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::order as programs;
use ragged_bench::rivals::sort::{self, Scratch};
use ragged_bench::rivals::{search as searches, sort_rows as rows};
#[cfg(feature = "rdst")]
use rdst::RadixSort;

pub(crate) const FOUR_MILLION: usize = 1 << 22;
const MANY: usize = 33_000_000;

pub(crate) fn keys(n: usize) -> Vec<i32> {
    memory::generate(n, |i| scattered(i, 5) as i32)
}

/// Sorts in a row read the keys and write them.
fn limit<T>(n: usize) -> Option<Limit> {
    Some(Limit::Copy((2 * n * size_of::<T>()) as f64))
}

pub(crate) fn sort_4(table: &mut Table) {
    by_hand(table, FOUR_MILLION);
}

pub(crate) fn sort_33(table: &mut Table) {
    by_hand(table, MANY);
}

fn by_hand(table: &mut Table, full: usize) {
    let mut scratch = Scratch::new(table.size(full));
    sorted(table, full, |out, xs| {
        sort::expert_into(out, xs, &mut scratch)
    });
}

#[cfg(feature = "rdst")]
pub(crate) fn sort_4_rdst(table: &mut Table) {
    by_rdst(table, FOUR_MILLION);
}

#[cfg(feature = "rdst")]
pub(crate) fn sort_33_rdst(table: &mut Table) {
    by_rdst(table, MANY);
}

#[cfg(feature = "rdst")]
fn by_rdst(table: &mut Table, full: usize) {
    sorted(table, full, |out, xs| {
        out.clear();
        out.extend_from_slice(xs);
        out.radix_sort_unstable();
    });
}

pub(crate) fn sort_4_rayon(table: &mut Table) {
    sorted(table, FOUR_MILLION, sort::plain);
}

fn sorted(table: &mut Table, full: usize, mut rival: impl FnMut(&mut Vec<i32>, &[i32]) + Send) {
    let n = table.size(full);
    let xs = &keys(n)[..];
    let mut out = programs::sort_i32(xs).expect("there is memory");
    let mut rival_out = Vec::new();
    rival(&mut rival_out, xs);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| rival(&mut rival_out, xs)),
        ours: run(|| programs::sort_i32::into(&mut out, xs).expect("as before")),
        limit: limit::<i32>(n),
        expert: None,
    });
}

pub(crate) fn sort_floats(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let xs = &memory::generate(n, |i| scattered(i, 6) as i32 as f32 * 1e-6)[..];
    let mut scratch = Scratch::new(n);
    let mut out = programs::sort_f32(xs).expect("there is memory");
    let mut rival_out = Vec::new();
    sort::floats_into(&mut rival_out, xs, &mut scratch);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| sort::floats_into(&mut rival_out, xs, &mut scratch)),
        ours: run(|| programs::sort_f32::into(&mut out, xs).expect("as before")),
        limit: limit::<f32>(n),
        expert: None,
    });
}

pub(crate) fn sort_by_key(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let ps = &memory::generate(n, |i| (scattered(i, 5) as i32, i as f32))[..];
    let mut scratch = Scratch::new(n);
    let mut out = programs::sort_by_key(ps).expect("there is memory");
    let mut rival_out = Vec::new();
    sort::pairs_into(&mut rival_out, ps, &mut scratch);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| sort::pairs_into(&mut rival_out, ps, &mut scratch)),
        ours: run(|| programs::sort_by_key::into(&mut out, ps).expect("as before")),
        limit: limit::<(i32, f32)>(n),
        expert: None,
    });
}

pub(crate) fn argsort(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let xs = &keys(n)[..];
    let mut scratch = Scratch::new(n);
    let mut out = programs::argsort(xs).expect("there is memory");
    let mut rival_out = Vec::new();
    sort::argsort_into(&mut rival_out, xs, &mut scratch);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| sort::argsort_into(&mut rival_out, xs, &mut scratch)),
        ours: run(|| programs::argsort::into(&mut out, xs).expect("as before")),
        limit: Some(Limit::Copy((12 * n) as f64)),
        expert: None,
    });
}

pub(crate) fn unique(table: &mut Table) {
    let n = table.size(FOUR_MILLION);
    let xs = &memory::generate(n, |i| (scattered(i, 7) % n) as i32)[..];
    let mut scratch = Scratch::new(n);
    let mut out = programs::unique(xs).expect("there is memory");
    let (mut rival_out, mut sorted) = (Vec::new(), Vec::new());
    sort::unique_into(&mut rival_out, xs, &mut sorted, &mut scratch);
    assert!(out == rival_out, "the program and its rival differ");
    table.row(Row {
        rival: run(|| sort::unique_into(&mut rival_out, xs, &mut sorted, &mut scratch)),
        ours: run(|| programs::unique::into(&mut out, xs).expect("as before")),
        limit: limit::<i32>(n),
        expert: None,
    });
}

pub(crate) fn sort_rows(table: &mut Table) {
    each_sorted(table, &inputs::rows(many_short(table), element));
}

pub(crate) fn sort_huge_row(table: &mut Table) {
    each_sorted(table, &inputs::rows(one_huge(table), element));
}

pub(crate) fn sort_rows_by_key(table: &mut Table) {
    each_sorted_by_key(table, &inputs::rows(many_short(table), pair));
}

pub(crate) fn sort_huge_row_by_key(table: &mut Table) {
    each_sorted_by_key(table, &inputs::rows(one_huge(table), pair));
}

/// Lengths of half a million rows, half of them shorter than 4.
pub(crate) fn many_short(table: &Table) -> impl Iterator<Item = usize> + use<> {
    (0..table.size(500_000)).map(skewed)
}

/// The same, and one as long as all of them.
pub(crate) fn one_huge(table: &Table) -> impl Iterator<Item = usize> + use<> {
    let count = table.size(500_000);
    let huge = move |(i, len)| if i == count / 3 { 9 * count } else { len };
    many_short(table).enumerate().map(huge)
}

pub(crate) fn element(row: usize, at: usize, _: usize) -> i32 {
    scattered(row, at) as i32
}

fn pair(row: usize, at: usize, len: usize) -> (i32, f32) {
    (element(row, at, len), at as f32)
}

fn each_sorted(table: &mut Table, input: &Ragged<i32>) {
    let rival = inputs::plain(input);
    let n = rival.elements.len();
    let mut scratch = Scratch::new(n);
    let mut out = programs::sort_rows(input).expect("there is memory");
    let mut rival_out = Vec::new();
    rows::expert_into(&mut rival_out, rival, &mut scratch);
    assert!(
        out.values() == rival_out,
        "the program and its rival differ"
    );
    table.row(Row {
        rival: run(|| rows::expert_into(&mut rival_out, rival, &mut scratch)),
        ours: run(|| programs::sort_rows::into(&mut out, input).expect("as before")),
        limit: limit::<i32>(n),
        expert: None,
    });
}

fn each_sorted_by_key(table: &mut Table, input: &Ragged<(i32, f32)>) {
    let rival = inputs::plain(input);
    let n = rival.elements.len();
    let mut scratch = Scratch::new(n);
    let mut out = programs::sort_rows_by_key(input).expect("there is memory");
    let mut rival_out = Vec::new();
    rows::pairs_into(&mut rival_out, rival, &mut scratch);
    assert!(
        out.values() == rival_out,
        "the program and its rival differ"
    );
    table.row(Row {
        rival: run(|| rows::pairs_into(&mut rival_out, rival, &mut scratch)),
        ours: run(|| programs::sort_rows_by_key::into(&mut out, input).expect("as before")),
        limit: limit::<(i32, f32)>(n),
        expert: None,
    });
}

pub(crate) fn search(table: &mut Table) {
    let mut xs = keys(table.size(FOUR_MILLION));
    xs.sort_unstable();
    let keys = &memory::generate(table.size(1 << 20), |i| scattered(i, 8) as i32)[..];
    let mut out = programs::search(&xs, keys).expect("there is memory");
    let mut rival_out = vec![0; keys.len()];
    searches::expert_into(&mut rival_out, &xs, keys);
    assert_eq!(out, rival_out);
    table.row(Row {
        rival: run(|| searches::expert_into(&mut rival_out, &xs, keys)),
        ours: run(|| programs::search::into(&mut out, &xs, keys).expect("as before")),
        limit: None,
        expert: None,
    });
}
