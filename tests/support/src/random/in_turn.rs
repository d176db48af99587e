//! Functions that apply the operators in turn to rows of any lengths: whatever is drawn, so many programs
//! have every operator inside of a ragged body.
//!
//! In: which operator is next. Out: a function that goes through arrays of arrays, down to their rows,
//! and gives what some operators make of each row, or of what those before have made of it.

use super::arrays::{boundary, looking, operator};
use super::dense::element_closure;
use super::items::function;
use super::order::{is_key, key};
use super::rows::nested;
use super::scalars::{BOOL, COMPONENTS, USIZE, expr};
use super::state::{Param, State};
use super::tree::{Node, Part, Ty};
use crate::parts;
use ragged_compiler::prims::Scalar;

macro_rules! uses {
    ($($name:ident $text:literal $gives:literal;)*) => {
        &[$((stringify!($name), $text, $gives)),*]
    };
}

/// Operators of one function.
const AT_ONCE: usize = 3;

/// Between one operator and the next: no two are always together.
const STRIDE: usize = 37;

/// Operators, each with a use of it and the type of that. `$x` is an array of elements `T`; in braces are
/// expressions of a type, functions of elements, and operators of two; `U` is any element, `S` a number,
/// `F` a float, `K` a key to sort by, `B` a truth value and `N` a `usize`.
const USES: &[(&str, &str, &str)] = uses! {
    generate "generate($x.len(), {N->U})" "[U]";
    fill "fill({U}, $x.len())" "[U]";
    map "$x.map({T->U})" "[U]";
    zip "zip($x, $x.rev()).map({(T,T)->U})" "[U]";
    unzip "$x.map({T->(U,S)}).unzip().0" "[U]";
    enumerate "$x.enumerate().map({(N,T)->U})" "[U]";
    gather "$x.gather($x.map({T->N}).map(|i| i % $x.len()))" "[T]";
    rev "$x.rev()" "[T]";
    rotate_left "$x.rotate_left({N} % ($x.len() + 1usize))" "[T]";
    rotate_right "$x.rotate_right({N} % ($x.len() + 1usize))" "[T]";
    take "$x.take({N})" "[T]";
    skip "$x.skip({N})" "[T]";
    step_by "$x.step_by({N} | 1usize)" "[T]";
    split_at "$x.split_at({N} % ($x.len() + 1usize)).1" "[T]";
    chain "$x.chain($x.rev())" "[T]";
    repeat "$x.repeat({N} % 3usize)" "[T]";
    pairwise "$x.pairwise({T,T->U})" "[U]";
    first "$x.chain([{T}]).first()" "T";
    first_or "$x.first_or({T})" "T";
    last "[{T}].chain($x).last()" "T";
    last_or "$x.last_or({T})" "T";
    len "$x.len()" "N";
    sum "$x.map({T->S}).sum()" "S";
    product "$x.map({T->S}).product()" "S";
    min "$x.map({T->S}).chain([{S}]).min()" "S";
    min_or "$x.map({T->S}).min_or({S})" "S";
    max "$x.map({T->S}).chain([{S}]).max()" "S";
    max_or "$x.map({T->S}).max_or({S})" "S";
    any "$x.any({T->B})" "B";
    all "$x.all({T->B})" "B";
    count "$x.count({T->B})" "N";
    mean "$x.map({T->F}).chain([{F}]).mean()" "F";
    mean_or "$x.map({T->F}).mean_or({F})" "F";
    argmin "$x.map({T->S}).chain([{S}]).argmin()" "N";
    argmin_or "$x.map({T->S}).argmin_or({N})" "N";
    argmax "$x.map({T->S}).chain([{S}]).argmax()" "N";
    argmax_or "$x.map({T->S}).argmax_or({N})" "N";
    reduce "$x.map({T->U}).reduce({U}, {UU})" "U";
    fold "$x.fold({U}, {U,T->U})" "U";
    position "$x.map({T->B}).chain([true]).position()" "N";
    position_or "$x.position_or({N}, {T->B})" "N";
    scan "$x.map({T->U}).scan({UU})" "[U]";
    prescan "$x.map({T->U}).prescan({U}, {UU})" "[U]";
    scan_from "$x.map({T->U}).scan_from({U}, {UU})" "([U],U)";
    rscan "$x.map({T->U}).rscan({UU})" "[U]";
    rprescan "$x.map({T->U}).rprescan({U}, {UU})" "[U]";
    rscan_from "$x.map({T->U}).rscan_from({U}, {UU})" "([U],U)";
    scatter "scatter(fill({U}, 5usize), $x.map({T->N}).map(|i| i % 5usize), $x.map({T->U}))" "[U]";
    scatter_unique "scatter_unique(fill({U}, $x.len()), (0usize..$x.len()).rev(), $x.map({T->U}))" "[U]";
    permute "permute(fill({U}, 5usize), {UU}, $x.map({T->N}).map(|i| i % 5usize), $x.map({T->U}))" "[U]";
    histogram "histogram(5usize, {U}, {UU}, $x.map({T->N}).map(|i| i % 5usize), $x.map({T->U}))" "[U]";
    shape "$x.windows(2usize).map({[T]->(S,S)}).map(|(a, b)| [a, b]).shape()" "(N,N)";
    transpose "$x.chunks_exact(2usize).transpose()" "[[T]]";
    flatten "$x.windows(2usize).flatten()" "[T]";
    reshape "$x.map({T->U}).reshape((1usize, $x.len()))" "[[U]]";
    broadcast "$x.map({T->U}).broadcast((2usize, $x.len()))" "[[U]]";
    chunks "$x.chunks(1usize + {N} % 4usize)" "[[T]]";
    chunks_exact "$x.chunks_exact(1usize + {N} % 4usize)" "[[T]]";
    windows "$x.windows(1usize + {N} % 3usize).map({[T]->U})" "[U]";
    lens "$x.chunks(3usize).lens()" "[N]";
    concat "$x.chunks(2usize).rev().concat()" "[T]";
    unflatten "$x.unflatten([$x.len() / 2usize, 0usize, $x.len() - $x.len() / 2usize])" "[[T]]";
    sum_axis "$x.map({T->S}).windows(2usize).sum_axis(0)" "[S]";
    product_axis "$x.map({T->S}).windows(2usize).product_axis(1)" "[S]";
    min_axis "$x.map({T->S}).windows(2usize).min_axis(1)" "[S]";
    max_axis "$x.map({T->S}).windows(3usize).transpose().max_axis(0)" "[S]";
    any_axis "$x.map({T->U}).windows(2usize).any_axis(0, {U->B})" "[B]";
    all_axis "$x.map({T->U}).windows(2usize).all_axis(1, {U->B})" "[B]";
    count_axis "$x.map({T->U}).windows(2usize).count_axis(0, {U->B})" "[N]";
    mean_axis "$x.map({T->F}).windows(2usize).mean_axis(1)" "[F]";
    argmin_axis "$x.map({T->S}).windows(3usize).transpose().argmin_axis(0)" "[N]";
    argmax_axis "$x.map({T->S}).windows(3usize).argmax_axis(1)" "[N]";
    reduce_axis "$x.map({T->U}).windows(2usize).reduce_axis(0, {U}, {UU})" "[U]";
    fold_axis "$x.map({T->U}).windows(2usize).fold_axis(1, {S}, {S,U->S})" "[S]";
    scan_axis "$x.map({T->U}).windows(2usize).scan_axis(0, {UU})" "[[U]]";
    prescan_axis "$x.map({T->U}).windows(2usize).prescan_axis(1, {U}, {UU})" "[[U]]";
    scan_from_axis "$x.map({T->U}).windows(2usize).scan_from_axis(0, {U}, {UU}).0" "[[U]]";
    rscan_axis "$x.map({T->U}).windows(2usize).rscan_axis(0, {UU})" "[[U]]";
    rprescan_axis "$x.map({T->U}).windows(2usize).rprescan_axis(0, {U}, {UU})" "[[U]]";
    rscan_from_axis "$x.map({T->U}).windows(2usize).rscan_from_axis(1, {U}, {UU}).1" "[U]";
    stencil "$x.stencil({boundary}, {at->U})" "[U]";
    flat_map "$x.flat_map({T->[U]})" "[U]";
    filter "$x.filter({T->B})" "[T]";
    take_while "$x.take_while({T->B})" "[T]";
    partition "$x.partition({T->B})" "([T],[T])";
    compress "$x.compress($x.map({T->B}))" "[T]";
    run_lengths "$x.map({T->K}).run_lengths()" "[(K,N)]";
    sort "$x.map({T->K}).sort()" "[K]";
    sort_by_key "$x.sort_by_key({T->K})" "[T]";
    argsort "$x.map({T->K}).argsort()" "[N]";
    unique "$x.map({T->K}).unique()" "[K]";
    dedup "$x.map({T->K}).dedup()" "[K]";
    group_by_key "$x.group_by_key({T->K}).map({(K,[T])->U})" "[U]";
    kth_smallest "$x.map({T->K}).chain([{K}]).kth_smallest($x.len() / 2usize)" "K";
    binary_search "$x.map({T->K}).sort().binary_search({K})" "(B,N)";
    partition_point "$x.partition_point({T->B})" "N";
    merge "$x.map({T->K}).sort().merge([{K}])" "[K]";
    pairs "$x.take(6usize).pairs().map({(T,T)->U})" "[U]";
    cartesian "cartesian($x.take(5usize), $x.skip(2usize).take(3usize)).map({(T,T)->U})" "[U]";
};

