//! Checks that what is known of a function is known of its body.

use super::kernel_stmts;
use crate::fused::ir::{Function, Sink};
use crate::ids::Var;

/// Whether facts are those of the body that is compiled: a function lists the arrays that its kernels
/// make, each once and in program order. (One that grows is the array that it was, which is among them if
/// a kernel made that.)
pub fn verify(function: &Function) -> Result<(), String> {
    let stmts = kernel_stmts(&function.body).into_iter();
    let (grown, made): (Vec<_>, Vec<_>) =
        stmts.partition(|(_, kernel)| matches!(kernel.sink, Sink::Append { .. }));
    let is_grown = |array: &Var| grown.iter().any(|(stmt, _)| stmt.outs.contains(array));
    let made = made.iter().flat_map(|(stmt, _)| stmt.outs.iter().copied());
    let made: Vec<Var> = made
        .filter(|out| function.vars[out.index()].is_array() && !function.is_strip(*out))
        .collect();
    let listed = function.manifests.iter().map(|it| it.array);
    let listed: Vec<Var> = listed.filter(|array| !is_grown(array)).collect();
    match made == listed {
        true => Ok(()),
        false => Err(format!("kernels make {made:?}, and {listed:?} are listed")),
    }
}
