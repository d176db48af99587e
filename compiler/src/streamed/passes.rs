//! Which sequences are gone through together, and when.
//!
//! In: a [`Graph`]. Out: passes, each with the sequences and sinks that are computed in one go, and
//! levels: a statement that needs what a pass leaves comes behind it, a pass behind the statements
//! that its functions need. A pass that would need what it leaves itself cannot be streamed.

use super::build::Locals;
use super::nodes::{Graph, Item, Node, Op, Returned, Sink};
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::typed::ir::{Expr, FnValue, Stmt};
use crate::typed::visit::Name;

/// Sequences that are gone through together.
pub(super) struct Together {
    pub(super) nodes: Vec<usize>,
    pub(super) sinks: Vec<usize>,
    /// Of its statements; what needs its sinks is above.
    pub(super) level: usize,
    /// The sequence whose items it gives one by one, if the function does or another pass reads them.
    pub(super) gives: Option<usize>,
    /// Passes whose results are among its sources.
    pub(super) nested: Vec<Together>,
}

impl Together {
    /// This pass, and all that are within it.
    pub(super) fn with_nested(&self) -> Vec<&Together> {
        let within = self.nested.iter().flat_map(Together::with_nested);
        std::iter::once(self).chain(within).collect()
    }
}

/// The passes and the level of each statement in [`Graph::items`] (0 for sinks).
pub(super) struct Plan {
    pub(super) passes: Vec<Together>,
    pub(super) levels: Vec<usize>,
    /// That of the result.
    pub(super) last: usize,
}

/// The locals that an expression reads or assigns, and does not bind itself.
pub(super) fn free(expr: &Expr) -> Vec<LocalId> {
    let mut names = Names::default();
    names.expr(expr);
    names.free()
}

/// The same of statements, one after another.
#[derive(Default)]
pub(super) struct Names {
    used: Vec<LocalId>,
    pub(super) bound: Vec<LocalId>,
}

impl Names {
    pub(super) fn expr(&mut self, expr: &Expr) {
        expr.clone().names(&mut |name| self.name(name));
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pattern, value } => {
                self.expr(value);
                pattern.clone().names(&mut |name| self.name(name));
            }
            Stmt::Expr(expr) => self.expr(expr),
        }
    }

    fn name(&mut self, name: Name<'_>) {
        let (list, local) = match name {
            Name::Read(local) | Name::Assigned(local) => (&mut self.used, *local),
            Name::Bound(local) => (&mut self.bound, *local),
            Name::Loop(_) => return,
        };
        if !list.contains(&local) {
            list.push(local);
        }
    }

    pub(super) fn free(&self) -> Vec<LocalId> {
        let own = |local: &&LocalId| !self.bound.contains(local);
        self.used.iter().filter(own).copied().collect()
    }
}

/// What the operator of a node needs beside items.
fn needs_of_node(node: &Node) -> Vec<LocalId> {
    match &node.op {
        Op::Param(_) | Op::Nested(_) | Op::Zip | Op::Chain | Op::Enumerate => Vec::new(),
        Op::Elements { array, len } => vec![*array, *len],
        Op::Count { len, function, .. } => [vec![*len], needs_of(function)].concat(),
        Op::Map(function)
        | Op::Filter(function)
        | Op::FlatMap(function)
        | Op::TakeWhile(function) => needs_of(function),
        Op::Take(len) | Op::Skip(len) | Op::Windows(len) | Op::Chunks { len, .. } => vec![*len],
        Op::Scan { init, function, .. } => init.iter().copied().chain(needs_of(function)).collect(),
    }
}

fn needs_of_sink(sink: &Sink) -> Vec<LocalId> {
    let fns = sink.fns.iter().flat_map(needs_of);
    sink.operands.iter().copied().chain(fns).collect()
}

fn needs_of(function: &FnValue) -> Vec<LocalId> {
    let FnValue::Lambda(lambda) = function else {
        return Vec::new();
    };
    let mut names = Names::default();
    names.expr(&lambda.body);
    let params = lambda.params.iter().cloned();
    params.for_each(|mut param| param.names(&mut |name| names.name(name)));
    names.free()
}

