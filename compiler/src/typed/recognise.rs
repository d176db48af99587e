//! Recognises operators that may be combined in any grouping and order.
//!
//! In: a closure of two parameters. Out: for `|a, b| a ∘ b` with ∘ one of `+ * min max & | ^ && ||`
//! that operator; for a product whose every component is one, applied to that very component of `a`
//! and `b`, the operators of its scalars from left to right; for an array that is one at each index,
//! `zip(a, b).map(|(x, y)| x ∘ y)`, those of its elements; and for a call of a function, what its
//! body is. `None` for everything else.
//!
//! Reductions and scans with such an operator have a fixed parallel order of combination; all others
//! go from left to right. The order is part of the language's meaning, hence so is this function.

use super::ir::{Expr, ExprKind, FnValue, Lambda, Param, Pattern, PatternKind, Program, Type};
use crate::ids::LocalId;
use crate::prims::{CHUNK, LANES, Prim, Scalar, ScalarOp};

/// The operators of the scalars of `lambda`'s result, if all are recognised (`&&` and `||` as `&`
/// and `|`); those of the elements of an array stand once.
pub fn recognise(lambda: &Lambda, program: &Program) -> Option<Vec<ScalarOp>> {
    let [a, b] = lambda.params.as_slice() else {
        return None;
    };
    let mut pass = Pass {
        program,
        ops: Vec::new(),
    };
    let sides = [Side::of(a), Side::of(b)];
    pass.component(&lambda.body, &mut Vec::new(), &sides)?;
    Some(pass.ops)
}

/// Whether it makes no difference which elements are combined first.
pub fn exact(ops: &[ScalarOp], ty: &Type, program: &Program) -> bool {
    let rounds = |op: &ScalarOp| matches!(op, ScalarOp::Add | ScalarOp::Mul);
    !holds_float(ty, program) || !ops.iter().any(rounds)
}

fn holds_float(ty: &Type, program: &Program) -> bool {
    match ty {
        Type::Scalar(scalar) => scalar.is_float(),
        Type::Tuple(parts) => parts.iter().any(|part| holds_float(part, program)),
        Type::Struct(id) => {
            let fields = &program.structs[id.index()].fields;
            fields.iter().any(|(_, ty)| holds_float(ty, program))
        }
        Type::Array(elem) => holds_float(elem, program),
    }
}

/// How many items of a sequence a scan combines on their own, so that prefixes come when so many are
/// there; `ops` are those of its operator, if that is recognised. A block of arrays may take any
/// memory, so of these there are as few as the order of combination allows.
pub fn at_a_time(ops: Option<&[ScalarOp]>, item: &Type, program: &Program) -> usize {
    match ops {
        Some(ops) if exact(ops, item, program) => 1,
        _in_order if scalars(item, program).is_some() => CHUNK,
        Some(_) => LANES,
        None => 1,
    }
}

/// The scalars of a product, from left to right; `None` if it holds an array.
pub fn scalars(ty: &Type, program: &Program) -> Option<Vec<Scalar>> {
    let all = |parts: &mut dyn Iterator<Item = &Type>| {
        let parts = parts.map(|part| scalars(part, program));
        let parts: Option<Vec<_>> = parts.collect();
        Some(parts?.concat())
    };
    match ty {
        Type::Scalar(scalar) => Some(vec![*scalar]),
        Type::Tuple(parts) => all(&mut parts.iter()),
        Type::Struct(id) => all(&mut program.structs[id.index()].fields.iter().map(|it| &it.1)),
        Type::Array(_) => None,
    }
}

/// A local that holds the component `path` of a parameter.
struct Operand {
    local: LocalId,
    path: Vec<usize>,
}

/// One of the operands.
struct Side {
    names: Vec<Operand>,
    /// What is the operand of what the names are parts of.
    within: Vec<usize>,
}

impl Side {
    /// What a parameter binds.
    fn of(pattern: &Pattern) -> Side {
        let mut names = Vec::new();
        collect(pattern, &mut Vec::new(), &mut names);
        let within = Vec::new();
        Side { names, within }
    }

    /// Whether `expr` is the component `path` of this operand.
    fn is(&self, expr: &Expr, path: &[usize]) -> bool {
        let path = [self.within.as_slice(), path].concat();
        names(expr, &path, &self.names)
    }
}

