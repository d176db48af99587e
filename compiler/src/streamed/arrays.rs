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
//! What is there or not, before a first item, is an array of one or no item. An array that grows is
//! copied as it grows, so prefixes are put together in groups first.

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

/// Which prefixes: those with the item itself, or without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefixes {
    Inclusive,
    Exclusive,
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
        let which = match init {
            Some(_) => Prefixes::Exclusive,
            None => Prefixes::Inclusive,
        };
        let start = init.map(|init| self.locals.read(init, src));
        let Some(ops) = order(function, self.program) else {
            return self.scan_each(at, which, start, function, input);
        };
        let (item, ops) = (&item, ops.as_slice());
        let of = Of {
            function,
            ops,
            item,
            src,
        };
        match exact(ops, item, self.program) {
            true => self.scan_all(of, which, start, input),
            false => {
                let items = self.in_groups(before, input, LANES);
                self.scan_groups(of, which, start, items)
            }
        }
    }

    /// An operator that goes from left to right.
    fn scan_each(
        &mut self,
        at: usize,
        which: Prefixes,
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
        // How many items of the block, the total of those before, that of this one, and the prefix.
        let begun = tuple(vec![size(0, src), start.clone(), nothing, start], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let acc = tuple(vec![begun.clone(), empty(&item, src)], src).ty;
        let next = self
            .locals
            .lambda(&[acc.clone(), item], src, |locals, args| {
                let [begun, prefixes] = [0, 1].map(|at| field(&args[0], at));
                let before = field(&begun, 3);
                let mut body = Body::default();
                let next = body.behind_one(locals, &both, (begun, has_start), &args[1]);
                let prefix = match which {
                    Prefixes::Inclusive => field(&next, 4),
                    Prefixes::Exclusive => before,
                };
                let next = tuple([0, 1, 2, 3].map(|at| field(&next, at)).to_vec(), src);
                let prefixes = chained(prefixes, one(field(&prefix, 1)));
                body.giving(tuple(vec![next, prefixes], src))
            });
        let none = empty(&item_of(&items.ty), src);
        let after = self.by_groups(items, state, |this, group, begun| {
            let operands = vec![this.locals.read(group, src), tuple(vec![begun, none], src)];
            prim(Prim::Fold, operands, vec![next], acc, src)
        });
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
        let groups = vec![items, size(LANES as u64, src)];
        let groups = prim(Prim::Chunks, groups, Vec::new(), array(&all), src);
        let ty = start.ty.clone();
        let after = prim(Prim::Fold, vec![groups, start], vec![step], ty, src);
        let after = self.bound("after", after);
        self.locals.read(after, src)
    }

    /// A recognised operator, of which it makes no difference what is combined first.
    fn scan_all(
        &mut self,
        of: Of<'_>,
        which: Prefixes,
        start: Option<Expr>,
        input: LocalId,
    ) -> Expr {
        let before = self.locals.fresh("before", array(of.item), of.src);
        let running = self.begun(of, before, start.is_some(), input);
        let running = self.bound("running", running);
        let prefixes = self.prefixes(of, running, input);
        let prefixes = self.bound("prefixes", prefixes);
        let (now, next) = self.divided(prefixes, which, input, of.src);
        let init = start.map_or_else(|| empty(of.item, of.src), one);
        self.carry(before, init, |_, _| next);
        now
    }

    /// One that rounds: `items` are whole groups, but for the last ones.
    fn scan_groups(
        &mut self,
        of: Of<'_>,
        which: Prefixes,
        start: Option<Expr>,
        items: LocalId,
    ) -> Expr {
        let (src, none) = (of.src, empty(of.item, of.src));
        let has_start = start.is_some();
        let init = start.map_or_else(|| none.clone(), one);
        // The prefix, the total of the blocks before, the accumulators, and groups of the block.
        let begun = tuple(vec![init.clone(), init, none, size(0, src)], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let items = self.locals.read(items, src);
        let after = self.by_groups(items, state, |this, group, begun| {
            this.scan_group(of, (which, has_start), group, &begun)
        });
        self.carry(state, begun, |_, _| field(&after, 0));
        field(&after, 1)
    }

    /// What is behind a group, and the group's prefixes.
    fn scan_group(
        &mut self,
        of: Of<'_>,
        (which, has_start): (Prefixes, bool),
        group: LocalId,
        begun: &Expr,
    ) -> Expr {
        let src = of.src;
        let mut body = Body::default();
        let [running, carry] = [0, 1].map(|at| {
            let begun = body.bind(self.locals, "begun", field(begun, at));
            let before = self.begun(of, begun, has_start, group);
            body.bind(self.locals, "before", before)
        });
        let prefixes = self.prefixes(of, running, group);
        let prefixes = body.bind(self.locals, "prefixes", prefixes);
        let (now, next) = self.divided(prefixes, which, group, src);
        let (lanes, count) =
            self.behind_group(of, &mut body, [2, 3].map(|at| field(begun, at)), group);
        let all = self.with_block(of, carry, lanes);
        let (all, all_is) = self.locals.bind("all", all);
        let all = self.locals.read(all, src);
        let whole = vec![all.clone(), all, empty(of.item, src), size(0, src)];
        let whole = tuple(whole, src);
        let ty = whole.ty.clone();
        let whole = build::block(vec![all_is], whole, ty, src);
        let [carry, lanes, groups] = [carry, lanes, count].map(|it| self.locals.read(it, src));
        let part = tuple(vec![next, carry, lanes, groups], src);
        let begun = if_(self.is_whole(count, src), whole, part);
        body.giving(tuple(vec![begun, now], src))
    }

    /// The accumulators behind a group, and how many groups there have been in the block.
    fn behind_group(
        &mut self,
        of: Of<'_>,
        body: &mut Body,
        [lanes, count]: [Expr; 2],
        group: LocalId,
    ) -> (LocalId, LocalId) {
        let lanes = body.bind(self.locals, "lanes", lanes);
        let lanes = self.accumulated(of, lanes, group);
        let count = sizes(ScalarOp::Add, count, size(1, of.src));
        let lanes = body.bind(self.locals, "lanes", lanes);
        (lanes, body.bind(self.locals, "count", count))
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
        // The total of the blocks before, the accumulators, and groups of the block.
        let none = empty(item, src);
        let begun = tuple(vec![none.clone(), none, size(0, src)], src);
        let state = self.locals.fresh("begun", begun.ty.clone(), src);
        let step = self.group_step(of, &begun);
        let groups = [self.locals.read(items, src), size(LANES as u64, src)];
        let groups = prim(
            Prim::Chunks,
            groups.to_vec(),
            Vec::new(),
            array(&array(item)),
            src,
        );
        self.carry(state, begun, |_, before| {
            let ty = before.ty.clone();
            prim(Prim::Fold, vec![groups, before], vec![step], ty, src)
        });
        let begun = self.locals.read(state, src);
        let [carry, lanes] = [0, 1].map(|at| {
            let (local, stmt) = self.locals.bind("begun", field(&begun, at));
            self.step.finish.push(stmt);
            local
        });
        let all = self.with_block(of, carry, lanes);
        let fns = vec![self.locals.again(function)];
        let value = prim(Prim::Fold, vec![all, init], fns, item.clone(), src);
        self.finish(sink, value);
    }

    /// `|(carry, lanes, count), group|`: these behind the group.
    fn group_step(&mut self, of: Of<'_>, begun: &Expr) -> FnValue {
        let src = of.src;
        let group = self.locals.fresh("group", array(of.item), src);
        let acc = self.locals.fresh("begun", begun.ty.clone(), src);
        let begun = self.locals.read(acc, src);
        let mut body = Body::default();
        let carry = body.bind(self.locals, "carry", field(&begun, 0));
        let (lanes, count) =
            self.behind_group(of, &mut body, [1, 2].map(|at| field(&begun, at)), group);
        let all = self.with_block(of, carry, lanes);
        let whole = tuple(vec![all, empty(of.item, src), size(0, src)], src);
        let part = [carry, lanes, count].map(|local| self.locals.read(local, src));
        let part = tuple(part.to_vec(), src);
        let next = if_(self.is_whole(count, src), whole, part);
        let body = body.giving(next);
        self.locals.function(&[acc, group], body, src)
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

    /// The prefixes that are wanted of these of `items`, and the last one, if there is any.
    fn divided(
        &self,
        prefixes: LocalId,
        which: Prefixes,
        items: LocalId,
        src: SrcSpan,
    ) -> (Expr, Expr) {
        let read = || self.locals.read(prefixes, src);
        let count = || self.len(items, src);
        let next = slice(read(), Some(count()), None);
        let now = match which {
            Prefixes::Exclusive => slice(read(), None, Some(count())),
            Prefixes::Inclusive => {
                let one = self.at_most_one(items, src);
                let to = sizes(ScalarOp::Add, count(), one.clone());
                slice(read(), Some(one), Some(to))
            }
        };
        (now, next)
    }

    /// Accumulators, each combined with its item of a group; of the first group of a block they are
    /// made.
    fn accumulated(&mut self, of: Of<'_>, lanes: LocalId, group: LocalId) -> Expr {
        let src = of.src;
        let [lanes_are, items] = [lanes, group].map(|it| self.locals.read(it, src));
        let made = self.neutral_each(of, items.clone());
        let made = self.combined(of, made, items.clone());
        let count = self.len(group, src);
        let used = slice(lanes_are.clone(), None, Some(count.clone()));
        let used = self.combined(of, used, items);
        let rest = slice(lanes_are, Some(count), None);
        if_(self.is_empty(lanes, src), made, chained(used, rest))
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

    fn is_empty(&self, array: LocalId, src: SrcSpan) -> Expr {
        let operands = vec![self.len(array, src), size(0, src)];
        scalar(ScalarOp::Eq, operands, BOOL, src)
    }

    /// Whether so many groups are a block.
    fn is_whole(&self, count: LocalId, src: SrcSpan) -> Expr {
        let groups = size((CHUNK / LANES) as u64, src);
        let operands = vec![self.locals.read(count, src), groups];
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
struct Body {
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

    fn giving(self, value: Expr) -> Expr {
        let (ty, src) = (value.ty.clone(), value.src);
        build::block(self.stmts, value, ty, src)
    }

    /// What is carried by an operator from left to right, behind an item, and the prefix with it. In
    /// front of a scan's first block is nothing, if nothing is put there.
    fn behind_one(
        &mut self,
        locals: &mut Locals,
        both: &FnValue,
        (begun, has_start): (Expr, bool),
        x: &Expr,
    ) -> Expr {
        let src = x.src;
        let [count, carry, total, running] = [0, 1, 2, 3].map(|at| field(&begun, at));
        let x = lifted(true, x.clone());
        let prefix = locals.apply(both, vec![running, x.clone()], src);
        let prefix = self.bound(locals, "prefix", prefix);
        let total = locals.apply(both, vec![total, x], src);
        let total = match has_start {
            true => total,
            // The prefix is that.
            false => if_(field(&carry, 0), total, prefix.clone()),
        };
        let total = self.bound(locals, "total", total);
        let count = sizes(ScalarOp::Add, count, size(1, src));
        let count = self.bound(locals, "count", count);
        let is_whole = scalar(ScalarOp::Eq, vec![count.clone(), chunk(src)], BOOL, src);
        let mut whole = Body::default();
        let all = locals.apply(both, vec![carry.clone(), total.clone()], src);
        let all = whole.bound(locals, "all", all);
        let none = lifted(false, field(&total, 1));
        let behind = vec![size(0, src), all.clone(), none, all, prefix.clone()];
        let whole = whole.giving(tuple(behind, src));
        let part = tuple(vec![count, carry, total, prefix.clone(), prefix], src);
        self.bound(locals, "behind", if_(is_whole, whole, part))
    }
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
