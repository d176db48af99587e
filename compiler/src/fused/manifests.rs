//! The arrays between kernels, for EXPLAIN.
//!
//! In: a fused function and what was decided. Out: each array that is in memory, with the reason.
//! Assumes that what a branch or a trip yields is no longer delayed.

use crate::fused::border::Packs;
use crate::fused::ir::{Body, Function, Manifest, Op, Reason};
use crate::fused::plan::Plan;
use crate::fused::together::Moved;
use crate::shaped::ir::Atom;

/// The arrays that remain in memory, in program order. `moved`: of arrays that are written together with
/// others, what they come from.
pub(super) fn manifests(
    function: &Function,
    plan: &Plan,
    packs: &Packs,
    moved: &Moved,
) -> Vec<Manifest> {
    let survey = Survey {
        function,
        plan,
        packs,
        moved,
    };
    survey.inside(&function.body, Reason::Result)
}

struct Survey<'a> {
    function: &'a Function,
    plan: &'a Plan,
    packs: &'a Packs,
    moved: &'a Moved,
}

impl Survey<'_> {
    /// The arrays of a body that are in memory for `handed_on` if it yields them.
    fn inside(&self, body: &Body, handed_on: Reason) -> Vec<Manifest> {
        let mut out = Vec::new();
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Kernel(kernel) => {
                    for array in &stmt.outs {
                        let is_array = self.function.vars[array.index()].is_array();
                        if is_array && !self.function.is_strip(*array) {
                            let is_of = |body: &Body| body.results.contains(&Atom::Var(*array));
                            let result = is_of(&self.function.body);
                            let reason = match self.plan.reason(*array) {
                                _ if result || self.packs.contains_key(array) => Reason::Result,
                                Some(reason) => reason,
                                None if is_of(body) => handed_on,
                                None => Reason::WholeArray,
                            };
                            let src = self.moved.get(array).copied().unwrap_or(kernel.parts[0]);
                            out.push(Manifest {
                                array: *array,
                                reason,
                                src,
                            });
                        }
                    }
                }
                Op::If { then, else_, .. } => {
                    out.extend(self.inside(then, Reason::Branch));
                    out.extend(self.inside(else_, Reason::Branch));
                }
                Op::Loop(it) => {
                    out.extend(self.inside(&it.cond, Reason::LoopState));
                    out.extend(self.inside(&it.body, Reason::LoopState));
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
}
