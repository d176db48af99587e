//! When items are not wanted any more: behind the end of a `take`, or of what is zipped with one.
//!
//! In: the sequences of a pass, and of those that end by themselves whether they have. Out: of each
//! whether what is made of it has enough, of sources whether they are read on, and *gates*, which keep
//! what is not wanted from being computed.
//!
//! Note \[Gates\]. What fails behind the last item that is wanted does not fail, wherever chunks end: the
//! run time cuts a chunk in which something fails into parts, and a part behind the end computes
//! nothing, since the state of the step says that nothing is wanted. So a gate stands where a sequence
//! that has enough reads one that goes on for others, or a source.

use super::beside::leaves;
use super::build::{BOOL, USIZE, if_, scalar, size, slice, truth};
use super::ir::Feed;
use super::nodes::{Graph, Op};
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::ScalarOp;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind};
use std::cell::RefCell;

/// Whether a sequence that ends by itself has ended.
type Ended<'e> = dyn Fn(usize) -> Option<Expr> + 'e;

/// What is asked of sequences, each of it answered once.
struct Asked<'a> {
    writer: &'a Writer<'a>,
    ended: &'a Ended<'a>,
    /// Whether nobody wants what the pass gives any more, if it goes on then.
    unwanted: Option<Expr>,
    has_ended: Known,
    is_done: Known,
}

/// Answers, by node.
struct Known(RefCell<Vec<Option<Option<Expr>>>>);

impl Known {
    fn new(nodes: usize) -> Known {
        Known(RefCell::new(vec![None; nodes]))
    }

    fn or(&self, node: usize, answer: impl FnOnce() -> Option<Expr>) -> Option<Expr> {
        if let Some(known) = &self.0.borrow()[node] {
            return known.clone();
        }
        let answer = answer();
        self.0.borrow_mut()[node] = Some(answer.clone());
        answer
    }
}

impl Asked<'_> {
    /// Whether `node` has no further items, whatever comes of its sources; `None` if nothing says so.
    fn has_ended(&self, node: usize) -> Option<Expr> {
        let of = &self.writer.graph.nodes[node];
        self.has_ended.or(node, || {
            let inputs = of.inputs.iter().map(|it| self.has_ended(*it));
            let of_inputs = match &of.op {
                Op::Chain => all(inputs),
                _operator => any(inputs),
            };
            any([(self.ended)(node), of_inputs].into_iter())
        })
    }

    /// Whether nobody wants further items of `node`; `None` if somebody always does.
    fn is_done(&self, node: usize) -> Option<Expr> {
        if self.writer.is_kept(node) {
            return None;
        }
        self.is_done.or(node, || {
            if self.writer.gives == Some(node) {
                return self.unwanted.clone();
            }
            let readers = self.writer.readers(node).into_iter();
            all(readers.map(|it| self.has_enough(it)))
        })
    }

    fn has_enough(&self, node: usize) -> Option<Expr> {
        any([self.has_ended(node), self.is_done(node)].into_iter())
    }
}

/// A sequence that reads others as long as its items are wanted.
pub(super) struct Gate {
    node: usize,
    /// Whether they were not wanted any more when the step began.
    closed: LocalId,
}

