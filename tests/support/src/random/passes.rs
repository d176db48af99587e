//! Passes over sequences: what items come from, and what is made of them.

use super::arrays::{bound, recognised};
use super::dense::element_closure;
use super::scalars::{BOOL, USIZE, expr};
use super::sequences::{Gives, Streaming, assigned, item};
use super::sinks::sink;
use super::state::State;
use super::tree::{Node, Part, Ty};
use crate::parts;
use ragged_compiler::prims::Scalar;

/// An expression that gives a sequence. Its pieces have the role of arrays of the items, so that what
/// it is made of may stand for it.
#[derive(Clone)]
pub struct Seq {
    pub node: Node,
    pub item: Ty,
    /// Whether it has an item for each of the source.
    whole: bool,
    /// Whether it has items.
    pub filled: bool,
}

impl Seq {
    /// That of a name, with all items.
    pub fn named(name: &str, item: &Ty) -> Seq {
        Seq {
            node: Node::expr(&Ty::array(item), parts![name]),
            item: item.clone(),
            whole: true,
            filled: false,
        }
    }

    /// What has an item for each of this.
    fn each(self, item: &Ty, parts: Vec<Part>) -> Seq {
        Seq {
            node: Node::expr(&Ty::array(item), parts),
            item: item.clone(),
            ..self
        }
    }
}

/// What has an item for each of a source, or for some.
fn new(item: &Ty, parts: Vec<Part>, whole: bool) -> Seq {
    Seq {
        node: Node::expr(&Ty::array(item), parts),
        item: item.clone(),
        whole,
        filled: false,
    }
}

/// Where the items of a pass come from: all of these sequences, or numbers, or an array. First all of them
/// together, then perhaps some alone.
pub fn source(
    s: &mut State,
    unread: Vec<(String, Ty)>,
    along: Option<&(String, Ty, String)>,
    stmts: &mut Vec<Part>,
) -> Vec<Seq> {
    s.chains = true;
    let (mut sources, mut alone) = (Vec::new(), Vec::new());
    let mut is_alone = Vec::new();
    for (name, item) in unread {
        let first = Seq::named(&name, &item);
        is_alone.push(s.rng.chance(1, 4));
        if is_alone.last() == Some(&true) {
            alone.push(first.clone());
        }
        sources.push(kept(s, first));
    }
    if let Some((array, elem, number)) = along {
        s.streamed.extend(["stream", "produce"]);
        let elements = new(elem, parts![array.as_str(), ".stream()"], true);
        let made = made_of_numbers(s, parts![number.as_str()]);
        sources.push(kept(s, elements));
        sources.push(made);
    }
    if sources.is_empty() {
        sources.push(made(s));
    }
    is_alone.resize(sources.len(), false);
    let seq = match sources.len() {
        1 => {
            alone.clear();
            sources.remove(0)
        }
        _ => {
            let mut all_alone = alone.iter_mut();
            for (at, source) in sources.iter_mut().enumerate() {
                let alone = is_alone[at].then(|| all_alone.next()).flatten();
                if s.rng.chance(1, 3) {
                    *source = at_its_own_rate(s, source.clone());
                    // It goes on at its own rate, too: nothing else may be beside it.
                    alone.into_iter().for_each(|it| it.whole = false);
                }
            }
            // Beside others it has an item for each of what it is made of then.
            let whole = true;
            Seq {
                whole,
                ..zipped(s, &sources)
            }
        }
    };
    // What comes behind one alone cannot be beside the others.
    s.chains = alone.is_empty();
    [vec![bind(s, seq, stmts)], alone].concat()
}

/// What has not an item for each of `seq`, as a pass of its own may give it beside others.
fn at_its_own_rate(s: &mut State, seq: Seq) -> Seq {
    match s.rng.below(6) {
        0 => some(s, seq, "take"),
        1 => some(s, seq, "skip"),
        2 => first(s, seq),
        3 => flat_mapped(s, seq),
        4 => scanned(s, seq),
        _ => filtered(s, seq),
    }
}

