//! Scans along an axis that is not the innermost one in memory.
//!
//! In: the body of a function. Out: the same prefixes, with the axis of a scan where it is in what
//! the scan reads. Assumes what `flatten.rs` leaves.
//!
//! Note \[Scans across\]. A scan of each column is a scan of each row of the transposed matrix: it
//! would read memory in strides, and write rows that the next operation reads in strides. Where all
//! that it reads lies in memory with the column's index last, it becomes one scan over the whole
//! space, along another level than the last. Its arrays have that axis there too, so what reads
//! them transposed again, a copy, is the scan itself. A scan from the end is the same with its steps
//! counted back. What may fail stays as it is, since its order is that of the columns.

use crate::flat::ir::{Along, Body, Consumer, Level, Op, Seg, Space, Stmt, VarInfo};
use crate::flat::uses::each_use;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent, VarType};
use crate::source::SrcSpan;

/// Gives the scans of a body, and of those in it that are not parallel, their axes.
pub fn across(body: &mut Body, vars: &mut [VarInfo]) {
    if !body.stmts.iter().any(|stmt| holds_scan(&stmt.op)) {
        return;
    }
    let mut known = Known::default();
    known.survey(body);
    known.body(body, vars);
}

/// Whether there is a scan inside of another operation.
fn holds_scan(op: &Op) -> bool {
    let any = |body: &Body| body.stmts.iter().any(|stmt| holds_scan(&stmt.op));
    match op {
        Op::Seg(seg) => seg.body.stmts.iter().any(|stmt| scan(stmt).is_some()) || any(&seg.body),
        Op::If { then, else_, .. } => any(then) || any(else_),
        Op::Loop(it) => any(&it.body),
        _other => false,
    }
}

fn scan(stmt: &Stmt) -> Option<&Seg> {
    match &stmt.op {
        Op::Seg(seg) if matches!(seg.consumer, Consumer::Scan { .. }) => Some(seg),
        _other => None,
    }
}

/// An element of an array.
type Element = (Var, Vec<Atom>);

/// The arrays that an operation builds, of elements of others.
struct Builder {
    levels: Vec<Var>,
    reads: Vec<Element>,
    /// The element that an array is a copy of.
    copied: Option<Element>,
}

/// What is known of a function's variables.
#[derive(Default)]
struct Known {
    scalars: HashMap<Var, (ScalarOp, Vec<Atom>)>,
    builders: HashMap<Var, Builder>,
}

/// A scan of each row of an array in which all that it reads is transposed.
struct Columns {
    /// All levels but the scan's.
    levels: Vec<Var>,
    /// Its level: counted as what it reads lies in memory.
    step: Var,
    scan: Seg,
    /// How many arrays of prefixes there are; the other results are totals.
    arrays: usize,
    back: bool,
    parts: Vec<SrcSpan>,
}

