//! Sorts of elements, which move along with their keys.
//!
//! In: the components that are asked for, of a kernel that yields a key and what moves along. Out: what says
//! so to the run time, as Rust text.

use crate::emit::rust::border::{constructor, elem_type};
use crate::emit::rust::captured::Names;
use crate::emit::rust::host::Host;
use crate::emit::rust::lanes::fill;
use crate::emit::rust::tuples::tuple;
use crate::fused::ir::{Layout, Stmt};

/// Of a kernel of this name, whose values have these types.
pub fn text(
    host: &Host<'_>,
    stmt: &Stmt,
    (name, Names { head, tail, .. }): (&str, &Names),
    types: &[String],
    components: &[usize],
) -> String {
    let made = components.iter().map(|at| format!("c{at}"));
    let made: Vec<String> = made.collect();
    let (to, made) = match &host.vars[stmt.outs[0].index()].ty {
        Layout::Packed { elem, .. } => {
            let value = fill(&constructor(elem, host.structs), &made);
            (vec![elem_type(elem)], vec![value])
        }
        Layout::Plain(_) | Layout::Component { .. } => {
            let types = components.iter().map(|at| types[*at].clone());
            (types.collect(), made)
        }
    };
    let values = (0..types.len()).map(|at| match components.contains(&at) {
        true => format!("c{at}"),
        false => "_".to_owned(),
    });
    let (values, to, made) = (tuple(values), tuple(to.iter()), tuple(made.iter()));
    format!(
        "{head} __r::Moves for {name}{tail} {{\ntype To = {to};\n\
         #[inline(always)]\nfn result({values}: Self::Out) -> Self::To {{ {made} }}\n}}\n"
    )
}
