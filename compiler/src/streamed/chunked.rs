//! What is computed for each chunk of a pass, as a function.
//!
//! In: a pass of the plan. Out: its step, with the sources of its chunks, and the [`Pass`] that the run time
//! gets; of passes within it the same.

use super::build::{BOOL, USIZE, array};
use super::feed::{Sources, Taken};
use super::ir::{Arg, Feed, Nested, Pass, Source};
use super::nodes::{Graph, Op};
use super::operators::order;
use super::passes::{Names, Together};
use super::split::Split;
use super::step::{Step, Writer, returning};
use super::taking::{Taking, own, tuple, value_type};
use crate::ids::LocalId;
use crate::typed::ir::{self as typed, SigType, SizeSpec, Stmt};

/// A pass whose step is written, but not yet a function.
pub(super) struct Ready {
    pub(super) level: usize,
    pub(super) is_result: bool,
    /// The first of its sinks.
    pub(super) sink: Option<usize>,
    /// What says whether nobody wants its items any more, if it goes on then for its sinks.
    pub(super) unwanted: Option<LocalId>,
    pub(super) step: Step,
    pub(super) sources: Vec<Source>,
    pub(super) feed: Feed,
    /// The arguments that are items, and the locals that they are in the step.
    pub(super) args: Vec<Arg>,
    pub(super) takes: Vec<LocalId>,
    /// Passes whose results it reads, with what holds these, and the type of a chunk of them.
    pub(super) nested: Vec<(Ready, LocalId, SigType)>,
}

impl Ready {
    /// This pass, and all that are within it.
    pub(super) fn with_nested(&self) -> Vec<&Ready> {
        let within = self.nested.iter().flat_map(|(it, ..)| it.with_nested());
        std::iter::once(self).chain(within).collect()
    }
}

impl Ready {
    /// Takes what is computed behind the last chunk of the pass whose first sink this is.
    pub(super) fn finish_of(&mut self, sink: usize) -> Vec<Stmt> {
        let own = match self.sink == Some(sink) {
            true => std::mem::take(&mut self.step.finish),
            false => Vec::new(),
        };
        let within = self.nested.iter_mut();
        within.fold(own, |own, (it, ..)| [own, it.finish_of(sink)].concat())
    }
}

