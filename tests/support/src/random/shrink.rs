//! Smaller programs: one piece left out or replaced.

use super::tree::{Node, Part, Role};
use super::{Input, RandomProgram};
use crate::random::scalars::simplest;
use ragged_compiler::interpret::Value;

/// All programs that are one step smaller, the smallest first. Not all of them are well-typed.
pub fn smaller(program: &RandomProgram) -> Vec<RandomProgram> {
    let mut trees = Vec::new();
    edits(&program.tree, &mut |tree| trees.push(tree));
    trees.sort_by_key(Node::size);
    let with_tree = |tree| RandomProgram {
        tree,
        ..program.clone()
    };
    let trees = trees.into_iter().map(with_tree);
    fewer_inputs(program).into_iter().chain(trees).collect()
}

/// Calls `found` with `node` after each edit of it or of a piece in it.
fn edits(node: &Node, found: &mut dyn FnMut(Node)) {
    match &node.role {
        Role::Optional => {
            let empty = node.parts.is_empty();
            if !empty {
                found(Node::optional(Vec::new()));
            }
        }
        Role::Expr(ty) => {
            let simple = simplest(ty);
            if node.to_string() != simple {
                found(Node::expr(ty, vec![Part::Text(simple)]));
            }
            node.children()
                .for_each(|child| hoisted(child, node, found));
        }
        Role::Fixed => {}
    }
    for (at, part) in node.parts.iter().enumerate() {
        let Part::Node(child) = part else { continue };
        edits(child, &mut |edited| {
            let mut copy = node.clone();
            copy.parts[at] = Part::Node(edited);
            found(copy);
        });
    }
}

/// Pieces below that have the role of `target`; the outermost only.
fn hoisted(node: &Node, target: &Node, found: &mut dyn FnMut(Node)) {
    if node.role == target.role {
        found(node.clone());
    } else {
        node.children()
            .for_each(|child| hoisted(child, target, found));
    }
}

/// One call instead of several, then shorter and simpler arguments.
fn fewer_inputs(program: &RandomProgram) -> Vec<RandomProgram> {
    let with = |inputs| RandomProgram {
        inputs,
        ..program.clone()
    };
    if program.inputs.len() > 1 {
        let inputs = program.inputs.iter();
        return inputs.map(|input| with(vec![input.clone()])).collect();
    }
    let Some(input) = program.inputs.first() else {
        return Vec::new();
    };
    let mut programs = Vec::new();
    for at in 0..input.args.len() {
        for value in simpler(&input.args[at].1) {
            let mut input: Input = input.clone();
            input.args[at].1 = value;
            programs.push(with(vec![input]));
        }
    }
    programs.extend(all_shorter(input).map(|input| with(vec![input])));
    programs
}

/// All arrays cut to half at once, for those that share a length.
fn all_shorter(input: &Input) -> Option<Input> {
    let mut shorter = input.clone();
    let mut changed = false;
    for (_, value) in &mut shorter.args {
        if let Value::Array(elements) = value
            && elements.len() > 1
        {
            elements.truncate(elements.len() / 2);
            changed = true;
        }
    }
    changed.then_some(shorter)
}

fn simpler(value: &Value) -> Vec<Value> {
    let Value::Array(elements) = value else {
        return Vec::new();
    };
    let len = elements.len();
    let mut lens = vec![0, len / 2, len.saturating_sub(1)];
    lens.dedup();
    let cuts = lens.into_iter().filter(|cut| *cut < len);
    let mut out: Vec<Value> = cuts
        .flat_map(|cut| [elements[..cut].to_vec(), elements[len - cut..].to_vec()])
        .map(Value::Array)
        .collect();
    if len > 1 && elements.iter().any(|x| *x != elements[0]) {
        out.push(Value::Array(vec![elements[0].clone(); len]));
    }
    out.extend(simpler_rows(elements).into_iter().map(Value::Array));
    out
}

/// One row simpler; of rows of any lengths only, since others stay as long as each other.
fn simpler_rows(rows: &[Value]) -> Vec<Vec<Value>> {
    let len = |row: &Value| match row {
        Value::Array(elements) => Some(elements.len()),
        Value::Scalar(_) | Value::Tuple(_) | Value::Empty(_) | Value::Seq(_) => None,
    };
    if rows.iter().all(|row| len(row) == len(&rows[0])) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for row in simpler(row) {
            let mut rows = rows.to_vec();
            rows[at] = row;
            out.push(rows);
        }
    }
    out
}
