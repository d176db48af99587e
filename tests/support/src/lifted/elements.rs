//! Operators whose elements are arrays and products, at the same depths as the table's examples.
//!
//! In: kinds of elements, and which depth each operator is to stand at. Out: a program for each kind and
//! operator that takes it, with calls in its header; what they give, the interpreter says.

use super::{Elem, Example, FORMS, Form, lifted, text};
use crate::agree::{self, Program};
use crate::{levels, typing};
use ragged_compiler::prims::records;
use std::panic::catch_unwind;

/// The programs of operators that take elements of `kinds`, by name: of every second one at one depth,
/// which `turn` says, so that ten turns have all; without one, of all at every depth: that takes a
/// quarter of an hour to build, and much memory.
pub fn programs(kinds: &[Kind], turn: Option<usize>) -> Vec<(String, String)> {
    let of_kind = |kind: &Kind| {
        let taken = USES
            .iter()
            .enumerate()
            .filter(|(_, it)| !kind.refuses(it.name));
        let programs = taken.filter_map(|(at, it)| {
            let forms = turn.map_or(FORMS.to_vec(), |turn| form(at, kind, turn));
            let name = format!("{}_{}", kind.name, it.name);
            (!forms.is_empty()).then(|| (name, program(it, kind, &forms)))
        });
        programs.collect::<Vec<_>>()
    };
    kinds.iter().flat_map(of_kind).collect()
}

/// The depth that the operator at `at` stands at for elements of a kind, if it is its turn: all depths
/// of even operators in five turns, then those of odd ones.
fn form(at: usize, kind: &Kind, turn: usize) -> Vec<Form> {
    let is_turn = (at + kind.first + turn / FORMS.len()).is_multiple_of(2);
    let form = FORMS[(at + kind.first + turn) % FORMS.len()];
    if is_turn { vec![form] } else { Vec::new() }
}

/// Checks that programs give what the interpreter gives, at every feature level.
///
/// # Panics
/// If one does not.
pub fn check(programs: &[Program]) {
    let fails = |it: &&Program| catch_unwind(|| agree::check(it)).is_err();
    let wrong: Vec<&str> = programs.iter().filter(fails).map(|it| it.name).collect();
    assert!(wrong.is_empty(), "see above: {}", wrong.join(", "));
    levels::check(programs);
}

/// Operators of the table without a use here; of others, those that are taken for elements which they
/// are said to refuse.
pub fn unknown() -> Vec<String> {
    let missing = records().filter(|info| USES.iter().all(|it| it.name != info.name));
    let mut unknown: Vec<String> = missing.map(|info| info.name.to_owned()).collect();
    for kind in ARRAYS.iter().chain(PRODUCTS) {
        let refused = USES.iter().filter(|it| kind.refuses(it.name));
        let taken = refused.filter(|it| typing::program(&program(it, kind, &FORMS)).is_ok());
        unknown.extend(taken.map(|it| format!("{} of {}", it.name, kind.name)));
    }
    unknown
}

