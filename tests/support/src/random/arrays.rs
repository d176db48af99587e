//! Expressions that give arrays of any length.

use super::dense::{another, element_closure};
use super::order::sorted;
use super::scalars::{BOOL, USIZE, expr, simplest};
use super::state::{State, Var};
use super::tree::{Dim, Node, Part, Ty};
use super::{Hazard, ragged, rows};
use crate::parts;
use ragged_compiler::prims::Scalar;

/// An array and the class of its length.
pub struct Made {
    pub node: Node,
    pub class: Option<u32>,
}

/// An array of `elem`.
pub fn array(s: &mut State, elem: &Ty) -> Made {
    s.budget -= 2;
    s.may_operate();
    let ty = Ty::array(elem);
    let vars = s.lists(elem);
    let often = if s.ragged { 2 } else { 4 };
    if !vars.is_empty() && (s.budget <= 0 || s.rng.chance(1, often)) {
        return of_var(s.rng.pick(&vars));
    }
    if s.budget <= 0 {
        return match s.ragged && s.rng.chance(5, 6) {
            true => ragged::brief(s, elem, &ty),
            false => small(s, elem, &ty),
        };
    }
    if s.ragged
        && (elem.holds_arrays() || s.rng.chance(1, 2))
        && let Some(made) = ragged::ragged(s, elem, &ty)
    {
        return made;
    }
    if s.ragged && elem.holds_arrays() {
        return ragged::plain(s, elem, &ty);
    }
    if s.rng.chance(1, 4) {
        return by_rows(s, elem, &ty);
    }
    match s.rng.below(20) {
        10 | 11 | 15 if elem.is_array() => map(s, elem, &ty),
        0..=3 => map(s, elem, &ty),
        4 => zip_map(s, elem, &ty),
        5 => generate(s, elem, &ty),
        6 => small(s, elem, &ty),
        7 | 8 => rearranged(s, elem, &ty),
        9 => joined(s, elem, &ty),
        10 => scan(s, elem, &ty),
        11 => scatter(s, elem, &ty),
        12 => gather(s, elem, &ty),
        13 => branch(s, elem, &ty),
        14 => pairwise(s, elem, &ty),
        16..=18 => super::sizes::selected(s, elem, &ty),
        19 => stencil(s, elem, &ty),
        _ => super::items::array_block(s, elem, &ty),
    }
}

fn of_var(var: &Var) -> Made {
    let node = Node::expr(&var.ty, parts![var.name.as_str()]);
    let class = var.class;
    Made { node, class }
}

pub fn new(ty: &Ty, parts: Vec<Part>) -> Made {
    let node = Node::expr(ty, parts);
    Made { node, class: None }
}

/// An array of any elements to start from: mostly one in scope.
pub fn source(s: &mut State) -> (Made, Ty) {
    let mut arrays = s.arrays();
    if s.rng.chance(1, 2) && arrays.iter().any(|var| rows::levels(&var.ty) > 1) {
        arrays.retain(|var| rows::levels(&var.ty) > 1);
    }
    if !arrays.is_empty() && (s.budget <= 0 || s.rng.chance(3, 4)) {
        let var = s.rng.pick(&arrays).clone();
        let elem = var.ty.element().expect("arrays are arrays");
        return (of_var(&var), elem);
    }
    let elem = s.local();
    (array(s, &elem), elem)
}

/// A closure's parameter of type `ty`, bound; its text.
pub fn bound(s: &mut State, ty: &Ty) -> String {
    if let Ty::Tuple(parts) = ty
        && s.rng.chance(2, 3)
    {
        let parts: Vec<String> = parts.iter().map(|part| bound(s, part)).collect();
        return format!("({})", parts.join(", "));
    }
    let name = s.name();
    s.bind(&name, ty, None, false);
    name
}

/// `|params| body`, the body of type `ret`; it holds no array operations.
pub fn closure(s: &mut State, params: &[&Ty], ret: &Ty) -> Node {
    s.body(|s| {
        let params: Vec<String> = params.iter().map(|ty| bound(s, ty)).collect();
        Node::fixed(parts![format!("|{}| ", params.join(", ")), expr(s, ret)])
    })
}

