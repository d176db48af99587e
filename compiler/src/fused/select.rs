//! Sorts of which no more than a few places are read.
//!
//! In, out: a fused function. Where all that reads what a sort makes reads it at places that can be told before
//! the sort, and there are few of them, the sort finds what is there, in time that is linear in the elements:
//! `xs.kth_smallest(k)`, `xs.sort()[0]`, the two elements in the middle. They may be read in branches, loops and
//! kernels; places that are not there are asked for all the same, and nobody reads what is found.
//! Assumes that scalar operations are total, and arrays assigned once.

use crate::fused::fast::{bodies, given_inside, operands};
use crate::fused::ir::{Body, Function, Op, Sink, SortOf, Stmt};
use crate::fused::ordered::bodies_mut;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// So many places at most: each takes a pass over the keys.
const FEW: usize = 4;

/// So many reads of these.
const READS: usize = 16;

/// Makes selections of such sorts.
pub(super) fn select(function: &mut Function) {
    in_body(&mut function.body);
}

fn in_body(body: &mut Body) {
    for inner in body.stmts.iter_mut().flat_map(|stmt| stmt.op.bodies_mut()) {
        in_body(inner);
    }
    let mut at = 0;
    while at < body.stmts.len() {
        if let Some(Selection { reads, before }) = selection(body, at) {
            make(body, at, reads, &before);
        }
        at += 1;
    }
}

/// What becomes of a sort.
struct Selection {
    /// What the elements that are read are called, and where they are.
    reads: Vec<(Var, Atom)>,
    /// What tells the places, of what is computed behind the sort.
    before: HashSet<Var>,
}

/// That of the sort that the statement `at` is, if few elements are all that it is for.
fn selection(body: &Body, at: usize) -> Option<Selection> {
    let sorted = keys(&body.stmts[at])?;
    let mut behind = Behind {
        sorted,
        reads: Vec::new(),
        made: HashMap::default(),
    };
    behind.stmts(&body.stmts[at + 1..])?;
    let places: HashSet<Atom> = behind.reads.iter().map(|(_, place)| *place).collect();
    let few = (1..=FEW).contains(&places.len()) && behind.reads.len() <= READS;
    if body.results.contains(&Atom::Var(sorted)) || !few {
        return None;
    }
    let mut before = HashSet::default();
    let mut places = behind.reads.iter();
    places
        .all(|(_, place)| behind.tells(*place, &mut before))
        .then_some(Selection {
            reads: behind.reads,
            before,
        })
}

/// What a statement sorts keys to, or their positions.
fn keys(stmt: &Stmt) -> Option<Var> {
    match &stmt.op {
        Op::Kernel(kernel) if matches!(kernel.sink, Sink::Sort(SortOf::Keys(_))) => {
            stmt.outs.first().copied()
        }
        _other => None,
    }
}

/// What stands behind a sort.
struct Behind<'f> {
    sorted: Var,
    reads: Vec<(Var, Atom)>,
    /// What is made there, and by what; indices, states and elements of operators by nothing that could be told.
    made: HashMap<Var, Option<&'f Stmt>>,
}

impl<'f> Behind<'f> {
    /// `None` if what is sorted is not read alone.
    fn stmts(&mut self, stmts: &'f [Stmt]) -> Option<()> {
        for stmt in stmts {
            self.made
                .extend(stmt.outs.iter().map(|out| (*out, Some(stmt))));
            match &stmt.op {
                Op::Read { array, index } if *array == self.sorted => {
                    self.reads.push((stmt.outs[0], *index));
                }
                _other if operands(stmt).contains(&Atom::Var(self.sorted)) => return None,
                op => self
                    .made
                    .extend(given_inside(op).into_iter().map(|var| (var, None))),
            }
            for body in bodies(stmt) {
                self.stmts(&body.stmts)?;
                if body.results.contains(&Atom::Var(self.sorted)) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether an operand can be told before the sort; `before` gets what has to be computed there.
    fn tells(&self, atom: Atom, before: &mut HashSet<Var>) -> bool {
        let Atom::Var(var) = atom else { return true };
        let Some(stmt) = self.made.get(&var) else {
            return true;
        };
        let Some(stmt) = stmt else { return false };
        before.insert(var);
        match &stmt.op {
            Op::Scalar(_, args) => args.iter().all(|arg| self.tells(*arg, before)),
            Op::Len { array, .. } => self.tells(Atom::Var(*array), before),
            _other => false,
        }
    }
}

/// Makes the sort `at` a selection.
fn make(body: &mut Body, at: usize, reads: Vec<(Var, Atom)>, before: &HashSet<Var>) {
    let (outs, places): (Vec<Var>, _) = reads.into_iter().unzip();
    let mut moved = Vec::new();
    let mut behind = body.stmts.split_off(at + 1);
    take(&mut behind, &outs, before, &mut moved);
    let mut sort = body.stmts.pop().expect("the statement `at`");
    if let Op::Kernel(kernel) = &mut sort.op
        && let Sink::Sort(SortOf::Keys(sorted)) = kernel.sink
    {
        kernel.sink = Sink::Sort(SortOf::At(sorted, places));
    }
    sort.outs = outs;
    body.stmts.append(&mut moved);
    body.stmts.push(sort);
    body.stmts.append(&mut behind);
}

/// Takes reads out of statements, and what is to be computed before.
fn take(stmts: &mut Vec<Stmt>, reads: &[Var], before: &HashSet<Var>, moved: &mut Vec<Stmt>) {
    for mut stmt in std::mem::take(stmts) {
        if stmt.outs.iter().any(|out| before.contains(out)) {
            moved.push(stmt);
            continue;
        }
        if stmt.outs.iter().any(|out| reads.contains(out)) {
            continue;
        }
        bodies_mut(&mut stmt.op, &mut |body| {
            take(&mut body.stmts, reads, before, moved);
        });
        stmts.push(stmt);
    }
}
