//! Patterns with their types; whether they cover what they are for.

use super::Builder;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::cover;
use crate::typed::draft::{ArmDraft, NodeId, Pat, PatBound, PatKind};
use crate::typed::ir::{self, Const, Expr, ExprKind};
use crate::typed::literal;
use crate::typed::types::Ty;

impl<'a> Builder<'_, '_, 'a> {
    pub(super) fn match_(
        &mut self,
        scrutinee: NodeId,
        arms: Vec<ArmDraft<'a>>,
        ty: Ty,
        src: SrcSpan,
    ) -> Expr {
        let scrutinee = self.boxed(scrutinee);
        let arms: Vec<_> = arms.into_iter().map(|arm| self.arm(arm)).collect();
        let rows = arms.iter().filter(|arm| arm.guard.is_none());
        let rows: Vec<_> = rows.map(|arm| &arm.pattern).collect();
        if !self.body.failed
            && let Some(missing) = cover::missing(&rows, &scrutinee.ty)
        {
            let error = Diagnostic::new(src, "this `match` does not cover all values")
                .note(not_taken("no arm takes", &missing))
                .help("add an arm for it, or `_ => …` for all the rest");
            self.body.error(error);
        }
        let ty = match arms.iter().find(|arm| !arm.body.diverges()) {
            Some(arm) => arm.body.ty.clone(),
            None => self.ty(ty, src),
        };
        let kind = ExprKind::Match { scrutinee, arms };
        Expr { kind, ty, src }
    }

    fn arm(&mut self, arm: ArmDraft<'a>) -> ir::Arm {
        ir::Arm {
            pattern: self.pattern(arm.pattern),
            guard: arm.guard.map(|guard| self.expr(guard)),
            body: self.expr(arm.body),
        }
    }

    /// A parameter's pattern.
    pub(in crate::typed) fn parameter(&mut self, pat: Pat<'a>) -> ir::Pattern {
        self.irrefutable(pat, "a parameter")
    }

    pub(super) fn irrefutable(&mut self, pat: Pat<'a>, what: &str) -> ir::Pattern {
        let pattern = self.pattern(pat);
        if !self.body.failed
            && let Some(missing) = cover::missing(&[&pattern], &pattern.ty)
        {
            let what = format!("{what} needs one that does; this one does not take");
            let error = Diagnostic::new(pattern.src, "this pattern does not match all values")
                .note(not_taken(&what, &missing))
                .help("use `match`");
            self.body.error(error);
        }
        pattern
    }

    pub(super) fn pattern(&mut self, pat: Pat<'a>) -> ir::Pattern {
        let Pat { kind, ty, src } = pat;
        let kind = match kind {
            PatKind::Wild => ir::PatternKind::Wild,
            PatKind::Bind(local, inner) => {
                let inner = inner.map(|inner| Box::new(self.pattern(*inner)));
                ir::PatternKind::Bind(local, inner)
            }
            PatKind::Tuple(fields) => {
                ir::PatternKind::Tuple(fields.into_iter().map(|f| self.pattern(f)).collect())
            }
            PatKind::Or(alternatives) => {
                ir::PatternKind::Or(alternatives.into_iter().map(|p| self.pattern(p)).collect())
            }
            PatKind::Const(value) => ir::PatternKind::Const(value),
            PatKind::Literal(literal) => {
                ir::PatternKind::Const(self.constant(literal, false, ty, src))
            }
            PatKind::Range { lo, hi, inclusive } => {
                let lo = lo.map(|lo| self.bound(lo, ty));
                let hi = hi.map(|hi| self.bound(hi, ty));
                self.range_pattern(lo, hi, inclusive, src)
            }
        };
        let ty = self.ty(ty, src);
        ir::Pattern { kind, ty, src }
    }

    fn bound(&mut self, bound: PatBound<'a>, ty: Ty) -> Const {
        match bound {
            PatBound::Literal(literal) => self.constant(literal, false, ty, literal.src),
            PatBound::Const(value) => value,
        }
    }

    fn range_pattern(
        &mut self,
        lo: Option<Const>,
        hi: Option<Const>,
        inclusive: bool,
        src: SrcSpan,
    ) -> ir::PatternKind {
        let last = match hi {
            Some(hi) if !inclusive => literal::before(hi),
            hi => hi,
        };
        let empty = (hi.is_some() && last.is_none())
            || lo
                .zip(last)
                .is_some_and(|(lo, last)| literal::less(last, lo));
        if empty && !self.body.failed {
            let error = Diagnostic::new(src, "this range pattern matches nothing")
                .note("its bounds are reversed");
            self.body.error(error);
        }
        ir::PatternKind::Range { lo, hi: last }
    }
}

fn not_taken(what: &str, missing: &str) -> String {
    match missing {
        "_" => format!("{what} all other values"),
        missing => format!("{what} `{missing}`"),
    }
}
