//! Kernels that run together, strip by strip.
//!
//! In: a fused function. Out: the same with such kernels in consecutive statements, and the list of
//! [`Convoy`]s. Assumes that `together.rs` has made one kernel of those that can be one.
//!
//! Note \[Convoys\]. A kernel that scans or reduces cannot be one with a kernel that reads what it gives,
//! or one of another order of combination. But if both run over one space, they can take turns: a strip
//! of the space each, so that what one leaves of it is in the cache for the next (strip mining; Allen and
//! Kennedy, "Optimizing Compilers for Modern Architectures", 5.6). A kernel joins a convoy if it reads at
//! its own index what that makes, or something that is read there too; scans and reductions join each
//! other if they have one shape. Arrays that nobody else reads are no more than a strip in memory.
//!
//! Nothing is computed twice, and each kernel keeps its order of combination, since a strip is a chunk.
//! The first failure has to stay the first: so the run time asks the kernels in order which of them fails,
//! and none goes past a check. The later kernel goes up to the convoy, or else, if checks are in between
//! and none of the convoy fails, the convoy goes down to it, unless somebody waits for it.
//!
//! A kernel that writes may read from the end on what the others make, as where the prefixes of a scan from
//! the right are turned round: then it makes of each strip the elements as far from the end. Those are no
//! strip that the others could read, and a check would not be the first that fails.

use crate::fused::cost::scalar_cost;
use crate::fused::fast::{bodies, operands};
use crate::fused::in_rows::define;
use crate::fused::ir::{Body, Convoy, Function, Kernel, Op, Sink, Stmt, VarInfo};
use crate::fused::linear::{Defs, Poly, normal};
use crate::fused::sweep::{body_may_fail, may_fail};
use crate::fused::together::{
    Numbers, Source, add_atoms, inner_bodies, is_straight, reads_all, reads_own, uses, uses_of_body,
};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use std::ops::Range;

/// As many kernels as the run time's states have, and no more arrays: each has a strip in the cache.
const COMPONENTS: usize = 12;

/// What an element may cost that is written: threads share strips, and dear elements more evenly.
const DEAR: u32 = 256;

/// Puts such kernels one after another, outside of nests, and says which they are.
pub(super) fn convoys(function: &mut Function) -> Vec<Convoy> {
    let mut pass = Pass {
        vars: &function.vars,
        found: Vec::new(),
    };
    pass.body(&mut function.body);
    let found = pass.found.into_iter();
    found
        .map(|it| Convoy {
            own: own(function, &it.members),
            members: it.members,
            turned: it.turned,
            leads: Vec::new(),
            round: false,
        })
        .collect()
}

/// Of what these kernels make, the arrays that nobody else uses.
pub(super) fn own(function: &Function, members: &[Var]) -> Vec<Var> {
    let (mut made, mut used) = (Vec::new(), HashSet::default());
    survey(&function.body, members, &mut made, &mut used);
    made.retain(|out| function.vars[out.index()].is_array() && !used.contains(out));
    made
}

/// What these kernels make, and what is used apart from them.
fn survey(body: &Body, members: &[Var], made: &mut Vec<Var>, used: &mut HashSet<Var>) {
    add_atoms(&body.results, used);
    for stmt in &body.stmts {
        if stmt.outs.first().is_some_and(|out| members.contains(out)) {
            made.extend(stmt.outs.iter().filter(|out| !late(stmt).contains(out)));
        } else if matches!(stmt.op, Op::If { .. } | Op::Loop(_)) {
            add_atoms(&operands(stmt), used);
            for inner in bodies(stmt) {
                survey(inner, members, made, used);
            }
        } else {
            used.extend(uses(stmt));
        }
    }
}

struct Pass<'v> {
    vars: &'v [VarInfo],
    found: Vec<Group>,
}

/// Kernels that run together, by their first outs.
#[derive(Default)]
struct Group {
    members: Vec<Var>,
    /// Those that go from the end on.
    turned: Vec<Var>,
}

/// How a kernel goes through what the kernels before it make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// At its own index.
    Along,
    /// From the end on.
    Turned,
}

/// Where a kernel meets a convoy.
enum Meeting {
    /// At the convoy, with these statements before it.
    Up(Vec<usize>),
    /// At the kernel.
    Down,
}