pub fn map(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let class = xs.class;
    let node = match s.rng.below(3) {
        0 => {
            let (param, body) = s.element_body(elem, |s| (bound(s, &from), expr(s, elem)));
            Node::expr(
                ty,
                parts!["(for ", param, " in ", xs.node, " { ", body, " })"],
            )
        }
        1 => {
            let pair = Ty::Tuple(vec![USIZE, from]);
            let f = element_closure(s, &[&pair], elem);
            Node::expr(ty, parts![xs.node, ".enumerate().map(", f, ")"])
        }
        _ => {
            let f = element_closure(s, &[&from], elem);
            Node::expr(ty, parts![xs.node, ".map(", f, ")"])
        }
    };
    Made { node, class }
}

/// An array as long as the first, if there is one in scope.
fn companion(s: &mut State, class: Option<u32>) -> Option<Var> {
    let arrays = s.arrays();
    let same: Vec<_> = arrays
        .iter()
        .filter(|var| class.is_some() && var.class == class)
        .collect();
    if s.risk(Hazard::Size) && !arrays.is_empty() {
        return Some(s.rng.pick(&arrays).clone());
    }
    (!same.is_empty()).then(|| (*s.rng.pick(&same)).clone())
}

pub fn zip_map(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, first) = source(s);
    let class = xs.class;
    let Some(ys) = companion(s, class) else {
        return map(s, elem, ty);
    };
    let second = ys.ty.element().expect("arrays are arrays");
    let pair = Ty::Tuple(vec![first, second]);
    let f = element_closure(s, &[&pair], elem);
    let zipped = parts!["zip(", xs.node, ", ", ys.name.as_str(), ").map(", f, ")"];
    let node = Node::expr(ty, zipped);
    Made { node, class }
}

/// A length: small.
fn length(s: &mut State) -> Node {
    let most = *s.rng.pick(match s.depth {
        0 => &[4, 20, 70, 200],
        _ => &[2, 3, 4, 6],
    });
    let made = parts!["(", expr(s, &USIZE), format!(" % {most}usize)")];
    Node::expr(&USIZE, made)
}

pub fn generate(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let n = length(s);
    if s.rng.chance(1, 3) {
        let v = expr(s, elem);
        return new(ty, parts!["fill(", v, ", ", n, ")"]);
    }
    let f = element_closure(s, &[&USIZE], elem);
    if s.rng.chance(1, 2) {
        return new(ty, parts!["(0usize..", n, ").map(", f, ")"]);
    }
    new(ty, parts!["generate(", n, ", ", f, ")"])
}

pub fn small(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let count = s.rng.below(4);
    if count == 0 {
        // The element type of `[]` comes from its use, which not every use has.
        return new(ty, parts!["fill(", simplest(elem), ", 0usize)"]);
    }
    let mut made = parts!["["];
    for _ in 0..count {
        made.extend(parts![Node::optional(parts![expr(s, elem), ", "])]);
    }
    made.extend(parts!["]"]);
    new(ty, made)
}

pub fn rearranged(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    if s.rng.chance(1, 5) {
        return sorted(s, elem, ty);
    }
    let xs = array(s, elem);
    let k = expr(s, &USIZE);
    let named = s.lists(elem);
    match s.rng.below(9) {
        0 => Made {
            node: Node::expr(ty, parts![xs.node, ".rev()"]),
            class: xs.class,
        },
        1 => new(ty, parts![xs.node, ".take(", k, ")"]),
        2 => new(ty, parts![xs.node, ".skip(", k, ")"]),
        3 if s.risk(Hazard::Step) => new(ty, parts![xs.node, ".step_by(", k, ")"]),
        3 => new(ty, parts![xs.node, ".step_by(", k, " | 1usize)"]),
        4 if s.risk(Hazard::Slice) => {
            let hi = expr(s, &USIZE);
            // No constants as written: of an array of known length the compiler would refuse them.
            let slice = parts!["(", xs.node, ")[", k, " | 0usize..", hi, " | 0usize]"];
            new(ty, slice)
        }
        4 if s.risk(Hazard::Slice) => new(ty, parts![xs.node, ".split_at(", k, ").1"]),
        5 => new(ty, parts![xs.node, ".repeat(", k, " % 3usize)"]),
        6 if !named.is_empty() => {
            let name = s.rng.pick(&named).name.clone();
            let part = *s.rng.pick(&["0", "1"]);
            let made = parts![
                format!("{name}.split_at("),
                k,
                format!(" % ({name}.len() + 1usize)).{part}")
            ];
            new(ty, made)
        }
        _ if !named.is_empty() => {
            let var = s.rng.pick(&named).clone();
            let name = var.name.as_str();
            let operator = *s.rng.pick(&[".rotate_left(", ".rotate_right("]);
            let made = parts![name, operator, k, " % (", name, ".len() | 1usize))"];
            let node = Node::expr(ty, made);
            Made {
                node,
                class: var.class,
            }
        }
        _ => new(ty, parts![xs.node, ".skip(1usize)"]),
    }
}

