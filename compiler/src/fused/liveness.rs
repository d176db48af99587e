//! Last uses of arrays.
//!
//! In: a fused function. Out: the places at which an array that is handed on (updated, scattered
//! into, made the state of a loop or a result) is used for the last time, so that it is moved and
//! changed in place instead of copied. Assumes arrays are assigned once.

use crate::fused::ir::{Body, Combine, Function, Kernel, Op, Sink, Stmt};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Where operands are consumed, by the address of the statement or body that does it.
#[derive(Default)]
pub struct LastUses(HashSet<(usize, Var)>);

impl LastUses {
    /// Whether `at` (a statement or body of the surveyed function) uses `var` last.
    pub fn is_last<T>(&self, at: &T, var: Var) -> bool {
        self.0.contains(&(address(at), var))
    }
}

/// Surveys a function.
pub fn last_uses(function: &Function) -> LastUses {
    let mut uses = LastUses::default();
    let mut live = HashSet::default();
    body(&function.body, &mut live, &mut uses);
    uses
}

fn address<T>(at: &T) -> usize {
    std::ptr::from_ref(at).addr()
}

/// Walks backwards; `live` holds what is used after `it`, and at the end what is used from its
/// start on.
fn body(it: &Body, live: &mut HashSet<Var>, uses: &mut LastUses) {
    consume(address(it), &it.results, live, uses);
    for stmt in it.stmts.iter().rev() {
        self::stmt(stmt, live, uses);
    }
}

/// Records which of `atoms`, each handed on by `at`, are not used later.
fn consume(at: usize, atoms: &[Atom], live: &mut HashSet<Var>, uses: &mut LastUses) {
    for (position, atom) in atoms.iter().enumerate() {
        if let Atom::Var(var) = atom
            && !live.contains(var)
            && !atoms[..position].contains(atom)
            && !atoms[position + 1..].contains(atom)
        {
            uses.0.insert((at, *var));
        }
    }
    keep(atoms, live);
}

fn keep(atoms: &[Atom], live: &mut HashSet<Var>) {
    live.extend(atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }));
}

fn stmt(it: &Stmt, live: &mut HashSet<Var>, uses: &mut LastUses) {
    match &it.op {
        Op::Scalar(_, args) | Op::Literal(args) => keep(args, live),
        Op::Check { ok, values, .. } => {
            keep(&[*ok], live);
            keep(values, live);
        }
        Op::Len { array, .. } => keep(&[Atom::Var(*array)], live),
        Op::Read { array, index } => keep(&[Atom::Var(*array), *index], live),
        Op::Update {
            array,
            index,
            value,
        } => {
            keep(&[*index, *value], live);
            consume(address(it), &[Atom::Var(*array)], live, uses);
        }
        Op::If { cond, then, else_ } => {
            let mut other = live.clone();
            body(then, live, uses);
            body(else_, &mut other, uses);
            live.extend(other);
            keep(&[*cond], live);
        }
        Op::Loop(inner) => {
            // Whatever the loop uses of outside is used again by its next trip.
            let mut used = HashSet::default();
            uses_of_body(&inner.cond, &mut used);
            uses_of_body(&inner.body, &mut used);
            // What a trip makes itself is new in each.
            let mut own: HashSet<Var> = inner.params.iter().copied().collect();
            defined_in(&inner.cond, &mut own);
            defined_in(&inner.body, &mut own);
            used.retain(|var| !own.contains(var));
            let mut inside: HashSet<Var> = live.union(&used).copied().collect();
            body(&inner.body, &mut inside, uses);
            live.extend(used);
            consume(address(it), &inner.init, live, uses);
        }
        Op::Kernel(inner) => kernel(it, inner, live, uses),
    }
}

fn kernel(at: &Stmt, it: &Kernel, live: &mut HashSet<Var>, uses: &mut LastUses) {
    let mut used = HashSet::default();
    uses_of_kernel(it, &mut used);
    if let Sink::Scatter { into, .. } | Sink::Append { into } = &it.sink {
        let into: Vec<Atom> = into.iter().map(|array| Atom::Var(*array)).collect();
        live.extend(&used);
        consume(address(at), &into, live, uses);
    }
    if it.nest {
        // What an index uses of outside the next index uses again.
        let mut own = HashSet::default();
        defined_in(&it.body, &mut own);
        let outer = used.iter().filter(|var| !own.contains(var));
        let mut inside: HashSet<Var> = live.iter().chain(outer).copied().collect();
        body(&it.body, &mut inside, uses);
    }
    live.extend(used);
}

