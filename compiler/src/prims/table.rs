//! The table of array operators: one record each, in the order of the manual.

use super::{Means, Prim, PrimGroup, PrimInfo};

macro_rules! prims {
    ($($prim:ident $name:literal $lo:literal..=$hi:literal $group:ident $signature:literal
       $doc:literal $example:literal $call:literal => $gives:literal;)*) => {
        &[$(PrimInfo {
            means: Means::Prim(Prim::$prim), name: $name, arity: ($lo, $hi), group: PrimGroup::$group,
            signature: $signature, doc: $doc, example: $example, call: $call, gives: $gives,
        }),*]
    };
}

/// The operator table.
pub const PRIMS: &[PrimInfo] = prims! {
    Generate "generate" 2..=2 Make "generate(n, |i| e) -> [T; n]"
        "The array of `e` for each index `i` from 0 to `n - 1`."
        "pub fn example(n: usize) -> [usize] { generate(n, |i| i * i) }"
        "example(4)" => "vec![0, 1, 4, 9]";
    Fill "fill" 2..=2 Make "fill(v, n) -> [T; n]"
        "`n` copies of `v`."
        "pub fn example(n: usize) -> [f32] { fill(1.5, n) }"
        "example(3)" => "vec![1.5, 1.5, 1.5]";
    Map "map" 2..=2 Elementwise "xs.map(|x| e) -> [U; n]"
        "The array of `e` for each element; `for x in xs { e }` is the same."
        "pub fn example(xs: [f32]) -> [f32] { xs.map(|x| x * x) }"
        "example(&[1.0, 2.0, 3.0])" => "vec![1.0, 4.0, 9.0]";
    Zip "zip" 2..=12 Elementwise "zip(xs, ys, …) -> [(A, B, …); n]"
        "Pairs (or longer tuples) of elements of 2 to 12 arrays of one length; unequal lengths are an error."
        "pub fn example(xs: [i32; n], ys: [i32; n]) -> [i32; n] { zip(xs, ys).map(|(x, y)| x * y) }"
        "example(&[1, 2, 3], &[4, 5, 6])" => "vec![4, 10, 18]";
    Unzip "unzip" 1..=1 Elementwise "ps.unzip() -> ([A; n], [B; n], …)"
        "An array of tuples as a tuple of arrays; costs nothing."
        "pub fn example(ps: [(i32, f32); n]) -> [f32; n] { let (_, b) = ps.unzip(); b }"
        "example(&[(1, 0.5), (2, 1.5)])" => "vec![0.5, 1.5]";
    Enumerate "enumerate" 1..=1 Elementwise "xs.enumerate() -> [(usize, T); n]"
        "Each element with its index."
        "pub fn example(xs: [f32]) -> [f32] { for (i, x) in xs.enumerate() { i as f32 * x } }"
        "example(&[5.0, 5.0, 5.0])" => "vec![0.0, 5.0, 10.0]";
    Gather "gather" 2..=2 IndexSpace "xs.gather(ix) -> [T; m]"
        "`xs[i]` for each `i` of `ix`; an index out of range is an error."
        "pub fn example(xs: [f32], ix: [usize]) -> [f32] { xs.gather(ix) }"
        "example(&[0.5, 1.5, 2.5], &[2, 0, 2])" => "vec![2.5, 0.5, 2.5]";
    Rev "rev" 1..=1 IndexSpace "xs.rev() -> [T; n]"
        "Back to front."
        "pub fn example(xs: [i32]) -> [i32] { xs.rev() }"
        "example(&[1, 2, 3])" => "vec![3, 2, 1]";
    RotateLeft "rotate_left" 2..=2 IndexSpace "xs.rotate_left(k) -> [T; n]"
        "Element `i` is `xs[(i + k) % n]`; `k` above `n` is an error, as in Rust."
        "pub fn example(xs: [i32]) -> [i32] { xs.rotate_left(1) }"
        "example(&[1, 2, 3])" => "vec![2, 3, 1]";
    RotateRight "rotate_right" 2..=2 IndexSpace "xs.rotate_right(k) -> [T; n]"
        "Element `(i + k) % n` is `xs[i]`; `k` above `n` is an error, as in Rust."
        "pub fn example(xs: [i32]) -> [i32] { xs.rotate_right(1) }"
        "example(&[1, 2, 3])" => "vec![3, 1, 2]";
    Take "take" 2..=2 IndexSpace "xs.take(k) -> [T]"
        "The first `k` elements, or all if there are fewer."
        "pub fn example(xs: [i32]) -> [i32] { xs.take(2) }"
        "example(&[1, 2, 3])" => "vec![1, 2]";
    Skip "skip" 2..=2 IndexSpace "xs.skip(k) -> [T]"
        "All but the first `k` elements, or none if there are fewer."
        "pub fn example(xs: [i32]) -> [i32] { xs.skip(2) }"
        "example(&[1, 2, 3])" => "vec![3]";
    StepBy "step_by" 2..=2 IndexSpace "xs.step_by(k) -> [T]"
        "Every `k`-th element, starting with the first; `k = 0` is an error."
        "pub fn example(xs: [i32]) -> [i32] { xs.step_by(2) }"
        "example(&[1, 2, 3, 4, 5])" => "vec![1, 3, 5]";
    SplitAt "split_at" 2..=2 IndexSpace "xs.split_at(k) -> ([T; k], [T])"
        "The first `k` elements and the rest; `k` above the length is an error."
        "pub fn example(xs: [i32]) -> [i32] { let (a, b) = xs.split_at(1); b.chain(a) }"
        "example(&[1, 2, 3])" => "vec![2, 3, 1]";
    Chain "chain" 2..=2 IndexSpace "xs.chain(ys) -> [T; n + m]"
        "The elements of `xs`, then those of `ys`."
        "pub fn example(xs: [i32], ys: [i32]) -> [i32] { xs.chain(ys) }"
        "example(&[1, 2], &[3])" => "vec![1, 2, 3]";
    Repeat "repeat" 2..=2 IndexSpace "xs.repeat(k) -> [T; n * k]"
        "`xs`, `k` times over."
        "pub fn example(xs: [i32]) -> [i32] { xs.repeat(2) }"
        "example(&[1, 2])" => "vec![1, 2, 1, 2]";
    Pairwise "pairwise" 2..=2 IndexSpace "xs.pairwise(|a, b| e) -> [U]"
        "`e` for each element and its right neighbour; one shorter than `xs`, empty if `xs` is."
        "pub fn example(xs: [i32]) -> [i32] { xs.pairwise(|a, b| b - a) }"
        "example(&[1, 4, 9])" => "vec![3, 5]";
    First "first" 1..=1 IndexSpace "xs.first() -> T"
        "The first element; of an empty array an error."
        "pub fn example(xs: [i32]) -> i32 { xs.first() }"
        "example(&[1, 2])" => "1";
    FirstOr "first_or" 2..=2 IndexSpace "xs.first_or(v) -> T"
        "The first element, or `v`."
        "pub fn example(xs: [i32]) -> i32 { xs.first_or(-1) }"
        "example(&[])" => "-1";
    Last "last" 1..=1 IndexSpace "xs.last() -> T"
        "The last element; of an empty array an error."
        "pub fn example(xs: [i32]) -> i32 { xs.last() }"
        "example(&[1, 2])" => "2";
    LastOr "last_or" 2..=2 IndexSpace "xs.last_or(v) -> T"
        "The last element, or `v`."
        "pub fn example(xs: [i32]) -> i32 { xs.last_or(-1) }"
        "example(&[])" => "-1";
    Len "len" 1..=1 IndexSpace "xs.len() -> usize"
        "The number of elements."
        "pub fn example(xs: [i32]) -> usize { xs.len() }"
        "example(&[1, 2])" => "2";
    Sum "sum" 1..=1 Reduce "xs.sum() -> T"
        "The sum; 0 for none. Integers wrap; floats are added in a fixed order (see Meaning)."
        "pub fn example(xs: [f64]) -> f64 { xs.sum() }"
        "example(&[1.0, 2.0])" => "3.0";
    Product "product" 1..=1 Reduce "xs.product() -> T"
        "The product; 1 for none."
        "pub fn example(xs: [i64]) -> i64 { xs.product() }"
        "example(&[2, 3, 4])" => "24";
    Min "min" 1..=1 Reduce "xs.min() -> T"
        "The smallest element, NaN ignored; of an empty array an error."
        "pub fn example(xs: [f32]) -> f32 { xs.min() }"
        "example(&[2.0, 1.0])" => "1.0";
    MinOr "min_or" 2..=2 Reduce "xs.min_or(v) -> T"
        "The smallest element, or `v` for none."
        "pub fn example(xs: [i32]) -> i32 { xs.min_or(7) }"
        "example(&[])" => "7";
    Max "max" 1..=1 Reduce "xs.max() -> T"
        "The largest element, NaN ignored; of an empty array an error."
        "pub fn example(xs: [f32]) -> f32 { xs.max() }"
        "example(&[2.0, 1.0])" => "2.0";
    MaxOr "max_or" 2..=2 Reduce "xs.max_or(v) -> T"
        "The largest element, or `v` for none."
        "pub fn example(xs: [i32]) -> i32 { xs.max_or(7) }"
        "example(&[])" => "7";
    Any "any" 1..=2 Reduce "xs.any(|x| c) -> bool"
        "Whether `c` holds for some element; without a closure, of an array of `bool`."
        "pub fn example(xs: [i32]) -> bool { xs.any(|x| x > 2) }"
        "example(&[1, 2, 3])" => "true";
    All "all" 1..=2 Reduce "xs.all(|x| c) -> bool"
        "Whether `c` holds for all elements; without a closure, of an array of `bool`."
        "pub fn example(xs: [i32]) -> bool { xs.all(|x| x > 2) }"
        "example(&[1, 2, 3])" => "false";
    Count "count" 1..=2 Reduce "xs.count(|x| c) -> usize"
        "For how many elements `c` holds; without a closure, of an array of `bool`."
        "pub fn example(xs: [i32]) -> usize { xs.count(|x| x > 1) }"
        "example(&[1, 2, 3])" => "2";
    Mean "mean" 1..=1 Reduce "xs.mean() -> T"
        "Sum over length, of floats; of an empty array an error."
        "pub fn example(xs: [f64]) -> f64 { xs.mean() }"
        "example(&[1.0, 2.0])" => "1.5";
    MeanOr "mean_or" 2..=2 Reduce "xs.mean_or(v) -> T"
        "The mean, or `v` for none."
        "pub fn example(xs: [f64]) -> f64 { xs.mean_or(0.0) }"
        "example(&[])" => "0.0";
    Argmin "argmin" 1..=1 Reduce "xs.argmin() -> usize"
        "The index of the smallest element (the first of ties, NaN never); of an empty array an error."
        "pub fn example(xs: [f32]) -> usize { xs.argmin() }"
        "example(&[2.0, 1.0, 1.0])" => "1";
    ArgminOr "argmin_or" 2..=2 Reduce "xs.argmin_or(i) -> usize"
        "The index of the smallest element, or `i` for none."
        "pub fn example(xs: [f32]) -> usize { xs.argmin_or(9) }"
        "example(&[])" => "9";
    Argmax "argmax" 1..=1 Reduce "xs.argmax() -> usize"
        "The index of the largest element (the first of ties, NaN never); of an empty array an error."
        "pub fn example(xs: [f32]) -> usize { xs.argmax() }"
        "example(&[2.0, 3.0, 3.0])" => "1";
    ArgmaxOr "argmax_or" 2..=2 Reduce "xs.argmax_or(i) -> usize"
        "The index of the largest element, or `i` for none."
        "pub fn example(xs: [f32]) -> usize { xs.argmax_or(9) }"
        "example(&[])" => "9";
    Reduce "reduce" 3..=3 Reduce "xs.reduce(init, |a, b| e) -> T"
        "Combines all elements with an associative operator, then `init` from the left, once."
        "pub fn example(xs: [u64]) -> u64 { xs.reduce(1, |a, b| a * b) }"
        "example(&[2, 3, 4])" => "24";
    Fold "fold" 3..=3 Reduce "xs.fold(init, |acc, x| e) -> A"
        "Rust's `fold`: left to right, any accumulator; sequential."
        "pub fn example(bits: [bool]) -> u32 { bits.fold(0, |acc, b| acc * 2 + b as u32) }"
        "example(&[true, false, true])" => "5";
    Scan "scan" 2..=2 Scan "xs.scan(|a, b| e) -> [T; n]"
        "Inclusive prefixes under an associative operator: element `i` combines `xs[0..i + 1]`."
        "pub fn example(xs: [i32]) -> [i32] { xs.scan(|a, b| a + b) }"
        "example(&[1, 2, 3])" => "vec![1, 3, 6]";
    Prescan "prescan" 3..=3 Scan "xs.prescan(init, |a, b| e) -> [T; n]"
        "Exclusive prefixes: element `i` combines `init` and `xs[0..i]`."
        "pub fn example(xs: [i32]) -> [i32] { xs.prescan(0, |a, b| a + b) }"
        "example(&[1, 2, 3])" => "vec![0, 1, 3]";
    ScanFrom "scan_from" 3..=3 Scan "xs.scan_from(init, |a, b| e) -> ([T; n], T)"
        "Exclusive prefixes and the total."
        "pub fn example(xs: [i32]) -> ([i32], i32) { xs.scan_from(10, |a, b| a + b) }"
        "example(&[1, 2, 3])" => "(vec![10, 11, 13], 16)";
    Rscan "rscan" 2..=2 Scan "xs.rscan(|a, b| e) -> [T; n]"
        "Inclusive suffixes: element `i` combines `xs[i..n]`, operands in their order."
        "pub fn example(xs: [i32]) -> [i32] { xs.rscan(|a, b| a + b) }"
        "example(&[1, 2, 3])" => "vec![6, 5, 3]";
    Rprescan "rprescan" 3..=3 Scan "xs.rprescan(init, |a, b| e) -> [T; n]"
        "Exclusive suffixes: element `i` combines `xs[i + 1..n]` and `init`."
        "pub fn example(xs: [i32]) -> [i32] { xs.rprescan(0, |a, b| a + b) }"
        "example(&[1, 2, 3])" => "vec![5, 3, 0]";
    RscanFrom "rscan_from" 3..=3 Scan "xs.rscan_from(init, |a, b| e) -> ([T; n], T)"
        "Exclusive suffixes and the total."
        "pub fn example(xs: [i32]) -> ([i32], i32) { xs.rscan_from(10, |a, b| a + b) }"
        "example(&[1, 2, 3])" => "(vec![15, 13, 10], 16)";
    Scatter "scatter" 3..=3 Scatter "scatter(into, ix, vs) -> [T; n]"
        "`into` with `vs[j]` at `ix[j]` for each `j`; the highest `j` wins, an index out of range is an error. Rows may have other lengths than those that they replace."
        "pub fn example(into: [i32], ix: [usize; m], vs: [i32; m]) -> [i32] { scatter(into, ix, vs) }"
        "example(&[0, 0, 0], &[2, 0, 2], &[5, 6, 7])" => "vec![6, 0, 7]";
    ScatterUnique "scatter_unique" 3..=3 Scatter "scatter_unique(into, ix, vs) -> [T; n]"
        "The same, but an index that comes twice is an error; that none does is checked, unless it follows from how `ix` is computed."
        "pub fn example(into: [i32], ix: [usize; m], vs: [i32; m]) -> [i32] { scatter_unique(into, ix, vs) }"
        "example(&[0, 0, 0], &[2, 0], &[5, 6])" => "vec![6, 0, 5]";
    Permute "permute" 4..=4 Scatter "permute(into, |a, b| e, ix, vs) -> [T; n]"
        "`into` with each `vs[j]` combined into what is at `ix[j]`, by an associative operator and in the order of `j`; an index out of range is an error."
        "pub fn example(into: [i32], ix: [usize; m], vs: [i32; m]) -> [i32] { permute(into, |a, b| a + b, ix, vs) }"
        "example(&[1, 1, 1], &[2, 0, 2], &[5, 6, 7])" => "vec![7, 1, 13]";
    Histogram "histogram" 5..=5 Scatter "histogram(k, init, |a, b| e, ix, vs) -> [T; k]"
        "For each of `k` bins, `init` combined with each `vs[j]` that has this bin for `ix[j]`: `permute(fill(init, k), op, ix, vs)`. `init` should be neutral."
        "pub fn example(bins: [usize; m], weights: [f32; m]) -> [f32] { histogram(3, 0.0, |a, b| a + b, bins, weights) }"
        "example(&[2, 0, 2], &[0.5, 1.0, 1.5])" => "vec![1.0, 0.0, 2.0]";
};
