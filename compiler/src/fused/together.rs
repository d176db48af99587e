//! Arrays that are written together.
//!
//! In, out: a fused function. Two kernels that write arrays over one space and read something in
//! common become one, which reads it once (horizontal fusion; paper 004 §2.4). In loops, trips of
//! several arrays become trips of one kernel, which `sweeps.rs` asks for.
//!
//! Note \[Writing together\]. The later kernel goes up to the earlier, with the scalars that it needs.
//! So it cannot fail, and nothing in between can: its reads may be in range by a check there. What
//! both compute of the same operands is computed once: statements have numbers that are the same
//! for the same operation on the same numbers (value numbering), with one number for both indices.
//! So the later one may also read what the earlier one writes, at its own index: that is a value of the
//! same body then, and an array that nobody else reads is not written.

use crate::fused::fast::{bodies, operands};
use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::sweep::may_fail;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// Of a product that is made of several: more would have too few registers.
const COMPONENTS: usize = 12;

/// Statements of a kernel that is made of two: more would have too few registers.
const STATEMENTS: usize = 96;

/// The constructs of arrays that other kernels write now.
pub(super) type Moved = HashMap<Var, SrcSpan>;

/// Joins such kernels, outside of nests.
pub(super) fn together(function: &mut Function) -> Moved {
    let mut pass = Pass {
        vars: &function.vars,
        moved: Moved::default(),
    };
    pass.body(&mut function.body);
    if !pass.moved.is_empty() {
        let mut used = HashSet::default();
        uses_of_body(&function.body, &mut used);
        prune(&mut function.body, &used);
    }
    pass.moved
}

/// Leaves out what kernels write and nobody uses.
fn prune(body: &mut Body, used: &HashSet<Var>) {
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::Kernel(kernel) if matches!(kernel.sink, Sink::Write) && !kernel.nest => {
                let live: Vec<bool> = stmt.outs.iter().map(|out| used.contains(out)).collect();
                if live.contains(&true) {
                    let mut keep = live.iter();
                    stmt.outs.retain(|_| *keep.next().unwrap_or(&true));
                    let mut keep = live.iter();
                    kernel
                        .body
                        .results
                        .retain(|_| *keep.next().unwrap_or(&true));
                }
            }
            Op::If { then, else_, .. } => {
                prune(then, used);
                prune(else_, used);
            }
            Op::Loop(it) => prune(&mut it.body, used),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::Kernel(_) => {}
        }
    }
}

struct Pass<'v> {
    vars: &'v [VarInfo],
    moved: Moved,
}

/// The bodies in which a statement may have kernels next to each other: not those of a loop whose trips
/// run together otherwise.
pub(super) fn inner_bodies(stmt: &mut Stmt) -> Vec<&mut Body> {
    match &mut stmt.op {
        Op::If { then, else_, .. } => vec![then, else_],
        Op::Loop(it) if it.reach.is_none() => vec![&mut it.body],
        Op::Loop(_)
        | Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Kernel(_) => Vec::new(),
    }
}

impl Pass<'_> {
    fn body(&mut self, body: &mut Body) {
        for inner in body.stmts.iter_mut().flat_map(inner_bodies) {
            self.body(inner);
        }
        let mut at = 0;
        while at < body.stmts.len() {
            let stmts = &body.stmts;
            let pair = (0..at).find_map(|first| Some((first, self.needs(stmts, first, at)?)));
            match pair {
                Some((first, needs)) => self.join(&mut body.stmts, first, at, &needs),
                None => at += 1,
            }
        }
    }

    /// The scalars that have to go up with the statement `second` to `first`; `None` if they stay two.
    fn needs(&self, stmts: &[Stmt], first: usize, second: usize) -> Option<Vec<usize>> {
        let (a, b) = (writes(&stmts[first])?, writes(&stmts[second])?);
        let outs = stmts[first].outs.len() + stmts[second].outs.len();
        let alike = a.extents == b.extents
            && outs <= COMPONENTS
            && length(&a.body) + length(&b.body) <= STATEMENTS;
        let between = &stmts[first + 1..=second];
        if !alike
            || between.iter().any(|stmt| may_fail(&stmt.op))
            || !self.share((a, &stmts[first].outs), b)
        {
            return None;
        }
        let mut used = uses(&stmts[second]);
        for out in &stmts[first].outs {
            if used.contains(out) && !reads_own(&b.body, *out, b.index) {
                return None;
            }
        }
        let mut needs = Vec::new();
        for at in (first + 1..second).rev() {
            if stmts[at].outs.iter().any(|out| used.contains(out)) {
                if !matches!(stmts[at].op, Op::Scalar(..) | Op::Len { .. }) {
                    return None;
                }
                used.extend(uses(&stmts[at]));
                needs.push(at);
            }
        }
        let early = needs.iter().flat_map(|at| uses(&stmts[*at]));
        if early
            .into_iter()
            .any(|var| stmts[first].outs.contains(&var))
        {
            return None;
        }
        needs.reverse();
        Some(needs)
    }

    /// Whether both read an array, or components of one array of products, at one position, or one what
    /// the other writes.
    fn share(&self, (a, outs): (&Kernel, &[Var]), b: &Kernel) -> bool {
        let mut numbers = Numbers::default();
        let [a, b] = [a, b].map(|kernel| {
            numbers.kernel(kernel, self.vars);
            std::mem::take(&mut numbers.reads)
        });
        let mut sources = b.iter().map(|(source, _)| source);
        !a.is_disjoint(&b)
            || sources.any(|it| matches!(it, Source::Array(array) if outs.contains(array)))
    }

    fn join(&mut self, stmts: &mut Vec<Stmt>, first: usize, second: usize, needs: &[usize]) {
        let later = stmts.remove(second);
        let Op::Kernel(other) = later.op else {
            unreachable!("both are kernels")
        };
        self.moved
            .extend(later.outs.iter().map(|out| (*out, other.parts[0])));
        let earlier = &mut stmts[first];
        if let Op::Kernel(kernel) = &mut earlier.op {
            add(kernel, &earlier.outs, other, self.vars);
        }
        earlier.outs.extend(later.outs);
        for (moved, at) in needs.iter().enumerate() {
            let stmt = stmts.remove(*at);
            stmts.insert(first + moved, stmt);
        }
    }
}

