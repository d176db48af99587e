//! Reductions over chunks.
//!
//! In: a sink that reduces. Out: its state, and its result.
//!
//! Note \[Order over chunks\]. What an operator gives depends on positions in the sequence alone,
//! never on where chunks end. Operators that are exact are applied chunk by chunk. Sums and products
//! of floats are combined as those of an array are, in blocks of so many elements
//! (`docs/language.md`, Meaning). Where a chunk has as many of these as items, the run time is asked
//! for chunks of whole blocks. Elsewhere what is behind the last whole block is kept, at most a
//! block, and the elements of the next chunk are put behind it. Of items that hold arrays see
//! Note [Items of arrays].

use super::arrays::Body;
use super::build::{array, chunk, empty, prim, size, sizes, slice, truth, tuple};
use super::nodes::{Graph, Op, Sink};
use super::operators::{field, lifted, order};
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{Prim, ScalarOp};
use crate::typed::ir::{Expr, FnValue, Program};
use crate::typed::recognise::{at_a_time, exact, scalars};

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
        if exact(ops, &ty, self.program) {
            let items = self.locals.read(items, src);
            return self.goes_on(sink.local, init, items, function);
        }
        // What the operator starts from is combined with the total of all.
        let (init, stmt) = self.locals.bind("init", init);
        self.step.finish.push(stmt);
        let neutral = self.neutral(&ty, ops, src);
        let all = self.total(sink, neutral, function, items);
        let value = [init, all].map(|it| self.locals.read(it, src));
        let value = self.locals.apply(function, value.to_vec(), src);
        self.finish(sink, value);
    }

    /// A reduction by any operator on scalars and products of these; see
    /// Note [Operators without a neutral element].
    pub(super) fn lifted_reduction(
        &mut self,
        sink: &Sink,
        init: Expr,
        function: &FnValue,
        items: LocalId,
    ) {
        let (src, item) = (sink.src, sink.ty.clone());
        let pairs = self.lifted_items(items, &item, src);
        let of_pairs = self.lifted(function, &item, src);
        let nothing = self.nothing(&item, src);
        let all = self.total(sink, nothing, &of_pairs, pairs);
        let operands = [lifted(true, init), self.locals.read(all, src)];
        let value = self.locals.apply(&of_pairs, operands.to_vec(), src);
        self.finish(sink, field(&value, 1));
    }

    /// The total of `items`, which are as many as the sink's; what holds it behind the last step.
    fn total(&mut self, sink: &Sink, neutral: Expr, function: &FnValue, items: LocalId) -> LocalId {
        let total = self.locals.fresh("total", neutral.ty.clone(), sink.src);
        if !self.is_in_step(sink.node) {
            return self.with_tail(total, neutral, items, function);
        }
        self.step.in_blocks = true;
        let items = self.locals.read(items, sink.src);
        self.goes_on(total, neutral, items, function);
        total
    }

    /// A reduction of items that hold arrays, by an operator that goes from left to right in a block:
    /// how many items of the block there have been, the total of the blocks before, and that of this
    /// one.
    pub(super) fn one_by_one(
        &mut self,
        sink: &Sink,
        init: Expr,
        function: &FnValue,
        items: LocalId,
    ) {
        let (src, item) = (sink.src, sink.ty.clone());
        let both = self.lifted(function, &item, src);
        let nothing = lifted(false, init.clone());
        let start = tuple(vec![size(0, src), nothing.clone(), nothing], src);
        let types = [start.ty.clone(), item];
        let next = self.locals.lambda(&types, src, |locals, args| {
            let x = lifted(true, args[1].clone());
            let total = locals.apply(&both, vec![field(&args[0], 2), x], src);
            let mut body = Body::default();
            let block = body.behind_item(locals, &both, &args[0], total);
            body.giving(block)
        });
        let totals = self.locals.fresh("totals", start.ty.clone(), src);
        let items = self.locals.read(items, src);
        self.carry(totals, start, |_, before| {
            let ty = before.ty.clone();
            prim(Prim::Fold, vec![items, before], vec![next], ty, src)
        });
        let totals = self.locals.read(totals, src);
        let all = [1, 2].map(|at| field(&totals, at)).to_vec();
        let all = self.locals.apply(&both, all, src);
        let value = vec![lifted(true, init), all];
        let value = self.locals.apply(&both, value, src);
        self.finish(sink, field(&value, 1));
    }

    /// Whether chunks of whole blocks of items are whole blocks of this node's.
    pub(super) fn is_in_step(&self, node: usize) -> bool {
        in_step_with_items(self.graph, node, self.program)
            && self.sources.are_whole_chunks(node)
            && !self.lags(node)
    }

    /// Whether items come in a later step than those that they are made of.
    fn lags(&self, node: usize) -> bool {
        if self.sources.delayed.iter().any(|it| it.node == node) {
            return true;
        }
        let node = &self.graph.nodes[node];
        let keeps_back = match &node.op {
            Op::Scan { function, .. } => {
                let ops = order(function, self.program);
                at_a_time(ops.as_deref(), &node.item, self.program) > 1
                    && !self.is_in_step(node.inputs[0])
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
pub(super) fn in_step_with_items(graph: &Graph, node: usize, program: &Program) -> bool {
    let node = &graph.nodes[node];
    let keeps = match node.op {
        Op::Param(_)
        | Op::Elements { .. }
        | Op::Count { .. }
        | Op::Nested(_)
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
    let mut inputs = node.inputs.iter();
    keeps
        && scalars(&node.item, program).is_some()
        && inputs.all(|it| in_step_with_items(graph, *it, program))
}
