//! A function over sequences, taken apart into functions without any.
//!
//! In: the plan of its passes. Out: a [`Stream`], and the functions that it runs: what is computed
//! before, between and behind passes, and a step for each pass.

use super::build::Locals;
use super::chunked::{Ready, chunk_type};
use super::ir::{Param, Part, Stream};
use super::nodes::{Graph, Item, Returned};
use super::passes::{Names, Plan};
use super::refused;
use super::step::returning;
use super::taking::{Taking, counted, given, own, top_level, tuple};
use crate::contracts::ir::Contracts;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::typed::ir::{
    self as typed, Expr, Function, ParamType, PatternKind, Program, SigType, SizeSpec, Stmt,
};

/// The parts of `function`.
pub(super) fn split(
    program: &Program,
    function: &Function,
    mut graph: Graph,
    plan: &Plan,
    locals: Locals,
    errors: &mut Vec<Diagnostic>,
) -> Option<(Stream, Vec<Function>)> {
    let export = function.export.as_ref()?;
    let before = errors.len();
    let mut split = Split {
        program,
        function,
        locals,
        errors,
        values: Vec::new(),
        functions: Vec::new(),
        name: export.name.clone(),
        contracts: export.contracts.clone(),
        same: Vec::new(),
    };
    if let Some(bound) = export.contracts.bounds.first() {
        let what = "a bound on the cost of a function over sequences";
        let error = Diagnostic::unsupported(bound.src, what)
            .help("leave it out: `EXPLAIN` says what each chunk costs");
        split.errors.push(error);
    }
    let mut ready = Vec::new();
    for pass in &plan.passes {
        ready.push(split.step(&graph, pass)?);
    }
    let items = std::mem::take(&mut graph.items);
    let mut stmts = with_levels(items, plan, &mut ready);
    let mut parts = Vec::new();
    for level in 0..=plan.last {
        split.level(level, plan.last, &graph, &mut stmts, &mut ready, &mut parts)?;
    }
    if let Returned::Seq(node) = graph.value {
        let result = ready.into_iter().find(|it| it.is_result)?;
        parts.push(split.result(&graph, node, result)?);
    }
    if split.errors.len() > before {
        return None;
    }
    let params = function.params.iter().map(parameter).collect();
    let mut functions = split.functions;
    for function in &mut functions {
        function.locals.clone_from(&split.locals.all);
    }
    let stream = Stream {
        name: export.name.clone(),
        ident: function.ident.clone(),
        vis: export.vis.clone(),
        docs: export.docs.clone(),
        src: function.src,
        params,
        ret: chunk_type(&function.ret),
        values: split.values.into_iter().map(|(_, sig)| sig).collect(),
        parts,
        same: split.same,
    };
    Some((stream, functions))
}

/// All statements with their levels; what a sink's value is computed of stands where it was asked for.
fn with_levels(items: Vec<Item>, plan: &Plan, ready: &mut [Ready]) -> Vec<(usize, Stmt)> {
    let mut stmts = Vec::new();
    for (item, level) in items.into_iter().zip(&plan.levels) {
        match item {
            Item::Stmt(stmt) => stmts.push((*level, *stmt)),
            Item::Sink(sink) => {
                for pass in ready.iter_mut() {
                    let level = pass.level + 1;
                    let finish = pass.finish_of(sink).into_iter();
                    stmts.extend(finish.map(|stmt| (level, stmt)));
                }
            }
        }
    }
    stmts
}

fn parameter(param: &typed::Param) -> Param {
    let ParamType::Value(sig) = &param.ty else {
        unreachable!("exported functions have no function parameters")
    };
    Param {
        name: param.name.clone(),
        ty: chunk_type(sig),
        local: match &param.pattern.kind {
            PatternKind::Bind(local, None) => Some(*local),
            _parts => None,
        },
        is_seq: sig.is_seq(),
        src: param.src,
    }
}

pub(super) struct Split<'s> {
    pub(super) program: &'s Program,
    pub(super) function: &'s Function,
    pub(super) locals: Locals,
    pub(super) errors: &'s mut Vec<Diagnostic>,
    /// What is held between parts; of a local that several make, the last one is what it is now.
    pub(super) values: Vec<(LocalId, SigType)>,
    pub(super) functions: Vec<Function>,
    pub(super) name: String,
    /// What each part must hold to.
    pub(super) contracts: Contracts,
    /// See [`Stream::same`].
    pub(super) same: Vec<[SizeSpec; 2]>,
}