impl Writer<'_> {
    /// Whether `node` reads no further items; `None` if it always does.
    fn has_enough(&self, node: usize, ended: &Ended<'_>, src: SrcSpan) -> Option<Expr> {
        self.asked(ended, src).has_enough(node)
    }

    fn asked<'a>(&'a self, ended: &'a Ended<'a>, src: SrcSpan) -> Asked<'a> {
        Asked {
            writer: self,
            ended,
            unwanted: self.unwanted.map(|it| self.locals.read(it, src)),
            has_ended: Known::new(self.graph.nodes.len()),
            is_done: Known::new(self.graph.nodes.len()),
        }
    }

    /// Whether `node` is the result, if that is wanted as long as there are items, or something is computed of
    /// all its items.
    pub(super) fn is_kept(&self, node: usize) -> bool {
        let is_result = self.gives == Some(node) && self.unwanted.is_none();
        is_result || self.is_read_at_end(node)
    }

    /// Whether nothing is made of `node` but what the pass gives.
    fn is_for_results(&self, node: usize) -> bool {
        let readers = || self.readers(node).into_iter();
        self.gives == Some(node)
            || !self.is_read_at_end(node)
                && readers().next().is_some()
                && readers().all(|it| self.is_for_results(it))
    }

    /// What says whether nobody wants the items of `node` any more, if the pass goes on then.
    pub(super) fn unwanted_at(&self, node: usize) -> Option<Expr> {
        let unwanted = self.unwanted.filter(|_| self.is_for_results(node))?;
        Some(self.locals.read(unwanted, self.graph.nodes[node].src))
    }

    /// `holds`, of what is computed for `node`, as long as its items are wanted.
    pub(super) fn if_wanted(&self, node: usize, holds: Expr) -> Expr {
        match self.unwanted_at(node) {
            Some(unwanted) => if_(unwanted, truth(false, holds.src), holds),
            None => holds,
        }
    }

    pub(super) fn readers(&self, node: usize) -> Vec<usize> {
        let nodes = self.nodes.iter().copied();
        nodes
            .filter(|it| self.graph.nodes[*it].inputs.contains(&node))
            .collect()
    }

    /// The items of `input` that `reader` is given in a step.
    pub(super) fn gated(&mut self, input: usize, reader: usize) -> LocalId {
        let items = self.step.items(input);
        let is_source = self.graph.nodes[input].inputs.is_empty();
        let goes_on = is_source || self.readers(input).len() > 1 || self.is_read_at_end(input);
        if !goes_on {
            return items;
        }
        let src = self.graph.nodes[reader].src;
        let limit = match self.ends_itself(reader) {
            true => None,
            false => self.limit(reader),
        };
        let closed = self.gate(reader);
        let closed = closed.map(|it| self.locals.read(it, src));
        let closed = any([closed, self.unwanted_at(reader)].into_iter());
        if closed.is_none() && limit.is_none() {
            return items;
        }
        let len = self.len(items, src);
        let now = match limit {
            Some(limit) => scalar(ScalarOp::Min, vec![len, limit], USIZE, src),
            None => len,
        };
        let now = match closed {
            Some(closed) => if_(closed, size(0, src), now),
            None => now,
        };
        let some = slice(self.locals.read(items, src), None, Some(now));
        self.bound("wanted", some)
    }

    /// Whether the state of a sequence itself says when it reads no more, but for those behind it, which may have
    /// enough before.
    fn ends_itself(&self, node: usize) -> bool {
        matches!(self.graph.nodes[node].op, Op::Take(_) | Op::TakeWhile(_))
    }

    /// Whether this is the end that the gate of `reader` need not know of.
    fn is_own_end(&self, reader: usize, node: usize) -> bool {
        reader == node && self.ends_itself(reader)
    }

    /// What says whether what is made of `reader` had enough when the step began; `None` if it never has.
    fn gate(&mut self, reader: usize) -> Option<LocalId> {
        let src = self.graph.nodes[reader].src;
        let first = |node: usize| match node {
            own if self.is_own_end(reader, own) => None,
            zip if self.sources.is_uneven(self.graph, zip) => Some(truth(false, src)),
            _other => first_ended(self.graph, node, &|it| self.locals.read(it, src)),
        };
        let mut asked = self.asked(&first, src);
        asked.unwanted = self.unwanted.map(|_| truth(false, src));
        let init = asked.has_enough(reader)?;
        let known = self.gates.iter().find(|gate| gate.node == reader);
        if let Some(gate) = known {
            return Some(gate.closed);
        }
        let closed = self.locals.fresh("closed", BOOL, src);
        self.gates.push(Gate {
            node: reader,
            closed,
        });
        // What it is behind the step is known when all of it is written.
        self.carry(closed, init, |_, before| before);
        Some(closed)
    }

    fn is_read_at_end(&self, node: usize) -> bool {
        self.graph.sinks.iter().any(|sink| sink.node == node)
    }

    /// What gates are behind the step.
    pub(super) fn close_gates(&mut self) {
        for gate in std::mem::take(&mut self.gates) {
            let src = self.graph.nodes[gate.node].src;
            let ended = |it: usize| match self.is_own_end(gate.node, it) {
                true => None,
                false => self.ended(it, src),
            };
            let now = self.has_enough(gate.node, &ended, src);
            let was = self.locals.read(gate.closed, src);
            let state = self.step.state.iter_mut();
            let found = state.filter(|it| it.local == gate.closed);
            let next = any([Some(was), now].into_iter());
            found.zip(next).for_each(|(state, next)| state.next = next);
        }
    }

    fn ended(&self, node: usize, src: SrcSpan) -> Option<Expr> {
        let known = self.step.over.iter().find(|(it, _)| *it == node);
        known.map(|(_, local)| self.locals.read(*local, src))
    }

    /// Says whether more items are wanted. Gives the feed, of which a part that others come behind ends
    /// when it is not wanted any more.
    pub(super) fn with_ends(&mut self, src: SrcSpan) -> Feed {
        let feed = self.sources.feed.clone();
        let over = self.is_over_at(&feed, src);
        self.step.more = over.map(|over| scalar(ScalarOp::Not, vec![over], BOOL, src));
        self.until(feed, src)
    }

    /// Whether all that goes through `feed` has enough.
    fn is_over_at(&self, feed: &Feed, src: SrcSpan) -> Option<Expr> {
        match feed {
            Feed::One(source) => {
                let node = self.sources.taken[*source].0;
                self.asked(&|it| self.ended(it, src), src).is_done(node)
            }
            // All go through each of them.
            Feed::Zipped(feeds) => any(feeds.iter().map(|it| self.is_over_at(it, src))),
            Feed::Beside(feeds, _) => all(feeds.iter().map(|it| self.is_over_at(it, src))),
            Feed::After(both) => self.is_over_behind(both, src),
            Feed::Until(feed, _) | Feed::AtMost(feed, _) => self.is_over_at(feed, src),
        }
    }

    /// Whether all that goes through one part behind another has enough. Once the first one has ended, that is
    /// what goes through the second one, of which the chunk has items then.
    fn is_over_behind(&self, both: &[Feed; 2], src: SrcSpan) -> Option<Expr> {
        let over = both.each_ref().map(|it| self.is_over_at(it, src));
        let are_one = are_one(&over);
        let [first, second] = over;
        if are_one {
            return second;
        }
        let sources = leaves(&both[1]).into_iter();
        let begun = sources.map(|it| Some(self.is_begun(self.sources.taken[it].1, src)));
        all([any(begun.chain([first])), second].into_iter())
    }

    fn until(&mut self, feed: Feed, src: SrcSpan) -> Feed {
        let mut most = self.graph.most.iter();
        let most = most.find(|(node, _)| self.sources.is_all_of(&feed, *node));
        let ended = match feed {
            Feed::One(_) | Feed::Until(..) | Feed::AtMost(..) => feed,
            Feed::Zipped(feeds) => {
                let feeds = feeds.into_iter().map(|it| self.until(it, src));
                Feed::Zipped(feeds.collect())
            }
            Feed::Beside(feeds, groups) => {
                let feeds = feeds.into_iter().map(|it| self.as_long_as_wanted(it, src));
                Feed::Beside(feeds.collect(), groups)
            }
            Feed::After(both) => {
                let are_one = are_one(&both.each_ref().map(|it| self.is_over_at(it, src)));
                let [first, second] = *both;
                let first = self.as_long_as_wanted(first, src);
                let second = match are_one {
                    true => self.until(second, src),
                    false => self.as_long_as_wanted(second, src),
                };
                Feed::After(Box::new([first, second]))
            }
        };
        match most {
            Some((_, most)) => Feed::AtMost(Box::new(ended), most.index()),
            None => ended,
        }
    }

    /// A part of a feed, of which others go on when it is not wanted any more.
    fn as_long_as_wanted(&mut self, part: Feed, src: SrcSpan) -> Feed {
        let over = self.is_over_at(&part, src);
        let part = self.until(part, src);
        let Some(over) = over else { return part };
        self.step.ends.push(over);
        Feed::Until(Box::new(part), self.step.ends.len() - 1)
    }
}

