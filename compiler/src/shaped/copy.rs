//! The part of a body that some of its results need, as a body of its own.
//!
//! In: statements of a body, and what is wanted of it. Out: statements that compute that, with
//! variables of their own. Assumes that variables are assigned once.
//!
//! Note \[Checks in copies\]. A copy runs before what it is a copy of, over all indices. If it held
//! some of the checks, an error of a later index could hide one of an earlier index that it leaves
//! out. So it holds all checks of the body with what they depend on, or, where nothing that is wanted
//! stands behind a check, none: lengths that are none for want of a check are 0 (Note \[Failing rows\]).
//! What is printed is a check here: where the copy prints, what it is a copy of no longer does.

use super::ir::{
    ArrayType, Atom, Body, Combine, Consumer, Extent, Loop, Op, Par, Stmt, VarInfo, VarType,
};
use super::lower::Lower;
use super::uses::each_use;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;

impl Lower<'_> {
    /// A copy of what `results` need of `stmts`; `index` is the variable that the body runs over, for
    /// which the copy has one of its own.
    pub(super) fn copy_of(&mut self, stmts: &[Stmt], index: Var, results: &[Atom]) -> (Var, Body) {
        let mut copy = Copier {
            vars: &mut self.vars,
            names: HashMap::default(),
        };
        let index = copy.define(index);
        let needed = copy.needed(stmts, results);
        let body = copy.body(&needed, results);
        (index, body)
    }
}

/// Writes statements with variables of their own.
pub(super) struct Copier<'v> {
    /// The function's variables.
    pub(super) vars: &'v mut Vec<VarInfo>,
    /// What stands for a variable.
    pub(super) names: HashMap<Var, Atom>,
}

