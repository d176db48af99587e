//! Arrays of several dimensions whose extents are those that are wanted; in bodies too.
//!
//! In: extents and what is behind the last. Out: an expression that has just these, whatever it is
//! made of: so no operation fails for the sizes of arrays, and no inner length varies.

use super::Hazard;
use super::arrays::{bound, boundary, looking};
use super::axes::{reduced, scanned};
use super::chains::chained;
use super::scalars::{USIZE, composed, expr};
use super::state::{State, Var};
use super::tree::{Dim, Node, Part, Ty};
use crate::parts;

/// Dimensions of an array on the way to another.
const MOST_AXES: usize = 4;

/// An array of these extents.
pub fn dense(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    s.budget -= 1 + dims.len() as i32;
    s.may_operate();
    let vars = s.vars(ty);
    if !vars.is_empty() && (s.budget <= 0 || s.rng.chance(1, 4)) {
        return Node::expr(ty, parts![s.rng.pick(&vars).name.as_str()]);
    }
    if s.budget <= 0 {
        return filled(s, dims, elem, ty);
    }
    match s.rng.below(33) {
        0..=3 => elementwise(s, dims, elem, ty),
        4..=6 => generated(s, dims, elem, ty),
        7 => transposed(s, dims, elem, ty),
        8 => reshaped(s, dims, elem, ty),
        9 => filled(s, dims, elem, ty),
        10..=12 if dims.len() < MOST_AXES => reduced(s, dims, elem, ty),
        10..=14 => scanned(s, dims, elem, ty),
        15 => turned(s, dims, elem, ty),
        16 => sliced(s, dims, elem, ty),
        17 => gathered(s, dims, elem, ty),
        18 => joined(s, dims, elem, ty),
        19 => unzipped(s, dims, elem, ty),
        20 => assigned(s, dims, elem, ty),
        21 => row(s, dims, elem, ty),
        22 | 23 => composed(s, ty),
        24..=26 => chained(s, dims, elem, ty),
        27 | 28 => stencil(s, dims, elem, ty),
        _ if dims.len() < MOST_AXES => reduced(s, dims, elem, ty),
        _ => scanned(s, dims, elem, ty),
    }
}

/// An array of these extents, as an operand.
pub fn another(s: &mut State, dims: &[Dim], elem: &Ty) -> Node {
    expr(s, &Ty::dense(dims, elem))
}

/// An array to go through, as long as is wanted: mostly one in scope.
fn source(s: &mut State, dim: &Dim) -> (Node, Ty) {
    let fits = |var: &&Var| matches!(&var.ty, Ty::Dense(dims, _) if dims[0] == *dim);
    let vars: Vec<Var> = s.scope.iter().filter(fits).cloned().collect();
    if !vars.is_empty() && (s.budget <= 0 || s.rng.chance(3, 4)) {
        let var = s.rng.pick(&vars);
        let elem = var.ty.element().expect("it is an array");
        return (Node::expr(&var.ty, parts![var.name.as_str()]), elem);
    }
    let mut dims = vec![dim.clone()];
    while s.budget > 0 && dims.len() + 1 < MOST_AXES && s.rng.chance(1, 3) {
        dims.push(s.dim());
    }
    let elem = s.dense_element();
    let node = another(s, &dims, &elem);
    (node, Ty::dense(&dims[1..], &elem))
}

/// `|params| body`, the body an element of type `ret`.
pub fn element_closure(s: &mut State, params: &[&Ty], ret: &Ty) -> Node {
    s.element_body(ret, |s| {
        let params: Vec<String> = params.iter().map(|ty| bound(s, ty)).collect();
        Node::fixed(parts![format!("|{}| ", params.join(", ")), expr(s, ret)])
    })
}

/// Of neighbours along all axes.
fn stencil(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let from = s.dense_element();
    let xs = another(s, dims, &from);
    let (boundary, f) = (boundary(s, &from), looking(s, dims.len(), &from, elem));
    Node::expr(ty, parts![xs, ".stencil(", boundary, ", ", f, ")"])
}

