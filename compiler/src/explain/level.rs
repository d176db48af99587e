//! The graph of one body.
//!
//! In: statements. Out: boxes and arrows. Scalars outside of kernels have no boxes: what is computed
//! from them depends on what they were computed from. What comes from around the body is a small
//! box of its own, if it is an array.

use super::function::{name_at, shapes};
use super::graph::Context;
use super::page::{Edge, Graph, Kind, Node};
use super::represented::represented;
use super::sizes;
use crate::emit::rust::free::{captured, captured_by_body};
use crate::fused::ir::{Body, Kernel, Loop, Op, Reason, Stmt};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::collections::BTreeSet;

/// A graph in the making.
pub struct Level<'c, 'f> {
    /// What is around.
    pub context: &'c Context<'f>,
    /// The boxes that a variable is computed from.
    pub origins: HashMap<Var, BTreeSet<usize>>,
    graph: Graph,
}

impl<'c, 'f> Level<'c, 'f> {
    /// An empty one.
    pub fn new(context: &'c Context<'f>) -> Self {
        Level {
            context,
            origins: HashMap::default(),
            graph: Graph::default(),
        }
    }

    /// Adds a box.
    pub fn node(&mut self, node: Node) -> usize {
        self.graph.nodes.push(node);
        self.graph.nodes.len() - 1
    }

    /// Adds an arrow; one that carries arrays stays one.
    pub fn edge(&mut self, from: usize, to: usize, array: bool) {
        let mut edges = self.graph.edges.iter_mut();
        match edges.find(|it| (it.from, it.to) == (from, to)) {
            _ if from == to => {}
            Some(edge) => edge.array |= array,
            None => self.graph.edges.push(Edge { from, to, array }),
        }
    }

    /// The boxes that a variable comes from.
    pub fn origins_of(&mut self, var: Var) -> BTreeSet<usize> {
        if let Some(known) = self.origins.get(&var) {
            return known.clone();
        }
        let from = match (self.is_array(var), self.context.names.get(&var)) {
            (true, Some(name)) => {
                let name = name.clone();
                BTreeSet::from([self.outer(var, &name)])
            }
            _ => BTreeSet::new(),
        };
        self.origins.insert(var, from.clone());
        from
    }

    /// What comes from around the body.
    fn outer(&mut self, var: Var, name: &str) -> usize {
        let known = self.graph.nodes.iter();
        let is_it = |node: &Node| node.kind == Kind::Outer && node.title == name;
        let known = known.map(is_it).position(|it| it);
        known.unwrap_or_else(|| {
            let shape = sizes::shape(self.context.function, var);
            self.node(Node {
                kind: Kind::Outer,
                title: name.to_owned(),
                about: format!("{name} from outside: {shape}"),
                lines: Vec::new(),
                inside: Graph::default(),
            })
        })
    }

