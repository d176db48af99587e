//! Layers: each arrow goes from a layer to the next one.

use super::Placed;
use crate::explain::page::Graph;

/// All slots.
pub struct Layers {
    /// Boxes in their order, then places that arrows go through.
    pub slots: Vec<Slot>,
    /// The slots of each layer, from the left.
    pub rows: Vec<Vec<usize>>,
    /// The slots that each arrow goes through.
    pub paths: Vec<Vec<usize>>,
}

/// A place in a layer.
pub struct Slot {
    /// The box; none where an arrow passes.
    pub node: Option<usize>,
    /// Its layer.
    pub layer: usize,
    /// How wide it is.
    pub width: f64,
    /// Its middle.
    pub x: f64,
    /// Slots of the layer above.
    pub up: Vec<usize>,
    /// Slots of the layer below.
    pub down: Vec<usize>,
}

/// Where an arrow passes.
const PASSING: f64 = 10.0;

impl Layers {
    /// Of a graph.
    pub fn of(graph: &Graph, boxes: &[Placed<'_>]) -> Layers {
        let depths = depths(graph);
        let slots = depths.iter().zip(boxes).enumerate();
        let slots = slots.map(|(at, (layer, it))| Slot::new(Some(at), *layer, it.width));
        let mut layers = Layers {
            slots: slots.collect(),
            rows: Vec::new(),
            paths: Vec::new(),
        };
        for edge in &graph.edges {
            layers.path(edge.from, edge.to);
        }
        let count = depths.iter().max().map_or(0, |deepest| deepest + 1);
        layers.rows = vec![Vec::new(); count];
        for (at, slot) in layers.slots.iter().enumerate() {
            layers.rows[slot.layer].push(at);
        }
        layers
    }

    fn path(&mut self, from: usize, to: usize) {
        let mut path = vec![from];
        let mut last = from;
        for layer in self.slots[from].layer + 1..self.slots[to].layer {
            self.slots.push(Slot::new(None, layer, PASSING));
            let next = self.slots.len() - 1;
            self.join(last, next);
            path.push(next);
            last = next;
        }
        self.join(last, to);
        path.push(to);
        self.paths.push(path);
    }

    fn join(&mut self, above: usize, below: usize) {
        self.slots[above].down.push(below);
        self.slots[below].up.push(above);
    }

    /// Where on a box's border an arrow to or from `other` is: in the order of the other ends.
    pub fn port(&self, slot: usize, other: usize, above: bool, boxes: &[Placed<'_>]) -> f64 {
        let it = &self.slots[slot];
        let mut others = if above {
            it.up.clone()
        } else {
            it.down.clone()
        };
        others.sort_by(|a, b| self.slots[*a].x.total_cmp(&self.slots[*b].x));
        let at = others.iter().position(|it| *it == other).unwrap_or(0);
        let width = it.node.map_or(0.0, |node| boxes[node].width);
        let apart = (width * 0.7 / others.len() as f64).min(28.0);
        it.x + apart * (at as f64 - (others.len() as f64 - 1.0) / 2.0)
    }
}

impl Slot {
    fn new(node: Option<usize>, layer: usize, width: f64) -> Slot {
        Slot {
            node,
            layer,
            width,
            x: 0.0,
            up: Vec::new(),
            down: Vec::new(),
        }
    }
}

/// The layer of each box: below all that it depends on, and what depends on nothing right above the
/// first that needs it.
fn depths(graph: &Graph) -> Vec<usize> {
    let mut depths = vec![0; graph.nodes.len()];
    for _ in &graph.nodes {
        for edge in &graph.edges {
            depths[edge.to] = depths[edge.to].max(depths[edge.from] + 1);
        }
    }
    for at in 0..depths.len() {
        let is_first = graph.edges.iter().all(|edge| edge.to != at);
        let readers = graph.edges.iter().filter(|edge| edge.from == at);
        if let Some(first) = readers.map(|edge| depths[edge.to]).min()
            && is_first
        {
            depths[at] = first - 1;
        }
    }
    depths
}