impl Split<'_> {
    /// The parts of one level: its statements, and the passes that need no more than these.
    fn level(
        &mut self,
        level: usize,
        last: usize,
        graph: &Graph,
        stmts: &mut Vec<(usize, Stmt)>,
        ready: &mut Vec<Ready>,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let (here, later) = std::mem::take(stmts)
            .into_iter()
            .partition(|(it, _)| *it == level);
        *stmts = later;
        let here: Vec<(usize, Stmt)> = here;
        let mut here: Vec<Stmt> = here.into_iter().map(|(_, stmt)| stmt).collect();
        let passes = ready.iter().filter(|it| it.level == level);
        let passes = passes.flat_map(Ready::with_nested);
        for state in passes.flat_map(|it| &it.step.state) {
            let pattern = self.locals.pattern(state.local);
            let value = state.init.clone();
            here.push(Stmt::Let { pattern, value });
        }
        if level == last
            && let Returned::Value(value) = &graph.value
        {
            parts.push(self.end(here, value.clone()));
            return Some(());
        }
        let wanted = wanted(graph, stmts, ready, level);
        parts.extend(self.between(here, &wanted));
        let (passes, later) = std::mem::take(ready)
            .into_iter()
            .partition(|it| it.level == level && !it.is_result);
        *ready = later;
        let passes: Vec<Ready> = passes;
        for pass in passes {
            parts.push(Part::Pass(self.pass(pass, None)?));
        }
        Some(())
    }

    /// The pass whose items the function gives.
    fn result(&mut self, graph: &Graph, node: usize, result: Ready) -> Option<Part> {
        let mut all = result.with_nested().into_iter();
        if let Some(sink) = all.find_map(|it| it.sink) {
            self.errors.push(refused::given_out(graph.sinks[sink].src));
        }
        let items = (result.step.items(node), chunk_type(&self.function.ret));
        Some(Part::Pass(self.pass(result, Some(items))?))
    }

    /// Statements at once, and the values in which later parts find what they bind.
    fn between(&mut self, stmts: Vec<Stmt>, wanted: &[LocalId]) -> Option<Part> {
        if stmts.is_empty() {
            return None;
        }
        let mut names = Names::default();
        stmts.iter().for_each(|stmt| names.stmt(stmt));
        let mut taking = Taking::default();
        self.taking(&names.free(), &[], &mut taking);
        // What is assigned to is a new value afterwards.
        let assigned = names.free().into_iter();
        let assigned = assigned.filter(|it| self.locals.all[it.index()].mutable);
        let mut outside: Vec<LocalId> = top_level(&stmts).into_iter().chain(assigned).collect();
        outside.retain(|local| wanted.contains(local));
        let src = self.function.src;
        let mut makes = Vec::new();
        let mut fields = Vec::new();
        for local in &outside {
            let sig = own(&self.locals.ty(*local), self.program, src);
            // Also what is assigned to again, since it may have another shape from then on.
            self.values.push((*local, sig.clone()));
            makes.push(self.values.len() - 1);
            fields.push((self.locals.read(*local, src), sig));
        }
        let value = tuple(fields);
        let body = returning(stmts, value.0);
        let function = self.made(&taking, body, value.1);
        let args = given(&taking.args);
        Some(Part::Once {
            function,
            args,
            makes,
        })
    }

    /// What gives the result.
    fn end(&mut self, stmts: Vec<Stmt>, value: Expr) -> Part {
        let ret = self.function.ret.clone();
        let mut names = Names::default();
        stmts.iter().for_each(|stmt| names.stmt(stmt));
        names.expr(&value);
        let mut taking = Taking::default();
        self.taking(&names.free(), &[&ret], &mut taking);
        let function = self.made(&taking, returning(stmts, value), ret);
        Part::Once {
            function,
            args: given(&taking.args),
            makes: Vec::new(),
        }
    }
}

/// The locals that are still asked for behind the statements of this level.
fn wanted(graph: &Graph, stmts: &[(usize, Stmt)], ready: &[Ready], level: usize) -> Vec<LocalId> {
    let mut names = Names::default();
    stmts.iter().for_each(|(_, stmt)| names.stmt(stmt));
    if let Returned::Value(value) = &graph.value {
        names.expr(value);
    }
    // The state of later passes begins then, perhaps with what is known now.
    let later = ready.iter().filter(|pass| pass.level > level);
    let later = later.flat_map(Ready::with_nested);
    let begins = later.flat_map(|pass| &pass.step.state);
    begins.for_each(|state| names.expr(&state.init));
    let mut wanted = names.free();
    for pass in ready.iter().flat_map(Ready::with_nested) {
        wanted.extend(pass.step.needs());
        wanted.extend(pass.sources.iter().filter_map(counted));
    }
    wanted.extend(graph.most.iter().map(|(_, most)| *most));
    wanted
}
