//! `shaped` → `flat`.
//!
//! In: bodies that may nest parallel operations. Out: segmented operations over index spaces, and
//! nests of them. Assumes a verified `shaped` program.
//!
//! Note \[Collapse\]. A body that only makes an array of its own, from cheap scalars and arrays that
//! nobody stores, becomes levels of one index space: its scalars are computed again for each inner
//! index. Any other body that
//! holds parallel operations stays: on a CPU it is best to run it once per outer index, with what it
//! makes still in the cache.

use crate::flat::across::across;
use crate::flat::elements::Costs;
use crate::flat::hoist::{delayed, hoist, take_checks};
use crate::flat::horizontal::merge;
use crate::flat::in_step::{Builders, in_step};
use crate::flat::ir::{
    Body, Combine, Consumer, Function, Level, Loop, Op, Program, Repr, Seg, Space, Stmt, VarInfo,
};
use crate::flat::rows::over_all;
use crate::flat::uses::each_use;
use crate::fused::cost::scalar_cost;
use crate::fused::total::may_fail;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::report::{Diagnostic, Errors, Report};
use crate::shaped::ir as shaped;
use crate::shaped::ir::{ArrayType, Atom, Extent, VarType};
use crate::shaped::size::Size;
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// Flattens every function.
pub fn flatten(program: shaped::Program) -> Result<Program, Report> {
    let mut errors = Errors::default();
    let functions = program
        .functions
        .into_iter()
        .map(|function| flatten_function(function, &mut errors));
    let functions = functions.collect();
    errors.propagate()?;
    Ok(Program {
        structs: program.structs,
        functions,
    })
}

fn flatten_function(function: shaped::Function, errors: &mut Errors) -> Function {
    let vars = function.vars.into_iter().map(|info| VarInfo {
        ty: info.ty,
        repr: Repr::Avoided,
        fast: info.fast,
        src: info.src,
    });
    let mut pass = Flatten {
        vars: vars.collect(),
        parallel: false,
        built: HashSet::default(),
        costs: Costs::default(),
        failing: HashSet::default(),
        builders: Builders::default(),
        hoisted: Vec::new(),
        refused: Vec::new(),
    };
    let mut body = pass.body(function.body);
    merge(&mut body, &pass.vars);
    across(&mut body, &mut pass.vars);
    pass.refused.drain(..).for_each(|error| errors.push(error));
    Function {
        name: function.name,
        ident: function.ident,
        export: function.export,
        params: function.params,
        ret: function.ret,
        body,
        vars: pass.vars,
        checks: function.checks,
        values: function.values,
        size_names: function.size_names,
        src: function.src,
    }
}

struct Flatten {
    vars: Vec<VarInfo>,
    /// Inside the body of a parallel operation.
    parallel: bool,
    /// The arrays that operations build.
    built: HashSet<Var>,
    costs: Costs,
    /// Those of them whose elements may fail.
    failing: HashSet<Var>,
    /// How their elements are made.
    builders: Builders,
    /// What goes in front of the statement that is being made.
    hoisted: Vec<Stmt>,
    /// What this version does not compile.
    refused: Vec<Diagnostic>,
}

impl Flatten {
    fn body(&mut self, body: shaped::Body) -> Body {
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for stmt in body.stmts {
            let stmt = self.stmt(stmt);
            stmts.append(&mut self.hoisted);
            self.split(stmt, &mut stmts);
        }
        Body {
            stmts,
            results: body.results,
        }
    }

