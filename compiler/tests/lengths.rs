//! Lengths, operator by operator: results have those that signatures in the table say, and what an
//! operator has demanded of its arrays is known behind it.

mod compiled;

use compiled::functions;
use ragged_compiler::checks::CheckKind;
use ragged_compiler::emit::rust::explain::left_for_run_time;
use ragged_compiler::prims::records;
use std::collections::BTreeSet;

macro_rules! results {
    ($($name:ident $signature:literal $body:literal;)*) => {
        &[$((stringify!($name), $signature, $body)),*]
    };
}

/// Of each operator with a result whose length follows from its arguments, a use for which nothing is
/// left to check but what its signature says. Where the length has no name, two results are zipped.
const RESULTS: &[(&str, &str, &str)] = results! {
    generate "(n: usize) -> [usize; n]" "generate(n, |i| i * i)";
    fill "(n: usize) -> [i32; n]" "fill(7, n)";
    map "(xs: [i32; n]) -> [i32; n]" "xs.map(|x| -x)";
    zip "(xs: [i32; n], ys: [i32; n]) -> [(i32, i32); n]" "zip(xs, ys)";
    unzip "(ps: [(i32, f32); n]) -> ([i32; n], [f32; n])" "ps.unzip()";
    enumerate "(xs: [i32; n]) -> [(usize, i32); n]" "xs.enumerate()";
    gather "(xs: [i32], ix: [usize; m]) -> [i32; m]" "xs.gather(ix)";
    rev "(xs: [i32; n]) -> [i32; n]" "xs.rev()";
    rotate_left "(xs: [i32; n], k: usize) -> [i32; n]" "xs.rotate_left(k)";
    rotate_right "(xs: [i32; n], k: usize) -> [i32; n]" "xs.rotate_right(k)";
    take "(xs: [i32; n], ys: [i32; n], k: usize) -> [(i32, i32)]" "zip(xs.take(k), ys.take(k))";
    skip "(xs: [i32; n], ys: [i32; n], k: usize) -> [(i32, i32)]" "zip(xs.skip(k), ys.skip(k))";
    step_by "(xs: [i32; n], ys: [i32; n], k: usize) -> [(i32, i32)]" "zip(xs.step_by(k), ys.step_by(k))";
    split_at "(xs: [i32], k: usize) -> ([i32; k], [i32])" "xs.split_at(k)";
    chain "(xs: [i32; n], ys: [i32; m], zs: [i32; n], us: [i32; m]) -> [(i32, i32)]" "zip(xs.chain(ys), us.chain(zs))";
    repeat "(xs: [i32; n], ys: [i32; n], k: usize) -> [(i32, i32)]" "zip(xs.repeat(k), ys.repeat(k))";
    pairwise "(xs: [i32; n], ys: [i32; n]) -> [(i32, i32)]" "zip(xs.pairwise(|a, b| a - b), ys.pairwise(|a, b| a * b))";
    scan "(xs: [i32; n]) -> [i32; n]" "xs.scan(|a, b| a + b)";
    prescan "(xs: [i32; n]) -> [i32; n]" "xs.prescan(0, |a, b| a + b)";
    scan_from "(xs: [i32; n]) -> ([i32; n], i32)" "xs.scan_from(0, |a, b| a + b)";
    rscan "(xs: [i32; n]) -> [i32; n]" "xs.rscan(|a, b| a + b)";
    rprescan "(xs: [i32; n]) -> [i32; n]" "xs.rprescan(0, |a, b| a + b)";
    rscan_from "(xs: [i32; n]) -> ([i32; n], i32)" "xs.rscan_from(0, |a, b| a + b)";
    scatter "(into: [i32; n], ix: [usize; m], vs: [i32; m]) -> [i32; n]" "scatter(into, ix, vs)";
    scatter_unique "(into: [i32; n], ix: [usize; m], vs: [i32; m]) -> [i32; n]" "scatter_unique(into, ix, vs)";
    permute "(into: [i32; n], ix: [usize; m], vs: [i32; m]) -> [i32; n]" "permute(into, |a, b| a + b, ix, vs)";
    histogram "(k: usize, ix: [usize; m], vs: [i32; m]) -> [i32; k]" "histogram(k, 0, |a, b| a + b, ix, vs)";
    transpose "(a: [[i32; m]; n]) -> [[i32; n]; m]" "a.transpose()";
    flatten "(a: [[i32; m]; n], b: [[i32; m]; n]) -> [(i32, i32)]" "zip(a.flatten(), b.flatten())";
    reshape "(a: [[i32; m]; n]) -> [[i32; m]; n]" "a.flatten().reshape((n, m))";
    broadcast "(row: [i32; m], n: usize) -> [[i32; m]; n]" "row.broadcast((n, m))";
    chunks_exact "(xs: [i32; n], ys: [i32; n], k: usize) -> [([i32; k], [i32; k])]" "zip(xs.chunks_exact(k), ys.chunks_exact(k))";
    windows "(xs: [i32; n], ys: [i32; n], k: usize) -> [([i32; k], [i32; k])]" "zip(xs.windows(k), ys.windows(k))";
    sum_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.sum_axis(0), a.sum_axis(1))";
    product_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.product_axis(0), a.product_axis(1))";
    min_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.min_axis(0), a.min_axis(1))";
    max_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.max_axis(0), a.max_axis(1))";
    any_axis "(a: [[i32; m]; n]) -> ([bool; m], [bool; n])" "(a.any_axis(0, |x| x > 0), a.any_axis(1, |x| x > 0))";
    all_axis "(a: [[i32; m]; n]) -> ([bool; m], [bool; n])" "(a.all_axis(0, |x| x > 0), a.all_axis(1, |x| x > 0))";
    count_axis "(a: [[i32; m]; n]) -> ([usize; m], [usize; n])" "(a.count_axis(0, |x| x > 0), a.count_axis(1, |x| x > 0))";
    mean_axis "(a: [[f32; m]; n]) -> ([f32; m], [f32; n])" "(a.mean_axis(0), a.mean_axis(1))";
    argmin_axis "(a: [[i32; m]; n]) -> ([usize; m], [usize; n])" "(a.argmin_axis(0), a.argmin_axis(1))";
    argmax_axis "(a: [[i32; m]; n]) -> ([usize; m], [usize; n])" "(a.argmax_axis(0), a.argmax_axis(1))";
    reduce_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.reduce_axis(0, 0, |x, y| x ^ y), a.reduce_axis(1, 0, |x, y| x ^ y))";
    fold_axis "(a: [[i32; m]; n]) -> ([i32; m], [i32; n])" "(a.fold_axis(0, 0, |s, x| x - s), a.fold_axis(1, 0, |s, x| x - s))";
    scan_axis "(a: [[i32; m]; n]) -> [[i32; m]; n]" "a.scan_axis(0, |x, y| x + y)";
    prescan_axis "(a: [[i32; m]; n]) -> [[i32; m]; n]" "a.prescan_axis(0, 0, |x, y| x + y)";
    scan_from_axis "(a: [[i32; m]; n]) -> ([[i32; m]; n], [i32; m])" "a.scan_from_axis(0, 0, |x, y| x + y)";
    rscan_axis "(a: [[i32; m]; n]) -> [[i32; m]; n]" "a.rscan_axis(1, |x, y| x + y)";
    rprescan_axis "(a: [[i32; m]; n]) -> [[i32; m]; n]" "a.rprescan_axis(1, 0, |x, y| x + y)";
    rscan_from_axis "(a: [[i32; m]; n]) -> ([[i32; m]; n], [i32; n])" "a.rscan_from_axis(1, 0, |x, y| x + y)";
    stencil "(xs: [i32; n]) -> [i32; n]" "xs.stencil(fill(0), |at| at(-1) + at(1))";
    lens "(a: [[i32]; n]) -> [usize; n]" "a.lens()";
    concat "(a: [[i32]; n]) -> [(i32, i32)]" "let b = for r in a { for x in r { -x } }; zip(a.concat(), b.concat())";
    unflatten "(a: [[i32]; n]) -> [[(i32, i32)]; n]" "for (r, s) in zip(a, a.concat().unflatten(a.lens())) { zip(r, s) }";
    sort "(xs: [i32; n]) -> [i32; n]" "xs.sort()";
    sort_by_key "(xs: [i32; n]) -> [i32; n]" "xs.sort_by_key(|x| -x)";
    argsort "(xs: [i32; n]) -> [usize; n]" "xs.argsort()";
    merge "(xs: [i32; n], ys: [i32; m]) -> [(i32, i32)]" "zip(xs.merge(ys), xs.chain(ys))";
    pairs "(xs: [i32; n], ys: [i32; n]) -> [((i32, i32), (i32, i32))]" "zip(xs.pairs(), ys.pairs())";
    cartesian "(xs: [i32; n], ys: [i32; m], zs: [i32; n], us: [i32; m]) -> [((i32, i32), (i32, i32))]" "zip(cartesian(xs, ys), cartesian(us, zs).map(|(u, z)| (z, u)))";
};

