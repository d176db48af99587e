//! What is computed from what: arguments, kernels, the arrays between them, results.
//!
//! In: a fused function. Out: a [`Graph`], in which loops, conditionals and kernels that hold other
//! kernels are boxes with graphs inside.

use super::function;
use super::level::Level;
use super::numbers::Numbers;
use super::page::{Graph, Kernel, Kind, Node};
use super::represented::represented;
use super::sizes;
use super::source::Source;
use crate::fused::ir::{Function, Reason};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::{Atom, Param};
use std::collections::BTreeSet;

/// What is the same at all levels of a function.
pub struct Context<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its tokens.
    pub source: &'a Source,
    /// Which kernel is which.
    pub numbers: &'a Numbers,
    /// All kernels so far.
    pub kernels: &'a [Kernel],
    /// What arrays are called.
    pub names: HashMap<Var, String>,
    /// Why arrays are in memory.
    pub reasons: HashMap<Var, Reason>,
}

/// The graph of a function.
pub fn graph(function: &Function, numbers: &Numbers, source: &Source, kernels: &[Kernel]) -> Graph {
    let manifests = function.manifests.iter();
    let context = Context {
        function,
        source,
        numbers,
        kernels,
        names: names(function, source),
        reasons: manifests.map(|it| (it.array, it.reason)).collect(),
    };
    let mut level = Level::new(&context);
    for param in &function.params {
        let node = level.node(of_param(param, function, source));
        for var in &param.vars {
            level.origins.insert(*var, BTreeSet::from([node]));
        }
    }
    level.body(&function.body);
    results(&mut level, function, source);
    level.without_idle()
}

fn names(function: &Function, source: &Source) -> HashMap<Var, String> {
    let mut names = HashMap::default();
    for param in &function.params {
        for var in &param.vars {
            names.insert(*var, param.name.clone());
        }
    }
    for manifest in &function.manifests {
        names.insert(manifest.array, function::name(source, manifest));
    }
    for array in function::offsets_of_result(function) {
        names.insert(array, "the result, offsets of rows".to_owned());
    }
    names
}

fn of_param(param: &Param, function: &Function, source: &Source) -> Node {
    let range = source.range(param.src);
    let written = range.map(|(first, last)| source.text(first..last + 1));
    let ty = written.and_then(|text| text.split_once(": ").map(|(_, ty)| ty.to_owned()));
    let ty = ty.unwrap_or_else(|| function::shapes(function, &param.vars));
    let arrays = param.vars.iter().copied();
    let arrays: Vec<Var> = arrays
        .filter(|var| function.vars[var.index()].is_array())
        .collect();
    let mut lines = vec![ty];
    if let Some(first) = arrays.first() {
        let bytes = sizes::bytes(function, &arrays);
        let represented = represented(function, &param.name, None, *first);
        lines.push(format!("{bytes} · {represented}"));
    }
    Node {
        kind: Kind::Param,
        title: param.name.clone(),
        about: format!("argument {}: {}", param.name, lines.join(", ")),
        lines,
        inside: Graph::default(),
    }
}

/// Results that no kernel writes as such: numbers, and what loops and conditionals yield.
fn results(level: &mut Level<'_, '_>, function: &Function, source: &Source) {
    let is_written = |var: &Var| {
        let reason = level.context.reasons.get(var);
        reason == Some(&Reason::Result)
    };
    let atoms = function.body.results.iter();
    let vars = atoms.filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    });
    let others: Vec<Var> = vars.filter(|var| !is_written(var)).collect();
    let mut groups: Vec<(BTreeSet<usize>, Vec<Var>)> = Vec::new();
    for var in others {
        let origins = level.origins_of(var);
        match groups.iter_mut().find(|(from, _)| *from == origins) {
            Some((_, vars)) => vars.push(var),
            None => groups.push((origins, vec![var])),
        }
    }
    let (title, ret) = (
        format!("{} =", function.export.name),
        result_type(function, source),
    );
    let is_all = groups.len() == 1
        && function
            .manifests
            .iter()
            .all(|it| it.reason != Reason::Result);
    for (origins, vars) in groups {
        let shape = function::shapes(function, &vars);
        let line = ret.clone().filter(|_| is_all).unwrap_or(shape);
        let node = level.node(Node {
            kind: Kind::Result,
            title: "the result".to_owned(),
            about: format!("{title} {line}"),
            lines: vec![line],
            inside: Graph::default(),
        });
        let array = vars.iter().any(|var| function.vars[var.index()].is_array());
        for from in origins {
            level.edge(from, node, array);
        }
    }
}

/// What stands behind `->`.
fn result_type(function: &Function, source: &Source) -> Option<String> {
    let (first, last) = source.range(function.src)?;
    let text = source.text(first..last + 1);
    let (_, ty) = text.rsplit_once("-> ")?;
    Some(ty.trim().to_owned())
}
