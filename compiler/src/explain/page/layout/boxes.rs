//! How large boxes are.

use super::{Placed, layout};
use crate::explain::page::text::cut;
use crate::explain::page::{Kind, Node};

/// Height of the first line.
pub const TITLE: f64 = 17.0;
/// Height of the others.
pub const LINE: f64 = 15.0;
/// Between text and border.
pub const PAD: f64 = 10.0;

/// A letter of the first line, and of the others: all are of one width.
const LETTERS: (f64, f64) = (7.3, 6.7);

/// How many letters a line may have.
pub fn room(node: &Node) -> usize {
    match node.kind {
        Kind::Kernel(_) | Kind::Loop | Kind::Branch => 44,
        Kind::Param | Kind::Array | Kind::Own | Kind::Result | Kind::Outer => 38,
    }
}

/// A box at no place yet.
pub fn sized(node: &Node) -> Placed<'_> {
    let inside = (!node.inside.nodes.is_empty()).then(|| layout(&node.inside));
    let letters = |text: &str| cut(text, room(node)).chars().count() as f64;
    let lines = node.lines.iter().map(|line| letters(line) * LETTERS.1);
    let text = lines.fold(letters(&node.title) * LETTERS.0, f64::max);
    let inner = inside.as_ref().map_or(0.0, |it| it.width);
    let below = inside.as_ref().map_or(0.0, |it| it.height + PAD);
    Placed {
        node,
        x: 0.0,
        y: 0.0,
        width: text.max(inner) + 2.0 * PAD + 4.0,
        height: TITLE + LINE * node.lines.len() as f64 + below + PAD,
        inside,
    }
}
