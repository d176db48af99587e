//! Sequences that leave items out, or give many for one, and what is made of them is zipped with others.
//!
//! In: a [`Graph`]. Out: one whose passes can be read side by side: what gives its items at a rate of its
//! own is a pass of its own, whose results are a source of the other ([`Op::Nested`]); the run time
//! computes as many of them as are asked for. What else is computed of its sources is computed in that pass,
//! and goes on when nobody wants its results any more; none of it may be read by the other one, which would
//! have its items at another place, or by a third, which would ask for them at another time.

use super::feed::uneven_nodes;
use super::nodes::{Graph, Node, Op};
use super::passes::{Together, returned, together, used, within};
use crate::typed::ir::Program;

/// Makes passes of their own of what `zip`s cannot have side by side until no more can be done.
pub(super) fn cut(program: &Program, graph: &mut Graph) {
    while let Some(root) = next(program, graph) {
        let own = Node {
            op: Op::Nested(graph.nodes.len()),
            inputs: Vec::new(),
            item: graph.nodes[root].item.clone(),
            src: graph.nodes[root].src,
        };
        let inner = std::mem::replace(&mut graph.nodes[root], own);
        graph.nodes.push(inner);
    }
}

/// A sequence that is to be a pass of its own; rather one that ends with its results.
fn next(program: &Program, graph: &Graph) -> Option<usize> {
    let passes = together(graph);
    let all = passes.iter().flat_map(Together::with_nested);
    let uneven = all.flat_map(|pass| uneven_nodes(program, graph, pass));
    let uneven = uneven.filter(|root| !graph.nodes[*root].inputs.is_empty());
    let apart: Vec<(usize, bool)> = uneven
        .filter_map(|root| Some((root, apart(graph, root)?)))
        .collect();
    let ends = apart.iter().find(|(_, goes_on)| !goes_on);
    ends.or(apart.first()).map(|(root, _)| *root)
}

/// Whether something is computed, to its end, of what `root` is made of, but for `root` itself; `None` if what
/// reads `root` needs that as well, or the function or another pass is given it, each at a rate of its own.
fn apart(graph: &Graph, root: usize) -> Option<bool> {
    let inside = beside(graph, root);
    let needs_root = inside
        .iter()
        .any(|it| graph.nodes[*it].inputs.contains(&root));
    let is_result = returned(graph).is_some_and(|it| inside.contains(&it));
    let is_sunk = graph.sinks.iter().any(|sink| inside.contains(&sink.node));
    let is_given = is_result || given_beside(graph, root).is_some();
    (!needs_root && !is_given).then_some(is_sunk)
}

/// What a pass of its own gives, for another `zip`, of what `root` is made of as well.
pub(super) fn given_beside(graph: &Graph, root: usize) -> Option<usize> {
    let inside = beside(graph, root);
    let mut given = graph.nodes.iter().filter_map(within);
    given.find(|it| inside.contains(it))
}

/// What `root` is made of, and what else would be in one pass with that.
fn beside(graph: &Graph, root: usize) -> Vec<usize> {
    let used = used(graph);
    let mut inside = cone(graph, root);
    inside.retain(|it| *it != root);
    let mut at = 0;
    while at < inside.len() {
        let reads = |node: &Node| node.inputs.contains(&inside[at]);
        let nodes = graph.nodes.iter().enumerate();
        let readers = nodes.filter(|(it, node)| used[*it] && *it != root && reads(node));
        let inputs = graph.nodes[inside[at]].inputs.iter().copied();
        let mut more: Vec<usize> = readers.map(|(it, _)| it).chain(inputs).collect();
        more.retain(|it| !inside.contains(it));
        inside.append(&mut more);
        at += 1;
    }
    inside
}

/// What a sequence is made of, and itself.
fn cone(graph: &Graph, root: usize) -> Vec<usize> {
    let mut all = vec![root];
    let mut at = 0;
    while at < all.len() {
        for input in &graph.nodes[all[at]].inputs {
            if !all.contains(input) {
                all.push(*input);
            }
        }
        at += 1;
    }
    all
}

/// Whether some of these sequences are made of the same one.
pub(super) fn are_of_one(graph: &Graph, sides: &[usize]) -> bool {
    let cones: Vec<Vec<usize>> = sides.iter().map(|it| cone(graph, *it)).collect();
    let mut others = cones.iter().enumerate();
    others.any(|(at, one)| {
        let mut before = cones[..at].iter().flatten();
        before.any(|it| one.contains(it))
    })
}
