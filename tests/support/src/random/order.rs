//! Expressions that sort.
//!
//! Floats that a program computes are no keys: of which sign a NaN is, it may not know.

use super::arrays::{Made, array, new};
use super::dense::element_closure;
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
    new(ty, parts![xs.node, ".sort_by_key(", f, ")"])
}

fn key(s: &mut State) -> Ty {
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

fn is_key(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(scalar) => !scalar.is_float(),
        Ty::Tuple(parts) => parts.iter().all(is_key),
        Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => false,
    }
}