pub fn joined(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (a, b) = (array(s, elem), array(s, elem));
    new(ty, parts![a.node, ".chain(", b.node, ")"])
}

pub fn gather(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let named = s.lists(elem);
    if named.is_empty() {
        return map(s, elem, ty);
    }
    let xs = s.rng.pick(&named).name.clone();
    let ix = array(s, &USIZE);
    if s.risk(Hazard::Index) {
        return new(ty, parts![xs.as_str(), ".gather(", ix.node, ")"]);
    }
    // Of an empty array nothing is taken.
    let safe = parts![
        xs.as_str(),
        ".gather(",
        ix.node,
        format!(".take({xs}.len() * 100usize).map(|i| i % {xs}.len().max(1usize)))")
    ];
    new(ty, safe)
}

pub fn pairwise(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let f = element_closure(s, &[&from, &from], elem);
    new(ty, parts![xs.node, ".pairwise(", f, ")"])
}

fn stencil(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let class = xs.class;
    let (boundary, f) = (boundary(s, &from), looking(s, 1, &from, elem));
    let node = Node::expr(ty, parts![xs.node, ".stencil(", boundary, ", ", f, ")"]);
    Made { node, class }
}

/// What lies outside of an array of `elem`.
pub fn boundary(s: &mut State, elem: &Ty) -> Node {
    match s.rng.below(4) {
        0 if !elem.is_array() && !elem.holds_arrays() => {
            Node::fixed(parts!["fill(", expr(s, elem), ")"])
        }
        1 => Node::fixed(parts!["mirror"]),
        2 => Node::fixed(parts!["wrap"]),
        _ => Node::fixed(parts!["clamp"]),
    }
}

/// `|at| e`, where `e` is of type `ret` and looks at neighbours of type `from` along so many axes.
pub fn looking(s: &mut State, axes: usize, from: &Ty, ret: &Ty) -> Node {
    s.element_body(ret, |s| {
        let at = s.name();
        let mut lets = format!("|{at}| {{ ");
        for _ in 0..1 + s.rng.below(3) {
            let offsets: Vec<String> = (0..axes)
                .map(|_| (s.rng.below(9) as i64 - 4).to_string())
                .collect();
            lets += &format!("let {} = {at}({}); ", bound(s, from), offsets.join(", "));
        }
        Node::fixed(parts![lets, expr(s, ret), " }"])
    })
}

fn scan(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let xs = array(s, elem);
    let f = operator(s, elem);
    let class = xs.class;
    let node = match s.rng.below(5) {
        0 => Node::expr(ty, parts![xs.node, ".rscan(", f, ")"]),
        1 => Node::expr(
            ty,
            parts![xs.node, ".prescan(", expr(s, elem), ", ", f, ")"],
        ),
        2 => Node::expr(
            ty,
            parts![xs.node, ".rprescan(", expr(s, elem), ", ", f, ")"],
        ),
        3 => {
            let name = *s.rng.pick(&[".scan_from(", ".rscan_from("]);
            Node::expr(ty, parts![xs.node, name, expr(s, elem), ", ", f, ").0"])
        }
        _ => Node::expr(ty, parts![xs.node, ".scan(", f, ")"]),
    };
    Made { node, class }
}

/// An operator of two elements: a recognised one in half of the cases.
pub fn operator(s: &mut State, elem: &Ty) -> Node {
    if s.rng.chance(1, 2) {
        return closure(s, &[elem, elem], elem);
    }
    Node::fixed(parts![format!("|a, b| {}", recognised(s, elem, "a", "b"))])
}

