//! Operators along an axis: reductions of an array with one dimension more, and scans.

use super::Hazard;
use super::arrays::operator;
use super::dense::{another, element_closure};
use super::scalars::{BOOL, expr};
use super::state::State;
use super::tree::{Dim, Node, Ty};
use crate::parts;
use ragged_compiler::prims::Scalar;

/// An array of these extents, each element made of a lane.
pub fn reduced(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let axis = s.rng.below(dims.len() + 1);
    match (s.rng.below(6), elem) {
        (0, _) if s.rng.chance(1, 2) => combined(s, dims, axis, elem, ty),
        (0, _) => folded(s, dims, axis, elem, ty),
        (2, _) => {
            let name = *s.rng.pick(&["scan_from_axis", "rscan_from_axis"]);
            let xs = along(s, dims, axis, elem, false);
            let (init, f) = (expr(s, elem), operator(s, elem));
            let made = parts![xs, format!(".{name}({axis}, "), init, ", ", f, ").1"];
            Node::expr(ty, made)
        }
        (_, Ty::Scalar(Scalar::Bool)) => {
            let name = *s.rng.pick(&["any_axis", "all_axis"]);
            counted(s, dims, axis, name, ty)
        }
        (1, Ty::Scalar(Scalar::Usize)) => counted(s, dims, axis, "count_axis", ty),
        (3..=5, Ty::Scalar(Scalar::Usize)) => {
            let of = Ty::Scalar(
                *s.rng
                    .pick(&[Scalar::F32, Scalar::F64, Scalar::I32, Scalar::U8]),
            );
            let name = *s.rng.pick(&["argmin_axis", "argmax_axis"]);
            whole(s, dims, axis, (&of, name), ty)
        }
        (3, Ty::Scalar(scalar)) if scalar.is_float() => {
            whole(s, dims, axis, (elem, "mean_axis"), ty)
        }
        (4, Ty::Scalar(_)) => {
            let name = *s.rng.pick(&["min_axis", "max_axis"]);
            whole(s, dims, axis, (elem, name), ty)
        }
        (_, Ty::Scalar(_)) => {
            let name = *s.rng.pick(&["sum_axis", "product_axis"]);
            let xs = along(s, dims, axis, elem, false);
            Node::expr(ty, parts![xs, format!(".{name}({axis})")])
        }
        (_, Ty::Complex(_) | Ty::Tuple(_) | Ty::Array(_) | Ty::Dense(..)) => {
            combined(s, dims, axis, elem, ty)
        }
    }
}

/// The extents with one more at `axis`; one that is not 0, if lanes must have elements.
fn along(s: &mut State, dims: &[Dim], axis: usize, elem: &Ty, filled: bool) -> Node {
    let dim = match filled && !s.risk(Hazard::Empty) {
        true => Dim::Known(1 + s.rng.below(4)),
        false => s.dim(),
    };
    let mut dims = dims.to_vec();
    dims.insert(axis, dim);
    another(s, &dims, elem)
}

/// By an operator that has no value for empty lanes.
fn whole(s: &mut State, dims: &[Dim], axis: usize, (of, name): (&Ty, &str), ty: &Ty) -> Node {
    let xs = along(s, dims, axis, of, true);
    Node::expr(ty, parts![xs, format!(".{name}({axis})")])
}

fn combined(s: &mut State, dims: &[Dim], axis: usize, elem: &Ty, ty: &Ty) -> Node {
    let xs = along(s, dims, axis, elem, false);
    let (init, f) = (expr(s, elem), operator(s, elem));
    let made = parts![xs, format!(".reduce_axis({axis}, "), init, ", ", f, ")"];
    Node::expr(ty, made)
}

fn folded(s: &mut State, dims: &[Dim], axis: usize, elem: &Ty, ty: &Ty) -> Node {
    let from = s.element();
    let xs = along(s, dims, axis, &from, false);
    let init = expr(s, elem);
    let f = super::arrays::closure(s, &[elem, &from], elem);
    let made = parts![xs, format!(".fold_axis({axis}, "), init, ", ", f, ")"];
    Node::expr(ty, made)
}

/// Of truth values, or with a predicate.
fn counted(s: &mut State, dims: &[Dim], axis: usize, name: &str, ty: &Ty) -> Node {
    if s.rng.chance(1, 2) {
        let xs = along(s, dims, axis, &BOOL, false);
        return Node::expr(ty, parts![xs, format!(".{name}({axis})")]);
    }
    let from = s.element();
    let xs = along(s, dims, axis, &from, false);
    let f = element_closure(s, &[&from], &BOOL);
    Node::expr(ty, parts![xs, format!(".{name}({axis}, "), f, ")"])
}

/// Prefixes or suffixes of each lane.
pub fn scanned(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let axis = s.rng.below(dims.len());
    let xs = another(s, dims, elem);
    let f = operator(s, elem);
    let (name, with_init) = *s.rng.pick(&[
        ("scan", false),
        ("rscan", false),
        ("prescan", true),
        ("rprescan", true),
        ("scan_from", true),
        ("rscan_from", true),
    ]);
    let mut made = parts![xs, format!(".{name}_axis({axis}, ")];
    if with_init {
        made.extend(parts![expr(s, elem), ", "]);
    }
    let end = if name.ends_with("from") { ").0" } else { ")" };
    made.extend(parts![f, end]);
    Node::expr(ty, made)
}
