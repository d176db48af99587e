//! How elements of an array of products are made of values that are kept.
//!
//! In: a kernel that keeps some of its values in one array. Out: an item for the run time, as Rust text.
//! Assumes nothing.

use crate::emit::rust::border::{constructor, elem_type};
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::value_types;
use crate::emit::rust::lanes::fill;
use crate::emit::rust::outside::bounds;
use crate::emit::rust::tuples::{numbered, tuple};
use crate::fused::ir::{Kernel, Layout, Sink, Stmt};
use std::fmt::Write;

/// Prints how elements are made, if what a kernel keeps goes into one array of these; gives what that is
/// called.
pub fn maker(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) -> Option<String> {
    let Layout::Packed { elem, .. } = &host.vars[stmt.outs[0].index()].ty else {
        return None;
    };
    if !matches!(kernel.sink, Sink::Keep) {
        return None;
    }
    let name = format!("__P{}", stmt.outs[0].0);
    let types = &value_types(host, kernel)[1..];
    let values: Vec<String> = (0..types.len()).map(|at| format!("o{at}")).collect();
    let (parts, whole) = (tuple(types.iter()), elem_type(elem));
    let _ = writeln!(
        host.items,
        "struct {name};\n\
         impl __r::Make for {name}{bounds} {{\ntype Parts = {parts};\ntype Whole = {whole};\n\
         #[inline(always)]\nfn make({pattern}: {parts}) -> {whole} {{ {value} }}\n}}",
        bounds = bounds(host.structs),
        pattern = numbered('o', types.len()),
        value = fill(&constructor(elem, host.structs), &values),
    );
    Some(name)
}
