//! Which arrays stay delayed, and why the others are in memory.
//!
//! In: a flat function. Out: for each array that an operation builds, `None` (delayed: computed
//! where it is read) or the [`Reason`] to store it. Assumes that arrays are assigned once.
//!
//! Note [Fusion without duplicated work]. A built array is delayed if all of it is read by one
//! operation, at one index that runs through the index space once (`visits.rs`), outside of loops, so
//! that each element is still computed once (paper 001 §4); or if its element is so cheap that
//! computing it again beats a round trip through memory. That is judged of what is read and computed
//! apart from where it is read: an index function reads one element, and its arithmetic is next to
//! nothing, but for divisions that do not cancel in the position. A length is a scalar of its own,
//! so asking for it never blocks fusion. Readers in different branches of a conditional count apart: only
//! one of them runs.
//!
//! Note \[Strictness\]. The language is strict: a failing element is an error even if nobody reads
//! it. So a body with checks is delayed only where its reader visits exactly its index space and is
//! in no branch that the body is not in.
//!
//! An array that is read after what it reads has been changed is stored, so that the change is made in
//! place (`overwritten.rs`).

use crate::flat::ir::{Body, Consumer, Function, Level, Op, Seg};
use crate::fused::border::Packs;
use crate::fused::cost::position_cost;
use crate::fused::ir::Reason;
use crate::fused::linear::{Defs, Poly, normal};
use crate::fused::overwritten::{Changes, changes};
use crate::fused::total::Total;
use crate::fused::visits::Visits;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::{Atom, Extent, VarType};

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
pub fn plan(function: &Function, packs: &Packs) -> Plan {
    let mut survey = Survey::new(function, packs);
    survey.body(&function.body, &Place::default());
    for result in &function.body.results {
        survey.escape(*result, Reason::Result);
    }
    survey.decide()
}

/// Where a read stands.
#[derive(Clone, Default)]
struct Place<'a> {
    /// The levels of the operations around it, outermost first.
    levels: Vec<&'a Level>,
    /// How many loops are around it; the operator of an operation counts as one.
    loops: u32,
    /// The branches of conditionals around it, outermost first.
    branches: Vec<Branch>,
    /// Whether the innermost operation around it builds arrays of scalars.
    builds: bool,
}

impl Place<'_> {
    fn indices(&self) -> Vec<Var> {
        self.levels.iter().map(|level| level.index).collect()
    }

    /// Whether only one of the two is reached for an index of the outermost `levels`: they are in different
    /// branches of a conditional that stands in no more of them.
    fn excludes(&self, other: &Place, levels: usize) -> bool {
        let pairs = self.branches.iter().zip(&other.branches);
        let mut pairs = pairs.filter(|(a, _)| a.levels <= levels);
        pairs.any(|(a, b)| a.conditional == b.conditional && a.holds != b.holds)
    }
}

/// A branch of a conditional.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Branch {
    /// The conditional, by the number of statements before it.
    conditional: usize,
    /// Whether it is the branch where the condition holds.
    holds: bool,
    /// How many levels are around the conditional.
    levels: usize,
}

/// A read of a built array.
struct Use<'a> {
    place: Place<'a>,
    index: &'a [Atom],
    /// When, by the number of statements before it.
    time: usize,
}

/// An operation that builds arrays.
struct Producer<'a> {
    seg: &'a Seg,
    outs: &'a [Var],
    place: Place<'a>,
    uses: Vec<Use<'a>>,
    escapes: Option<Reason>,
    /// Positions of producers that its body reads, once per read.
    reads: Vec<usize>,
    /// What else its body reads.
    stored: Vec<Var>,
    /// When it is defined, by the number of statements before it.
    time: usize,
}

impl Producer<'_> {
    /// The levels around a use, without those around the producer too.
    fn levels_of<'u, 'a>(&self, it: &'u Use<'a>) -> &'u [&'a Level] {
        &it.place.levels[self.place.levels.len()..]
    }
}

