//! Arrays of arrays of any lengths, gone through row by row, read and assigned to.
//!
//! Rows have the classes of their lengths from the structures of the arrays that they are in: at one
//! index, arrays of one structure have rows of one length, which can be zipped.

use super::Hazard;
use super::bodies::let_;
use super::scalars::{USIZE, expr, simplest};
use super::state::{State, Var};
use super::tree::{Node, Part, Ty};
use crate::parts;

/// An array like one in scope: its levels down to the elements of `made`, and elements of their own.
pub struct Alike {
    pub node: Node,
    pub ty: Ty,
    pub class: Option<u32>,
    pub rows: Vec<u32>,
}

/// An array of `levels` levels like one in scope that has these; all with elements of type `elem`.
pub fn alike(s: &mut State, levels: usize, elem: &Ty) -> Option<Alike> {
    let fits = |var: &&Var| matches!(var.ty, Ty::Array(_)) && var.ty.levels().0 >= levels;
    let vars: Vec<Var> = s.scope.iter().filter(fits).cloned().collect();
    if vars.is_empty() {
        return None;
    }
    let var = s.rng.pick(&vars).clone();
    let ty = nested(levels, elem);
    let parts = level(s, &var, levels, elem);
    Some(Alike {
        node: Node::expr(&ty, parts),
        ty,
        class: var.class,
        rows: var.rows.into_iter().take(levels - 1).collect(),
    })
}

/// `elem` in so many arrays.
pub fn nested(levels: usize, elem: &Ty) -> Ty {
    (0..levels).fold(elem.clone(), |ty, _| Ty::array(&ty))
}

/// How many arrays of any lengths are inside of each other in `ty`, from the outermost on.
pub fn levels(ty: &Ty) -> usize {
    match ty {
        Ty::Array(elem) => 1 + levels(elem),
        Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Dense(..) => 0,
    }
}

/// As long as `first`, its elements of the structure that those of `first` have.
fn level(s: &mut State, first: &Var, levels: usize, elem: &Ty) -> Vec<Part> {
    let mut vars = vec![first.clone()];
    if let Some(other) = companion(s, first)
        && s.rng.chance(1, 2)
    {
        vars.push(other);
    }
    each(s, &vars, &nested(levels - 1, elem), |s, elements| {
        if levels == 1 {
            return Node::fixed(parts![expr(s, elem)]);
        }
        let mut made = parts!["{ "];
        if s.budget > 0 && s.rng.chance(1, 3) {
            made.extend(parts![let_(s)]);
        }
        let inner = level(s, &elements[0], levels - 1, elem);
        made.extend(parts![Node::expr(&nested(levels - 1, elem), inner), " }"]);
        Node::fixed(made)
    })
}

/// Another array that is as long; any, where sizes may differ.
fn companion(s: &mut State, first: &Var) -> Option<Var> {
    let risky = s.risk(Hazard::Size);
    let mut arrays = s.arrays();
    arrays.retain(|it| risky || it.class.is_some() && it.class == first.class);
    arrays.retain(|it| it.name != first.name);
    (!arrays.is_empty()).then(|| s.rng.pick(&arrays).clone())
}

/// What `make` gives for the elements of `vars`, which are as long as each other: of type `ret`.
fn each(
    s: &mut State,
    vars: &[Var],
    ret: &Ty,
    make: impl FnOnce(&mut State, &[Var]) -> Node,
) -> Vec<Part> {
    let (names, body) = s.element_body(ret, |s| {
        let mut known = Vec::new();
        let elements = vars.iter().map(|var| element(s, var, &mut known));
        let elements: Vec<Var> = elements.collect();
        let names: Vec<String> = elements.iter().map(|var| var.name.clone()).collect();
        (names, make(s, &elements))
    });
    let all: Vec<&str> = vars.iter().map(|var| var.name.as_str()).collect();
    let (all, names) = match vars.len() {
        1 => (all[0].to_owned(), names[0].clone()),
        _ => (
            format!("zip({})", all.join(", ")),
            format!("({})", names.join(", ")),
        ),
    };
    match s.rng.below(3) {
        0 => parts![format!("{all}.map(|{names}| "), body, ")"],
        _ => parts![format!("(for {names} in {all} {{ "), body, " })"],
    }
}

