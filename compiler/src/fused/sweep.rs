//! Dead code of a fused function.
//!
//! In, out: a fused function. Statements whose results nobody uses go, unless they may fail (the
//! language is strict).

use crate::fused::ir::{Body, Combine, Function, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

/// Removes dead statements.
pub fn sweep(function: &mut Function) {
    let mut live = Live {
        vars: &function.vars,
        used: HashSet::default(),
    };
    sweep_body(&mut function.body, &mut live);
}

/// The same for the body of a kernel whose values are all used.
pub(super) fn sweep_kernel_body(body: &mut Body, vars: &[VarInfo]) {
    let used = HashSet::default();
    sweep_body(body, &mut Live { vars, used });
}

/// What is used after the place of the walk.
struct Live<'a> {
    vars: &'a [VarInfo],
    used: HashSet<Var>,
}

impl Live<'_> {
    /// The extents of an array are used where it is made: its rows have a length, and a result has
    /// a shape.
    fn extents(&mut self, array: Var) {
        let dims = match &self.vars[array.index()].ty {
            Layout::Plain(VarType::Array(ty)) => &ty.dims,
            Layout::Packed { dims, .. } => dims,
            Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } => return,
        };
        for dim in dims {
            if let Atom::Var(var) = dim.value {
                self.used.insert(var);
            }
        }
    }
}

/// Sweeps `body`, whose results are live; adds what it uses to `live`.
fn sweep_body(body: &mut Body, live: &mut Live<'_>) {
    mark(&body.results, live);
    let mut kept = Vec::with_capacity(body.stmts.len());
    for mut stmt in std::mem::take(&mut body.stmts).into_iter().rev() {
        if is_needed(&stmt, live) {
            stmt.outs.iter().for_each(|out| live.extents(*out));
            mark_stmt(&mut stmt, live);
            kept.push(stmt);
        }
    }
    kept.reverse();
    body.stmts = kept;
}

fn is_needed(stmt: &Stmt, live: &Live<'_>) -> bool {
    may_fail(&stmt.op) || stmt.outs.iter().any(|out| live.used.contains(out))
}

fn mark(atoms: &[Atom], live: &mut Live<'_>) {
    for atom in atoms {
        if let Atom::Var(var) = atom {
            live.used.insert(*var);
        }
    }
}

fn mark_stmt(stmt: &mut Stmt, live: &mut Live<'_>) {
    match &mut stmt.op {
        Op::Scalar(_, args) | Op::Literal(args) => mark(args, live),
        Op::Check { ok, values, .. } => {
            mark(&[*ok], live);
            mark(values, live);
        }
        Op::Len { array, .. } => mark(&[Atom::Var(*array)], live),
        Op::Read { array, index } => mark(&[Atom::Var(*array), *index], live),
        Op::Update {
            array,
            index,
            value,
        } => mark(&[Atom::Var(*array), *index, *value], live),
        Op::If { cond, then, else_ } => {
            mark(&[*cond], live);
            sweep_body(then, live);
            sweep_body(else_, live);
        }
        Op::Loop(it) => {
            mark(&it.init, live);
            sweep_body(&mut it.body, live);
            sweep_body(&mut it.cond, live);
        }
        Op::Kernel(kernel) => mark_kernel(kernel, live),
    }
}

fn mark_kernel(kernel: &mut Kernel, live: &mut Live<'_>) {
    mark(&kernel.extents, live);
    match &mut kernel.sink {
        Sink::Write | Sink::Pack | Sink::Keep | Sink::Join => {}
        Sink::Sort(of) => mark(of.places(), live),
        Sink::Rows { offsets } => live.used.extend(offsets.iter().copied()),
        Sink::Reduce { init, combine } => {
            mark(init, live);
            mark_combine(combine, live);
        }
        Sink::Scan { init, combine, .. } => {
            init.iter().for_each(|init| mark(init, live));
            mark_combine(combine, live);
        }
        Sink::Fold {
            init, elem, step, ..
        } => {
            mark(init, live);
            sweep_body(step, live);
            drop_unused(elem, &mut kernel.body.results, live);
        }
        Sink::Scatter { into, .. } | Sink::Append { into } => {
            live.used.extend(into.iter().copied())
        }
    }
    sweep_body(&mut kernel.body, live);
}

/// Leaves out components of a fold's elements that no step looks at; one stays, whatever it is.
fn drop_unused(elem: &mut Vec<Var>, results: &mut Vec<Atom>, live: &Live<'_>) {
    let is_used = |var: &Var| live.used.contains(var);
    let none = !elem.iter().any(is_used);
    let pairs = elem.iter().copied().zip(results.iter().copied());
    let kept = pairs
        .enumerate()
        .filter(|(at, (var, _))| is_used(var) || none && *at == 0);
    (*elem, *results) = kept.map(|(_, pair)| pair).unzip();
}

fn mark_combine(combine: &mut Combine, live: &mut Live<'_>) {
    sweep_body(&mut combine.body, live);
}

/// Whether running it can give an error, or not end.
pub fn may_fail(op: &Op) -> bool {
    match op {
        Op::Check { .. } => true,
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => {
            false
        }
        Op::If { then, else_, .. } => body_may_fail(then) || body_may_fail(else_),
        Op::Loop(_) => true,
        Op::Kernel(kernel) => body_may_fail(&kernel.body) || sink_may_fail(&kernel.sink),
    }
}

pub(super) fn body_may_fail(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| may_fail(&stmt.op))
}

fn sink_may_fail(sink: &Sink) -> bool {
    match sink {
        Sink::Write
        | Sink::Rows { .. }
        | Sink::Pack
        | Sink::Keep
        | Sink::Join
        | Sink::Append { .. }
        | Sink::Sort(_) => false,
        Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => body_may_fail(&combine.body),
        Sink::Fold { step, .. } => body_may_fail(step),
        Sink::Scatter { .. } => true,
    }
}
