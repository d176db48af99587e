//! What a kernel captures from the function around it.
//!
//! In: a kernel, and all variables. Out: variables it mentions and does not define, in order.

use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};
use std::collections::BTreeSet;

/// Variables from outside, scalars and arrays, in order of their numbers.
pub fn captured(kernel: &Kernel, vars: &[VarInfo]) -> BTreeSet<Var> {
    let mut free = Free::over(vars);
    free.kernel(kernel);
    free.free()
}

/// The same of statements.
pub fn captured_by_body(body: &Body, vars: &[VarInfo]) -> BTreeSet<Var> {
    let mut free = Free::over(vars);
    free.body(body);
    free.free()
}

/// Calls `f` for each statement of `body`, at any depth (kernels' bodies excepted).
pub fn visit_stmts(body: &Body, f: &mut dyn FnMut(&Stmt)) {
    for stmt in &body.stmts {
        f(stmt);
        match &stmt.op {
            Op::If { then, else_, .. } => {
                visit_stmts(then, f);
                visit_stmts(else_, f);
            }
            Op::Loop(it) => {
                visit_stmts(&it.cond, f);
                visit_stmts(&it.body, f);
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::Kernel(_) => {}
        }
    }
}

struct Free<'v> {
    vars: &'v [VarInfo],
    used: HashSet<Var>,
    defined: HashSet<Var>,
}

impl<'v> Free<'v> {
    fn over(vars: &'v [VarInfo]) -> Self {
        let (used, defined) = Default::default();
        Free {
            vars,
            used,
            defined,
        }
    }

    fn free(self) -> BTreeSet<Var> {
        let used = self.used.into_iter();
        used.filter(|var| !self.defined.contains(var)).collect()
    }

    fn atoms<'a>(&mut self, atoms: impl IntoIterator<Item = &'a Atom>) {
        self.used
            .extend(atoms.into_iter().filter_map(|atom| match atom {
                Atom::Var(var) => Some(*var),
                Atom::Const(_) => None,
            }));
    }

    fn body(&mut self, body: &Body) {
        self.atoms(&body.results);
        for stmt in &body.stmts {
            self.defined.extend(&stmt.outs);
            match &stmt.op {
                Op::Scalar(_, args) | Op::Literal(args) => self.atoms(args),
                Op::Check { ok, values, .. } => self.atoms(values.iter().chain([ok])),
                Op::Len { array, .. } => self.atoms([&Atom::Var(*array)]),
                Op::Read { array, index } => self.atoms([&Atom::Var(*array), index]),
                Op::Update {
                    array,
                    index,
                    value,
                } => {
                    self.atoms([&Atom::Var(*array), index, value]);
                }
                Op::If { cond, then, else_ } => {
                    self.atoms([cond]);
                    self.body(then);
                    self.body(else_);
                }
                Op::Loop(it) => {
                    self.atoms(&it.init);
                    self.defined.extend(&it.params);
                    self.body(&it.cond);
                    self.body(&it.body);
                }
                Op::Kernel(kernel) => {
                    self.atoms(&kernel.extents);
                    self.kernel(kernel);
                    self.atoms(&kernel.sink.given());
                    if kernel.nest {
                        self.rows(kernel, &stmt.outs);
                    }
                }
            }
        }
    }

    fn kernel(&mut self, kernel: &Kernel) {
        self.defined.insert(kernel.index);
        self.body(&kernel.body);
        match &kernel.sink {
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => {}
            Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
                self.defined
                    .extend(combine.left.iter().chain(&combine.right));
                self.body(&combine.body);
            }
            Sink::Fold {
                acc, elem, step, ..
            } => {
                self.defined.extend(acc.iter().chain(elem));
                self.body(step);
            }
        }
    }

    /// The memory of what a nest makes: lengths that its index space does not tell.
    fn rows(&mut self, kernel: &Kernel, outs: &[Var]) {
        let told = match &kernel.sink {
            Sink::Rows { .. } => 0,
            // It is told by the kernel.
            Sink::Join => 1,
            _in_the_index_space => kernel.extents.len(),
        };
        for out in outs {
            if let Layout::Plain(VarType::Array(ty)) = &self.vars[out.index()].ty {
                let extents: Vec<Atom> = ty.dims[told..].iter().map(|dim| dim.value).collect();
                self.atoms(&extents);
            }
        }
    }
}
