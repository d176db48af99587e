//! Operators that reach over the ends of chunks: prefixes, pieces and windows.
//!
//! In: the items that a chunk has of a sequence, and what was kept back of those before. Out: what an
//! operator gives of them, and what it keeps back in its turn.

use super::build::{BOOL, USIZE, array, empty, if_, prim, scalar, size, sizes, slice, truth};
use super::delay::in_groups;
use super::feed::Taken;
use super::nodes::{Graph, Node, Op};
use super::operators::{field, order};
use super::reduction::in_step_with_items;
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{CHUNK, Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, FnValue, Program, Type};
use crate::typed::recognise::{at_a_time, exact};

/// Whether items of a node come in a later step than what they are made of.
pub(super) fn keeps_back(graph: &Graph, node: usize, program: &Program, is_chained: bool) -> bool {
    let node = &graph.nodes[node];
    match &node.op {
        Op::Scan { function, .. } => {
            let ops = order(function, program);
            let is_in_step = || !is_chained && in_step_with_items(graph, node.inputs[0], program);
            at_a_time(ops.as_deref(), &node.item, program) > 1 && !is_in_step()
        }
        Op::Chunks { .. } => true,
        _at_once => false,
    }
}

impl Writer<'_> {
    /// Prefixes, which go on from the total of what was before: see Note [Order over chunks], which is
    /// that of the carry of a scan as well.
    pub(super) fn scan(
        &mut self,
        at: usize,
        init: Option<LocalId>,
        function: &FnValue,
        input: LocalId,
    ) -> Expr {
        let node = &self.graph.nodes[at];
        let (src, item) = (node.src, node.item.clone());
        if !self.is_plain(&item) {
            return self.scan_of_arrays(at, init, function, input);
        }
        let ops = order(function, self.program);
        let items = match &ops {
            Some(ops) if exact(ops, &item, self.program) => input,
            _by_blocks => self.in_whole_blocks(node.inputs[0], input),
        };
        match (init, ops) {
            (Some(init), _) => {
                let start = self.locals.read(init, src);
                self.scan_on(start, false, items, function)
            }
            (None, Some(ops)) => {
                let start = self.neutral(&item, &ops, src);
                self.scan_on(start, true, items, function)
            }
            (None, None) => {
                let start = self.nothing(&item, src);
                let pairs = self.lifted_items(items, &item, src);
                let of_pairs = self.lifted(function, &item, src);
                let prefixes = self.scan_on(start, true, pairs, &of_pairs);
                self.values(prefixes, &item)
            }
        }
    }

    /// Prefixes of `items` behind those of a total that is carried, with the item itself or without.
    fn scan_on(
        &mut self,
        start: Expr,
        with_item: bool,
        items: LocalId,
        function: &FnValue,
    ) -> Expr {
        let (src, item) = (start.src, start.ty.clone());
        let before = self.locals.fresh("before", item.clone(), src);
        let mut operands = [items, before].map(|it| self.locals.read(it, src)).to_vec();
        if with_item {
            operands.push(truth(true, src));
        }
        let ty = Type::Tuple(vec![array(&item), item]);
        let fns = vec![self.locals.again(function)];
        let both = prim(Prim::ScanFrom, operands, fns, ty, src);
        let both = self.bound("scanned", both);
        let both = self.locals.read(both, src);
        self.carry(before, start, |_, _| field(&both, 1));
        field(&both, 0)
    }

    /// The items of a node in whole blocks, but for its last ones.
    fn in_whole_blocks(&mut self, node: usize, items: LocalId) -> LocalId {
        if self.is_in_step(node) {
            self.step.in_blocks = true;
            return items;
        }
        self.scanned_by(node, items, CHUNK)
    }

    /// The items of a node in whole groups of so many, but for its last ones, as they come or else.
    pub(super) fn scanned_by(&mut self, node: usize, items: LocalId, of: usize) -> LocalId {
        match in_groups(self.graph, &self.sources.delayed, node, of) {
            true => items,
            false => self.in_groups(node, items, of),
        }
    }

    /// The items of a node in whole groups of so many, but for its last ones.
    pub(super) fn in_groups(&mut self, node: usize, items: LocalId, of: usize) -> LocalId {
        let src = self.graph.nodes[node].src;
        let item = self.graph.nodes[node].item.clone();
        let (kept, both) = self.with_kept(&item, items, src);
        let over = self.is_over(node, src);
        let over = self.if_wanted(node, over);
        let rest = sizes(ScalarOp::Rem, self.len(both, src), size(of as u64, src));
        let whole = sizes(ScalarOp::Sub, self.len(both, src), rest);
        let now = if_(over, self.len(both, src), whole);
        self.cut(kept, both, now, &item, src)
    }

    /// What holds the items that were kept back, and these with those of a chunk behind them.
    fn with_kept(&mut self, item: &Type, items: LocalId, src: SrcSpan) -> (LocalId, LocalId) {
        let kept = self.locals.fresh("kept", array(item), src);
        let both = [kept, items].map(|it| self.locals.read(it, src));
        let both = prim(Prim::Chain, both.to_vec(), Vec::new(), array(item), src);
        (kept, self.bound("both", both))
    }

    /// The first items of `both`, `now` in number; the others are kept back.
    fn cut(
        &mut self,
        kept: LocalId,
        both: LocalId,
        now: Expr,
        item: &Type,
        src: SrcSpan,
    ) -> LocalId {
        let now = self.bound("now", now);
        let read = |this: &Self, local| this.locals.read(local, src);
        let next = slice(read(self, both), Some(read(self, now)), None);
        self.carry(kept, empty(item, src), |_, _| next);
        let first = slice(read(self, both), None, Some(read(self, now)));
        self.bound("first", first)
    }

    /// `xs.chunks(len)`, also those of which a chunk has some items only.
    pub(super) fn chunks(
        &mut self,
        at: usize,
        (len, is_exact): (LocalId, bool),
        input: LocalId,
    ) -> Expr {
        let node = &self.graph.nodes[at];
        let src = node.src;
        let item = self.graph.nodes[node.inputs[0]].item.clone();
        let (kept, both) = self.with_kept(&item, input, src);
        // The operator itself says what is wrong with 0.
        let some = vec![self.locals.read(len, src), size(1, src)];
        let some = scalar(ScalarOp::Max, some, USIZE, src);
        let rest = sizes(ScalarOp::Rem, self.len(both, src), some);
        let whole = sizes(ScalarOp::Sub, self.len(both, src), rest);
        let (op, now) = match is_exact {
            true => (Prim::ChunksExact, whole),
            false => {
                let over = self.is_over(node.inputs[0], src);
                let over = self.if_wanted(at, over);
                (Prim::Chunks, if_(over, self.len(both, src), whole))
            }
        };
        let first = self.cut(kept, both, now, &item, src);
        let operands = [first, len].map(|it| self.locals.read(it, src));
        prim(op, operands.to_vec(), Vec::new(), array(&node.item), src)
    }

    /// `xs.windows(len)`: the last items but one are kept for the windows that begin with them.
    pub(super) fn windows(&mut self, node: &Node, len: LocalId, input: LocalId) -> Expr {
        let src = node.src;
        let item = self.graph.nodes[node.inputs[0]].item.clone();
        let (kept, both) = self.with_kept(&item, input, src);
        let some = vec![self.locals.read(len, src), size(1, src)];
        let some = scalar(ScalarOp::Max, some, USIZE, src);
        let most = sizes(ScalarOp::Sub, some, size(1, src));
        let most = vec![self.len(both, src), most];
        let most = scalar(ScalarOp::Min, most, USIZE, src);
        let from = sizes(ScalarOp::Sub, self.len(both, src), most);
        let next = slice(self.locals.read(both, src), Some(from), None);
        self.carry(kept, empty(&item, src), |_, _| next);
        let operands = [both, len].map(|it| self.locals.read(it, src));
        prim(
            Prim::Windows,
            operands.to_vec(),
            Vec::new(),
            array(&node.item),
            src,
        )
    }

    /// Whether a node has no items behind those of this chunk.
    fn is_over(&mut self, node: usize, src: SrcSpan) -> Expr {
        let known = self.step.over.iter().find(|(it, _)| *it == node);
        let known = known.map(|(_, local)| self.locals.read(*local, src));
        let graph = self.graph;
        let of_inputs = match &graph.nodes[node].op {
            Op::Param(_) | Op::Elements { .. } | Op::Count { .. } | Op::Nested(_) => {
                let later = self.sources.later(node).into_iter();
                let begun: Vec<Expr> = later.map(|it| self.is_begun(it, src)).collect();
                [
                    vec![self.is_last(src)],
                    begun,
                    self.has_ended_beside(node, src),
                ]
                .concat()
            }
            // Behind the last item of the first comes the second.
            Op::Chain => vec![self.is_over(graph.nodes[node].inputs[1], src)],
            _operator => {
                let inputs = graph.nodes[node].inputs.iter();
                inputs.map(|input| self.is_over(*input, src)).collect()
            }
        };
        let all = known.into_iter().chain(of_inputs);
        let either = |a, b| scalar(ScalarOp::BitOr, vec![a, b], BOOL, src);
        all.reduce(either)
            .unwrap_or_else(|| unreachable!("an operator has inputs"))
    }

    /// Whether a chunk has items of a source.
    pub(super) fn is_begun(&self, source: Taken, src: SrcSpan) -> Expr {
        let (lo, hi) = match source {
            Taken::Items(items) => (size(0, src), self.len(items, src)),
            Taken::Ends(lo, hi) => (self.locals.read(lo, src), self.locals.read(hi, src)),
        };
        scalar(ScalarOp::Lt, vec![lo, hi], BOOL, src)
    }

    /// Whether the chunk is the last one.
    fn is_last(&mut self, src: SrcSpan) -> Expr {
        let last = match self.step.last {
            Some(last) => last,
            None => self.locals.fresh("last", BOOL, src),
        };
        self.step.last = Some(last);
        self.locals.read(last, src)
    }
}