fn elementwise(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let ret = Ty::dense(&dims[1..], elem);
    let (xs, from) = source(s, &dims[0]);
    match s.rng.below(5) {
        0 | 1 => {
            let (param, body) = s.element_body(&ret, |s| (bound(s, &from), expr(s, &ret)));
            let made = parts!["(for ", param, " in ", xs, " { ", body, " })"];
            Node::expr(ty, made)
        }
        2 => {
            let f = element_closure(s, &[&from], &ret);
            Node::expr(ty, parts![xs, ".map(", f, ")"])
        }
        3 => {
            let pair = Ty::Tuple(vec![USIZE, from]);
            let f = element_closure(s, &[&pair], &ret);
            Node::expr(ty, parts![xs, ".enumerate().map(", f, ")"])
        }
        _ => {
            let mut types = vec![from];
            let mut zipped = parts!["zip(", xs];
            for _ in 0..1 + s.rng.below(2) {
                let (ys, from) = source(s, &dims[0]);
                types.push(from);
                zipped.extend(parts![", ", ys]);
            }
            let f = element_closure(s, &[&Ty::Tuple(types)], &ret);
            zipped.extend(parts![").map(", f, ")"]);
            Node::expr(ty, zipped)
        }
    }
}

/// Extents with commas between them.
pub fn list(dims: &[Dim]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    dims.join(", ")
}

/// By index: some axes at once.
fn generated(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let (outer, inner) = dims.split_at(1 + s.rng.below(dims.len()));
    let ret = Ty::dense(inner, elem);
    let indices = vec![&USIZE; outer.len()];
    if outer.len() > 1 {
        let f = element_closure(s, &indices, &ret);
        return Node::expr(ty, parts![format!("generate(({}), ", list(outer)), f, ")"]);
    }
    let n = &outer[0];
    match s.rng.below(3) {
        0 => {
            let f = element_closure(s, &indices, &ret);
            Node::expr(ty, parts![format!("generate({n}, "), f, ")"])
        }
        1 => {
            let f = element_closure(s, &indices, &ret);
            Node::expr(ty, parts![format!("(0usize..{n}).map("), f, ")"])
        }
        _ => {
            let (param, body) = s.element_body(&ret, |s| (bound(s, &USIZE), expr(s, &ret)));
            let made = parts![format!("(for {param} in 0usize..{n} {{ "), body, " })"];
            Node::expr(ty, made)
        }
    }
}

/// One value along some axes.
fn filled(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let all = format!("({})", list(dims));
    match s.rng.below(3) {
        // The extents are all of the result's.
        0 if dims.len() > 1 && elem.element().is_none() => {
            let kept = 1 + s.rng.below(dims.len());
            let inner = another(s, &dims[kept..], elem);
            Node::expr(ty, parts!["(", inner, format!(").broadcast({all})")])
        }
        1 if dims.len() > 1 => {
            let value = expr(s, elem);
            Node::expr(ty, parts!["fill(", value, format!(", {all})")])
        }
        _ => {
            let inner = another(s, &dims[1..], elem);
            Node::expr(ty, parts!["fill(", inner, format!(", {})", dims[0])])
        }
    }
}

fn transposed(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    if dims.len() < 2 {
        return elementwise(s, dims, elem, ty);
    }
    let (i, j) = match s.rng.below(2) {
        0 => (0, 1),
        _ => {
            let i = s.rng.below(dims.len() - 1);
            (i, i + 1 + s.rng.below(dims.len() - 1 - i))
        }
    };
    let mut before = dims.to_vec();
    before.swap(i, j);
    let xs = another(s, &before, elem);
    let axes = match (i, j) {
        (0, 1) if s.rng.chance(2, 3) => String::new(),
        _ => format!("{i}, {j}"),
    };
    Node::expr(ty, parts![xs, format!(".transpose({axes})")])
}

/// The elements of other extents, in their order.
fn reshaped(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    if let [dim] = dims {
        let xs = another(s, &[Dim::Known(1), dim.clone()], elem);
        return Node::expr(ty, parts![xs, ".flatten()"]);
    }
    let mut before = dims.to_vec();
    before.rotate_left(s.rng.below(dims.len()));
    let xs = another(s, &before, elem);
    let flat = ".flatten()".repeat(s.rng.below(dims.len()));
    let extents = list(dims);
    Node::expr(ty, parts![xs, format!("{flat}.reshape(({extents}))")])
}

fn turned(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let xs = another(s, dims, elem);
    let name = *s.rng.pick(&["rev", "rotate_left", "rotate_right"]);
    if name == "rev" {
        return Node::expr(ty, parts![xs, ".rev()"]);
    }
    let k = expr(s, &USIZE);
    let made = parts![
        xs,
        format!(".{name}("),
        k,
        format!(" % ({} + 1usize))", dims[0])
    ];
    Node::expr(ty, made)
}

