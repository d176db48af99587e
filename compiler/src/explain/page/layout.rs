//! Where boxes and arrows go.
//!
//! In: a graph. Out: places in pixels. Layers by the longest path to a box (Sugiyama, Tagawa, Toda,
//! 1981): arrows over several layers get a place in each; the order in a layer is by barycentres, the
//! best of some rounds; then each slot moves to the mean of its neighbours, as near as the order
//! allows.

mod boxes;
mod layers;
mod order;
mod sides;

pub use boxes::{LINE, PAD, TITLE, room};

use super::{Graph, Node};
use layers::{Layers, Slot};

/// A graph with places.
pub struct Layout<'g> {
    /// The boxes.
    pub boxes: Vec<Placed<'g>>,
    /// The arrows.
    pub wires: Vec<Wire>,
    /// How wide it is.
    pub width: f64,
    /// How high.
    pub height: f64,
}

/// A box with its place.
pub struct Placed<'g> {
    /// The box.
    pub node: &'g Node,
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What is inside, from its own corner.
    pub inside: Option<Layout<'g>>,
}

/// An arrow: points to go through, each with a vertical direction.
pub struct Wire {
    /// From which box to which.
    pub ends: (usize, usize),
    /// Whether arrays go along it.
    pub array: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// Between layers.
const BETWEEN: f64 = 34.0;

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Layout<'_> {
    let mut boxes: Vec<Placed<'_>> = graph.nodes.iter().map(boxes::sized).collect();
    let mut layers = Layers::of(graph, &boxes);
    order::order(&mut layers);
    sides::place(&mut layers);
    let mut top = 0.0;
    let mut tops = Vec::new();
    for layer in &layers.rows {
        let heights = layer
            .iter()
            .map(|slot| height(&layers.slots[*slot], &boxes));
        let height = heights.fold(0.0, f64::max);
        tops.push((top, height));
        top += height + BETWEEN;
    }
    for slot in &layers.slots {
        if let Some(at) = slot.node {
            let (top, height) = tops[slot.layer];
            let it = &mut boxes[at];
            it.x = slot.x - it.width / 2.0;
            it.y = top + (height - it.height) / 2.0;
        }
    }
    let right = boxes.iter().map(|it| it.x + it.width);
    let ends = layers.slots.iter().map(|slot| slot.x + 4.0);
    Layout {
        width: right.chain(ends).fold(0.0, f64::max),
        height: (top - BETWEEN).max(0.0),
        wires: wires(graph, &layers, &tops, &boxes),
        boxes,
    }
}

fn height(slot: &Slot, boxes: &[Placed<'_>]) -> f64 {
    slot.node.map_or(0.0, |at| boxes[at].height)
}

fn wires(graph: &Graph, layers: &Layers, tops: &[(f64, f64)], boxes: &[Placed<'_>]) -> Vec<Wire> {
    let paths = graph.edges.iter().zip(&layers.paths);
    let wires = paths.map(|(edge, path)| {
        let mut points = Vec::new();
        for (at, slot) in path.iter().enumerate() {
            let it = &layers.slots[*slot];
            match it.node {
                Some(node) if at == 0 => {
                    let x = layers.port(*slot, path[1], false, boxes);
                    points.push((x, boxes[node].y + boxes[node].height));
                }
                Some(node) => {
                    let x = layers.port(*slot, path[at - 1], true, boxes);
                    points.push((x, boxes[node].y - 2.0));
                }
                None => {
                    let (top, height) = tops[it.layer];
                    points.extend([(it.x, top), (it.x, top + height)]);
                }
            }
        }
        Wire {
            ends: (edge.from, edge.to),
            array: edge.array,
            points,
        }
    });
    wires.collect()
}
