//! Operators of reductions and scans over chunks.
//!
//! In: the operator that a user wrote, and the type of what it combines. Out: what it starts from.
//!
//! Note \[Operators without a neutral element\]. What is carried must be there before the first
//! item, and an operator that is not recognised has nothing to start from. So it is lifted to pairs
//! of a truth, whether there is a value, and the value: `(false, _)` is neutral. All items have one,
//! so each is combined with what it is combined with in an array, and in that order.

use super::build::{BOOL, Locals, array, constant, empty, if_, prim, truth, tuple};
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr, ExprKind, FnValue, Program, Type};
use crate::typed::recognise::{recognise, scalars};

impl Writer<'_> {
    /// `|p, q|`: the one that has a value, or `(true, function(p.1, q.1))`.
    pub(super) fn lifted(&mut self, function: &FnValue, item: &Type, src: SrcSpan) -> FnValue {
        let ty = lifted_type(item);
        self.locals.lambda(&[ty.clone(), ty], src, |locals, pairs| {
            let has_value = |at: usize| field(&pairs[at], 0);
            let values = pairs.iter().map(|pair| field(pair, 1)).collect();
            let both = locals.apply(function, values, src);
            let both = lifted(true, both);
            let with_left = if_(has_value(1), both, pairs[0].clone());
            if_(has_value(0), with_left, pairs[1].clone())
        })
    }

    /// Items as pairs that have a value.
    pub(super) fn lifted_items(&mut self, items: LocalId, item: &Type, src: SrcSpan) -> LocalId {
        let each = self
            .locals
            .lambda(std::slice::from_ref(item), src, |_, x| lift_all(x));
        let items = vec![self.locals.read(items, src)];
        let ty = array(&lifted_type(item));
        let pairs = prim(Prim::Map, items, vec![each], ty, src);
        self.bound("pairs", pairs)
    }

    /// The values of pairs that have one.
    pub(super) fn values(&mut self, pairs: Expr, item: &Type) -> Expr {
        let src = pairs.src;
        let each = self
            .locals
            .lambda(&[lifted_type(item)], src, |_, pair| field(&pair[0], 1));
        prim(Prim::Map, vec![pairs], vec![each], array(item), src)
    }

    /// Whether items are scalars and products of these.
    pub(super) fn is_plain(&self, item: &Type) -> bool {
        scalars(item, self.program).is_some()
    }

    /// What a recognised operator starts from.
    pub(super) fn neutral(&self, ty: &Type, ops: &[ScalarOp], src: SrcSpan) -> Expr {
        let mut ops = ops.iter();
        self.plain(ty, src, &mut |scalar| {
            let op = ops.next().copied().unwrap_or(ScalarOp::Add);
            crate::interpret::neutral(op, scalar)
        })
    }

    /// A pair without a value.
    pub(super) fn nothing(&self, item: &Type, src: SrcSpan) -> Expr {
        let zeros = self.plain(item, src, &mut |scalar| number(0, scalar));
        lifted(false, zeros)
    }

    fn plain(&self, ty: &Type, src: SrcSpan, each: &mut dyn FnMut(Scalar) -> Const) -> Expr {
        let parts: Vec<Expr> = match ty {
            Type::Scalar(scalar) => return constant(each(*scalar), src),
            Type::Tuple(parts) => parts.iter().map(|it| self.plain(it, src, each)).collect(),
            Type::Struct(id) => {
                let fields = self.program.structs[id.index()].fields.iter();
                fields.map(|(_, it)| self.plain(it, src, each)).collect()
            }
            Type::Array(elem) => return empty(elem, src),
        };
        let (kind, ty) = (ExprKind::Tuple(parts), ty.clone());
        Expr { kind, ty, src }
    }
}

fn lifted_type(item: &Type) -> Type {
    Type::Tuple(vec![BOOL, item.clone()])
}

/// A value, or what stands for none.
pub(super) fn lifted(has_value: bool, value: Expr) -> Expr {
    let src = value.src;
    tuple(vec![truth(has_value, src), value], src)
}

fn lift_all(values: Vec<Expr>) -> Expr {
    let mut values = values.into_iter().map(|value| lifted(true, value));
    values.next().unwrap_or_else(|| unreachable!("one item"))
}

/// A component of a tuple.
pub(super) fn field(of: &Expr, at: usize) -> Expr {
    let Type::Tuple(parts) = &of.ty else {
        unreachable!("a tuple")
    };
    Expr {
        kind: ExprKind::Field(Box::new(of.clone()), at),
        ty: parts[at].clone(),
        src: of.src,
    }
}

/// The operators of scalars that a function applies, if it is recognised.
pub(super) fn order(function: &FnValue, program: &Program) -> Option<Vec<ScalarOp>> {
    match function {
        FnValue::Lambda(lambda) => recognise(lambda, program),
        FnValue::Local(_) => None,
    }
}

/// `|a, b| op(a, b)`
pub(super) fn operator(locals: &mut Locals, op: ScalarOp, ty: &Type, src: SrcSpan) -> FnValue {
    let types = [ty.clone(), ty.clone()];
    let result = |_: &mut Locals, args| super::build::scalar(op, args, ty.clone(), src);
    locals.lambda(&types, src, result)
}

/// A number as a scalar of any type.
pub(super) fn number(value: u8, ty: Scalar) -> Const {
    crate::interpret::cast_size(usize::from(value), ty)
}

/// The neutral element of a recognised operator, in the shape of a value.
pub(super) fn neutral_like(
    value: &Expr,
    ops: &mut std::slice::Iter<'_, ScalarOp>,
    locals: &mut Locals,
    program: &Program,
) -> Expr {
    let (ty, src) = (value.ty.clone(), value.src);
    let parts: Vec<Type> = match &ty {
        Type::Scalar(scalar) => {
            let op = ops.next().copied().unwrap_or(ScalarOp::Add);
            return constant(crate::interpret::neutral(op, *scalar), src);
        }
        Type::Array(elem) => {
            let elem = std::slice::from_ref(&**elem);
            let each = locals.lambda(elem, src, |locals, x| {
                neutral_like(&x[0], ops, locals, program)
            });
            return prim(Prim::Map, vec![value.clone()], vec![each], ty, src);
        }
        Type::Tuple(parts) => parts.clone(),
        Type::Struct(id) => {
            let fields = program.structs[id.index()].fields.iter();
            fields.map(|(_, ty)| ty.clone()).collect()
        }
    };
    let parts = parts.into_iter().enumerate().map(|(at, ty)| {
        let kind = ExprKind::Field(Box::new(value.clone()), at);
        neutral_like(&Expr { kind, ty, src }, ops, locals, program)
    });
    let kind = ExprKind::Tuple(parts.collect());
    Expr { kind, ty, src }
}
