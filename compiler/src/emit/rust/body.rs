//! How a nest's body reads rows, and which arrays it keeps and which it writes straight into results.
//!
//! In: the statements of the body. Out: sets of variables, for the printer.

use crate::emit::rust::free::visit_stmts;
use crate::emit::rust::results::Places;
use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, SortOf, Stmt, VarInfo};
use crate::fused::liveness::uses_of_stmt;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};
use std::collections::BTreeSet;

/// Where a kernel in a nest finds the arrays that it reads.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The nest's index.
    pub index: Var,
    /// Arrays of which it reads a row that has been read before and is not read later: while it does,
    /// the row of the nest's next index is fetched.
    pub last: HashSet<Var>,
    /// How many elements there are of what it goes through, if each index has a number of its own.
    pub uneven: Option<Var>,
    /// Arrays of which that is done later: the row has been fetched.
    pub fetched: HashSet<Var>,
    /// Arrays of the body's own, which are in the cache.
    pub own: HashSet<Var>,
    /// Where the row of the nest's index begins in arrays of rows of lengths of their own, and its length.
    pub whole: Option<(Var, Var)>,
    /// How many elements rows are read together in which it is one of many.
    pub together: Option<&'static str>,
}

impl Rows {
    /// Whether the row of an array is read by other kernels of the nest as well.
    pub fn are_several(&self, array: Var) -> bool {
        self.last.contains(&array) || self.fetched.contains(&array)
    }

    /// Whether what is read of an array is in the caches.
    pub fn are_near(&self, array: Var) -> bool {
        self.fetched.contains(&array) || self.own.contains(&array)
    }
}

/// How a statement reads rows; `whole` is where and how long that of the index is, see [`Rows`].
pub fn rows_read(nest: &Kernel, stmt: &Stmt, after: &[Stmt], whole: Option<(Var, Var)>) -> Rows {
    let count = nest.body.stmts.len() - after.len() - 1;
    let before = &nest.body.stmts[..count];
    let all = |stmts: &[Stmt]| -> HashSet<Var> { stmts.iter().flat_map(arrays_read).collect() };
    let (early, later) = (all(before), all(after));
    let (fetched, last): (HashSet<Var>, _) = arrays_read(stmt)
        .into_iter()
        .partition(|array| later.contains(array));
    let last: HashSet<Var> = last.intersection(&early).copied().collect();
    let own_length = |length: &Var| before.iter().any(|stmt| stmt.outs.contains(length));
    let uneven = length_of(stmt).filter(own_length);
    Rows {
        index: nest.index,
        uneven: uneven.filter(|_| !last.is_empty()),
        last,
        fetched,
        own: before.iter().flat_map(|stmt| &stmt.outs).copied().collect(),
        whole,
        together: None,
    }
}

/// How many elements a kernel goes through, if it goes along one axis.
fn length_of(stmt: &Stmt) -> Option<Var> {
    match &stmt.op {
        Op::Kernel(kernel) => match kernel.extents.as_slice() {
            [Atom::Var(length)] => Some(*length),
            _several => None,
        },
        _other => None,
    }
}

/// The arrays that a kernel's body reads.
pub fn arrays_read(stmt: &Stmt) -> HashSet<Var> {
    let mut found = HashSet::default();
    if let Op::Kernel(kernel) = &stmt.op {
        visit_stmts(&kernel.body, &mut |stmt| {
            if let Op::Read { array, .. } = &stmt.op {
                found.insert(*array);
            }
        });
    }
    found
}

/// The arrays that are written straight into their rows, in branches of conditionals too.
pub fn rows(vars: &[VarInfo], kernel: &Kernel) -> Places {
    let mut places = Places::default();
    let results = kernel.body.results.iter().enumerate().rev();
    let results = results.filter_map(|(at, atom)| Some((variable(*atom)?, at)));
    add_rows(vars, &kernel.body, &results.collect(), &mut places);
    places
}

