//! How far apart in memory neighbours in an index lie.
//!
//! In: a position, and how it is computed. Out: a class of strides. Assumes that what is read from
//! memory is not looked at: a position that follows from it is as far as it can be.

use crate::emit::rust::reads::is_group;
use crate::fused::linear::{Defs, depends, normal};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// How far apart neighbours in one index lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// At one place.
    Same,
    /// Next to each other.
    Next,
    /// Next to each other, the last one first.
    Back,
    /// In groups of a few, one to each.
    Group,
    /// Elsewhere.
    Far,
}

impl Stride {
    /// Whether other elements lie between them.
    pub fn is_far(self) -> bool {
        matches!(self, Stride::Group | Stride::Far)
    }
}

/// The stride of a position along the index `along`.
pub fn stride(position: Atom, along: Var, defs: &Defs<'_>) -> Stride {
    let poly = normal(position, defs);
    let mut found = Stride::Same;
    for (vars, factor) in poly.terms() {
        if !vars.iter().any(|var| depends(*var, along, defs)) {
            continue;
        }
        found = match (found, vars, factor) {
            (Stride::Same, [var], 1) if *var == along => Stride::Next,
            (Stride::Same, [var], -1) if *var == along => Stride::Back,
            (Stride::Same, [var], len) if *var == along && is_group(len) => Stride::Group,
            _farther => Stride::Far,
        };
    }
    found
}
