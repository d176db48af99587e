//! How the sources of a pass are gone through: side by side, or one after another.
//!
//! In: the sequences of a pass. Out: what its sources give to a chunk, and the order in which the run
//! time reads them.

use super::beside::{beside, leaves, merged, widest, zipped};
use super::delay::{Delayed, comes_with_items, for_scan, is_delayed};
use super::ir::Feed;
use super::nested::{are_of_one, given_beside};
use super::nodes::{Graph, Node, Op};
use super::passes::{Together, returned};
use super::refused::{self, elsewhere, given_out, read_again, too_many, two_zips};
use super::runs::keeps_back;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::Program;

/// As many as the run time's tuples have.
const MOST_BESIDE: usize = 12;

/// What a source gives to a chunk.
#[derive(Clone, Copy)]
pub(super) enum Taken {
    /// Its items.
    Items(LocalId),
    /// The first index and the end.
    Ends(LocalId, LocalId),
}

/// The sources of a pass.
pub(super) struct Sources {
    /// Their nodes, and what they give.
    pub(super) taken: Vec<(usize, Taken)>,
    pub(super) feed: Feed,
    /// Nodes whose items come in groups, with what is combined by these.
    pub(super) delayed: Vec<Delayed>,
    /// Of each node of the graph what it goes through; `None` of other passes' nodes.
    of: Vec<Option<Feed>>,
    is_chained: bool,
}

impl Sources {
    /// The sources of `pass`, in the order of `taken`; `None` if there are errors.
    pub(super) fn of(
        program: &Program,
        graph: &Graph,
        pass: &Together,
        taken: &[(usize, Taken)],
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Sources> {
        let mut finder = Finder::new(program, graph, pass, taken);
        let found = finder
            .with_delays()
            .map_err(|refused| refused.error)
            .and_then(|of| Ok((finder.feed(&of)?, of)));
        match found {
            Ok((feed, of)) => Some(Sources {
                taken: taken.to_vec(),
                feed,
                delayed: finder.delayed,
                of,
                is_chained: finder.is_chained,
            }),
            Err(error) => {
                errors.push(error);
                None
            }
        }
    }

    /// What is side by side where `node` reads several sequences that may end apart, and which of
    /// these it reads.
    pub(super) fn beside(&self, node: usize) -> Option<(&[Feed], Vec<usize>)> {
        beside(&self.feed, self.of[node].as_ref()?)
    }

    /// Whether `zip` is of sequences of which one may go on when another has ended.
    pub(super) fn is_uneven(&self, graph: &Graph, zip: usize) -> bool {
        let Some((_, all)) = self.beside(zip) else {
            return false;
        };
        let mut inputs = graph.nodes[zip].inputs.iter();
        matches!(graph.nodes[zip].op, Op::Zip)
            && inputs.any(|it| self.beside(*it).is_none_or(|(_, some)| some != all))
    }

    /// Whether a node goes through just this.
    pub(super) fn is_all_of(&self, feed: &Feed, node: usize) -> bool {
        self.of[node].as_ref() == Some(feed)
    }

    /// Whether the items that a chunk has of a source that a node goes through are all of the chunk.
    pub(super) fn are_whole_chunks(&self, node: usize) -> bool {
        !self.is_chained || self.of[node].as_ref() == Some(&self.feed)
    }

    /// The sources that are begun when the one at `node` has ended.
    pub(super) fn later(&self, node: usize) -> Vec<Taken> {
        let Some(at) = self.taken.iter().position(|(it, _)| *it == node) else {
            return Vec::new();
        };
        let mut later = Vec::new();
        self.find_later(&self.feed, at, &mut later);
        later
    }

    fn find_later(&self, feed: &Feed, source: usize, later: &mut Vec<Taken>) {
        match feed {
            Feed::One(_) => {}
            Feed::Until(feed, _) | Feed::AtMost(feed, _) => self.find_later(feed, source, later),
            Feed::Zipped(feeds) | Feed::Beside(feeds, _) => {
                let feeds = feeds.iter().filter(|it| leaves(it).contains(&source));
                feeds.for_each(|it| self.find_later(it, source, later));
            }
            Feed::After(both) => {
                let [first, second] = &**both;
                if !leaves(first).contains(&source) {
                    return self.find_later(second, source, later);
                }
                self.find_later(first, source, later);
                // The first of them may have no items.
                later.extend(leaves(second).into_iter().map(|it| self.taken[it].1));
            }
        }
    }
}

/// What the inputs of the first `zip` of `pass` that does not have its items together are made of that left
/// items out, or gives them late.
pub(super) fn uneven_nodes(program: &Program, graph: &Graph, pass: &Together) -> Vec<usize> {
    let sources = pass
        .nodes
        .iter()
        .filter(|at| graph.nodes[**at].inputs.is_empty());
    // Where they are in a chunk is of no interest.
    let taken: Vec<(usize, Taken)> = sources.map(|at| (*at, Taken::Items(LocalId(0)))).collect();
    match Finder::new(program, graph, pass, &taken).with_delays() {
        Ok(_) => Vec::new(),
        Err(refused) => refused.by,
    }
}

/// Finds what the nodes of a pass go through.
struct Finder<'f> {
    program: &'f Program,
    graph: &'f Graph,
    pass: &'f Together,
    taken: &'f [(usize, Taken)],
    is_chained: bool,
    delayed: Vec<Delayed>,
}

