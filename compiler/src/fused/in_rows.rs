//! Arrays of which a kernel reads a row of its own at each index.
//!
//! In: a kernel. Out: these arrays, and how long their rows are, if all that depends on the index are
//! positions in such rows. The kernel may then be given some of the rows alone, with indices from 0 on.
//! Where that is not seen, nothing is lost but that: no result depends on it.
//!
//! A position is in the row of the index if its normal form is the index times a width, and something
//! between 0 and the width, which follows from the index spaces around.

use crate::fused::ir::{Body, Combine, Function, Kernel, Op, Sink};
use crate::fused::linear::{Defs, Poly, normal};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::collections::BTreeMap;

/// What scalars of a function are, inside of kernels too.
pub fn definitions(function: &Function) -> Defs<'_> {
    let mut defs = Defs::default();
    define(&function.body, &mut defs);
    defs
}

/// Adds those of a body.
pub fn define<'a>(body: &'a Body, defs: &mut Defs<'a>) {
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(op, args) => {
                defs.insert(stmt.outs[0], (*op, args));
            }
            Op::If { then, else_, .. } => {
                define(then, defs);
                define(else_, defs);
            }
            Op::Loop(it) => {
                define(&it.cond, defs);
                define(&it.body, defs);
            }
            Op::Kernel(it) => define(&it.body, defs),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
}

/// The arrays, with the widths of their rows; `None` if more depends on the index, or there are none.
pub fn in_rows(kernel: &Kernel, defs: &Defs<'_>) -> Option<BTreeMap<Var, Poly>> {
    let mut survey = Survey {
        moving: HashSet::from_iter([kernel.index]),
        own: HashSet::default(),
        reads: Vec::new(),
        whole: HashSet::default(),
        extents: HashMap::default(),
        defs,
    };
    survey.body(&kernel.body)?;
    let mut rows: BTreeMap<Var, Poly> = BTreeMap::new();
    for (array, index) in &survey.reads {
        match survey.row(kernel.index, *index)? {
            None => {
                survey.whole.insert(*array);
            }
            Some(width) => {
                let known = rows.entry(*array).or_insert_with(|| width.clone());
                (*known == width).then_some(())?;
            }
        }
    }
    let apart = !rows.keys().any(|array| survey.whole.contains(array));
    (apart && !rows.is_empty()).then_some(rows)
}

struct Survey<'s, 'a> {
    /// Scalars that are made of the index.
    moving: HashSet<Var>,
    /// What is defined inside.
    own: HashSet<Var>,
    /// Arrays, and where they are read.
    reads: Vec<(Var, Atom)>,
    /// Arrays that are used in other ways.
    whole: HashSet<Var>,
    /// Those of the index spaces inside.
    extents: HashMap<Var, Poly>,
    defs: &'s Defs<'a>,
}

impl Survey<'_, '_> {
    /// The width of the row of the index `own` in which a position is, if it is in one; nothing at all if
    /// it depends on the index in another way.
    fn row(&self, own: Var, position: Atom) -> Option<Option<Poly>> {
        let (mut width, mut rest) = (Poly::known(0), Poly::known(0));
        for (vars, factor) in normal(position, self.defs).terms() {
            let mut others = vars.iter().filter(|var| **var != own);
            if others.any(|var| self.moving.contains(var)) {
                return None;
            }
            let others = vars.iter().filter(|var| **var != own);
            let product = others.fold(Poly::known(1), |all, var| all.times(&Poly::var(*var)));
            match vars.iter().filter(|var| **var == own).count() {
                0 => rest = rest.plus(&product, factor),
                1 => width = width.plus(&product, factor),
                _more => return None,
            }
        }
        if width == Poly::known(0) {
            return Some(None);
        }
        let inside = |vars: &[Var]| vars.iter().any(|var| self.own.contains(var));
        if width.terms().any(|(vars, _)| inside(vars)) {
            return None;
        }
        let room = width.clone().moved(-1);
        let room = room.plus(&rest.bound(&self.extents, true)?, -1);
        let least = rest.bound(&self.extents, false)?;
        (room.is_natural() && least.is_natural()).then_some(Some(width))
    }

    /// Nothing if one of these is made of the index.
    fn fixed<'b>(&self, atoms: impl IntoIterator<Item = &'b Atom>) -> Option<()> {
        let moving = |atom: &Atom| matches!(atom, Atom::Var(var) if self.moving.contains(var));
        (!atoms.into_iter().any(moving)).then_some(())
    }

    fn body(&mut self, body: &Body) -> Option<()> {
        for stmt in &body.stmts {
            self.own.extend(&stmt.outs);
            match &stmt.op {
                Op::Scalar(_, args) => {
                    if self.fixed(args).is_none() {
                        self.moving.insert(stmt.outs[0]);
                    }
                }
                Op::Read { array, index } => self.reads.push((*array, *index)),
                Op::Len { array, .. } => {
                    self.whole.insert(*array);
                }
                Op::Check { ok, values, .. } => self.fixed(values.iter().chain([ok]))?,
                Op::Literal(elems) => self.fixed(elems)?,
                Op::Update {
                    array,
                    index,
                    value,
                } => {
                    self.whole.insert(*array);
                    self.fixed([index, value])?;
                }
                Op::If { cond, then, else_ } => {
                    self.fixed([cond])?;
                    self.body(then)?;
                    self.body(else_)?;
                }
                Op::Loop(it) => {
                    self.fixed(&it.init)?;
                    self.own.extend(&it.params);
                    self.body(&it.cond)?;
                    self.body(&it.body)?;
                }
                Op::Kernel(it) => self.kernel(it)?,
            }
        }
        self.whole.extend(body.results.iter().filter_map(var));
        self.fixed(&body.results)
    }

    fn kernel(&mut self, kernel: &Kernel) -> Option<()> {
        self.fixed(&kernel.extents)?;
        let extents = kernel.extents.iter().map(|it| normal(*it, self.defs));
        let extent = extents.fold(Poly::known(1), |all, it| all.times(&it));
        self.extents.insert(kernel.index, extent);
        self.body(&kernel.body)?;
        match &kernel.sink {
            Sink::Write | Sink::Pack | Sink::Keep | Sink::Join => Some(()),
            Sink::Sort(of) => self.fixed(of.places()),
            Sink::Rows { offsets: arrays }
            | Sink::Scatter { into: arrays, .. }
            | Sink::Append { into: arrays } => {
                self.whole.extend(arrays);
                Some(())
            }
            Sink::Reduce { init, combine } => {
                self.fixed(init)?;
                self.combine(combine)
            }
            Sink::Scan { init, combine, .. } => {
                self.fixed(init.iter().flatten())?;
                self.combine(combine)
            }
            Sink::Fold { init, step, .. } => {
                self.fixed(init)?;
                self.body(step)
            }
        }
    }

    fn combine(&mut self, combine: &Combine) -> Option<()> {
        self.body(&combine.body)
    }
}

fn var(atom: &Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }
}
