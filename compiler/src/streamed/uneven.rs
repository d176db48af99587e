//! Sequences that are zipped with others and used alone as well.
//!
//! In: a chunk, which has different numbers of items of sequences that are read side by side when one of
//! them has ended. Out: pairs as far as both go, and of each sequence how many of its items are wanted, so
//! that what nobody asks for is not computed: it might fail.

use super::beside::lagging;
use super::build::{BOOL, USIZE, if_, prim, scalar, size, sizes, slice};
use super::feed::Taken;
use super::ir::Feed;
use super::nodes::Op;
use super::step::Writer;
use crate::ids::LocalId;
use crate::prims::{Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, Type};

impl Writer<'_> {
    /// How many items of a chunk `reader` needs of `input`, where that may be less than all of these.
    pub(super) fn limit(&mut self, input: usize, reader: usize) -> Option<Expr> {
        let (graph, sources) = (self.graph, self.sources);
        let src = graph.nodes[reader].src;
        let (feeds, own) = sources.beside(input)?;
        let of_reader = match &graph.nodes[reader].op {
            Op::Zip => {
                let (_, all) = sources.beside(reader)?;
                (all.len() > own.len()).then(|| self.shortest(feeds, &all, src))
            }
            Op::Take(_) => {
                let left = self.held(reader);
                Some(self.locals.read(left, src))
            }
            Op::TakeWhile(_) => {
                let was_over = self.held(reader);
                let was_over = self.locals.read(was_over, src);
                Some(if_(was_over, size(0, src), size(u64::MAX, src)))
            }
            _operator => None,
        };
        let mut later = match self.is_kept(reader) {
            true => Vec::new(),
            false => self.readers(reader),
        };
        let first = later.pop().and_then(|it| self.limit(reader, it));
        let later = later.into_iter().fold(first, |most, it| {
            let both = [most?, self.limit(reader, it)?];
            Some(scalar(ScalarOp::Max, both.to_vec(), USIZE, src))
        });
        let both = of_reader.into_iter().chain(later);
        both.reduce(|a, b| scalar(ScalarOp::Min, vec![a, b], USIZE, src))
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