/// Operators whose results have lengths that values say; the last piece of `chunks` is one.
const BY_VALUES: &[&str] = &[
    "chunks",
    "compress",
    "dedup",
    "filter",
    "flat_map",
    "group_by_key",
    "partition",
    "run_lengths",
    "take_while",
    "unique",
];

#[test]
fn results_have_the_lengths_of_signatures() {
    let arrays = records().filter(|info| {
        let results = info.signature.split("-> ").skip(1);
        results.into_iter().any(|result| result.contains('['))
    });
    let arrays: BTreeSet<&str> = arrays.map(|info| info.name).collect();
    let known: BTreeSet<&str> = RESULTS.iter().map(|(name, ..)| *name).collect();
    let known: BTreeSet<&str> = known.into_iter().chain(BY_VALUES.iter().copied()).collect();
    assert_eq!(arrays, known, "operators that give arrays");
    let mut checked = Vec::new();
    for (name, signature, body) in RESULTS {
        let (params, _) = signature.split_once(" -> ").expect("a result");
        let entry = sizes_checked(&format!("pub fn f{params} -> usize {{ 0 }}"));
        let found = sizes_checked(&format!("pub fn f{signature} {{ {body} }}"));
        if found != entry {
            checked.push(format!(
                "{name}: {signature} {{ {body} }}: {found}, not {entry}"
            ));
        }
    }
    assert!(
        checked.is_empty(),
        "sizes are checked:\n{}",
        checked.join("\n")
    );
}