impl Pass<'_> {
    fn body(&mut self, body: &mut Body) {
        for inner in body.stmts.iter_mut().flat_map(inner_bodies) {
            self.body(inner);
        }
        let stmts = &mut body.stmts;
        let mut groups: Vec<Group> = Vec::new();
        for at in 0..stmts.len() {
            if member(&stmts[at]).is_none() {
                continue;
            }
            let name = stmts[at].outs[0];
            let meets = groups.iter().enumerate().find_map(|(number, group)| {
                let convoy = place(stmts, &group.members);
                let way = self.suits(group, &stmts[convoy.clone()], &stmts[at..])?;
                Some((number, way, self.meeting(stmts, convoy, at, &groups)?))
            });
            match meets {
                Some((number, way, meeting)) => {
                    let group = &mut groups[number];
                    let convoy = place(stmts, &group.members);
                    join(stmts, convoy, at, meeting);
                    group.members.push(name);
                    group.turned.extend((way == Way::Turned).then_some(name));
                }
                None => groups.push(Group {
                    members: vec![name],
                    turned: Vec::new(),
                }),
            }
        }
        groups.retain(|it| it.members.len() > 1);
        self.found.extend(groups);
    }

    /// Where the kernel of the statement `at`, which suits a convoy, meets it, if it can.
    fn meeting(
        &self,
        stmts: &[Stmt],
        convoy: Range<usize>,
        at: usize,
        groups: &[Group],
    ) -> Option<Meeting> {
        let members = &stmts[convoy.clone()];
        let made: HashSet<Var> = members.iter().flat_map(|it| &it.outs).copied().collect();
        let uses_made = |stmt: &Stmt| uses(stmt).iter().any(|var| made.contains(var));
        let between = &stmts[convoy.end..at];
        if between.iter().any(|stmt| may_fail(&stmt.op)) {
            let may_pass = |stmt: &Stmt| passes(&stmt.op) && !uses_made(stmt);
            let fails = members.iter().any(|stmt| may_fail(&stmt.op));
            return (!fails && between.iter().all(may_pass)).then_some(Meeting::Down);
        }
        let changed = changed(&stmts[at]);
        if between
            .iter()
            .any(|stmt| uses(stmt).iter().any(|it| changed.contains(it)))
        {
            // They would have to be copied.
            return None;
        }
        let mut used = uses(&stmts[at]);
        let mut needs = Vec::new();
        for need in (convoy.end..at).rev() {
            let stmt = &stmts[need];
            if stmt.outs.iter().any(|out| used.contains(out)) {
                if !goes_before(stmt, groups) || uses_made(stmt) {
                    return None;
                }
                used.extend(uses(stmt));
                needs.push(need);
            }
        }
        needs.reverse();
        Some(Meeting::Up(needs))
    }

    /// How the first of the statements `rest` runs with these, which a group has, if it may and gains by it.
    fn suits(&self, group: &Group, members: &[Stmt], rest: &[Stmt]) -> Option<Way> {
        let (stmt, later) = rest.split_first()?;
        let (first, kernel) = (member(&members[0])?, member(stmt)?);
        let all = || members.iter().chain([stmt]);
        let arrays = all().map(|it| it.outs.len() - late(it).len());
        let fits = first.extents == kernel.extents
            && !follows(first)
            && members.len() < COMPONENTS
            && arrays.sum::<usize>() <= COMPONENTS
            && !later
                .iter()
                .any(|it| goes_both_ways(group, members, stmt, it));
        let way = in_turn(group, members, stmt).filter(|_| fits)?;
        let both_ways = |it: &Stmt| goes_both_ways(group, members, stmt, it);
        let apart = combines(kernel) && later.iter().any(both_ways);
        (self.gains(members, kernel) && !apart).then_some(way)
    }

    fn gains(&self, members: &[Stmt], kernel: &Kernel) -> bool {
        let kernels = || members.iter().filter_map(member);
        let only_written = kernels().all(writes);
        match (writes(kernel), only_written) {
            // Those that may be are one kernel.
            (true, true) => false,
            (false, false) if kernels().chain([kernel]).all(combines) => true,
            _other => {
                let mut numbers = Numbers::default();
                let mut reads = |kernel: &Kernel| {
                    numbers.kernel(kernel, self.vars);
                    std::mem::take(&mut numbers.reads)
                };
                let own = reads(kernel);
                let made = members.iter().flat_map(|it| &it.outs);
                let made: HashSet<Source> = made.map(|out| Source::Array(*out)).collect();
                own.iter().any(|(source, _)| made.contains(source))
                    || !follows(kernel) && kernels().any(|it| !reads(it).is_disjoint(&own))
            }
        }
    }
}

