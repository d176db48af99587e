//! Sequences that are zipped with others and used alone as well.
//!
//! In: a chunk, which has different numbers of items of sequences that are read side by side when one of
//! them has ended. Out: pairs as far as both go, and of each sequence how many of its items are wanted, so
//! that what nobody asks for is not computed: it might fail.

use super::beside::lagging;
use super::build::{BOOL, USIZE, if_, prim, scalar, size, sizes, slice};
use super::delay::{combined_by, is_delayed};
use super::feed::Taken;
use super::ir::Feed;
use super::nodes::Op;
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, Type};

impl Writer<'_> {
    /// How many items of a chunk `reader` needs of each of its inputs, where that may be less than all; of
    /// sequences that end together nothing.
    pub(super) fn limit(&mut self, reader: usize) -> Option<Expr> {
        let src = self.graph.nodes[reader].src;
        let known = self.limits.iter().find(|(it, _)| *it == reader);
        let limit = match known {
            Some((_, limit)) => *limit,
            None => {
                let limit = self.limit_of(reader);
                let limit = limit.map(|it| self.bound("limit", it));
                self.limits.push((reader, limit));
                limit
            }
        };
        limit.map(|it| self.locals.read(it, src))
    }

    fn limit_of(&mut self, reader: usize) -> Option<Expr> {
        let (graph, sources) = (self.graph, self.sources);
        let src = graph.nodes[reader].src;
        let (feeds, all) = sources.beside(reader)?;
        let of_reader = match &graph.nodes[reader].op {
            Op::Zip if sources.is_uneven(graph, reader) => Some(self.shortest(feeds, &all, src)),
            Op::Take(_) => {
                let left = self.held(reader);
                return Some(self.locals.read(left, src));
            }
            Op::TakeWhile(_) => {
                let was_over = self.held(reader);
                let was_over = self.locals.read(was_over, src);
                return Some(if_(was_over, size(0, src), size(u64::MAX, src)));
            }
            _operator => None,
        };
        let later = match self.gives_each(reader) {
            true => self.wanted_of(reader),
            false => None,
        };
        let both = of_reader.into_iter().chain(later);
        both.reduce(|a, b| scalar(ScalarOp::Min, vec![a, b], USIZE, src))
    }

    /// How many of the first items of `node` that a chunk has are needed, where that may be less than all.
    pub(super) fn wanted_of(&mut self, node: usize) -> Option<Expr> {
        self.sources.beside(node)?;
        if self.is_kept(node) {
            return None;
        }
        let src = self.graph.nodes[node].src;
        let mut most = None;
        for reader in self.readers(node) {
            let limit = self.limit(reader)?;
            most = Some(match most {
                Some(most) => scalar(ScalarOp::Max, vec![most, limit], USIZE, src),
                None => limit,
            });
        }
        most
    }

    /// Whether the first items of `node` that a chunk has are made of as many first items of its inputs.
    fn gives_each(&self, node: usize) -> bool {
        let waits = is_delayed(self.graph, &self.sources.delayed, node);
        !waits
            && match &self.graph.nodes[node].op {
                Op::Map(_) | Op::Enumerate | Op::Zip | Op::Chain => true,
                Op::Scan { .. } => combined_by(self.program, self.graph, node) == 1,
                _operator => false,
            }
    }

    /// What holds how many items a `take` has left, or whether a `take_while` was over, when a step begins.
    pub(super) fn held(&mut self, at: usize) -> LocalId {
        if let Some((_, local)) = self.held.iter().find(|(it, _)| *it == at) {
            return *local;
        }
        let node = &self.graph.nodes[at];
        let local = match &node.op {
            Op::Take(_) => self.locals.fresh("left", USIZE, node.src),
            _take_while => self.locals.fresh("was_over", BOOL, node.src),
        };
        self.held.push((at, local));
        local
    }

    /// The items of a `zip` of sequences of which some go on when others have ended, as far as all go.
    pub(super) fn pairs(&mut self, at: usize, inputs: &[LocalId], ty: Type) -> Expr {
        let src = self.graph.nodes[at].src;
        let lens = inputs.iter().map(|it| self.len(*it, src));
        let fewest = lens.reduce(|a, b| scalar(ScalarOp::Min, vec![a, b], USIZE, src));
        let fewest = fewest.unwrap_or_else(|| unreachable!("a zip has inputs"));
        let fewest = self.bound("pairs", fewest);
        let some = inputs.iter().map(|it| {
            let end = self.locals.read(fewest, src);
            slice(self.locals.read(*it, src), None, Some(end))
        });
        let some: Vec<Expr> = some.collect();
        let sources = self.sources;
        if let Some((feeds, all)) = sources.beside(at) {
            let has_all = [self.shortest(feeds, &all, src), self.longest(feeds, src)];
            self.ends(at, scalar(ScalarOp::Lt, has_all.to_vec(), BOOL, src));
        }
        prim(Prim::Zip, some, Vec::new(), ty, src)
    }

    /// Where a source has fewer items than what is read beside it: then it has ended, or nobody reads it.
    pub(super) fn has_ended_beside(&self, source: usize, src: SrcSpan) -> Vec<Expr> {
        let sources = self.sources;
        let Some(at) = sources.taken.iter().position(|(it, _)| *it == source) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        lagging(&sources.feed, at, &mut |feeds, part| {
            let lens = vec![self.count(part, src), self.longest(feeds, src)];
            all.push(scalar(ScalarOp::Lt, lens, BOOL, src));
        });
        all
    }

    fn shortest(&self, feeds: &[Feed], which: &[usize], src: SrcSpan) -> Expr {
        let lens = which.iter().map(|it| self.count(&feeds[*it], src));
        let all = lens.reduce(|a, b| scalar(ScalarOp::Min, vec![a, b], USIZE, src));
        all.unwrap_or_else(|| unreachable!("something is read"))
    }

    fn longest(&self, feeds: &[Feed], src: SrcSpan) -> Expr {
        let lens = feeds.iter().map(|it| self.count(it, src));
        let all = lens.reduce(|a, b| scalar(ScalarOp::Max, vec![a, b], USIZE, src));
        all.unwrap_or_else(|| unreachable!("something is read"))
    }

    /// How many items a chunk has of `feed`.
    fn count(&self, feed: &Feed, src: SrcSpan) -> Expr {
        match feed {
            Feed::One(source) => match self.sources.taken[*source].1 {
                Taken::Items(items) => self.len(items, src),
                Taken::Ends(lo, hi) => {
                    let [lo, hi] = [lo, hi].map(|it| self.locals.read(it, src));
                    sizes(ScalarOp::Sub, hi, lo)
                }
            },
            Feed::Zipped(feeds) => self.count(&feeds[0], src),
            Feed::Beside(feeds, _) => self.longest(feeds, src),
            Feed::After(both) => {
                let [first, second] = both.each_ref().map(|it| self.count(it, src));
                sizes(ScalarOp::Add, first, second)
            }
            Feed::Until(feed, _) | Feed::AtMost(feed, _) => self.count(feed, src),
        }
    }
}
