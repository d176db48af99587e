//! Small arrays of known lengths, as scalars.
//!
//! In: a lowered function. Out: the same, in which the bodies of parallel operations have no arrays
//! of their own of at most [`MOST`] elements, but a scalar for each element. Assumes that variables
//! are assigned once, and that an index is in range where nothing has failed.
//!
//! Note \[Small arrays\]. A body with arrays in it runs once per index, its operations one after the
//! other; a body of scalars runs in lanes over all indices. So `[f32; 3]` in a body is three scalars:
//! what makes or consumes it is written out, once per element, in the order of the language
//! (`interpret/order.rs`); a read at an unknown index chooses among them. What is assigned by a branch
//! or goes round a loop does so element by element.
//!
//! An array that is the body's result has to lie in memory as a row. Then the body yields the elements
//! of the row as so many arrays, and a second operation, over the row too, chooses among these: it is
//! fused with the first if they are cheap. What reads such rows at a known place reads the array of the
//! elements there instead, so that the second operation is for what does not know the place.

mod operands;
mod rows;
mod rules;
mod unused;
mod written;

use operands::var_of;
use rows::Columns;
use rules::{has_short_rows, makes_rows, makes_windows, reduces_rows, reduces_windows};
use unused::without_unused;

use super::fold::{fold, simplify};
use super::ir::{Atom, Body, Combine, Consumer, Function, Loop, Op, Par, Stmt, VarInfo, VarType};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::source::SrcSpan;

/// Elements of the largest array that is held in scalars.
pub(super) const MOST: u64 = 16;

/// The most arrays that one operation builds: more would have too few registers.
const COMPONENTS: usize = 12;

/// Statements of the largest operation that is written out, over all of its elements.
const LONGEST: usize = 256;

/// Takes the small arrays out of the bodies of a function.
pub(super) fn in_registers(mut function: Function) -> Function {
    let mut pass = Pass {
        vars: std::mem::take(&mut function.vars),
        known: HashMap::default(),
        windows: HashSet::default(),
        columns: HashMap::default(),
        copies: false,
        stmts: Vec::new(),
    };
    pass.host(&mut function.body);
    without_unused(&mut function.body, &pass.columns);
    function.vars = pass.vars;
    function
}

/// Whether a body of an operation holds scalars only, once its small arrays are scalars.
pub(super) fn holds_scalars(vars: &[VarInfo], body: &Body) -> bool {
    if !holds_arrays(&body.stmts, vars) {
        return true;
    }
    let mut pass = Pass {
        vars: vars.to_vec(),
        known: HashMap::default(),
        windows: HashSet::default(),
        columns: HashMap::default(),
        copies: false,
        stmts: Vec::new(),
    };
    body.stmts.iter().cloned().for_each(|stmt| pass.stmt(stmt));
    !holds_arrays(&pass.stmts, &pass.vars)
}

/// Whether statements make arrays, or hold parallel operations.
fn holds_arrays(stmts: &[Stmt], vars: &[VarInfo]) -> bool {
    let is_array = |var: &Var| matches!(vars[var.index()].ty, VarType::Array(_));
    stmts.iter().any(|stmt| {
        let inside = |body: &Body| holds_arrays(&body.stmts, vars);
        stmt.outs.iter().any(is_array)
            || match &stmt.op {
                Op::Par(_) => true,
                Op::If { then, else_, .. } => inside(then) || inside(else_),
                Op::Loop(it) => inside(&it.cond) || inside(&it.body),
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. } => false,
            }
    })
}

/// What a variable has become.
#[derive(Clone)]
enum Known {
    One(Atom),
    /// The elements of a small array, in row-major order.
    All(Vec<Atom>),
}

struct Pass {
    vars: Vec<VarInfo>,
    known: HashMap<Var, Known>,
    /// Arrays of windows, outside of parallel operations.
    windows: HashSet<Var>,
    /// Arrays of rows that are made of arrays of their first elements, of their second ones …
    columns: HashMap<Var, Columns>,
    /// Whether the same statements may come again, so that what they define is new.
    copies: bool,
    /// Of the body that is being made.
    stmts: Vec<Stmt>,
}