/// The function number `turn`, with the operators whose turn it is.
pub fn exported(s: &mut State, name: String, turn: usize) -> Node {
    s.ragged = true;
    let outer = s.scope.len();
    let levels = if s.rng.chance(1, 3) { 3 } else { 2 };
    let elem = s.element();
    let params = vec![
        Param::of(s.name(), nested(levels, &elem), None),
        Param::of(s.name(), s.element(), None),
    ];
    for param in &params {
        let class = s.class();
        s.bind(&param.name, &param.ty, Some(class), false);
    }
    let (ret, made) = each(s, &params[0].name, levels, &elem, turn);
    s.scope.truncate(outer);
    s.ragged = false;
    function(s, "pub fn", name, params, ret, made)
}

/// What is made of each row of `xs`, so many levels down.
fn each(s: &mut State, xs: &str, levels: usize, elem: &Ty, turn: usize) -> (Ty, Node) {
    let row = nested(levels - 1, elem);
    let (name, (of_row, body)) = s.element_body(&row, |s| {
        let class = s.class();
        let name = s.name();
        s.bind(&name, &row, Some(class), false);
        s.may_operate();
        let made = match levels {
            2 => of_row(s, &name, elem, turn),
            _ => each(s, &name, levels - 1, elem, turn),
        };
        (name, made)
    });
    let ty = Ty::array(&of_row);
    let made = match s.rng.below(2) {
        0 => parts![format!("{xs}.map(|{name}| {{ "), body, " })"],
        _ => parts![format!("(for {name} in {xs} {{ "), body, " })"],
    };
    (ty.clone(), Node::expr(&ty, made))
}

