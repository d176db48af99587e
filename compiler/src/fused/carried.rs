//! Elements that a sort moves along with their keys.
//!
//! In, out: a fused function. Positions in the order of keys, and a kernel that writes what it reads at
//! these, become one sort, which moves what is written along with the key: random reads would take as long
//! as the sort itself. So they do where nobody else reads the positions, what is written depends on
//! nothing else that differs from index to index, and is short; what is long would be moved more often than
//! it is read. Assumes that positions are read at indices that there are.

use crate::fused::fast::bodies;
use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Sink, SortOf, Stmt, VarInfo};
use crate::fused::sweep::{body_may_fail, may_fail};
use crate::fused::together::{add, is_straight, rename, uses, uses_of_body};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::Sorted;
use crate::shaped::ir::{Atom, VarType};

/// What moves along, at most: bits, and components, as the run time has impls for.
const BITS: u32 = 128;
const COMPONENTS: usize = 6;

/// Makes such sorts of the whole function.
pub(super) fn carry(function: &mut Function) {
    if !sorts_positions(&function.body) {
        return;
    }
    let vars = std::mem::take(&mut function.vars);
    let mut pass = Carry { vars };
    pass.body(&mut function.body);
    function.vars = pass.vars;
}

/// Whether there are any positions: most functions need no survey.
fn sorts_positions(body: &Body) -> bool {
    body.stmts
        .iter()
        .any(|stmt| positions(stmt).is_some() || bodies(stmt).into_iter().any(sorts_positions))
}

/// The kernel of a sort of positions.
fn positions(stmt: &Stmt) -> Option<&Kernel> {
    match &stmt.op {
        Op::Kernel(kernel) => match &kernel.sink {
            Sink::Sort(SortOf::Keys(Sorted::Positions)) => Some(kernel),
            _other => None,
        },
        _other => None,
    }
}

pub(super) struct Carry {
    pub(super) vars: Vec<VarInfo>,
}

impl Carry {
    fn body(&mut self, body: &mut Body) {
        for stmt in &mut body.stmts {
            for body in stmt.op.bodies_mut() {
                self.body(body);
            }
        }
        let mut at = 0;
        while at < body.stmts.len() {
            match self.merged(body, at) {
                Some((reader, stmt)) => {
                    body.stmts[reader] = stmt;
                    body.stmts.remove(at);
                }
                None if positions(&body.stmts[at]).is_some() && self.put_in_order(body, at) => {}
                None => at += 1,
            }
        }
    }

    /// The sort that becomes of the positions that the statement at `at` makes and of the kernel that
    /// reads them, and which statement that is.
    fn merged(&self, body: &Body, at: usize) -> Option<(usize, Stmt)> {
        let stmts = &body.stmts;
        let sort = positions(&stmts[at])?;
        let positions = stmts[at].outs[0];
        let reads = |it: &usize| uses(&stmts[*it]).contains(&positions);
        let mut readers = (at + 1..stmts.len()).filter(reads);
        let (reader, other) = (readers.next()?, readers.next());
        if other.is_some() || body.results.contains(&Atom::Var(positions)) {
            return None;
        }
        let Op::Kernel(kernel) = &stmts[reader].op else {
            return None;
        };
        let writes = matches!(kernel.sink, Sink::Write | Sink::Pack)
            && !kernel.nest
            && kernel.extents == sort.extents
            && is_straight(&kernel.body)
            && !body_may_fail(&kernel.body);
        let fails = body_may_fail(&sort.body);
        let mut between = stmts[at + 1..reader].iter();
        if !writes || !between.all(|stmt| may_follow(stmt, fails)) {
            return None;
        }
        let sort = self.elements(sort, at_index(kernel, positions)?, BITS)?;
        let stmt = Stmt {
            op: Op::Kernel(sort),
            outs: stmts[reader].outs.clone(),
            src: stmts[at].src,
        };
        Some((reader, stmt))
    }

    /// The sort of what `kernel` computes of each element, if that is no more than so many bits.
    pub(super) fn elements(&self, sort: &Kernel, kernel: Kernel, most: u32) -> Option<Kernel> {
        let packs = matches!(kernel.sink, Sink::Pack);
        let mut sort = sort.clone();
        add(&mut sort, &[], kernel, &self.vars);
        let results = sort.body.results.split_off(1);
        let mut components = Vec::new();
        for result in results {
            let all = &mut sort.body.results;
            components.push(match all.iter().position(|it| *it == result) {
                Some(known) => known,
                None => {
                    all.push(result);
                    all.len() - 1
                }
            });
        }
        let along = &sort.body.results[1..];
        let bits = along.iter().map(|it| self.bits(*it)).sum::<Option<u32>>()?;
        if bits > most || along.len() > COMPONENTS {
            return None;
        }
        let of = match components.as_slice() {
            [0] if !packs => SortOf::Keys(Sorted::Values),
            _several => SortOf::Elements(components),
        };
        sort.sink = Sink::Sort(of);
        Some(sort)
    }

    /// The bits of a scalar that differs from index to index.
    fn bits(&self, atom: Atom) -> Option<u32> {
        let Atom::Var(var) = atom else {
            return None;
        };
        match &self.vars[var.index()].ty {
            Layout::Plain(VarType::Scalar(scalar)) => Some(scalar.bits()),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                None
            }
        }
    }
}

/// Whether a sort may be computed after a statement instead of before it; it may fail if `fails`.
pub(super) fn may_follow(stmt: &Stmt, fails: bool) -> bool {
    let stays = match &stmt.op {
        Op::Kernel(kernel) => !matches!(kernel.sink, Sink::Scatter { .. } | Sink::Append { .. }),
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) => {
            true
        }
        // An array that the sort reads would have to be copied.
        Op::Update { .. } | Op::If { .. } | Op::Loop(_) => false,
    };
    stays && !(fails && may_fail(&stmt.op))
}

/// What a kernel computes where all that it reads at some `positions` is read at the index, if nothing else
/// differs from index to index.
fn at_index(kernel: &Kernel, positions: Var) -> Option<Kernel> {
    let mut kernel = kernel.clone();
    let mut names = HashMap::default();
    take_reads(&mut kernel.body, (positions, kernel.index), &mut names);
    let mut used = HashSet::default();
    uses_of_body(&kernel.body, &mut used);
    if used.contains(&positions) || used.contains(&kernel.index) {
        return None;
    }
    rename(&mut kernel.body, &names);
    Some(kernel)
}

/// Leaves out the reads of an array at the index, and calls what they give as that.
fn take_reads(body: &mut Body, (array, own): (Var, Var), names: &mut HashMap<Var, Atom>) {
    body.stmts.retain_mut(|stmt| match &mut stmt.op {
        Op::Read { array: of, index } if *of == array && *index == Atom::Var(own) => {
            names.insert(stmt.outs[0], *index);
            false
        }
        Op::If { then, else_, .. } => {
            take_reads(then, (array, own), names);
            take_reads(else_, (array, own), names);
            true
        }
        _other => true,
    });
}