struct Survey<'a> {
    function: &'a Function,
    packs: &'a Packs,
    params: HashSet<Var>,
    producers: Vec<Producer<'a>>,
    by_array: HashMap<Var, usize>,
    /// Arrays of scans, scatters, literals, updates, conditionals and loops.
    whole: HashMap<Var, Reason>,
    /// Scalar definitions, for the form of indices.
    scalars: Defs<'a>,
    /// The levels in whose body a variable is defined.
    inside: HashMap<Var, Vec<Var>>,
    current: Option<usize>,
    /// How many statements have been seen.
    time: usize,
    changes: Changes,
}

impl<'a> Survey<'a> {
    fn new(function: &'a Function, packs: &'a Packs) -> Self {
        let params = function.params.iter().flat_map(|it| &it.vars);
        Survey {
            function,
            packs,
            params: params.copied().collect(),
            producers: Vec::new(),
            by_array: HashMap::default(),
            whole: HashMap::default(),
            scalars: HashMap::default(),
            inside: HashMap::default(),
            current: None,
            time: 0,
            changes: Changes::default(),
        }
    }

    fn body(&mut self, body: &'a Body, place: &Place<'a>) {
        let indices = place.indices();
        for stmt in &body.stmts {
            let outs = stmt.outs.iter();
            self.inside.extend(outs.map(|out| (*out, indices.clone())));
            self.op(&stmt.op, &stmt.outs, place);
        }
    }

    fn op(&mut self, op: &'a Op, outs: &'a [Var], place: &Place<'a>) {
        self.time += 1;
        let mut changed = changes(op);
        // These are the caller's: a copy of the whole changes.
        changed.retain(|array| !self.params.contains(array));
        self.changes.add(changed, self.time);
        match op {
            Op::Scalar(op, args) => {
                self.scalars.insert(outs[0], (*op, args));
            }
            Op::Check { .. } | Op::Len { .. } => {}
            Op::Read { array, index } => self.read(*array, index, place),
            Op::Literal(_) => self.make_whole(outs, Reason::WholeArray),
            Op::Update { array, .. } => {
                self.escape(Atom::Var(*array), Reason::Updated);
                self.make_whole(outs, Reason::Updated);
            }
            Op::If { then, else_, .. } => {
                let (conditional, levels) = (self.time, place.levels.len());
                for (branch, holds) in [(then, true), (else_, false)] {
                    let mut inner = place.clone();
                    inner.branches.push(Branch {
                        conditional,
                        holds,
                        levels,
                    });
                    self.body(branch, &inner);
                    branch
                        .results
                        .iter()
                        .for_each(|it| self.escape(*it, Reason::Branch));
                }
                self.make_whole(outs, Reason::Branch);
            }
            Op::Loop(it) => {
                let mut inner = place.clone();
                inner.loops += 1;
                let indices = place.indices();
                let params = it.params.iter();
                self.inside.extend(params.map(|it| (*it, indices.clone())));
                self.body(&it.cond, &inner);
                self.body(&it.body, &inner);
                let state = it.init.iter().chain(&it.body.results);
                state.for_each(|atom| self.escape(*atom, Reason::LoopState));
                self.make_whole(outs, Reason::LoopState);
            }
            Op::Seg(seg) => self.seg(seg, outs, place),
        }
    }

    fn seg(&mut self, seg: &'a Seg, outs: &'a [Var], place: &Place<'a>) {
        let builds = matches!(seg.consumer, Consumer::Build);
        let rows = seg.body.results.iter().any(|it| self.is_array(*it));
        if rows {
            self.make_whole(outs, Reason::Rows);
        }
        let producer = (builds && !rows).then(|| {
            let at = self.producers.len();
            self.by_array.extend(outs.iter().map(|out| (*out, at)));
            self.producers.push(Producer {
                seg,
                outs,
                place: place.clone(),
                uses: Vec::new(),
                escapes: None,
                reads: Vec::new(),
                stored: Vec::new(),
                time: self.time,
            });
            at
        });
        let outer = self.current;
        if producer.is_some() {
            self.current = producer;
        }
        let mut inner = place.clone();
        inner.levels.extend(&seg.space.levels);
        inner.builds = builds && !self.packs.contains_key(&outs[0]);
        let indices = inner.indices();
        for level in &seg.space.levels {
            self.inside.insert(level.index, indices.clone());
        }
        self.body(&seg.body, &inner);
        for result in &seg.body.results {
            self.escape(*result, Reason::Rows);
        }
        self.current = outer;
        inner.loops += 1;
        self.consumer(&seg.consumer, outs, &inner);
    }

