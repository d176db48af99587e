//! Functions, and blocks of statements on arrays.

use super::arrays::{Made, array, source};
use super::bodies::loop_;
use super::scalars::{BOOL, USIZE, expr};
use super::state::{Param, Place, Signature, State};
use super::tree::{Dim, Node, Part, Ty};
use super::{Hazard, in_turn, ragged};
use crate::parts;

/// All of a block: private functions of scalars, then exported ones; among them one of the operators
/// whose turn it is, if it is that of any.
pub fn block(s: &mut State, turn: Option<usize>) -> Node {
    let mut made = Vec::new();
    for _ in 0..s.rng.below(3) {
        made.push(Part::Node(private(s)));
    }
    for _ in 0..1 + s.rng.below(2) {
        made.push(Part::Node(exported(s)));
    }
    if let Some(turn) = turn {
        s.nested = 0;
        let name = format!("f{}", s.functions.len());
        made.push(Part::Node(in_turn::exported(s, name, turn)));
    }
    Node::fixed(made)
}

/// A function of scalars, or of rows, for bodies.
pub fn private(s: &mut State) -> Node {
    s.budget = 12;
    s.nested = 0;
    let name = format!("g{}", s.functions.len());
    if s.rng.chance(2, 5) {
        return ragged::private(s, name);
    }
    let params: Vec<Param> = (0..1 + s.rng.below(2))
        .map(|_| Param {
            name: s.name(),
            ty: s.element(),
            size: None,
            seq: false,
        })
        .collect();
    let ret = s.element();
    let body = s.scoped(|s| {
        for param in &params {
            s.bind(&param.name, &param.ty, None, false);
        }
        s.place = Place::Body;
        let body = expr(s, &ret);
        s.place = Place::Host;
        body
    });
    function(s, "fn", name, params, ret, body)
}

fn exported(s: &mut State) -> Node {
    s.budget = *s.rng.pick(&[8, 20, 40, 50]);
    s.nested = 0;
    let name = format!("f{}", s.functions.len());
    match s.rng.below(20) {
        0..=8 => return ragged::exported(s, name),
        9..=14 => return exported_dense(s, name),
        _ => {}
    }
    let shared = s.class();
    let size = s.name();
    let mut params = Vec::new();
    let outer = s.scope.len();
    if s.rng.chance(1, 2) {
        s.bind(&size, &USIZE, None, false);
    }
    let named = s.scope.len() > outer;
    for at in 0..1 + s.rng.below(4) {
        let name = s.name();
        let elem = s.element();
        let array = at == 0 || s.rng.chance(2, 3);
        let ty = if array { Ty::array(&elem) } else { elem };
        let in_shared = array && named && (at == 0 || s.rng.chance(1, 2));
        let class = array.then(|| if in_shared { shared } else { s.class() });
        s.bind(&name, &ty, class, false);
        let size = in_shared.then(|| size.clone());
        params.push(Param::of(name, ty, size));
    }
    let (ret, body) = body(s);
    s.scope.truncate(outer);
    function(s, "pub fn", name, params, ret, body)
}

/// A function of arrays of several dimensions.
fn exported_dense(s: &mut State, name: String) -> Node {
    s.dense.push(name.clone());
    let outer = s.scope.len();
    let mut dims: Vec<Dim> = (0..1 + s.rng.below(3))
        .map(|_| Dim::Named(s.name()))
        .collect();
    s.dims = dims.iter().map(|dim| (dim.clone(), s.class())).collect();
    for dim in &dims {
        s.bind(&dim.to_string(), &USIZE, None, false);
    }
    if dims.len() == 1 || s.rng.chance(1, 4) {
        dims.push(s.dim());
    }
    let mut types = vec![Ty::dense(&dims, &s.dense_element())];
    for _ in 0..s.rng.below(4) {
        types.push(match s.rng.below(4) {
            0 => s.element(),
            1 => Ty::array(&s.element()),
            _ => s.dense_type(dims.len()),
        });
    }
    let params: Vec<Param> = types
        .into_iter()
        .map(|ty| {
            let name = s.name();
            let class = matches!(ty, Ty::Array(_)).then(|| s.class());
            s.bind(&name, &ty, class, false);
            let size = None;
            Param::of(name, ty, size)
        })
        .collect();
    let (ret, body) = body(s);
    s.scope.truncate(outer);
    s.dims.clear();
    function(s, "pub fn", name, params, ret, body)
}

/// Statements, then the result.
pub fn body(s: &mut State) -> (Ty, Node) {
    let mut stmts = Vec::new();
    for _ in 0..s.rng.below(4) {
        stmts.push(Part::Node(statement(s)));
    }
    let (ret, value) = result(s);
    stmts.push(value.into());
    (ret, Node::fixed(stmts))
}

/// The result: an array, a scalar, a tuple of these.
fn result(s: &mut State) -> (Ty, Node) {
    s.budget = s.budget.max(6);
    if s.rng.chance(1, 4) {
        let (a, b) = (one_result(s), one_result(s));
        let ty = Ty::Tuple(vec![a.0, b.0]);
        let made = parts!["(", a.1, ", ", b.1, ")"];
        return (ty, Node::fixed(made));
    }
    one_result(s)
}