/// An operator of `a` and `b` that the compiler knows.
pub fn recognised(s: &mut State, elem: &Ty, a: &str, b: &str) -> String {
    match elem {
        Ty::Scalar(Scalar::Bool) => format!("{a} {} {b}", s.rng.pick(&["&", "|", "^", "&&", "||"])),
        Ty::Scalar(_) => match s.rng.below(4) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} * {b}"),
            2 => format!("{a}.min({b})"),
            _ => format!("max({a}, {b})"),
        },
        Ty::Complex(_) => format!("{a} + {b}"),
        Ty::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            let parts: Vec<String> = parts
                .map(|(at, part)| recognised(s, part, &format!("{a}.{at}"), &format!("{b}.{at}")))
                .collect();
            format!("({})", parts.join(", "))
        }
        Ty::Array(_) | Ty::Dense(..) => unreachable!("operators take no arrays"),
    }
}

fn scatter(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let risky = s.risk(Hazard::Index);
    let n = 1 + s.rng.below(60);
    let index = s.body(|s| {
        let name = bound(s, &from);
        Node::fixed(parts![format!("|{name}| "), expr(s, &USIZE)])
    });
    let value = element_closure(s, &[&from], elem);
    let bound = if risky {
        String::new()
    } else {
        format!(".map(|i| i % {n}usize)")
    };
    let name = s.name();
    let mut made = parts!["{ let ", name.as_str(), " = ", xs.node, "; "];
    made.extend(match s.rng.below(3) {
        0 => parts!["scatter(fill(", expr(s, elem), format!(", {n}usize)")],
        1 => {
            let (init, f) = (expr(s, elem), operator(s, elem));
            parts!["permute(fill(", init, format!(", {n}usize), "), f]
        }
        _ => {
            let (init, f) = (expr(s, elem), operator(s, elem));
            parts![format!("histogram({n}usize, "), init, ", ", f]
        }
    });
    made.extend(parts![
        format!(", {name}.map("),
        index,
        ")",
        bound,
        format!(", {name}.map("),
        value,
        ")) }"
    ]);
    new(ty, made)
}

fn branch(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let cond = expr(s, &BOOL);
    let (a, b) = (array(s, elem), array(s, elem));
    new(
        ty,
        parts!["(if ", cond, " { ", a.node, " } else { ", b.node, " })"],
    )
}

/// An array made of rows, or of runs of another.
fn by_rows(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    match s.rng.below(4) {
        0 if !s.dims.is_empty() => {
            let dims = [s.dim(), s.dim(), s.dim()];
            let rank = 2 + s.rng.below(2);
            let inner: Vec<Dim> = match elem {
                Ty::Dense(dims, _) => dims.clone(),
                Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Array(_) => Vec::new(),
            };
            if rank + inner.len() > 4 {
                return map(s, elem, ty);
            }
            let last = match elem {
                Ty::Dense(_, last) => last,
                Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Array(_) => elem,
            };
            let xs = another(s, &[&dims[..rank], &inner[..]].concat(), last);
            new(ty, parts![xs, ".flatten()".repeat(rank - 1)])
        }
        1 => runs(s, elem, ty),
        2 if !elem.is_array() => {
            let other = Ty::Scalar(s.scalar());
            let pair = Ty::Tuple(vec![elem.clone(), other]);
            let xs = array(s, &pair);
            let class = xs.class;
            let node = Node::expr(ty, parts![xs.node, ".unzip().0"]);
            Made { node, class }
        }
        _ => map(s, elem, ty),
    }
}

/// Of windows and pieces, of a width that is known or not.
fn runs(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    if from.holds_arrays() && !s.ragged {
        return map(s, elem, ty);
    }
    let name = *s.rng.pick(&["windows", "chunks_exact"]);
    let (width, run) = match s.rng.below(3) {
        0 if s.risk(Hazard::Step) => (expr(s, &USIZE), Ty::array(&from)),
        0 => {
            let made = parts!["(1usize + ", expr(s, &USIZE), " % 4usize)"];
            (Node::expr(&USIZE, made), Ty::array(&from))
        }
        _ => {
            let width = Dim::Known(1 + s.rng.below(4));
            let node = Node::fixed(parts![width.to_string()]);
            (node, Ty::dense(&[width], &from))
        }
    };
    let f = element_closure(s, &[&run], elem);
    new(
        ty,
        parts![xs.node, format!(".{name}("), width, ").map(", f, ")"],
    )
}