/// All variables that the statements of `it` define, at any depth outside of kernels.
fn defined_in(it: &Body, own: &mut HashSet<Var>) {
    for stmt in &it.stmts {
        own.extend(&stmt.outs);
        match &stmt.op {
            Op::If { then, else_, .. } => {
                defined_in(then, own);
                defined_in(else_, own);
            }
            Op::Loop(inner) => {
                own.extend(&inner.params);
                defined_in(&inner.cond, own);
                defined_in(&inner.body, own);
            }
            Op::Scalar(..)
            | Op::Literal(_)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Update { .. }
            | Op::Kernel(_) => {}
        }
    }
}

/// Of `these`, the variables that each statement of `it` mentions and nothing after it does.
pub fn deaths(it: &Body, these: &HashSet<Var>) -> Vec<Vec<Var>> {
    let mut deaths = vec![Vec::new(); it.stmts.len()];
    if these.is_empty() {
        return deaths;
    }
    let mut later = HashSet::default();
    keep(&it.results, &mut later);
    for (stmt, deaths) in it.stmts.iter().zip(&mut deaths).rev() {
        let mut used = HashSet::default();
        uses_of_stmt(stmt, &mut used);
        used.retain(|var| these.contains(var) && later.insert(*var));
        deaths.extend(used);
        deaths.sort_unstable();
    }
    deaths
}

/// All variables that `it` mentions, at any depth.
pub fn uses_of_body(it: &Body, used: &mut HashSet<Var>) {
    keep(&it.results, used);
    it.stmts.iter().for_each(|stmt| uses_of_stmt(stmt, used));
}

/// All variables that a statement mentions, at any depth.
pub fn uses_of_stmt(stmt: &Stmt, used: &mut HashSet<Var>) {
    match &stmt.op {
        Op::Scalar(_, args) | Op::Literal(args) => keep(args, used),
        Op::Check { ok, values, .. } => {
            keep(&[*ok], used);
            keep(values, used);
        }
        Op::Len { array, .. } => keep(&[Atom::Var(*array)], used),
        Op::Read { array, index } => keep(&[Atom::Var(*array), *index], used),
        Op::Update {
            array,
            index,
            value,
        } => keep(&[Atom::Var(*array), *index, *value], used),
        Op::If { cond, then, else_ } => {
            keep(&[*cond], used);
            uses_of_body(then, used);
            uses_of_body(else_, used);
        }
        Op::Loop(inner) => {
            keep(&inner.init, used);
            uses_of_body(&inner.cond, used);
            uses_of_body(&inner.body, used);
        }
        Op::Kernel(inner) => {
            uses_of_kernel(inner, used);
            if let Sink::Scatter { into, .. } | Sink::Append { into } = &inner.sink {
                used.extend(into.iter().copied());
            }
        }
    }
}

/// What a kernel uses, without the arrays that it scatters into.
pub fn uses_of_kernel(it: &Kernel, used: &mut HashSet<Var>) {
    keep(&it.extents, used);
    uses_of_body(&it.body, used);
    match &it.sink {
        Sink::Write
        | Sink::Pack
        | Sink::Keep
        | Sink::Join
        | Sink::Scatter { .. }
        | Sink::Append { .. } => {}
        Sink::Sort(of) => keep(of.places(), used),
        Sink::Rows { offsets } => used.extend(offsets.iter().copied()),
        Sink::Reduce { init, combine } => {
            keep(init, used);
            uses_of_combine(combine, used);
        }
        Sink::Scan { init, combine, .. } => {
            init.iter().for_each(|init| keep(init, used));
            uses_of_combine(combine, used);
        }
        Sink::Fold { init, step, .. } => {
            keep(init, used);
            uses_of_body(step, used);
        }
    }
}

fn uses_of_combine(combine: &Combine, used: &mut HashSet<Var>) {
    uses_of_body(&combine.body, used);
}
