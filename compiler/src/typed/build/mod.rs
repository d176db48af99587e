//! The draft of a body with its types, as [`ir`].
//!
//! In: a draft whose types are solved. Out: the body, and instances of the functions that it calls.
//! What only the final types tell is reported here: types that nothing determines, literals out of
//! range, arms that are missing.

mod equality;
mod jumps;
mod patterns;

use super::body::Body;
use super::draft::{FnDraft, LocalTy, NodeId, NodeKind, StepDraft, StmtDraft};
use super::function;
use super::literal;
use super::types::Ty;
use super::wait::unknown_type;
use crate::ids::FuncId;
use crate::prims::{Scalar, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{self, Const, Expr, ExprKind, Type};

/// Builds one body.
pub(super) struct Builder<'b, 's, 'a> {
    pub(super) body: &'b mut Body<'s, 'a>,
}

impl<'b, 's, 'a> Builder<'b, 's, 'a> {
    pub(super) fn new(body: &'b mut Body<'s, 'a>) -> Self {
        Builder { body }
    }

    /// The locals with their types.
    pub(super) fn locals(&mut self) -> Vec<ir::Local> {
        let drafts = std::mem::take(&mut self.body.locals);
        let locals = drafts.into_iter().map(|draft| ir::Local {
            ty: match draft.ty {
                LocalTy::Value(ty) => ir::LocalType::Value(self.ty(ty, draft.src)),
                LocalTy::Fn { .. } | LocalTy::Closure(_) | LocalTy::At(_) => ir::LocalType::Fn,
            },
            name: draft.name,
            mutable: draft.mutable,
            in_parts: draft.in_parts,
            temporary: draft.temporary,
            src: draft.src,
        });
        locals.collect()
    }

    /// A type that must be known by now.
    pub(super) fn ty(&mut self, ty: Ty, src: SrcSpan) -> Type {
        if let Some(known) = self.body.types.resolve(ty) {
            return known;
        }
        if !self.body.types.has_error(ty) {
            self.body.error(unknown_type(src));
        }
        self.body.types.give_up_all(ty);
        Type::Tuple(Vec::new())
    }

    fn boxed(&mut self, id: NodeId) -> Box<Expr> {
        Box::new(self.expr(id))
    }

    fn exprs(&mut self, ids: Vec<NodeId>) -> Vec<Expr> {
        ids.into_iter().map(|id| self.expr(id)).collect()
    }