    /// All statements of a body.
    pub fn body(&mut self, body: &Body) {
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Kernel(kernel) => self.kernel(stmt, kernel),
                Op::Loop(it) if has_kernels(&it.body) || has_kernels(&it.cond) => {
                    self.looped(stmt, it);
                }
                Op::If { cond, then, else_ } if has_kernels(then) || has_kernels(else_) => {
                    self.branches(stmt, *cond, [then, else_]);
                }
                Op::Loop(_) | Op::If { .. } => self.plain(stmt),
                Op::Scalar(_, args) | Op::Literal(args) => self.derived(stmt, args),
                Op::Read { array, index } => self.derived(stmt, &[Atom::Var(*array), *index]),
                Op::Update { array, .. } => self.derived(stmt, &[Atom::Var(*array)]),
                Op::Len { .. } => self.derived(stmt, &[]),
                Op::Check { .. } => {}
            }
        }
    }

    /// What has no box: it comes from where its operands come from.
    fn derived(&mut self, stmt: &Stmt, args: &[Atom]) {
        let mut from = BTreeSet::new();
        for var in variables(args) {
            from.extend(self.origins_of(var));
        }
        for out in &stmt.outs {
            self.origins.insert(*out, from.clone());
        }
    }

    /// A loop or conditional without kernels.
    fn plain(&mut self, stmt: &Stmt) {
        let body = Body {
            stmts: vec![stmt.clone()],
            results: Vec::new(),
        };
        let vars = captured_by_body(&body, &self.context.function.vars);
        let args: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
        self.derived(stmt, &args);
    }

    fn kernel(&mut self, stmt: &Stmt, kernel: &Kernel) {
        let context = self.context;
        let id = context.numbers.ids[&kernel.index];
        let shown = &context.kernels[id.0];
        let mut inside = Level::new(context);
        inside.origins.insert(kernel.index, BTreeSet::new());
        inside.body(&kernel.body);
        // What is inside can be seen.
        let what = shown.what.replace(", with array operations inside", "");
        let operators = shown.operators.join(" → ");
        let parts = [operators, shown.in_lines()];
        let parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
        let lines = vec![what, parts.join(" · ")];
        let about = format!(
            "kernel {}: {}, over {}, made of {}",
            shown.label,
            shown.what,
            shown.extent,
            shown.operators.join(", ")
        );
        let node = self.node(Node {
            kind: Kind::Kernel(id),
            title: match shown.parent {
                None => format!("kernel {} · over {}", shown.label, shown.extent),
                Some(_) => format!("{} · over {}", shown.label, shown.extent),
            },
            lines,
            about,
            inside: inside.without_idle(),
        });
        let read = captured(kernel, &context.function.vars);
        let read = read.into_iter().map(Atom::Var);
        let read: Vec<Atom> = read
            .chain(kernel.extents.iter().copied())
            .chain(kernel.sink.given())
            .collect();
        self.reads(node, &read);
        self.made(stmt, node);
    }

    fn reads(&mut self, node: usize, atoms: &[Atom]) {
        for var in variables(atoms) {
            for from in self.origins_of(var) {
                let array = self.is_array(var);
                self.edge(from, node, array);
            }
        }
    }

    /// The arrays that a statement makes, those of one kind as one box.
    fn made(&mut self, stmt: &Stmt, node: usize) {
        let mut groups: Vec<(String, Option<Reason>, Vec<Var>)> = Vec::new();
        for out in stmt.outs.iter().copied() {
            if !self.is_array(out) {
                self.origins.insert(out, BTreeSet::from([node]));
                continue;
            }
            let reason = self.context.reasons.get(&out).copied();
            let name = self.context.names.get(&out).cloned();
            let name = name.unwrap_or_else(|| name_at(self.context.source, stmt.src));
            let mut known = groups.iter_mut();
            match known.find(|(its, why, _)| *its == name && *why == reason) {
                Some((_, _, vars)) => vars.push(out),
                None => groups.push((name, reason, vec![out])),
            }
        }
        for (name, reason, vars) in groups {
            self.array(node, name, reason, &vars);
        }
    }

    fn array(&mut self, maker: usize, name: String, reason: Option<Reason>, vars: &[Var]) {
        let function = self.context.function;
        let (shape, bytes) = (shapes(function, vars), sizes::bytes(function, vars));
        let represented = represented(function, &name, reason, vars[0]);
        let (kind, word) = match reason {
            Some(Reason::Result) => (Kind::Result, "result"),
            Some(_) => (Kind::Array, "array in memory"),
            None => (Kind::Own, "array that stays in the cache"),
        };
        let array = self.node(Node {
            kind,
            about: format!("{word} {name}: {shape}, {bytes}, {represented}"),
            title: name,
            lines: vec![shape, format!("{bytes} · {represented}")],
            inside: Graph::default(),
        });
        self.edge(maker, array, true);
        for var in vars {
            self.origins.insert(*var, BTreeSet::from([array]));
        }
    }

    fn looped(&mut self, stmt: &Stmt, it: &Loop) {
        let context = self.context;
        let mut inside = Level::new(context);
        for ((param, init), next) in it.params.iter().zip(&it.init).zip(&it.body.results) {
            let known = [*next, *init];
            let name = variables(&known).find_map(|var| context.names.get(&var));
            let from = match (inside.is_array(*param), name) {
                (true, Some(name)) => {
                    let title = format!("{name}, so far");
                    BTreeSet::from([inside.outer(*param, &title)])
                }
                _ => BTreeSet::new(),
            };
            inside.origins.insert(*param, from);
        }
        inside.body(&it.cond);
        inside.body(&it.body);
        let line = stmt.src.start().line;
        let node = self.node(Node {
            kind: Kind::Loop,
            title: format!("↻ loop of line {line}"),
            lines: vec![match it.reach {
                Some(_) => "several trips together, in tiles".to_owned(),
                None => "one trip after another".to_owned(),
            }],
            about: format!("loop of line {line}, one trip after another"),
            inside: inside.without_idle(),
        });
        self.compound(stmt, node);
    }

    fn branches(&mut self, stmt: &Stmt, cond: Atom, bodies: [&Body; 2]) {
        let context = self.context;
        let mut both = Level::new(context);
        for (body, word) in bodies.into_iter().zip(["then", "else"]) {
            let mut inside = Level::new(context);
            inside.body(body);
            both.node(Node {
                kind: Kind::Branch,
                title: word.to_owned(),
                lines: Vec::new(),
                about: word.to_owned(),
                inside: inside.without_idle(),
            });
        }
        let line = stmt.src.start().line;
        let node = self.node(Node {
            kind: Kind::Branch,
            title: format!("if of line {line}"),
            lines: vec!["one of two".to_owned()],
            about: format!("conditional of line {line}"),
            inside: both.graph,
        });
        self.reads(node, &[cond]);
        self.compound(stmt, node);
    }

    /// Arrows into a box with a graph of its own, and what comes out of it.
    fn compound(&mut self, stmt: &Stmt, node: usize) {
        let body = Body {
            stmts: vec![stmt.clone()],
            results: Vec::new(),
        };
        let vars = captured_by_body(&body, &self.context.function.vars);
        let atoms: Vec<Atom> = vars.into_iter().map(Atom::Var).collect();
        self.reads(node, &atoms);
        for out in &stmt.outs {
            self.origins.insert(*out, BTreeSet::from([node]));
        }
    }

    /// The graph, without what comes from outside and goes nowhere, and without arrows for numbers
    /// where others lead from here to there.
    pub fn without_idle(self) -> Graph {
        let Graph { nodes, mut edges } = self.graph;
        let is_told = |edge: &Edge| !edge.array && reaches(&edges, edge.from, edge.to);
        let told: Vec<Edge> = edges.iter().copied().filter(is_told).collect();
        edges.retain(|edge| !told.contains(edge));
        let is_idle = |at: usize| {
            nodes[at].kind == Kind::Outer && !edges.iter().any(|it| it.from == at || it.to == at)
        };
        let kept: Vec<usize> = (0..nodes.len()).filter(|at| !is_idle(*at)).collect();
        let place = |at: usize| kept.iter().position(|it| *it == at);
        let edges = edges.iter().filter_map(|edge| {
            let (from, to) = (place(edge.from)?, place(edge.to)?);
            Some(Edge { from, to, ..*edge })
        });
        let edges = edges.collect();
        let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        Graph {
            nodes: kept.iter().filter_map(|at| nodes[*at].take()).collect(),
            edges,
        }
    }

    fn is_array(&self, var: Var) -> bool {
        self.context.function.vars[var.index()].is_array()
    }
}

/// Whether there is a way of several arrows.
fn reaches(edges: &[Edge], from: usize, to: usize) -> bool {
    let mut next = edges.iter().filter(|it| it.from == from && it.to != to);
    next.any(|it| leads(edges, it.to, to))
}

fn leads(edges: &[Edge], from: usize, to: usize) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        let next = edges.iter().filter(|it| it.from == at);
        for edge in next {
            if seen.insert(edge.to) {
                todo.push(edge.to);
            }
        }
    }
    seen.contains(&to)
}

fn has_kernels(body: &Body) -> bool {
    !crate::contracts::kernels(body).is_empty()
}

fn variables(atoms: &[Atom]) -> impl Iterator<Item = Var> {
    atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    })
}