fn one_result(s: &mut State) -> (Ty, Node) {
    if s.ragged {
        return ragged::result(s);
    }
    if !s.dims.is_empty() && s.rng.chance(1, 2) {
        let ty = s.dense_type(4);
        let value = expr(s, &ty);
        return (ty, value);
    }
    let elem = match s.rng.chance(1, 4) {
        true => s.local(),
        false => s.element(),
    };
    if elem.is_array() || s.rng.chance(2, 3) {
        let made = array(s, &elem);
        return (Ty::array(&elem), made.node);
    }
    let value = expr(s, &elem);
    (elem, value)
}

pub fn function(
    s: &mut State,
    keyword: &str,
    name: String,
    params: Vec<Param>,
    ret: Ty,
    body: Node,
) -> Node {
    let mut made = parts![format!("{keyword} {name}(")];
    for param in &params {
        let ty = match (&param.ty, &param.size) {
            (Ty::Array(elem), Some(size)) => format!("[{elem}; {size}]"),
            (ty, _) => ty.to_string(),
        };
        let text = parts![format!("{}: {ty}, ", param.name)];
        made.push(Node::optional(text).into());
    }
    made.extend(parts![format!(") -> {ret} {{\n    "), body, "\n}\n"]);
    s.functions.push(Signature {
        name,
        params,
        ret,
        exported: keyword != "fn",
        streams: false,
        nested: s.nested,
    });
    Node::optional(made)
}

fn statement(s: &mut State) -> Node {
    if s.risk(Hazard::Assert) {
        let cond = expr(s, &BOOL);
        return Node::optional(parts!["assert!(", cond, ", \"random\");\n    "]);
    }
    if s.ragged
        && s.rng.chance(1, 3)
        && let Some(node) = ragged::let_alike(s)
    {
        return Node::optional(parts![node, "\n    "]);
    }
    let name = s.name();
    if s.rng.chance(1, 2) {
        let ty = s.local();
        let value = expr(s, &ty);
        s.bind(&name, &ty, None, false);
        return Node::optional(parts![
            "let ",
            name,
            ": ",
            ty.without_sizes(),
            " = ",
            value,
            ";\n    "
        ]);
    }
    let elem = s.element();
    let Made { node, class } = array(s, &elem);
    s.bind(&name, &Ty::array(&elem), class, false);
    Node::optional(parts!["let ", name, " = ", node, ";\n    "])
}

/// A block whose value is an array that was assigned to.
pub fn array_block(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    s.scoped(|s| {
        let start = array(s, elem);
        let (name, copy) = (s.name(), s.name());
        s.bind(&name, ty, None, false);
        let mut made = parts!["{ let mut ", name.as_str(), " = ", start.node, "; "];
        let copied = s.rng.chance(1, 3);
        if copied {
            made.extend(parts![format!("let {copy} = {name}; ")]);
            s.bind(&copy, ty, None, false);
        }
        for _ in 0..1 + s.rng.below(2) {
            made.push(change(s, &name, elem).into());
        }
        let value = if copied && s.rng.chance(1, 2) {
            copy
        } else {
            name
        };
        made.extend(parts![value, " }"]);
        let node = Node::expr(ty, made);
        Made { node, class: None }
    })
}

/// A statement that changes the array `name`.
fn change(s: &mut State, name: &str, elem: &Ty) -> Node {
    let counter = s.name();
    match s.rng.below(4) {
        0 => {
            let value = s.scoped(|s| {
                s.bind(&counter, &USIZE, None, false);
                host_expr(s, elem)
            });
            Node::optional(parts![
                format!(
                    "for {counter} in 0usize..{name}.len().min(70usize) {{ {name}[{counter}] = "
                ),
                value,
                "; } "
            ])
        }
        1 => {
            let index = expr(s, &USIZE);
            let value = host_expr(s, elem);
            if s.risk(Hazard::Index) {
                return Node::optional(parts![name, "[", index, "] = ", value, "; "]);
            }
            Node::optional(parts![
                format!("if {name}.len() > 0usize {{ {name}["),
                index,
                format!(" % {name}.len()] = "),
                value,
                "; } "
            ])
        }
        2 => {
            let trips = 1 + s.rng.below(3);
            let next = array(s, elem).node;
            Node::optional(parts![
                format!("for {counter} in 0usize..{trips}usize {{ {name} = "),
                next,
                format!(".take({counter} + 100usize); }} ")
            ])
        }
        _ => {
            let (xs, _) = source(s);
            let total = s.name();
            let made = s.scoped(|s| {
                s.bind(&total, &USIZE, None, true);
                let mut made = parts![format!("let mut {total} = "), xs.node, ".len(); "];
                made.push(loop_(s).into());
                let value = expr(s, elem);
                made.extend(parts![
                    format!("if {total} < {name}.len() {{ {name}[{total}] = "),
                    value,
                    "; } "
                ]);
                made
            });
            Node::optional(parts!["{ ", Node::fixed(made), "} "])
        }
    }
}

/// An expression in a loop of the host: no array operations either, or the loop takes for ever.
fn host_expr(s: &mut State, ty: &Ty) -> Node {
    let place = std::mem::replace(&mut s.place, Place::Body);
    let node = expr(s, ty);
    s.place = place;
    node
}