    // Leaves may be used twice (by compound assignment); everything else is built once.
    fn take(&mut self, id: NodeId) -> NodeKind<'a> {
        let kind = &mut self.body.nodes[id.0 as usize].kind;
        match *kind {
            NodeKind::Literal { literal, negative } => NodeKind::Literal { literal, negative },
            NodeKind::Const(value) => NodeKind::Const(value),
            NodeKind::Local(local) => NodeKind::Local(local),
            _ => std::mem::replace(kind, NodeKind::Error),
        }
    }

    pub(super) fn expr(&mut self, id: NodeId) -> Expr {
        let src = self.body.src(id);
        let node_ty = self.body.ty(id);
        let kind = match self.take(id) {
            NodeKind::Alias(other) => return self.expr(other),
            NodeKind::Cast(operand) => return self.cast(operand, node_ty, src),
            NodeKind::Block { stmts, value } => return self.block(stmts, value, src),
            NodeKind::If { cond, then, else_ } => return self.if_(cond, then, else_, src),
            NodeKind::Match { scrutinee, arms } => {
                return self.match_(scrutinee, arms, node_ty, src);
            }
            NodeKind::Equality { equal, left, right } => {
                let (left, right) = (self.expr(left), self.expr(right));
                return self.equality(equal, left, right, src);
            }
            NodeKind::Scalar { op, args, operator } => {
                let args = self.exprs(args);
                let ty = self.ty(node_ty, src);
                let checked = operator && is_checked(op, &ty);
                let kind = ExprKind::Scalar { op, args, checked };
                return Expr { kind, ty, src };
            }
            NodeKind::Break { label, value } => {
                let value = value.map(|value| self.boxed(value));
                return unit(ExprKind::Break { label, value }, src);
            }
            NodeKind::Continue { label } => return unit(ExprKind::Continue { label }, src),
            NodeKind::Error | NodeKind::Waiting => ExprKind::Tuple(Vec::new()),
            NodeKind::Literal { literal, negative } => {
                ExprKind::Const(self.constant(literal, negative, node_ty, src))
            }
            NodeKind::Const(value) => ExprKind::Const(value),
            NodeKind::Local(local) => ExprKind::Local(local),
            NodeKind::And(left, right) => ExprKind::And(self.boxed(left), self.boxed(right)),
            NodeKind::Or(left, right) => ExprKind::Or(self.boxed(left), self.boxed(right)),
            NodeKind::Complex { op, args } => ExprKind::Complex {
                op,
                args: self.exprs(args),
            },
            NodeKind::Tuple(fields) => ExprKind::Tuple(self.exprs(fields)),
            NodeKind::Field(base, index) => ExprKind::Field(self.boxed(base), index),
            NodeKind::Array(elems) => ExprKind::Array(self.exprs(elems)),
            NodeKind::Range { lo, hi, inclusive } => ExprKind::Range {
                lo: self.boxed(lo),
                hi: self.boxed(hi),
                inclusive,
            },
            NodeKind::Index(array, index) => ExprKind::Index(self.boxed(array), self.boxed(index)),
            NodeKind::Slice {
                array,
                lo,
                hi,
                inclusive,
            } => ExprKind::Slice {
                array: self.boxed(array),
                lo: lo.map(|lo| self.boxed(lo)),
                hi: hi.map(|hi| self.boxed(hi)),
                inclusive,
            },
            NodeKind::Prim { prim, args, fns } => ExprKind::Prim {
                prim,
                args: self.exprs(args),
                fns: self.fns(fns),
            },
            NodeKind::Call {
                decl,
                generics,
                args,
                fns,
            } => ExprKind::Call {
                args: self.exprs(args),
                fns: self.fns(fns),
                func: self.callee(decl, generics, src),
            },
            NodeKind::CallLocal { local, args } => ExprKind::CallLocal {
                local,
                args: self.exprs(args),
            },
            NodeKind::While { cond, body, label } => ExprKind::While {
                cond: self.boxed(cond),
                body: self.boxed(body),
                label,
            },
            NodeKind::Loop { body, label, ends } => ExprKind::Loop {
                body: self.boxed(body),
                label,
                ends,
            },
            NodeKind::Labelled { body, label } => ExprKind::Labelled {
                body: Box::new(jumps::leave_with(self.expr(body), label)),
                label,
            },
            NodeKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => ExprKind::ForStmt {
                pattern: self.irrefutable(pattern, "`for`"),
                source: self.boxed(source),
                body: self.boxed(body),
                label,
            },
            NodeKind::Assign {
                local,
                path,
                place,
                value,
            } => ExprKind::Assign {
                place: ir::Place {
                    local,
                    path: path.into_iter().map(|step| self.step(step)).collect(),
                    src: place,
                },
                value: self.boxed(value),
            },
            NodeKind::Assert { cond, message } => ExprKind::Assert {
                cond: self.boxed(cond),
                message,
            },
            NodeKind::Sized {
                size,
                len,
                written,
                name,
                bound,
            } => ExprKind::Sized {
                size: self.boxed(size),
                len: self.boxed(len),
                written,
                name,
                bound,
            },
            NodeKind::Streamed(array) => ExprKind::Streamed(self.boxed(array)),
            NodeKind::Dbg(value) => {
                let session = &mut *self.body.session;
                session.prints = true;
                if session.released {
                    return self.expr(value);
                }
                ExprKind::Dbg(self.boxed(value))
            }
        };
        let ty = self.ty(node_ty, src);
        Expr { kind, ty, src }
    }

    fn step(&mut self, step: StepDraft) -> ir::PlaceStep {
        match step {
            StepDraft::Field(index) => ir::PlaceStep::Field(index),
            StepDraft::Index(index) => ir::PlaceStep::Index(self.expr(index)),
            StepDraft::Slice { lo, hi, inclusive } => ir::PlaceStep::Slice {
                lo: lo.map(|lo| self.expr(lo)),
                hi: hi.map(|hi| self.expr(hi)),
                inclusive,
            },
        }
    }

    fn constant(
        &mut self,
        literal: &'a ast::Literal,
        negative: bool,
        ty: Ty,
        src: SrcSpan,
    ) -> Const {
        let zero = literal::boolean(false);
        let Type::Scalar(scalar) = self.ty(ty, src) else {
            return zero;
        };
        literal::constant(literal, negative, scalar).unwrap_or_else(|| {
            let text = literal::show(literal, negative);
            let title = format!("`{text}` does not fit `{}`", scalar.name());
            let error = Diagnostic::new(src, title);
            let error = match literal::int_range(scalar) {
                Some((lo, hi)) => error.note(format!("its values are {lo} to {hi}")),
                None => error.note("it is too large"),
            };
            self.body.error(error);
            zero
        })
    }

    fn cast(&mut self, operand: NodeId, ty: Ty, src: SrcSpan) -> Expr {
        let operand = self.expr(operand);
        let to = ty;
        let ty = self.ty(to, src);
        if operand.ty == ty {
            return operand;
        }
        let from = self.body.types.known(&operand.ty);
        if let Some(error) = self.body.bad_cast(from, to, src) {
            self.body.error(error);
        }
        let kind = ExprKind::Scalar {
            op: ScalarOp::Cast,
            args: vec![operand],
            checked: false,
        };
        Expr { kind, ty, src }
    }

    fn callee(&mut self, decl: usize, generics: Vec<Ty>, src: SrcSpan) -> FuncId {
        let types: Vec<_> = generics.into_iter().map(|ty| self.ty(ty, src)).collect();
        if self.body.session.active.contains(&decl) {
            let error = self.recursion(decl, src);
            self.body.error(error);
            return FuncId(0);
        }
        if self.body.failed {
            return FuncId(0);
        }
        function::instance(self.body.session, decl, &types).unwrap_or_else(|| {
            self.body.failed = true;
            FuncId(0)
        })
    }

    fn recursion(&self, decl: usize, src: SrcSpan) -> Diagnostic {
        let session = &self.body.session;
        let name = |decl: usize| &session.decls[decl].ast.name.text;
        let from = session.active.iter().position(|active| *active == decl);
        let path = &session.active[from.unwrap_or(0)..];
        let title = format!(
            "`{}` calls itself: recursion is not supported yet",
            name(decl)
        );
        let error = Diagnostic::new(src, title);
        let error = match path {
            [] | [_] => error,
            [_, via @ ..] => {
                let via: Vec<_> = via
                    .iter()
                    .map(|decl| format!("`{}`", name(*decl)))
                    .collect();
                error.note(format!("through {}", via.join(", ")))
            }
        };
        error.help("use `while` or `loop` with `let mut` state")
    }

    fn fns(&mut self, fns: Vec<FnDraft<'a>>) -> Vec<ir::FnValue> {
        let build = |function| match function {
            FnDraft::Local(local) => ir::FnValue::Local(local),
            FnDraft::Lambda { params, body, src } => {
                let params = params.into_iter().map(|p| self.irrefutable(p, "a closure"));
                ir::FnValue::Lambda(ir::Lambda {
                    params: params.collect(),
                    body: self.boxed(body),
                    src,
                })
            }
        };
        fns.into_iter().map(build).collect()
    }

    fn block(&mut self, stmts: Vec<StmtDraft<'a>>, value: Option<NodeId>, src: SrcSpan) -> Expr {
        let stmts = stmts.into_iter().map(|stmt| match stmt {
            StmtDraft::Let { pattern, value } => {
                let value = self.expr(value);
                let pattern = self.irrefutable(pattern, "`let`");
                ir::Stmt::Let { pattern, value }
            }
            StmtDraft::Expr(expr) => ir::Stmt::Expr(self.expr(expr)),
        });
        let stmts = stmts.collect();
        let value = value.map(|value| self.boxed(value));
        let ty = match &value {
            Some(value) => value.ty.clone(),
            None => Type::Tuple(Vec::new()),
        };
        let kind = ExprKind::Block { stmts, value };
        Expr { kind, ty, src }
    }

    fn if_(&mut self, cond: NodeId, then: NodeId, else_: Option<NodeId>, src: SrcSpan) -> Expr {
        let cond = self.boxed(cond);
        let then = self.boxed(then);
        let else_ = match else_ {
            Some(else_) => self.boxed(else_),
            None => Box::new(self.block(Vec::new(), None, src)),
        };
        let ty = if then.diverges() {
            else_.ty.clone()
        } else {
            then.ty.clone()
        };
        let kind = ExprKind::If { cond, then, else_ };
        Expr { kind, ty, src }
    }
}

/// An expression of type `()`.
pub(super) fn unit(kind: ExprKind, src: SrcSpan) -> Expr {
    let ty = Type::Tuple(Vec::new());
    Expr { kind, ty, src }
}

fn is_checked(op: ScalarOp, ty: &Type) -> bool {
    let Type::Scalar(scalar) = ty else {
        return false;
    };
    let sizes = matches!(op, ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul);
    sizes && *scalar == Scalar::Usize || op.divides() && scalar.is_int()
}
