//! Functions over sequences: what they take, their passes, what they give.
//!
//! All that is made can be streamed: what items are made of is in scope before the pass over them
//! begins, and what a pass leaves comes into scope behind it. Sources that are gone through together
//! are zipped before anything is left out, and mostly have one length.
//! Items are computed chunk by chunk, so which of several errors comes first is not determined: there
//! is one place at which a function may fail (`State::once`), and it reads all of its items then.

use super::bodies::{let_, loop_};
use super::items::private;
use super::passes::{self, Seq};
use super::scalars::{USIZE, expr};
use super::state::{Param, Signature, State};
use super::tree::{Dim, Node, Part, Ty};
use super::{Hazard, rows};
use crate::parts;

/// A private function of one sequence.
#[derive(Clone, Debug)]
pub struct Streaming {
    pub name: String,
    /// What it takes the items of.
    pub item: Ty,
    /// What it takes besides.
    pub others: Vec<Ty>,
    pub gives: Gives,
}

/// What is left of a sequence.
#[derive(Clone, Debug)]
pub enum Gives {
    /// A sequence of these.
    Items(Ty),
    /// A value of this type.
    Value(Ty),
}

/// A block of functions over sequences.
pub fn block(s: &mut State) -> Node {
    let hazard = s.hazard;
    (s.once, s.hazard) = (true, Hazard::None);
    let mut made = Vec::new();
    if s.rng.chance(1, 3) {
        made.push(Part::Node(private(s)));
    }
    for _ in 0..s.rng.below(3) {
        made.push(Part::Node(streaming(s)));
    }
    for _ in 0..1 + usize::from(s.rng.chance(1, 3)) {
        s.hazard = if s.rng.chance(1, 2) {
            hazard
        } else {
            Hazard::None
        };
        made.push(Part::Node(exported(s)));
    }
    Node::fixed(made)
}

/// A function of one sequence, which others call.
fn streaming(s: &mut State) -> Node {
    let outer = s.scope.len();
    (s.ragged, s.budget, s.chains) = (s.rng.chance(1, 2), 12, false);
    let name = format!("h{}", s.streaming.len());
    let item = item(s);
    let mut params = vec![sequence(s, &item)];
    let others: Vec<Ty> = (0..s.rng.below(2)).map(|_| s.element()).collect();
    for ty in &others {
        params.push(parameter(s, ty, None));
    }
    let whole = Seq::named(&params[0].name, &item);
    let (gives, ret, value) = match s.rng.chance(1, 2) {
        true => {
            let seq = passes::chain(s, whole, 2);
            let ret = format!("Seq<{}>", seq.item);
            (Gives::Items(seq.item), ret, seq.node)
        }
        false => {
            let seq = passes::chain(s, whole, 1);
            let (ty, value) = super::sinks::sink(s, seq);
            (Gives::Value(ty.clone()), ty.to_string(), value)
        }
    };
    s.scope.truncate(outer);
    s.ragged = false;
    let head = head("fn", &name, &params, &ret);
    s.streaming.push(Streaming {
        name,
        item,
        others,
        gives,
    });
    Node::optional([head, parts![value, "\n}\n"]].concat())
}

fn exported(s: &mut State) -> Node {
    let name = format!("f{}", s.functions.len());
    let outer = s.scope.len();
    (s.nested, s.ragged) = (0, s.rng.chance(1, 2));
    let shared = s.class();
    let length = s.name();
    let mut params = sizes(s);
    let count = *s.rng.pick(&[0, 0, 1, 1, 1, 2, 2]);
    let mut unread = Vec::new();
    for _ in 0..count {
        let item = item(s);
        let mut param = sequence(s, &item);
        // As long as each other, mostly: they may be zipped.
        param.size = s.rng.chance(3, 4).then(|| length.clone());
        unread.push((param.name.clone(), item));
        params.push(param);
    }
    for _ in 0..1 + s.rng.below(2) {
        let ty = match s.rng.below(3) {
            0 => s.element(),
            1 if s.ragged => rows::nested(2, &s.dense_element()),
            _ => Ty::array(&s.element()),
        };
        let class = s.class();
        params.push(parameter(s, &ty, Some(class)));
    }
    let mut along = None;
    if count > 0 && s.rng.chance(1, 3) {
        // What is as long as the sequences.
        let elem = s.element();
        let mut array = parameter(s, &Ty::array(&elem), Some(shared));
        let mut number = parameter(s, &USIZE, None);
        for param in [&mut array, &mut number] {
            param.size = Some(length.clone());
        }
        along = Some((array.name.clone(), elem, number.name.clone()));
        params.extend([array, number]);
    }
    let (ret, body) = body(s, unread, along);
    s.scope.truncate(outer);
    s.dims.clear();
    s.ragged = false;
    let head = head("pub fn", &name, &params, &ret);
    s.functions.push(Signature {
        name,
        params,
        ret: Ty::Tuple(Vec::new()),
        exported: true,
        streams: true,
        nested: s.nested,
    });
    Node::optional([head, parts![body, "\n}\n"]].concat())
}

fn head(keyword: &str, name: &str, params: &[Param], ret: &str) -> Vec<Part> {
    let mut made = parts![format!("{keyword} {name}(")];
    for param in params {
        let ty = match (&param.ty, param.seq) {
            (Ty::Array(item), true) => format!("Seq<{item}>"),
            (ty, _) => ty.to_string(),
        };
        let text = parts![format!("{}: {ty}, ", param.name)];
        made.push(Node::optional(text).into());
    }
    made.extend(parts![format!(") -> {ret} {{\n    ")]);
    made
}

