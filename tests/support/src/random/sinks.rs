//! What is left of a sequence: expressions that are values.

use super::Hazard;
use super::arrays::{bound, recognised};
use super::dense::element_closure;
use super::passes::{Seq, call};
use super::scalars::{BOOL, USIZE, expr};
use super::sequences::{Gives, Streaming};
use super::state::State;
use super::tree::{Node, Part, Ty};
use crate::parts;
use ragged_compiler::prims::Scalar;

/// A value that is made of all items.
pub fn sink(s: &mut State, seq: Seq) -> (Ty, Node) {
    s.budget = 3 + s.rng.below(4) as i32;
    let number = matches!(&seq.item, Ty::Scalar(scalar) if *scalar != Scalar::Bool);
    let (ty, parts) = match s.rng.below(16) {
        _ if number && s.rng.chance(if seq.filled { 5 } else { 1 }, 6) => least(s, seq),
        // Few sequences are known to have items.
        _ if seq.filled && s.rng.chance(1, 3) => last(s, seq),
        0..=2 => folded(s, seq),
        3 => quantified(s, seq),
        4 => (USIZE, counted(s, seq)),
        5 | 6 => last(s, seq),
        7 | 8 => kept(s, seq),
        9 => called(s, seq),
        _ => of_type(s, seq),
    };
    let node = Node::expr(&ty, parts);
    (ty, node)
}

/// By an operator that items of the type have.
fn of_type(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    match &seq.item {
        Ty::Scalar(Scalar::Bool) if s.rng.chance(1, 2) => {
            let name = *s.rng.pick(&["any", "all", "count"]);
            s.streamed.push(name);
            let ty = if name == "count" { USIZE } else { BOOL };
            (ty, parts![seq.node, format!(".{name}()")])
        }
        Ty::Scalar(scalar) if *scalar != Scalar::Bool && s.rng.chance(2, 3) => number(s, seq),
        item if is_plain(item) => reduced(s, seq),
        Ty::Scalar(_) | Ty::Tuple(_) => folded(s, seq),
        Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => kept(s, seq),
    }
}

fn number(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    let item = seq.item.clone();
    let sums = !matches!(item, Ty::Scalar(Scalar::Usize));
    if sums && s.rng.chance(3, 4) {
        let name = *s.rng.pick(&["sum", "product"]);
        s.streamed.push(name);
        return (item, parts![seq.node, format!(".{name}()")]);
    }
    least(s, seq)
}

fn least(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    let item = seq.item.clone();
    let names = [("min", "min_or"), ("max", "max_or")];
    let (bare, with_other) = *s.rng.pick(&names);
    let made = or(s, seq, bare, with_other);
    (item, made)
}

/// With a value for a sequence without items, or the form that fails.
fn or(s: &mut State, seq: Seq, bare: &'static str, with_other: &'static str) -> Vec<Part> {
    if seq.filled && s.rng.chance(4, 5) || s.risk(Hazard::Empty) {
        s.streamed.push(bare);
        return parts![seq.node, format!(".{bare}()")];
    }
    s.streamed.push(with_other);
    let other = expr(s, &seq.item);
    parts![seq.node, format!(".{with_other}("), other, ")"]
}

fn last(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    // What stands for an item has its sizes.
    if matches!(seq.item, Ty::Dense(..)) || seq.item.levels().1.holds_arrays() {
        return kept(s, seq);
    }
    let item = seq.item.clone();
    let made = or(s, seq, "last", "last_or");
    (item, made)
}

fn reduced(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    s.streamed.push("reduce");
    let item = seq.item.clone();
    let init = expr(s, &item);
    let f = format!("|a, b| {}", recognised(s, &item, "a", "b"));
    let made = parts![seq.node, ".reduce(", init, format!(", {f})")];
    (item, made)
}

/// Scalars whose sums do not fail, and tuples of these.
fn is_plain(item: &Ty) -> bool {
    match item {
        Ty::Scalar(scalar) => *scalar != Scalar::Usize,
        Ty::Tuple(parts) => parts.iter().all(is_plain),
        Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => false,
    }
}

fn folded(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    s.streamed.push("fold");
    let ty = match !s.dims.is_empty() && s.rng.chance(1, 3) {
        true => s.dense_type(2),
        false => s.element(),
    };
    let init = expr(s, &ty);
    let f = s.element_body(&ty, |s| {
        let params = [bound(s, &ty), bound(s, &seq.item)];
        Node::fixed(parts![format!("|{}| ", params.join(", ")), expr(s, &ty)])
    });
    let made = parts![seq.node, ".fold(", init, ", ", f, ")"];
    (ty, made)
}

fn quantified(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    let name = *s.rng.pick(&["any", "all"]);
    s.streamed.push(name);
    let f = element_closure(s, &[&seq.item], &BOOL);
    (BOOL, parts![seq.node, format!(".{name}("), f, ")"])
}

fn counted(s: &mut State, seq: Seq) -> Vec<Part> {
    s.streamed.push("count");
    let f = element_closure(s, &[&seq.item], &BOOL);
    parts![seq.node, ".count(", f, ")"]
}

/// All items.
fn kept(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    if let Ty::Array(elem) = &seq.item
        && s.rng.chance(1, 2)
    {
        s.streamed.push("elements");
        return (Ty::array(elem), parts![seq.node, ".elements()"]);
    }
    let whole = !matches!(seq.item, Ty::Array(_)) && !seq.item.levels().1.holds_arrays();
    let name = match whole && s.rng.chance(1, 3) {
        true => "tabulate",
        false => "collect",
    };
    s.streamed.push(name);
    (Ty::array(&seq.item), parts![seq.node, format!(".{name}()")])
}

/// Calls a function over sequences that gives a value.
fn called(s: &mut State, seq: Seq) -> (Ty, Vec<Part>) {
    let gives = |it: &&Streaming| it.item == seq.item && matches!(it.gives, Gives::Value(_));
    let functions: Vec<Streaming> = s.streaming.iter().filter(gives).cloned().collect();
    if functions.is_empty() {
        return folded(s, seq);
    }
    let function = s.rng.pick(&functions).clone();
    let Gives::Value(ty) = &function.gives else {
        unreachable!("they give values")
    };
    (ty.clone(), call(s, &function, seq.node))
}