/// The kernel that a statement is, if it writes arrays element by element and goes through no loop for
/// any of them.
fn writes(stmt: &Stmt) -> Option<&Kernel> {
    match &stmt.op {
        Op::Kernel(kernel) if matches!(kernel.sink, Sink::Write) && !kernel.nest => {
            is_straight(&kernel.body).then_some(kernel)
        }
        _other => None,
    }
}

pub(super) fn is_straight(body: &Body) -> bool {
    body.stmts.iter().all(|stmt| match &stmt.op {
        Op::If { then, else_, .. } => is_straight(then) && is_straight(else_),
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => true,
        Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    })
}

fn length(body: &Body) -> usize {
    let inside = |stmt: &Stmt| bodies(stmt).into_iter().map(length).sum::<usize>();
    body.stmts.iter().map(|stmt| 1 + inside(stmt)).sum()
}

/// What a statement uses, with all that is inside of it.
pub(super) fn uses(stmt: &Stmt) -> HashSet<Var> {
    let mut used = HashSet::default();
    add_uses(stmt, &mut used);
    used
}

fn add_uses(stmt: &Stmt, used: &mut HashSet<Var>) {
    add_atoms(&operands(stmt), used);
    bodies(stmt)
        .into_iter()
        .for_each(|it| uses_of_body(it, used));
}

pub(super) fn uses_of_body(body: &Body, used: &mut HashSet<Var>) {
    add_atoms(&body.results, used);
    body.stmts.iter().for_each(|stmt| add_uses(stmt, used));
}

pub(super) fn add_atoms(atoms: &[Atom], used: &mut HashSet<Var>) {
    used.extend(atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }));
}

/// Whether all that a body reads of an array is the element at the index.
pub(super) fn reads_own(body: &Body, array: Var, own: Var) -> bool {
    reads_all(body, array, &|index| index == Atom::Var(own))
}

/// Whether all that a body reads of an array is at indices of which that is so.
pub(super) fn reads_all(body: &Body, array: Var, at: &dyn Fn(Atom) -> bool) -> bool {
    body.stmts.iter().all(|stmt| match &stmt.op {
        Op::Read { array: of, index } => *of != array || at(*index),
        Op::If { then, else_, .. } => reads_all(then, array, at) && reads_all(else_, array, at),
        Op::Len { array: of, .. } => *of != array,
        Op::Scalar(..) | Op::Check { .. } => true,
        Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    })
}

/// Adds what another kernel writes to one that writes `outs`.
pub(super) fn add(kernel: &mut Kernel, outs: &[Var], other: Kernel, vars: &[VarInfo]) {
    let mut numbers = Numbers::default();
    numbers.kernel(kernel, vars);
    let known = std::mem::take(&mut numbers.firsts);
    numbers.kernel(&other, vars);
    let mut names = HashMap::from_iter([(other.index, Atom::Var(kernel.index))]);
    let made = outs
        .iter()
        .copied()
        .zip(kernel.body.results.iter().copied());
    let made: HashMap<Var, Atom> = made.collect();
    let mut body = other.body;
    take_made(&mut body, &made, &mut names);
    for stmt in std::mem::take(&mut body.stmts) {
        let same = match (&stmt.op, stmt.outs.as_slice()) {
            (Op::Scalar(..) | Op::Read { .. }, [out]) => {
                let number = numbers.of.get(out);
                number
                    .and_then(|number| known.get(number))
                    .map(|var| (*out, *var))
            }
            _other => None,
        };
        match same {
            Some((out, var)) => {
                names.insert(out, Atom::Var(var));
            }
            None => body.stmts.push(stmt),
        }
    }
    rename(&mut body, &names);
    kernel.body.stmts.extend(body.stmts);
    kernel.body.results.extend(body.results);
    kernel.parts.extend(other.parts);
}

