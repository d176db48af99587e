//! A function over sequences, taken apart into functions without any.
//!
//! In: the plan of its passes. Out: a [`Stream`], and the functions that it runs: what is computed
//! before, between and behind passes, and a step for each pass.

use super::build::{Locals, USIZE, array};
use super::feed::{Sources, Taken};
use super::ir::{Arg, Feed, Param, Part, Pass, Source, Stream};
use super::nodes::{Graph, Item, Op, Returned};
use super::passes::{Names, Plan, Together};
use super::step::{Step, Writer, returning};
use super::taking::{Taking, counted, given, own, top_level, tuple, value_type};
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

/// A pass whose step is written, but not yet a function.
struct Ready {
    level: usize,
    is_result: bool,
    /// The first of its sinks.
    sink: Option<usize>,
    step: Step,
    sources: Vec<Source>,
    feed: Feed,
    /// The arguments that are items, and the locals that they are in the step.
    args: Vec<Arg>,
    takes: Vec<LocalId>,
}

/// All statements with their levels; what a sink's value is computed of stands where it was asked for.
fn with_levels(items: Vec<Item>, plan: &Plan, ready: &mut [Ready]) -> Vec<(usize, Stmt)> {
    let mut stmts = Vec::new();
    for (item, level) in items.into_iter().zip(&plan.levels) {
        match item {
            Item::Stmt(stmt) => stmts.push((*level, *stmt)),
            Item::Sink(sink) => {
                for pass in ready.iter_mut().filter(|it| it.sink == Some(sink)) {
                    let finish = std::mem::take(&mut pass.step.finish).into_iter();
                    stmts.extend(finish.map(|stmt| (pass.level + 1, stmt)));
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

/// The type of a chunk of a sequence; any other type is itself.
fn chunk_type(sig: &SigType) -> SigType {
    match sig {
        SigType::Array {
            elem,
            size: SizeSpec::Seq,
            src,
        } => SigType::Array {
            elem: elem.clone(),
            size: SizeSpec::Own,
            src: *src,
        },
        other => other.clone(),
    }
}

pub(super) struct Split<'s> {
    pub(super) program: &'s Program,
    pub(super) function: &'s Function,
    pub(super) locals: Locals,
    pub(super) errors: &'s mut Vec<Diagnostic>,
    /// What is held between parts.
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
        ready: &mut [Ready],
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let (here, later) = std::mem::take(stmts)
            .into_iter()
            .partition(|(it, _)| *it == level);
        *stmts = later;
        let here: Vec<(usize, Stmt)> = here;
        let mut here: Vec<Stmt> = here.into_iter().map(|(_, stmt)| stmt).collect();
        let passes = ready.iter().filter(|it| it.level == level);
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
        for pass in ready
            .iter_mut()
            .filter(|it| it.level == level && !it.is_result)
        {
            let step = std::mem::take(&mut pass.step);
            let from = (&pass.sources[..], pass.feed.clone());
            parts.push(self.pass(step, from, &pass.args, &pass.takes, None)?);
        }
        Some(())
    }

    /// The pass whose items the function gives.
    fn result(&mut self, graph: &Graph, node: usize, result: Ready) -> Option<Part> {
        if let Some(sink) = result.sink {
            let title = "this needs the end of a sequence that is given out item by item";
            self.errors.push(
                Diagnostic::new(graph.sinks[sink].src, title)
                    .note("the items are given out as they come, before the last one is known")
                    .help(
                        "make it another function, or give the items as an array with `collect()`",
                    ),
            );
        }
        let items = result.step.items(node);
        let Ready {
            step,
            sources,
            feed,
            args,
            takes,
            ..
        } = result;
        self.pass(step, (&sources, feed), &args, &takes, Some(items))
    }

    /// The step of a pass, and what its chunks come from.
    fn step(&mut self, graph: &Graph, pass: &Together) -> Option<Ready> {
        let (mut sources, mut args, mut takes) = (Vec::new(), Vec::new(), Vec::new());
        let mut taken = Vec::new();
        for at in &pass.nodes {
            let node = &graph.nodes[*at];
            match &node.op {
                Op::Param(param) => {
                    let items = self.locals.fresh("items", array(&node.item), node.src);
                    args.push(Arg::Chunk(sources.len()));
                    takes.push(items);
                    sources.push(Source::Param(*param));
                    taken.push((*at, Taken::Items(items)));
                }
                Op::Elements { len, .. } | Op::Count { len, .. } => {
                    let [lo, hi] = ["lo", "hi"].map(|it| self.locals.fresh(it, USIZE, node.src));
                    args.push(Arg::Ends(sources.len()));
                    takes.extend([lo, hi]);
                    sources.push(Source::Count(len.index()));
                    taken.push((*at, Taken::Ends(lo, hi)));
                }
                _operator => {}
            }
        }
        self.lengths(graph, pass)?;
        let sources_of = Sources::of(self.program, graph, pass, &taken, self.errors)?;
        let mut writer = Writer {
            program: self.program,
            graph,
            locals: &mut self.locals,
            sources: &sources_of,
            step: Step::default(),
            nodes: &pass.nodes,
            gates: Vec::new(),
            held: Vec::new(),
            limits: Vec::new(),
        };
        for at in &pass.nodes {
            let source = taken.iter().find(|(it, _)| it == at);
            writer.node(*at, source.map(|(_, taken)| *taken));
        }
        for sink in &pass.sinks {
            writer.sink(&graph.sinks[*sink]);
        }
        writer.close_gates();
        let feed = writer.with_ends(self.function.src);
        Some(Ready {
            level: pass.level,
            is_result: pass.is_result,
            sink: pass.sinks.first().copied(),
            step: writer.step,
            sources,
            feed,
            args,
            takes,
        })
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
            let at = match self.values.iter().position(|(it, _)| it == local) {
                Some(at) => at,
                None => {
                    self.values.push((*local, sig.clone()));
                    self.values.len() - 1
                }
            };
            makes.push(at);
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

    fn pass(
        &mut self,
        step: Step,
        (sources, feed): (&[Source], Feed),
        chunk_args: &[Arg],
        takes: &[LocalId],
        result: Option<LocalId>,
    ) -> Option<Part> {
        let src = self.function.src;
        let mut taking = Taking::default();
        let mut takes = takes.iter();
        for arg in chunk_args {
            taking.args.push(*arg);
            match arg {
                Arg::Chunk(source) => {
                    let Source::Param(at) = sources[*source] else {
                        unreachable!("parameters have chunks")
                    };
                    let ParamType::Value(sig) = &self.function.params[at].ty else {
                        unreachable!("exported functions have no function parameters")
                    };
                    let (local, sig) = (*takes.next()?, chunk_type(sig));
                    let mut param = self.param(local, sig);
                    param.name.clone_from(&self.function.params[at].name);
                    taking.params.push(param);
                }
                Arg::Ends(_) => {
                    for _ in 0..2 {
                        let local = *takes.next()?;
                        let sig = own(&USIZE, self.program, src);
                        let param = self.param(local, sig);
                        taking.params.push(param);
                    }
                }
                Arg::Given(_) | Arg::State(_) | Arg::Last => unreachable!("chunks come first"),
            }
        }
        if let Some(last) = step.last {
            let sig = own(&super::build::BOOL, self.program, src);
            taking.args.push(Arg::Last);
            let param = self.param(last, sig);
            taking.params.push(param);
        }
        let (mut state, mut fields) = (Vec::new(), Vec::new());
        let stops = step.more.is_some();
        let in_blocks = step.in_blocks;
        if let Some(more) = step.more {
            fields.push((more, own(&super::build::BOOL, self.program, src)));
        }
        let ends = step.ends.len();
        for end in step.ends {
            fields.push((end, own(&super::build::BOOL, self.program, src)));
        }
        for (at, it) in step.state.into_iter().enumerate() {
            let sig = own(&it.init.ty, self.program, src);
            taking.args.push(Arg::State(at));
            let param = self.param(it.local, sig.clone());
            taking.params.push(param);
            state.push(self.value(it.local, &sig));
            fields.push((it.next, sig));
        }
        let mut collected = Vec::new();
        for (local, value) in step.collected {
            let sig = own(&value.ty, self.program, src);
            collected.push(Some(self.value(local, &sig)));
            fields.push((value, sig));
        }
        if let Some(items) = result {
            collected.push(None);
            fields.push((self.locals.read(items, src), chunk_type(&self.function.ret)));
        }
        let mut names = Names::default();
        step.stmts.iter().for_each(|stmt| names.stmt(stmt));
        fields.iter().for_each(|(value, _)| names.expr(value));
        let chunks: Vec<SigType> = taking.params.iter().filter_map(value_type).collect();
        let types: Vec<&SigType> = chunks
            .iter()
            .chain(fields.iter().map(|(_, it)| it))
            .collect();
        self.taking(&names.free(), &types, &mut taking);
        let (value, ret) = tuple(fields);
        let step_name = self.made(&taking, returning(step.stmts, value), ret);
        let sources = sources.iter().map(|source| match source {
            Source::Count(local) => Source::Count(self.size(*local)),
            Source::Param(at) => Source::Param(*at),
        });
        let sources = sources.collect();
        Some(Part::Pass(Pass {
            sources,
            feed: self.of_values(feed),
            step: step_name,
            args: taking.args,
            state,
            collected,
            in_blocks,
            stops,
            ends,
        }))
    }
}

impl Split<'_> {
    /// The value that a number of items is, a local before.
    fn size(&mut self, local: usize) -> usize {
        let local = LocalId(u32::try_from(local).unwrap_or(0));
        let sig = own(&USIZE, self.program, self.function.src);
        self.value(local, &sig)
    }

    /// A feed whose numbers of items are values, no more locals.
    fn of_values(&mut self, feed: Feed) -> Feed {
        match feed {
            Feed::One(_) => feed,
            Feed::Zipped(feeds) => {
                let feeds = feeds.into_iter().map(|it| self.of_values(it));
                Feed::Zipped(feeds.collect())
            }
            Feed::Beside(feeds, groups) => {
                let feeds = feeds.into_iter().map(|it| self.of_values(it));
                Feed::Beside(feeds.collect(), groups)
            }
            Feed::After(both) => Feed::After(Box::new(both.map(|it| self.of_values(it)))),
            Feed::Until(feed, end) => Feed::Until(Box::new(self.of_values(*feed)), end),
            Feed::AtMost(feed, most) => {
                let most = self.size(most);
                Feed::AtMost(Box::new(self.of_values(*feed)), most)
            }
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
    let begins = later.flat_map(|pass| &pass.step.state);
    begins.for_each(|state| names.expr(&state.init));
    let mut wanted = names.free();
    for pass in ready {
        wanted.extend(pass.step.needs());
        wanted.extend(pass.sources.iter().filter_map(counted));
    }
    wanted.extend(graph.most.iter().map(|(_, most)| *most));
    wanted
}
