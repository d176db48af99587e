//! What cannot be streamed: the errors that say so.
//!
//! In: the places of what is wrong. Out: diagnostics.
//! Assumes: nothing.

use super::nodes::{Node, Op};
use crate::report::Diagnostic;
use crate::source::SrcSpan;

pub(super) fn never(src: SrcSpan, source: SrcSpan) -> Diagnostic {
    Diagnostic::new(
        src,
        "this would never be done: the sequence has no last item",
    )
    .help(
        "cut it before: `s.take(n)`, `s.take_while(|x| …)`, or `zip` it with a sequence that ends",
    )
    .also(source, "this goes on without end")
}

pub(super) fn unreached(src: SrcSpan, source: SrcSpan) -> Diagnostic {
    Diagnostic::new(
        src,
        "these items would never come: the sequence before them has no last item",
    )
    .help("cut it before: `s.take(n).chain(…)`, `s.take_while(|x| …).chain(…)`")
    .also(source, "this goes on without end")
}

pub(super) fn misplaced(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "a sequence cannot stand here")
        .note("it is consumed by its operators, once, and is no part of other values")
        .help("say what is wanted of it: `s.sum()`, `s.collect()`, `s.fold(init, f)` …")
}

pub(super) fn restarted(src: SrcSpan, name: &str, declared: SrcSpan) -> Diagnostic {
    let title = format!("`{name}` would have to be read again here");
    Diagnostic::new(src, title)
        .note("a sequence is read once, from its first item to its last; this may run any number of times")
        .help(format!(
            "compute what is needed of it before: `let total = {name}.sum();`, or keep it as an array with `{name}.collect()`"
        ))
        .also(declared, format!("`{name}` is a sequence"))
}

/// That the items of a pass are given out one by one, of which something at `src` is known at the end.
pub(super) fn given_out(src: SrcSpan) -> Diagnostic {
    let title = "this needs the end of a sequence that is given out item by item";
    Diagnostic::new(src, title)
        .note("the items are given out as they come, before the last one is known")
        .help("make it another function, or give the items as an array with `collect()`")
}

/// Sequences side by side of which one, made by `uneven`, has no item for each of those that it is made of: so
/// are the others, or what is read side by side with both.
pub(super) fn uneven(src: SrcSpan, uneven: Option<&Node>, are_of_one: bool) -> Diagnostic {
    if let Some(scan) = uneven.filter(|node| matches!(node.op, Op::Scan { .. })) {
        return late(src, scan);
    }
    let error = Diagnostic::new(src, "items would pile up in this `zip`").note(match are_of_one {
        true => {
            "its sides are made of one sequence, which is read once: while the one that leaves items out has \
             none, those of the other would be kept, any number of them"
        }
        false => {
            "what its sides are made of is read side by side elsewhere, too, each once: while the one that leaves \
             items out has none, those of the other would be kept, any number of them"
        }
    });
    let Some(uneven) = uneven else { return error };
    let help = match &uneven.op {
        Op::Filter(_) => {
            "if items belong together before, zip first: `zip(xs, ys).filter(|(x, y)| …)`; \
             or keep what is left as an array, `let some = s.collect();`, and zip `some.stream()`"
        }
        Op::Take(_) => "zip first, then take so many pairs: `zip(xs, ys).take(n)`",
        Op::TakeWhile(_) => "zip first, then take pairs: `zip(xs, ys).take_while(|(x, y)| …)`",
        Op::Skip(_) => {
            "neighbours are `xs.windows(2)`; \
             or keep what is left as an array, `let rest = s.collect();`, and zip `rest.stream()`"
        }
        Op::Chunks { .. } => {
            "zip first, then cut the pairs: `zip(xs, ys).chunks(k)`; \
             or keep the pieces as an array, `let all = s.collect();`, and zip `all.stream()`"
        }
        _operator => "keep it as an array, `let all = s.collect();`, and zip `all.stream()`",
    };
    error.help(help).also(
        uneven.src,
        "this has no item for each of those that it is made of",
    )
}

/// Sequences side by side of which one, made by `uneven`, gives its items at a rate of its own, and so does
/// `other`, which is made of the same ones and given to another `zip`.
pub(super) fn two_zips(src: SrcSpan, uneven: &Node, other: &Node) -> Diagnostic {
    Diagnostic::new(src, "items would pile up in this `zip`")
        .note(
            "another `zip` has something else that is made of the same sequence, which is read once: while one of \
             them asks for items, those of the other would be kept, any number of them",
        )
        .help("keep what one of them has as an array, `let some = s.collect();`, and zip `some.stream()`")
        .also(uneven.src, "this gives its items at a rate of its own")
        .also(other.src, "so does this, which the other `zip` has")
}

/// Sequences side by side of which one is made by `scan`, by blocks.
fn late(src: SrcSpan, scan: &Node) -> Diagnostic {
    let what = "`zip` with a scan, by blocks, of what its other side is made of, too";
    Diagnostic::unsupported(src, what)
        .note(
            "what it rounds depends on blocks of items, whose prefixes come when the block is there: \
             items of the other would pile up meanwhile",
        )
        .help(
            "of two sequences, zip first, `let both = zip(xs, ys);`, and zip what is made of `both`; \
             or keep the prefixes as an array, `let all = s.collect();`, and zip `all.stream()`",
        )
        .also(scan.src, "this gives its items later than it has those that it is made of")
}

pub(super) fn too_many(most: usize, src: SrcSpan) -> Diagnostic {
    let what = format!("reading more than {most} sequences side by side");
    Diagnostic::unsupported(src, what).help("keep some as arrays with `collect()`")
}

pub(super) fn elsewhere(src: SrcSpan, which: Option<SrcSpan>) -> Diagnostic {
    let why = "it is read once, from its first item to its last, and has one place among others in a pass: \
               beside one, before it, or behind it";
    twice(src, why, which)
}

pub(super) fn read_again(src: SrcSpan, which: Option<SrcSpan>) -> Diagnostic {
    let why =
        "it is read once, from its first item to its last, and is among these at several places";
    twice(src, why, which)
}

/// That a sequence, made at `which`, is used at `src` at another place of a pass.
fn twice(src: SrcSpan, why: &'static str, which: Option<SrcSpan>) -> Diagnostic {
    let error = Diagnostic::new(src, "a sequence would have to be read twice here")
        .note(why)
        .help("keep it as an array with `let xs = s.collect();`, then `xs.stream()`");
    match which {
        Some(which) => error.also(which, "this is the sequence"),
        None => error,
    }
}