/// Of each node what it goes through, and the node that left items out, or gives them later; none if it has
/// an item for each of its sources.
struct Found {
    of: Vec<Option<Feed>>,
    left_out: Vec<Option<usize>>,
}

impl<'f> Finder<'f> {
    fn new(
        program: &'f Program,
        graph: &'f Graph,
        pass: &'f Together,
        taken: &'f [(usize, Taken)],
    ) -> Self {
        let mut nodes = pass.nodes.iter();
        Finder {
            program,
            graph,
            pass,
            taken,
            is_chained: nodes.any(|at| matches!(graph.nodes[*at].op, Op::Chain)),
            delayed: Vec::new(),
        }
    }

    /// What each node goes through, if need be with nodes whose items come in groups.
    fn with_delays(&mut self) -> Result<Vec<Option<Feed>>, Box<Refused>> {
        let mut found = self.all();
        loop {
            let refused = match found {
                Ok(of) => return Ok(of),
                Err(refused) => refused,
            };
            let at = refused.at;
            let delays = refused
                .scan
                .map(|it| for_scan(self.program, self.graph, it));
            let helps = |delay: &Delayed| {
                self.delayed.push(*delay);
                let with_it = self.all();
                let helps = !matches!(&with_it, Err(still) if still.at <= at);
                if !helps {
                    self.delayed.pop();
                }
                helps.then_some(with_it)
            };
            found = delays.iter().flatten().find_map(helps).ok_or(refused)?;
        }
    }

    /// What each node goes through.
    fn all(&self) -> Result<Vec<Option<Feed>>, Box<Refused>> {
        let count = self.graph.nodes.len();
        let mut found = Found {
            of: vec![None; count],
            left_out: vec![None; count],
        };
        for at in &self.pass.nodes {
            let feed = self.feed_of(*at, &found)?;
            found.of[*at] = Some(feed);
            found.left_out[*at] = match self.keeps(*at, &found) {
                true => {
                    let inputs = &self.graph.nodes[*at].inputs;
                    inputs.first().and_then(|it| found.left_out[*it])
                }
                false => Some(*at),
            };
        }
        Ok(found.of)
    }

    /// Whether a node has an item for each of what it is made of, in the same step.
    fn keeps(&self, at: usize, found: &Found) -> bool {
        let node = &self.graph.nodes[at];
        let waits_itself = self.delayed.iter().any(|it| it.node == at);
        let keeps = match &node.op {
            Op::Map(_) | Op::Zip | Op::Enumerate => true,
            Op::Scan { .. } => {
                let waits = keeps_back(self.graph, at, self.program, self.is_chained)
                    || is_delayed(self.graph, &self.delayed, node.inputs[0]);
                !waits || comes_with_items(self.program, self.graph, &self.delayed, at)
            }
            Op::Chain => (node.inputs.iter()).all(|it| found.left_out[*it].is_none()),
            _operator => node.inputs.is_empty(),
        };
        keeps && !waits_itself
    }