/// Operators that demand one length of two of their arguments, and what is zipped then.
const DEMANDS: &[(&str, &str, &str)] = &[
    (
        "xs: [i32], ys: [i32]",
        "zip(xs, ys).map(|(x, y)| x + y).sum()",
        "zip(ys, xs)",
    ),
    (
        "into: [i32], ix: [usize], vs: [i32]",
        "scatter(into, ix, vs).sum()",
        "zip(vs, ix)",
    ),
    (
        "into: [i32], ix: [usize], vs: [i32]",
        "scatter_unique(into, ix, vs).sum()",
        "zip(vs, ix)",
    ),
    (
        "into: [i32], ix: [usize], vs: [i32]",
        "permute(into, |a, b| a + b, ix, vs).sum()",
        "zip(vs, ix)",
    ),
    (
        "ix: [usize], vs: [i32]",
        "histogram(9, 0, |a, b| a + b, ix, vs).sum()",
        "zip(vs, ix)",
    ),
    (
        "xs: [i32], flags: [bool]",
        "xs.compress(flags).sum()",
        "zip(xs, flags)",
    ),
    (
        "xs: [i32], m: usize",
        "xs.broadcast((2, m)).flatten().sum()",
        "zip(xs, 0..m)",
    ),
    (
        "xs: [i32], k: usize",
        "xs.reshape((k, 3)).flatten().sum()",
        "zip(xs, 0..3 * k)",
    ),
];

#[test]
fn what_was_demanded_is_known() {
    for (params, demanding, zipped) in DEMANDS {
        let alone = format!("pub fn f({params}) -> usize {{ let s = {demanding}; s as usize }}");
        let again = format!(
            "pub fn f({params}) -> (usize, usize) {{ let s = {demanding}; (s as usize, {zipped}.len()) }}"
        );
        assert_eq!(sizes_checked(&alone), 1, "{alone}");
        assert_eq!(sizes_checked(&again), 1, "{again}");
    }
}

/// How many checks of sizes a function is left with.
fn sizes_checked(text: &str) -> usize {
    let functions = functions(text);
    let checks = left_for_run_time(&functions[0]).into_iter();
    let sizes = checks.filter(|it| matches!(it.kind, CheckKind::Sizes { .. }));
    sizes.count()
}
