//! Names that Rust, or another language or library, has, and what to write for them here.
//!
//! In: a name that is not one of the language. Out: a help.
//! Assumes: nothing. What is to be written compiles: `tests/programs/programs/arrays/foreign_names.ragged` has it.

/// What to write for a type that there is not.
pub(super) fn type_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "Vec" => "arrays are written `[T]`",
        "isize" => "sizes are `usize`; signed integers have a fixed width: `i64`",
        "float" => "floats are `f32` and `f64`",
        "half" | "float16" | "bfloat16" | "Half" => "floats of 16 bits are `f16` and `bf16`",
        "double" => "it is called `f64`",
        "Complex" => "write `Complex<f32>` or `Complex<f64>`",
        "int" | "integer" | "long" | "short" => "integers are `i8` to `i64` and `u8` to `u64`",
        "uint" | "unsigned" | "size_t" => "sizes are `usize`, other integers `u8` to `u64`",
        "boolean" => "it is called `bool`",
        "u128" | "i128" => "the widest integers are `u64` and `i64`",
        "char" => "write `u32` for characters, `u8` for bytes",
        "String" | "str" => "text is an array of bytes: `[u8]`",
        "Option" => {
            "there are no optional values: return a flag too, or use `first_or`, `max_or` …"
        }
        _ => return None,
    })
}