/// Leaves out the reads of arrays whose elements the same body has made, and notes what they give.
pub(super) fn take_made(
    body: &mut Body,
    made: &HashMap<Var, Atom>,
    names: &mut HashMap<Var, Atom>,
) {
    body.stmts.retain_mut(|stmt| match &mut stmt.op {
        Op::Read { array, .. } => match made.get(array) {
            Some(value) => {
                names.insert(stmt.outs[0], *value);
                false
            }
            None => true,
        },
        Op::If { then, else_, .. } => {
            take_made(then, made, names);
            take_made(else_, made, names);
            true
        }
        _other => true,
    });
}

/// What a statement computes, of numbered operands.
#[derive(PartialEq, Eq, Hash)]
enum Value {
    Index,
    Const(Const),
    /// From outside, or of a conditional.
    Other(Var),
    Scalar {
        op: ScalarOp,
        ty: String,
        fast: bool,
        args: Vec<u32>,
    },
    Read(Var, u32),
}

/// An array, or an array parameter of products.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
pub(super) enum Source {
    Array(Var),
    Param(usize),
}

/// Value numbers (Cocke, "Global Common Subexpression Elimination", 1970).
#[derive(Default)]
pub(super) struct Numbers {
    all: HashMap<Value, u32>,
    of: HashMap<Var, u32>,
    /// The variable that has a number first, of those outside of conditionals.
    firsts: HashMap<u32, Var>,
    /// What has been read, and at which position.
    pub(super) reads: HashSet<(Source, u32)>,
}

impl Numbers {
    pub(super) fn kernel(&mut self, kernel: &Kernel, vars: &[VarInfo]) {
        let index = self.number(Value::Index);
        self.of.insert(kernel.index, index);
        self.body(&kernel.body, vars, true);
    }

    fn body(&mut self, body: &Body, vars: &[VarInfo], outside: bool) {
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Scalar(op, args) => {
                    let out = stmt.outs[0];
                    let args = args.iter().map(|arg| self.atom(*arg)).collect();
                    let VarInfo { ty, fast, .. } = &vars[out.index()];
                    // A cast of one number to two types is two values.
                    let value = Value::Scalar {
                        op: *op,
                        ty: format!("{ty:?}"),
                        fast: *fast,
                        args,
                    };
                    self.define(out, value, outside);
                }
                Op::Read { array, index } => {
                    let at = self.atom(*index);
                    self.reads.insert((source(*array, vars), at));
                    self.define(stmt.outs[0], Value::Read(*array, at), outside);
                }
                Op::If { then, else_, .. } => {
                    self.body(then, vars, false);
                    self.body(else_, vars, false);
                }
                Op::Check { .. }
                | Op::Len { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::Loop(_)
                | Op::Kernel(_) => {}
            }
        }
    }

    fn define(&mut self, out: Var, value: Value, outside: bool) {
        let number = self.number(value);
        self.of.insert(out, number);
        if outside {
            self.firsts.entry(number).or_insert(out);
        }
    }

    fn atom(&mut self, atom: Atom) -> u32 {
        match atom {
            Atom::Const(it) => self.number(Value::Const(it)),
            Atom::Var(var) => match self.of.get(&var) {
                Some(number) => *number,
                None => self.number(Value::Other(var)),
            },
        }
    }

    fn number(&mut self, value: Value) -> u32 {
        let next = u32::try_from(self.all.len()).expect("fewer than 2^32 values");
        *self.all.entry(value).or_insert(next)
    }
}

fn source(array: Var, vars: &[VarInfo]) -> Source {
    match vars[array.index()].ty {
        Layout::Component { param, .. } => Source::Param(param),
        Layout::Plain(_) | Layout::Packed { .. } => Source::Array(array),
    }
}

/// Calls variables by other names, in a body without loops.
pub(super) fn rename(body: &mut Body, names: &HashMap<Var, Atom>) {
    let atom = |atom: &mut Atom| {
        if let Atom::Var(var) = atom {
            *atom = names.get(var).copied().unwrap_or(*atom);
        }
    };
    body.results.iter_mut().for_each(atom);
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::Scalar(_, args) => args.iter_mut().for_each(atom),
            Op::Check { ok, values, .. } => values.iter_mut().chain([ok]).for_each(atom),
            Op::Read { index, .. } => atom(index),
            Op::Len { .. } => {}
            Op::If { cond, then, else_ } => {
                atom(cond);
                rename(then, names);
                rename(else_, names);
            }
            Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => {
                unreachable!("the body is straight")
            }
        }
    }
}