/// The kernel that a statement is, if it can take turns.
pub(super) fn member(stmt: &Stmt) -> Option<&Kernel> {
    let Op::Kernel(kernel) = &stmt.op else {
        return None;
    };
    let takes_turns = match &kernel.sink {
        Sink::Write | Sink::Pack => cost(&kernel.body) <= DEAR && is_plain(kernel),
        Sink::Reduce { combine, .. } => !body_may_fail(&combine.body),
        Sink::Scan { combine, along, .. } => along.is_none() && !body_may_fail(&combine.body),
        Sink::Scatter { .. } | Sink::Keep => true,
        Sink::Rows { .. }
        | Sink::Join
        | Sink::Fold { .. }
        | Sink::Append { .. }
        | Sink::Sort(_) => false,
    };
    let fits = takes_turns && !kernel.nest && kernel.extents.len() == 1;
    (fits && is_straight(&kernel.body)).then_some(kernel)
}

fn writes(kernel: &Kernel) -> bool {
    matches!(kernel.sink, Sink::Write | Sink::Pack)
}

/// Whether a kernel runs with those alone that make what it reads: what is kept has a form of its own
/// (`core/src/keep.rs`), and what is scattered wants the caches, so they are as good from memory.
fn follows(kernel: &Kernel) -> bool {
    matches!(kernel.sink, Sink::Keep | Sink::Scatter { .. })
}

fn combines(kernel: &Kernel) -> bool {
    matches!(kernel.sink, Sink::Reduce { .. } | Sink::Scan { .. })
}

/// The arrays that a kernel changes.
fn changed(stmt: &Stmt) -> &[Var] {
    match &stmt.op {
        Op::Kernel(kernel) => match &kernel.sink {
            Sink::Scatter { into, .. } => into,
            _other => &[],
        },
        _other => &[],
    }
}

/// Whether a statement, which does not fail, may be taken out of its place and be computed earlier.
fn goes_before(stmt: &Stmt, groups: &[Group]) -> bool {
    match &stmt.op {
        Op::Scalar(..) | Op::Len { .. } | Op::Literal(_) => true,
        Op::Kernel(kernel) => {
            let stays = |it: &Group| it.members.len() > 1 && it.members.contains(&stmt.outs[0]);
            writes(kernel) && !groups.iter().any(stays)
        }
        _other => false,
    }
}

/// What a body costs, in the units of `cost.rs`.
pub(super) fn cost(body: &Body) -> u32 {
    let of = |stmt: &Stmt| match &stmt.op {
        Op::Scalar(op, _) => scalar_cost(*op, None),
        Op::If { then, else_, .. } => cost(then).saturating_add(cost(else_)),
        Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Loop(_)
        | Op::Kernel(_) => 1,
    };
    body.stmts.iter().map(of).fold(0, u32::saturating_add)
}

/// Whether nothing is asked about the index: a kernel that does is better off with the forms that it
/// has by itself (`emit/rust/rowed.rs`).
fn is_plain(kernel: &Kernel) -> bool {
    fn plain(body: &Body, indices: &mut HashSet<Var>) -> bool {
        body.stmts.iter().all(|stmt| match &stmt.op {
            Op::Scalar(op, args) => {
                let of_index = args
                    .iter()
                    .any(|arg| matches!(arg, Atom::Var(var) if indices.contains(var)));
                if of_index {
                    indices.extend(&stmt.outs);
                }
                let arithmetic = matches!(
                    op,
                    ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::Cast
                );
                !of_index || arithmetic
            }
            Op::If { then, else_, .. } => plain(then, indices) && plain(else_, indices),
            Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => true,
            Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
        })
    }
    plain(&kernel.body, &mut HashSet::from_iter([kernel.index]))
}

