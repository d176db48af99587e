//! Sequences whose items come in groups.
//!
//! In: a scan that combines so many items at once, and gives its prefixes when these are there. Out: a
//! sequence that it is made of, which is to give its items by as many: then they come with the prefixes,
//! and both can be zipped. No further items are kept back than the scan would keep itself.

use super::nodes::{Graph, Op};
use super::operators::order;
use crate::prims::CHUNK;
use crate::typed::ir::Program;
use crate::typed::recognise::{at_a_time, scalars};

/// A node whose items come by so many, but for the last ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Delayed {
    pub(super) node: usize,
    pub(super) by: usize,
}

/// The nodes that may give their items later, for `scan` to give its own with them: what it scans, then
/// what that is made of. Blocks are kept of scalars and products of these alone: they take little memory.
pub(super) fn for_scan(program: &Program, graph: &Graph, scan: usize) -> Vec<Delayed> {
    let by = combined_by(program, graph, scan);
    let (mut all, mut below) = (Vec::new(), graph.nodes[scan].inputs.clone());
    while let Some(node) = below.pop() {
        if by == CHUNK && scalars(&graph.nodes[node].item, program).is_none() {
            continue;
        }
        all.push(Delayed { node, by });
        if let Op::Map(_) | Op::Enumerate | Op::Zip = graph.nodes[node].op {
            below.extend(&graph.nodes[node].inputs);
        }
    }
    all
}

/// How many items a scan combines at once.
pub(super) fn combined_by(program: &Program, graph: &Graph, scan: usize) -> usize {
    let node = &graph.nodes[scan];
    let Op::Scan { function, .. } = &node.op else {
        unreachable!("it is a scan")
    };
    at_a_time(order(function, program).as_deref(), &node.item, program)
}

/// Whether `scan` gives its items with those that it is made of, since these come in groups.
pub(super) fn comes_with_items(
    program: &Program,
    graph: &Graph,
    delayed: &[Delayed],
    scan: usize,
) -> bool {
    let by = combined_by(program, graph, scan);
    in_groups(graph, delayed, graph.nodes[scan].inputs[0], by)
}

/// Whether the items of `node` come by so many, as those of one of `delayed` that it is made of do.
pub(super) fn in_groups(graph: &Graph, delayed: &[Delayed], node: usize, by: usize) -> bool {
    let is_delayed = (delayed.iter()).any(|it| it.node == node && it.by.is_multiple_of(by));
    let of = &graph.nodes[node];
    let mut inputs = of.inputs.iter();
    is_delayed
        || match &of.op {
            Op::Map(_) | Op::Enumerate | Op::Zip => {
                inputs.all(|it| in_groups(graph, delayed, *it, by))
            }
            _operator => false,
        }
}

/// Whether items of `node` come later than those of its sources, since one of `delayed` is between.
pub(super) fn is_delayed(graph: &Graph, delayed: &[Delayed], node: usize) -> bool {
    let mut inputs = graph.nodes[node].inputs.iter();
    delayed.iter().any(|it| it.node == node) || inputs.any(|it| is_delayed(graph, delayed, *it))
}
