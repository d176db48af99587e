//! "Did you mean": names that are close to one that does not exist, and what Rust's names are called
//! in the language.

use super::scope::{Session, place};
use crate::prims::{COMPLEX_FNS, SCALAR_FNS, Scalar, records};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::shared;

/// The candidate closest to `name`, if it is close at all.
pub(super) fn closest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let limit = (name.chars().count() + 1) / 3;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Names of operators and scalar functions.
pub(super) fn operators<'n>() -> impl Iterator<Item = &'n str> {
    let scalar_fns = SCALAR_FNS
        .iter()
        .map(|function| -> &'n str { function.name });
    let prims = records().map(|info| -> &'n str { info.name });
    let complex_fns = COMPLEX_FNS
        .iter()
        .map(|function| -> &'n str { function.name });
    prims.chain(scalar_fns).chain(complex_fns)
}

/// "cannot find …", with the closest candidate.
pub(super) fn unknown<'n>(
    src: SrcSpan,
    what: &str,
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let error = Diagnostic::new(src, format!("cannot find {what}`{name}`"));
    match closest(name, candidates) {
        Some(candidate) => error.help(format!("did you mean `{candidate}`?")),
        None => error,
    }
}

/// "cannot find type `…`".
pub(super) fn unknown_type<'n>(
    session: &Session<'n>,
    unit: usize,
    name: &ast::Name,
    generics: Vec<&'n str>,
) -> Diagnostic {
    let structs = session.units[unit].structs.iter().map(|(name, _)| *name);
    let scalars = Scalar::ALL.into_iter().map(|s| -> &'n str { s.name() });
    let candidates = generics.into_iter().chain(structs).chain(scalars);
    if shared::is_elsewhere(session, unit, &name.text) {
        return elsewhere(
            session,
            unit,
            unknown(place(name), "type ", &name.text, []),
            name,
        );
    }
    match foreign_type(&name.text) {
        Some(help) => unknown(place(name), "type ", &name.text, []).help(help),
        None => unknown(place(name), "type ", &name.text, candidates)
            .or_help("types are scalars, structs of the block, tuples and arrays `[T]`"),
    }
}

/// "cannot find struct `…`".
pub(super) fn unknown_struct(session: &Session<'_>, unit: usize, name: &ast::Name) -> Diagnostic {
    let structs = session.units[unit].structs.iter().map(|(name, _)| *name);
    match shared::is_elsewhere(session, unit, &name.text) {
        true => elsewhere(
            session,
            unit,
            unknown(place(name), "struct ", &name.text, []),
            name,
        ),
        false => unknown(place(name), "struct ", &name.text, structs),
    }
}

/// The error, if another block has what is missing here.
fn elsewhere(
    session: &Session<'_>,
    unit: usize,
    error: Diagnostic,
    name: &ast::Name,
) -> Diagnostic {
    error
        .note("another block declares it")
        .help(shared::how_to_import(session, unit, &name.text))
}

fn foreign_type(name: &str) -> Option<&'static str> {
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

/// An operator of a later version, and what to write in its place.
pub(super) fn planned(src: SrcSpan, name: &str) -> Diagnostic {
    let help = match name {
        "random_f32" | "random_u64" => "make the numbers in Rust, and pass them as an array",
        _of_sorted_arrays_and_sequences => "do this step in Rust, between two calls",
    };
    Diagnostic::unsupported(src, format!("`{name}`")).help(help)
}

/// What to write for a name that Rust has and the language spells otherwise.
pub(super) fn rust_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "iter" | "into_iter" | "iter_mut" | "par_iter" | "into_par_iter" | "by_ref" => {
            "arrays are mapped directly: leave it out"
        }
        "to_vec" | "into_vec" => "operators give arrays: leave it out",
        "unwrap" | "expect" => "operators give values, and an error ends the call: leave it out",
        "clone" | "copied" | "cloned" | "to_owned" | "as_ref" | "as_slice" => {
            "values are never moved: leave it out"
        }
        "into" | "from" | "try_into" => "convert with `as`",
        "powf" => "it is called `pow`",
        "norm" => {
            "of a complex number it is called `abs`; of a vector write `sqrt(xs.map(|x| x * x).sum())`"
        }
        "mul_add" | "fma" => "write `a * b + c`; `#[fast]` allows to contract it",
        "for_each" => "functions are pure: `xs.map(f)` gives the array of results",
        "size" | "length" => "it is called `len`",
        "is_empty" => "write `xs.len() == 0`",
        "get" | "nth" => "write `xs[i]`",
        "push" | "append" | "extend" => "`xs.chain(ys)` gives both, one after the other",
        "min_by" | "min_by_key" => {
            "the element with the smallest key is `xs[xs.map(|x| …).argmin()]`"
        }
        "max_by" | "max_by_key" => {
            "the element with the largest key is `xs[xs.map(|x| …).argmax()]`"
        }
        "sort_unstable" | "sorted" | "par_sort" => "it is called `sort`",
        "sort_by" | "sort_by_cached_key" | "sort_unstable_by_key" | "sorted_by_key" => {
            "order by a key: `xs.sort_by_key(|x| …)`"
        }
        "is_sorted" => "write `xs.pairwise(|a, b| a <= b).all()`",
        "chunk_by" | "group_by" | "into_group_map" => "it is called `group_by_key`",
        "dedup_by_key" | "dedup_by" | "unique_by" => "group by a key: `xs.group_by_key(|x| …)`",
        "select_nth_unstable" => "it is called `kth_smallest`",
        "foldl" | "reduce_left" => "it is called `fold`",
        "inject" => "it is called `reduce`",
        "cumsum" => "write `xs.scan(add)`",
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
        "println" | "print" | "eprintln" => "make what you want to look at a result: `(y, x)`",
        _ => return None,
    })
}

// Levenshtein's, with swaps of neighbours as one step.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = last[j] + usize::from(a[i] != b[j]);
            let mut best = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
