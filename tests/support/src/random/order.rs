//! Expressions that sort, and of equal elements.
//!
//! Floats that a program computes are no keys: of which sign a NaN is, it may not know.

use super::arrays::{Made, array, new, source};
use super::dense::element_closure;
use super::scalars::{BOOL, expr};
use super::state::State;
use super::tree::Ty;
use crate::parts;
use ragged_compiler::prims::Scalar;

/// The elements of an array in another order.
pub fn sorted(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let xs = array(s, elem);
    if is_key(elem) {
        match s.rng.below(3) {
            0 => return new(ty, parts![xs.node, ".sort()"]),
            1 => {
                let name = s.name();
                let made = parts![
                    format!("{{ let {name} = "),
                    xs.node,
                    format!("; {name}.gather({name}.argsort()) }}")
                ];
                return new(ty, made);
            }
            _by_key => {}
        }
    }
    let key = key(s);
    let f = element_closure(s, &[elem], &key);
    if s.rng.chance(1, 2) {
        let name = s.name();
        let made = parts![
            format!("{{ let {name} = "),
            xs.node,
            format!("; {name}.gather({name}.map("),
            f,
            ").argsort()) }"
        ];
        return new(ty, made);
    }
    new(ty, parts![xs.node, ".sort_by_key(", f, ")"])
}

/// Elements once each, in groups, of two arrays, one of them, or those before a place.
pub fn distinct(s: &mut State, elem: &Ty, ty: &Ty) -> Made {
    let named = s.name();
    match s.rng.below(7) {
        0 if is_key(elem) => {
            let xs = array(s, elem);
            new(ty, parts![xs.node, ".unique()"])
        }
        1 if is_key(elem) => {
            let (xs, ys) = (array(s, elem), array(s, elem));
            new(ty, parts![xs.node, ".merge(", ys.node, ")"])
        }
        2 if is_key(elem) => {
            let xs = array(s, elem);
            let middle = format!(
                "; {named}.take(1usize).map(|_| {named}.kth_smallest({named}.len() / 2usize)) }}"
            );
            new(ty, parts![format!("{{ let {named} = "), xs.node, middle])
        }
        3 => {
            let xs = array(s, elem);
            new(ty, parts![xs.node, ".dedup()"])
        }
        5 if is_key(elem) => {
            let xs = array(s, elem);
            let key = expr(s, elem);
            let before = format!("; {named}.take({named}.binary_search(");
            let start = format!("{{ let {named} = ");
            new(ty, parts![start, xs.node, before, key, ").1) }"])
        }
        6 => {
            let xs = array(s, elem);
            let f = element_closure(s, &[elem], &BOOL);
            let before = format!("; {named}.take({named}.partition_point(");
            let start = format!("{{ let {named} = ");
            new(ty, parts![start, xs.node, before, f, ")) }"])
        }
        _ => {
            let (xs, from) = source(s);
            let key = key(s);
            let of_element = element_closure(s, &[&from], &key);
            let group = Ty::Tuple(vec![key, Ty::array(&from)]);
            let of_group = element_closure(s, &[&group], elem);
            let made = parts![
                xs.node,
                ".group_by_key(",
                of_element,
                ").map(",
                of_group,
                ")"
            ];
            new(ty, made)
        }
    }
}

/// The type of a key.
pub fn key(s: &mut State) -> Ty {
    let scalar = |s: &mut State| loop {
        let scalar = s.scalar();
        if !scalar.is_float() {
            return Ty::Scalar(scalar);
        }
    };
    match s.rng.below(3) {
        0 => Ty::Tuple(vec![Ty::Scalar(Scalar::Bool), scalar(s)]),
        _one => scalar(s),
    }
}

/// Whether it may be one.
pub fn is_key(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(scalar) => !scalar.is_float(),
        Ty::Tuple(parts) => parts.iter().all(is_key),
        Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => false,
    }
}
