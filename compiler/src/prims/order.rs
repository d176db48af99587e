//! The table of operators that compare elements with each other, or look for one in a sorted array: one
//! record each, in the order of the manual.

use super::{Means, Prim, PrimGroup, PrimInfo};

/// What a sort gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sorted {
    /// The keys.
    Values,
    /// Where they were before.
    Positions,
}

impl Sorted {
    /// What such an operation is called in printed programs.
    pub fn verb(self) -> &'static str {
        match self {
            Sorted::Values => "sort",
            Sorted::Positions => "argsort",
        }
    }
}

macro_rules! order {
    ($($means:expr, $name:literal $lo:literal..=$hi:literal $signature:literal
       $doc:literal $example:literal $call:literal => $gives:literal;)*) => {
        &[$(PrimInfo {
            means: $means, name: $name, arity: ($lo, $hi), group: PrimGroup::Order,
            signature: $signature, doc: $doc, example: $example, call: $call, gives: $gives,
        }),*]
    };
}

/// Records of the operators about order.
pub const ORDER: &[PrimInfo] = order! {
    Means::Prim(Prim::Sort), "sort" 1..=1 "xs.sort() -> [T; n]"
        "The elements in ascending order: `false` before `true`, floats by Rust's `total_cmp`, tuples and structs by their first fields that differ. Equal elements stay in their order."
        "pub fn example(xs: [f32]) -> [f32] { xs.sort() }"
        "example(&[2.0, -1.0, 0.5])" => "vec![-1.0, 0.5, 2.0]";
    Means::Prim(Prim::SortByKey), "sort_by_key" 2..=2 "xs.sort_by_key(|x| key) -> [T; n]"
        "The elements in ascending order of their keys, which are computed once each; elements of equal keys stay in their order."
        "pub fn example(xs: [(i32, f32)]) -> [(i32, f32)] { xs.sort_by_key(|(_, y)| y) }"
        "example(&[(1, 2.5), (2, 0.5), (3, 2.5)])" => "vec![(2, 0.5), (1, 2.5), (3, 2.5)]";
    Means::Prim(Prim::Argsort), "argsort" 1..=1 "xs.argsort() -> [usize; n]"
        "The positions of the elements in ascending order of these: `xs.gather(xs.argsort())` is `xs.sort()`."
        "pub fn example(xs: [i32]) -> [usize] { xs.argsort() }"
        "example(&[30, 10, 20])" => "vec![1, 2, 0]";
    Means::Prim(Prim::Unique), "unique" 1..=1 "xs.unique() -> [T]"
        "The elements in ascending order, each once: `xs.sort()` without those that have an equal one before them."
        "pub fn example(xs: [i32]) -> [i32] { xs.unique() }"
        "example(&[3, 1, 3, 2, 1])" => "vec![1, 2, 3]";
    Means::Dedup, "dedup" 1..=1 "xs.dedup() -> [T]"
        "The elements without those that are equal (`==`) to the one before them."
        "pub fn example(xs: [i32]) -> [i32] { xs.dedup() }"
        "example(&[3, 3, 1, 3])" => "vec![3, 1, 3]";
    Means::Prim(Prim::GroupByKey), "group_by_key" 2..=2 "xs.group_by_key(|x| key) -> [(K, [T])]"
        "Each key with the elements that have it: keys in ascending order, elements in theirs. Keys are computed once each."
        "pub fn example(xs: [i32]) -> [(i32, i32)] { xs.group_by_key(|x| x % 3).map(|(key, group)| (key, group.sum())) }"
        "example(&[1, 2, 4, 6, 5])" => "vec![(0, 6), (1, 5), (2, 7)]";
    Means::Prim(Prim::KthSmallest), "kth_smallest" 2..=2 "xs.kth_smallest(k) -> T"
        "`xs.sort()[k]`: the smallest for `k = 0`; a `k` that is not below the length is an error. Of scalars in time linear in their number, as up to four places of `sort`, `sort_by_key` or `argsort`, the two in the middle, say, if nothing else is read of these and the places can be told before."
        "pub fn example(xs: [f64]) -> f64 { xs.kth_smallest(1) }"
        "example(&[2.5, -1.0, 0.5])" => "0.5";
    Means::Prim(Prim::BinarySearch), "binary_search" 2..=2 "xs.binary_search(key) -> (bool, usize)"
        "Where `key` is in `xs`, which is in ascending order as of `sort`: `(true, i)` where `xs[i]` is equal, of several any; else `(false, i)` with the place where it belongs. In `log2(n)` steps."
        "pub fn example(xs: [i32], keys: [i32]) -> [(bool, usize)] { for key in keys { xs.binary_search(key) } }"
        "example(&[10, 20, 30], &[20, 25])" => "vec![(true, 1), (false, 2)]";
    Means::Prim(Prim::PartitionPoint), "partition_point" 2..=2 "xs.partition_point(|x| c) -> usize"
        "How many elements `c` holds for, where it holds for none after one that it does not hold for, as in Rust; in `log2(n)` steps. In a sorted array, the place of the first element that is not below `v` is `xs.partition_point(|x| x < v)`."
        "pub fn example(xs: [f64]) -> usize { xs.partition_point(|x| x < 2.0) }"
        "example(&[0.5, 1.5, 2.5])" => "2";
    Means::Merge, "merge" 2..=2 "xs.merge(ys) -> [T; n + m]"
        "The elements of both in ascending order, of equal ones those of `xs` first: `xs.chain(ys).sort()`. Numbers that are sorted in each are merged."
        "pub fn example(xs: [i32], ys: [i32]) -> [i32] { xs.merge(ys) }"
        "example(&[1, 4], &[0, 4, 9])" => "vec![0, 1, 4, 4, 9]";
};