/// A sequence that no parameter is.
fn made(s: &mut State) -> Seq {
    let arrays = s.arrays();
    if !arrays.is_empty() && s.rng.chance(2, 5) {
        let array = s.rng.pick(&arrays).clone();
        let elem = array.ty.element().expect("it is an array");
        s.streamed.push("stream");
        return new(&elem, parts![format!("{}.stream()", array.name)], true);
    }
    s.streamed.push("produce");
    s.budget = 3;
    let most = *s.rng.pick(&[4, 20, 200]);
    let filled = s.rng.chance(3, 4);
    let least = usize::from(filled);
    let start = format!("({least}usize + ");
    let count = parts![start, expr(s, &USIZE), format!(" % {most}usize)")];
    Seq {
        filled,
        ..made_of_numbers(s, count)
    }
}

fn made_of_numbers(s: &mut State, count: Vec<Part>) -> Seq {
    let item = item(s);
    produced(s, item, count)
}

fn produced(s: &mut State, item: Ty, count: Vec<Part>) -> Seq {
    s.budget = 5;
    let f = element_closure(s, &[&USIZE], &item);
    let mut parts = parts!["produce("];
    parts.extend(count);
    parts.extend(parts![", ", f, ")"]);
    new(&item, parts, true)
}

fn zipped(s: &mut State, sources: &[Seq]) -> Seq {
    s.streamed.push("zip");
    let mut parts = parts!["zip("];
    for source in sources {
        parts.extend(parts![source.node.clone(), ", "]);
    }
    parts.extend(parts![")"]);
    let items = sources.iter().map(|it| it.item.clone()).collect();
    let whole = sources.iter().all(|it| it.whole);
    let filled = sources.iter().all(|it| it.filled);
    Seq {
        filled,
        ..new(&Ty::Tuple(items), parts, whole)
    }
}

fn bind(s: &mut State, seq: Seq, stmts: &mut Vec<Part>) -> Seq {
    let name = s.name();
    stmts.extend(parts![format!("let {name} = "), seq.node, ";\n    "]);
    Seq {
        node: Node::expr(&Ty::array(&seq.item), parts![name]),
        ..seq
    }
}

/// A pass whose sequences all end in values: these come into scope behind it.
pub fn pass(
    s: &mut State,
    mut seqs: Vec<Seq>,
    stmts: &mut Vec<Part>,
    left: &mut Vec<(String, Ty)>,
) {
    for _ in 0..s.rng.below(3) {
        let from = s.rng.pick(&seqs).clone();
        let next = match s.rng.chance(1, 4) {
            true => paired(s, from, &seqs),
            false => chain(s, from, 2),
        };
        let next = bind(s, next, stmts);
        seqs.push(next);
        assigned(s, stmts);
    }
    // Each is read, so that what fails in it does.
    let mut results = Vec::new();
    for seq in seqs.iter().skip(1).chain(&seqs[..1]).cloned() {
        let (ty, value) = sink(s, seq);
        let name = s.name();
        stmts.extend(parts![format!("let {name} = "), value, ";\n    "]);
        assigned(s, stmts);
        results.push((name, ty));
    }
    for (name, ty) in results {
        s.bind(&name, &ty, None, false);
        left.push((name, ty));
    }
}

/// A pass whose items are given out: one sequence, perhaps of two that were zipped.
pub fn branched(s: &mut State, source: Seq, stmts: &mut Vec<Part>) -> Seq {
    let seq = chain(s, source, 2);
    if !s.rng.chance(1, 3) {
        return chain(s, seq, 1);
    }
    let seq = bind(s, seq, stmts);
    let seq = paired(s, seq.clone(), &[seq]);
    chain(s, seq, 1)
}