/// All names in the pattern of a parameter.
fn collect(pattern: &Pattern, path: &mut Vec<usize>, names: &mut Vec<Operand>) {
    match &pattern.kind {
        PatternKind::Bind(local, inner) => {
            let (local, whole) = (*local, path.clone());
            names.push(Operand { local, path: whole });
            if let Some(inner) = inner {
                collect(inner, path, names);
            }
        }
        PatternKind::Tuple(parts) => {
            for (i, part) in parts.iter().enumerate() {
                path.push(i);
                collect(part, path, names);
                path.pop();
            }
        }
        PatternKind::Wild
        | PatternKind::Const(_)
        | PatternKind::Range { .. }
        | PatternKind::Or(_) => {}
    }
}

struct Pass<'p> {
    program: &'p Program,
    /// Found so far.
    ops: Vec<ScalarOp>,
}

impl Pass<'_> {
    /// Whether `expr` is a recognised operator on the components `path` of both sides, or made of
    /// such.
    fn component(&mut self, expr: &Expr, path: &mut Vec<usize>, sides: &[Side; 2]) -> Option<()> {
        let expr = without_blocks(expr);
        match &expr.kind {
            ExprKind::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    path.push(i);
                    self.component(part, path, sides)?;
                    path.pop();
                }
                Some(())
            }
            ExprKind::Complex { op, args } => {
                let [left, right] = args.as_slice() else {
                    return None;
                };
                // One operator for each component.
                let op = op.by_component()?;
                on_both(left, right, path, sides).then(|| self.ops.extend([op, op]))
            }
            ExprKind::Prim { prim, args, fns } if *prim == Prim::Map => {
                self.elements(&args[0], fns, path, sides)
            }
            ExprKind::Call { func, args, fns } => {
                let [left, right] = args.as_slice() else {
                    return None;
                };
                let function = &self.program.functions[func.index()];
                let is_plain = fns.is_empty() && on_both(left, right, path, sides);
                let [a, b] = is_plain.then_some(function.params.as_slice())? else {
                    return None;
                };
                let side = |param: &Param| Side::of(&param.pattern);
                self.component(&function.body, &mut Vec::new(), &[side(a), side(b)])
            }
            _other => {
                let (op, left, right) = operator(expr)?;
                on_both(left, right, path, sides).then(|| self.ops.push(op))
            }
        }
    }

    /// Whether `fns` is one on the elements of `zipped`, which are those of both sides. Numbers of
    /// type `usize` are none: their sums are checked.
    fn elements(
        &mut self,
        zipped: &Expr,
        fns: &[FnValue],
        path: &[usize],
        sides: &[Side; 2],
    ) -> Option<()> {
        let ExprKind::Prim { prim, args, .. } = &without_blocks(zipped).kind else {
            return None;
        };
        let ([left, right], [FnValue::Lambda(each)]) = (args.as_slice(), fns) else {
            return None;
        };
        let [pair] = each.params.as_slice() else {
            return None;
        };
        let is_pair = *prim == Prim::Zip && on_both(left, right, path, sides);
        if !is_pair || self.holds_sizes(&left.ty) {
            return None;
        }
        let side = |at: usize| Side {
            within: vec![at],
            ..Side::of(pair)
        };
        self.component(&each.body, &mut Vec::new(), &[side(0), side(1)])
    }

    fn holds_sizes(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => *scalar == Scalar::Usize,
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_sizes(part)),
            Type::Struct(id) => {
                let mut fields = self.program.structs[id.index()].fields.iter();
                fields.any(|(_, ty)| self.holds_sizes(ty))
            }
            Type::Array(elem) => self.holds_sizes(elem),
        }
    }
}

/// Whether the operands are the components `path` of both sides.
fn on_both(left: &Expr, right: &Expr, path: &[usize], sides: &[Side; 2]) -> bool {
    let is = |expr: &Expr, side: usize| sides[side].is(expr, path);
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
    op.associates().then_some((*op, left, right))
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

/// `e` of `{ e }` and of `dbg!(e)`.
fn without_blocks(expr: &Expr) -> &Expr {
    if let ExprKind::Dbg(value) = &expr.kind {
        return without_blocks(value);
    }
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