/// A slice of something longer, or the slices of its rows.
fn sliced(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let xs = another(s, dims, elem);
    let (all, from) = (s.name(), s.name());
    let k = expr(s, &USIZE);
    let axis = s.rng.below(dims.len().min(2));
    let n = &dims[axis];
    let start = parts![
        format!("{{ let {from} = "),
        k,
        format!(" % ({n} + 1usize); let {all} = "),
        xs
    ];
    let cut = |of: &str, s: &mut State| match s.rng.below(5) {
        0 => format!("{of}.repeat(2usize).take({n})"),
        1 => format!("{of}.chain({of}).skip({n})"),
        2 => format!("{of}.chain({of}).split_at({from}).1.take({n})"),
        3 => format!("{of}.split_at({from}).1.chain({of}.take({from}))[0usize..{n}]"),
        _ => format!("{of}.chain({of})[{from}..{from} + {n}]"),
    };
    let value = match axis {
        0 => cut(&all, s),
        _ => {
            let row = s.name();
            format!("(for {row} in {all} {{ {} }})", cut(&row, s))
        }
    };
    let mut made = start;
    made.extend(parts![format!("; {value} }}")]);
    Node::expr(ty, made)
}

fn gathered(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let xs = another(s, dims, elem);
    let ix = another(s, &dims[..1], &USIZE);
    let safe = match s.risk(Hazard::Index) {
        true => String::new(),
        false => format!(".map(|i| i % {})", dims[0]),
    };
    Node::expr(ty, parts![xs, ".gather(", ix, format!("{safe})")])
}

/// A known number of rows, one by one or in two parts.
fn joined(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let Dim::Known(count @ 1..) = dims[0] else {
        return generated(s, dims, elem, ty);
    };
    if s.rng.chance(1, 2) {
        let first = 1 + s.rng.below(count);
        let [a, b] = [first, count - first].map(|len| {
            let dims: Vec<Dim> = [&[Dim::Known(len)], &dims[1..]].concat();
            another(s, &dims, elem)
        });
        return Node::expr(ty, parts![a, ".chain(", b, ")"]);
    }
    let mut made = parts!["["];
    for _ in 0..count {
        made.extend(parts![another(s, &dims[1..], elem), ", "]);
    }
    made.extend(parts!["]"]);
    Node::expr(ty, made)
}

/// One of two arrays that are made at once.
fn unzipped(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let ret = Ty::dense(&dims[1..], elem);
    let other = s.local();
    let (xs, from) = source(s, &dims[0]);
    let deep = if other.is_array() { &other } else { &ret };
    let at = s.rng.below(2);
    let f = s.element_body(deep, |s| {
        let param = bound(s, &from);
        let mut pair = [expr(s, &ret), expr(s, &other)];
        pair.rotate_right(at);
        let [a, b] = pair;
        Node::fixed(parts![format!("|{param}| ("), a, ", ", b, ")"])
    });
    Node::expr(ty, parts![xs, ".map(", f, format!(").unzip().{at}")])
}

/// A row of an array in scope, if there are rows.
fn row(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let fits = |var: &&Var| match &var.ty {
        Ty::Dense(all, of) => all.len() > dims.len() && all.ends_with(dims) && **of == *elem,
        Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Array(_) => false,
    };
    let vars: Vec<Var> = s.scope.iter().filter(fits).cloned().collect();
    if vars.is_empty() {
        return generated(s, dims, elem, ty);
    }
    let var = s.rng.pick(&vars).clone();
    element(s, &var, dims.len(), ty)
}

/// An element of type `ty` of an array of several dimensions in scope, if there is one.
pub fn read(s: &mut State, ty: &Ty) -> Option<Node> {
    let fits = |var: &&Var| matches!(&var.ty, Ty::Dense(_, elem) if **elem == *ty);
    let vars: Vec<Var> = s.scope.iter().filter(fits).cloned().collect();
    if vars.is_empty() {
        return None;
    }
    let var = s.rng.pick(&vars).clone();
    Some(element(s, &var, 0, ty))
}

/// An element of `var`, itself an array of `left` dimensions.
fn element(s: &mut State, var: &Var, left: usize, ty: &Ty) -> Node {
    let Ty::Dense(dims, _) = &var.ty else {
        unreachable!("only arrays of several dimensions are read here")
    };
    let outer = &dims[..dims.len() - left];
    let (place, there) = place(s, &var.name, outer);
    match there {
        None => Node::expr(ty, place),
        Some(there) => {
            let other = expr(s, ty);
            let mut made = parts![format!("(if {there} {{ ")];
            made.extend(place);
            made.extend(parts![" } else { ", other, " })"]);
            Node::expr(ty, made)
        }
    }
}