    /// An operation that consumes elements which other operations make: first all elements, then
    /// what consumes them. So nests build arrays only.
    fn split(&mut self, mut stmt: Stmt, stmts: &mut Vec<Stmt>) {
        let Op::Seg(seg) = &mut stmt.op else {
            return stmts.push(stmt);
        };
        let builds = matches!(seg.consumer, Consumer::Build | Consumer::Rows { .. });
        if builds || !holds_seg(&seg.body, &self.vars) {
            return stmts.push(stmt);
        }
        let level = seg.space.levels[0].clone();
        let (src, repr) = (stmt.src, self.vars[stmt.outs[0].index()].repr);
        let index = self.fresh(VarType::Scalar(Scalar::Usize), Repr::Regular, src);
        let mut reads = Body::default();
        let mut outs = Vec::new();
        for result in &seg.body.results {
            let elem = self.scalar_type(*result);
            let dims = vec![level.extent.clone()];
            let array = self.fresh(VarType::Array(ArrayType { elem, dims }), repr, src);
            let out = self.fresh(VarType::Scalar(elem), Repr::Regular, src);
            let read = Op::Read {
                array,
                index: vec![Atom::Var(index)],
            };
            reads.stmts.push(Stmt {
                outs: vec![out],
                op: read,
                src,
            });
            reads.results.push(Atom::Var(out));
            outs.push(array);
        }
        let level = Level {
            index,
            extent: level.extent,
        };
        let levels = vec![level];
        let space = std::mem::replace(&mut seg.space, Space { levels });
        let body = std::mem::replace(&mut seg.body, reads);
        let consumer = Consumer::Build;
        let op = Op::Seg(Seg {
            space,
            body,
            consumer,
            parts: Vec::new(),
        });
        stmts.push(Stmt { outs, op, src });
        stmts.push(stmt);
    }

    fn fresh(&mut self, ty: VarType, repr: Repr, src: SrcSpan) -> Var {
        let var = Var::next(&self.vars);
        self.vars.push(VarInfo {
            ty,
            repr,
            fast: false,
            src,
        });
        var
    }

    fn scalar_type(&self, atom: Atom) -> Scalar {
        match atom {
            Atom::Const(it) => it.ty,
            Atom::Var(var) => match &self.vars[var.index()].ty {
                VarType::Scalar(scalar) => *scalar,
                VarType::Array(_) => unreachable!("verified: elements are scalars"),
            },
        }
    }

    fn stmt(&mut self, stmt: shaped::Stmt) -> Stmt {
        for out in &stmt.outs {
            self.vars[out.index()].repr = match self.parallel {
                true => Repr::Regular,
                false => Repr::Avoided,
            };
        }
        let op = match stmt.op {
            shaped::Op::Par(par) => {
                let op = Op::Seg(self.seg(par, &stmt.outs));
                self.built.extend(&stmt.outs);
                self.costs.note(&stmt.outs, &op);
                self.builders.note(&stmt.outs, &op);
                if self.may_fail(&op) {
                    self.failing.extend(&stmt.outs);
                }
                op
            }
            op => self.op(op),
        };
        Stmt {
            outs: stmt.outs,
            op,
            src: stmt.src,
        }
    }

    /// Whether an element of what `op` builds may fail where it is read.
    fn may_fail(&self, op: &Op) -> bool {
        let Op::Seg(seg) = op else { return false };
        let mut found = may_fail(&seg.body);
        each_use(op, &mut |var| found |= self.failing.contains(&var));
        found
    }

    fn op(&mut self, op: shaped::Op) -> Op {
        match op {
            shaped::Op::Scalar(op, args) => Op::Scalar(op, args),
            shaped::Op::Check { ok, id, values } => Op::Check { ok, id, values },
            shaped::Op::Len { array, axis } => Op::Len { array, axis },
            shaped::Op::Read { array, index } => Op::Read { array, index },
            shaped::Op::Literal(elems) => Op::Literal(elems),
            shaped::Op::Update {
                array,
                index,
                value,
            } => Op::Update {
                array,
                index,
                value,
            },
            shaped::Op::If { cond, then, else_ } => Op::If {
                cond,
                then: self.body(then),
                else_: self.body(else_),
            },
            shaped::Op::Loop(it) => Op::Loop(Loop {
                params: it.params,
                init: it.init,
                cond: self.body(it.cond),
                body: self.body(it.body),
            }),
            shaped::Op::Par(_) => unreachable!("handled with its results"),
        }
    }

