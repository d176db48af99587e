//! Checks that what is known of a function is known of its body.

use super::kernel_stmts;
use crate::fused::ir::Function;
use crate::ids::Var;

/// Whether facts are those of the body that is compiled: a function lists the arrays that its kernels
/// make, each once and in program order.
pub fn verify(function: &Function) -> Result<(), String> {
    let stmts = kernel_stmts(&function.body).into_iter();
    let made = stmts.flat_map(|(stmt, _)| stmt.outs.iter().copied());
    let made: Vec<Var> = made
        .filter(|out| function.vars[out.index()].is_array() && !function.is_strip(*out))
        .collect();
    let listed: Vec<Var> = function.manifests.iter().map(|it| it.array).collect();
    match made == listed {
        true => Ok(()),
        false => Err(format!("kernels make {made:?}, and {listed:?} are listed")),
    }
}
