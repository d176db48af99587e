//! Scans, and reductions element by element, of items that hold arrays.
//!
//! Note \[Items of arrays\]. The order of combination is that of an array (Note [Order over chunks]),
//! but a block of 16384 arrays may take any memory, so none is kept. An operator that is not
//! recognised goes from left to right: what is carried is how many items of the block there have
//! been, the total of the blocks before, that of this one, and the prefix. A recognised one has an
//! accumulator for every 64th item of a block and combines prefixes 16 by 16: fewer than 64 items
//! are kept back, and 64 accumulators are carried. Where it makes no difference which items are
//! combined first, the prefix is all that is carried.
//!
//! What is there or not, before a first item, is an array of one or no item. Prefixes are appended one
//! after another (Note [Appending]).

use super::build::{
    self, BOOL, Locals, USIZE, array, chunk, empty, if_, prim, scalar, size, sizes, slice, tuple,
};
use super::graph::item_of;
use super::nodes::Sink;
use super::operators::{field, lifted, neutral_like, order};
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{CHUNK, LANES, Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, FnValue, Stmt, Type};
use crate::typed::recognise::exact;

/// A scan or reduction.
#[derive(Clone, Copy)]
struct Of<'o> {
    function: &'o FnValue,
    ops: &'o [ScalarOp],
    /// An item.
    item: &'o Type,
    src: SrcSpan,
}

