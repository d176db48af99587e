//! Recognises operators that may be combined in any grouping and order.
//!
//! In: a closure of two parameters. Out: for `|a, b| a ∘ b` with ∘ one of `+ * min max & | ^ && ||`
//! that operator; for a product whose every component is one, applied to that very component of `a`
//! and `b`, the operators of its scalars from left to right. `None` for everything else.
//!
//! Reductions and scans with such an operator have a fixed parallel order of combination; all others
//! go from left to right. The order is part of the language's meaning, hence so is this function.

use super::ir::{Expr, ExprKind, Lambda, Pattern, PatternKind};
use crate::ids::LocalId;
use crate::prims::ScalarOp;

/// The operators of the scalars of `lambda`'s result, if all are recognised (`&&` and `||` as `&`
/// and `|`).
pub fn recognise(lambda: &Lambda) -> Option<Vec<ScalarOp>> {
    let [a, b] = lambda.params.as_slice() else {
        return None;
    };
    let sides = [Operand::names(a), Operand::names(b)];
    let mut ops = Vec::new();
    component(&lambda.body, &mut Vec::new(), &sides, &mut ops)?;
    Some(ops)
}

/// A local that holds the component `path` of a parameter.
struct Operand {
    local: LocalId,
    path: Vec<usize>,
}

impl Operand {
    /// All names in the pattern of a parameter.
    fn names(pattern: &Pattern) -> Vec<Operand> {
        let mut names = Vec::new();
        Operand::collect(pattern, &mut Vec::new(), &mut names);
        names
    }

    fn collect(pattern: &Pattern, path: &mut Vec<usize>, names: &mut Vec<Operand>) {
        match &pattern.kind {
            PatternKind::Bind(local, inner) => {
                let (local, whole) = (*local, path.clone());
                names.push(Operand { local, path: whole });
                if let Some(inner) = inner {
                    Operand::collect(inner, path, names);
                }
            }
            PatternKind::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    path.push(i);
                    Operand::collect(part, path, names);
                    path.pop();
                }
            }
            PatternKind::Wild
            | PatternKind::Const(_)
            | PatternKind::Range { .. }
            | PatternKind::Or(_) => {}
        }
    }
}

/// Whether `expr` is a recognised operator on the components `path` of both sides, or a product of
/// such; adds the operators to `ops`.
fn component(
    expr: &Expr,
    path: &mut Vec<usize>,
    sides: &[Vec<Operand>; 2],
    ops: &mut Vec<ScalarOp>,
) -> Option<()> {
    let expr = without_blocks(expr);
    if let ExprKind::Tuple(parts) = &expr.kind {
        for (i, part) in parts.iter().enumerate() {
            path.push(i);
            component(part, path, sides, ops)?;
            path.pop();
        }
        return Some(());
    }
    if let ExprKind::Complex { op, args } = &expr.kind {
        let [left, right] = args.as_slice() else {
            return None;
        };
        // One operator for each component.
        let op = op.by_component()?;
        return on_both(left, right, path, sides).then(|| ops.extend([op, op]));
    }
    let (op, left, right) = operator(expr)?;
    on_both(left, right, path, sides).then(|| ops.push(op))
}

/// Whether the operands are the components `path` of both sides.
fn on_both(left: &Expr, right: &Expr, path: &[usize], sides: &[Vec<Operand>; 2]) -> bool {
    let is = |expr: &Expr, side: usize| names(expr, path, &sides[side]);
    is(left, 0) && is(right, 1) || is(left, 1) && is(right, 0)
}

/// The operator at the root of `expr`, if it is one that can be recognised, and its operands.
fn operator(expr: &Expr) -> Option<(ScalarOp, &Expr, &Expr)> {
    if let ExprKind::And(left, right) = &expr.kind {
        return Some((ScalarOp::BitAnd, left, right));
    }
    if let ExprKind::Or(left, right) = &expr.kind {
        return Some((ScalarOp::BitOr, left, right));
    }
    let ExprKind::Scalar { op, args, .. } = &expr.kind else {
        return None;
    };
    let [left, right] = args.as_slice() else {
        return None;
    };
    associates(*op).then_some((*op, left, right))
}

fn associates(op: ScalarOp) -> bool {
    matches!(
        op,
        ScalarOp::Add
            | ScalarOp::Mul
            | ScalarOp::Min
            | ScalarOp::Max
            | ScalarOp::BitAnd
            | ScalarOp::BitOr
            | ScalarOp::BitXor
    )
}

/// Whether `expr` reads the component `path` of the parameter with these names.
fn names(expr: &Expr, path: &[usize], side: &[Operand]) -> bool {
    let expr = without_blocks(expr);
    if let ExprKind::Local(local) = &expr.kind {
        return side
            .iter()
            .any(|name| name.local == *local && name.path == path);
    }
    let ExprKind::Field(product, field) = &expr.kind else {
        return false;
    };
    path.split_last()
        .is_some_and(|(last, outer)| last == field && names(product, outer, side))
}

/// `e` of `{ e }`.
fn without_blocks(expr: &Expr) -> &Expr {
    if let ExprKind::Block {
        stmts,
        value: Some(value),
    } = &expr.kind
        && stmts.is_empty()
    {
        return without_blocks(value);
    }
    expr
}
