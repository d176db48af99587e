//! Functions of arrays of arrays of any lengths, and expressions for these and for what is in them.

use super::arrays::{Made, array, bound, map, new};
use super::bodies::loop_;
use super::dense::element_closure;
use super::items::{body, function};
use super::rows;
use super::scalars::{BOOL, USIZE, composed, expr};
use super::state::{Param, Place, Signature, State};
use super::tree::{Dim, Node, Part, Ty};
use crate::parts;

/// `[[T]]`, or one level more.
pub fn ragged_type(s: &mut State) -> Ty {
    let levels = if s.rng.chance(1, 4) { 3 } else { 2 };
    rows::nested(levels, &s.dense_element())
}

/// The type of a local, with arrays in it.
pub fn local_type(s: &mut State) -> Ty {
    let (row, other) = (Ty::array(&s.dense_element()), s.element());
    match s.rng.below(9) {
        0..=2 => row,
        3..=5 => ragged_type(s),
        6 => Ty::array(&Ty::Tuple(vec![row, other])),
        7 => Ty::Tuple(vec![other, row]),
        _ => s.dense_type(3),
    }
}

/// An exported function of rows of any lengths, and whatever else.
pub fn exported(s: &mut State, name: String) -> Node {
    s.ragged = true;
    let outer = s.scope.len();
    let (size, shared) = (s.name(), s.class());
    s.bind(&size, &USIZE, None, false);
    if s.rng.chance(1, 2) {
        let width = s.name();
        s.bind(&width, &USIZE, None, false);
        let class = s.class();
        s.dims = vec![
            (Dim::Named(size.clone()), shared),
            (Dim::Named(width), class),
        ];
    }
    let mut params = Vec::new();
    for at in 0..1 + s.rng.below(4) {
        let ty = match s.rng.below(5) {
            _ if at == 0 => ragged_type(s),
            0 => ragged_type(s),
            1 | 2 => Ty::array(&s.element()),
            3 if !s.dims.is_empty() => s.dense_type(2),
            _ => s.element(),
        };
        let named = matches!(ty, Ty::Array(_)) && s.rng.chance(1, 2);
        let class = if named { shared } else { s.class() };
        let name = s.name();
        s.bind(&name, &ty, Some(class), false);
        structured(s);
        let size = named.then(|| size.clone());
        params.push(Param::of(name, ty, size));
    }
    sized(s, &mut params, &size, shared);
    let (ret, made) = body(s);
    s.scope.truncate(outer);
    s.dims.clear();
    s.ragged = false;
    function(s, "pub fn", name, params, ret, made)
}

/// The size names that no parameter would say get one that does.
fn sized(s: &mut State, params: &mut Vec<Param>, size: &str, shared: u32) {
    let dims: Vec<Dim> = s.dims.iter().map(|(dim, _)| dim.clone()).collect();
    let ty = match dims.is_empty() {
        true => Ty::array(&s.element()),
        false => Ty::dense(&dims, &s.dense_element()),
    };
    let name = s.name();
    s.bind(&name, &ty, Some(shared), false);
    let size = dims.is_empty().then(|| size.to_owned());
    params.push(Param::of(name, ty, size));
}

/// Gives what was bound last structures of its own.
fn structured(s: &mut State) {
    let bound = s.scope.last().expect("something has been bound");
    let Ty::Array(_) = bound.ty else { return };
    let below = bound.ty.levels().0 - 1;
    let rows = (0..below).map(|_| s.class()).collect();
    s.scope.last_mut().expect("it has been bound").rows = rows;
}

/// A private function of arrays, for bodies.
pub fn private(s: &mut State, name: String) -> Node {
    (s.ragged, s.place, s.depth) = (true, Place::Nest, 1);
    let outer = s.scope.len();
    let mut params = Vec::new();
    for at in 0..1 + s.rng.below(2) {
        let ty = match s.rng.below(4) {
            0 if at > 0 => s.element(),
            1 => rows::nested(2, &s.dense_element()),
            _ => Ty::array(&s.dense_element()),
        };
        let (name, class) = (s.name(), s.class());
        s.bind(&name, &ty, Some(class), false);
        structured(s);
        let size = None;
        params.push(Param::of(name, ty, size));
    }
    let elem = s.dense_element();
    let ret = rows::nested(s.rng.below(3), &elem);
    let made = expr(s, &ret);
    s.scope.truncate(outer);
    (s.ragged, s.place, s.depth) = (false, Place::Host, 0);
    function(s, "fn", name, params, ret, made)
}

