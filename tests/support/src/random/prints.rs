//! `dbg!` around some expressions of a program.

use super::tree::{Node, Part, Role};
use crate::parts;
use crate::rng::Rng;

/// The program, which prints some of what it computes.
pub fn printing(node: Node, rng: &mut Rng) -> Node {
    let Node { role, parts } = node;
    let parts = parts.into_iter().map(|part| match part {
        Part::Text(text) => Part::Text(text),
        Part::Node(node) => Part::Node(printing(node, rng)),
    });
    let parts = parts.collect();
    let node = Node { role, parts };
    match node.role.clone() {
        Role::Expr(ty) if rng.chance(1, 12) => Node::expr(&ty, parts!["dbg!(", node, ")"]),
        Role::Expr(_) | Role::Optional | Role::Fixed => node,
    }
}
