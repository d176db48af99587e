//! Expressions that give arrays, and scalars made of arrays; outside of bodies only.

use super::Hazard;
use super::scalars::{BOOL, USIZE, expr, simplest};
use super::state::{State, Var};
use super::tree::{Node, Part, Ty};
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
    let ty = Ty::array(elem);
    let vars = s.vars(&ty);
    if !vars.is_empty() && (s.budget <= 0 || s.rng.chance(1, 4)) {
        return of_var(s.rng.pick(&vars));
    }
    if s.budget <= 0 {
        return small(s, elem, &ty);
    }
    match s.rng.below(16) {
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
        _ => super::items::array_block(s, elem, &ty),
    }
}

fn of_var(var: &Var) -> Made {
    let node = Node::expr(&var.ty, parts![var.name.as_str()]);
    let class = var.class;
    Made { node, class }
}

fn new(ty: &Ty, parts: Vec<Part>) -> Made {
    let node = Node::expr(ty, parts);
    Made { node, class: None }
}

/// An array of any elements to start from: mostly one in scope.
pub fn source(s: &mut State) -> (Made, Ty) {
    let arrays = s.arrays();
    if !arrays.is_empty() && (s.budget <= 0 || s.rng.chance(3, 4)) {
        let var = s.rng.pick(&arrays).clone();
        let Ty::Array(elem) = &var.ty else {
            unreachable!("arrays are arrays")
        };
        return (of_var(&var), (**elem).clone());
    }
    let elem = s.element();
    (array(s, &elem), elem)
}

