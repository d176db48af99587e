//! The table of operators whose results have sizes that depend on values: one record each, in the
//! order of the manual.

use super::{Means, Prim, PrimGroup, PrimInfo};

macro_rules! sizes {
    ($($prim:ident $name:literal $lo:literal..=$hi:literal $group:ident $signature:literal
       $doc:literal $example:literal $call:literal => $gives:literal;)*) => {
        &[$(PrimInfo {
            means: Means::Prim(Prim::$prim), name: $name, arity: ($lo, $hi), group: PrimGroup::$group,
            signature: $signature, doc: $doc, example: $example, call: $call, gives: $gives,
        }),*]
    };
}

/// Records of the operators that make sizes.
pub const SIZES: &[PrimInfo] = sizes! {
    Lens "lens" 1..=1 IndexSpace "a.lens() -> [usize; n]"
        "The length of each array in an array."
        "pub fn example(xs: [i32]) -> [usize] { xs.chunks(2).lens() }"
        "example(&[1, 2, 3])" => "vec![2, 1]";
    Concat "concat" 1..=1 IndexSpace "a.concat() -> [T]"
        "The arrays in an array, joined, as in Rust; the same as `flatten`."
        "pub fn example(xs: [i32]) -> [i32] { xs.chunks(2).rev().concat() }"
        "example(&[1, 2, 3])" => "vec![3, 1, 2]";
    Unflatten "unflatten" 2..=2 IndexSpace "xs.unflatten(lengths) -> [[T]]"
        "The elements in arrays of these lengths, one after another; the sum of the lengths must be the length of `xs`."
        "pub fn example(xs: [i32], lengths: [usize]) -> [i32] { for row in xs.unflatten(lengths) { row.sum() } }"
        "example(&[1, 2, 3], &[2, 0, 1])" => "vec![3, 0, 3]";
    FlatMap "flat_map" 2..=2 Select "xs.flat_map(|x| e) -> [U]"
        "The arrays `e` for each element, joined: `xs.map(|x| e).concat()`."
        "pub fn example(xs: [u32]) -> [u32] { xs.flat_map(|x| fill(x, x as usize % 3)) }"
        "example(&[1, 3, 2])" => "vec![1, 2, 2]";
    Filter "filter" 2..=2 Select "xs.filter(|x| c) -> [T]"
        "The elements for which `c` holds, in their order."
        "pub fn example(xs: [i32]) -> [i32] { xs.filter(|x| x > 1) }"
        "example(&[3, 1, 2])" => "vec![3, 2]";
    TakeWhile "take_while" 2..=2 Select "xs.take_while(|x| c) -> [T]"
        "The elements before the first one for which `c` does not hold; all, if there is none. In an array `c` may be asked of elements behind it, too, and is of all if it may fail."
        "pub fn example(xs: [i32]) -> [i32] { xs.take_while(|x| x > 1) }"
        "example(&[3, 2, 1, 4])" => "vec![3, 2]";
    Partition "partition" 2..=2 Select "xs.partition(|x| c) -> ([T], [T])"
        "The elements for which `c` holds, and the others, each in their order."
        "pub fn example(xs: [i32]) -> ([i32], [i32]) { xs.partition(|x| x > 1) }"
        "example(&[3, 1, 2])" => "(vec![3, 2], vec![1])";
    Compress "compress" 2..=2 Select "xs.compress(flags) -> [T]"
        "The elements whose flag is set, in their order; unequal lengths are an error."
        "pub fn example(xs: [i32; n], flags: [bool; n]) -> [i32] { xs.compress(flags) }"
        "example(&[3, 1, 2], &[true, false, true])" => "vec![3, 2]";
    RunLengths "run_lengths" 1..=1 Order "xs.run_lengths() -> [(T, usize)]"
        "Each run of equal neighbours, as one of them and how many there are."
        "pub fn example(xs: [i32]) -> [(i32, usize)] { xs.run_lengths() }"
        "example(&[7, 7, 1, 7])" => "vec![(7, 2), (1, 1), (7, 1)]";
    Pairs "pairs" 1..=1 PairUp "xs.pairs() -> [(T, T)]"
        "All pairs `(xs[i], xs[j])` with `i < j`, in the order of `i`, then `j`."
        "pub fn example(xs: [i32]) -> [(i32, i32)] { xs.pairs() }"
        "example(&[1, 2, 3])" => "vec![(1, 2), (1, 3), (2, 3)]";
    Cartesian "cartesian" 2..=2 PairUp "cartesian(xs, ys) -> [(A, B)]"
        "All pairs of an element of `xs` and one of `ys`, in the order of `xs`, then `ys`."
        "pub fn example(xs: [i32], ys: [bool]) -> [(i32, bool)] { cartesian(xs, ys) }"
        "example(&[1, 2], &[true, false])" => "vec![(1, true), (1, false), (2, true), (2, false)]";
};