/// How a kernel goes through what these make, if all that it takes of that are elements at its own index, or
/// all as far from the end.
fn in_turn(group: &Group, members: &[Stmt], stmt: &Stmt) -> Option<Way> {
    let kernel = member(stmt)?;
    let mut at_once = HashSet::default();
    add_atoms(&operands(stmt), &mut at_once);
    if let Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } = &kernel.sink {
        uses_of_body(&combine.body, &mut at_once);
    }
    let mut in_body = HashSet::default();
    uses_of_body(&kernel.body, &mut in_body);
    let changed = changed(stmt);
    let (mut along, mut turned) = (false, false);
    for member in members {
        if uses(member).iter().any(|it| changed.contains(it)) {
            return None;
        }
        let results = match group.turned.contains(&member.outs[0]) {
            true => &member.outs,
            false => late(member),
        };
        for out in &member.outs {
            if at_once.contains(out) {
                return None;
            }
            if in_body.contains(out) {
                let own = reads_own(&kernel.body, *out, kernel.index);
                if results.contains(out) || !own && !reads_turned(kernel, *out) {
                    return None;
                }
                along |= own;
                turned |= !own;
            }
        }
    }
    match (along, turned) {
        (_, false) => Some(Way::Along),
        (false, true) => (writes(kernel) && !may_fail(&stmt.op)).then_some(Way::Turned),
        (true, true) => None,
    }
}

/// Whether a kernel goes one way through what a group makes, and the other through what `stmt` does: with one
/// of them it can run if these two are apart.
fn goes_both_ways(group: &Group, members: &[Stmt], stmt: &Stmt, kernel: &Stmt) -> bool {
    if !member(kernel).is_some_and(writes) {
        return false;
    }
    let used = uses(kernel);
    let reads = |it: &Stmt| it.outs.iter().any(|out| used.contains(out));
    if !reads(stmt) || !members.iter().any(reads) {
        return false;
    }
    let one = in_turn(group, members, kernel);
    let other = in_turn(&Group::default(), std::slice::from_ref(stmt), kernel);
    one.is_some() && other.is_some() && one != other
}

/// Whether all that a kernel reads of an array is as far from the end as the index is from the beginning.
fn reads_turned(kernel: &Kernel, array: Var) -> bool {
    let mut defs = Defs::default();
    define(&kernel.body, &mut defs);
    let last = normal(kernel.extents[0], &defs).plus(&Poly::known(1), -1);
    let turned = last.plus(&Poly::var(kernel.index), -1);
    reads_all(&kernel.body, array, &|index| normal(index, &defs) == turned)
}

/// The outs of a kernel that are known behind its last element.
fn late(stmt: &Stmt) -> &[Var] {
    let Op::Kernel(kernel) = &stmt.op else {
        return &[];
    };
    match &kernel.sink {
        Sink::Reduce { .. } | Sink::Scatter { .. } | Sink::Keep => &stmt.outs,
        Sink::Scan { .. } => &stmt.outs[kernel.body.results.len()..],
        Sink::Write
        | Sink::Rows { .. }
        | Sink::Pack
        | Sink::Join
        | Sink::Fold { .. }
        | Sink::Append { .. }
        | Sink::Sort(_) => &[],
    }
}

/// Whether a convoy may come after it, as far as arrays change in place.
pub(super) fn passes(op: &Op) -> bool {
    match op {
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => true,
        Op::Kernel(kernel) => !matches!(kernel.sink, Sink::Scatter { .. } | Sink::Append { .. }),
        Op::Literal(_) | Op::Update { .. } | Op::If { .. } | Op::Loop(_) => false,
    }
}

/// The statements of a convoy, which stand together.
fn place(stmts: &[Stmt], members: &[Var]) -> Range<usize> {
    let first = stmts
        .iter()
        .position(|it| it.outs.first() == members.first());
    let first = first.expect("statements are only moved");
    first..first + members.len()
}

/// Puts the statement `at` behind a convoy.
fn join(stmts: &mut [Stmt], convoy: Range<usize>, at: usize, meeting: Meeting) {
    match meeting {
        Meeting::Up(needs) => {
            stmts[convoy.end..=at].rotate_right(1);
            for (moved, need) in needs.into_iter().enumerate() {
                // One further, behind the kernel.
                let (from, to) = (need + 1, convoy.start + moved);
                stmts[to..=from].rotate_right(1);
            }
        }
        Meeting::Down => stmts[convoy.start..at].rotate_left(convoy.len()),
    }
}
