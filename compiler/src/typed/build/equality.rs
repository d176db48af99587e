//! `==` and `!=`, of tuples field by field.

use super::Builder;
use crate::ids::LocalId;
use crate::prims::{Scalar, ScalarOp, component};
use crate::source::SrcSpan;
use crate::typed::ir::{self, Expr, ExprKind, Type};
use crate::typed::literal;

impl Builder<'_, '_, '_> {
    // `==` of scalars, or of tuples and complex numbers field by field.
    pub(super) fn equality(&mut self, equal: bool, left: Expr, right: Expr, src: SrcSpan) -> Expr {
        let Some(fields) = fields(&left.ty) else {
            let op = if equal { ScalarOp::Eq } else { ScalarOp::Ne };
            let kind = ExprKind::Scalar {
                op,
                args: vec![left, right],
                checked: false,
            };
            return boolean(kind, src);
        };
        let mut stmts = Vec::new();
        let left = self.named(left, &mut stmts);
        let right = self.named(right, &mut stmts);
        let pairs = fields.into_iter().enumerate().map(|(index, ty)| {
            let field = |of: &Expr| {
                let kind = ExprKind::Field(Box::new(of.clone()), index);
                let ty = ty.clone();
                Expr { kind, ty, src }
            };
            (field(&left), field(&right))
        });
        let pairs: Vec<_> = pairs.collect();
        let tests = pairs
            .into_iter()
            .map(|(l, r)| self.equality(equal, l, r, src));
        let combine = |a, b| {
            let (a, b) = (Box::new(a), Box::new(b));
            let kind = if equal {
                ExprKind::And(a, b)
            } else {
                ExprKind::Or(a, b)
            };
            boolean(kind, src)
        };
        let always = ExprKind::Const(literal::boolean(equal));
        let all = tests
            .reduce(combine)
            .unwrap_or_else(|| boolean(always, src));
        if stmts.is_empty() {
            return all;
        }
        let kind = ExprKind::Block {
            stmts,
            value: Some(Box::new(all)),
        };
        boolean(kind, src)
    }

    // An expression that is read several times: a local, or a field of one.
    fn named(&mut self, expr: Expr, stmts: &mut Vec<ir::Stmt>) -> Expr {
        if is_path(&expr) {
            return expr;
        }
        let (ty, src) = (expr.ty.clone(), expr.src);
        let known = self.body.types.known(&ty);
        let local: LocalId = self.body.temporary(known, src);
        let kind = ir::PatternKind::Bind(local, None);
        let pattern = ir::Pattern {
            kind,
            ty: ty.clone(),
            src,
        };
        stmts.push(ir::Stmt::Let {
            pattern,
            value: expr,
        });
        let kind = ExprKind::Local(local);
        Expr { kind, ty, src }
    }
}

/// The types of the components, if it is a product.
fn fields(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Tuple(fields) => Some(fields.clone()),
        Type::Struct(id) => Some(vec![Type::Scalar(component(*id)?); 2]),
        Type::Scalar(_) | Type::Array(_) => None,
    }
}

fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Local(_) => true,
        ExprKind::Field(base, _) => is_path(base),
        _ => false,
    }
}

fn boolean(kind: ExprKind, src: SrcSpan) -> Expr {
    let ty = Type::Scalar(Scalar::Bool);
    Expr { kind, ty, src }
}