/// `from` together with another sequence of the pass.
fn paired(s: &mut State, from: Seq, seqs: &[Seq]) -> Seq {
    let others: Vec<Seq> = seqs.iter().filter(|it| it.whole).cloned().collect();
    if !from.whole && s.rng.chance(2, 3) {
        // Nothing else is zipped with it, so it may wait for the prefixes.
        let sides = [scanned(s, from.clone()), from];
        return zipped(s, &sides);
    }
    if !from.whole || others.is_empty() {
        return chain(s, from, 1);
    }
    let other = s.rng.pick(&others).clone();
    let sides = [kept(s, from), kept(s, other)];
    zipped(s, &sides)
}

/// Up to so many operators of `seq`.
pub fn chain(s: &mut State, seq: Seq, most: usize) -> Seq {
    let mut seq = seq;
    for _ in 0..1 + s.rng.below(most) {
        seq = operation(s, seq);
    }
    seq
}

/// Perhaps an operator that gives an item for each.
fn kept(s: &mut State, seq: Seq) -> Seq {
    match s.rng.below(5) {
        0 => map(s, seq),
        1 => enumerated(s, seq),
        2 if is_exact(&seq.item) => scanned(s, seq),
        _ => seq,
    }
}

fn operation(s: &mut State, seq: Seq) -> Seq {
    // Few sequences have scalars, and few functions may have arrays of any lengths.
    if s.ragged && is_scalars(&seq.item) && s.rng.chance(1, 4) {
        return pieces(s, seq);
    }
    match s.rng.below(19) {
        0..=3 => map(s, seq),
        4 => enumerated(s, seq),
        5 | 6 => filtered(s, seq),
        7 => flat_mapped(s, seq),
        8 => some(s, seq, "take"),
        15 => first(s, seq),
        16..=18 if s.chains && !seq.item.holds_arrays() => chained(s, seq),
        9 => some(s, seq, "skip"),
        10 | 11 => scanned(s, seq),
        12..=14 => called(s, seq),
        _ => filtered(s, seq),
    }
}

fn map(s: &mut State, seq: Seq) -> Seq {
    let to = item(s);
    mapped(s, seq, &to)
}

fn mapped(s: &mut State, seq: Seq, to: &Ty) -> Seq {
    s.budget = 4 + s.rng.below(6) as i32;
    let parts = match s.rng.chance(1, 3) {
        true => {
            s.streamed.push("for");
            let (param, body) = s.element_body(to, |s| (bound(s, &seq.item), expr(s, to)));
            parts!["(for ", param, " in ", seq.node.clone(), " { ", body, " })"]
        }
        false => {
            s.streamed.push("map");
            let f = element_closure(s, &[&seq.item], to);
            parts![seq.node.clone(), ".map(", f, ")"]
        }
    };
    seq.each(to, parts)
}

fn enumerated(s: &mut State, seq: Seq) -> Seq {
    s.streamed.push("enumerate");
    let pair = Ty::Tuple(vec![USIZE, seq.item.clone()]);
    let parts = parts![seq.node.clone(), ".enumerate()"];
    seq.each(&pair, parts)
}

fn filtered(s: &mut State, seq: Seq) -> Seq {
    s.streamed.push("filter");
    s.budget = 5;
    let f = element_closure(s, &[&seq.item], &BOOL);
    new(&seq.item, parts![seq.node, ".filter(", f, ")"], false)
}

fn flat_mapped(s: &mut State, seq: Seq) -> Seq {
    // Arrays in bodies are made where these may hold operations.
    if !s.nests() {
        return filtered(s, seq);
    }
    s.streamed.push("flat_map");
    let to = s.element();
    s.budget = 6;
    let f = element_closure(s, &[&seq.item], &Ty::array(&to));
    new(&to, parts![seq.node, ".flat_map(", f, ")"], false)
}

fn some(s: &mut State, seq: Seq, name: &'static str) -> Seq {
    s.streamed.push(name);
    s.budget = 2;
    let parts = match s.rng.chance(1, 2) {
        true => {
            let count = *s.rng.pick(&[0, 1, 2, 3, 5, 64, 100]);
            parts![seq.node, format!(".{name}({count}usize)")]
        }
        false => {
            let count = expr(s, &USIZE);
            parts![seq.node, format!(".{name}("), count, " % 70usize)"]
        }
    };
    new(&seq.item, parts, false)
}