/// A closure's parameter of type `ty`, bound; its text.
fn bound(s: &mut State, ty: &Ty) -> String {
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

/// `|params| body`, the body of type `ret`.
fn closure(s: &mut State, params: &[&Ty], ret: &Ty) -> Node {
    s.body(|s| {
        let params: Vec<String> = params.iter().map(|ty| bound(s, ty)).collect();
        Node::fixed(parts![format!("|{}| ", params.join(", ")), expr(s, ret)])
    })
}

fn map(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let class = xs.class;
    let node = match s.rng.below(3) {
        0 => {
            let (param, body) = s.body(|s| (bound(s, &from), expr(s, elem)));
            Node::expr(
                ty,
                parts!["(for ", param, " in ", xs.node, " { ", body, " })"],
            )
        }
        1 => {
            let pair = Ty::Tuple(vec![USIZE, from]);
            let f = closure(s, &[&pair], elem);
            Node::expr(ty, parts![xs.node, ".enumerate().map(", f, ")"])
        }
        _ => {
            let f = closure(s, &[&from], elem);
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

fn zip_map(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, first) = source(s);
    let class = xs.class;
    let Some(ys) = companion(s, class) else {
        return map(s, elem, ty);
    };
    let Ty::Array(second) = &ys.ty else {
        unreachable!("arrays are arrays")
    };
    let pair = Ty::Tuple(vec![first, (**second).clone()]);
    let f = closure(s, &[&pair], elem);
    let zipped = parts!["zip(", xs.node, ", ", ys.name.as_str(), ").map(", f, ")"];
    let node = Node::expr(ty, zipped);
    Made { node, class }
}

/// A length: small.
fn length(s: &mut State) -> Node {
    let most = *s.rng.pick(&[4, 20, 70, 200]);
    let made = parts!["(", expr(s, &USIZE), format!(" % {most}usize)")];
    Node::expr(&USIZE, made)
}

fn generate(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let n = length(s);
    if s.rng.chance(1, 3) {
        let v = expr(s, elem);
        return new(ty, parts!["fill(", v, ", ", n, ")"]);
    }
    let f = closure(s, &[&USIZE], elem);
    if s.rng.chance(1, 2) {
        return new(ty, parts!["(0usize..", n, ").map(", f, ")"]);
    }
    new(ty, parts!["generate(", n, ", ", f, ")"])
}

fn small(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
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

fn rearranged(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let xs = array(s, elem);
    let k = expr(s, &USIZE);
    let named = s.vars(ty);
    match s.rng.below(8) {
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
            new(ty, parts![xs.node, "[", k, "..", hi, "]"])
        }
        4 if s.risk(Hazard::Slice) => new(ty, parts![xs.node, ".split_at(", k, ").1"]),
        5 => new(ty, parts![xs.node, ".repeat(", k, " % 3usize)"]),
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

fn joined(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (a, b) = (array(s, elem), array(s, elem));
    new(ty, parts![a.node, ".chain(", b.node, ")"])
}

fn gather(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let named = s.vars(ty);
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

fn pairwise(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, from) = source(s);
    let f = closure(s, &[&from, &from], elem);
    new(ty, parts![xs.node, ".pairwise(", f, ")"])
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
fn operator(s: &mut State, elem: &Ty) -> Node {
    if s.rng.chance(1, 2) {
        return closure(s, &[elem, elem], elem);
    }
    Node::fixed(parts![format!("|a, b| {}", recognised(s, elem, "a", "b"))])
}

fn recognised(s: &mut State, elem: &Ty, a: &str, b: &str) -> String {
    match elem {
        Ty::Scalar(Scalar::Bool) => format!("{a} {} {b}", s.rng.pick(&["&", "|", "^", "&&", "||"])),
        Ty::Scalar(_) => match s.rng.below(4) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} * {b}"),
            2 => format!("{a}.min({b})"),
            _ => format!("max({a}, {b})"),
        },
        Ty::Tuple(parts) => {
            let parts = parts.iter().enumerate();
            let parts: Vec<String> = parts
                .map(|(at, part)| recognised(s, part, &format!("{a}.{at}"), &format!("{b}.{at}")))
                .collect();
            format!("({})", parts.join(", "))
        }
        Ty::Array(_) => unreachable!("elements are no arrays"),
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
    let value = closure(s, &[&from], elem);
    let bound = if risky {
        String::new()
    } else {
        format!(".map(|i| i % {n}usize)")
    };
    let name = s.name();
    let made = parts![
        "{ let ",
        name.as_str(),
        " = ",
        xs.node,
        "; scatter(fill(",
        expr(s, elem),
        format!(", {n}usize), {name}.map("),
        index,
        ")",
        bound,
        format!(", {name}.map("),
        value,
        ")) }"
    ];
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

/// A scalar made of an array.
pub fn reduction(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    match s.rng.below(8) {
        0 if scalar == Scalar::Usize => {
            let (xs, _) = source(s);
            Node::expr(ty, parts![xs.node, ".len()"])
        }
        0 | 1 if scalar == Scalar::Usize => place(s, ty),
        0 | 1 if scalar == Scalar::Bool => quantified(s, ty),
        0 if scalar.is_float() => {
            let xs = array(s, ty);
            Node::expr(ty, parts![xs.node, ".mean_or(", expr(s, ty), ")"])
        }
        2 => {
            let xs = array(s, ty);
            let f = operator(s, ty);
            Node::expr(ty, parts![xs.node, ".reduce(", expr(s, ty), ", ", f, ")"])
        }
        3 => {
            let (xs, from) = source(s);
            let f = closure(s, &[ty, &from], ty);
            Node::expr(ty, parts![xs.node, ".fold(", expr(s, ty), ", ", f, ")"])
        }
        4 => {
            let xs = array(s, ty);
            let end = *s.rng.pick(&["first", "last"]);
            or(s, xs.node, end, ty)
        }
        5 => {
            let xs = array(s, ty);
            let f = operator(s, ty);
            Node::expr(
                ty,
                parts![xs.node, ".scan_from(", expr(s, ty), ", ", f, ").1"],
            )
        }
        _ if scalar == Scalar::Bool => quantified(s, ty),
        6 => {
            let xs = array(s, ty);
            let name = *s.rng.pick(&[".sum()", ".product()"]);
            Node::expr(ty, parts![xs.node, name])
        }
        _ => {
            let xs = array(s, ty);
            let name = *s.rng.pick(&["min", "max"]);
            or(s, xs.node, name, ty)
        }
    }
}

/// `xs.name_or(v)`, or the form that fails.
fn or(s: &mut State, xs: Node, name: &str, ty: &Ty) -> Node {
    if s.risk(Hazard::Empty) {
        return Node::expr(ty, parts![xs, format!(".{name}()")]);
    }
    Node::expr(ty, parts![xs, format!(".{name}_or("), expr(s, ty), ")"])
}

fn place(s: &mut State, ty: &Ty) -> Node {
    let of = s.scalar();
    if of == Scalar::Bool {
        let xs = array(s, &BOOL);
        return Node::expr(ty, parts![xs.node, ".count()"]);
    }
    let xs = array(s, &Ty::Scalar(of));
    let name = *s.rng.pick(&["argmin", "argmax"]);
    or(s, xs.node, name, ty)
}

fn quantified(s: &mut State, ty: &Ty) -> Node {
    let (xs, from) = source(s);
    let name = *s.rng.pick(&[".any(", ".all("]);
    let f = closure(s, &[&from], ty);
    Node::expr(ty, parts![xs.node, name, f, ")"])
}