impl Writer<'_> {
    /// Prefixes of items that hold arrays.
    pub(super) fn scan_of_arrays(
        &mut self,
        at: usize,
        init: Option<LocalId>,
        function: &FnValue,
        input: LocalId,
    ) -> Expr {
        let node = &self.graph.nodes[at];
        let (src, item, before) = (node.src, node.item.clone(), node.inputs[0]);
        let start = init.map(|init| self.locals.read(init, src));
        let Some(ops) = order(function, self.program) else {
            return self.scan_each(at, start, function, input);
        };
        let (item, ops) = (&item, ops.as_slice());
        let of = Of {
            function,
            ops,
            item,
            src,
        };
        match exact(ops, item, self.program) {
            true => self.scan_all(of, start, input),
            false => {
                let items = self.scanned_by(before, input, LANES);
                self.scan_groups(of, start, items)
            }
        }
    }

    /// An operator that goes from left to right.
    fn scan_each(
        &mut self,
        at: usize,
        start: Option<Expr>,
        function: &FnValue,
        input: LocalId,
    ) -> Expr {
        let src = self.graph.nodes[at].src;
        let items = self.locals.read(input, src);
        let item = item_of(&items.ty);
        let both = self.lifted(function, &item, src);
        let has_start = start.is_some();
        let nothing = self.nothing(&item, src);
        let start = start.map_or_else(|| nothing.clone(), |start| lifted(true, start));
        let block = tuple(vec![size(0, src), start.clone(), nothing], src);
        let begun = tuple(vec![block, start], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let acc = tuple(vec![begun.clone(), empty(&item, src)], src).ty;
        let types = [acc.clone(), item];
        let next = self.locals.lambda(&types, src, |locals, args| {
            let [begun, prefixes] = [0, 1].map(|at| field(&args[0], at));
            let [block, running] = [0, 1].map(|at| field(&begun, at));
            let mut body = Body::default();
            let x = lifted(true, args[1].clone());
            let next = locals.apply(&both, vec![running.clone(), x.clone()], src);
            let next = body.bound(locals, "next", next);
            let total = locals.apply(&both, vec![field(&block, 2), x], src);
            // In the first block of a scan the prefix is that.
            let (total, prefix) = match has_start {
                true => (total, running),
                false => {
                    let is_later = field(&field(&block, 1), 0);
                    (if_(is_later, total, next.clone()), next.clone())
                }
            };
            let block = body.behind_item(locals, &both, &block, total);
            let running = if_(begins(&block), field(&block, 1), next);
            let begun = tuple(vec![block, running], src);
            let prefixes = chained(prefixes, one(field(&prefix, 1)));
            body.giving(tuple(vec![begun, prefixes], src))
        });
        let none = empty(&item_of(&items.ty), src);
        let start = tuple(vec![self.locals.read(state, src), none], src);
        let after = prim(Prim::Fold, vec![items, start], vec![next], acc, src);
        let after = self.bound("after", after);
        let after = self.locals.read(after, src);
        self.carry(state, begun, |_, _| field(&after, 0));
        field(&after, 1)
    }

    /// What `next` makes of groups of items, one after another: it takes a group and what is carried,
    /// and gives that behind the group with the group's prefixes. Gives the same of all items.
    fn by_groups(
        &mut self,
        items: Expr,
        state: LocalId,
        next: impl FnOnce(&mut Self, LocalId, Expr) -> Expr,
    ) -> Expr {
        let (src, all) = (items.src, items.ty.clone());
        let begun = self.locals.read(state, src);
        let none = empty(&item_of(&all), src);
        let start = tuple(vec![begun, none], src);
        let acc = self.locals.fresh("acc", start.ty.clone(), src);
        let group = self.locals.fresh("group", all.clone(), src);
        let acc_is = self.locals.read(acc, src);
        let mut body = Body::default();
        let after = next(self, group, field(&acc_is, 0));
        let after = body.bound(self.locals, "after", after);
        let prefixes = chained(field(&acc_is, 1), field(&after, 1));
        let body = body.giving(tuple(vec![field(&after, 0), prefixes], src));
        let step = self.locals.function(&[acc, group], body, src);
        let after = over_groups(items, start, step);
        let after = self.bound("after", after);
        self.locals.read(after, src)
    }

    /// A recognised operator, of which it makes no difference what is combined first: the prefixes of a
    /// chunk, each behind what was before it.
    fn scan_all(&mut self, of: Of<'_>, start: Option<Expr>, input: LocalId) -> Expr {
        let src = of.src;
        let before = self.locals.fresh("before", array(of.item), src);
        let has_start = start.is_some();
        let some = self.at_most_one(input, src);
        let first_item = slice(self.locals.read(input, src), None, Some(some));
        let neutral = self.neutral_each(of, first_item);
        let neutral = self.bound("neutral", neutral);
        let read = |this: &Self, local| this.locals.read(local, src);
        // In the shape of the items, which is known to be that of all of them then.
        let [held, item] = [before, neutral].map(|it| first(read(self, it)));
        let held = one(self.locals.apply(of.function, vec![held, item], src));
        let is_alone = self.either_empty(before, input, src);
        let starts = self.bound("starts", if_(is_alone, read(self, neutral), held));
        let scanned = match has_start {
            // Each prefix is without its own item.
            true => {
                let all = chained(read(self, neutral), read(self, input));
                slice(all, None, Some(self.len(input, src)))
            }
            false => read(self, input),
        };
        let fns = vec![self.locals.again(of.function)];
        let sums = prim(Prim::Scan, vec![scanned], fns, array(of.item), src);
        let starts = read(self, starts);
        let item = std::slice::from_ref(of.item);
        let each = self.locals.lambda(item, src, |locals, x| {
            let both = vec![first(starts), x[0].clone()];
            locals.apply(of.function, both, src)
        });
        let all = prim(Prim::Map, vec![sums], vec![each], array(of.item), src);
        let all = self.bound("prefixes", all);
        let last = sizes(ScalarOp::Sub, self.len(input, src), size(1, src));
        let next = |this: &mut Self| {
            let last_of = |local| slice(read(this, local), Some(last.clone()), None);
            match has_start {
                true => this.combined(of, last_of(all), last_of(input)),
                false => last_of(all),
            }
        };
        let next = next(self);
        let next = if_(self.is_empty(input, src), read(self, before), next);
        let init = start.map_or_else(|| empty(of.item, src), one);
        self.carry(before, init, |_, _| next);
        read(self, all)
    }

    /// One that rounds: `items` are whole groups, but for the last ones.
    fn scan_groups(&mut self, of: Of<'_>, start: Option<Expr>, items: LocalId) -> Expr {
        let (src, none) = (of.src, empty(of.item, of.src));
        let has_start = start.is_some();
        let init = start.map_or_else(|| none.clone(), one);
        let block = tuple(vec![size(0, src), init.clone(), none], src);
        let begun = tuple(vec![block, init], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let items = self.locals.read(items, src);
        let after = self.by_groups(items, state, |this, group, begun| {
            this.scan_group(of, has_start, group, &begun)
        });
        self.carry(state, begun, |_, _| field(&after, 0));
        field(&after, 1)
    }

    /// What is behind a group, and the group's prefixes.
    fn scan_group(&mut self, of: Of<'_>, has_start: bool, group: LocalId, begun: &Expr) -> Expr {
        let src = of.src;
        let mut body = Body::default();
        let running = body.bind(self.locals, "begun", field(begun, 1));
        let running = self.begun(of, running, has_start, group);
        let running = body.bind(self.locals, "running", running);
        let prefixes = self.prefixes(of, running, group);
        let prefixes = body.bind(self.locals, "prefixes", prefixes);
        let (now, next) = self.divided(prefixes, has_start, group, src);
        let block = self.behind_group(of, &mut body, &field(begun, 0), group);
        let running = if_(begins(&block), field(&block, 1), next);
        let begun = tuple(vec![block, running], src);
        body.giving(tuple(vec![begun, now], src))
    }

    /// How many groups there have been in the block, what the blocks before come to, and the
    /// accumulators: all that behind the group.
    fn behind_group(&mut self, of: Of<'_>, body: &mut Body, block: &Expr, group: LocalId) -> Expr {
        let src = of.src;
        let [carry, before] = [1, 2].map(|at| body.bind(self.locals, "begun", field(block, at)));
        let lanes = self.accumulated(of, before, group);
        let lanes = body.bind(self.locals, "lanes", lanes);
        let count = sizes(ScalarOp::Add, field(block, 0), size(1, src));
        let count = body.bound(self.locals, "count", count);
        let all = self.with_block(of, carry, lanes);
        let whole = tuple(vec![size(0, src), all, empty(of.item, src)], src);
        let [carry, lanes] = [carry, lanes].map(|local| self.locals.read(local, src));
        let part = tuple(vec![count.clone(), carry, lanes], src);
        let groups = size((CHUNK / LANES) as u64, src);
        let is_whole = scalar(ScalarOp::Eq, vec![count, groups], BOOL, src);
        body.bound(self.locals, "block", if_(is_whole, whole, part))
    }

    /// A reduction of arrays element by element.
    pub(super) fn reduction_of_arrays(
        &mut self,
        sink: &Sink,
        init: Expr,
        (function, ops): (&FnValue, &[ScalarOp]),
        items: LocalId,
    ) {
        let (src, item) = (sink.src, &sink.ty.clone());
        let of = Of {
            function,
            ops,
            item,
            src,
        };
        if exact(ops, item, self.program) {
            let items = self.locals.read(items, src);
            let fns = vec![self.locals.again(function)];
            return self.result(sink, init, |_, before| {
                let ty = before.ty.clone();
                prim(Prim::Reduce, vec![items, before], fns, ty, src)
            });
        }
        let items = self.in_groups(sink.node, items, LANES);
        let none = empty(item, src);
        let begun = tuple(vec![size(0, src), none.clone(), none], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let step = self.group_step(of, &begun);
        let items = self.locals.read(items, src);
        self.carry(state, begun, |_, before| over_groups(items, before, step));
        let begun = self.locals.read(state, src);
        let [carry, lanes] = [1, 2].map(|at| {
            let (local, stmt) = self.locals.bind("begun", field(&begun, at));
            self.step.finish.push(stmt);
            local
        });
        let all = self.with_block(of, carry, lanes);
        let fns = vec![self.locals.again(function)];
        let value = prim(Prim::Fold, vec![all, init], fns, item.clone(), src);
        self.finish(sink, value);
    }

    /// `|block, group|`: the block behind the group.
    fn group_step(&mut self, of: Of<'_>, begun: &Expr) -> FnValue {
        let src = of.src;
        let group = self.locals.fresh("group", array(of.item), src);
        let block = self.locals.fresh("block", begun.ty.clone(), src);
        let mut body = Body::default();
        let before = self.locals.read(block, src);
        let next = self.behind_group(of, &mut body, &before, group);
        let body = body.giving(next);
        self.locals.function(&[block, group], body, src)
    }

    /// What is before the first of `items`: what the local holds, or, if that is nothing, the neutral
    /// element.
    fn begun(&mut self, of: Of<'_>, local: LocalId, has_start: bool, items: LocalId) -> Expr {
        let src = of.src;
        let before = self.locals.read(local, src);
        if has_start {
            return before;
        }
        let some = self.at_most_one(items, src);
        let first = slice(self.locals.read(items, src), None, Some(some));
        let neutral = self.neutral_each(of, first);
        if_(self.is_empty(local, src), neutral, before)
    }

    /// Of `running`, which holds one item if there are `items`, and these the exclusive prefixes,
    /// behind them that of all items.
    fn prefixes(&mut self, of: Of<'_>, running: LocalId, items: LocalId) -> Expr {
        let src = of.src;
        let [running, read] = [running, items].map(|it| self.locals.read(it, src));
        // The last prefix needs an item that it is before.
        let more = chained(read.clone(), slice(read, None, Some(size(1, src))));
        let mut body = Body::default();
        let more = body.bound(self.locals, "items", more);
        let fns = vec![self.locals.again(of.function)];
        let some = vec![more, first(running.clone())];
        let some = body.giving(prim(Prim::Prescan, some, fns, array(of.item), src));
        if_(self.is_empty(items, src), running, some)
    }

    /// The prefixes that are wanted of these of `items`, each without its item if something is before
    /// all, and the last one, if there is any.
    fn divided(
        &self,
        prefixes: LocalId,
        has_start: bool,
        items: LocalId,
        src: SrcSpan,
    ) -> (Expr, Expr) {
        let read = || self.locals.read(prefixes, src);
        let count = || self.len(items, src);
        let next = slice(read(), Some(count()), None);
        let now = match has_start {
            true => slice(read(), None, Some(count())),
            false => {
                let one = self.at_most_one(items, src);
                let to = sizes(ScalarOp::Add, count(), one.clone());
                slice(read(), Some(one), Some(to))
            }
        };
        (now, next)
    }

    /// Accumulators, each combined with its item of a group; in front of the first group of a block they
    /// are neutral.
    fn accumulated(&mut self, of: Of<'_>, lanes: LocalId, group: LocalId) -> Expr {
        let src = of.src;
        let [before, items] = [lanes, group].map(|it| self.locals.read(it, src));
        let neutral = self.neutral_each(of, items.clone());
        let mut body = Body::default();
        let before = if_(self.is_empty(lanes, src), neutral, before);
        let before = body.bound(self.locals, "before", before);
        let count = self.len(group, src);
        let used = slice(before.clone(), None, Some(count.clone()));
        let used = self.combined(of, used, items);
        let rest = slice(before, Some(count), None);
        body.giving(chained(used, rest))
    }

    /// The items of two arrays combined.
    fn combined(&mut self, of: Of<'_>, left: Expr, right: Expr) -> Expr {
        let src = of.src;
        let pair = Type::Tuple(vec![of.item.clone(), of.item.clone()]);
        let pairs = prim(Prim::Zip, vec![left, right], Vec::new(), array(&pair), src);
        let each = self.locals.lambda(&[pair], src, |locals, pair| {
            let sides = [0, 1].map(|at| field(&pair[0], at)).to_vec();
            locals.apply(of.function, sides, src)
        });
        prim(Prim::Map, vec![pairs], vec![each], array(of.item), src)
    }

    /// What `carry` holds, if anything, combined with the total of the accumulators, if there are any.
    fn with_block(&mut self, of: Of<'_>, carry: LocalId, lanes: LocalId) -> Expr {
        let src = of.src;
        let [before, lanes_are] = [carry, lanes].map(|it| self.locals.read(it, src));
        let first_lane = slice(lanes_are.clone(), None, Some(size(1, src)));
        let neutral = first(self.neutral_each(of, first_lane));
        let start = if_(self.is_empty(carry, src), neutral, first(before.clone()));
        let fns = vec![self.locals.again(of.function)];
        let total = vec![lanes_are, start];
        let total = prim(Prim::Reduce, total, fns, of.item.clone(), src);
        if_(self.is_empty(lanes, src), before, one(total))
    }

    /// 1, or 0 of no items.
    fn at_most_one(&self, items: LocalId, src: SrcSpan) -> Expr {
        let operands = vec![self.len(items, src), size(1, src)];
        scalar(ScalarOp::Min, operands, USIZE, src)
    }

    fn either_empty(&self, a: LocalId, b: LocalId, src: SrcSpan) -> Expr {
        let either = [a, b].map(|it| self.is_empty(it, src));
        scalar(ScalarOp::BitOr, either.to_vec(), BOOL, src)
    }

    fn is_empty(&self, array: LocalId, src: SrcSpan) -> Expr {
        let operands = vec![self.len(array, src), size(0, src)];
        scalar(ScalarOp::Eq, operands, BOOL, src)
    }

    /// The neutral element in the shape of each of `items`.
    fn neutral_each(&mut self, of: Of<'_>, items: Expr) -> Expr {
        let src = of.src;
        let item = std::slice::from_ref(of.item);
        let (ops, program) = (of.ops, self.program);
        let each = self.locals.lambda(item, src, |locals, x| {
            neutral_like(&x[0], &mut ops.iter(), locals, program)
        });
        prim(Prim::Map, vec![items], vec![each], array(of.item), src)
    }
}

/// Statements in front of a value.
#[derive(Default)]
pub(super) struct Body {
    stmts: Vec<Stmt>,
}

impl Body {
    fn bind(&mut self, locals: &mut Locals, name: &str, value: Expr) -> LocalId {
        let (local, stmt) = locals.bind(name, value);
        self.stmts.push(stmt);
        local
    }

    /// What holds the value.
    fn bound(&mut self, locals: &mut Locals, name: &str, value: Expr) -> Expr {
        let src = value.src;
        let local = self.bind(locals, name, value);
        locals.read(local, src)
    }

    pub(super) fn giving(self, value: Expr) -> Expr {
        let (ty, src) = (value.ty.clone(), value.src);
        build::block(self.stmts, value, ty, src)
    }

    /// Of an operator from left to right how many items there have been in the block, what the blocks
    /// before come to, and this one: all that behind an item, with which this one is `total`.
    pub(super) fn behind_item(
        &mut self,
        locals: &mut Locals,
        both: &FnValue,
        block: &Expr,
        total: Expr,
    ) -> Expr {
        let src = total.src;
        let total = self.bound(locals, "total", total);
        let count = sizes(ScalarOp::Add, field(block, 0), size(1, src));
        let count = self.bound(locals, "count", count);
        let carry = field(block, 1);
        let all = locals.apply(both, vec![carry.clone(), total.clone()], src);
        let none = lifted(false, field(&total, 1));
        let whole = tuple(vec![size(0, src), all, none], src);
        let part = tuple(vec![count.clone(), carry, total], src);
        let is_whole = scalar(ScalarOp::Eq, vec![count, chunk(src)], BOOL, src);
        self.bound(locals, "block", if_(is_whole, whole, part))
    }
}

/// Whether the next item or group, of which `block` has counted those before, is the first of a block.
fn begins(block: &Expr) -> Expr {
    let operands = vec![field(block, 0), size(0, block.src)];
    scalar(ScalarOp::Eq, operands, BOOL, block.src)
}

/// What `step` makes of groups of items, one after another, from `start` on.
fn over_groups(items: Expr, start: Expr, step: FnValue) -> Expr {
    let (all, ty, src) = (items.ty.clone(), start.ty.clone(), items.src);
    let groups = vec![items, size(LANES as u64, src)];
    let groups = prim(Prim::Chunks, groups, Vec::new(), array(&all), src);
    prim(Prim::Fold, vec![groups, start], vec![step], ty, src)
}

/// `[value]`
fn one(value: Expr) -> Expr {
    let (ty, src) = (array(&value.ty), value.src);
    let kind = ExprKind::Array(vec![value]);
    Expr { kind, ty, src }
}

/// `array[0]`
fn first(array: Expr) -> Expr {
    let (ty, src) = (item_of(&array.ty), array.src);
    let kind = ExprKind::Index(Box::new(array), Box::new(size(0, src)));
    Expr { kind, ty, src }
}

/// `left.chain(right)`
fn chained(left: Expr, right: Expr) -> Expr {
    let (ty, src) = (left.ty.clone(), left.src);
    prim(Prim::Chain, vec![left, right], Vec::new(), ty, src)
}