    fn is_array(&self, atom: Atom) -> bool {
        match atom {
            Atom::Var(var) => {
                matches!(self.function.vars[var.index()].ty, VarType::Array(_))
            }
            Atom::Const(_) => false,
        }
    }

    fn consumer(&mut self, consumer: &'a Consumer, outs: &'a [Var], place: &Place<'a>) {
        match consumer {
            Consumer::Build => {}
            Consumer::Rows { offsets } => {
                for array in offsets {
                    self.escape(Atom::Var(*array), Reason::Offsets);
                    self.whole
                        .entry(*array)
                        .and_modify(|why| *why = Reason::Offsets);
                }
            }
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
            Consumer::Sort(_) => self.make_whole(outs, Reason::WholeArray),
        }
    }

    fn make_whole(&mut self, outs: &[Var], reason: Reason) {
        for out in outs {
            if matches!(self.function.vars[out.index()].ty, VarType::Array(_)) {
                self.whole.insert(*out, reason);
            }
        }
    }

    fn read(&mut self, array: Var, index: &'a [Atom], place: &Place<'a>) {
        let Some(&producer) = self.by_array.get(&array) else {
            if let Some(reader) = self.current {
                self.producers[reader].stored.push(array);
            }
            return;
        };
        if let Some(reader) = self.current {
            self.producers[reader].reads.push(producer);
        }
        let (place, time) = (place.clone(), self.time);
        self.producers[producer]
            .uses
            .push(Use { place, index, time });
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
        let mut totals = vec![None; self.producers.len()];
        for producer in 0..self.producers.len() {
            self.decide_one(producer, &mut totals, &mut reasons);
        }
        Plan { reasons }
    }

    /// Decides for a producer, after those that it reads; gives what its element costs.
    fn decide_one(
        &self,
        at: usize,
        totals: &mut [Option<Total>],
        reasons: &mut HashMap<Var, Reason>,
    ) -> Total {
        if let Some(total) = totals[at] {
            return total;
        }
        let producer = &self.producers[at];
        let mut total = Total::of(&producer.seg.body, &self.function.vars);
        let mut moved = HashSet::default();
        for read in &producer.reads {
            let other = self.decide_one(*read, totals, reasons);
            let out = &self.producers[*read].outs[0];
            if !reasons.contains_key(out) {
                total.add(other);
                if !other.in_order {
                    moved.insert(*read);
                }
            }
        }
        self.add_positions(producer, &moved, &mut total);
        let overwritten = || self.is_overwritten(producer, reasons);
        let reason = self.reason_to_store(producer, total);
        if let Some(reason) = reason.or_else(|| overwritten().then_some(Reason::Overwritten)) {
            reasons.extend(producer.outs.iter().map(|out| (*out, reason)));
        }
        totals[at] = Some(total);
        total
    }

    /// Adds what it costs to find where a producer reads. Producers in `moved` are delayed and do not
    /// read at the positions that their elements would have in memory.
    fn add_positions(&self, producer: &Producer<'a>, moved: &HashSet<usize>, total: &mut Total) {
        let levels = &producer.seg.space.levels;
        let own = levels
            .iter()
            .map(|it| (Atom::Var(it.index), it.extent.value));
        let own = self.row_major(own);
        let moves = |var: Var| match self.inside.get(&var) {
            Some(inside) => levels.iter().any(|level| inside.contains(&level.index)),
            None => false,
        };
        for stmt in &producer.seg.body.stmts {
            let Op::Read { array, index } = &stmt.op else {
                continue;
            };
            let VarType::Array(ty) = &self.function.vars[array.index()].ty else {
                continue;
            };
            let positions = match self.by_array.get(array) {
                Some(producer) if moved.contains(producer) => {
                    index.iter().map(|it| normal(*it, &self.scalars)).collect()
                }
                _in_order => {
                    let dims = ty.dims.iter().map(|dim| dim.value);
                    vec![self.row_major(index.iter().copied().zip(dims))]
                }
            };
            total.in_order &= positions == [own.clone()];
            let cost = position_cost(&positions, &self.scalars, &moves);
            total.positions = total.positions.saturating_add(cost);
        }
    }

