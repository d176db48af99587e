//! What is computed for a chunk of items, and what is carried from chunk to chunk.
//!
//! In: the sequences of a pass. Out: statements over the items that a chunk has of each, the state
//! with what it is before the first chunk and after this one, and what each sink is when the last
//! chunk has been computed.

use super::build::{
    BOOL, Locals, USIZE, array, block, constant, empty, if_, prim, range, scalar, size, sizes,
    slice, truth,
};
use super::feed::{Sources, Taken};
use super::nodes::{Graph, Node, Op, Sink};
use super::operators::{field, number, operator, order};
use super::passes::Names;
use super::wanted::Gate;
use crate::ids::LocalId;
use crate::prims::{Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, FnValue, Program, Stmt, Type};

/// A pass.
#[derive(Default)]
pub(super) struct Step {
    /// What is computed for a chunk.
    pub(super) stmts: Vec<Stmt>,
    pub(super) state: Vec<State>,
    /// Values to append what a chunk gives to.
    pub(super) collected: Vec<(LocalId, Expr)>,
    /// What holds as long as more items are wanted, if all that is made of them may have enough.
    pub(super) more: Option<Expr>,
    /// What holds once no more are wanted of a part of the feed, by [`Feed::Until`](super::ir::Feed).
    pub(super) ends: Vec<Expr>,
    /// What is computed behind the last chunk.
    pub(super) finish: Vec<Stmt>,
    /// Whether chunks must have whole blocks of items.
    pub(super) in_blocks: bool,
    /// What says whether there are no items behind those of the chunk, if that is asked for.
    pub(super) last: Option<LocalId>,
    /// What says of a node whether it has no further items, if its operator knows.
    pub(super) over: Vec<(usize, LocalId)>,
    /// The items of a chunk, by node.
    chunks: Vec<(usize, LocalId)>,
}

impl Step {
    /// The items that a chunk has of a node.
    pub(super) fn items(&self, node: usize) -> LocalId {
        let found = self.chunks.iter().find(|(it, _)| *it == node);
        found.map_or_else(|| unreachable!("inputs come first"), |(_, local)| *local)
    }

    /// What it reads that it does not make, but for items.
    pub(super) fn needs(&self) -> Vec<LocalId> {
        let mut names = Names::default();
        self.stmts.iter().for_each(|stmt| names.stmt(stmt));
        for state in &self.state {
            names.expr(&state.next);
        }
        let values = self.collected.iter().map(|(_, value)| value);
        let ends = self.more.iter().chain(&self.ends);
        values.chain(ends).for_each(|value| names.expr(value));
        let state = self.state.iter().map(|it| it.local);
        names.free().into_iter().chain(state).collect()
    }
}

/// Part of what is carried.
pub(super) struct State {
    /// What holds it: before the first chunk, within a step, and behind the last chunk.
    pub(super) local: LocalId,
    pub(super) init: Expr,
    pub(super) next: Expr,
}

/// Writes the steps of one function.
pub(super) struct Writer<'w> {
    pub(super) program: &'w Program,
    pub(super) graph: &'w Graph,
    pub(super) locals: &'w mut Locals,
    /// What its sources give to a chunk, and how these are gone through.
    pub(super) sources: &'w Sources,
    pub(super) step: Step,
    /// The nodes of the pass.
    pub(super) nodes: &'w [usize],
    /// The one whose items are given one by one.
    pub(super) gives: Option<usize>,
    /// What says whether nobody wants these any more, if the pass goes on then.
    pub(super) unwanted: Option<LocalId>,
    pub(super) gates: Vec<Gate>,
    /// What holds the state of a `take` or a `take_while`, by node.
    pub(super) held: Vec<(usize, LocalId)>,
    /// What holds how many items of a chunk a node needs, by node; nothing of all.
    pub(super) limits: Vec<(usize, Option<LocalId>)>,
}