/// The plan; errors if there is none.
pub(super) fn plan(graph: &Graph, locals: &Locals, errors: &mut Vec<Diagnostic>) -> Option<Plan> {
    let mut passes = together(graph);
    let mut levels = Vec::new();
    for _ in 0..=passes.len() {
        let of_locals = walk(graph, &passes, locals, &mut levels);
        let mut changed = false;
        for pass in &mut passes {
            let needs = needs(graph, pass);
            let level = needs.iter().map(|it| of_locals[it.index()]).max();
            let level = level.unwrap_or(0);
            changed |= level > pass.level;
            pass.level = pass.level.max(level);
        }
        if !changed {
            let result = match &graph.value {
                Returned::Value(expr) => highest(&free(expr), &of_locals),
                Returned::Seq(_) => 0,
            };
            let below = passes.iter().filter(|pass| pass.gives.is_none());
            let below = below.map(|pass| pass.level + 1).max().unwrap_or(0);
            let last = levels
                .iter()
                .copied()
                .max()
                .unwrap_or(0)
                .max(result)
                .max(below);
            return Some(Plan {
                passes,
                levels,
                last,
            });
        }
    }
    errors.push(needs_its_end(graph, &passes, locals));
    None
}

/// All that the functions of a pass need.
fn needs(graph: &Graph, pass: &Together) -> Vec<LocalId> {
    let all = pass.with_nested();
    let all: Vec<usize> = all.iter().flat_map(|it| it.nodes.clone()).collect();
    let nodes = all
        .iter()
        .flat_map(|node| needs_of_node(&graph.nodes[*node]));
    let sinks = pass.with_nested().into_iter().flat_map(|it| &it.sinks);
    let sinks = sinks.flat_map(|sink| needs_of_sink(&graph.sinks[*sink]));
    let most = graph.most.iter().filter(|it| all.contains(&it.0));
    let most = most.map(|(_, most)| *most);
    nodes.chain(sinks).chain(most).collect()
}

fn highest(locals: &[LocalId], levels: &[usize]) -> usize {
    let levels = locals.iter().map(|it| levels[it.index()]);
    levels.max().unwrap_or(0)
}

/// The levels of locals and statements, given those of passes.
fn walk(
    graph: &Graph,
    passes: &[Together],
    locals: &Locals,
    levels: &mut Vec<usize>,
) -> Vec<usize> {
    let mut of_locals = vec![0; locals.all.len()];
    levels.clear();
    for item in &graph.items {
        match item {
            Item::Sink(sink) => {
                let has = |pass: &&Together| {
                    let mut all = pass.with_nested().into_iter();
                    all.any(|it| it.sinks.contains(sink))
                };
                let pass = passes.iter().find(has);
                let level = pass.map_or(0, |pass| pass.level + 1);
                of_locals[graph.sinks[*sink].local.index()] = level;
                levels.push(0);
            }
            Item::Stmt(stmt) => {
                let mut names = Names::default();
                names.stmt(stmt);
                let level = highest(&names.free(), &of_locals);
                names
                    .bound
                    .iter()
                    .for_each(|it| of_locals[it.index()] = level);
                // What is assigned to, or may be later, is at each place what it is there.
                for local in names.free() {
                    if locals.all[local.index()].mutable {
                        of_locals[local.index()] = level;
                    }
                }
                levels.push(level);
            }
        }
    }
    of_locals
}

/// Of each sequence whether something is made of it in the end: what is not is not computed.
pub(super) fn used(graph: &Graph) -> Vec<bool> {
    let mut used = vec![false; graph.nodes.len()];
    let of_sinks = graph.sinks.iter().map(|sink| sink.node);
    let mut left: Vec<usize> = of_sinks.chain(returned(graph)).collect();
    while let Some(at) = left.pop() {
        let node = &graph.nodes[at];
        if !std::mem::replace(&mut used[at], true) {
            left.extend(&node.inputs);
            left.extend(within(node));
        }
    }
    used
}

/// The sequence that the function gives.
pub(super) fn returned(graph: &Graph) -> Option<usize> {
    match &graph.value {
        Returned::Seq(node) => Some(*node),
        Returned::Value(_) => None,
    }
}

/// What gives the results that a source is.
pub(super) fn within(node: &Node) -> Option<usize> {
    match &node.op {
        Op::Nested(within) => Some(*within),
        _operator => None,
    }
}