impl Copier<'_> {
    /// See Note \[Checks in copies\].
    fn needed(&self, stmts: &[Stmt], results: &[Atom]) -> Vec<Stmt> {
        let without = self.slice(stmts, results, false);
        // Only what reads can rest on a check before.
        let rests = |stmt: &Stmt| !matches!(stmt.op, Op::Scalar(..) | Op::Len { .. });
        let rests = without.iter().rev().find(|(_, stmt)| rests(stmt));
        let behind = rests.map_or(0, |(at, _)| at + 1);
        let kept = match stmts[..behind].iter().any(Stmt::checks) {
            true => self.slice(stmts, results, true),
            false => without,
        };
        kept.into_iter().map(|(_, stmt)| stmt).collect()
    }

    /// The statements that `results` need, or checks too if `all`, by their positions.
    fn slice(&self, stmts: &[Stmt], results: &[Atom], all: bool) -> Vec<(usize, Stmt)> {
        let mut wanted: HashSet<Var> = HashSet::default();
        let mut kept = Vec::new();
        results
            .iter()
            .for_each(|atom| self.want(*atom, &mut wanted));
        for (at, stmt) in stmts.iter().enumerate().rev() {
            if stmt.outs.iter().any(|out| wanted.contains(out)) || all && stmt.checks() {
                let stmt = self.trimmed(stmt, &wanted, all);
                self.uses(&stmt, &mut wanted);
                kept.push((at, stmt));
            }
        }
        kept.reverse();
        kept
    }

    /// A statement without those results of a conditional that nobody wants.
    fn trimmed(&self, stmt: &Stmt, wanted: &HashSet<Var>, all: bool) -> Stmt {
        let Op::If { cond, then, else_ } = &stmt.op else {
            return stmt.clone();
        };
        let outs = stmt.outs.iter();
        let keeps: Vec<bool> = outs.map(|out| wanted.contains(out)).collect();
        let side = |body: &Body| {
            let results = kept(&body.results, &keeps);
            let stmts = self.slice(&body.stmts, &results, all).into_iter();
            let stmts = stmts.map(|(_, stmt)| stmt).collect();
            Body { stmts, results }
        };
        let (cond, then, else_) = (*cond, side(then), side(else_));
        Stmt {
            outs: kept(&stmt.outs, &keeps),
            op: Op::If { cond, then, else_ },
            src: stmt.src,
        }
    }

    /// Adds a variable, and the extents of its type.
    fn want(&self, atom: Atom, wanted: &mut HashSet<Var>) {
        let Atom::Var(var) = atom else { return };
        wanted.insert(var);
        if let VarType::Array(array) = &self.vars[var.index()].ty {
            let extents = array.dims.iter().map(|dim| dim.value);
            wanted.extend(extents.filter_map(as_var));
        }
    }

    fn uses(&self, stmt: &Stmt, wanted: &mut HashSet<Var>) {
        let mut want = |var| self.want(Atom::Var(var), wanted);
        stmt.outs.iter().copied().for_each(&mut want);
        each_use(&stmt.op, &mut want);
    }

    /// A new variable for `var`.
    fn define(&mut self, var: Var) -> Var {
        let info = self.vars[var.index()].clone();
        let ty = match info.ty {
            VarType::Scalar(scalar) => VarType::Scalar(scalar),
            VarType::Array(ArrayType { elem, dims }) => {
                let dims = dims.into_iter().map(|dim| Extent {
                    value: self.atom(dim.value),
                    size: dim.size,
                });
                let dims = dims.collect();
                VarType::Array(ArrayType { elem, dims })
            }
        };
        let new = Var::next(self.vars);
        self.vars.push(VarInfo { ty, ..info });
        self.names.insert(var, Atom::Var(new));
        new
    }

    fn define_all(&mut self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.define(*var)).collect()
    }

    /// An array, for which another stands.
    fn var(&self, var: Var) -> Var {
        as_var(self.atom(Atom::Var(var))).expect("no array is a constant")
    }

    fn vars(&self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.var(*var)).collect()
    }

    /// What stands for an operand.
    pub(super) fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) => self.names.get(&var).copied().unwrap_or(atom),
            Atom::Const(_) => atom,
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> Vec<Atom> {
        atoms.iter().map(|atom| self.atom(*atom)).collect()
    }

    fn whole(&mut self, body: &Body) -> Body {
        self.body(&body.stmts, &body.results)
    }

    /// Statements, and what they are wanted for.
    pub(super) fn body(&mut self, stmts: &[Stmt], results: &[Atom]) -> Body {
        let stmts = stmts.iter().map(|stmt| {
            let op = self.op(&stmt.op);
            let outs = self.define_all(&stmt.outs);
            let src = stmt.src;
            Stmt { outs, op, src }
        });
        let stmts = stmts.collect();
        let results = self.atoms(results);
        Body { stmts, results }
    }

    fn op(&mut self, op: &Op) -> Op {
        match op {
            Op::Scalar(op, args) => Op::Scalar(*op, self.atoms(args)),
            Op::Check { ok, id, values } => Op::Check {
                ok: self.atom(*ok),
                id: *id,
                values: self.atoms(values),
            },
            Op::Len { array, axis } => Op::Len {
                array: self.var(*array),
                axis: *axis,
            },
            Op::Read { array, index } => Op::Read {
                array: self.var(*array),
                index: self.atoms(index),
            },
            Op::Literal(elems) => Op::Literal(self.atoms(elems)),
            Op::Update {
                array,
                index,
                value,
            } => Op::Update {
                array: self.var(*array),
                index: self.atoms(index),
                value: self.atom(*value),
            },
            Op::If { cond, then, else_ } => Op::If {
                cond: self.atom(*cond),
                then: self.whole(then),
                else_: self.whole(else_),
            },
            Op::Loop(it) => {
                let init = self.atoms(&it.init);
                Op::Loop(Loop {
                    params: self.define_all(&it.params),
                    init,
                    cond: self.whole(&it.cond),
                    body: self.whole(&it.body),
                })
            }
            Op::Par(par) => Op::Par(Par {
                extent: self.atom(par.extent),
                index: self.define(par.index),
                body: self.whole(&par.body),
                consumer: self.consumer(&par.consumer),
            }),
        }
    }

    fn consumer(&mut self, consumer: &Consumer) -> Consumer {
        match consumer {
            Consumer::Build => Consumer::Build,
            Consumer::Rows { offsets } => Consumer::Rows {
                offsets: self.vars(offsets),
            },
            Consumer::Reduce { init, combine } => Consumer::Reduce {
                init: self.atoms(init),
                combine: self.combine(combine),
            },
            Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            } => Consumer::Scan {
                init: init.as_ref().map(|init| self.atoms(init)),
                combine: self.combine(combine),
                exclusive: *exclusive,
                total: *total,
            },
            Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => Consumer::Fold {
                init: self.atoms(init),
                acc: self.define_all(acc),
                elem: self.define_all(elem),
                step: self.whole(step),
            },
            Consumer::Scatter { into, id } => Consumer::Scatter {
                into: self.vars(into),
                id: *id,
            },
            Consumer::Sort(sorted) => Consumer::Sort(*sorted),
        }
    }

    fn combine(&mut self, combine: &Combine) -> Combine {
        Combine {
            left: self.define_all(&combine.left),
            right: self.define_all(&combine.right),
            body: self.whole(&combine.body),
            neutral: combine.neutral.clone(),
            goes_on: combine.goes_on,
        }
    }
}

/// Those of `items` that are to be kept.
fn kept<T: Copy>(items: &[T], keeps: &[bool]) -> Vec<T> {
    let pairs = items.iter().zip(keeps).filter(|(_, keep)| **keep);
    pairs.map(|(item, _)| *item).collect()
}

/// The variable that an operand is.
pub(super) fn as_var(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}
