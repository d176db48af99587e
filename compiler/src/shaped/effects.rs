//! What lowering has to know of code before it lowers it: the locals it assigns and the loops it
//! leaves.

use crate::ids::LocalId;
use crate::typed::ir::{Arm, Expr, ExprKind, LoopId, Pattern, PatternKind, PlaceStep, Stmt};

/// What a piece of code does to its surroundings.
#[derive(Default, Debug)]
pub(super) struct Effects {
    /// Locals declared outside and assigned inside, first assignment first.
    pub(super) assigned: Vec<LocalId>,
    /// Loops outside that are left or continued from inside.
    pub(super) exits: Vec<Exit>,
    declared: Vec<LocalId>,
    labels: Vec<LoopId>,
}

/// A `break` or `continue`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    pub(super) label: LoopId,
    pub(super) is_break: bool,
}

impl Effects {
    /// Of expressions.
    pub(super) fn of<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Effects {
        let mut effects = Effects::default();
        exprs.into_iter().for_each(|expr| effects.expr(expr));
        effects.finish()
    }

    /// Of a statement.
    pub(super) fn of_stmts(stmts: &[Stmt], value: Option<&Expr>) -> Effects {
        let mut effects = Effects::default();
        stmts.iter().for_each(|stmt| effects.stmt(stmt));
        value.into_iter().for_each(|value| effects.expr(value));
        effects.finish()
    }

    /// Of the arms of a `match`.
    pub(super) fn of_arms(arms: &[Arm]) -> Effects {
        let mut effects = Effects::default();
        arms.iter().for_each(|arm| effects.arm(arm));
        effects.finish()
    }

    fn finish(mut self) -> Effects {
        let Effects {
            assigned,
            exits,
            declared,
            labels,
        } = &mut self;
        assigned.retain(|local| !declared.contains(local));
        exits.retain(|exit| !labels.contains(&exit.label));
        self
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pattern, value } => {
                self.expr(value);
                bound(pattern, &mut self.declared);
            }
            Stmt::Expr(expr) => self.expr(expr),
        }
    }

    fn arm(&mut self, arm: &Arm) {
        bound(&arm.pattern, &mut self.declared);
        arm.guard.iter().for_each(|guard| self.expr(guard));
        self.expr(&arm.body);
    }

    fn exit(&mut self, label: LoopId, is_break: bool) {
        let exit = Exit { label, is_break };
        if !self.exits.contains(&exit) {
            self.exits.push(exit);
        }
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    /// Closures assign nothing outside and leave no loop.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Local(_) => {}
            ExprKind::Scalar { args, .. }
            | ExprKind::Complex { args, .. }
            | ExprKind::Tuple(args)
            | ExprKind::Array(args)
            | ExprKind::Prim { args, .. }
            | ExprKind::Call { args, .. }
            | ExprKind::CallLocal { args, .. } => self.all(args),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.all([&**left, &**right]);
            }
            ExprKind::Range { lo, hi, .. } => self.all([&**lo, &**hi]),
            ExprKind::Index(array, index) => self.all([&**array, &**index]),
            ExprKind::Field(inner, _) | ExprKind::Dbg(inner) | ExprKind::Streamed(inner) => {
                self.expr(inner)
            }
            ExprKind::Slice { array, lo, hi, .. } => {
                self.expr(array);
                self.all(lo.iter().chain(hi).map(|bound| &**bound));
            }
            ExprKind::If { cond, then, else_ } => self.all([&**cond, &**then, &**else_]),
            ExprKind::Match { scrutinee, arms } => {
                self.expr(scrutinee);
                arms.iter().for_each(|arm| self.arm(arm));
            }
            ExprKind::Block { stmts, value } => {
                stmts.iter().for_each(|stmt| self.stmt(stmt));
                self.all(value.as_deref());
            }
            ExprKind::While { cond, body, label } => {
                self.labels.push(*label);
                self.all([&**cond, &**body]);
            }
            ExprKind::Loop { body, label, .. } | ExprKind::Labelled { body, label } => {
                self.labels.push(*label);
                self.expr(body);
            }
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => {
                self.labels.push(*label);
                bound(pattern, &mut self.declared);
                self.all([&**source, &**body]);
            }
            ExprKind::Break { label, value } => {
                self.all(value.as_deref());
                self.exit(*label, true);
            }
            ExprKind::Continue { label } => self.exit(*label, false),
            ExprKind::Assign { place, value } => {
                self.expr(value);
                place.path.iter().for_each(|step| match step {
                    PlaceStep::Index(index) => self.expr(index),
                    PlaceStep::Slice { lo, hi, .. } => self.all(lo.iter().chain(hi)),
                    PlaceStep::Field(_) => {}
                });
                if !self.assigned.contains(&place.local) {
                    self.assigned.push(place.local);
                }
            }
            ExprKind::Assert { cond, .. } => self.expr(cond),
            ExprKind::Sized { size, len, .. } => self.all([&**size, &**len]),
        }
    }
}

/// The locals that a pattern binds.
pub(super) fn bound(pattern: &Pattern, out: &mut Vec<LocalId>) {
    match &pattern.kind {
        PatternKind::Wild | PatternKind::Const(_) | PatternKind::Range { .. } => {}
        PatternKind::Bind(local, inner) => {
            out.push(*local);
            inner.iter().for_each(|inner| bound(inner, out));
        }
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| bound(part, out)),
        // Every alternative binds the same locals.
        PatternKind::Or(parts) => parts.first().into_iter().for_each(|part| bound(part, out)),
    }
}
