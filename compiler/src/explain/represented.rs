//! Representations of arrays, as values with names have them.

use super::sizes;
use crate::fused::ir::{Function, Reason};
use crate::ids::Var;
use crate::values::{Named, Repr};
use std::collections::BTreeSet;

/// `regular, replicated`: what the value of this name is; an array without one is what its extents
/// and its making say.
pub fn represented(function: &Function, name: &str, reason: Option<Reason>, array: Var) -> String {
    // The result has no name, a part of it begins with a point.
    let of_result = |it: &&Named| it.name.is_empty() || it.name.starts_with('.');
    let named: Vec<&Named> = match reason {
        Some(Reason::Result) => function.values.iter().filter(of_result).collect(),
        _other => function
            .values
            .iter()
            .filter(|it| it.name == name)
            .collect(),
    };
    let mut words: BTreeSet<&str> = named.iter().map(|it| word(it.repr)).collect();
    if words.is_empty() {
        words.insert(without_name(function, reason, array));
    }
    let mut words: Vec<&str> = words.into_iter().collect();
    if named.iter().any(|it| it.replicated) {
        words.push("replicated");
    }
    words.join(", ")
}

fn without_name(function: &Function, reason: Option<Reason>, array: Var) -> &'static str {
    let dims = sizes::dims(&function.vars[array.index()].ty);
    match reason {
        Some(Reason::Offsets | Reason::Rows) => word(Repr::Irregular),
        _other if dims.is_some_and(|dims| dims.len() > 1) => word(Repr::Regular),
        _other => word(Repr::Avoided),
    }
}

fn word(repr: Repr) -> &'static str {
    match repr {
        Repr::Avoided => "avoided",
        Repr::Regular => "regular",
        Repr::Irregular => "irregular",
    }
}