/// Elements of one type.
pub struct Kind {
    /// What names of programs have of it.
    name: &'static str,
    /// The type.
    ty: &'static str,
    /// `weigh`, of an element, and `join`, of two.
    functions: &'static str,
    /// An element that no other is like.
    none: &'static str,
    /// Six elements, some of equal weights, and equal neighbours.
    elements: [&'static str; 6],
    /// What an operator along an axis works on.
    along: Along,
    /// Which depth the first operator stands at, if only one.
    first: usize,
    /// Operators that do not take such elements.
    refused: &'static [&'static [&'static str]],
}

/// The elements that operators along an axis combine: they go through all axes.
struct Along {
    /// What it gives in place of each element for a scalar `$S`.
    each: &'static str,
    weigh: &'static str,
    join: &'static str,
    none: &'static str,
    /// The extents of an element.
    extents: &'static str,
}

/// What takes numbers alone.
const NUMBERS: &[&str] = &[
    "sum",
    "product",
    "min",
    "min_or",
    "max",
    "max_or",
    "mean",
    "mean_or",
    "argmin",
    "argmin_or",
    "argmax",
    "argmax_or",
];
/// The same along an axis, where numbers in elements that are arrays are at the end of further axes.
const NUMBERS_ALONG: &[&str] = &[
    "sum_axis",
    "product_axis",
    "min_axis",
    "max_axis",
    "mean_axis",
    "argmin_axis",
    "argmax_axis",
];
/// What compares elements, which arrays are not made for.
const COMPARES: &[&str] = &[
    "run_lengths",
    "sort",
    "argsort",
    "unique",
    "dedup",
    "kth_smallest",
    "binary_search",
    "merge",
];

/// What all extents are written out for.
const SHAPES: &[&str] = &["reshape", "broadcast"];

/// Arrays, whose lengths are the same or any.
pub const ARRAYS: &[Kind] = &[
    Kind {
        name: "rows",
        ty: "[f64; 3]",
        functions: "fn weigh(x: [f64; 3]) -> i32 { x.sum() as i32 }
fn join(a: [f64; 3], b: [f64; 3]) -> [f64; 3] { zip(a, b).map(|(x, y)| x + y) }
fn weigh_one(x: f64) -> i32 { x as i32 }
fn join_ones(a: f64, b: f64) -> f64 { a + b }",
        none: "[7.0, 0.1, 7.0]",
        elements: [
            "[1.0, 2.0, 3.0]",
            "[0.0, -1.0, 0.0]",
            "[4.0, 4.5, -5.3]",
            "[2.0, 2.0, 2.0]",
            "[2.0, 2.0, 2.0]",
            "[9.0, 0.1, 0.2]",
        ],
        along: Along {
            each: "[$S; 3]",
            extents: ", 3",
            ..NUMBER
        },
        first: 0,
        refused: &[NUMBERS, COMPARES],
    },
    Kind {
        name: "lists",
        ty: "[f32]",
        functions: "fn weigh(x: [f32]) -> i32 { x.sum() as i32 }
fn join(a: [f32], b: [f32]) -> [f32] { a.chain(b) }
fn weigh_one(x: f32) -> i32 { x as i32 }
fn join_ones(a: f32, b: f32) -> f32 { a + b }",
        none: "[7.0, 7.0]",
        elements: [
            "[1.0, 2.0, 3.0]",
            "[]",
            "[7.0]",
            "[2.0, 2.0, 2.0]",
            "[2.0, 2.0, 2.0]",
            "[]",
        ],
        along: Along {
            each: "[$S]",
            ..NUMBER
        },
        first: 1,
        refused: &[NUMBERS, COMPARES, SHAPES],
    },
];

/// Products of scalars, and of scalars and arrays.
pub const PRODUCTS: &[Kind] = &[
    Kind {
        name: "pairs",
        ty: "(i32, f64)",
        functions: "fn weigh(x: (i32, f64)) -> i32 { x.0 }
fn join(a: (i32, f64), b: (i32, f64)) -> (i32, f64) { (a.0 + b.0, a.1 * b.1) }",
        none: "(7, 1.0)",
        elements: [
            "(6, 0.1)",
            "(-1, 1.5)",
            "(3, 2.5)",
            "(6, 3.5)",
            "(6, 3.5)",
            "(9, 0.3)",
        ],
        along: Along {
            none: "(7, 1.0)",
            ..PRODUCT
        },
        first: 2,
        refused: &[NUMBERS, NUMBERS_ALONG],
    },
    Kind {
        name: "holders",
        ty: "(i32, [u8])",
        functions: "fn weigh(x: (i32, [u8])) -> i32 { x.0 }
fn join(a: (i32, [u8]), b: (i32, [u8])) -> (i32, [u8]) { (a.0 + b.0, a.1.chain(b.1)) }",
        none: "(7, [7])",
        elements: [
            "(6, [1, 2])",
            "(-1, [])",
            "(3, [7])",
            "(6, [2, 2, 2])",
            "(6, [2, 2, 2])",
            "(9, [])",
        ],
        along: Along {
            none: "(7, [7])",
            ..PRODUCT
        },
        first: 3,
        refused: &[NUMBERS, NUMBERS_ALONG, COMPARES],
    },
];

const NUMBER: Along = Along {
    each: "",
    weigh: "weigh_one",
    join: "join_ones",
    none: "7.0",
    extents: "",
};

const PRODUCT: Along = Along {
    each: "$S",
    weigh: "weigh",
    join: "join",
    none: "",
    extents: "",
};

macro_rules! uses {
    ($($name:ident $function:literal $args:literal;)*) => {
        &[$(Use { name: stringify!($name), function: $function, args: $args }),*]
    };
}

/// One use of an operator.
struct Use {
    name: &'static str,
    /// Parameters, result and body of `example`.
    function: &'static str,
    /// The arguments of a call.
    args: &'static str,
}

/// One for each operator. `$T` is the type of elements, `$none` an element, `$xs` and `$ys` are six of them
/// each, `$three` as many, `$rows` two times three. Functions of elements are `weigh` and `join`; those
/// along an axis `$weigh` and `$join`, with `$none_along`, which give `$bool` or `$usize` for each element.
const USES: &[Use] = uses! {
    generate "(xs: [$T]) -> [$T] { generate(xs.len(), |i| join(xs[i], xs[0])) }" "$xs";
    fill "(xs: [$T]) -> [$T] { fill(xs.first_or($none), xs.len()) }" "$xs";
    map "(xs: [$T]) -> [$T] { xs.map(|x| join(x, x)) }" "$xs";
    zip "(xs: [$T], ys: [$T]) -> [($T, $T)] { zip(xs, ys) }" "$xs, $ys";
    unzip "(xs: [$T], ys: [$T]) -> ([$T], [$T]) { zip(ys, xs).unzip() }" "$xs, $ys";
    enumerate "(xs: [$T]) -> [(usize, $T)] { xs.enumerate() }" "$xs";
    gather "(xs: [$T], ix: [usize]) -> [$T] { xs.gather(ix) }" "$xs, [2, 0, 2, 5]";
    rev "(xs: [$T]) -> [$T] { xs.rev() }" "$xs";
    rotate_left "(xs: [$T]) -> [$T] { xs.rotate_left(xs.len() / 4) }" "$xs";
    rotate_right "(xs: [$T]) -> [$T] { xs.rotate_right(xs.len() / 4) }" "$xs";
    take "(xs: [$T]) -> [$T] { xs.take(4) }" "$xs";
    skip "(xs: [$T]) -> [$T] { xs.skip(2) }" "$xs";
    step_by "(xs: [$T]) -> [$T] { xs.step_by(2) }" "$xs";
    split_at "(xs: [$T]) -> ([$T], [$T]) { xs.split_at(xs.len() / 4) }" "$xs";
    chain "(xs: [$T], ys: [$T]) -> [$T] { xs.chain(ys) }" "$xs, $ys";
    repeat "(xs: [$T]) -> [$T] { xs.repeat(2) }" "$xs";
    pairwise "(xs: [$T]) -> [$T] { xs.pairwise(join) }" "$xs";
    first "(xs: [$T]) -> $T { xs.first() }" "$xs";
    first_or "(xs: [$T]) -> $T { xs.first_or($none) }" "$xs";
    last "(xs: [$T]) -> $T { xs.last() }" "$xs";
    last_or "(xs: [$T]) -> $T { xs.last_or($none) }" "$xs";
    len "(xs: [$T]) -> usize { xs.len() }" "$xs";
    sum "(xs: [$T]) -> $T { xs.sum() }" "$xs";
    product "(xs: [$T]) -> $T { xs.product() }" "$xs";
    min "(xs: [$T]) -> $T { xs.min() }" "$xs";
    min_or "(xs: [$T]) -> $T { xs.min_or($none) }" "$xs";
    max "(xs: [$T]) -> $T { xs.max() }" "$xs";
    max_or "(xs: [$T]) -> $T { xs.max_or($none) }" "$xs";
    any "(xs: [$T]) -> bool { xs.any(|x| weigh(x) > 6) }" "$xs";
    all "(xs: [$T]) -> bool { xs.all(|x| weigh(x) < 9) }" "$xs";
    count "(xs: [$T]) -> usize { xs.count(|x| weigh(x) > 3) }" "$xs";
    mean "(xs: [$T]) -> $T { xs.mean() }" "$xs";
    mean_or "(xs: [$T]) -> $T { xs.mean_or($none) }" "$xs";
    argmin "(xs: [$T]) -> usize { xs.argmin() }" "$xs";
    argmin_or "(xs: [$T]) -> usize { xs.argmin_or(9) }" "$xs";
    argmax "(xs: [$T]) -> usize { xs.argmax() }" "$xs";
    argmax_or "(xs: [$T]) -> usize { xs.argmax_or(9) }" "$xs";
    reduce "(xs: [$T]) -> $T { xs.reduce($none, join) }" "$xs";
    fold "(xs: [$T]) -> $T { xs.fold($none, |a, x| join(x, a)) }" "$xs";
    scan "(xs: [$T]) -> [$T] { xs.scan(join) }" "$xs";
    prescan "(xs: [$T]) -> [$T] { xs.prescan($none, join) }" "$xs";
    scan_from "(xs: [$T]) -> ([$T], $T) { xs.scan_from($none, join) }" "$xs";
    rscan "(xs: [$T]) -> [$T] { xs.rscan(join) }" "$xs";
    rprescan "(xs: [$T]) -> [$T] { xs.rprescan($none, join) }" "$xs";
    rscan_from "(xs: [$T]) -> ([$T], $T) { xs.rscan_from($none, join) }" "$xs";
    scatter "(into: [$T], ix: [usize], vs: [$T]) -> [$T] { scatter(into, ix, vs) }" "$xs, [2, 0, 2, 5, 0, 1], $ys";
    scatter_unique "(into: [$T], ix: [usize], vs: [$T]) -> [$T] { scatter_unique(into, ix, vs) }" "$xs, [2, 0, 3], $three";
    permute "(into: [$T], ix: [usize], vs: [$T]) -> [$T] { permute(into, join, ix, vs) }" "$xs, [2, 0, 2, 5, 0, 1], $ys";
    histogram "(ix: [usize], vs: [$T]) -> [$T] { histogram(4, $none, join, ix, vs) }" "[2, 0, 2, 2, 0, 1], $xs";
    position "(xs: [$T]) -> usize { xs.position(|x| weigh(x) > 6) }" "$xs";
    position_or "(xs: [$T]) -> usize { xs.position_or(9, |x| weigh(x) > 6) }" "$xs";
    shape "(a: [[$T; m]; n]) -> (usize, usize) { let shape = a.shape(); (shape.0, shape.1) }" "$rows";
    transpose "(a: [[$T; m]; n]) -> [[$T; n]; m] { a.transpose() }" "$rows";
    flatten "(a: [[$T; m]; n]) -> [$T] { a.flatten() }" "$rows";
    reshape "(xs: [$T]) -> [[$T; 2]] { xs.reshape((xs.len() / 2, 2$extents)) }" "$xs";
    broadcast "(xs: [$T; m]) -> [[$T; m]; 2] { xs.broadcast((2, m$extents)) }" "$xs";
    chunks "(xs: [$T]) -> [[$T]] { xs.chunks(4) }" "$xs";
    chunks_exact "(xs: [$T]) -> [[$T; 2]] { xs.chunks_exact(2) }" "$xs";
    windows "(xs: [$T]) -> [[$T; 3]] { xs.windows(3) }" "$xs";
    sum_axis "(a: [[$T; m]; n]) -> [$T; m] { a.sum_axis(0) }" "$rows";
    product_axis "(a: [[$T; m]; n]) -> [$T; n] { a.product_axis(1) }" "$rows";
    min_axis "(a: [[$T; m]; n]) -> [$T; m] { a.min_axis(0) }" "$rows";
    max_axis "(a: [[$T; m]; n]) -> [$T; n] { a.max_axis(1) }" "$rows";
    any_axis "(a: [[$T; m]; n]) -> [$bool; m] { a.any_axis(0, |x| $weigh(x) > 6) }" "$rows";
    all_axis "(a: [[$T; m]; n]) -> [$bool; n] { a.all_axis(1, |x| $weigh(x) < 9) }" "$rows";
    count_axis "(a: [[$T; m]; n]) -> [$usize; n] { a.count_axis(1, |x| $weigh(x) > 3) }" "$rows";
    mean_axis "(a: [[$T; m]; n]) -> [$T; m] { a.mean_axis(0) }" "$rows";
    argmin_axis "(a: [[$T; m]; n]) -> [$usize; m] { a.argmin_axis(0) }" "$rows";
    argmax_axis "(a: [[$T; m]; n]) -> [$usize; n] { a.argmax_axis(1) }" "$rows";
    reduce_axis "(a: [[$T; m]; n]) -> [$T; m] { a.reduce_axis(0, $none_along, $join) }" "$rows";
    fold_axis "(a: [[$T; m]; n]) -> [$T; n] { a.fold_axis(1, $none_along, |a, x| $join(x, a)) }" "$rows";
    scan_axis "(a: [[$T; m]; n]) -> [[$T; m]; n] { a.scan_axis(0, $join) }" "$rows";
    prescan_axis "(a: [[$T; m]; n]) -> [[$T; m]; n] { a.prescan_axis(1, $none_along, $join) }" "$rows";
    scan_from_axis "(a: [[$T; m]; n]) -> ([[$T; m]; n], [$T; m]) { a.scan_from_axis(0, $none_along, $join) }" "$rows";
    rscan_axis "(a: [[$T; m]; n]) -> [[$T; m]; n] { a.rscan_axis(0, $join) }" "$rows";
    rprescan_axis "(a: [[$T; m]; n]) -> [[$T; m]; n] { a.rprescan_axis(0, $none_along, $join) }" "$rows";
    rscan_from_axis "(a: [[$T; m]; n]) -> ([[$T; m]; n], [$T; n]) { a.rscan_from_axis(1, $none_along, $join) }" "$rows";
    stencil "(xs: [$T]) -> [$T] { xs.stencil(fill($none), |at| join(at(-1), at(1))) }" "$xs";
    lens "(xs: [$T]) -> [usize] { xs.chunks(4).lens() }" "$xs";
    concat "(xs: [$T]) -> [$T] { xs.chunks(4).rev().concat() }" "$xs";
    unflatten "(xs: [$T], lengths: [usize]) -> [[$T]] { xs.unflatten(lengths) }" "$xs, [2, 0, 3, 1]";
    flat_map "(xs: [$T]) -> [$T] { xs.flat_map(|x| fill(x, weigh(x) as usize % 3)) }" "$xs";
    filter "(xs: [$T]) -> [$T] { xs.filter(|x| weigh(x) > 3) }" "$xs";
    take_while "(xs: [$T]) -> [$T] { xs.take_while(|x| weigh(x) < 7) }" "$xs";
    partition "(xs: [$T]) -> ([$T], [$T]) { xs.partition(|x| weigh(x) > 3) }" "$xs";
    compress "(xs: [$T; n], flags: [bool; n]) -> [$T] { xs.compress(flags) }" "$xs, [true, false, true, true, false, false]";
    run_lengths "(xs: [$T]) -> [($T, usize)] { xs.run_lengths() }" "$xs";
    sort "(xs: [$T]) -> [$T] { xs.sort() }" "$xs";
    sort_by_key "(xs: [$T]) -> [$T] { xs.sort_by_key(weigh) }" "$xs";
    argsort "(xs: [$T]) -> [usize] { xs.argsort() }" "$xs";
    unique "(xs: [$T]) -> [$T] { xs.unique() }" "$xs";
    dedup "(xs: [$T]) -> [$T] { xs.dedup() }" "$xs";
    group_by_key "(xs: [$T]) -> [[$T]] { xs.group_by_key(|x| weigh(x) % 3).map(|(_, group)| group) }" "$xs";
    kth_smallest "(xs: [$T]) -> $T { xs.kth_smallest(1) }" "$xs";
    binary_search "(xs: [$T], keys: [$T]) -> [(bool, usize)] { for key in keys { xs.binary_search(key) } }" "$xs, $ys";
    partition_point "(xs: [$T]) -> usize { xs.partition_point(|x| weigh(x) > 3) }" "$xs";
    merge "(xs: [$T], ys: [$T]) -> [$T] { xs.merge(ys) }" "$xs, $ys";
    pairs "(xs: [$T]) -> [($T, $T)] { xs.pairs() }" "$xs";
    cartesian "(xs: [$T], ys: [$T]) -> [($T, $T)] { cartesian(xs, ys) }" "$xs, $ys";
};

/// The program of a use for elements of `kind`.
fn program(it: &Use, kind: &Kind, forms: &[Form]) -> String {
    let [function, args] = [it.function, it.args].map(|text| kind.put_into(text));
    let example = format!("fn example{function}");
    let ty: syn::Type = syn::parse_str(kind.ty).expect("a type");
    let elem = Elem {
        ty: text(&ty),
        value: kind.none.to_owned(),
    };
    let call = format!("example({args})");
    let parsed = Example::of(&example, &call, None, Some(elem));
    lifted(&parsed, forms, &format!("{}\n{example}", kind.functions))
}

impl Kind {
    fn refuses(&self, operator: &str) -> bool {
        self.refused.iter().any(|names| names.contains(&operator))
    }

    fn put_into(&self, text: &str) -> String {
        let list = |of: &[&str]| format!("[{}]", of.join(", "));
        let each = |scalar| self.along.each.replace("$S", scalar);
        let [a, b, c, d, e, f] = self.elements;
        let rows = format!("[{}, {}]", list(&[a, b, c]), list(&[d, e, f]));
        text.replace("$T", self.ty)
            .replace("$bool", &each("bool"))
            .replace("$usize", &each("usize"))
            .replace("$none_along", self.along.none)
            .replace("$weigh", self.along.weigh)
            .replace("$join", self.along.join)
            .replace("$extents", self.along.extents)
            .replace("$none", self.none)
            .replace("$xs", &list(&self.elements))
            .replace("$ys", &list(&[c, f, a, b, a, d]))
            .replace("$three", &list(&[e, b, a]))
            .replace("$rows", &rows)
    }
}
