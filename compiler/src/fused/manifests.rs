//! The arrays between kernels, for EXPLAIN.
//!
//! In: a fused function and what was decided. Out: each array that is in memory, with the reason.
//! Assumes that what a branch or a trip yields is no longer delayed.

use crate::fused::border::Packs;
use crate::fused::ir::{Body, Function, Manifest, Op, Reason};
use crate::fused::plan::Plan;
use crate::shaped::ir::Atom;

/// The arrays that remain in memory, in program order.
pub(super) fn manifests(
    body: &Body,
    function: &Function,
    plan: &Plan,
    packs: &Packs,
) -> Vec<Manifest> {
    inside(body, Reason::Result, function, plan, packs)
}

/// The same of a body whose arrays are in memory for `handed_on` if it yields them.
fn inside(
    body: &Body,
    handed_on: Reason,
    function: &Function,
    plan: &Plan,
    packs: &Packs,
) -> Vec<Manifest> {
    let mut out = Vec::new();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Kernel(kernel) => {
                for array in &stmt.outs {
                    if function.vars[array.index()].is_array() {
                        let is_of = |body: &Body| body.results.contains(&Atom::Var(*array));
                        let result = is_of(&function.body);
                        let reason = match plan.reason(*array) {
                            _ if result || packs.contains_key(array) => Reason::Result,
                            Some(reason) => reason,
                            None if is_of(body) => handed_on,
                            None => Reason::WholeArray,
                        };
                        let src = kernel.parts[0];
                        out.push(Manifest {
                            array: *array,
                            reason,
                            src,
                        });
                    }
                }
            }
            Op::If { then, else_, .. } => {
                out.extend(inside(then, Reason::Branch, function, plan, packs));
                out.extend(inside(else_, Reason::Branch, function, plan, packs));
            }
            Op::Loop(it) => {
                out.extend(inside(&it.cond, Reason::LoopState, function, plan, packs));
                out.extend(inside(&it.body, Reason::LoopState, function, plan, packs));
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
    out
}
