//! The parts of typed expressions, one walk for all who look for something in them.
//!
//! In: an expression. Out: its operands, patterns and names, in the order of the source.

use super::ir::{Expr, ExprKind, FnValue, LoopId, Pattern, PatternKind, PlaceStep, Stmt};
use crate::ids::LocalId;

/// A part of an expression.
pub enum Visit<'e> {
    /// An operand, evaluated as often as what it is a part of: once.
    Operand(&'e mut Expr),
    /// A body or branch, evaluated any number of times.
    Apart(&'e mut Expr),
    /// What is bound.
    Pattern(&'e mut Pattern),
    /// A local that is read or called.
    Read(&'e mut LocalId),
    /// A local that is assigned to.
    Assigned(&'e mut LocalId),
    /// A loop or body that is left, or named.
    Loop(&'e mut LoopId),
    /// A function that is passed.
    Function(&'e mut FnValue),
}

impl Expr {
    /// Shows the parts of this expression, not of its parts, to `see`.
    pub fn visit(&mut self, see: &mut dyn FnMut(Visit<'_>)) {
        match &mut self.kind {
            ExprKind::Const(_) => {}
            ExprKind::Local(local) => see(Visit::Read(local)),
            ExprKind::Scalar { args, .. }
            | ExprKind::Complex { args, .. }
            | ExprKind::Tuple(args)
            | ExprKind::Array(args) => operands(args, see),
            ExprKind::CallLocal { local, args } => {
                see(Visit::Read(local));
                operands(args, see);
            }
            ExprKind::Prim { args, fns, .. } | ExprKind::Call { args, fns, .. } => {
                operands(args, see);
                fns.iter_mut()
                    .for_each(|function| see(Visit::Function(function)));
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                see(Visit::Operand(left));
                see(Visit::Apart(right));
            }
            ExprKind::Range { lo, hi, .. } => {
                see(Visit::Operand(lo));
                see(Visit::Operand(hi));
            }
            ExprKind::Index(array, index) => {
                see(Visit::Operand(array));
                see(Visit::Operand(index));
            }
            ExprKind::Field(inner, _)
            | ExprKind::Dbg(inner)
            | ExprKind::Streamed(inner)
            | ExprKind::Assert { cond: inner, .. } => see(Visit::Operand(inner)),
            ExprKind::Sized { size, len, .. } => {
                see(Visit::Operand(size));
                see(Visit::Operand(len));
            }
            ExprKind::Slice { array, lo, hi, .. } => {
                see(Visit::Operand(array));
                let bounds = lo.iter_mut().chain(hi);
                bounds.for_each(|bound| see(Visit::Operand(bound)));
            }
            ExprKind::If { cond, then, else_ } => {
                see(Visit::Operand(cond));
                see(Visit::Apart(then));
                see(Visit::Apart(else_));
            }
            ExprKind::Match { scrutinee, arms } => {
                see(Visit::Operand(scrutinee));
                for arm in arms {
                    see(Visit::Pattern(&mut arm.pattern));
                    arm.guard
                        .iter_mut()
                        .for_each(|guard| see(Visit::Apart(guard)));
                    see(Visit::Apart(&mut arm.body));
                }
            }
            ExprKind::Block { stmts, value } => {
                for stmt in stmts {
                    match stmt {
                        Stmt::Let { pattern, value } => {
                            see(Visit::Operand(value));
                            see(Visit::Pattern(pattern));
                        }
                        Stmt::Expr(expr) => see(Visit::Operand(expr)),
                    }
                }
                value
                    .iter_mut()
                    .for_each(|value| see(Visit::Operand(value)));
            }
            ExprKind::While { cond, body, label } => {
                see(Visit::Loop(label));
                see(Visit::Apart(cond));
                see(Visit::Apart(body));
            }
            ExprKind::Loop { body, label, .. } | ExprKind::Labelled { body, label } => {
                see(Visit::Loop(label));
                see(Visit::Apart(body));
            }
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => {
                see(Visit::Loop(label));
                see(Visit::Operand(source));
                see(Visit::Pattern(pattern));
                see(Visit::Apart(body));
            }
            ExprKind::Break { label, value } => {
                see(Visit::Loop(label));
                value
                    .iter_mut()
                    .for_each(|value| see(Visit::Operand(value)));
            }
            ExprKind::Continue { label } => see(Visit::Loop(label)),
            ExprKind::Assign { place, value } => {
                see(Visit::Operand(value));
                for step in &mut place.path {
                    match step {
                        PlaceStep::Field(_) => {}
                        PlaceStep::Index(index) => see(Visit::Operand(index)),
                        PlaceStep::Slice { lo, hi, .. } => {
                            let bounds = lo.iter_mut().chain(hi);
                            bounds.for_each(|bound| see(Visit::Operand(bound)));
                        }
                    }
                }
                see(Visit::Assigned(&mut place.local));
            }
        }
    }

    /// Shows the names in this expression and in all of its parts to `see`: what is read, assigned
    /// and bound.
    pub fn names(&mut self, see: &mut dyn FnMut(Name<'_>)) {
        self.visit(&mut |part| match part {
            Visit::Operand(expr) | Visit::Apart(expr) => expr.names(see),
            Visit::Pattern(pattern) => pattern.names(see),
            Visit::Read(local) => see(Name::Read(local)),
            Visit::Assigned(local) => see(Name::Assigned(local)),
            Visit::Loop(label) => see(Name::Loop(label)),
            Visit::Function(FnValue::Local(local)) => see(Name::Read(local)),
            Visit::Function(FnValue::Lambda(lambda)) => {
                lambda
                    .params
                    .iter_mut()
                    .for_each(|pattern| pattern.names(see));
                lambda.body.names(see);
            }
        });
    }
}

/// A name in an expression.
pub enum Name<'e> {
    /// A local that is read or called.
    Read(&'e mut LocalId),
    /// A local that is assigned to.
    Assigned(&'e mut LocalId),
    /// A local that a pattern binds.
    Bound(&'e mut LocalId),
    /// A loop.
    Loop(&'e mut LoopId),
}

impl Pattern {
    /// Shows the locals that it binds to `see`.
    pub fn names(&mut self, see: &mut dyn FnMut(Name<'_>)) {
        match &mut self.kind {
            PatternKind::Wild | PatternKind::Const(_) | PatternKind::Range { .. } => {}
            PatternKind::Bind(local, inner) => {
                see(Name::Bound(local));
                inner.iter_mut().for_each(|inner| inner.names(see));
            }
            PatternKind::Tuple(parts) | PatternKind::Or(parts) => {
                parts.iter_mut().for_each(|part| part.names(see));
            }
        }
    }
}

fn operands(args: &mut [Expr], see: &mut dyn FnMut(Visit<'_>)) {
    args.iter_mut().for_each(|arg| see(Visit::Operand(arg)));
}