impl Pass {
    /// Outside of parallel operations everything stays.
    fn host(&mut self, body: &mut Body) {
        for mut stmt in std::mem::take(&mut body.stmts) {
            let before = std::mem::take(&mut self.stmts);
            match &mut stmt.op {
                Op::If { then, else_, .. } => {
                    self.host(then);
                    self.host(else_);
                }
                Op::Loop(it) => {
                    self.host(&mut it.cond);
                    self.host(&mut it.body);
                }
                Op::Par(_)
                | Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. } => {}
            }
            self.stmts = before;
            if let Op::Par(par) = &stmt.op
                && makes_windows(par)
            {
                self.windows.extend(&stmt.outs);
            }
            match stmt.op {
                Op::Par(par)
                    if !reduces_rows(&par)
                        || has_short_rows(&par)
                        || reduces_windows(&par, &|it| self.is_by_columns(it))
                        || self.reads_columns(&par) =>
                {
                    self.kept(par, &stmt.outs, stmt.src);
                }
                op => self.stmts.push(Stmt { op, ..stmt }),
            }
        }
        body.stmts = std::mem::take(&mut self.stmts);
    }

    /// A statement of a body.
    fn stmt(&mut self, stmt: Stmt) {
        let Stmt { outs, op, src } = stmt;
        match op {
            Op::Scalar(op, args) => {
                let args = self.atoms(&args);
                let ty = self.scalar_type(outs[0]);
                match fold(op, &args, ty).or_else(|| simplify(op, &args, ty)) {
                    Some(atom) => self.becomes(outs[0], Known::One(atom)),
                    None => self.push(&outs, Op::Scalar(op, args), src),
                }
            }
            Op::Check { ok, id, values } => {
                let (ok, values) = (self.atom(ok), self.atoms(&values));
                if !matches!(ok, Atom::Const(it) if it.bits == 1) {
                    self.push(&[], Op::Check { ok, id, values }, src);
                }
            }
            Op::Len { array, axis } => self.push(&outs, Op::Len { array, axis }, src),
            Op::Read { array, index } => {
                let index = self.atoms(&index);
                match self.of(array) {
                    Known::All(elems) => {
                        let lengths = self.lengths(array);
                        let at = self.position(&lengths, &index, outs[0], src);
                        let elem = self.chosen(&elems, at, outs[0], src);
                        self.becomes(outs[0], Known::One(elem));
                    }
                    Known::One(is) => {
                        let op = self.element(var_of(is), index);
                        self.push(&outs, op, src);
                    }
                }
            }
            Op::Literal(elems) => {
                let elems = self.atoms(&elems);
                match self.is_small(outs[0]) {
                    true => self.becomes(outs[0], Known::All(elems)),
                    false => self.push(&outs, Op::Literal(elems), src),
                }
            }
            Op::Update {
                array,
                index,
                value,
            } => self.update(outs[0], array, &index, value, src),
            Op::If { cond, then, else_ } => self.branch(&outs, cond, then, else_, src),
            Op::Loop(it) => self.lay_loop(&outs, it, src),
            Op::Par(par) if self.is_short(&par, &outs) => self.written_out(par, &outs, src),
            Op::Par(par) => self.kept(par, &outs, src),
        }
    }

    fn update(&mut self, out: Var, array: Var, index: &[Atom], value: Atom, src: SrcSpan) {
        let (index, value) = (self.atoms(index), self.atom(value));
        match self.of(array) {
            Known::All(elems) => {
                let lengths = self.lengths(array);
                let at = self.position(&lengths, &index, out, src);
                let elems = elems.into_iter().enumerate();
                let elems = elems.map(|(own, elem)| {
                    let hit = self.is_at(at, own, out, src);
                    let args = vec![hit, value, elem];
                    self.scalar(ScalarOp::Select, args, self.scalar_type(out), out, src)
                });
                let elems = elems.collect();
                self.becomes(out, Known::All(elems));
            }
            Known::One(is) => {
                let array = var_of(is);
                let op = Op::Update {
                    array,
                    index,
                    value,
                };
                self.push(&[out], op, src);
            }
        }
    }

    fn branch(&mut self, outs: &[Var], cond: Atom, then: Body, else_: Body, src: SrcSpan) {
        let cond = self.atom(cond);
        let (then, else_) = (self.body(then, outs), self.body(else_, outs));
        let outs = self.spread(outs);
        self.stmts.push(Stmt {
            outs,
            op: Op::If { cond, then, else_ },
            src,
        });
    }

    fn lay_loop(&mut self, outs: &[Var], it: Loop, src: SrcSpan) {
        let init = self.yielded(&it.init, &it.params);
        let params = self.spread(&it.params);
        let cond = self.body(it.cond, &[]);
        let body = self.body(it.body, &it.params);
        let outs = self.spread(outs);
        let op = Op::Loop(Loop {
            params,
            init,
            cond,
            body,
        });
        self.stmts.push(Stmt { outs, op, src });
    }

    /// A body whose results become `outs`; without these, scalars.
    fn body(&mut self, body: Body, outs: &[Var]) -> Body {
        let before = std::mem::take(&mut self.stmts);
        body.stmts.into_iter().for_each(|stmt| self.stmt(stmt));
        let results = match outs.is_empty() {
            true => self.atoms(&body.results),
            false => self.yielded(&body.results, outs),
        };
        Body {
            stmts: std::mem::replace(&mut self.stmts, before),
            results,
        }
    }

    /// Values that become `outs`, the elements of small arrays one by one.
    fn yielded(&mut self, atoms: &[Atom], outs: &[Var]) -> Vec<Atom> {
        let mut yielded = Vec::new();
        for (atom, out) in atoms.iter().zip(outs) {
            let src = self.vars[out.index()].src;
            match self.is_small(*out) {
                true => {
                    let (known, lengths) = (self.seen(*atom), self.lengths(*out));
                    yielded.extend(self.all(&known, &lengths, *out, src));
                }
                false => yielded.push(self.whole(*atom, src)),
            }
        }
        yielded
    }

    /// Variables for `outs`, one for each element of the small arrays.
    fn spread(&mut self, outs: &[Var]) -> Vec<Var> {
        let mut spread = Vec::new();
        for out in outs {
            if !self.is_small(*out) {
                spread.push(self.defined(*out));
                continue;
            }
            let elem = self.scalar_type(*out);
            let count = self.lengths(*out).iter().product::<u64>();
            let elems: Vec<Var> = (0..count)
                .map(|_| self.fresh(VarType::Scalar(elem), *out))
                .collect();
            let all = elems.iter().map(|elem| Atom::Var(*elem)).collect();
            self.becomes(*out, Known::All(all));
            spread.extend(elems);
        }
        spread
    }

    /// An operation that stays; its body has no small arrays.
    fn kept(&mut self, par: Par, outs: &[Var], src: SrcSpan) {
        let extent = self.atom(par.extent);
        let index = self.defined(par.index);
        let row = makes_rows(&par);
        let builds = matches!(par.consumer, Consumer::Build);
        let before = std::mem::take(&mut self.stmts);
        let elems = self.elements(par.body, row, builds, src);
        let stmts = std::mem::replace(&mut self.stmts, before);
        let consumer = self.consumer(par.consumer);
        let mut results = Vec::new();
        let mut made = Vec::new();
        let mut rows = Vec::new();
        for (at, out) in outs.iter().enumerate() {
            match elems.get(at) {
                Some(Known::All(elems)) => {
                    let columns = self.columns(*out, elems);
                    made.extend(&columns.vars);
                    rows.push((*out, columns));
                }
                // Some consumers give more than one array for each result.
                Some(Known::One(_)) | None => made.push(self.defined(*out)),
            }
        }
        for elem in elems {
            match elem {
                Known::One(atom) => results.push(atom),
                Known::All(elems) => results.extend(elems),
            }
        }
        let body = Body { stmts, results };
        let op = Op::Par(Par {
            extent,
            index,
            body,
            consumer,
        });
        self.stmts.push(Stmt {
            outs: made,
            op,
            src,
        });
        for (out, columns) in rows {
            self.rows(out, columns, src);
        }
    }

    /// The statements of an operation's body, of which the last may make a row, and what it yields.
    fn elements(&mut self, body: Body, row: bool, builds: bool, src: SrcSpan) -> Vec<Known> {
        let mut stmts = body.stmts;
        let last = if row { stmts.pop() } else { None };
        stmts.into_iter().for_each(|stmt| self.stmt(stmt));
        if let Some(Stmt { outs, op, src }) = last
            && let Op::Par(row) = op
        {
            self.kept(row, &outs, src);
        }
        // Only what builds arrays can take a row apart, and into so many.
        let mut room = if builds { COMPONENTS } else { 0 };
        room = room.saturating_sub(body.results.len());
        let mut yielded = Vec::with_capacity(body.results.len());
        for atom in &body.results {
            yielded.push(match self.by_columns(*atom) {
                Known::All(elems) if builds && elems.len() <= room + 1 => {
                    room -= elems.len() - 1;
                    Known::All(elems)
                }
                Known::All(_) => Known::One(self.whole(*atom, src)),
                one => one,
            });
        }
        yielded
    }

    fn consumer(&mut self, consumer: Consumer) -> Consumer {
        match consumer {
            Consumer::Build => Consumer::Build,
            Consumer::Reduce { init, combine } => Consumer::Reduce {
                init: self.atoms(&init),
                combine: self.combine(combine),
            },
            Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            } => Consumer::Scan {
                init: init.map(|init| self.atoms(&init)),
                combine: self.combine(combine),
                exclusive,
                total,
            },
            Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => Consumer::Fold {
                init: self.atoms(&init),
                acc: self.defined_all(&acc),
                elem: self.defined_all(&elem),
                step: self.body(step, &[]),
            },
            Consumer::Rows { offsets } => Consumer::Rows {
                offsets: self.whole_arrays(offsets),
            },
            Consumer::Scatter { into, id } => Consumer::Scatter {
                into: self.whole_arrays(into),
                id,
            },
            Consumer::Sort(sorted) => Consumer::Sort(sorted),
        }
    }

    fn whole_arrays(&mut self, arrays: Vec<Var>) -> Vec<Var> {
        let arrays = arrays.into_iter();
        let arrays = arrays.map(|array| {
            let src = self.vars[array.index()].src;
            var_of(self.whole(Atom::Var(array), src))
        });
        arrays.collect()
    }

    fn combine(&mut self, combine: Combine) -> Combine {
        Combine {
            left: self.defined_all(&combine.left),
            right: self.defined_all(&combine.right),
            body: self.body(combine.body, &[]),
            neutral: combine.neutral,
            goes_on: combine.goes_on,
        }
    }
}