impl Known {
    fn survey(&mut self, body: &Body) {
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Scalar(op, args) => {
                    self.scalars.insert(stmt.outs[0], (*op, args.clone()));
                }
                Op::If { then, else_, .. } => {
                    self.survey(then);
                    self.survey(else_);
                }
                Op::Loop(it) => {
                    self.survey(&it.cond);
                    self.survey(&it.body);
                }
                Op::Seg(seg) => {
                    self.survey(&seg.body);
                    self.builder(stmt, seg);
                }
                Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. } => {}
            }
        }
    }

    fn builder(&mut self, stmt: &Stmt, seg: &Seg) {
        if !matches!(seg.consumer, Consumer::Build) || !seg.body.stmts.iter().all(is_total) {
            return;
        }
        for (out, result) in stmt.outs.iter().zip(&seg.body.results) {
            let mut stmts = seg.body.stmts.iter();
            let builder = Builder {
                levels: indices(&seg.space.levels),
                reads: stmts.clone().filter_map(read).collect(),
                copied: stmts
                    .find(|stmt| Atom::Var(stmt.outs[0]) == *result)
                    .and_then(read),
            };
            self.builders.insert(*out, builder);
        }
    }

    fn body(&self, body: &mut Body, vars: &mut [VarInfo]) {
        for stmt in &mut body.stmts {
            match &mut stmt.op {
                Op::If { then, else_, .. } => {
                    self.body(then, vars);
                    self.body(else_, vars);
                }
                Op::Loop(it) => self.body(&mut it.body, vars),
                _other => {}
            }
        }
        let mut at = 0;
        while let Some(stmt) = body.stmts.get(at) {
            if let Some(columns) = self.columns(stmt)
                && let Some(axis) = self.axis(&columns)
                && let arrays = stmt.outs[..columns.arrays].to_vec()
                && are_read_only(body, &arrays)
            {
                self.replace(body, at, columns, axis, vars);
            }
            at += 1;
        }
    }

    /// The scan of which a statement does nothing else for each index.
    fn columns(&self, stmt: &Stmt) -> Option<Columns> {
        let Op::Seg(outer) = &stmt.op else {
            return None;
        };
        let mut seg = outer;
        let (mut levels, mut parts) = (Vec::new(), seg.parts.clone());
        loop {
            if !matches!(seg.consumer, Consumer::Build) {
                return None;
            }
            levels.extend(indices(&seg.space.levels));
            match seg.body.stmts.as_slice() {
                [one] if yields(&seg.body, &one.outs) && scan(one).is_none() => {
                    let Op::Seg(inner) = &one.op else {
                        return None;
                    };
                    parts.extend([one.src].iter().chain(&inner.parts));
                    seg = inner;
                }
                _several => break,
            }
        }
        let at = seg.body.stmts.iter().position(|it| scan(it).is_some())?;
        let (before, rest) = seg.body.stmts.split_at(at);
        let (own, after) = rest.split_first()?;
        let mut it = scan(own)?.clone();
        let Consumer::Scan { init, combine, .. } = &it.consumer else {
            return None;
        };
        let mut inside: HashSet<Var> = levels.iter().copied().collect();
        inside.extend(before.iter().flat_map(|stmt| stmt.outs.clone()));
        let outside = |atom: &Atom| !matches!(atom, Atom::Var(var) if inside.contains(var));
        let plain = before.iter().chain(&it.body.stmts).all(is_total)
            && combine.body.stmts.iter().all(is_scalar)
            && init.iter().flatten().all(outside);
        let arrays = it.body.results.len();
        let (prefixes, totals) = own.outs.split_at(arrays);
        let (given, last) = seg.body.results.split_at_checked(arrays)?;
        if !plain
            || !last
                .iter()
                .copied()
                .eq(totals.iter().map(|it| Atom::Var(*it)))
        {
            return None;
        }
        let step = it.space.levels[0].index;
        let back = match after {
            [] if given
                .iter()
                .copied()
                .eq(prefixes.iter().map(|it| Atom::Var(*it))) =>
            {
                false
            }
            [reversed]
                if yields(&seg.body, &[&reversed.outs, totals].concat())
                    && self.is_reversed(reversed, prefixes, &it) =>
            {
                true
            }
            _other => return None,
        };
        it.body.stmts.splice(0..0, before.iter().cloned());
        let step = if back {
            self.count_back(&mut it, step)?
        } else {
            step
        };
        parts.extend([own.src].iter().chain(&it.parts));
        Some(Columns {
            levels,
            step,
            scan: it,
            arrays,
            back,
            parts,
        })
    }

    /// Whether a statement builds these arrays again with the last element first.
    fn is_reversed(&self, stmt: &Stmt, arrays: &[Var], scan: &Seg) -> bool {
        let Op::Seg(seg) = &stmt.op else { return false };
        let [level] = seg.space.levels.as_slice() else {
            return false;
        };
        let extent = scan.space.levels[0].extent.value;
        let copies = stmt.outs.iter().zip(arrays).all(|(out, array)| {
            let copied = self.builders.get(out).and_then(|it| it.copied.as_ref());
            copied.is_some_and(|(of, index)| {
                of == array && matches!(index.as_slice(), [Atom::Var(at)] if self.mirrors(*at, level.index, extent))
            })
        });
        copies && stmt.outs.len() == arrays.len() && level.extent.value == extent
    }

    /// Whether a scalar is `extent - 1 - index`.
    fn mirrors(&self, scalar: Var, index: Var, extent: Atom) -> bool {
        let Some((ScalarOp::Sub, args)) = self.scalars.get(&scalar) else {
            return false;
        };
        let last = match args[0] {
            Atom::Var(last) => self.scalars.get(&last),
            Atom::Const(_) => None,
        };
        args[1] == Atom::Var(index)
            && matches!(last, Some((ScalarOp::Sub, args))
                if args[0] == extent && matches!(args[1], Atom::Const(one) if one.bits == 1))
    }

    /// Lets a scan that only uses its index mirrored count the other way.
    fn count_back(&self, scan: &mut Seg, step: Var) -> Option<Var> {
        let extent = scan.space.levels[0].extent.value;
        let mirrored = |stmt: &Stmt| {
            let out = *stmt.outs.first()?;
            self.mirrors(out, step, extent).then_some(out)
        };
        let at = scan
            .body
            .stmts
            .iter()
            .position(|it| mirrored(it).is_some())?;
        let index = scan.body.stmts.remove(at).outs[0];
        let mut used = scan.body.results.contains(&Atom::Var(step));
        for stmt in &scan.body.stmts {
            each_use(&stmt.op, &mut |var| used |= var == step);
        }
        (!used).then_some(index)
    }

    /// Which axis of what it reads a scan runs along, if that is never the last one.
    fn axis(&self, columns: &Columns) -> Option<usize> {
        let column = Atom::Var(*columns.levels.last()?);
        let mut elements: Vec<Element> = columns.scan.body.stmts.iter().filter_map(read).collect();
        // Each once: components of one array that are built of all those of another, and so on, would be
        // as many as there are ways between them.
        let mut seen: HashSet<Element> = elements.iter().cloned().collect();
        let (mut axis, mut next) = (None, 0);
        while let Some((array, index)) = elements.get(next).cloned() {
            next += 1;
            if let Some(builder) = self.builders.get(&array) {
                let made = builder.reads.iter().map(|it| builder.moved(it, &index));
                elements.extend(made.filter(|it| seen.insert(it.clone())));
                continue;
            }
            if index.contains(&column) && index.last() != Some(&column) {
                return None;
            }
            let step = Atom::Var(columns.step);
            let Some(at) = index.iter().position(|it| *it == step) else {
                continue;
            };
            let own = columns.levels.iter().map(|it| Atom::Var(*it));
            let others = index.iter().copied().filter(|it| *it != step);
            if axis.is_none() && others.eq(own) {
                axis = Some(at);
            }
        }
        axis
    }

    /// Puts a scan along an axis in the place of statement `at`.
    fn replace(
        &self,
        body: &mut Body,
        at: usize,
        columns: Columns,
        axis: usize,
        vars: &mut [VarInfo],
    ) {
        let old = body.stmts[at].outs[..columns.arrays].to_vec();
        for array in &old {
            let VarType::Array(ty) = &mut vars[array.index()].ty else {
                unreachable!("verified: prefixes are arrays");
            };
            let last = ty.dims.pop().expect("an array has dimensions");
            ty.dims.insert(axis, last);
        }
        let mut levels = columns.levels;
        levels.insert(axis, columns.step);
        let dims = dims(old[0], vars).to_vec();
        let levels = levels.into_iter().zip(dims);
        let levels = levels.map(|(index, extent)| Level { index, extent });
        let mut scan = Seg {
            space: Space {
                levels: levels.collect(),
            },
            parts: columns.parts,
            ..columns.scan
        };
        if let Consumer::Scan { along, .. } = &mut scan.consumer {
            let back = columns.back;
            *along = Some(Along { axis, back });
        }
        let mut arrays = old.clone();
        let copy = (at + 1..body.stmts.len())
            .find(|other| self.is_copy(&body.stmts[*other], &old, axis, vars));
        if let Some(copy) = copy {
            let copy = body.stmts.remove(copy);
            scan.parts.push(copy.src);
            arrays = copy.outs;
        }
        each_read(body, &mut |array, index| {
            if let Some(which) = old.iter().position(|it| it == array) {
                let last = index.pop().expect("an array has dimensions");
                index.insert(axis, last);
                *array = arrays[which];
            }
        });
        let stmt = &mut body.stmts[at];
        stmt.outs.splice(..arrays.len(), arrays);
        stmt.op = Op::Seg(scan);
    }

    /// Whether a statement builds these arrays again, with their last axis at `axis`, where their
    /// types have it already.
    fn is_copy(&self, stmt: &Stmt, arrays: &[Var], axis: usize, vars: &[VarInfo]) -> bool {
        let Op::Seg(seg) = &stmt.op else { return false };
        let mut index: Vec<Atom> = seg
            .space
            .levels
            .iter()
            .map(|it| Atom::Var(it.index))
            .collect();
        if !matches!(seg.consumer, Consumer::Build) || index.len() <= axis {
            return false;
        }
        let step = index.remove(axis);
        index.push(step);
        let same = |out: Var, array: Var| {
            let (own, other) = (dims(out, vars), dims(array, vars));
            own.len() == other.len()
                && own.iter().zip(other).all(|(a, b)| a.value == b.value)
                && self
                    .copied(out)
                    .is_some_and(|it| it == (array, index.clone()))
        };
        stmt.outs.len() == arrays.len()
            && stmt
                .outs
                .iter()
                .zip(arrays)
                .all(|(out, array)| same(*out, *array))
    }

    /// The element that the one at its own levels of an array is a copy of, through others.
    fn copied(&self, array: Var) -> Option<Element> {
        let mut element = self.builders.get(&array)?.copied.clone()?;
        while let Some(builder) = self.builders.get(&element.0) {
            element = builder.moved(builder.copied.as_ref()?, &element.1);
        }
        Some(element)
    }
}