    /// The position of the element at these indices below these extents.
    fn row_major(&self, indices: impl Iterator<Item = (Atom, Atom)>) -> Poly {
        indices.fold(Poly::known(0), |row, (index, extent)| {
            let first = row.times(&normal(extent, &self.scalars));
            first.plus(&normal(index, &self.scalars), 1)
        })
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
        } else if total.is_cheap() {
            return None;
        }
        self.one_reader(producer, total)
    }

    /// Whether it is read after what it, or a delayed array that it reads, is made of has changed.
    fn is_overwritten(&self, producer: &Producer<'a>, reasons: &HashMap<Var, Reason>) -> bool {
        let Some(last) = producer.uses.iter().map(|it| it.time).max() else {
            return false;
        };
        let (mut sources, mut seen) = (vec![producer], HashSet::default());
        while let Some(source) = sources.pop() {
            let mut stored = source.stored.clone();
            for read in &source.reads {
                let other = &self.producers[*read];
                match reasons.contains_key(&other.outs[0]) {
                    true => stored.extend(other.outs),
                    // Once: there may be many ways to it.
                    false if seen.insert(*read) => sources.push(other),
                    false => {}
                }
            }
            let changes = |array: &Var| self.changes.between(*array, producer.time, last);
            if stored.iter().any(changes) {
                return true;
            }
        }
        false
    }

    fn one_reader(&self, producer: &Producer<'a>, total: Total) -> Option<Reason> {
        for (at, it) in producer.uses.iter().enumerate() {
            let before = producer.uses[..at].iter();
            let levels = producer.place.levels.len();
            let beside = before.filter(|other| !it.place.excludes(&other.place, levels));
            let beside: Vec<&Use> = beside.collect();
            if beside
                .iter()
                .any(|other| it.place.indices() != other.place.indices())
            {
                return Some(Reason::SeveralReaders);
            }
            // Only what builds arrays can become a nest.
            if total.nested && !(it.place.builds && it.place.branches == producer.place.branches) {
                return Some(Reason::Rows);
            }
            if it.place.loops > producer.place.loops {
                return Some(Reason::ReadInLoop);
            }
            if beside.iter().any(|other| it.index != other.index) || !self.runs_once(producer, it) {
                return Some(Reason::ReadOutOfOrder);
            }
        }
        None
    }

    /// Whether its indices take each combination of values at most once while the reader runs.
    fn runs_once(&self, producer: &Producer<'a>, it: &Use<'a>) -> bool {
        let visits = Visits {
            levels: producer.levels_of(it),
            scalars: &self.scalars,
            inside: &self.inside,
        };
        visits.each_once(it.index)
    }

    /// See Note \[Strictness\].
    fn visits_all(&self, producer: &Producer<'a>, it: &Use<'a>) -> bool {
        let (own, levels) = (&producer.seg.space.levels, producer.levels_of(it));
        let mut pairs = own.iter().zip(levels).zip(it.index);
        it.place.branches == producer.place.branches
            && own.len() == levels.len()
            && pairs.all(|((own, level), index)| {
                *index == Atom::Var(level.index) && same_extent(&own.extent, &level.extent)
            })
    }
}

/// Whether two extents are known to be equal.
pub fn same_extent(a: &Extent, b: &Extent) -> bool {
    a.value == b.value || (a.size == b.size && a.size.as_known() != Some(0))
}