/// A call of a function of arrays that gives `ty`, if there is one.
pub fn call(s: &mut State, ty: &Ty) -> Option<Node> {
    let fits = |it: &&Signature| {
        let of_arrays = it.params.iter().any(|param| param.ty.is_array());
        it.ret == *ty && !it.exported && of_arrays
    };
    let functions: Vec<Signature> = s.functions.iter().filter(fits).cloned().collect();
    if functions.is_empty() || !s.may_operate() {
        return None;
    }
    let called = s.rng.pick(&functions).clone();
    let mut made = parts![called.name.as_str(), "("];
    for param in &called.params {
        made.extend(parts![expr(s, &param.ty), ", "]);
    }
    made.extend(parts![")"]);
    Some(Node::expr(ty, made))
}

/// An array in a function of rows: of arrays, or of what is in them; or nothing, and it is made as
/// any other.
pub fn ragged(s: &mut State, elem: &Ty, ty: &Ty) -> Option<Made> {
    let made = match s.rng.below(18) {
        0..=3 => {
            let levels = 1 + s.rng.below(rows::levels(ty));
            let inner = (0..levels).fold(ty.clone(), |ty, _| ty.element().expect("its levels"));
            let rows::Alike { node, class, .. } = rows::alike(s, levels, &inner)?;
            return Some(Made { node, class });
        }
        4 => parts![rows::read(s, ty)?],
        5 => parts![composed(s, ty)],
        6 => parts![call(s, ty)?],
        7 => parts![array(s, ty).node, *s.rng.pick(&[".concat()", ".flatten()"])],
        8 => changed(s, ty)?,
        9 if ty.levels().0 < 3 => folded(s, ty),
        10 => unzipped(s, elem, ty),
        11 | 12 if elem.holds_arrays() => kept(s, elem, ty),
        13 if elem.is_array() => divided(s, elem),
        14 if rows::levels(elem) > 0 => {
            let xs = array(s, &elem.element().expect("it is an array"));
            parts![xs.node, ".chunks(1usize + ", expr(s, &USIZE), " % 4usize)"]
        }
        15 if elem.holds_arrays() => {
            let (xs, from) = super::arrays::source(s);
            let f = element_closure(s, &[&from], ty);
            parts![xs.node, ".flat_map(", f, ")"]
        }
        16 if rows::levels(elem) > 0 => {
            let xs = array(s, &elem.element().expect("it is an array"));
            parts![xs.node, ".windows(1usize + ", expr(s, &USIZE), " % 3usize)"]
        }
        _ => return None,
    };
    Some(new(ty, made))
}

/// An array of few words: a row of one in scope, or one that is made along it.
pub fn brief(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    if s.rng.chance(1, 3)
        && let Some(node) = rows::read(s, ty)
    {
        let class = None;
        return Made { node, class };
    }
    let all = rows::levels(ty);
    let known = s.arrays().iter().map(|var| rows::levels(&var.ty)).max();
    let levels = all.min(known.unwrap_or_default());
    let inner = (0..levels).fold(ty.clone(), |ty, _| ty.element().expect("its levels"));
    match levels > 0 && !inner.holds_arrays() {
        true => match rows::alike(s, levels, &inner) {
            Some(rows::Alike { node, class, .. }) => Made { node, class },
            None => super::arrays::small(s, elem, ty),
        },
        false => super::arrays::small(s, elem, ty),
    }
}

/// Some of the elements, which are arrays or hold them.
fn kept(s: &mut State, elem: &Ty, ty: &Ty) -> Vec<Part> {
    let xs = array(s, elem);
    let f = element_closure(s, &[elem], &BOOL);
    match s.rng.below(4) {
        0 | 1 => parts![xs.node, ".filter(", f, ")"],
        2 => {
            let part = *s.rng.pick(&[").0", ").1"]);
            parts![xs.node, ".partition(", f, part]
        }
        _ => {
            let name = s.name();
            parts![
                format!("{{ let {name}: {} = ", ty.without_sizes()),
                xs.node,
                format!("; {name}.compress({name}.map("),
                f,
                ")) }"
            ]
        }
    }
}

