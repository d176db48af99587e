//! Kernels over rows that run together, each some rows ahead of those that read what it makes.
//!
//! In: a fused function with its convoys. Out: the same with such kernels in consecutive statements, and
//! the list of them. Assumes that what a kernel reads is in range.
//!
//! Note \[Rows ahead\]. A stencil cannot be one kernel with the stencil that reads what it gives: each
//! value would be computed for every place that looks at it. But if no kernel of a chain reads further
//! than some rows from its own, they can go over the rows together, those in front a few rows ahead, with
//! no more of what they make in memory than these rows (see `Cascade` in the run time). One that is read
//! in its own rows alone, as by a stencil across, is not ahead: it does the rows that are next. Only the last
//! kernel makes arrays that anybody else may read. None may fail, so a kernel may go past checks, down to
//! the last one. Where rows go on from the other end, these are rows nearby as well: then all kernels take
//! their rows as repeated on both sides, and those of the other end are computed again there.

use crate::fused::beyond::beyond;
use crate::fused::convoys::{own, passes};
use crate::fused::fast::{bodies, operands};
use crate::fused::ir::{Body, Convoy, Function, Kernel, Op, Sink, Stmt, VarInfo};
use crate::fused::near::{Near, Reached};
use crate::fused::sweep::may_fail;
use crate::fused::sweeps::{Defs, Equal, define};
use crate::fused::together::{add_atoms, inner_bodies, is_straight, uses};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// As many kernels as the run time has impls for, and as many arrays of each.
const KERNELS: usize = 8;
const ARRAYS: usize = 12;

/// The most rows by which a kernel may be ahead of the last.
const MOST_ROWS: u64 = 16;

/// The same, of elements where there is one axis.
const MOST_ELEMENTS: u64 = 1024;

/// Puts such kernels one after another, outside of nests, and says which they are.
pub(super) fn cascades(function: &mut Function) -> Vec<Convoy> {
    if !any(&function.body) {
        return Vec::new();
    }
    let (mut defs, mut readers) = (Defs::default(), HashMap::default());
    define(&function.body, &mut defs);
    count(&function.body, &mut readers);
    let taken = function.convoys.iter().flat_map(|it| &it.members).copied();
    let mut pass = Pass {
        vars: std::mem::take(&mut function.vars),
        defs,
        equal: Equal::default(),
        readers,
        taken: taken.collect(),
        found: Vec::new(),
    };
    pass.body(&mut function.body);
    function.vars = pass.vars;
    let found = pass.found.into_iter();
    found
        .map(|it| Convoy {
            own: own(function, &it.members),
            members: it.members,
            turned: Vec::new(),
            leads: it.leads,
            round: it.round,
        })
        .collect()
}

/// Whether there may be two such kernels, one of which reads the other's arrays.
fn any(body: &Body) -> bool {
    let mut made: HashSet<Var> = HashSet::default();
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Kernel(_) if member(stmt).is_some() => {
            let reads = !made.is_empty() && uses(stmt).iter().any(|var| made.contains(var));
            made.extend(&stmt.outs);
            reads
        }
        Op::If { then, else_, .. } => any(then) || any(else_),
        Op::Loop(it) => any(&it.body),
        Op::Kernel(_)
        | Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => false,
    })
}

/// How many statements use each variable, and bodies as their results.
fn count(body: &Body, readers: &mut HashMap<Var, usize>) {
    let mut note = |used: HashSet<Var>| {
        for var in used {
            *readers.entry(var).or_insert(0) += 1;
        }
    };
    let used_by = |atoms: &[Atom]| {
        let mut used = HashSet::default();
        add_atoms(atoms, &mut used);
        used
    };
    note(used_by(&body.results));
    for stmt in &body.stmts {
        if matches!(stmt.op, Op::If { .. } | Op::Loop(_)) {
            note(used_by(&operands(stmt)));
        } else {
            note(uses(stmt));
        }
    }
    for stmt in &body.stmts {
        if matches!(stmt.op, Op::If { .. } | Op::Loop(_)) {
            bodies(stmt).into_iter().for_each(|it| count(it, readers));
        }
    }
}

/// The kernel that a statement is, if it can be ahead of others or behind them.
fn member(stmt: &Stmt) -> Option<&Kernel> {
    let Op::Kernel(kernel) = &stmt.op else {
        return None;
    };
    let writes = matches!(kernel.sink, Sink::Write | Sink::Pack);
    let fits = writes && !kernel.nest && stmt.outs.len() <= ARRAYS && is_straight(&kernel.body);
    (fits && !may_fail(&stmt.op)).then_some(kernel)
}

struct Pass {
    vars: Vec<VarInfo>,
    defs: Defs,
    equal: Equal,
    /// How many statements use each array.
    readers: HashMap<Var, usize>,
    /// The first outs of kernels that are in convoys.
    taken: HashSet<Var>,
    found: Vec<Found>,
}

/// Kernels that run together.
struct Found {
    /// Their first outs.
    members: Vec<Var>,
    /// By how many rows they are ahead.
    leads: Vec<u64>,
    /// See `Convoy`.
    round: bool,
}

