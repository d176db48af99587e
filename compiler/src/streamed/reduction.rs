//! Reductions over chunks.
//!
//! In: a sink that reduces by a recognised operator. Out: its state, and its result.
//!
//! Note \[Order over chunks\]. What an operator gives depends on positions in the sequence alone,
//! never on where chunks end. Operators that are exact are applied chunk by chunk. Sums and products
//! of floats are combined as those of an array are, in blocks of so many elements
//! (`docs/language.md`, Meaning). Where a chunk has as many of these as items, the run time is asked
//! for chunks of whole blocks. Elsewhere what is behind the last whole block is kept, at most a
//! block, and the elements of the next chunk are put behind it.

use super::build::{array, chunk, constant, empty, prim, sizes, slice, truth};
use super::nodes::{Graph, Op, Sink};
use super::step::{Writer, order};
use crate::ids::LocalId;
use crate::prims::{Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr, ExprKind, FnValue, Type};
use crate::typed::recognise::exact;

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
        if exact(ops, &ty) {
            let items = self.locals.read(items, src);
            return self.goes_on(sink.local, init, items, function);
        }
        // What the operator starts from is combined with the total of all.
        let (init, stmt) = self.locals.bind("init", init);
        self.step.finish.push(stmt);
        let neutral = neutral(&ty, &mut ops.iter(), src);
        let total = self.locals.fresh("total", ty.clone(), src);
        let all = match self.is_in_step(sink.node) {
            true => {
                self.step.in_blocks = true;
                let items = self.locals.read(items, src);
                self.goes_on(total, neutral, items, function);
                total
            }
            false => self.with_tail(total, neutral, items, function),
        };
        let value = [init, all].map(|it| self.locals.read(it, src));
        let value = self.locals.apply(function, value.to_vec(), src);
        self.finish(sink, value);
    }

    /// Whether chunks of whole blocks of items are whole blocks of this node's.
    pub(super) fn is_in_step(&self, node: usize) -> bool {
        in_step_with_items(self.graph, node)
            && self.sources.are_whole_chunks(node)
            && !self.lags(node)
    }

    /// Whether items come in a later step than those that they are made of.
    fn lags(&self, node: usize) -> bool {
        let node = &self.graph.nodes[node];
        let keeps_back = match &node.op {
            Op::Scan { function, .. } => {
                let ops = order(function, self.program);
                !ops.is_some_and(|ops| exact(&ops, &node.item)) && !self.is_in_step(node.inputs[0])
            }
            _at_once => false,
        };
        keeps_back || node.inputs.iter().any(|input| self.lags(*input))
    }

    /// Carries the total of `items`, which are whole blocks but in the last step, or in any order.
    pub(super) fn goes_on(
        &mut self,
        total: LocalId,
        neutral: Expr,
        items: Expr,
        function: &FnValue,
    ) {
        let (ty, src) = (neutral.ty.clone(), items.src);
        let fns = vec![self.locals.again(function)];
        self.carry(total, neutral, |_, before| {
            prim(
                Prim::Reduce,
                vec![items, before, truth(true, src)],
                fns,
                ty,
                src,
            )
        });
    }

    /// The same of any number of items: those behind the last whole block are kept back. Gives what
    /// holds the total of all, in the end.
    fn with_tail(
        &mut self,
        total: LocalId,
        neutral: Expr,
        items: LocalId,
        function: &FnValue,
    ) -> LocalId {
        let (ty, src) = (neutral.ty.clone(), neutral.src);
        let read = |this: &Self, local| this.locals.read(local, src);
        let tail = self.locals.fresh("tail", array(&ty), src);
        let both = vec![read(self, tail), read(self, items)];
        let both = prim(Prim::Chain, both, Vec::new(), array(&ty), src);
        let both = self.bound("both", both);
        let rest = sizes(ScalarOp::Rem, self.len(both, src), chunk(src));
        let whole = sizes(ScalarOp::Sub, self.len(both, src), rest);
        let whole = self.bound("whole", whole);
        let blocks = slice(read(self, both), None, Some(read(self, whole)));
        self.goes_on(total, neutral.clone(), blocks, function);
        let rest = slice(read(self, both), Some(read(self, whole)), None);
        self.carry(tail, empty(&ty, src), |_, _| rest);
        let fns = vec![self.locals.again(function)];
        let last = vec![read(self, tail), neutral];
        let last = prim(Prim::Reduce, last, fns, ty, src);
        let all = self
            .locals
            .apply(function, vec![read(self, total), last], src);
        let (all, stmt) = self.locals.bind("all", all);
        self.step.finish.push(stmt);
        all
    }
}

/// Whether a chunk has as many of these as its source has items, and all in between are scalars
/// and products of these, so that a block of them takes little memory.
pub(super) fn in_step_with_items(graph: &Graph, node: usize) -> bool {
    let node = &graph.nodes[node];
    let keeps = match node.op {
        Op::Param(_)
        | Op::Elements { .. }
        | Op::Count { .. }
        | Op::Map(_)
        | Op::Zip
        | Op::Chain
        | Op::Enumerate
        | Op::Scan { .. } => true,
        Op::Filter(_)
        | Op::FlatMap(_)
        | Op::Take(_)
        | Op::TakeWhile(_)
        | Op::Skip(_)
        | Op::Chunks { .. }
        | Op::Windows(_) => false,
    };
    keeps && is_plain(&node.item) && node.inputs.iter().all(|it| in_step_with_items(graph, *it))
}

/// Scalars and tuples of these.
pub(super) fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => true,
        Type::Tuple(parts) => parts.iter().all(is_plain),
        Type::Struct(_) | Type::Array(_) => false,
    }
}

/// What a recognised operator starts from.
pub(super) fn neutral<'o>(
    ty: &Type,
    ops: &mut impl Iterator<Item = &'o ScalarOp>,
    src: SrcSpan,
) -> Expr {
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