    fn seg(&mut self, par: shaped::Par, outs: &[Var]) -> Seg {
        let outer = std::mem::replace(&mut self.parallel, true);
        let extent = Extent {
            value: par.extent,
            size: self.size_of(par.extent),
        };
        let level = Level {
            index: par.index,
            extent,
        };
        let mut body = self.body(par.body);
        if outer {
            in_step(&mut body, par.index, &self.builders, &mut self.vars);
        }
        let consumer = self.consumer(par.consumer);
        self.parallel = outer;
        let mut seg = Seg {
            space: Space {
                levels: vec![level],
            },
            body,
            consumer,
            parts: Vec::new(),
        };
        self.hoisted = hoist(&mut seg, &self.built, &self.vars);
        if holds_seg(&seg.body, &self.vars) {
            let checks = take_checks(&mut seg, &self.failing).into_iter();
            let checks: Vec<Stmt> = checks
                .flat_map(|stmt| self.guarded(stmt, par.extent))
                .collect();
            self.hoisted.extend(checks);
        }
        for out in self.hoisted.iter().flat_map(|stmt| &stmt.outs) {
            self.vars[out.index()].repr = if outer { Repr::Regular } else { Repr::Avoided };
        }
        self.collapse(seg, outs)
    }

    /// A statement that stood in a body, in front of its operation: a check holds as well if that has
    /// no index.
    fn guarded(&mut self, stmt: Stmt, extent: Atom) -> Vec<Stmt> {
        let Op::Check { ok, id, values } = stmt.op else {
            return vec![stmt];
        };
        let src = stmt.src;
        let mut out = Vec::new();
        let mut test = |op, args| {
            let var = self.fresh(VarType::Scalar(Scalar::Bool), Repr::Avoided, src);
            let (outs, op) = (vec![var], Op::Scalar(op, args));
            out.push(Stmt { outs, op, src });
            Atom::Var(var)
        };
        let (ty, bits) = (Scalar::Usize, 0);
        let zero = Atom::Const(Const { ty, bits });
        let none = test(ScalarOp::Eq, vec![extent, zero]);
        let ok = test(ScalarOp::BitOr, vec![none, ok]);
        let (outs, op) = (Vec::new(), Op::Check { ok, id, values });
        out.push(Stmt { outs, op, src });
        out
    }

    /// See Note \[Collapse\].
    fn collapse(&self, mut seg: Seg, outs: &[Var]) -> Seg {
        if let Some(whole) = over_all(&seg, outs, &self.vars) {
            return whole;
        }
        if !self.collapses(&seg) {
            return seg;
        }
        let last = seg.body.stmts.pop().expect("it collapses");
        let Op::Seg(inner) = last.op else {
            unreachable!("it collapses")
        };
        let VarType::Array(ty) = &self.vars[outs[0].index()].ty else {
            unreachable!("verified: a build gives arrays")
        };
        // The same extents, as values from outside.
        let extents = ty.dims[1..].iter().cloned();
        let levels = inner.space.levels.into_iter().zip(extents);
        seg.space.levels.extend(levels.map(|(level, extent)| Level {
            index: level.index,
            extent,
        }));
        seg.body.stmts.extend(inner.body.stmts);
        // In the order in which the outer body yields them.
        let place = |atom: &Atom| last.outs.iter().position(|out| Atom::Var(*out) == *atom);
        let results = seg.body.results.iter().map(|atom| {
            let at = place(atom).expect("it collapses");
            inner.body.results[at]
        });
        seg.body.results = results.collect();
        seg
    }

