//! The arrays between kernels, for EXPLAIN.
//!
//! In: a fused function and what was decided. Out: each array that is in memory, with the reason.
//! Assumes that what a branch or a trip yields is no longer delayed.

use crate::fused::become_results::become_results;
use crate::fused::border::Packs;
use crate::fused::ir::{Body, Function, Kernel, Manifest, Op, Reason, Sink};
use crate::fused::liveness::last_uses;
use crate::fused::plan::Plan;
use crate::fused::together::Moved;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use crate::source::SrcSpan;

/// The arrays that remain in memory, in program order. `moved`: of arrays that are written together with
/// others, what they come from.
pub(super) fn manifests(
    function: &Function,
    plan: &Plan,
    packs: &Packs,
    moved: &Moved,
) -> Vec<Manifest> {
    let mut survey = Survey {
        function,
        plan,
        packs,
        moved,
        results: become_results(function, &last_uses(function), false),
        literals: HashMap::default(),
        grown: HashSet::default(),
    };
    survey.inside(&function.body, Reason::Result)
}

struct Survey<'a> {
    function: &'a Function,
    plan: &'a Plan,
    packs: &'a Packs,
    moved: &'a Moved,
    /// The arrays that become results.
    results: HashSet<Var>,
    /// The array literal that an array was at first, if it was one.
    literals: HashMap<Var, Var>,
    /// Those literals that others are appended to.
    grown: HashSet<Var>,
}

impl Survey<'_> {
    /// The arrays of a body that are in memory for `handed_on` if it yields them.
    fn inside(&mut self, body: &Body, handed_on: Reason) -> Vec<Manifest> {
        let mut out = Vec::new();
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Kernel(Kernel {
                    sink: Sink::Append { into },
                    parts,
                    ..
                }) => out.extend(self.appended(into, &stmt.outs, parts[0])),
                Op::Kernel(kernel) => {
                    for array in &stmt.outs {
                        let is_array = self.function.vars[array.index()].is_array();
                        if is_array && !self.function.is_strip(*array) {
                            let is_of = |body: &Body| body.results.contains(&Atom::Var(*array));
                            let result = self.results.contains(array);
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
                    self.same(&then.results, &stmt.outs);
                    self.same(&else_.results, &stmt.outs);
                }
                Op::Loop(it) => {
                    self.same(&it.init, &it.params);
                    out.extend(self.inside(&it.cond, Reason::LoopState));
                    out.extend(self.inside(&it.body, Reason::LoopState));
                    self.same(&it.init, &stmt.outs);
                }
                Op::Literal(_) => {
                    self.literals.insert(stmt.outs[0], stmt.outs[0]);
                }
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Update { .. } => {}
            }
        }
        out
    }

    /// These are the same arrays under other names.
    fn same(&mut self, atoms: &[Atom], names: &[Var]) {
        for (atom, name) in atoms.iter().zip(names) {
            if let Atom::Var(array) = atom
                && let Some(literal) = self.literals.get(array).copied()
            {
                self.literals.insert(*name, literal);
            }
        }
    }

    /// What grows is the array that it was, of which this is the first to say that it is in memory if it
    /// was a literal.
    fn appended(&mut self, into: &[Var], outs: &[Var], src: SrcSpan) -> Vec<Manifest> {
        let mut out = Vec::new();
        for (array, grown) in into.iter().zip(outs) {
            if let Some(literal) = self.literals.get(array).copied() {
                self.literals.insert(*grown, literal);
                if self.grown.insert(literal) {
                    let reason = Reason::LoopState;
                    out.push(Manifest {
                        array: *grown,
                        reason,
                        src,
                    });
                }
            }
        }
        out
    }
}
