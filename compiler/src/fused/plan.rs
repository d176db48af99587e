//! Which arrays stay delayed, and why the others are in memory.
//!
//! In: a flat function. Out: for each array that an operation builds, `None` (delayed: computed
//! where it is read) or the [`Reason`] to store it. Assumes that arrays are assigned once.
//!
//! Note [Fusion without duplicated work]. A built array is delayed if all of it is read by one
//! operation, at one index that runs through the index space once (`±i + c`), outside of loops, so
//! that each element is still computed once (paper 001 §4); or if its element is so cheap that
//! computing it again beats a round trip through memory. A length is a scalar of its own, so asking
//! for it never blocks fusion.
//!
//! Note \[Strictness\]. The language is strict: a failing element is an error even if nobody reads
//! it. So a body with checks is delayed only where its reader visits exactly its index space and is
//! in no branch that the body is not in.

use crate::flat::ir::{Body, Consumer, Function, Op, Seg};
use crate::fused::cost::{CHEAP, body_cost};
use crate::fused::ir::Reason;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent, VarType};
use crate::source::SrcSpan;
use std::collections::HashMap;

/// Decisions per array variable.
pub struct Plan {
    reasons: HashMap<Var, Reason>,
}

impl Plan {
    /// Why `array` is stored; `None` if it is delayed.
    pub fn reason(&self, array: Var) -> Option<Reason> {
        self.reasons.get(&array).copied()
    }
}

/// Decides for every built array of `function`.
pub fn plan(function: &Function) -> Plan {
    let mut survey = Survey::new(function);
    survey.body(&function.body, Place::host());
    for result in &function.body.results {
        survey.escape(*result, Reason::Result);
    }
    survey.decide()
}

/// Where a read stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The segmented operation around it.
    seg: Option<&'a Seg>,
    /// In a loop inside that operation's body (or in its operator).
    inner_loop: bool,
    /// Under a condition inside that body.
    conditional: bool,
    /// How many host loops are around it.
    host_loops: u32,
    /// How many host conditionals are around it.
    host_branches: u32,
}

impl Place<'_> {
    fn host() -> Self {
        Place {
            seg: None,
            inner_loop: false,
            conditional: false,
            host_loops: 0,
            host_branches: 0,
        }
    }
}

/// A read of a built array.
struct Use<'a> {
    place: Place<'a>,
    index: Atom,
}

/// An operation that builds arrays.
struct Producer<'a> {
    seg: &'a Seg,
    outs: &'a [Var],
    host_loops: u32,
    host_branches: u32,
    uses: Vec<Use<'a>>,
    escapes: Option<Reason>,
    /// Positions of producers that its body reads, once per read.
    reads: Vec<usize>,
}

struct Survey<'a> {
    function: &'a Function,
    producers: Vec<Producer<'a>>,
    by_array: HashMap<Var, usize>,
    /// Arrays of scans, scatters, literals, updates, conditionals and loops.
    whole: HashMap<Var, Reason>,
    /// Scalar definitions, for the form of indices.
    scalars: HashMap<Var, (ScalarOp, &'a [Atom])>,
    /// The segmented operation (by its index variable) in whose body a variable is defined.
    inside: HashMap<Var, Var>,
    current: Option<usize>,
}

impl<'a> Survey<'a> {
    fn new(function: &'a Function) -> Self {
        Survey {
            function,
            producers: Vec::new(),
            by_array: HashMap::new(),
            whole: HashMap::new(),
            scalars: HashMap::new(),
            inside: HashMap::new(),
            current: None,
        }
    }

    fn body(&mut self, body: &'a Body, place: Place<'a>) {
        for stmt in &body.stmts {
            if let Some(seg) = place.seg {
                let index = innermost_index(seg);
                self.inside
                    .extend(stmt.outs.iter().map(|out| (*out, index)));
            }
            self.op(&stmt.op, &stmt.outs, place);
        }
    }