/// Adds those of the arrays that a body is to put into these rows which its kernels write. What a branch gives has
/// the row's length for certain only where both give one of the same extents: a check may stand behind.
fn add_rows(vars: &[VarInfo], body: &Body, wanted: &HashMap<Var, usize>, places: &mut Places) {
    for stmt in &body.stmts {
        if let Op::If { then, else_, .. } = &stmt.op {
            let fits = |at: usize, out: &Var| {
                let of = |side: &Body| extents(vars, variable(side.results[at])?);
                let own = extents(vars, *out);
                own.is_some() && [then, else_].iter().all(|side| of(side) == own)
            };
            for side in [then, else_] {
                let yields = stmt.outs.iter().enumerate().rev();
                let yields = yields
                    .filter(|(at, out)| fits(*at, out))
                    .filter_map(|(at, out)| Some((variable(side.results[at])?, *wanted.get(out)?)));
                add_rows(vars, side, &yields.collect(), places);
            }
            for (at, out) in stmt.outs.iter().enumerate() {
                let is_there = |side: &&Body| {
                    let row = variable(side.results[at]).and_then(|it| places.get(&it));
                    row.is_some() && row == wanted.get(out)
                };
                if [then, else_].iter().any(|side| is_there(&&**side)) {
                    places.insert(*out, wanted[out]);
                }
            }
        }
        for out in written(stmt) {
            if let Some(row) = wanted.get(out) {
                places.insert(*out, *row);
            }
        }
    }
}

/// How many elements a plain array has along each axis.
fn extents(vars: &[VarInfo], array: Var) -> Option<Vec<Atom>> {
    match &vars[array.index()].ty {
        Layout::Plain(VarType::Array(ty)) => Some(ty.dims.iter().map(|dim| dim.value).collect()),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            None
        }
    }
}

/// The arrays of a statement that may be written into rows. (The totals of a scan, which come last, are scalars.)
fn written(stmt: &Stmt) -> &[Var] {
    let Op::Kernel(kernel) = &stmt.op else {
        return &[];
    };
    match &kernel.sink {
        Sink::Write | Sink::Sort(SortOf::Keys(_) | SortOf::Elements(_)) => &stmt.outs,
        Sink::Scan { .. } => &stmt.outs[..kernel.body.results.len()],
        Sink::Rows { .. }
        | Sink::Join
        | Sink::Pack
        | Sink::Keep
        | Sink::Reduce { .. }
        | Sink::Fold { .. }
        | Sink::Sort(SortOf::At(..))
        | Sink::Scatter { .. }
        | Sink::Append { .. } => &[],
    }
}

/// The arrays that kernels of the body make and statements of it do no more than read.
pub fn locals(body: &Body, places: &Places) -> HashSet<Var> {
    let mut changed = HashSet::default();
    visit_stmts(body, &mut |stmt| handed_on(stmt, &mut changed));
    let made = body.stmts.iter().filter(|stmt| match &stmt.op {
        Op::Kernel(kernel) => {
            let outs = || stmt.outs.iter();
            matches!(kernel.sink, Sink::Write)
                && !kernel.nest
                && !outs().any(|out| places.contains_key(out) || changed.contains(out))
        }
        _other => false,
    });
    made.flat_map(|stmt| &stmt.outs).copied().collect()
}

/// What a statement does not leave where it is.
fn handed_on(stmt: &Stmt, found: &mut HashSet<Var>) {
    let mut atoms = |atoms: &[Atom]| {
        found.extend(atoms.iter().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        }));
    };
    match &stmt.op {
        Op::Update { array, .. } => atoms(&[Atom::Var(*array)]),
        Op::If { then, else_, .. } => {
            for side in [then, else_] {
                atoms(&side.results);
            }
        }
        Op::Loop(it) => {
            atoms(&it.init);
            atoms(&it.body.results);
        }
        Op::Kernel(kernel) => {
            if let Sink::Scatter { into, .. } | Sink::Append { into } = &kernel.sink {
                found.extend(into);
            }
        }
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) => {}
    }
}

/// The rows that the body reads after it has written them.
pub fn read_again(body: &Body, places: &Places) -> BTreeSet<usize> {
    let mut read = HashSet::default();
    add_read(body, places, &mut read);
    let results = body.results.iter().enumerate();
    read.extend(results.filter_map(|(at, result)| match result {
        Atom::Var(var) if places.get(var) != Some(&at) => Some(*var),
        Atom::Var(_) | Atom::Const(_) => None,
    }));
    let rows = places.iter().filter(|(var, _)| read.contains(var));
    rows.map(|(_, row)| *row).collect()
}

/// Adds what the statements of a body use, but for rows that branches leave where they are.
fn add_read(body: &Body, places: &Places, read: &mut HashSet<Var>) {
    for stmt in &body.stmts {
        let Op::If { cond, then, else_ } = &stmt.op else {
            uses_of_stmt(stmt, read);
            continue;
        };
        read.extend(variable(*cond));
        for side in [then, else_] {
            add_read(side, places, read);
            let yields = stmt.outs.iter().zip(&side.results);
            read.extend(yields.filter_map(|(out, atom)| {
                let var = variable(*atom)?;
                let stays = places.contains_key(&var) && places.get(&var) == places.get(out);
                (!stays).then_some(var)
            }));
        }
    }
}

fn variable(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}