/// What the operators make of the row `row`: a tuple.
fn of_row(s: &mut State, row: &str, elem: &Ty, turn: usize) -> (Ty, Node) {
    let mut arrays = vec![(row.to_owned(), elem.clone())];
    let (mut made, mut types, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..AT_ONCE {
        let (_, text, gives) = USES[(turn * AT_ONCE + at) * STRIDE % USES.len()];
        let (x, elem) = match s.rng.chance(1, 2) {
            true => s.rng.pick(&arrays).clone(),
            false => arrays[0].clone(),
        };
        let kinds = Kinds::of(s, &elem);
        s.budget = 8;
        let value = use_of(s, text, &x, &kinds);
        let (name, ty) = (s.name(), kinds.ty(gives));
        made.extend(parts![
            format!("let {name} = "),
            Node::expr(&ty, value),
            "; "
        ]);
        s.bind(&name, &ty, None, false);
        arrays.extend(ty.element().map(|elem| (name.clone(), elem)));
        types.push(ty);
        values.push(name);
    }
    made.extend(parts![format!("({})", values.join(", "))]);
    (Ty::Tuple(types), Node::fixed(made))
}

/// The types that letters stand for.
struct Kinds {
    elem: Ty,
    other: Ty,
    number: Ty,
    float: Ty,
    key: Ty,
}

impl Kinds {
    /// Often the type of the elements: what is made of them is mostly read from one of its own type.
    fn of(s: &mut State, elem: &Ty) -> Kinds {
        let number = loop {
            let scalar = s.scalar();
            if scalar != Scalar::Bool {
                break Ty::Scalar(scalar);
            }
        };
        let mut kinds = Kinds {
            elem: elem.clone(),
            other: s.element(),
            number,
            float: Ty::Scalar(*s.rng.pick(&COMPONENTS)),
            key: key(s),
        };
        if !elem.holds_arrays() && s.rng.chance(2, 3) {
            kinds.other = elem.clone();
        }
        if is_key(elem) && s.rng.chance(2, 3) {
            kinds.key = elem.clone();
        }
        if let Ty::Scalar(scalar) = elem {
            if *scalar != Scalar::Bool && s.rng.chance(2, 3) {
                kinds.number = elem.clone();
            }
            if COMPONENTS.contains(scalar) {
                kinds.float = elem.clone();
            }
        }
        kinds
    }

    /// The type that `text` says: a letter, `[T]` or `(T,T)`.
    fn ty(&self, text: &str) -> Ty {
        let inner = |text: &str| text[1..text.len() - 1].to_owned();
        match text {
            "T" => self.elem.clone(),
            "U" => self.other.clone(),
            "S" => self.number.clone(),
            "F" => self.float.clone(),
            "K" => self.key.clone(),
            "B" => BOOL,
            "N" => USIZE,
            _ if text.starts_with('[') => Ty::array(&self.ty(&inner(text))),
            _ => {
                let inner = inner(text);
                let parts = inner.split(',').map(|part| self.ty(part));
                Ty::Tuple(parts.collect())
            }
        }
    }
}

/// The text of a use with what stands in its braces, of the array `x`.
fn use_of(s: &mut State, text: &str, x: &str, kinds: &Kinds) -> Vec<Part> {
    let text = text.replace("$x", x);
    let mut made = Vec::new();
    for (at, piece) in text.split(['{', '}']).enumerate() {
        made.extend(match at % 2 {
            0 => parts![piece],
            _ => parts![filled(s, piece, kinds)],
        });
    }
    made
}

fn filled(s: &mut State, hole: &str, kinds: &Kinds) -> Node {
    match hole.split_once("->") {
        Some(("at", ret)) => looking(s, 1, &kinds.elem, &kinds.ty(ret)),
        Some((params, ret)) => {
            // A tuple is one parameter.
            let params: Vec<Ty> = match params.starts_with('(') {
                true => vec![kinds.ty(params)],
                false => params.split(',').map(|param| kinds.ty(param)).collect(),
            };
            let params: Vec<&Ty> = params.iter().collect();
            element_closure(s, &params, &kinds.ty(ret))
        }
        None if hole == "boundary" => boundary(s, &kinds.elem),
        None if hole == "UU" => operator(s, &kinds.other),
        None => expr(s, &kinds.ty(hole)),
    }
}
