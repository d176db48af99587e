//! Reductions over chunks.
//!
//! In: a sink that reduces by a recognised operator. Out: its state, and its result.
//!
//! Note \[Order over chunks\]. What an operator gives depends on positions in the sequence alone,
//! never on where chunks end. Operators that are exact are applied chunk by chunk. Sums and products
//! of floats are combined as those of an array are, in blocks of so many elements
//! (`docs/language.md`, Meaning): what is behind the last whole block of a chunk is kept, at most
//! a block, and the first elements of the next chunk are put behind it.

use super::build::{
    BOOL, Locals, USIZE, array, chunk, constant, empty, if_, prim, scalar, size, sizes, slice,
};
use super::graph::Sink;
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr, ExprKind, FnValue, Type};

impl Writer<'_> {
    /// A reduction by a recognised operator; see Note [Order over chunks].
    pub(super) fn reduction(
        &mut self,
        sink: &Sink,
        init: Expr,
        function: &FnValue,
        ops: &[ScalarOp],
        items: LocalId,
    ) {
        let (src, ty) = (sink.src, sink.ty.clone());
        let reduced = |locals: &mut Locals, items: Expr, from: Expr| {
            prim(
                Prim::Reduce,
                vec![items, from],
                vec![locals.again(function)],
                ty.clone(),
                src,
            )
        };
        if exact(ops, &ty) {
            let items = self.locals.read(items, src);
            self.result(sink, init, |this, before| {
                reduced(this.locals, items, before)
            });
            return;
        }
        let (init, stmt) = self.locals.bind("init", init);
        self.step.finish.push(stmt);
        let neutral = neutral(&ty, &mut ops.iter(), src);
        let total = self.locals.fresh("total", ty.clone(), src);
        let tail = self.locals.fresh("tail", array(&ty), src);
        let (n, t) = (self.len(items, src), self.len(tail, src));
        let read = |this: &Self, local| this.locals.read(local, src);
        // How many items complete the block that has been begun.
        let is_begun = scalar(ScalarOp::Gt, vec![t.clone(), size(0, src)], BOOL, src);
        let room = sizes(ScalarOp::Sub, chunk(src), t.clone());
        let room = scalar(ScalarOp::Min, vec![room, n.clone()], USIZE, src);
        let room = self.bound("room", if_(is_begun, room, size(0, src)));
        let head = slice(read(self, items), None, Some(read(self, room)));
        let head = vec![read(self, tail), head];
        let first = prim(Prim::Chain, head, Vec::new(), array(&ty), src);
        let first = self.bound("first", first);
        let operands = vec![self.len(first, src), chunk(src)];
        let is_whole = scalar(ScalarOp::Eq, operands, BOOL, src);
        let is_whole = self.bound("is_whole", is_whole);
        // The blocks behind it.
        let rest = slice(read(self, items), Some(read(self, room)), None);
        let rest = self.bound("rest", rest);
        let count = sizes(ScalarOp::Div, self.len(rest, src), chunk(src));
        let count = self.bound("count", count);
        let within = sizes(ScalarOp::Mul, read(self, count), chunk(src));
        let within = self.bound("within", within);
        let blocks = slice(read(self, rest), None, Some(read(self, within)));
        let blocks = prim(
            Prim::Reshape,
            vec![blocks, read(self, count), chunk(src)],
            Vec::new(),
            array(&array(&ty)),
            src,
        );
        let each = self.locals.lambda(&[array(&ty)], src, |locals, row| {
            let row = row
                .into_iter()
                .next()
                .unwrap_or_else(|| unreachable!("one"));
            reduced(locals, row, neutral.clone())
        });
        let totals = prim(Prim::Map, vec![blocks], vec![each], array(&ty), src);
        let first_total = read(self, first);
        let first_total = reduced(self.locals, first_total, neutral.clone());
        let operands = vec![read(self, total), first_total];
        let with_first = self.locals.apply(function, operands, src);
        let begun = if_(read(self, is_whole), with_first, read(self, total));
        let begun = self.bound("begun", begun);
        let next = prim(
            Prim::Fold,
            vec![totals, read(self, begun)],
            vec![self.locals.again(function)],
            ty.clone(),
            src,
        );
        let kept = if_(read(self, is_whole), size(0, src), self.len(first, src));
        let kept = slice(read(self, first), None, Some(kept));
        let behind = slice(read(self, rest), Some(read(self, within)), None);
        let next_tail = prim(Prim::Chain, vec![kept, behind], Vec::new(), array(&ty), src);
        self.carry(total, neutral.clone(), |_, _| next);
        self.carry(tail, empty(&ty, src), |_, _| next_tail);
        let last = read(self, tail);
        let last = reduced(self.locals, last, neutral);
        let operands = vec![read(self, total), last];
        let all = self.locals.apply(function, operands, src);
        let (all, stmt) = self.locals.bind("all", all);
        self.step.finish.push(stmt);
        let value = vec![read(self, init), read(self, all)];
        let value = self.locals.apply(function, value, src);
        self.finish(sink, value);
    }
}

/// Whether it makes no difference which elements are combined first.
pub(super) fn exact(ops: &[ScalarOp], ty: &Type) -> bool {
    let rounds = |op: &ScalarOp| matches!(op, ScalarOp::Add | ScalarOp::Mul);
    !holds_array(ty) && (!holds_float(ty) || !ops.iter().any(rounds))
}

fn holds_float(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => scalar.is_float(),
        Type::Tuple(parts) => parts.iter().any(holds_float),
        Type::Struct(_) => true,
        Type::Array(elem) => holds_float(elem),
    }
}

/// Scalars and tuples of these.
pub(super) fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(parts) => parts.iter().all(is_plain),
        Type::Struct(_) | Type::Array(_) => false,
    }
}

fn holds_array(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Struct(_) => false,
        Type::Tuple(parts) => parts.iter().any(holds_array),
        Type::Array(_) => true,
    }
}

/// What a recognised operator starts from.
fn neutral<'o>(ty: &Type, ops: &mut impl Iterator<Item = &'o ScalarOp>, src: SrcSpan) -> Expr {
    match ty {
        Type::Tuple(parts) => {
            let parts: Vec<Expr> = parts.iter().map(|it| neutral(it, ops, src)).collect();
            let kind = ExprKind::Tuple(parts);
            let ty = ty.clone();
            Expr { kind, ty, src }
        }
        Type::Scalar(scalar) => {
            let op = ops.next().copied().unwrap_or(ScalarOp::Add);
            constant(crate::interpret::neutral(op, *scalar), src)
        }
        Type::Struct(_) | Type::Array(_) => unreachable!("scalars and products of these"),
    }
}

/// A number as a scalar of any type.
pub(super) fn number(value: u8, ty: Scalar) -> Const {
    crate::interpret::cast_size(usize::from(value), ty)
}
