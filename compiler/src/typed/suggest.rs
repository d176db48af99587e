//! "Did you mean": names that are close to one that does not exist.

use super::foreign;
use super::scope::{Session, place};
use crate::prims::{COMPLEX_FNS, SCALAR_FNS, Scalar, records};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::shared;

/// The candidate closest to `name`, if it is close at all.
pub(super) fn closest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let limit = (name.chars().count() + 1) / 3;
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Names of operators and scalar functions.
pub(super) fn operators<'n>() -> impl Iterator<Item = &'n str> {
    let scalar_fns = SCALAR_FNS
        .iter()
        .map(|function| -> &'n str { function.name });
    let prims = records().map(|info| -> &'n str { info.name });
    let complex_fns = COMPLEX_FNS
        .iter()
        .map(|function| -> &'n str { function.name });
    prims.chain(scalar_fns).chain(complex_fns)
}

/// "cannot find …", with the closest candidate.
pub(super) fn unknown<'n>(
    src: SrcSpan,
    what: &str,
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    let error = Diagnostic::new(src, format!("cannot find {what}`{name}`"));
    match closest(name, candidates) {
        Some(candidate) => error.help(format!("did you mean `{candidate}`?")),
        None => error,
    }
}

/// "cannot find type `…`".
pub(super) fn unknown_type<'n>(
    session: &Session<'n>,
    unit: usize,
    name: &ast::Name,
    generics: Vec<&'n str>,
) -> Diagnostic {
    let structs = session.units[unit].structs.iter().map(|(name, _)| *name);
    let scalars = Scalar::ALL.into_iter().map(|s| -> &'n str { s.name() });
    let candidates = generics.into_iter().chain(structs).chain(scalars);
    if shared::is_elsewhere(session, unit, &name.text) {
        return elsewhere(
            session,
            unit,
            unknown(place(name), "type ", &name.text, []),
            name,
        );
    }
    match foreign::type_name(&name.text) {
        Some(help) => unknown(place(name), "type ", &name.text, []).help(help),
        None => unknown(place(name), "type ", &name.text, candidates)
            .or_help("types are scalars, structs of the block, tuples and arrays `[T]`"),
    }
}

/// "cannot find struct `…`".
pub(super) fn unknown_struct(session: &Session<'_>, unit: usize, name: &ast::Name) -> Diagnostic {
    let structs = session.units[unit].structs.iter().map(|(name, _)| *name);
    match shared::is_elsewhere(session, unit, &name.text) {
        true => elsewhere(
            session,
            unit,
            unknown(place(name), "struct ", &name.text, []),
            name,
        ),
        false => unknown(place(name), "struct ", &name.text, structs),
    }
}

/// The error, if another block has what is missing here.
fn elsewhere(
    session: &Session<'_>,
    unit: usize,
    error: Diagnostic,
    name: &ast::Name,
) -> Diagnostic {
    error
        .note("another block declares it")
        .help(shared::how_to_import(session, unit, &name.text))
}

/// An operator of a later version, and what to write in its place.
pub(super) fn planned(src: SrcSpan, name: &str) -> Diagnostic {
    let help = match name {
        "random_f32" | "random_u64" => "make the numbers in Rust, and pass them as an array",
        _of_sorted_arrays_and_sequences => "do this step in Rust, between two calls",
    };
    Diagnostic::unsupported(src, format!("`{name}`")).help(help)
}

// Levenshtein's, with swaps of neighbours as one step.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = last[j] + usize::from(a[i] != b[j]);
            let mut best = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