impl Builder {
    /// The element that is read for the one at `index`.
    fn moved(&self, (array, own): &Element, index: &[Atom]) -> Element {
        let moved = own.iter().map(|atom| {
            let level = self.levels.iter().position(|it| Atom::Var(*it) == *atom);
            level.map_or(*atom, |at| index[at])
        });
        (*array, moved.collect())
    }
}

/// Whether a body yields just these.
fn yields(body: &Body, vars: &[Var]) -> bool {
    body.results
        .iter()
        .copied()
        .eq(vars.iter().map(|var| Atom::Var(*var)))
}

fn indices(levels: &[Level]) -> Vec<Var> {
    levels.iter().map(|level| level.index).collect()
}

fn dims(array: Var, vars: &[VarInfo]) -> &[Extent] {
    match &vars[array.index()].ty {
        VarType::Array(ty) => &ty.dims,
        VarType::Scalar(_) => &[],
    }
}

fn is_scalar(stmt: &Stmt) -> bool {
    matches!(stmt.op, Op::Scalar(..))
}

/// Whether a statement can neither fail nor run for long.
fn is_total(stmt: &Stmt) -> bool {
    matches!(stmt.op, Op::Scalar(..) | Op::Read { .. })
}

fn read(stmt: &Stmt) -> Option<Element> {
    match &stmt.op {
        Op::Read { array, index } => Some((*array, index.clone())),
        _other => None,
    }
}