    /// What a node goes through, given that of its inputs.
    fn feed_of(&self, at: usize, found: &Found) -> Result<Feed, Box<Refused>> {
        let node = &self.graph.nodes[at];
        let inputs = node.inputs.iter().filter_map(|it| found.of[*it].as_ref());
        let inputs: Vec<&Feed> = inputs.collect();
        if let Some(source) = self.taken.iter().position(|(it, _)| *it == at) {
            return Ok(Feed::One(source));
        }
        let read_twice = || {
            let which = self.common(&inputs).map(|source| source.src);
            Box::new(Refused {
                at,
                scan: None,
                by: Vec::new(),
                error: read_again(node.src, which),
            })
        };
        match &node.op {
            Op::Zip if let Some(by) = found.uneven(node) => {
                let is_scan = |it: &usize| matches!(self.graph.nodes[*it].op, Op::Scan { .. });
                let scan = by.iter().copied().find(is_scan);
                let shown = scan.or(by.first().copied());
                Err(Box::new(Refused {
                    at,
                    scan,
                    error: self.uneven(node, shown),
                    by,
                }))
            }
            Op::Zip => zipped(&inputs).ok_or_else(read_twice),
            Op::Chain => {
                let [first, second] = [inputs[0], inputs[1]];
                let mut common = leaves(first).into_iter();
                match common.any(|it| leaves(second).contains(&it)) {
                    true => Err(read_twice()),
                    false => Ok(Feed::After(Box::new([first.clone(), second.clone()]))),
                }
            }
            _operator => Ok(inputs[0].clone()),
        }
    }

    /// That a `zip` does not have its items together, for what is made by `uneven`.
    fn uneven(&self, zip: &Node, uneven: Option<usize>) -> Diagnostic {
        let graph = self.graph;
        let is_result = self.pass.gives.is_some() && self.pass.gives == returned(graph);
        if is_result && !self.pass.sinks.is_empty() {
            return given_out(zip.src);
        }
        let are_of_one = are_of_one(graph, &zip.inputs);
        let other = uneven.and_then(|it| given_beside(graph, it));
        let nodes = [uneven, other].map(|it| it.map(|it| &graph.nodes[it]));
        match nodes {
            [Some(uneven), Some(other)] if !are_of_one => two_zips(zip.src, uneven, other),
            [shown, _] => refused::uneven(zip.src, shown, are_of_one),
        }
    }

    /// The first source that is in several of these.
    fn common(&self, feeds: &[&Feed]) -> Option<&Node> {
        let sources: Vec<usize> = feeds.iter().flat_map(|feed| leaves(feed)).collect();
        let mut twice = sources.iter().enumerate();
        let (_, source) = twice.find(|(at, source)| sources[..*at].contains(source))?;
        Some(&self.graph.nodes[self.taken[*source].0])
    }

    /// What has the items of all that is used.
    fn feed(&self, of: &[Option<Feed>]) -> Result<Feed, Diagnostic> {
        let graph = self.graph;
        let sinks = self.pass.sinks.iter().map(|sink| &graph.sinks[*sink]);
        let ends = sinks.map(|sink| (sink.node, sink.src));
        let result = self.pass.gives.map(|node| (node, graph.nodes[node].src));
        let own = ends.chain(result).map(|(node, src)| {
            let own = of[node].as_ref();
            (
                own.unwrap_or_else(|| unreachable!("the pass has what is used")),
                src,
            )
        });
        // What goes through many has places for those that others go through.
        let mut own: Vec<(&Feed, SrcSpan)> = own.collect();
        own.sort_by_key(|(feed, _)| std::cmp::Reverse(leaves(feed).len()));
        let mut all: Option<Feed> = None;
        for (own, src) in own {
            all = Some(match &all {
                None => own.clone(),
                Some(all) => merged(all, own).ok_or_else(|| {
                    let which = self.common(&[all, own]);
                    elsewhere(src, which.map(|source| source.src))
                })?,
            });
        }
        let all = all.unwrap_or_else(|| unreachable!("something of a pass is used"));
        match widest(&all) > MOST_BESIDE {
            true => Err(too_many(MOST_BESIDE, graph.nodes[self.taken[0].0].src)),
            false => Ok(all),
        }
    }
}

/// That a node cannot be what it is.
struct Refused {
    at: usize,
    /// The scan that gives its items later than what it is zipped with.
    scan: Option<usize>,
    /// If it is a `zip` of what does not have its items together, what left them out, or gives them late.
    by: Vec<usize>,
    error: Diagnostic,
}

impl Found {
    /// If a `zip` is of sequences that do not have their items together, what made those that are not as
    /// their sources are.
    fn uneven(&self, zip: &Node) -> Option<Vec<usize>> {
        let mut rates = zip.inputs.iter().map(|it| self.left_out[*it]);
        let rate = rates.next();
        let is_even = rates.all(|it| Some(it) == rate);
        let rates = zip.inputs.iter().filter_map(|it| self.left_out[*it]);
        (!is_even).then(|| rates.collect())
    }
}
