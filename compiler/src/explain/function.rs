//! What a page says of one exported function besides its source.

use super::numbers::Numbers;
use super::page::{self, Page};
use super::represented::represented;
use super::source::Source;
use super::{graph, place, sizes, words};
use crate::contracts::cost::Costs;
use crate::contracts::reasons::{remedy, why};
use crate::contracts::{Facts, kernel_stmts};
use crate::emit::rust::explain;
use crate::fused::ir::{Function, Manifest, Reason};
use crate::fused::liveness::last_uses;
use crate::ids::Var;
use crate::shaped::ir::{Atom, ragged_levels};
use crate::source::SrcSpan;
use crate::typed::ir::SigType;

/// All of it.
pub fn section(
    function: &Function,
    numbers: &Numbers,
    source: &Source,
    page: &Page,
) -> page::Function {
    let own = &page.file;
    let last = last_uses(function);
    let costs = Costs::of(function, &last);
    let split = |text: String| text.split(", ").map(str::to_owned).collect();
    page::Function {
        name: function.export.name.to_string(),
        facts: split(Facts::of(function).to_string()),
        costs: split(costs.to_string()),
        letters: costs.legend(),
        graph: graph::graph(function, numbers, source, &page.kernels),
        kernels: numbers.all.clone(),
        arrays: arrays(function, numbers, source, own),
        values: explain::representations(&function.values),
        checks: checks(function, own),
    }
}

fn checks(function: &Function, own: &str) -> Vec<(page::Place, String)> {
    let checks = explain::left_for_run_time(function).into_iter();
    let mut checks: Vec<_> = checks
        .map(|check| (place(check.src, own), check.unproven()))
        .collect();
    checks.sort();
    checks.dedup();
    checks
}

/// What an array in memory is called.
pub fn name(source: &Source, manifest: &Manifest) -> String {
    match manifest.reason {
        Reason::Result => "the result".to_owned(),
        Reason::Offsets => format!("{}, offsets of rows", name_at(source, manifest.src)),
        _other => name_at(source, manifest.src),
    }
}

/// What the value of a construct is called.
pub fn name_at(source: &Source, src: SrcSpan) -> String {
    let range = source.range(src);
    let named = range.and_then(|range| words::name_of(source, range));
    named.unwrap_or_else(|| format!("array of line {}", src.start().line))
}

/// A row for each group of arrays that one kernel makes alike.
fn arrays(function: &Function, numbers: &Numbers, source: &Source, own: &str) -> Vec<page::Array> {
    let maker = |var: Var| {
        let stmts = kernel_stmts(&function.body).into_iter();
        let mut makers = stmts.filter(|(stmt, _)| stmt.outs.contains(&var));
        makers.next().map(|(_, kernel)| numbers.ids[&kernel.index])
    };
    let groups = function.manifests.chunk_by(|a, b| {
        (a.reason, a.src.start(), maker(a.array)) == (b.reason, b.src.start(), maker(b.array))
    });
    let rows = groups.filter_map(|group| {
        let first = group.first()?;
        let arrays: Vec<Var> = group.iter().map(|it| it.array).collect();
        Some(page::Array {
            name: name(source, first),
            shape: shapes(function, &arrays),
            bytes: sizes::bytes(function, &arrays),
            represented: represented(
                function,
                &name(source, first),
                Some(first.reason),
                first.array,
            ),
            made_by: maker(first.array),
            place: place(first.src, own),
            why: why(first.reason),
            remedy: (first.reason != Reason::Result).then(|| remedy(first.reason)),
        })
    });
    rows.collect()
}

/// The shapes of several arrays: `2 × (n of f32)`.
pub fn shapes(function: &Function, arrays: &[Var]) -> String {
    let shapes = arrays.iter().map(|array| sizes::shape(function, *array));
    let shapes: Vec<String> = shapes.collect();
    let groups = shapes.chunk_by(|a, b| a == b).map(|group| match group {
        [one] => one.clone(),
        many => format!("{} × ({})", many.len(), many[0]),
    });
    groups.collect::<Vec<_>>().join(", ")
}

/// The arrays of the result that say where its rows begin, up to a part whose elements are products with
/// arrays in them.
pub fn offsets_of_result(function: &Function) -> Vec<Var> {
    let (mut at, mut found) = (0, Vec::new());
    let _ = add_offsets(&function.ret, &mut at, &mut found);
    let offsets = found.into_iter().map(|at| function.body.results[at]);
    let vars = offsets.filter_map(|atom| match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    });
    vars.collect()
}

/// Adds the places of offsets among the results that a type has from `at` on; none if they are not known.
fn add_offsets(ty: &SigType, at: &mut usize, found: &mut Vec<usize>) -> Option<()> {
    match ty {
        SigType::Scalar(_) => *at += 1,
        SigType::Tuple(parts) | SigType::Struct(_, parts) | SigType::Vector(_, parts) => {
            let mut parts = parts.iter();
            parts.try_for_each(|part| add_offsets(part, at, found))?;
        }
        SigType::Array { elem, .. } => {
            let levels = ragged_levels(elem);
            found.extend(*at..*at + levels);
            *at += levels + 1;
            is_plain(elem).then_some(())?;
        }
    }
    Some(())
}

/// Whether the innermost elements of an array hold no arrays.
fn is_plain(elem: &SigType) -> bool {
    match elem {
        SigType::Array { elem, .. } => is_plain(elem),
        SigType::Scalar(_) | SigType::Vector(..) => true,
        SigType::Tuple(parts) | SigType::Struct(_, parts) => {
            let mut parts = parts.iter();
            parts.all(|part| !matches!(part, SigType::Array { .. }) && is_plain(part))
        }
    }
}
