//! How the sources of a pass are gone through: side by side, or one after another.
//!
//! In: the sequences of a pass. Out: what its sources give to a chunk, and the order in which the run
//! time reads them.

use super::ir::Feed;
use super::nodes::{Graph, Node, Op, Returned};
use super::passes::Together;
use super::runs::keeps_back;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::Program;

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
        let is_chained = pass
            .nodes
            .iter()
            .any(|at| matches!(graph.nodes[*at].op, Op::Chain));
        // What each node goes through, and the node that left items out; none if it has all.
        let mut of: Vec<Option<Feed>> = vec![None; graph.nodes.len()];
        let mut left_out: Vec<Option<usize>> = vec![None; graph.nodes.len()];
        for at in &pass.nodes {
            let node = &graph.nodes[*at];
            let made = feed_of(graph, *at, taken, (&of, &left_out));
            of[*at] = match made {
                Ok(feed) => Some(feed),
                Err(error) => {
                    errors.push(error);
                    return None;
                }
            };
            let keeps = match &node.op {
                Op::Map(_) | Op::Zip | Op::Enumerate => true,
                Op::Scan { .. } => !keeps_back(graph, *at, program, is_chained),
                Op::Chain => node.inputs.iter().all(|it| left_out[*it].is_none()),
                _operator => node.inputs.is_empty(),
            };
            left_out[*at] = match keeps {
                true => node.inputs.first().and_then(|it| left_out[*it]),
                false => Some(*at),
            };
        }
        let largest = pass.nodes.iter().filter_map(|at| of[*at].as_ref());
        let feed = largest.max_by_key(|feed| leaves(feed).len())?.clone();
        let sources = Sources {
            taken: taken.to_vec(),
            feed,
            of,
            is_chained,
        };
        sources.checked(graph, pass, errors)
    }

    /// What is used goes through all sources, or through those that are read one after another.
    fn checked(
        self,
        graph: &Graph,
        pass: &Together,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<Sources> {
        let ends = pass
            .sinks
            .iter()
            .map(|sink| (graph.sinks[*sink].node, graph.sinks[*sink].src));
        let result = match &graph.value {
            Returned::Seq(node) if pass.is_result => Some((*node, graph.nodes[*node].src)),
            _other => None,
        };
        let is_whole = leaves(&self.feed).len() == self.taken.len();
        for (node, src) in ends.chain(result) {
            let own = self.of[node].as_ref()?;
            if !is_whole || !has(&self.feed, own) {
                let what = "using a sequence alone that is zipped with another as well";
                errors.push(
                    Diagnostic::unsupported(src, what)
                        .note("the pairs end where the shorter sequence ends")
                        .help("take what is needed from the pairs"),
                );
                return None;
            }
        }
        Some(self)
    }

    /// Whether a node goes through just this.
    pub(super) fn is_all_of(&self, feed: &Feed, node: usize) -> bool {
        self.of[node].as_ref() == Some(feed)
    }

    /// Whether the items that a chunk has of a source that a node goes through are all of the chunk.
    pub(super) fn are_whole_chunks(&self, node: usize) -> bool {
        !self.is_chained || self.of[node].as_ref() == Some(&self.feed)
    }

    /// Of the sources that are begun when the one at `node` has ended one each.
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
            Feed::Zipped(feeds) => {
                let feeds = feeds.iter().filter(|it| leaves(it).contains(&source));
                feeds.for_each(|it| self.find_later(it, source, later));
            }
            Feed::After(both) => {
                let [first, second] = &**both;
                if !leaves(first).contains(&source) {
                    return self.find_later(second, source, later);
                }
                self.find_later(first, source, later);
                later.push(self.taken[leaves(second)[0]].1);
            }
        }
    }
}

/// What a node goes through, given that of its inputs, and whether these have as many items.
fn feed_of(
    graph: &Graph,
    at: usize,
    taken: &[(usize, Taken)],
    (of, left_out): (&[Option<Feed>], &[Option<usize>]),
) -> Result<Feed, Diagnostic> {
    let node = &graph.nodes[at];
    let inputs: Vec<&Feed> = node
        .inputs
        .iter()
        .filter_map(|it| of[*it].as_ref())
        .collect();
    if let Some(source) = taken.iter().position(|(it, _)| *it == at) {
        return Ok(Feed::One(source));
    }
    let first = inputs[0].clone();
    match &node.op {
        Op::Zip => {
            let mut rates = node.inputs.iter().map(|it| left_out[*it]);
            let rate = rates.next();
            if !rates.all(|it| Some(it) == rate) {
                let mut rates = node.inputs.iter().filter_map(|it| left_out[*it]);
                return Err(uneven(node.src, rates.next().map(|it| &graph.nodes[it])));
            }
            zipped(&inputs).ok_or_else(|| again(node.src))
        }
        Op::Chain => {
            let [first, second] = [inputs[0], inputs[1]];
            let common = leaves(first).iter().any(|it| leaves(second).contains(it));
            if common {
                return Err(again(node.src));
            }
            Ok(Feed::After(Box::new([first.clone(), second.clone()])))
        }
        _operator => Ok(first),
    }
}

