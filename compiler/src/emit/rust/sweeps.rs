//! A loop whose trips are kernels over the arrays of its state.
//!
//! In: such a loop (see `fused/sweeps.rs`). Out: the same loop over its scalars alone, which hands each
//! trip's kernel to the run time's `Sweeps`. Assumes that the scalars do not depend on the arrays.

use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::trip_item;
use crate::emit::rust::tuples::{names, tuple};
use crate::fused::ir::{Kernel, Loop, Op, Reach, Stmt};
use crate::fused::sweeps::{kernel, states};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Prints a loop whose trips reach so far.
pub fn emit(host: &mut Host<'_>, stmt: &Stmt, it: &Loop, reach: &Reach) {
    let (trip, own) = kernel(it).expect("verified: a trip is a kernel");
    let states = states(it, host.vars);
    let (sweeps, arrays) = (format!("sweeps{}", trip.outs[0].0), names(&states));
    let extents: Vec<String> = own.extents.iter().map(|it| host.atom(*it)).collect();
    host.first_state(stmt, it);
    let _ = writeln!(
        host.text,
        "let mut {sweeps} = __r::Sweeps::new({arrays}, [{}]);\nloop {{",
        extents.join(", ")
    );
    host.stmts(&it.cond);
    let _ = writeln!(
        host.text,
        "if !{} {{ break; }}",
        host.atom(it.cond.results[0])
    );
    for stmt in &it.body.stmts {
        if let Op::Kernel(kernel) = &stmt.op {
            let trip = item(host, stmt, kernel, &states, reach);
            let pushed = host.checked(&format!("__r::Sweeps::push(&mut {sweeps}, {trip})"));
            let _ = writeln!(host.text, "{pushed};");
        } else {
            host.stmt(stmt);
        }
    }
    let next = it.params.iter().zip(&it.body.results);
    let changed =
        next.filter(|(param, next)| !states.contains(param) && **next != Atom::Var(**param));
    let (params, next): (Vec<_>, Vec<_>) = changed.map(|(param, next)| (*param, *next)).unzip();
    let next = tuple(next.into_iter().map(|next| host.atom(next)));
    let _ = writeln!(host.text, "{} = {next};\n}}", names(&params));
    let finished = host.checked(&format!("__r::Sweeps::finish({sweeps})"));
    let _ = writeln!(host.text, "let {arrays} = {finished};");
    host.last_state(stmt, it);
}

/// Prints the kernel of a trip, where rows go on from the other end also for arrays with rows beyond both ends; gives
/// an expression of its type, in which the arrays of the state are empty.
fn item(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    states: &[Var],
    reach: &Reach,
) -> String {
    let beyond = reach.beyond.clone().map(|body| {
        let kernel = Kernel {
            body,
            ..kernel.clone()
        };
        trip_item(host, stmt, &kernel, states)
    });
    let (name, captured) = trip_item(host, stmt, kernel, states);
    let beyond = beyond.as_ref().map(|(name, it)| (name.as_str(), it));
    let sweep = captured.sweep(&name, states, reach, beyond);
    host.items.push_str(&sweep);
    captured.value(&name)
}