/// An indexed place, and when it is there; nothing where that is left to chance.
fn place(s: &mut State, name: &str, dims: &[Dim]) -> (Vec<Part>, Option<String>) {
    let risky = s.risk(Hazard::Index);
    let mut place = parts![name];
    for dim in dims {
        let index = expr(s, &USIZE);
        place.extend(match risky {
            true => parts!["[", index, "]"],
            false => parts!["[", index, format!(" % {dim}]")],
        });
    }
    let there: Vec<String> = dims.iter().map(|dim| format!("{dim} > 0usize")).collect();
    (place, (!risky).then(|| there.join(" && ")))
}

/// A block whose value is an array that was assigned to.
fn assigned(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let start = another(s, dims, elem);
    s.scoped(|s| {
        let name = s.name();
        s.bind(&name, ty, None, true);
        let mut made = parts!["{ let mut ", name.as_str(), " = ", start, "; "];
        for _ in 0..1 + s.rng.below(3) {
            made.push(change(s, &name, dims, elem).into());
        }
        made.extend(parts![name, " }"]);
        Node::expr(ty, made)
    })
}

fn change(s: &mut State, name: &str, dims: &[Dim], elem: &Ty) -> Node {
    if s.rng.chance(1, 4) {
        return exchange(s, name, &dims[0]);
    }
    if s.loops > 1 || s.rng.chance(1, 2) {
        return put(s, name, dims, elem);
    }
    s.loops += 1;
    let at = s.name();
    let n = &dims[0];
    let ret = Ty::dense(&dims[1..], elem);
    let made = s.scoped(|s| {
        s.bind(&at, &USIZE, None, false);
        let value = expr(s, &ret);
        match s.rng.below(3) {
            0 => parts![format!("for {at} in 0usize..{n} {{ {name}[{at}] = "), value, "; } "],
            1 => parts![
                format!("let mut {at} = 0usize; while {at} < {n} {{ {name}[{at}] = "),
                value,
                format!("; {at} += 1usize; }} ")
            ],
            _ => parts![
                format!("let mut {at} = {n}; loop {{ if {at} == 0usize {{ break; }} {at} -= 1usize; {name}[{at}] = "),
                value,
                "; } "
            ],
        }
    });
    s.loops -= 1;
    Node::optional(made)
}

/// A statement that puts parts of the array `name` elsewhere in it.
fn exchange(s: &mut State, name: &str, n: &Dim) -> Node {
    let (i, j, kept) = (s.name(), s.name(), s.name());
    let mut made = parts![format!("if {n} > 0usize {{ let {i} = "), expr(s, &USIZE)];
    made.extend(parts![
        format!(" % {n}; let {j} = "),
        expr(s, &USIZE),
        format!(" % {n}; ")
    ]);
    made.extend(parts![match s.rng.below(4) {
        0 => format!("({name}[{i}], {name}[{j}]) = ({name}[{j}], {name}[{i}]); "),
        1 => format!("let {kept} = {name}[{i}]; {name}[{i}] = {name}[{j}]; {name}[{j}] = {kept}; "),
        2 => format!("{name}[{i}..] = {name}[..{n} - {i}]; "),
        _ => format!(
            "let {kept} = {name}[..={i}]; {name}[{j}] = {kept}[{i}]; {name}[..={i}] = {kept}; "
        ),
    }]);
    made.extend(parts!["} "]);
    Node::optional(made)
}

/// A statement that assigns to an element, a row or a slice of the array `name`.
pub fn put(s: &mut State, name: &str, dims: &[Dim], elem: &Ty) -> Node {
    let (outer, inner) = dims.split_at(s.rng.below(dims.len() + 1));
    let (place, there) = place(s, name, outer);
    let mut made = Vec::new();
    if let Some(there) = there
        && !outer.is_empty()
    {
        made.extend(parts![format!("if {there} ")]);
    }
    made.extend(parts!["{ "]);
    match inner.first() {
        Some(n) if s.rng.chance(2, 3) => {
            let from = s.name();
            let k = expr(s, &USIZE);
            let value = another(s, inner, elem);
            made.extend(parts![
                format!("let {from} = "),
                k,
                format!(" % ({n} + 1usize); ")
            ]);
            made.extend(place);
            made.extend(match s.rng.below(2) {
                0 => parts![format!("[{from}..] = "), value, format!(".skip({from}); ")],
                _ => parts![format!("[..{from}] = "), value, format!(".take({from}); ")],
            });
        }
        _ => {
            let value = another(s, inner, elem);
            made.extend(place);
            made.extend(parts![" = ", value, "; "]);
        }
    }
    made.extend(parts!["} "]);
    Node::optional(made)
}