/// What to write for an operator that there is not.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "iter" | "into_iter" | "iter_mut" | "par_iter" | "into_par_iter" | "by_ref"
        | "peekable" | "fuse" => "arrays are mapped directly: leave it out",
        "to_vec" | "into_vec" => "operators give arrays: leave it out",
        "unwrap" | "expect" => "operators give values, and an error ends the call: leave it out",
        "clone" | "copied" | "cloned" | "to_owned" | "as_ref" | "as_slice" => {
            "values are never moved: leave it out"
        }
        "into" | "from" | "try_into" => "convert with `as`",
        "powf" => "it is called `pow`",
        "norm" | "norm_l2" => {
            "of a complex number it is called `abs`; of a vector write `sqrt(xs.map(|x| x * x).sum())`"
        }
        "mul_add" | "fma" => "write `a * b + c`; `#[fast]` allows to contract it",
        "for_each" => "functions are pure: `xs.map(f)` gives the array of results",
        "size" | "length" => "it is called `len`",
        "is_empty" => "write `xs.len() == 0`",
        "get" | "nth" => "write `xs[i]`",
        "push" | "append" | "extend" => "`xs.chain(ys)` gives both, one after the other",
        "min_by" | "min_by_key" | "minimum_by" | "argmin_by" => {
            "the element with the smallest key is `xs[xs.map(|x| …).argmin()]`"
        }
        "max_by" | "max_by_key" | "maximum_by" | "argmax_by" => {
            "the element with the largest key is `xs[xs.map(|x| …).argmax()]`"
        }
        "sort_unstable" | "sorted" | "par_sort" => "it is called `sort`",
        "sort_by" | "sort_by_cached_key" | "sort_unstable_by_key" | "sorted_by_key" => {
            "order by a key: `xs.sort_by_key(|x| …)`"
        }
        "is_sorted" | "is_sorted_by" | "is_sorted_by_key" => {
            "write `xs.pairwise(|a, b| a <= b).all()`"
        }
        "chunk_by" | "group_by" | "groupby" | "group" | "into_group_map" => {
            "it is called `group_by_key`"
        }
        "dedup_by_key" | "dedup_by" | "unique_by" => "group by a key: `xs.group_by_key(|x| …)`",
        "select_nth_unstable" => "it is called `kth_smallest`",
        "foldl" | "fold_left" | "reduce_left" => "it is called `fold`",
        "inject" => "it is called `reduce`",
        "dot" => "write `zip(xs, ys).map(|(x, y)| x * y).sum()`",
        "avg" | "average" => "it is called `mean`",
        "maximum" => "it is called `max`",
        "minimum" => "it is called `min`",
        "arange" | "iota" => "write `0..n`",
        "zeros" => "write `fill(0.0, n)`",
        "ones" => "write `fill(1.0, n)`",
        "reverse" => "it is called `rev`",
        "zip_with" => "write `zip(xs, ys).map(|(x, y)| …)`",
        "replicate" => "write `fill(v, n)`",
        "t" | "swap_axes" | "swapaxes" | "permuted_axes" => "it is called `transpose`",
        "dim" | "raw_dim" => "it is called `shape`",
        "nrows" => "write `a.len()`",
        "ncols" => "write `a.shape().1`",
        "row" => "write `a[i]`",
        "column" | "col" => "write `a.transpose()[j]`",
        "rows" | "outer_iter" | "axis_iter" | "genrows" => {
            "an array of arrays is the array of its rows: leave it out"
        }
        "columns" | "cols" | "gencolumns" => "write `a.transpose()`",
        "ravel" => "it is called `flatten`",
        "into_shape" | "to_shape" | "into_shape_with_order" => "it is called `reshape`",
        "matmul" => {
            "write `for r in a { for c in b.transpose() { zip(r, c).map(|(x, y)| x * y).sum() } }`"
        }
        "tile" => "it is called `repeat`",
        "rotate" | "roll" => "it is called `rotate_left`, or `rotate_right`",
        "flip" | "flipud" => "it is called `rev`",
        "fliplr" => "write `for row in a { row.rev() }`",
        "swap" => "write `(xs[i], xs[j]) = (xs[j], xs[i]);`",
        "vstack" | "concatenate" => "`a.chain(b)` has the rows of both",
        "hstack" => "write `zip(a, b).map(|(x, y)| x.chain(y))`",
        "diag" | "diagonal" => "write `for i in 0..n { a[i][i] }`",
        "eye" | "identity" => "write `generate((n, n), |i, j| if i == j { 1.0 } else { 0.0 })`",
        "outer" => "write `for x in xs { for y in ys { x * y } }`",
        "clip" => "it is called `clamp`",
        "rsqrt" => "write `1.0 / sqrt(x)`",
        "checked_add" | "overflowing_add" => "integers wrap: write `+` (a `usize` is checked)",
        "println" | "print" | "eprintln" | "dbg" | "inspect" => {
            "make what you want to look at a result: `(y, x)`"
        }
        "contains" | "includes" | "elem" | "isin" => "write `xs.any(|x| x == y)`",
        "exists" => "it is called `any`",
        "for_all" | "forall" => "it is called `all`",
        "find" | "find_map" => "write `xs[xs.position(|x| …)]`",
        "index_of" | "find_index" | "rposition" => {
            "`xs.position(|x| …)` is the index of the first one"
        }
        "filter_map" => "write `xs.filter(|x| …).map(|x| …)`",
        "concat_map" | "concatMap" => "it is called `flat_map`",
        "skip_while" | "drop_while" | "dropWhile" => "write `xs.skip(xs.take_while(|x| …).len())`",
        "span" => "write `xs.split_at(xs.take_while(|x| …).len())`",
        "cycle" => "`xs.repeat(k)` gives them `k` times over",
        "intersperse" | "join" => "write `xs.flat_map(|x| [x, y])`",
        "try_fold" | "iterate" | "unfold" | "awhile" => {
            "write a loop: `let mut x = a; while c { x = …; }`"
        }
        "split" | "split_whitespace" | "words" => {
            "a piece is a slice, `xs[i..j]`: find where they begin and end, `(0..xs.len()).filter(|i| …)`"
        }
        "starts_with" => "write `xs.len() >= n && zip(xs.take(n), ys).all(|(x, y)| x == y)`",
        "ends_with" => {
            "write `xs.len() >= n && zip(xs.skip(xs.len() - n), ys).all(|(x, y)| x == y)`"
        }
        "array_chunks" => "it is called `chunks_exact`",
        "tuple_windows" => "it is called `pairwise`",
        "array_windows" => "it is called `windows`",
        "cartesian_product" | "meshgrid" => "it is called `cartesian`",
        "combinations" | "tuple_combinations" => "`xs.pairs()` are all pairs of two",
        "retain" | "select" => "it is called `filter`",
        "remove" | "drain" => "write `xs[..i].chain(xs[i + 1..])`",
        "insert" => "write `xs[..i].chain([x]).chain(xs[i..])`",
        "pop" => "write `xs.last()`, and `xs[..xs.len() - 1]` for the others",
        "truncate" => "it is called `take`",
        "resize" => "write `xs.chain(fill(x, n - xs.len()))`",
        "to_string" | "format" | "parse" => "do this step in Rust, between two calls",
        "copy_from_slice" | "clone_from_slice" | "assign" => "write `xs = ys;`",
        "var" | "variance" => "write `let m = xs.mean(); xs.map(|x| (x - m) * (x - m)).mean()`",
        "std" | "stddev" | "std_dev" => {
            "write `let m = xs.mean(); sqrt(xs.map(|x| (x - m) * (x - m)).mean())`"
        }
        "median" | "quantile" | "percentile" | "nth_element" => {
            "write `xs.kth_smallest(k)`: the median is that of `xs.len() / 2`"
        }
        "cumsum" | "cumulative_sum" | "accumulate" => "write `xs.scan(add)`",
        "cumprod" | "cumulative_product" => "write `xs.scan(mul)`",
        "cummax" => "write `xs.scan(max)`",
        "cummin" => "write `xs.scan(min)`",
        "inclusive_scan" | "scanl1" => "it is called `scan`",
        "exclusive_scan" => "it is called `prescan`",
        "scanl" => "it is called `scan_from`",
        "scanr" | "scanr1" => "it is called `rscan`",
        "foldr" => "write `xs.rev().fold(init, |a, x| …)`",
        "diff" => "write `xs.pairwise(|a, b| b - a)`",
        "nonzero" | "argwhere" | "flatnonzero" => "write `(0..xs.len()).filter(|i| xs[i] != 0)`",
        "digitize" | "searchsorted" | "lower_bound" => "write `xs.partition_point(|x| x < y)`",
        "upper_bound" => "write `xs.partition_point(|x| x <= y)`",
        "linspace" => "write `(0..n).map(|i| a + (b - a) * i as f64 / (n - 1) as f64)`",
        "stack" => "write `[xs, ys]`",
        "expand_dims" | "insert_axis" => "write `[xs]`, or `a.map(|x| [x])` for the last axis",
        "squeeze" => "write `a[0]`",
        "take_along_axis" => "write `zip(a, ix).map(|(row, i)| row.gather(i))`",
        "permuted" | "take_indices" | "backpermute" => "it is called `gather`",
        "astype" | "cast" => "write `xs.map(|x| x as f64)`",
        "det" | "inv" | "solve" | "fft" | "eig" | "svd" => {
            "do this step in Rust, between two calls"
        }
        "convolve" | "correlate" => {
            "write `xs.windows(n).map(|w| zip(w, ys).map(|(x, y)| x * y).sum())`"
        }
        "explode" => "it is called `flatten`",
        "value_counts" | "counts" => "write `xs.sort().run_lengths()`",
        "bincount" | "hist" | "reduce_by_index" => "it is called `histogram`",
        "mapv" | "map_inplace" | "mapv_inplace" | "map_mut" => "write `xs = xs.map(|x| …);`",
        "map_axis" | "lanes" => "rows are mapped directly, columns after `transpose`",
        "segmented_reduce" | "segmented_scan" | "segmented_sum" | "segmented" => {
            "an array of arrays has segments: `xss.map(|xs| xs.sum())`"
        }
        "intersect" | "intersection" => {
            "of an ordered `ys` write `xs.filter(|x| ys.binary_search(x).0)`"
        }
        "difference" => "of an ordered `ys` write `xs.filter(|x| !ys.binary_search(x).0)`",
        "union" => "write `xs.chain(ys).unique()`",
        "minmax" | "min_max" => "write `(xs.min(), xs.max())`: they are found in one pass",
        "sum_by" | "sum_of" => "write `xs.map(|x| …).sum()`",
        "total" => "it is called `sum`",
        "indexed" | "with_index" | "zip_with_index" => "it is called `enumerate`",
        "indices" => "write `0..xs.len()`",
        "order" | "argpartition" => "it is called `argsort`",
        "rank" => "write `xs.argsort().argsort()`",
        "shuffle" | "sample" | "choose" | "random" | "rand" => {
            "make the random numbers in Rust, and pass them as an array"
        }
        "top_k" | "topk" | "nlargest" | "k_largest" => "write `xs.sort().rev().take(k)`",
        "nsmallest" | "k_smallest" => "write `xs.sort().take(k)`",
        "max_index" | "idxmax" => "it is called `argmax`",
        "min_index" | "idxmin" => "it is called `argmin`",
        "slice" | "slice_mut" => "write `xs[i..j]`",
        "len_of" => "write `a.len()` for rows, `a.shape().1` for columns",
        "length_squared" => "write `xs.map(|x| x * x).sum()`",
        "normalize" => "write `let n = sqrt(xs.map(|x| x * x).sum()); xs.map(|x| x / n)`",
        "floor_div" => "it is called `div_euclid`",
        "ceil_div" => "it is called `div_ceil`",
        "modulo" | "mod_floor" => "it is called `rem_euclid`",
        "square" | "squared" => "write `x * x`",
        "sigmoid" => "write `1.0 / (1.0 + exp(-x))`",
        "relu" => "write `max(x, 0.0)`",
        "softmax" => {
            "write `let m = xs.max(); let es = xs.map(|x| exp(x - m)); let s = es.sum(); es.map(|e| e / s)`"
        }
        "to_bits" | "from_bits" | "transmute" => "bits of floats are for Rust, between two calls",
        _ => return None,
    })
}
