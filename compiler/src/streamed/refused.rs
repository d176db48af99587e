//! What cannot be streamed: the errors that say so.
//!
//! In: the places of what is wrong. Out: diagnostics.
//! Assumes: nothing.

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