/// A kernel of those that run together: which statement, and by how many rows it is ahead.
struct Ahead {
    at: usize,
    lead: u64,
}

impl Pass {
    fn body(&mut self, body: &mut Body) {
        for inner in body.stmts.iter_mut().flat_map(inner_bodies) {
            self.body(inner);
        }
        let mut end = body.stmts.len();
        while end > 0 {
            let group = self.group(&body.stmts, end - 1);
            if group.len() > 1 {
                end -= group.len();
                self.gather(&mut body.stmts, group);
            } else {
                end -= 1;
            }
        }
    }

    /// The kernels that can run together with that of a statement as the last; it alone if there are none.
    fn group(&self, stmts: &[Stmt], last: usize) -> Vec<Ahead> {
        let mut group = vec![Ahead { at: last, lead: 0 }];
        let Some(kernel) = self.free(&stmts[last]) else {
            return group;
        };
        for at in (0..last).rev() {
            let stmt = &stmts[at];
            let is_in = group.iter().any(|it| it.at == at);
            let fits = |it: &Kernel| it.extents == kernel.extents && matches!(it.sink, Sink::Write);
            if !is_in
                && group.len() < KERNELS
                && self.free(stmt).is_some_and(fits)
                && let Some(lead) = self.lead(stmts, stmt, &group)
            {
                group.push(Ahead { at, lead });
            } else if !passes(&stmt.op) {
                // Nothing goes past what changes arrays in place.
                break;
            }
        }
        group
    }

    fn free<'s>(&self, stmt: &'s Stmt) -> Option<&'s Kernel> {
        let first = stmt.outs.first()?;
        member(stmt).filter(|_| !self.taken.contains(first))
    }

    /// By how many rows a kernel is ahead, if only those of the group read what it makes, and near by.
    fn lead(&self, stmts: &[Stmt], stmt: &Stmt, group: &[Ahead]) -> Option<u64> {
        let (mut lead, mut found) = (None, HashMap::<Var, usize>::default());
        for reader in group {
            let reading = &stmts[reader.at];
            let used = uses(reading);
            let mut read = stmt.outs.iter().filter(|out| used.contains(out)).peekable();
            if read.peek().is_none() {
                continue;
            }
            for out in read {
                *found.entry(*out).or_insert(0) += 1;
            }
            let ahead = reader.lead + self.reach(member(reading)?, &stmt.outs)?.most;
            lead = lead.max(Some(ahead));
        }
        let lead = lead?;
        let only = |out: &Var| self.readers.get(out) == found.get(out) && found.contains_key(out);
        let most = match member(stmt)?.extents.len() {
            1 => MOST_ELEMENTS,
            _more => MOST_ROWS,
        };
        (lead <= most && stmt.outs.iter().all(only)).then_some(lead)
    }

    /// How many rows from its own a kernel reads these arrays.
    fn reach(&self, kernel: &Kernel, arrays: &[Var]) -> Option<Reached> {
        self.near(kernel, arrays).reach()
    }

    fn near<'n>(&'n self, kernel: &'n Kernel, arrays: &'n [Var]) -> Near<'n> {
        Near {
            vars: &self.vars,
            defs: &self.defs,
            equal: &self.equal,
            kernel,
            states: arrays,
            axis: 0,
        }
    }

    /// Has these kernels, which run together, read what they make beyond both ends, if one of them goes on
    /// from the other end; says whether that is so.
    fn go_round(&mut self, stmts: &mut [Stmt]) -> bool {
        let arrays: Vec<Var> = stmts.iter().flat_map(|stmt| stmt.outs.clone()).collect();
        let mut any = false;
        for stmt in stmts {
            let Op::Kernel(kernel) = &mut stmt.op else {
                continue;
            };
            let near = self.near(kernel, &arrays);
            if near.reach().is_some_and(|it| it.round) {
                (kernel.body, self.vars) = beyond(&near);
                any = true;
            }
        }
        any
    }

    /// Moves the kernels of a group to the last of them, those furthest ahead first.
    fn gather(&mut self, stmts: &mut [Stmt], mut group: Vec<Ahead>) {
        group.sort_by_key(|it| it.at);
        let last = group.last().map_or(0, |it| it.at);
        let first = last + 1 - group.len();
        // From the back, so that those that are still to be moved stay where they are.
        for (place, it) in group.iter().enumerate().rev() {
            stmts[it.at..=first + place].rotate_left(1);
        }
        let mut order: Vec<(Stmt, u64)> = stmts[first..=last]
            .iter()
            .cloned()
            .zip(group.iter().map(|it| it.lead))
            .collect();
        order.sort_by_key(|(_, lead)| std::cmp::Reverse(*lead));
        let members: Vec<Var> = order.iter().map(|(stmt, _)| stmt.outs[0]).collect();
        let leads = order.iter().map(|(_, lead)| *lead).collect();
        for (place, (stmt, _)) in stmts[first..=last].iter_mut().zip(order) {
            *place = stmt;
        }
        self.taken.extend(&members);
        let round = self.go_round(&mut stmts[first..=last]);
        self.found.push(Found {
            members,
            leads,
            round,
        });
    }
}