/// As long as something holds.
fn first(s: &mut State, seq: Seq) -> Seq {
    s.streamed.push("take_while");
    s.budget = 4;
    let f = element_closure(s, &[&seq.item], &BOOL);
    new(&seq.item, parts![seq.node, ".take_while(", f, ")"], false)
}

/// Runs of items.
fn pieces(s: &mut State, seq: Seq) -> Seq {
    let name = *s.rng.pick(&["chunks", "chunks_exact", "windows"]);
    s.streamed.push(name);
    let len = *s.rng.pick(&[1, 2, 3, 7, 20]);
    let to = Ty::array(&seq.item);
    new(&to, parts![seq.node, format!(".{name}({len}usize)")], false)
}

/// Another one behind it; once in a pass, since what is read one after another is so for all.
fn chained(s: &mut State, seq: Seq) -> Seq {
    s.streamed.push("chain");
    s.chains = false;
    s.budget = 2;
    let count = parts!["(", expr(s, &USIZE), " % 90usize)"];
    let other = produced(s, seq.item.clone(), count);
    let parts = parts![seq.node.clone(), ".chain(", other.node, ")"];
    Seq {
        filled: seq.filled,
        ..new(&seq.item, parts, false)
    }
}

fn is_scalars(item: &Ty) -> bool {
    matches!(item, Ty::Scalar(_))
}

fn scanned(s: &mut State, seq: Seq) -> Seq {
    let is_exact = is_exact(&seq.item);
    let is_float = matches!(&seq.item, Ty::Scalar(scalar) if scalar.is_float());
    if !is_exact && !is_float {
        return map(s, seq);
    }
    s.budget = 3;
    let f = format!("|a, b| {}", recognised(s, &seq.item, "a", "b"));
    let parts = match s.rng.chance(1, 2) {
        true => {
            s.streamed.push("scan");
            parts![seq.node.clone(), format!(".scan({f})")]
        }
        false => {
            s.streamed.push("prescan");
            let init = expr(s, &seq.item);
            parts![seq.node.clone(), ".prescan(", init, format!(", {f})")]
        }
    };
    let item = seq.item.clone();
    // Prefixes of floats come when their block is there.
    let whole = seq.whole && is_exact;
    Seq {
        whole,
        ..seq.each(&item, parts)
    }
}

/// Whether all operators on it are exact, and none may fail.
pub fn is_exact(item: &Ty) -> bool {
    match item {
        Ty::Scalar(scalar) => !scalar.is_float() && *scalar != Scalar::Usize,
        Ty::Tuple(parts) => parts.iter().all(is_exact),
        Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => false,
    }
}

/// Calls a function over sequences that gives another.
fn called(s: &mut State, seq: Seq) -> Seq {
    let gives = |it: &&Streaming| {
        matches!(it.gives, Gives::Items(_)) && (s.ragged || !it.item.holds_arrays())
    };
    let functions: Vec<Streaming> = s.streaming.iter().filter(gives).cloned().collect();
    if functions.is_empty() {
        return map(s, seq);
    }
    let function = s.rng.pick(&functions).clone();
    let seq = match function.item == seq.item {
        true => seq,
        false => mapped(s, seq, &function.item),
    };
    let Gives::Items(to) = &function.gives else {
        unreachable!("they give sequences")
    };
    let call = call(s, &function, seq.node);
    new(to, call, false)
}

/// A call of a function over sequences.
pub fn call(s: &mut State, function: &Streaming, seq: Node) -> Vec<Part> {
    s.streamed.push("call");
    let mut parts = parts![function.name.as_str(), "(", seq, ", "];
    for ty in &function.others {
        s.budget = 3;
        parts.extend(parts![expr(s, ty), ", "]);
    }
    parts.extend(parts![")"]);
    parts
}