    fn op(&mut self, op: &'a Op, outs: &'a [Var], place: Place<'a>) {
        match op {
            Op::Scalar(op, args) => {
                self.scalars.insert(outs[0], (*op, args));
            }
            Op::Check { .. } | Op::Len(_) => {}
            Op::Read { array, index } => self.read(*array, *index, place),
            Op::Literal(_) => self.make_whole(outs, Reason::WholeArray),
            Op::Update { array, .. } => {
                self.escape(Atom::Var(*array), Reason::Updated);
                self.make_whole(outs, Reason::Updated);
            }
            Op::If { then, else_, .. } => {
                let inner = match place.seg {
                    Some(_) => Place {
                        conditional: true,
                        ..place
                    },
                    None => Place {
                        host_branches: place.host_branches + 1,
                        ..place
                    },
                };
                for branch in [then, else_] {
                    self.body(branch, inner);
                    branch
                        .results
                        .iter()
                        .for_each(|it| self.escape(*it, Reason::ControlFlow));
                }
                self.make_whole(outs, Reason::ControlFlow);
            }
            Op::Loop(it) => {
                let inner = match place.seg {
                    Some(_) => Place {
                        inner_loop: true,
                        ..place
                    },
                    None => Place {
                        host_loops: place.host_loops + 1,
                        ..place
                    },
                };
                self.body(&it.cond, inner);
                self.body(&it.body, inner);
                let state = it.init.iter().chain(&it.body.results);
                state.for_each(|atom| self.escape(*atom, Reason::ControlFlow));
                self.make_whole(outs, Reason::ControlFlow);
            }
            Op::Seg(seg) => self.seg(seg, outs, place),
        }
    }

    fn seg(&mut self, seg: &'a Seg, outs: &'a [Var], place: Place<'a>) {
        let producer = matches!(seg.consumer, Consumer::Build).then(|| {
            let at = self.producers.len();
            self.by_array.extend(outs.iter().map(|out| (*out, at)));
            self.producers.push(Producer {
                seg,
                outs,
                host_loops: place.host_loops,
                host_branches: place.host_branches,
                uses: Vec::new(),
                escapes: None,
                reads: Vec::new(),
            });
            at
        });
        self.current = producer;
        let index = innermost_index(seg);
        self.inside.insert(index, index);
        let inner = Place {
            seg: Some(seg),
            inner_loop: false,
            conditional: false,
            ..place
        };
        self.body(&seg.body, inner);
        self.current = None;
        self.consumer(
            &seg.consumer,
            outs,
            Place {
                inner_loop: true,
                ..inner
            },
        );
    }

    fn consumer(&mut self, consumer: &'a Consumer, outs: &'a [Var], place: Place<'a>) {
        match consumer {
            Consumer::Build => {}
            Consumer::Reduce { combine, .. } => self.body(&combine.body, place),
            Consumer::Scan { combine, .. } => {
                self.body(&combine.body, place);
                self.make_whole(outs, Reason::WholeArray);
            }
            Consumer::Fold { step, .. } => self.body(step, place),
            Consumer::Scatter { into, .. } => {
                into.iter()
                    .for_each(|array| self.escape(Atom::Var(*array), Reason::Updated));
                self.make_whole(outs, Reason::WholeArray);
            }
        }
    }

    fn make_whole(&mut self, outs: &[Var], reason: Reason) {
        for out in outs {
            if matches!(self.function.vars[out.index()].ty, VarType::Array(_)) {
                self.whole.insert(*out, reason);
            }
        }
    }

    fn read(&mut self, array: Var, index: Atom, place: Place<'a>) {
        let Some(&producer) = self.by_array.get(&array) else {
            return;
        };
        if let Some(reader) = self.current {
            self.producers[reader].reads.push(producer);
        }
        self.producers[producer].uses.push(Use { place, index });
    }

    fn escape(&mut self, atom: Atom, reason: Reason) {
        if let Atom::Var(var) = atom
            && let Some(&producer) = self.by_array.get(&var)
        {
            self.producers[producer].escapes.get_or_insert(reason);
        }
    }

    fn decide(self) -> Plan {
        let mut reasons = self.whole.clone();
        let mut totals: Vec<Total> = Vec::with_capacity(self.producers.len());
        for producer in &self.producers {
            let mut total = Total::of(&producer.seg.body);
            for read in &producer.reads {
                if !reasons.contains_key(&self.producers[*read].outs[0]) {
                    total.add(totals[*read]);
                }
            }
            if let Some(reason) = self.reason_to_store(producer, total) {
                reasons.extend(producer.outs.iter().map(|out| (*out, reason)));
            }
            totals.push(total);
        }
        Plan { reasons }
    }

