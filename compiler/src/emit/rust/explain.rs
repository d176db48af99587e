//! What the compiler did, in words.
//!
//! In: a fused function. Out: `EXPLAIN` (first line stable: `name: kernels 1, intermediates 0,
//! regular, work O(n), depth O(1), space O(1)`, then a line per letter in it that is no size, per
//! kernel, per array in memory, per representation and per check), and a sentence for rustdoc.

use crate::checks::Check;
use crate::contracts::cost::Costs;
use crate::contracts::reasons::why;
use crate::contracts::{Facts, kernels, passes, together};
use crate::emit::rust::free::visit_stmts;
use crate::explain::function::offsets_of_result;
use crate::fused::ir::{Body, Function, Kernel, Op, Reason, Sink, SortOf};
use crate::fused::liveness::LastUses;
use crate::fused::sweeps;
use crate::hash::HashSet;
use crate::ids::{CheckId, Var};
use crate::prims::Sorted;
use crate::source::SrcSpan;
use crate::values::{Named, Repr};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The arrays that say where rows begin.
fn offsets(function: &Function) -> HashSet<Var> {
    let mut found = HashSet::from_iter(offsets_of_result(function));
    visit_stmts(&function.body, &mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op
            && let Sink::Rows { offsets } = &kernel.sink
        {
            found.extend(offsets);
        }
    });
    found
}

/// The text of `EXPLAIN`; `last` are the function's last uses of arrays, `in_place` the parameters of
/// which views are read where they lie.
pub fn text(function: &Function, last: &LastUses, in_place: &[&str]) -> String {
    let costs = Costs::of(function, last);
    let own = function.src.file();
    let mut text = format!(
        "{}: {}, {costs}\n",
        function.export.name,
        Facts::of(function)
    );
    for line in costs.legend() {
        let _ = writeln!(text, "  {line}");
    }
    let trips = trips(&function.body);
    for (at, pass) in passes(function).iter().enumerate() {
        let how = match pass.as_slice() {
            [kernel] if trips.contains(&kernel.index) => ", tiled in time",
            pass => together(pass),
        };
        let _ = writeln!(
            text,
            "  kernel {}: {}{how}, from {}",
            at + 1,
            verbs(pass),
            lines(pass, &own)
        );
    }
    for (of, count) in in_memory(function, &own) {
        let _ = match count {
            1 => writeln!(text, "  in memory: the array {of}"),
            several => writeln!(text, "  in memory: each of {several} arrays {of}"),
        };
    }
    if !in_place.is_empty() {
        let names: Vec<String> = in_place.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "  views in place: {}", names.join(", "));
    }
    for (word, names) in representations(&function.values) {
        let _ = writeln!(text, "  {word}: {}", names.join(", "));
    }
    text + &checks(function, &own)
}

/// Which arrays are in memory, and why; how many there are of which that is the same.
fn in_memory(function: &Function, own: &str) -> Vec<(String, usize)> {
    let offsets = offsets(function);
    let mut all: Vec<(String, usize)> = Vec::new();
    for manifest in &function.manifests {
        let line = manifest.src.start().line;
        let file = of_file(&manifest.src.file(), own);
        let is_told = manifest.reason == Reason::Offsets;
        let part = match offsets.contains(&manifest.array) && !is_told {
            true => " (offsets)",
            false => "",
        };
        let of = format!("of line {line}{file}{part}: {}", why(manifest.reason));
        match all.iter_mut().find(|(other, _)| *other == of) {
            Some((_, count)) => *count += 1,
            None => all.push((of, 1)),
        }
    }
    all
}

/// Representations, and `replicated`, each with the values that are it.
pub fn representations(values: &[Named]) -> Vec<(&'static str, Vec<String>)> {
    let lines = [
        ("avoided", Repr::Avoided),
        ("regular", Repr::Regular),
        ("irregular", Repr::Irregular),
    ];
    let lines =
        lines.map(|(word, repr)| (word, values.iter().filter(|it| it.repr == repr).collect()));
    let replicated = (
        "replicated",
        values.iter().filter(|it| it.replicated).collect(),
    );
    let lines = lines.into_iter().chain([replicated]);
    let lines = lines.filter(|(_, them): &(_, Vec<&Named>)| !them.is_empty());
    lines
        .map(|(word, them)| {
            let mut names: Vec<String> = Vec::new();
            for name in them.iter().map(|it| called(it, values)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            (word, names)
        })
        .collect()
}

/// Its name, with the line of its declaration where others have that too.
fn called(value: &Named, all: &[Named]) -> String {
    let line = value.src.start().line;
    match (value.name.is_empty(), value.name.strip_prefix('.')) {
        (true, _) => "the result".to_owned(),
        (false, Some(part)) => format!("part {part} of the result"),
        (false, None) => {
            let mut others = all.iter().filter(|it| it.name == value.name);
            match others.any(|it| it.src.start().line != line) {
                true => format!("`{}` of line {line}", value.name),
                false => format!("`{}`", value.name),
            }
        }
    }
}

/// A line per check that is left for run time.
fn checks(function: &Function, own: &str) -> String {
    let mut lines = Vec::new();
    for check in left_for_run_time(function) {
        let line = check.src.start().line;
        let file = of_file(&check.src.file(), own);
        let text = format!("  checked in line {line}{file}: {}\n", check.unproven());
        if !lines.contains(&(line, text.clone())) {
            lines.push((line, text));
        }
    }
    lines.sort_by_key(|(line, _)| *line);
    lines.into_iter().map(|(_, text)| text).collect()
}

/// The checks that nobody could prove.
pub fn left_for_run_time(function: &Function) -> Vec<&Check> {
    let mut ids = BTreeSet::new();
    check_ids(&function.body, &mut ids);
    let ids = ids.iter();
    ids.map(|id| &function.checks[id.index()]).collect()
}

fn check_ids(body: &Body, ids: &mut BTreeSet<CheckId>) {
    visit_stmts(body, &mut |stmt| match &stmt.op {
        Op::Check { id, .. } => {
            ids.insert(*id);
        }
        Op::Kernel(kernel) => {
            check_ids(&kernel.body, ids);
            match &kernel.sink {
                Sink::Scatter { id, .. } => {
                    ids.insert(*id);
                }
                Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
                    check_ids(&combine.body, ids);
                }
                Sink::Fold { step, .. } => check_ids(step, ids),
                Sink::Write
                | Sink::Rows { .. }
                | Sink::Pack
                | Sink::Keep
                | Sink::Join
                | Sink::Append { .. }
                | Sink::Sort(_) => {}
            }
        }
        Op::Scalar(..)
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => {}
    });
}