/// Sequences that have a source, a zip or a reader in common.
pub(super) fn together(graph: &Graph) -> Vec<Together> {
    let used = used(graph);
    let mut group: Vec<usize> = (0..graph.nodes.len()).collect();
    let nodes = graph.nodes.iter().enumerate();
    for (at, node) in nodes.filter(|(at, _)| used[*at]) {
        for input in &node.inputs {
            let (from, to) = (group[at], group[*input]);
            group
                .iter_mut()
                .filter(|it| **it == from)
                .for_each(|it| *it = to);
        }
    }
    let groups = Groups { graph, used, group };
    let mut roots = Vec::new();
    let all = graph.nodes.iter().enumerate();
    let all = all.filter(|(at, _)| groups.used[*at]);
    let nested: Vec<usize> = all.filter_map(|(_, node)| within(node)).collect();
    let of_sinks = graph.sinks.iter().map(|sink| sink.node);
    for node in of_sinks.chain(returned(graph)) {
        let is_nested = nested
            .iter()
            .any(|it| groups.group[*it] == groups.group[node]);
        if !is_nested && !roots.contains(&groups.group[node]) {
            roots.push(groups.group[node]);
        }
    }
    let of_result = |root| returned(graph).filter(|node| groups.group[*node] == root);
    let passes = roots.into_iter();
    passes
        .map(|root| groups.pass(root, of_result(root)))
        .collect()
}

/// Sequences by the groups that they are in.
struct Groups<'g> {
    graph: &'g Graph,
    used: Vec<bool>,
    group: Vec<usize>,
}

impl Groups<'_> {
    fn pass(&self, root: usize, gives: Option<usize>) -> Together {
        let Groups { graph, used, group } = self;
        let nodes = (0..group.len()).filter(|it| used[*it] && group[*it] == root);
        let nodes: Vec<usize> = nodes.collect();
        let sinks = (0..graph.sinks.len()).filter(|it| group[graph.sinks[*it].node] == root);
        let nested = nodes.iter().filter_map(|at| within(&graph.nodes[*at]));
        let nested = nested.map(|within| self.pass(group[within], Some(within)));
        Together {
            sinks: sinks.collect(),
            level: 0,
            gives,
            nested: nested.collect(),
            nodes,
        }
    }
}

/// That a function of items needs what is known behind the last item.
fn needs_its_end(graph: &Graph, passes: &[Together], locals: &Locals) -> Diagnostic {
    let pass = passes.iter().max_by_key(|pass| pass.level);
    let sinks = pass.into_iter().flat_map(Together::with_nested);
    let sinks = sinks.flat_map(|pass| &pass.sinks);
    let sinks: Vec<&Sink> = sinks.map(|sink| &graph.sinks[*sink]).collect();
    // What is computed from the sinks, by following statements.
    let mut tainted: Vec<LocalId> = sinks.iter().map(|sink| sink.local).collect();
    for item in &graph.items {
        if let Item::Stmt(stmt) = item {
            let mut names = Names::default();
            names.stmt(stmt);
            if names.free().iter().any(|it| tainted.contains(it)) {
                tainted.extend(names.bound);
            }
        }
    }
    let all = pass.into_iter().flat_map(Together::with_nested);
    let of_nodes = all
        .flat_map(|pass| &pass.nodes)
        .map(|at| (needs_of_node(&graph.nodes[*at]), graph.nodes[*at].src));
    let of_sinks = sinks.iter().map(|sink| (needs_of_sink(sink), sink.src));
    let mut uses = of_nodes.chain(of_sinks);
    let found = uses.find_map(|(needs, src)| {
        let local = needs.into_iter().find(|it| tainted.contains(it))?;
        Some((local, src))
    });
    let Some((local, src)) = found else {
        unreachable!("a pass whose level grows without end needs one of its sinks")
    };
    let name = match locals.all[local.index()].temporary {
        true => "a value".to_owned(),
        false => format!("`{}`", locals.name(local)),
    };
    Diagnostic::new(src, format!("{name} is known only at the end of this sequence"))
        .note("a sequence is read once: what is computed of an item needs only what comes before it")
        .help("keep the items as an array with `let xs = s.collect();`, or make the second pass another function")
        .also(locals.src(local), format!("{name} needs all items"))
}