/// The elements of an array, divided as another is.
fn divided(s: &mut State, elem: &Ty) -> Vec<Part> {
    let inner = elem.element().expect("rows are arrays");
    let (name, lens) = (s.name(), s.name());
    let xs = array(s, elem);
    let start = parts![
        format!("{{ let {name}: {} = ", Ty::array(elem).without_sizes()),
        xs.node,
        format!("; let {lens} = {name}.lens(); {name}.concat()")
    ];
    let f = s.element_body(&inner, |s| {
        let param = bound(s, &inner);
        Node::fixed(parts![format!("|{param}| "), expr(s, &inner)])
    });
    let turned = *s
        .rng
        .pick(&["", ".rev()", ".rotate_left(min(1usize, LENS.len()))"]);
    let turned = turned.replace("LENS", &lens);
    let mut made = start;
    made.extend(parts![
        ".map(",
        f,
        format!(").unflatten({lens}{turned}) }}")
    ]);
    made
}

/// A block whose value is an array of arrays that was assigned to.
fn changed(s: &mut State, ty: &Ty) -> Option<Vec<Part>> {
    if ty.levels().1.holds_arrays() {
        return None;
    }
    let start = expr(s, ty);
    Some(s.scoped(|s| {
        let name = s.name();
        s.bind(&name, ty, None, true);
        let mut made = parts![
            format!("{{ let mut {name}: {} = ", ty.without_sizes()),
            start,
            "; "
        ];
        for _ in 0..1 + s.rng.below(2) {
            let change = match s.loops < 2 && s.rng.chance(1, 3) {
                true => loop_(s),
                false => rows::put(s, &name, ty),
            };
            made.extend(parts![change]);
        }
        made.extend(parts![name, " }"]);
        made
    }))
}

/// An array that goes along the rows of another.
fn folded(s: &mut State, ty: &Ty) -> Vec<Part> {
    let from = Ty::array(&s.dense_element());
    let xs = array(s, &from);
    let init = expr(s, ty);
    let most = 1 + s.rng.below(40);
    let f = s.element_body(ty, |s| {
        let params = [bound(s, ty), bound(s, &from)];
        Node::fixed(parts![
            format!("|{}| ", params.join(", ")),
            expr(s, ty),
            format!(".take({most}usize)")
        ])
    });
    parts![xs.node, ".fold(", init, ", ", f, ")"]
}

/// One of two arrays that are made at once, the other perhaps of rows of one length.
fn unzipped(s: &mut State, elem: &Ty, ty: &Ty) -> Vec<Part> {
    let (xs, from) = super::arrays::source(s);
    let other = s.local();
    let at = s.rng.below(2);
    let deep = if other.holds_arrays() { ty } else { elem };
    let f = s.element_body(deep, |s| {
        let param = bound(s, &from);
        let mut pair = [expr(s, elem), expr(s, &other)];
        pair.rotate_right(at);
        let [a, b] = pair;
        Node::fixed(parts![format!("|{param}| ("), a, ", ", b, ")"])
    });
    parts![xs.node, ".map(", f, format!(").unzip().{at}")]
}

/// `let` of an array that has the structure of one in scope.
pub fn let_alike(s: &mut State) -> Option<Node> {
    let levels = 1 + s.rng.below(3);
    let elem = s.dense_element();
    let made = rows::alike(s, levels, &elem)?;
    let name = s.name();
    s.bind(&name, &made.ty, made.class, false);
    s.scope.last_mut().expect("it has been bound").rows = made.rows;
    let start = format!("let {name} = ");
    Some(Node::optional(parts![start, made.node, "; "]))
}

/// The result of a function of rows.
pub fn result(s: &mut State) -> (Ty, Node) {
    let ty = match s.rng.below(6) {
        0 => s.element(),
        1 => Ty::array(&s.element()),
        2 if !s.dims.is_empty() => s.dense_type(3),
        _ => ragged_type(s),
    };
    let value = expr(s, &ty);
    (ty, value)
}

/// Any array of arrays that is made as any other array.
pub fn plain(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    use super::arrays as a;
    match s.rng.below(12) {
        0..=2 => map(s, elem, ty),
        3 | 4 => a::zip_map(s, elem, ty),
        5 | 6 => a::generate(s, elem, ty),
        7 => a::small(s, elem, ty),
        8 => a::rearranged(s, elem, ty),
        9 => a::joined(s, elem, ty),
        10 => a::gather(s, elem, ty),
        _ => a::pairwise(s, elem, ty),
    }
}