impl Writer<'_> {
    fn items(&self, node: usize) -> LocalId {
        self.step.items(node)
    }

    pub(super) fn carry(
        &mut self,
        local: LocalId,
        init: Expr,
        next: impl FnOnce(&mut Self, Expr) -> Expr,
    ) {
        let before = self.locals.read(local, init.src);
        let next = next(self, before);
        self.step.state.push(State { local, init, next });
    }

    /// The value of `expr` in a local of the step.
    pub(super) fn bound(&mut self, name: &str, expr: Expr) -> LocalId {
        let (local, stmt) = self.locals.bind(name, expr);
        self.step.stmts.push(stmt);
        local
    }

    pub(super) fn len(&self, array: LocalId, src: SrcSpan) -> Expr {
        self.locals.len_of(array, src)
    }

    /// Computes the items of `node`; of a source they are what is `taken`.
    pub(super) fn node(&mut self, at: usize, taken: Option<Taken>) {
        let graph = self.graph;
        let node = &graph.nodes[at];
        let items = match taken {
            Some(Taken::Items(local)) => local,
            Some(Taken::Ends(lo, hi)) => {
                let items = self.counted(at, lo, hi);
                self.bound("items", items)
            }
            None => {
                let inputs = node.inputs.iter().map(|input| self.gated(*input, at));
                let inputs: Vec<LocalId> = inputs.collect();
                let items = self.made(at, &inputs);
                self.bound("items", items)
            }
        };
        let sources = self.sources;
        let delayed = sources.delayed.iter().filter(|it| it.node == at);
        let items = match delayed.map(|it| it.by).max() {
            Some(by) => self.in_groups(at, items, by),
            None => items,
        };
        self.step.chunks.push((at, items));
    }

    fn counted(&mut self, at: usize, lo: LocalId, hi: LocalId) -> Expr {
        let graph = self.graph;
        let node = &graph.nodes[at];
        let src = node.src;
        let wanted = self.wanted_of(at);
        let [lo, mut hi] = [lo, hi].map(|it| self.locals.read(it, src));
        if let Some(wanted) = wanted {
            let count = vec![sizes(ScalarOp::Sub, hi, lo.clone()), wanted];
            let count = scalar(ScalarOp::Min, count, USIZE, src);
            hi = sizes(ScalarOp::Add, lo.clone(), count);
        }
        if let Some(unwanted) = self.unwanted_at(at) {
            hi = if_(unwanted, lo.clone(), hi);
        }
        match &node.op {
            Op::Elements { array, .. } => slice(self.locals.read(*array, src), Some(lo), Some(hi)),
            Op::Count { function, .. } => prim(
                Prim::Map,
                vec![range(lo, hi)],
                vec![self.locals.again(function)],
                array(&node.item),
                src,
            ),
            _operator => unreachable!("only sources are counted"),
        }
    }

    fn made(&mut self, at: usize, inputs: &[LocalId]) -> Expr {
        let graph = self.graph;
        let node = &graph.nodes[at];
        let src = node.src;
        let reads: Vec<Expr> = inputs.iter().map(|it| self.locals.read(*it, src)).collect();
        let ty = array(&node.item);
        let (op, fns) = match &node.op {
            Op::Map(function) => (Prim::Map, vec![self.locals.again(function)]),
            Op::Filter(function) => (Prim::Filter, vec![self.locals.again(function)]),
            Op::FlatMap(function) => (Prim::FlatMap, vec![self.locals.again(function)]),
            Op::Zip if self.sources.is_uneven(graph, at) => return self.pairs(at, inputs, ty),
            Op::Zip => (Prim::Zip, Vec::new()),
            Op::Chain => (Prim::Chain, Vec::new()),
            Op::Enumerate => return self.enumerate(node, inputs[0]),
            Op::Take(count) => return self.take(at, *count, inputs[0]),
            Op::TakeWhile(function) => return self.take_while(at, function, inputs[0]),
            Op::Skip(count) => return self.skip(*count, inputs[0], src),
            Op::Scan { init, function } => return self.scan(at, *init, function, inputs[0]),
            Op::Chunks { len, is_exact } => {
                return self.chunks(at, (*len, *is_exact), inputs[0]);
            }
            Op::Windows(len) => return self.windows(node, *len, inputs[0]),
            Op::Param(_) | Op::Elements { .. } | Op::Count { .. } | Op::Nested(_) => {
                unreachable!("sources have been taken")
            }
        };
        prim(op, reads, fns, ty, src)
    }

    fn enumerate(&mut self, node: &Node, input: LocalId) -> Expr {
        let src = node.src;
        let at = self.locals.fresh("at", USIZE, src);
        let len = self.len(input, src);
        self.carry(at, size(0, src), |_, before| {
            sizes(ScalarOp::Add, before, len)
        });
        let item = &node.item;
        let function = self
            .locals
            .lambda(std::slice::from_ref(item), src, |locals, pair| {
                let [pair] = <[Expr; 1]>::try_from(pair).unwrap_or_else(|_| unreachable!("one"));
                let index = sizes(ScalarOp::Add, locals.read(at, src), field(&pair, 0));
                let ty = pair.ty.clone();
                let kind = ExprKind::Tuple(vec![index, field(&pair, 1)]);
                Expr { kind, ty, src }
            });
        let ty = array(item);
        let pairs = prim(
            Prim::Enumerate,
            vec![self.locals.read(input, src)],
            Vec::new(),
            ty.clone(),
            src,
        );
        prim(Prim::Map, vec![pairs], vec![function], ty, src)
    }

    fn take(&mut self, at: usize, count: LocalId, input: LocalId) -> Expr {
        let src = self.graph.nodes[at].src;
        let left = self.held(at);
        let taken = |this: &Self| {
            let operands = vec![this.locals.read(left, src), this.len(input, src)];
            scalar(ScalarOp::Min, operands, USIZE, src)
        };
        let used = taken(self);
        let init = self.locals.read(count, src);
        self.carry(left, init, |_, before| sizes(ScalarOp::Sub, before, used));
        let after = sizes(ScalarOp::Sub, self.locals.read(left, src), taken(self));
        let over = scalar(ScalarOp::Eq, vec![after, size(0, src)], BOOL, src);
        self.ends(at, over);
        slice(self.locals.read(input, src), None, Some(taken(self)))
    }

    /// The first items of a chunk, none if those before it were not all.
    fn take_while(&mut self, at: usize, function: &FnValue, input: LocalId) -> Expr {
        let node = &self.graph.nodes[at];
        let src = node.src;
        let was_over = self.held(at);
        let item = std::slice::from_ref(&node.item);
        let holds = self.locals.lambda(item, src, |locals, x| {
            let holds = locals.apply(function, x, src);
            if_(locals.read(was_over, src), truth(false, src), holds)
        });
        let some = vec![self.locals.read(input, src)];
        let some = prim(Prim::TakeWhile, some, vec![holds], array(&node.item), src);
        let some = self.bound("some", some);
        let lens = [some, input].map(|it| self.len(it, src));
        let is_over = scalar(ScalarOp::Lt, lens.to_vec(), BOOL, src);
        let either = vec![self.locals.read(was_over, src), is_over];
        let over = self.ends(at, scalar(ScalarOp::BitOr, either, BOOL, src));
        let over = self.locals.read(over, src);
        self.carry(was_over, truth(false, src), |_, _| over);
        self.locals.read(some, src)
    }

    /// From the chunk on for which this holds there are no further items of a node.
    pub(super) fn ends(&mut self, at: usize, over: Expr) -> LocalId {
        let over = self.bound("over", over);
        self.step.over.push((at, over));
        over
    }

    fn skip(&mut self, count: LocalId, input: LocalId, src: SrcSpan) -> Expr {
        let left = self.locals.fresh("left", USIZE, src);
        let operands = vec![self.locals.read(left, src), self.len(input, src)];
        let skipped = scalar(ScalarOp::Min, operands, USIZE, src);
        let init = self.locals.read(count, src);
        let used = skipped.clone();
        self.carry(left, init, |_, before| sizes(ScalarOp::Sub, before, used));
        slice(self.locals.read(input, src), Some(skipped), None)
    }

    /// The last element of `first.chain(second)`, if there is one, as an array.
    fn last_of(&mut self, first: LocalId, second: LocalId, item: &Type, src: SrcSpan) -> Expr {
        let operands = [first, second].map(|it| self.locals.read(it, src));
        let both = prim(Prim::Chain, operands.to_vec(), Vec::new(), array(item), src);
        let both = self.bound("both", both);
        let len = self.len(both, src);
        let one = scalar(ScalarOp::Min, vec![len.clone(), size(1, src)], USIZE, src);
        let lo = sizes(ScalarOp::Sub, len, one);
        slice(self.locals.read(both, src), Some(lo), None)
    }

    /// What is left of a sequence.
    pub(super) fn sink(&mut self, sink: &Sink) {
        let src = sink.src;
        let items = self.items(sink.node);
        let item = self.graph.nodes[sink.node].item.clone();
        let Some(op) = sink.prim else {
            let items = self.locals.read(items, src);
            self.step.collected.push((sink.local, items));
            return;
        };
        let given = |this: &Self, at: usize| this.locals.read(sink.operands[at], src);
        match op {
            Prim::Concat => {
                let items = self.locals.read(items, src);
                let joined = prim(op, vec![items], Vec::new(), item, src);
                self.step.collected.push((sink.local, joined));
            }
            Prim::Fold => {
                let init = given(self, 0);
                let items = self.locals.read(items, src);
                let (fns, ty) = (sink.fns.clone(), sink.ty.clone());
                self.result(sink, init, |_, before| {
                    prim(Prim::Fold, vec![items, before], fns, ty, src)
                });
            }
            Prim::Count => self.tests(sink, items, ScalarOp::Add, size(0, src)),
            Prim::Any => self.tests(sink, items, ScalarOp::BitOr, truth(false, src)),
            Prim::All => self.tests(sink, items, ScalarOp::BitAnd, truth(true, src)),
            Prim::Sum | Prim::Product => {
                let Type::Scalar(scalar) = item else {
                    unreachable!("sums of other things are reductions")
                };
                let (op, start) = match op {
                    Prim::Sum => (ScalarOp::Add, number(0, scalar)),
                    _product => (ScalarOp::Mul, number(1, scalar)),
                };
                let function = operator(self.locals, op, &item, src);
                self.reduction(sink, constant(start, src), &function, &[op], items);
            }
            Prim::Reduce => {
                let function = &sink.fns[0];
                let init = given(self, 0);
                match (order(function, self.program), self.is_plain(&item)) {
                    (Some(ops), true) => self.reduction(sink, init, function, &ops, items),
                    (None, true) => self.lifted_reduction(sink, init, function, items),
                    (None, false) => self.one_by_one(sink, init, function, items),
                    (Some(ops), false) => {
                        self.reduction_of_arrays(sink, init, (function, &ops), items);
                    }
                }
            }
            Prim::Last | Prim::LastOr => {
                let last = self.locals.fresh("last", array(&item), src);
                let next = self.last_of(last, items, &item, src);
                self.carry(last, empty(&item, src), |_, _| next);
                self.of_all(sink, last);
            }
            Prim::Min | Prim::MinOr => self.best_of(sink, items, ScalarOp::Min, &item),
            Prim::Max | Prim::MaxOr => self.best_of(sink, items, ScalarOp::Max, &item),
            other => unreachable!("{other:?} does not take a sequence"),
        }
    }

    /// A sink that is its state.
    pub(super) fn result(
        &mut self,
        sink: &Sink,
        init: Expr,
        next: impl FnOnce(&mut Self, Expr) -> Expr,
    ) {
        self.carry(sink.local, init, next);
    }

    /// A sink that is its operator of what is in `array` at the end.
    fn of_all(&mut self, sink: &Sink, array: LocalId) {
        let src = sink.src;
        let Some(op) = sink.prim else {
            unreachable!("`collect` has its items")
        };
        let mut operands = vec![self.locals.read(array, src)];
        operands.extend(sink.operands.iter().map(|it| self.locals.read(*it, src)));
        let value = prim(op, operands, sink.fns.clone(), sink.ty.clone(), src);
        self.finish(sink, value);
    }

    pub(super) fn finish(&mut self, sink: &Sink, value: Expr) {
        let pattern = self.locals.pattern(sink.local);
        self.step.finish.push(Stmt::Let { pattern, value });
    }

    /// What holds of the items, combined.
    fn tests(&mut self, sink: &Sink, items: LocalId, op: ScalarOp, start: Expr) {
        let (src, ty) = (sink.src, start.ty.clone());
        let item = &self.graph.nodes[sink.node].item;
        let test = sink.fns.first();
        let tested = self
            .locals
            .lambda(std::slice::from_ref(item), src, |locals, x| {
                let holds = match test {
                    Some(test) => locals.apply(test, x, src),
                    None => x.into_iter().next().unwrap_or_else(|| unreachable!("one")),
                };
                match ty == BOOL {
                    true => holds,
                    false => scalar(ScalarOp::Cast, vec![holds], ty.clone(), src),
                }
            });
        let items = vec![self.locals.read(items, src)];
        let tested = prim(Prim::Map, items, vec![tested], array(&ty), src);
        let function = operator(self.locals, op, &ty, src);
        self.goes_on(sink.local, start, tested, &function);
    }

    /// The least or greatest of the items, if there are any.
    fn best_of(&mut self, sink: &Sink, items: LocalId, op: ScalarOp, item: &Type) {
        let (src, ty) = (sink.src, item.clone());
        let best = self.locals.fresh("best", ty.clone(), src);
        let start = self.neutral(item, &[op], src);
        let function = operator(self.locals, op, item, src);
        let read = self.locals.read(items, src);
        self.goes_on(best, start, read, &function);
        let met = self.locals.fresh("met", USIZE, src);
        let some = vec![self.len(items, src), size(1, src)];
        let some = scalar(ScalarOp::Min, some, USIZE, src);
        self.carry(met, size(0, src), |_, before| {
            scalar(ScalarOp::Max, vec![before, some], USIZE, src)
        });
        let value = self.locals.read(best, src);
        let each = self.locals.lambda(&[USIZE], src, |_, _| value);
        let met = vec![self.locals.read(met, src)];
        let all = prim(Prim::Generate, met, vec![each], array(&ty), src);
        let (all, stmt) = self.locals.bind("all", all);
        self.step.finish.push(stmt);
        self.of_all(sink, all);
    }
}

/// The statements as one value.
pub(super) fn returning(stmts: Vec<Stmt>, value: Expr) -> Expr {
    let (ty, src) = (value.ty.clone(), value.src);
    block(stmts, value, ty, src)
}
