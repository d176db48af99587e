//! Checks at the beginning of nests that are the same for every index, in front of them.
//!
//! In, out: a fused function. A check that all indices share would keep a reduction from running across
//! the loop around it, as in Note \[Checks outside\] of `flat/hoist.rs`. There those go outside that
//! nothing stands before which could fail; where such a thing was fused into a loop of its own, as it is
//! if a function's body has taken the place of its call, the check has become the first here. It goes in
//! front of the nest, where it holds as well if the nest has no index at all. Assumes SSA.

use crate::fused::fast::operands;
use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Stmt, VarInfo};
use crate::fused::sweep::may_fail;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// Takes such checks out of the function's nests, with the scalars that they need.
pub(super) fn checks_outside(function: &mut Function) {
    let mut pass = Outside {
        vars: std::mem::take(&mut function.vars),
    };
    pass.body(&mut function.body);
    function.vars = pass.vars;
}

struct Outside {
    vars: Vec<VarInfo>,
}

impl Outside {
    fn body(&mut self, body: &mut Body) {
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            match &mut stmt.op {
                Op::Kernel(kernel) if kernel.nest => {
                    for own in taken(kernel) {
                        self.guarded(own, &kernel.extents, &mut stmts);
                    }
                }
                Op::If { then, else_, .. } => {
                    self.body(then);
                    self.body(else_);
                }
                Op::Loop(it) => self.body(&mut it.body),
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::Kernel(_) => {}
            }
            stmts.push(stmt);
        }
        body.stmts = stmts;
    }

    /// Adds a statement of a body in front of the space with these extents: a check holds where that is
    /// empty.
    fn guarded(&mut self, stmt: Stmt, extents: &[Atom], out: &mut Vec<Stmt>) {
        let Op::Check { mut ok, id, values } = stmt.op else {
            out.push(stmt);
            return;
        };
        let src = stmt.src;
        let (ty, bits) = (Scalar::Usize, 0);
        let zero = Atom::Const(Const { ty, bits });
        for extent in extents {
            let none = self.test(ScalarOp::Eq, vec![*extent, zero], src, out);
            ok = self.test(ScalarOp::BitOr, vec![none, ok], src, out);
        }
        let (outs, op) = (Vec::new(), Op::Check { ok, id, values });
        out.push(Stmt { outs, op, src });
    }

    fn test(&mut self, op: ScalarOp, args: Vec<Atom>, src: SrcSpan, out: &mut Vec<Stmt>) -> Atom {
        let var = Var::next(&self.vars);
        let ty = Layout::Plain(VarType::Scalar(Scalar::Bool));
        let fast = false;
        self.vars.push(VarInfo { ty, fast, src });
        let (outs, op) = (vec![var], Op::Scalar(op, args));
        out.push(Stmt { outs, op, src });
        Atom::Var(var)
    }
}

/// The checks that may go in front of a nest, and the scalars that they need, no longer in its body.
fn taken(kernel: &mut Kernel) -> Vec<Stmt> {
    let mut needed: HashSet<Var> = HashSet::default();
    let mut moves = vec![false; kernel.body.stmts.len()];
    for at in same_everywhere(kernel).into_iter().rev() {
        let stmt = &kernel.body.stmts[at];
        let check = matches!(stmt.op, Op::Check { .. });
        if check || stmt.outs.iter().any(|out| needed.contains(out)) {
            moves[at] = true;
            needed.extend(variables(stmt));
        }
    }
    let mut moves = moves.into_iter();
    let moved = |_: &mut Stmt| moves.next().expect("one for each");
    kernel.body.stmts.extract_if(.., moved).collect()
}

/// The checks, scalars and lengths at the beginning of a nest that are the same for every index: up to
/// the first statement that could fail and is not.
fn same_everywhere(kernel: &Kernel) -> Vec<usize> {
    let mut inside = HashSet::from_iter([kernel.index]);
    let mut same = Vec::new();
    for (at, stmt) in kernel.body.stmts.iter().enumerate() {
        let plain = matches!(stmt.op, Op::Scalar(..) | Op::Len { .. } | Op::Check { .. });
        if plain && variables(stmt).all(|var| !inside.contains(&var)) {
            same.push(at);
        } else if may_fail(&stmt.op) {
            break;
        } else {
            inside.extend(&stmt.outs);
        }
    }
    same
}

/// The variables that a statement mentions.
fn variables(stmt: &Stmt) -> impl Iterator<Item = Var> {
    let vars = operands(stmt).into_iter().map(|atom| match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    });
    vars.flatten()
}
