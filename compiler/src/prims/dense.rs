//! The table of operators on the axes of arrays: one record each, in the order of the manual.

use super::{Means, Prim, PrimGroup, PrimInfo};

macro_rules! dense {
    ($($kind:ident $(($prim:ident))? $name:literal $lo:literal..=$hi:literal
       $group:ident $signature:literal
       $doc:literal $example:literal $call:literal => $gives:literal;)*) => {
        &[$(PrimInfo {
            means: Means::$kind $((Prim::$prim))?, name: $name,
            arity: ($lo, $hi), group: PrimGroup::$group, signature: $signature, doc: $doc,
            example: $example, call: $call, gives: $gives,
        }),*]
    };
}

/// Records of the operators on axes.
pub const DENSE: &[PrimInfo] = dense! {
    Prim(Shape) "shape" 1..=1 IndexSpace "a.shape() -> (usize, usize, …)"
        "The extents of an array of one or more dimensions, outermost first, as a tuple; `len` is the first."
        "pub fn example(a: [[f32; m]; n]) -> (usize, usize) { a.shape() }"
        "example(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])" => "(2, 3)";
    Prim(Transpose) "transpose" 1..=3 IndexSpace "a.transpose() -> [[T; n]; m], a.transpose(i, j)"
        "Exchanges the first two axes, or axes `i` and `j` (constants, from 0). All arrays along an axis must have one length."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; n]; m] { a.transpose() }"
        "example(&[[1, 2, 3], [4, 5, 6]])" => "[[1, 4], [2, 5], [3, 6]]";
    Prim(Flatten) "flatten" 1..=1 IndexSpace "a.flatten() -> [T]"
        "The arrays in an array, joined: one level less."
        "pub fn example(a: [[i32; m]; n]) -> [i32] { a.flatten() }"
        "example(&[[1, 2, 3], [4, 5, 6]])" => "vec![1, 2, 3, 4, 5, 6]";
    Prim(Reshape) "reshape" 2..=2 IndexSpace "a.reshape((n, m)) -> [[T; m]; n]"
        "All elements, in order, with other extents (one or more); their product must be the number of elements."
        "pub fn example(xs: [i32]) -> [[i32; 3]] { xs.reshape((2, 3)) }"
        "example(&[1, 2, 3, 4, 5, 6])" => "[[1, 2, 3], [4, 5, 6]]";
    Broadcast "broadcast" 2..=2 IndexSpace "a.broadcast((n, m)) -> [[T; m]; n]"
        "Copies of an array (or a scalar) along new outer axes: all extents of the result, of which the inner ones must be those of the array."
        "pub fn example(row: [i32; m], n: usize) -> [[i32; m]; n] { row.broadcast((n, m)) }"
        "example(&[1, 2, 3], 2)" => "[[1, 2, 3], [1, 2, 3]]";
    Prim(Chunks) "chunks" 2..=2 IndexSpace "xs.chunks(k) -> [[T]]"
        "Pieces of `k` elements; the last may be shorter; `k` = 0 is an error, as in Rust."
        "pub fn example(xs: [i32]) -> [i32] { for c in xs.chunks(2) { c.sum() } }"
        "example(&[1, 2, 3, 4, 5])" => "vec![3, 7, 5]";
    Prim(ChunksExact) "chunks_exact" 2..=2 IndexSpace "xs.chunks_exact(k) -> [[T; k]]"
        "Pieces of `k` elements; up to `k - 1` elements at the end are left out; `k` = 0 is an error, as in Rust."
        "pub fn example(xs: [i32]) -> [[i32; 2]] { xs.chunks_exact(2) }"
        "example(&[1, 2, 3, 4, 5])" => "[[1, 2], [3, 4]]";
    Prim(Windows) "windows" 2..=2 IndexSpace "xs.windows(k) -> [[T; k]]"
        "All runs of `k` neighbours; none if there are fewer elements; `k` = 0 is an error, as in Rust. For two neighbours there is `pairwise`."
        "pub fn example(xs: [i32]) -> [i32] { for w in xs.windows(3) { w.sum() } }"
        "example(&[1, 2, 3, 4])" => "vec![6, 9]";
    Position "position" 1..=2 Reduce "xs.position(|x| e), flags.position() -> usize"
        "The index of the first element that satisfies the predicate (or is true); if there is none, an error. Elements far behind it are not looked at, unless the predicate may fail: then an error of any comes first."
        "pub fn example(xs: [i32]) -> usize { xs.position(|x| x > 2) }"
        "example(&[1, 3, 5])" => "1";
    PositionOr "position_or" 2..=3 Reduce "xs.position_or(i, |x| e), flags.position_or(i) -> usize"
        "The index of the first element that satisfies the predicate (or is true), or `i` if there is none; the search ends there as that of `position` does."
        "pub fn example(xs: [i32]) -> usize { xs.position_or(9, |x| x > 5) }"
        "example(&[1, 3, 5])" => "9";
    Lanes(Sum) "sum_axis" 2..=2 Reduce "a.sum_axis(k) -> [T; n]"
        "The sum of each lane along axis `k` (a constant, from 0), which the result has no more."
        "pub fn example(a: [[f32; m]; n]) -> [f32; m] { a.sum_axis(0) }"
        "example(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])" => "vec![5.0, 7.0, 9.0]";
    Lanes(Product) "product_axis" 2..=2 Reduce "a.product_axis(k) -> [T; n]"
        "The product of each lane along axis `k`."
        "pub fn example(a: [[i32; m]; n]) -> [i32; n] { a.product_axis(1) }"
        "example(&[[1, 2, 3], [4, 5, 6]])" => "vec![6, 120]";
    Lanes(Min) "min_axis" 2..=2 Reduce "a.min_axis(k) -> [T; n]"
        "The smallest element of each lane along axis `k`; of empty lanes an error."
        "pub fn example(a: [[i32; m]; n]) -> [i32; m] { a.min_axis(0) }"
        "example(&[[1, 5, 3], [4, 2, 6]])" => "vec![1, 2, 3]";
    Lanes(Max) "max_axis" 2..=2 Reduce "a.max_axis(k) -> [T; n]"
        "The largest element of each lane along axis `k`; of empty lanes an error."
        "pub fn example(a: [[i32; m]; n]) -> [i32; n] { a.max_axis(1) }"
        "example(&[[1, 5, 3], [4, 2, 6]])" => "vec![5, 6]";
    Lanes(Any) "any_axis" 2..=3 Reduce "a.any_axis(k), a.any_axis(k, |x| e) -> [bool; n]"
        "Whether any element of each lane along axis `k` is true, or satisfies the predicate."
        "pub fn example(a: [[i32; m]; n]) -> [bool; m] { a.any_axis(0, |x| x > 4) }"
        "example(&[[1, 5, 3], [4, 2, 6]])" => "vec![false, true, true]";
    Lanes(All) "all_axis" 2..=3 Reduce "a.all_axis(k), a.all_axis(k, |x| e) -> [bool; n]"
        "Whether all elements of each lane along axis `k` are true, or satisfy the predicate."
        "pub fn example(a: [[bool; m]; n]) -> [bool; n] { a.all_axis(1) }"
        "example(&[[true, true], [true, false]])" => "vec![true, false]";
    Lanes(Count) "count_axis" 2..=3 Reduce "a.count_axis(k), a.count_axis(k, |x| e) -> [usize; n]"
        "How many elements of each lane along axis `k` are true, or satisfy the predicate."
        "pub fn example(a: [[i32; m]; n]) -> [usize; n] { a.count_axis(1, |x| x > 2) }"
        "example(&[[1, 5, 3], [4, 2, 6]])" => "vec![2, 2]";
    Lanes(Mean) "mean_axis" 2..=2 Reduce "a.mean_axis(k) -> [T; n]"
        "The mean of each lane of floats along axis `k`; of empty lanes an error."
        "pub fn example(a: [[f64; m]; n]) -> [f64; m] { a.mean_axis(0) }"
        "example(&[[1.0, 2.0], [2.0, 4.0]])" => "vec![1.5, 3.0]";
    Lanes(Argmin) "argmin_axis" 2..=2 Reduce "a.argmin_axis(k) -> [usize; n]"
        "The index of the first smallest element of each lane along axis `k`; of empty lanes an error."
        "pub fn example(a: [[f32; m]; n]) -> [usize; m] { a.argmin_axis(0) }"
        "example(&[[1.0, 5.0], [4.0, 2.0]])" => "vec![0, 1]";
    Lanes(Argmax) "argmax_axis" 2..=2 Reduce "a.argmax_axis(k) -> [usize; n]"
        "The index of the first largest element of each lane along axis `k`; of empty lanes an error."
        "pub fn example(a: [[f32; m]; n]) -> [usize; n] { a.argmax_axis(1) }"
        "example(&[[1.0, 5.0], [4.0, 2.0]])" => "vec![1, 0]";
    Lanes(Reduce) "reduce_axis" 4..=4 Reduce "a.reduce_axis(k, init, |a, b| e) -> [T; n]"
        "Combines each lane along axis `k` with an associative operator, then `init` from the left, once."
        "pub fn example(a: [[u64; m]; n]) -> [u64; m] { a.reduce_axis(0, 1, |a, b| a * b) }"
        "example(&[[2, 3], [4, 5]])" => "vec![8, 15]";
    Lanes(Fold) "fold_axis" 4..=4 Reduce "a.fold_axis(k, init, |acc, x| e) -> [A; n]"
        "Folds each lane along axis `k` from left to right, any accumulator."
        "pub fn example(a: [[bool; m]; n]) -> [u32; n] { a.fold_axis(1, 0, |acc, b| acc * 2 + b as u32) }"
        "example(&[[true, false], [true, true]])" => "vec![2, 3]";
    Lanes(Scan) "scan_axis" 3..=3 Scan "a.scan_axis(k, |a, b| e) -> [[T; m]; n]"
        "Inclusive prefixes of each lane along axis `k`; the shape stays."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] { a.scan_axis(0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4], [5, 6]])" => "[[1, 2], [4, 6], [9, 12]]";
    Lanes(Prescan) "prescan_axis" 4..=4 Scan "a.prescan_axis(k, init, |a, b| e) -> [[T; m]; n]"
        "Exclusive prefixes of each lane along axis `k`."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] { a.prescan_axis(1, 0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4]])" => "[[0, 1], [0, 3]]";
    Lanes(ScanFrom) "scan_from_axis" 4..=4 Scan "a.scan_from_axis(k, init, |a, b| e) -> ([[T; m]; n], [T; n])"
        "Exclusive prefixes of each lane along axis `k`, and the totals, which have this axis no more."
        "pub fn example(a: [[i32; m]; n]) -> ([[i32; m]; n], [i32; m]) { a.scan_from_axis(0, 0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4]])" => "([[0, 0], [1, 2]], vec![4, 6])";
    Lanes(Rscan) "rscan_axis" 3..=3 Scan "a.rscan_axis(k, |a, b| e) -> [[T; m]; n]"
        "Inclusive suffixes of each lane along axis `k`, operands in their order."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] { a.rscan_axis(0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4]])" => "[[4, 6], [3, 4]]";
    Lanes(Rprescan) "rprescan_axis" 4..=4 Scan "a.rprescan_axis(k, init, |a, b| e) -> [[T; m]; n]"
        "Exclusive suffixes of each lane along axis `k`."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] { a.rprescan_axis(0, 0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4]])" => "[[3, 4], [0, 0]]";
    Lanes(RscanFrom) "rscan_from_axis" 4..=4 Scan "a.rscan_from_axis(k, init, |a, b| e) -> ([[T; m]; n], [T; n])"
        "Exclusive suffixes of each lane along axis `k`, and the totals."
        "pub fn example(a: [[i32; m]; n]) -> ([[i32; m]; n], [i32; n]) { a.rscan_from_axis(1, 0, |a, b| a + b) }"
        "example(&[[1, 2], [3, 4]])" => "([[2, 0], [4, 0]], vec![3, 7])";
    Stencil "stencil" 3..=3 Neighbourhood "a.stencil(boundary, |at| e) -> [[U; m]; n]"
        "Each element from those around it: `at(-1, 0)` is the one above, with an offset along each of the outermost axes, as many as are needed. Offsets are constants. What lies outside of the array is the nearest element (`clamp`), the array back to front without the end repeated (`mirror`), the array again (`wrap`), or a value (`fill(v)`). The shape stays."
        "pub fn example(a: [[i32; m]; n]) -> [[i32; m]; n] { a.stencil(fill(0), |at| at(-1, 0) + at(0, 1)) }"
        "example(&[[1, 2, 3], [4, 5, 6]])" => "[[2, 3, 0], [6, 8, 3]]";
};