/// A sequence is no name that expressions may read.
fn sequence(s: &mut State, item: &Ty) -> Param {
    Param {
        name: s.name(),
        ty: Ty::array(item),
        size: None,
        seq: true,
    }
}

fn parameter(s: &mut State, ty: &Ty, class: Option<u32>) -> Param {
    let name = s.name();
    s.bind(&name, ty, class, false);
    Param {
        name,
        ty: ty.clone(),
        size: None,
        seq: false,
    }
}

/// Extents, which are known outside of items too: parameters, or those of an array.
fn sizes(s: &mut State) -> Vec<Param> {
    if s.rng.chance(1, 2) {
        return Vec::new();
    }
    let count = 1 + s.rng.below(2);
    let dims: Vec<Dim> = (0..count).map(|_| Dim::Named(s.name())).collect();
    s.dims = dims.iter().map(|dim| (dim.clone(), s.class())).collect();
    for dim in &dims {
        s.bind(&dim.to_string(), &USIZE, None, false);
    }
    if s.rng.chance(1, 2) {
        let mut all = dims.clone();
        while all.len() < 4 && s.rng.chance(2, 3) {
            all.push(s.dim());
        }
        let ty = Ty::dense(&all, &s.dense_element());
        return vec![parameter(s, &ty, None)];
    }
    let number = |dim: &Dim| Param {
        name: dim.to_string(),
        ty: USIZE,
        size: Some(dim.to_string()),
        seq: false,
    };
    dims.iter().map(number).collect()
}

/// The type of items.
pub fn item(s: &mut State) -> Ty {
    let called = s.streaming.iter().map(|it| it.item.clone());
    let called: Vec<Ty> = called.filter(|ty| s.ragged || !ty.holds_arrays()).collect();
    if !called.is_empty() && s.rng.chance(1, 3) {
        return s.rng.pick(&called).clone();
    }
    match s.rng.below(8) {
        0 | 1 if !s.dims.is_empty() => s.dense_type(2),
        0 | 1 if s.ragged => Ty::array(&s.dense_element()),
        2 if s.ragged => match s.rng.below(3) {
            0 => rows::nested(2, &s.dense_element()),
            1 => Ty::Tuple(vec![s.element(), Ty::array(&s.dense_element())]),
            _ => Ty::array(&s.dense_element()),
        },
        _ => s.element(),
    }
}

/// Passes with statements between them, then the result.
fn body(
    s: &mut State,
    mut unread: Vec<(String, Ty)>,
    along: Option<(String, Ty, String)>,
) -> (String, Node) {
    let (mut stmts, mut left) = (Vec::new(), Vec::new());
    let ends = s.rng.chance(2, 5);
    let most = 1 + usize::from(s.rng.chance(1, 3)) + usize::from(s.rng.chance(1, 6));
    let passes = most.max(usize::from(ends));
    for at in 0..passes {
        statements(s, &mut stmts);
        let last = at + 1 == passes;
        let mut all = std::mem::take(&mut unread);
        let here = match last || all.len() < 2 {
            true => all,
            false => {
                unread = all.split_off(1);
                all
            }
        };
        let zipped = along.as_ref().filter(|_| !here.is_empty());
        let mut sources = passes::source(s, here, zipped, &mut stmts);
        if last && ends {
            s.budget = 12;
            let seq = passes::branched(s, sources.swap_remove(0), &mut stmts);
            return (
                format!("Seq<{}>", seq.item),
                Node::fixed([stmts, parts![seq.node]].concat()),
            );
        }
        passes::pass(s, sources, &mut stmts, &mut left);
    }
    statements(s, &mut stmts);
    let (ret, value) = result(s, left);
    stmts.push(value.into());
    (ret, Node::fixed(stmts))
}

/// Statements without sequences: variables, and what is assigned to these.
fn statements(s: &mut State, stmts: &mut Vec<Part>) {
    s.budget = 8;
    match s.rng.below(6) {
        0 => {
            let (ty, name) = (s.element(), s.name());
            let value = expr(s, &ty);
            s.bind(&name, &ty, None, true);
            let start = format!("let mut {name}: {ty} = ");
            stmts.push(Node::optional(parts![start, value, ";\n    "]).into());
        }
        1 => stmts.push(let_(s).into()),
        2 => stmts.push(loop_(s).into()),
        _ => {}
    }
    assigned(s, stmts);
}

/// Perhaps a new value for a variable.
pub fn assigned(s: &mut State, stmts: &mut Vec<Part>) {
    let variables: Vec<_> = s.scope.iter().filter(|it| it.assignable).cloned().collect();
    if variables.is_empty() || s.rng.chance(1, 2) {
        return;
    }
    let variable = s.rng.pick(&variables).clone();
    s.budget = 4;
    let value = expr(s, &variable.ty);
    let made = parts![variable.name.as_str(), " = ", value, ";\n    "];
    stmts.push(Node::optional(made).into());
}

/// Some of what passes have left, and something made of it.
fn result(s: &mut State, left: Vec<(String, Ty)>) -> (String, Node) {
    let (mut types, mut made) = (Vec::new(), parts!["("]);
    for (name, ty) in left.iter().rev().take(4) {
        types.push(ty.to_string());
        made.extend(parts![Node::expr(ty, parts![name.as_str()]), ", "]);
    }
    if types.len() < 2 || s.rng.chance(1, 3) {
        s.budget = 8;
        let ty = s.element();
        types.push(ty.to_string());
        made.extend(parts![expr(s, &ty), ", "]);
    }
    made.extend(parts![")"]);
    (format!("({},)", types.join(", ")), Node::fixed(made))
}
