//! Kernels whose reads go on from the other end, for arrays with rows beyond both ends.
//!
//! In: a kernel, and arrays that it reads at `(i + 1) % n` and the like along the outermost axis (see
//! `near.rs`). Out: its body, which reads them at `i + 1`. Assumes that who runs it has the rows of the other
//! end beyond each end, and takes `i - 1` for what it is where that is negative, as positions do that wrap.
//!
//! All else in the body is as it was: the row itself, and reads of other arrays.

use crate::fused::indices::size;
use crate::fused::ir::{Body, Layout, Op, Stmt, VarInfo};
use crate::fused::near::Near;
use crate::fused::sweep::sweep_kernel_body;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;

/// The body of the kernel of `near`, which looks at the outermost axis, and all variables with its own.
pub(super) fn beyond(near: &Near<'_>) -> (Body, Vec<VarInfo>) {
    let mut pass = Pass {
        near,
        vars: near.vars.to_vec(),
        known: Vec::new(),
    };
    let mut body = pass.body(&near.kernel.body);
    sweep_kernel_body(&mut body, &pass.vars);
    (body, pass.vars)
}

struct Pass<'n> {
    near: &'n Near<'n>,
    vars: Vec<VarInfo>,
    /// What has been computed where the pass is.
    known: Vec<(ScalarOp, [Atom; 2], Var)>,
}

impl Pass<'_> {
    fn body(&mut self, body: &Body) -> Body {
        let known = self.known.len();
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for stmt in &body.stmts {
            let op = match &stmt.op {
                Op::Read { array, index } if self.near.states.contains(array) => {
                    let axes = self.near.kernel.extents.len();
                    let index = match *index == Atom::Var(self.near.kernel.index) {
                        true => *index,
                        false => self.position(*index, axes, &mut stmts, stmt.src),
                    };
                    let array = *array;
                    Op::Read { array, index }
                }
                Op::If { cond, then, else_ } => Op::If {
                    cond: *cond,
                    then: self.body(then),
                    else_: self.body(else_),
                },
                other => other.clone(),
            };
            stmts.push(Stmt { op, ..stmt.clone() });
        }
        self.known.truncate(known);
        Body {
            stmts,
            results: body.results.clone(),
        }
    }

    /// A position (see `positions.rs`), or the start of one, of so many axes.
    fn position(
        &mut self,
        position: Atom,
        axes: usize,
        stmts: &mut Vec<Stmt>,
        src: SrcSpan,
    ) -> Atom {
        if axes == 1 {
            return self.row(position, stmts, src);
        }
        let near = self.near;
        let parts = near.scalar(position, ScalarOp::Add).and_then(|sum| {
            let product = near.scalar(sum[0], ScalarOp::Mul)?;
            Some((product[0], product[1], sum[1]))
        });
        let (rows, extent, index) = parts.expect("asked before: its reach is known");
        let row = self.position(rows, axes - 1, stmts, src);
        if row == rows {
            return position;
        }
        let first = self.computed(ScalarOp::Mul, [row, extent], stmts, src);
        self.computed(ScalarOp::Add, [first, index], stmts, src)
    }

    fn row(&mut self, row: Atom, stmts: &mut Vec<Stmt>, src: SrcSpan) -> Atom {
        let Some((of, by)) = self.near.beyond(row) else {
            return row;
        };
        let of = self.row(of, stmts, src);
        let op = match by {
            0 => return of,
            ..0 => ScalarOp::Sub,
            1.. => ScalarOp::Add,
        };
        let by = size(by.unsigned_abs());
        self.computed(op, [of, by], stmts, src)
    }

    fn computed(
        &mut self,
        op: ScalarOp,
        args: [Atom; 2],
        stmts: &mut Vec<Stmt>,
        src: SrcSpan,
    ) -> Atom {
        let mut known = self.known.iter();
        if let Some((.., out)) = known.find(|it| (it.0, it.1) == (op, args)) {
            return Atom::Var(*out);
        }
        let out = Var::next(&self.vars);
        let ty = Layout::Plain(VarType::Scalar(Scalar::Usize));
        let fast = false;
        self.vars.push(VarInfo { ty, fast, src });
        self.known.push((op, args, out));
        let op = Op::Scalar(op, args.to_vec());
        let outs = vec![out];
        stmts.push(Stmt { outs, op, src });
        Atom::Var(out)
    }
}