/// One sentence for the function's documentation: the first line.
pub fn rustdoc(explain: &str) -> String {
    let first = explain.lines().next().unwrap_or(explain);
    let facts = first.split_once(": ").map_or(first, |(_, facts)| facts);
    let parts = facts.split_once(", work ");
    let (facts, costs) = parts.expect("the first line ends with costs");
    // In costs `[i]` is no link.
    format!("\n*Compiled to:* {facts}, `work {costs}`.")
}

/// The indices of kernels of which several trips of a loop are done together.
pub fn trips(body: &Body) -> BTreeSet<Var> {
    let mut indices = BTreeSet::new();
    visit_stmts(body, &mut |stmt| {
        if let Op::Loop(it) = &stmt.op
            && it.reach.is_some()
        {
            indices.extend(sweeps::kernel(it).map(|(_, kernel)| kernel.index));
        }
    });
    indices
}

/// What the kernels of a pass do, each thing once.
fn verbs(pass: &[&Kernel]) -> String {
    let mut verbs: Vec<&str> = Vec::new();
    for kernel in pass {
        let verb = verb(kernel);
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    verbs.join(", ")
}

/// What a kernel does.
pub fn verb(kernel: &Kernel) -> &'static str {
    match &kernel.sink {
        Sink::Write | Sink::Pack if kernel.nest => "writes an array, with array operations inside",
        Sink::Write | Sink::Pack => "writes an array",
        Sink::Rows { .. } => "writes the rows of an irregular array",
        Sink::Keep => "keeps some of the values",
        Sink::Join => "joins the rows of an irregular array",
        Sink::Reduce { combine, .. } if combine.neutral.is_some() => "reduces in lanes",
        Sink::Reduce { .. } => "reduces in order",
        Sink::Scan { along: Some(_), .. } => "scans all columns at once",
        Sink::Scan { combine, .. } if combine.neutral.is_some() => "scans in lanes",
        Sink::Scan { .. } => "scans in order",
        Sink::Fold { .. } => "folds left to right",
        Sink::Scatter { .. } => "scatters",
        Sink::Append { .. } => "appends to an array",
        Sink::Sort(SortOf::Keys(Sorted::Values)) => "sorts",
        Sink::Sort(SortOf::Keys(Sorted::Positions)) => "sorts positions",
        Sink::Sort(SortOf::At(Sorted::Values, _)) => "selects",
        Sink::Sort(SortOf::At(Sorted::Positions, _)) => "selects positions",
        Sink::Sort(SortOf::Elements(_)) => "sorts elements by their keys",
    }
}

/// The lines that a pass is made of, with those of kernels inside, the function's own file first.
fn lines(pass: &[&Kernel], own: &str) -> String {
    let mut files: BTreeMap<(bool, String), BTreeSet<u32>> = BTreeMap::new();
    for part in pass.iter().flat_map(|kernel| parts(kernel)) {
        let file = part.file();
        let lines = files.entry((file != own, file)).or_default();
        lines.insert(part.start().line);
    }
    let shown: Vec<String> = files
        .iter()
        .map(|((_, file), lines)| {
            let word = if lines.len() == 1 { "line" } else { "lines" };
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{word} {}{}", lines.join(", "), of_file(file, own))
        })
        .collect();
    shown.join(", ")
}

/// The constructs that a kernel is made of, with those of kernels inside.
pub fn parts(kernel: &Kernel) -> Vec<SrcSpan> {
    let inside = kernels(&kernel.body).into_iter().flat_map(parts);
    kernel.parts.iter().copied().chain(inside).collect()
}

/// What was imported from another file says so.
fn of_file(file: &str, own: &str) -> String {
    if file == own {
        String::new()
    } else {
        format!(" of {file}")
    }
}