/// Whether a sequence has ended before the first item.
fn first_ended(graph: &Graph, node: usize, read: &dyn Fn(LocalId) -> Expr) -> Option<Expr> {
    let node = &graph.nodes[node];
    match &node.op {
        Op::Take(count) => {
            let operands = vec![read(*count), size(0, node.src)];
            Some(scalar(ScalarOp::Eq, operands, BOOL, node.src))
        }
        Op::TakeWhile(_) => Some(truth(false, node.src)),
        _operator => None,
    }
}

/// Whether one of them holds; `None` if none can.
fn any(conditions: impl Iterator<Item = Option<Expr>>) -> Option<Expr> {
    conditions
        .flatten()
        .reduce(|a, b| both(ScalarOp::BitOr, a, b))
}

/// Whether all of them hold; `None` if one cannot.
fn all(conditions: impl Iterator<Item = Option<Expr>>) -> Option<Expr> {
    let mut holds: Option<Expr> = None;
    for condition in conditions {
        let condition = condition?;
        holds = Some(match holds {
            Some(others) => both(ScalarOp::BitAnd, others, condition),
            None => condition,
        });
    }
    holds
}

/// Two conditions as one, without what holds twice: they would grow without bounds where sequences have
/// several readers that come together again.
fn both(op: ScalarOp, a: Expr, b: Expr) -> Expr {
    let (mut known, mut new) = (Vec::new(), Vec::new());
    operands(op, &a, &mut known);
    operands(op, &b, &mut new);
    new.retain(|it| !known.iter().any(|known| are_same(known, it)));
    let new: Vec<Expr> = new.into_iter().cloned().collect();
    new.into_iter().fold(a, |all, it| {
        let src = all.src;
        scalar(op, vec![all, it], BOOL, src)
    })
}

/// What is combined by `op`.
fn operands<'e>(op: ScalarOp, expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Scalar { op: own, args, .. } if *own == op => {
            args.iter().for_each(|it| operands(op, it, found));
        }
        _other => found.push(expr),
    }
}

/// Whether one condition holds for both.
fn are_one(conditions: &[Option<Expr>; 2]) -> bool {
    match conditions {
        [Some(first), Some(second)] => are_same(first, second),
        _never => false,
    }
}

/// Whether two conditions are plainly the same.
fn are_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (
            ExprKind::Scalar { op: a, args, .. },
            ExprKind::Scalar {
                op: b, args: other, ..
            },
        ) => {
            a == b
                && args.len() == other.len()
                && args.iter().zip(other).all(|(a, b)| are_same(a, b))
        }
        _others => false,
    }
}
