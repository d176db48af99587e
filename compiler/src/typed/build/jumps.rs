//! Where control goes in what has been built.

use super::unit;
use crate::typed::ir::{Expr, ExprKind, LoopId, Stmt, Type};

/// `expr` with its value as that of a `break` of `label`.
pub(super) fn leave_with(mut expr: Expr, label: LoopId) -> Expr {
    if expr.diverges() {
        return expr;
    }
    let leave = |inner: &mut Expr| {
        let whole = std::mem::replace(inner, unit(ExprKind::Tuple(Vec::new()), inner.src));
        *inner = leave_with(whole, label);
    };
    match &mut expr.kind {
        ExprKind::Block {
            value: Some(value), ..
        } => leave(value),
        ExprKind::If { then, else_, .. } => {
            leave(then);
            leave(else_);
        }
        ExprKind::Match { arms, .. } => arms.iter_mut().for_each(|arm| leave(&mut arm.body)),
        _value => {
            let src = expr.src;
            let value = Some(Box::new(expr));
            return unit(ExprKind::Break { label, value }, src);
        }
    }
    expr.ty = Type::Tuple(Vec::new());
    expr
}

impl Expr {
    /// Whether control never reaches its end: it leaves a loop on every path.
    pub fn diverges(&self) -> bool {
        match &self.kind {
            ExprKind::Break { .. } | ExprKind::Continue { .. } => true,
            ExprKind::Loop { ends, .. } => !ends,
            ExprKind::Block { stmts, value } => {
                let stmt = |stmt: &Stmt| matches!(stmt, Stmt::Expr(expr) if expr.diverges());
                stmts.iter().any(stmt) || value.as_ref().is_some_and(|value| value.diverges())
            }
            ExprKind::If { then, else_, .. } => then.diverges() && else_.diverges(),
            ExprKind::Match { arms, .. } => arms.iter().all(|arm| arm.body.diverges()),
            _ => false,
        }
    }
}
