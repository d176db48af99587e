//! Arrays that are copied: parameters, and what is used again, where they change or are handed on.
//!
//! In: a fused function. Out: each copy that is no result, as an array in memory. What a body does
//! with arrays of its own is left out, as in the list of arrays that kernels make.

use crate::fused::become_results::become_results;
use crate::fused::ir::{Body, Function, Layout, Loop, Manifest, Op, Reason, Sink, Stmt};
use crate::fused::liveness::{LastUses, last_uses};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// The copies of `function`, in program order.
pub(super) fn copies(function: &Function) -> Vec<Manifest> {
    let params = function.params.iter().flat_map(|it| &it.vars);
    let last = last_uses(function);
    let mut found = Copies {
        function,
        params: params.copied().collect(),
        results: become_results(function, &last, true),
        last,
        copies: Vec::new(),
    };
    found.body(&function.body);
    found.copies
}

struct Copies<'f> {
    function: &'f Function,
    params: HashSet<Var>,
    last: LastUses,
    /// What becomes a result: a copy of it is the result itself.
    results: HashSet<Var>,
    copies: Vec<Manifest>,
}

impl Copies<'_> {
    fn is_result(&self, stmt: &Stmt, at: usize) -> bool {
        stmt.outs
            .get(at)
            .is_some_and(|out| self.results.contains(out))
    }

    fn body(&mut self, body: &Body) {
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Update { array, .. } => {
                    self.hand_on(stmt, stmt, &[Atom::Var(*array)], Reason::Updated);
                }
                Op::Kernel(kernel) => {
                    if let Sink::Scatter { into, .. } | Sink::Append { into } = &kernel.sink {
                        let into: Vec<Atom> = into.iter().copied().map(Atom::Var).collect();
                        self.hand_on(stmt, stmt, &into, Reason::Updated);
                    }
                }
                Op::If { then, else_, .. } => {
                    for branch in [then, else_] {
                        self.body(branch);
                        self.hand_on(branch, stmt, &branch.results, Reason::Branch);
                    }
                }
                Op::Loop(it) => self.looped(stmt, it),
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_) => {}
            }
        }
    }

    fn looped(&mut self, stmt: &Stmt, it: &Loop) {
        self.hand_on(stmt, stmt, &it.init, Reason::LoopState);
        self.body(&it.cond);
        self.body(&it.body);
        self.hand_on(&it.body, stmt, &it.body.results, Reason::LoopState);
    }

    /// `at` hands `atoms` on as the outs of `stmt`.
    fn hand_on<T>(&mut self, at: &T, stmt: &Stmt, atoms: &[Atom], reason: Reason) {
        for (position, atom) in atoms.iter().enumerate() {
            if let Atom::Var(array) = *atom
                && self.is_array(array)
                && (self.params.contains(&array) || !self.last.is_last(at, array))
                && !self.is_result(stmt, position)
            {
                let src = stmt.src;
                self.copies.push(Manifest { array, reason, src });
            }
        }
    }

    fn is_array(&self, var: Var) -> bool {
        let ty = &self.function.vars[var.index()].ty;
        !matches!(ty, Layout::Plain(VarType::Scalar(_)))
    }
}