/// Side by side; `None` if one source would be in several places.
fn zipped(inputs: &[&Feed]) -> Option<Feed> {
    let mut all: Vec<Feed> = Vec::new();
    for input in inputs {
        let parts = match input {
            Feed::Zipped(parts) => parts.as_slice(),
            one => std::slice::from_ref(*one),
        };
        for part in parts {
            if !all.contains(part) {
                all.push(part.clone());
            }
        }
    }
    let mut sources: Vec<usize> = all.iter().flat_map(leaves).collect();
    let count = sources.len();
    sources.sort_unstable();
    sources.dedup();
    if sources.len() < count {
        return None;
    }
    match all.len() {
        1 => all.pop(),
        _several => Some(Feed::Zipped(all)),
    }
}

/// The sources of `feed`, in order.
fn leaves(feed: &Feed) -> Vec<usize> {
    match feed {
        Feed::One(source) => vec![*source],
        Feed::Zipped(feeds) => feeds.iter().flat_map(leaves).collect(),
        Feed::After(both) => both.iter().flat_map(leaves).collect(),
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => leaves(feed),
    }
}

/// Whether all items of `part` are among those of `feed`.
fn has(feed: &Feed, part: &Feed) -> bool {
    feed == part
        || match feed {
            Feed::One(_) => false,
            Feed::Zipped(feeds) => match part {
                Feed::Zipped(parts) => {
                    feeds.len() == parts.len() && parts.iter().all(|it| feeds.contains(it))
                }
                _one => false,
            },
            Feed::After(both) => both.iter().any(|it| has(it, part)),
            Feed::Until(feed, _) | Feed::AtMost(feed, _) => has(feed, part),
        }
}

/// Sequences side by side of which one, made by `uneven`, has no item for each of its source.
fn uneven(src: SrcSpan, uneven: Option<&Node>) -> Diagnostic {
    if let Some(scan) = uneven.filter(|node| matches!(node.op, Op::Scan { .. })) {
        return late(src, scan);
    }
    let what = "`zip` of sequences of which one leaves items out";
    let error = Diagnostic::unsupported(src, what).note(
        "they are read side by side: items of one would pile up, any number of them, while the other has none",
    );
    let Some(uneven) = uneven else { return error };
    let help = match &uneven.op {
        Op::Filter(_) => {
            "zip first, then filter the pairs, `zip(xs, ys).filter(|(x, y)| …)`; \
             or keep what is left as an array, `let some = s.collect();`, and zip `some.stream()`"
        }
        Op::Take(_) => "zip first, then take so many pairs: `zip(xs, ys).take(n)`",
        Op::TakeWhile(_) => "zip first, then take pairs: `zip(xs, ys).take_while(|(x, y)| …)`",
        Op::Skip(_) => {
            "neighbours are `xs.windows(2)`; \
             or keep what is left as an array, `let rest = s.collect();`, and zip `rest.stream()`"
        }
        Op::Chunks { .. } => {
            "zip first, then cut the pairs: `zip(xs, ys).chunks(k)`; \
             or keep the pieces as an array, `let all = s.collect();`, and zip `all.stream()`"
        }
        _operator => "keep it as an array, `let all = s.collect();`, and zip `all.stream()`",
    };
    error.help(help).also(
        uneven.src,
        "this has no item for each of those that it is made of",
    )
}

/// Sequences side by side of which one is made by `scan`, by blocks.
fn late(src: SrcSpan, scan: &Node) -> Diagnostic {
    let what = "`zip` with a scan that gives its items by blocks";
    Diagnostic::unsupported(src, what)
        .note(
            "what it rounds depends on blocks of items, whose prefixes come when the block is there: \
             items of the other would pile up meanwhile",
        )
        .help(
            "keep the prefixes as an array, `let all = s.collect();`, and zip `all.stream()`; or carry the \
             item along: `xs.map(|x| (x, x)).scan(|a, b| (b.0, op(a.1, b.1)))`, which goes from left to right, \
             so floats may round otherwise",
        )
        .also(scan.src, "this gives its items later than it has those that it is made of")
}

fn again(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "a sequence would have to be read twice here")
        .note("it is read once, from its first item to its last, and is among these at several places")
        .help("keep it as an array with `let xs = s.collect();`, then `xs.stream()`")
}
