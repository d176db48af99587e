//! Sequences that leave items out, or give many for one, and what is made of them is zipped with others.
//!
//! In: a [`Graph`]. Out: one whose passes can be read side by side: what gives its items at a rate of its
//! own, and has its sources to itself, is a pass of its own, whose results are a source of the other
//! ([`Op::Nested`]); the run time computes as many of them as are asked for. What it is made of must be
//! read by nobody else: that would have its items at another place.

use super::feed::uneven_nodes;
use super::nodes::{Graph, Node, Op, Returned};
use super::passes::{Together, together, used};
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

/// A sequence that is to be a pass of its own.
fn next(program: &Program, graph: &Graph) -> Option<usize> {
    let passes = together(graph);
    let all = passes.iter().flat_map(Together::with_nested);
    let uneven = all.flat_map(|pass| uneven_nodes(program, graph, pass));
    let mut uneven = uneven.filter(|root| {
        let is_source = graph.nodes[*root].inputs.is_empty();
        !is_source && has_its_own(graph, *root)
    });
    uneven.next()
}

/// Whether nobody else reads what `root` is made of, but for `root` itself.
fn has_its_own(graph: &Graph, root: usize) -> bool {
    let used = used(graph);
    let cone = cone(graph, root);
    let is_inside = |at: usize| at != root && cone.contains(&at);
    let mut nodes = graph.nodes.iter().enumerate();
    let is_read = nodes.any(|(at, node)| {
        used[at] && !cone.contains(&at) && node.inputs.iter().any(|it| is_inside(*it))
    });
    let is_sunk = graph.sinks.iter().any(|sink| is_inside(sink.node));
    let is_result = matches!(graph.value, Returned::Seq(node) if is_inside(node));
    !is_read && !is_sunk && !is_result
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
