//! Scalars made of arrays.

use super::Hazard;
use super::arrays::{array, closure, operator, source};
use super::dense::{another, element_closure};
use super::scalars::{BOOL, expr};
use super::state::State;
use super::tree::{Dim, Node, Ty};
use crate::parts;
use ragged_compiler::prims::Scalar;

/// A scalar made of an array.
pub fn reduction(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    if s.rng.chance(1, 4) {
        return of_some(s, scalar, ty);
    }
    match s.rng.below(8) {
        0 | 4 | 5 if scalar == Scalar::Usize => extent(s, ty),
        1..=3 if scalar == Scalar::Usize => place(s, ty),
        0 | 1 if scalar == Scalar::Bool => quantified(s, ty),
        0 if scalar.is_float() => {
            let xs = array(s, ty);
            or(s, xs.node, "mean", ty)
        }
        2 => {
            let xs = array(s, ty);
            let f = operator(s, ty);
            Node::expr(ty, parts![xs.node, ".reduce(", expr(s, ty), ", ", f, ")"])
        }
        3 => {
            let (xs, from) = source(s);
            // Over rows it is a loop, which may hold array operations.
            let f = match from.holds_arrays() {
                true => element_closure(s, &[ty, &from], ty),
                false => closure(s, &[ty, &from], ty),
            };
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

/// Of an array that has elements: what fails without any.
fn of_some(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let number = |s: &mut State| match s.scalar() {
        Scalar::Bool => Scalar::F64,
        other => other,
    };
    let (of, name) = match scalar {
        Scalar::Bool => (scalar, *s.rng.pick(&["first", "last", "any", "all"])),
        Scalar::Usize => match s.rng.below(3) {
            0 => (Scalar::Bool, "count"),
            1 => (number(s), *s.rng.pick(&["argmin", "argmax"])),
            _ => (scalar, *s.rng.pick(&["first", "last", "min", "max"])),
        },
        _ if scalar.is_float() => (
            scalar,
            *s.rng.pick(&["mean", "first", "last", "min", "max"]),
        ),
        _ => (scalar, *s.rng.pick(&["first", "last", "min", "max"])),
    };
    let count = Dim::Known(1 + s.rng.below(4));
    let xs = another(s, &[count], &Ty::Scalar(of));
    Node::expr(ty, parts![xs, format!(".{name}()")])
}

/// `xs.name_or(v)`, or the form that fails.
fn or(s: &mut State, xs: Node, name: &str, ty: &Ty) -> Node {
    if s.risk(Hazard::Empty) {
        return Node::expr(ty, parts![xs, format!(".{name}()")]);
    }
    Node::expr(ty, parts![xs, format!(".{name}_or("), expr(s, ty), ")"])
}

/// A length, or one of several extents.
fn extent(s: &mut State, ty: &Ty) -> Node {
    if s.ragged && s.rng.chance(1, 3) {
        let row = Ty::array(&s.element());
        let xs = array(s, &row);
        return Node::expr(ty, parts![xs.node, ".lens().max_or(0usize)"]);
    }
    if s.dims.is_empty() || s.rng.chance(1, 4) {
        let (xs, _) = source(s);
        return Node::expr(ty, parts![xs.node, ".len()"]);
    }
    let elem = s.element();
    let dims = [s.dim(), s.dim()];
    let (xs, axis) = (another(s, &dims, &elem), s.rng.below(2));
    Node::expr(ty, parts![xs, format!(".shape().{axis}")])
}

fn place(s: &mut State, ty: &Ty) -> Node {
    if s.rng.chance(1, 2) {
        let (xs, from) = source(s);
        if s.rng.chance(1, 3) {
            let flags = array(s, &BOOL);
            return Node::expr(ty, parts![flags.node, ".chain([true]).position()"]);
        }
        if s.risk(Hazard::Assert) {
            let f = element_closure(s, &[&from], &BOOL);
            return Node::expr(ty, parts![xs.node, ".position(", f, ")"]);
        }
        let other = expr(s, ty);
        let f = element_closure(s, &[&from], &BOOL);
        return Node::expr(ty, parts![xs.node, ".position_or(", other, ", ", f, ")"]);
    }
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
    let f = element_closure(s, &[&from], ty);
    Node::expr(ty, parts![xs.node, name, f, ")"])
}