/// Whether a body uses these arrays for nothing but their elements.
fn are_read_only(body: &mut Body, arrays: &[Var]) -> bool {
    let is_one = |atom: &Atom| matches!(atom, Atom::Var(var) if arrays.contains(var));
    if body.results.iter().any(is_one) {
        return false;
    }
    let (mut uses, mut reads) = (0_usize, 0_usize);
    for stmt in &body.stmts {
        each_use(&stmt.op, &mut |var| {
            uses += usize::from(arrays.contains(&var))
        });
    }
    each_read(body, &mut |array, _| {
        reads += usize::from(arrays.contains(array))
    });
    uses == reads
}

/// Shows all reads of a body, and of those in it.
fn each_read(body: &mut Body, see: &mut impl FnMut(&mut Var, &mut Vec<Atom>)) {
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::Read { array, index } => see(array, index),
            Op::If { then, else_, .. } => {
                each_read(then, see);
                each_read(else_, see);
            }
            Op::Loop(it) => {
                each_read(&mut it.cond, see);
                each_read(&mut it.body, see);
            }
            Op::Seg(seg) => {
                each_read(&mut seg.body, see);
                match &mut seg.consumer {
                    Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                        each_read(&mut combine.body, see);
                    }
                    Consumer::Fold { step, .. } => each_read(step, see),
                    Consumer::Build
                    | Consumer::Rows { .. }
                    | Consumer::Scatter { .. }
                    | Consumer::Sort(_) => {}
                }
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
}