/// The element of `var`, bound. In `known` is which class rows of a structure have at this index.
fn element(s: &mut State, var: &Var, known: &mut Vec<(u32, u32)>) -> Var {
    let ty = var.ty.element().expect("only arrays are gone through");
    let mut here = |s: &mut State, structure: &u32| {
        let found = known.iter().find(|(it, _)| it == structure);
        found.map(|(_, class)| *class).unwrap_or_else(|| {
            let class = s.class();
            known.push((*structure, class));
            class
        })
    };
    let mut structures = var.rows.iter().map(|it| here(s, it));
    let class = structures.next();
    let rows: Vec<u32> = structures.collect();
    let name = s.name();
    s.bind(&name, &ty, class, false);
    let bound = s.scope.last_mut().expect("it has been bound");
    bound.rows = rows;
    bound.clone()
}

/// A row, or an element of one, of an array in scope, if there is one with such in it.
pub fn read(s: &mut State, ty: &Ty) -> Option<Node> {
    let mut places: Vec<(String, usize)> = Vec::new();
    for var in &s.scope {
        let (mut at, mut levels) = (var.ty.clone(), 0);
        while let Ty::Array(elem) = at {
            (at, levels) = (*elem, levels + 1);
            if at == *ty {
                places.push((var.name.clone(), levels));
            }
        }
    }
    if places.is_empty() {
        return None;
    }
    let (place, levels) = s.rng.pick(&places).clone();
    let made = read_at(s, &place, levels, ty);
    Some(Node::expr(ty, made))
}

fn read_at(s: &mut State, place: &str, levels: usize, ty: &Ty) -> Vec<Part> {
    if levels == 0 {
        return parts![place];
    }
    let (at, index) = (s.name(), expr(s, &USIZE));
    let inner = format!("{place}[{at}]");
    if s.risk(Hazard::Index) {
        let mut made = parts![format!("{{ let {at} = "), index, "; "];
        made.extend(read_at(s, &inner, levels - 1, ty));
        made.extend(parts![" }"]);
        return made;
    }
    let mut made = parts![
        format!(
            "(if {place}.len() == 0usize {{ {} }} else {{ let {at} = ",
            simplest(ty)
        ),
        index,
        format!(" % {place}.len(); ")
    ];
    made.extend(read_at(s, &inner, levels - 1, ty));
    made.extend(parts![" })"]);
    made
}

/// A statement that assigns to a row of the array `name`, as long as it was, or to an element.
pub fn put(s: &mut State, name: &str, ty: &Ty) -> Node {
    let (mut place, mut ty) = (name.to_owned(), ty.clone());
    let (mut made, mut open) = (Vec::new(), 0);
    for _ in 0..1 + s.rng.below(ty.levels().0) {
        let (at, index) = (s.name(), expr(s, &USIZE));
        made.extend(parts![
            format!("if {place}.len() > 0usize {{ let {at} = "),
            index
        ]);
        made.extend(match s.risk(Hazard::Index) {
            true => parts!["; "],
            false => parts![format!(" % {place}.len(); ")],
        });
        place += &format!("[{at}]");
        ty = ty.element().expect("one of its levels");
        open += 1;
    }
    let value = match ty.is_array() {
        true => row_for(s, &place, &ty),
        false => Node::fixed(parts![expr(s, &ty)]),
    };
    made.extend(parts![format!("{place} = "), value, "; "]);
    made.extend(parts!["} ".repeat(open)]);
    Node::optional(made)
}

/// What may be assigned to the row `place`: every array in it is as long as there.
fn row_for(s: &mut State, place: &str, ty: &Ty) -> Node {
    let (levels, elem) = ty.levels();
    if levels == 1 && s.rng.chance(1, 3) {
        return Node::fixed(parts![format!("{place}.rev()")]);
    }
    let row = Var {
        name: place.to_owned(),
        ty: ty.clone(),
        class: Some(s.class()),
        rows: (1..levels).map(|_| s.class()).collect(),
        assignable: false,
    };
    Node::fixed(level(s, &row, levels, &elem))
}