    fn is_scalar(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => matches!(self.vars[var.index()].ty, VarType::Scalar(_)),
        }
    }

    fn collapses(&self, seg: &Seg) -> bool {
        let Some((last, before)) = seg.body.stmts.split_last() else {
            return false;
        };
        let Op::Seg(inner) = &last.op else {
            return false;
        };
        let made = |atom: &Atom| last.outs.iter().any(|out| Atom::Var(*out) == *atom);
        let delayed = delayed(&seg.body, &self.costs);
        let stored = |stmt: &&Stmt| !stmt.outs.iter().any(|out| delayed.contains(out));
        let cost = before.iter().filter(stored);
        let cost: u32 = cost.map(|stmt| cheap_cost(&stmt.op)).sum();
        matches!(seg.consumer, Consumer::Build)
            && matches!(inner.consumer, Consumer::Build)
            && inner.body.results.iter().all(|it| self.is_scalar(*it))
            && seg.body.results.iter().all(made)
            && cost <= CHEAP_ROW
    }

    fn consumer(&mut self, consumer: shaped::Consumer) -> Consumer {
        match consumer {
            shaped::Consumer::Build => Consumer::Build,
            shaped::Consumer::Rows { offsets } => Consumer::Rows { offsets },
            shaped::Consumer::Reduce { init, combine } => Consumer::Reduce {
                init,
                combine: self.combine(combine),
            },
            shaped::Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            } => Consumer::Scan {
                init,
                combine: self.combine(combine),
                exclusive,
                total,
                along: None,
            },
            shaped::Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => Consumer::Fold {
                init,
                acc,
                elem,
                step: self.operator(step),
            },
            shaped::Consumer::Scatter { into, id } => Consumer::Scatter { into, id },
            shaped::Consumer::Sort(sorted) => Consumer::Sort(sorted),
        }
    }

    fn combine(&mut self, combine: shaped::Combine) -> Combine {
        Combine {
            left: combine.left,
            right: combine.right,
            body: self.operator(combine.body),
            neutral: combine.neutral,
            goes_on: combine.goes_on,
        }
    }

    /// The body of an operator, which holds scalars only.
    fn operator(&mut self, body: shaped::Body) -> Body {
        let body = self.body(body);
        if let Some(src) = first_seg(&body, &self.vars) {
            let sentence = "an array operation in the operator of a reduction, scan or fold";
            self.refused.push(Diagnostic::internal(src, sentence));
        }
        body
    }

    /// The size expression of an extent, as far as an array of that extent tells.
    fn size_of(&self, extent: Atom) -> Size {
        let known = self.vars.iter().find_map(|info| match &info.ty {
            VarType::Array(array) => array
                .dims
                .iter()
                .find(|dim| dim.value == extent)
                .map(|dim| dim.size.clone()),
            VarType::Scalar(_) => None,
        });
        known.unwrap_or_default()
    }
}

/// What may be computed again for each element of a row.
const CHEAP_ROW: u32 = 8;

/// The cost of a statement that may be computed again; too dear if it may not.
fn cheap_cost(op: &Op) -> u32 {
    match op {
        Op::Scalar(op, _) => scalar_cost(*op, None),
        Op::Read { .. } | Op::Len { .. } => 1,
        Op::Check { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Seg(_) => CHEAP_ROW + 1,
    }
}

/// Whether a body holds other operations, or arrays of its own.
pub fn holds_seg(body: &Body, vars: &[VarInfo]) -> bool {
    first_seg(body, vars).is_some()
}

fn first_seg(body: &Body, vars: &[VarInfo]) -> Option<SrcSpan> {
    let is_array = |var: &Var| matches!(vars[var.index()].ty, VarType::Array(_));
    body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Seg(_) | Op::Literal(_) | Op::Update { .. } => Some(stmt.src),
        Op::If { .. } | Op::Loop(_) if stmt.outs.iter().any(is_array) => Some(stmt.src),
        Op::If { then, else_, .. } => first_seg(then, vars).or_else(|| first_seg(else_, vars)),
        Op::Loop(it) => first_seg(&it.cond, vars).or_else(|| first_seg(&it.body, vars)),
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => None,
    })
}