/// The type of a chunk of a sequence; any other type is itself.
pub(super) fn chunk_type(sig: &SigType) -> SigType {
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

impl Split<'_> {
    /// The step of a pass, and what its chunks come from.
    pub(super) fn step(&mut self, graph: &Graph, pass: &Together) -> Option<Ready> {
        let (mut sources, mut args, mut takes) = (Vec::new(), Vec::new(), Vec::new());
        let (mut taken, mut nested) = (Vec::new(), Vec::new());
        for pass in &pass.nested {
            let (ready, within) = (self.step(graph, pass)?, pass.gives?);
            let items = ready.step.items(within);
            nested.push((ready, items, self.chunk_of(graph, within)));
        }
        for at in &pass.nodes {
            let node = &graph.nodes[*at];
            match &node.op {
                Op::Nested(within) => {
                    let items = self.locals.fresh("items", array(&node.item), node.src);
                    args.push(Arg::Chunk(sources.len()));
                    takes.push(items);
                    let mut all = pass.nested.iter();
                    let at_nested = all.position(|it| it.gives == Some(*within));
                    sources.push(Source::Nested(at_nested?));
                    taken.push((*at, Taken::Items(items)));
                }
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
        let goes_on = pass.gives.is_some() && !pass.sinks.is_empty();
        let unwanted = goes_on.then(|| (self.locals).fresh("unwanted", BOOL, self.function.src));
        let mut writer = Writer {
            program: self.program,
            graph,
            locals: &mut self.locals,
            sources: &sources_of,
            step: Step::default(),
            nodes: &pass.nodes,
            gives: pass.gives,
            unwanted,
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
            is_result: pass.gives.is_some(),
            sink: pass.sinks.first().copied(),
            unwanted,
            step: writer.step,
            sources,
            feed,
            args,
            takes,
            nested,
        })
    }

    /// The type of a chunk of the items of `node`: if these come as they are from a parameter their arrays
    /// have its sizes.
    fn chunk_of(&self, graph: &Graph, node: usize) -> SigType {
        SigType::Array {
            elem: Box::new(self.item_of(graph, node)),
            size: SizeSpec::Own,
            src: graph.nodes[node].src,
        }
    }

    fn item_of(&self, graph: &Graph, node: usize) -> SigType {
        let of = &graph.nodes[node];
        let param = |at: usize| match value_type(&self.function.params[at]) {
            Some(SigType::Array { elem, .. }) => Some(*elem),
            _no_sequence => None,
        };
        let found = match &of.op {
            Op::Param(at) => param(*at),
            Op::Filter(_) | Op::Take(_) | Op::TakeWhile(_) | Op::Skip(_) => {
                Some(self.item_of(graph, of.inputs[0]))
            }
            // Element by element.
            Op::Scan { function, .. } if order(function, self.program).is_some() => {
                Some(self.item_of(graph, of.inputs[0]))
            }
            Op::Nested(within) => Some(self.item_of(graph, *within)),
            Op::Zip => {
                let fields = of.inputs.iter().map(|it| self.item_of(graph, *it));
                Some(SigType::Tuple(fields.collect()))
            }
            Op::Enumerate => {
                let number = own(&USIZE, self.program, of.src);
                Some(SigType::Tuple(vec![
                    number,
                    self.item_of(graph, of.inputs[0]),
                ]))
            }
            _operator => None,
        };
        found.unwrap_or_else(|| own(&of.item, self.program, of.src))
    }

    /// The functions of a pass; `result` is what holds the items that it gives one by one, and the type of a
    /// chunk of these.
    pub(super) fn pass(
        &mut self,
        ready: Ready,
        result: Option<(LocalId, SigType)>,
    ) -> Option<Pass> {
        let src = self.function.src;
        let Ready {
            step,
            sources,
            feed,
            args: chunk_args,
            takes,
            nested,
            unwanted,
            ..
        } = ready;
        let types: Vec<SigType> = nested.iter().map(|(.., items)| items.clone()).collect();
        let nested = nested.into_iter().map(|(ready, local, items)| {
            let pass = self.pass(ready, Some((local, items.clone())))?;
            Some(Nested { pass, items })
        });
        let nested = nested.collect::<Option<Vec<Nested>>>()?;
        let mut taking = Taking::default();
        let mut takes = takes.iter();
        for arg in &chunk_args {
            taking.args.push(*arg);
            match arg {
                Arg::Chunk(source) => {
                    let local = *takes.next()?;
                    let param = match sources[*source] {
                        Source::Param(at) => self.items_of(at, local)?,
                        Source::Nested(at) => self.param(local, types[at].clone()),
                        Source::Count(_) => unreachable!("numbers have ends"),
                    };
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
                Arg::Given(_) | Arg::State(_) | Arg::Last | Arg::Unwanted => {
                    unreachable!("chunks come first")
                }
            }
        }
        let flags = [(step.last, Arg::Last), (unwanted, Arg::Unwanted)];
        for (flag, arg) in flags {
            let Some(flag) = flag else { continue };
            let sig = own(&BOOL, self.program, src);
            taking.args.push(arg);
            let param = self.param(flag, sig);
            taking.params.push(param);
        }
        let (mut state, mut fields) = (Vec::new(), Vec::new());
        let stops = step.more.is_some();
        let in_blocks = step.in_blocks;
        if let Some(more) = step.more {
            fields.push((more, own(&BOOL, self.program, src)));
        }
        let ends = step.ends.len();
        for end in step.ends {
            fields.push((end, own(&BOOL, self.program, src)));
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
        if let Some((items, sig)) = &result {
            collected.push(None);
            fields.push((self.locals.read(*items, src), sig.clone()));
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
        if let Some((_, sig)) = result.iter().find(|_| !nested.is_empty()) {
            self.is_known(sig, &taking);
        }
        let (value, ret) = tuple(fields);
        let step_name = self.made(&taking, returning(step.stmts, value), ret);
        let sources = sources.iter().map(|source| match source {
            Source::Count(local) => Source::Count(self.size(*local)),
            Source::Param(_) | Source::Nested(_) => *source,
        });
        let sources = sources.collect();
        Some(Pass {
            sources,
            feed: self.of_values(feed),
            step: step_name,
            args: taking.args,
            state,
            collected,
            in_blocks,
            stops,
            ends,
            nested,
        })
    }

    /// A parameter that is the items which a chunk has of one of the whole.
    fn items_of(&self, at: usize, local: LocalId) -> Option<typed::Param> {
        let of = &self.function.params[at];
        let mut param = self.param(local, chunk_type(&value_type(of)?));
        param.name.clone_from(&of.name);
        Some(param)
    }

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
