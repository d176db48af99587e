//! Expressions that give as many elements as values say, or as there are pairs and runs.

use super::arrays::{Made, array, map, new, source};
use super::dense::element_closure;
use super::order::distinct;
use super::scalars::{BOOL, USIZE, expr};
use super::state::State;
use super::tree::Ty;
use crate::parts;

/// As many elements as values say.
pub fn selected(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    if elem.is_array() {
        return map(s, elem, ty);
    }
    match s.rng.below(11) {
        9 | 10 => distinct(s, elem, ty),
        6 => scatter_unique(s, elem, ty),
        7 | 8 => paired(s, elem, ty),
        0 | 1 => {
            let xs = array(s, elem);
            let f = element_closure(s, &[elem], &BOOL);
            let name = *s.rng.pick(&[".filter(", ".filter(", ".take_while("]);
            new(ty, parts![xs.node, name, f, ")"])
        }
        2 => {
            let xs = array(s, elem);
            let f = element_closure(s, &[elem], &BOOL);
            let part = *s.rng.pick(&[").0", ").1"]);
            new(ty, parts![xs.node, ".partition(", f, part])
        }
        3 => {
            let xs = array(s, elem);
            let f = element_closure(s, &[elem], &BOOL);
            let name = s.name();
            let made = parts![
                format!("{{ let {name} = "),
                xs.node,
                format!("; {name}.compress({name}.map("),
                f,
                ")) }"
            ];
            new(ty, made)
        }
        4 => {
            let (xs, from) = source(s);
            let name = *s.rng.pick(&[".map(", ".flat_map("]);
            let f = element_closure(s, &[&from], &Ty::array(elem));
            let end = if name == ".map(" { ").concat()" } else { ")" };
            new(ty, parts![xs.node, name, f, end])
        }
        _ => pieces(s, elem, ty),
    }
}

/// Made of arrays in an array whose lengths differ.
fn pieces(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let from = Ty::Scalar(s.scalar());
    let (rows, run) = match s.rng.below(3) {
        0 => {
            let xs = array(s, &from);
            let width = expr(s, &USIZE);
            let made = parts![xs.node, ".chunks(1usize + ", width, " % 4usize)"];
            (made, Ty::array(&from))
        }
        1 => {
            // Two rows, wherever they are divided.
            let (xs, at) = (array(s, &from), expr(s, &USIZE));
            let name = s.name();
            let cut = s.name();
            let made = parts![
                format!("{{ let {name} = "),
                xs.node,
                format!("; let {cut} = ("),
                at,
                format!(
                    ") % ({name}.len() + 1usize); {name}.unflatten([{cut}, {name}.len() - {cut}]) }}"
                )
            ];
            (made, Ty::array(&from))
        }
        _ => {
            let xs = array(s, &from);
            let name = s.name();
            let made = parts![
                format!("{{ let {name} = "),
                xs.node,
                format!(".chunks(3usize); zip({name}.lens(), {name}) }}")
            ];
            let pair = Ty::Tuple(vec![USIZE, Ty::array(&from)]);
            (made, pair)
        }
    };
    let f = element_closure(s, &[&run], elem);
    let mut made = rows;
    made.extend(parts![".map(", f, ")"]);
    new(ty, made)
}

/// To some of the positions, each once: as a range, or as those that are kept.
fn scatter_unique(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let (xs, init) = (array(s, elem), expr(s, elem));
    let (name, places) = (s.name(), s.name());
    let kept = match s.rng.below(3) {
        0 => parts![".rev()"],
        _ => {
            let f = element_closure(s, &[&USIZE], &BOOL);
            parts![".filter(", f, ")"]
        }
    };
    let mut made = parts![
        format!("{{ let {name} = "),
        xs.node,
        format!("; let {places} = (0usize..{name}.len())")
    ];
    made.extend(kept);
    made.extend(parts![
        format!("; scatter_unique(fill("),
        init,
        format!(", {name}.len()), {places}, {places}.map(|i| {name}[i])) }}")
    ]);
    new(ty, made)
}

/// Made of pairs of elements, or of runs.
fn paired(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let from = Ty::Scalar(s.scalar());
    let xs = array(s, &from);
    let (of, made) = match s.rng.below(3) {
        0 => {
            let pair = Ty::Tuple(vec![from.clone(), from]);
            (pair, parts![xs.node, ".take(12usize).pairs()"])
        }
        1 => {
            let (ys, other) = source(s);
            let pair = Ty::Tuple(vec![from, other]);
            let made = parts!["cartesian(", xs.node, ".take(9usize), ", ys.node];
            (pair, [made, parts![".take(7usize))"]].concat())
        }
        _ => {
            let run = Ty::Tuple(vec![from, USIZE]);
            (run, parts![xs.node, ".run_lengths()"])
        }
    };
    let f = element_closure(s, &[&of], elem);
    new(ty, [made, parts![".map(", f, ")"]].concat())
}
