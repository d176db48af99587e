//! Index functions after each other: what is read is elsewhere, several times over.
//!
//! In: extents and what is behind the last. Out: an expression that has just these. Made from its end:
//! each operator says what it must be applied to.

use super::dense::{another, list};
use super::state::State;
use super::tree::{Dim, Node, Ty};
use crate::parts;

/// An array of these extents that is another one, moved about.
pub fn chained(s: &mut State, dims: &[Dim], elem: &Ty, ty: &Ty) -> Node {
    let mut before = dims.to_vec();
    let count = 2 + s.rng.below(4);
    let mut operators: Vec<String> = (0..count).map(|_| operator(s, &mut before)).collect();
    operators.reverse();
    let xs = another(s, &before, elem);
    // A block at the start of a statement ends at its brace, before a slice of it.
    Node::expr(ty, parts!["(", xs, ")", operators.concat()])
}

/// An operator that gives `dims`, which become the extents of what it is applied to.
fn operator(s: &mut State, dims: &mut [Dim]) -> String {
    if dims.len() < 2 {
        return along(s, dims, 0);
    }
    match s.rng.below(4) {
        0 => {
            let i = s.rng.below(dims.len() - 1);
            let j = i + 1 + s.rng.below(dims.len() - 1 - i);
            dims.swap(i, j);
            format!(".transpose({i}, {j})")
        }
        1 => {
            let extents = list(dims);
            let by = s.rng.below(dims.len());
            dims.rotate_left(by);
            let flat = ".flatten()".repeat(dims.len() - 1);
            format!("{flat}.reshape(({extents}))")
        }
        2 => along(s, dims, 0),
        _ => {
            let row = s.name();
            format!(".map(|{row}| {row}{})", along(s, dims, 1))
        }
    }
}

/// An operator along an axis.
fn along(s: &mut State, dims: &mut [Dim], axis: usize) -> String {
    let n = dims[axis].clone();
    let (x, y) = (s.name(), s.name());
    let k = 1 + s.rng.below(4);
    match s.rng.below(9) {
        0 => ".rev()".to_owned(),
        1 => format!(".rotate_left({n} / {k}usize)"),
        2 => format!(".rotate_right({n} / {k}usize)"),
        3 => format!(".repeat({k}usize).step_by({k}usize)"),
        4 => format!(".repeat(2usize).split_at({n} / {k}usize).1.take({n})"),
        5 => format!(".repeat(2usize).pairwise(|{x}, {y}| {y}).take({n})"),
        6 => format!(".repeat(4usize).windows({k}usize).take({n}).map(|{x}| {x}[0usize])"),
        7 => format!(".repeat({k}usize).chunks_exact({k}usize).map(|{x}| {x}.rev().first())"),
        _ => match &mut dims[axis] {
            // Two of one more.
            Dim::Known(count @ 1..) => {
                *count += 1;
                format!(".windows(2usize).map(|{x}| {x}.rotate_left(1usize)[0usize])")
            }
            Dim::Known(_) | Dim::Named(_) => format!("[0usize..{n}]"),
        },
    }
}