    /// See Note [Fusion without duplicated work].
    fn reason_to_store(&self, producer: &Producer<'a>, total: Total) -> Option<Reason> {
        if producer.escapes.is_some() {
            return producer.escapes;
        }
        if total.may_fail {
            let exact = producer.uses.iter().any(|it| self.visits_all(producer, it));
            if !exact {
                return Some(Reason::MayFail);
            }
        } else if total.cost <= CHEAP && !total.branches {
            return None;
        }
        self.one_reader(producer)
    }

    fn one_reader(&self, producer: &Producer<'a>) -> Option<Reason> {
        let first = producer.uses.first()?;
        for it in &producer.uses {
            if !same_seg(it.place.seg, first.place.seg) {
                return Some(Reason::SeveralReaders);
            }
            if it.place.inner_loop || it.place.host_loops > producer.host_loops {
                return Some(Reason::ReadInLoop);
            }
            if it.index != first.index || !self.runs_once(it) {
                return Some(Reason::ReadOutOfOrder);
            }
        }
        None
    }

    /// Whether the index takes each value once while the reader runs.
    fn runs_once(&self, it: &Use<'a>) -> bool {
        let Some(seg) = it.place.seg else { return true };
        let index = innermost_index(seg);
        if it.index == Atom::Var(index) {
            return true;
        }
        let Atom::Var(var) = it.index else {
            return false;
        };
        let Some((op, args)) = self.scalars.get(&var) else {
            return false;
        };
        let is_index = |at: usize| args[at] == Atom::Var(index);
        let is_fixed = |at: usize| self.outside(args[at], index);
        match op {
            ScalarOp::Add => is_index(0) && is_fixed(1) || is_fixed(0) && is_index(1),
            ScalarOp::Sub => is_index(0) && is_fixed(1) || is_fixed(0) && is_index(1),
            _other => false,
        }
    }

    fn outside(&self, atom: Atom, index: Var) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => self.inside.get(&var) != Some(&index),
        }
    }

    /// See Note \[Strictness\].
    fn visits_all(&self, producer: &Producer<'a>, it: &Use<'a>) -> bool {
        let Some(seg) = it.place.seg else {
            return false;
        };
        !it.place.conditional
            && it.place.host_branches == producer.host_branches
            && it.index == Atom::Var(innermost_index(seg))
            && same_extent(innermost_extent(seg), innermost_extent(producer.seg))
    }
}

/// What an element costs with everything that is fused into it.
#[derive(Clone, Copy)]
struct Total {
    cost: u32,
    may_fail: bool,
    branches: bool,
}

impl Total {
    fn of(body: &Body) -> Total {
        Total {
            cost: body_cost(body),
            may_fail: may_fail(body),
            branches: branches(body),
        }
    }

    fn add(&mut self, other: Total) {
        self.cost = self.cost.saturating_add(other.cost);
        self.may_fail |= other.may_fail;
        self.branches |= other.branches;
    }
}

/// Whether a body holds checks.
pub fn may_fail(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Check { .. } => true,
        Op::If { then, else_, .. } => may_fail(then) || may_fail(else_),
        Op::Loop(it) => may_fail(&it.cond) || may_fail(&it.body),
        Op::Seg(seg) => may_fail(&seg.body),
        Op::Scalar(..) | Op::Len(_) | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => false,
    })
}

fn branches(body: &Body) -> bool {
    body.stmts
        .iter()
        .any(|stmt| matches!(stmt.op, Op::If { .. } | Op::Loop(_)))
}

/// The variable that runs over the innermost level.
pub fn innermost_index(seg: &Seg) -> Var {
    seg.space.levels.last().expect("a space has a level").index
}

fn innermost_extent(seg: &Seg) -> &Extent {
    &seg.space.levels.last().expect("a space has a level").extent
}

fn same_extent(a: &Extent, b: &Extent) -> bool {
    a.value == b.value || (a.size == b.size && a.size.as_known() != Some(0))
}

fn same_seg(a: Option<&Seg>, b: Option<&Seg>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => innermost_index(a) == innermost_index(b),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The construct that an array variable stands for.
pub fn source_of(function: &Function, array: Var) -> SrcSpan {
    function.vars[array.index()].src
}
