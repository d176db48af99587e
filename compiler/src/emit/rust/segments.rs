//! Nests that reduce the row of their index, which the run time does for many short rows together.
//!
//! In: a nest. Out: whether it is such a one; its impl of the run time's `Segments`, as Rust text.
//! Assumes that the nest itself and the kernel inside of it have been printed.

use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::free::captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::{names, tuple};
use crate::emit::rust::liveness::uses_of_stmt;
use crate::emit::rust::nest::{finish, inner_host};
use crate::emit::rust::results::Places;
use crate::emit::rust::scalar::type_name;
use crate::fused::ir::{Body, Combine, Kernel, Op, Sink, Stmt, VarInfo};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// A nest whose body is one reduction of the row of its index, and scalars.
pub struct Segments<'k> {
    /// Where the row of the index begins.
    start: Var,
    reduce: &'k Stmt,
}

impl<'k> Segments<'k> {
    /// What `nest` reduces of rows at these offsets, if its values depend on positions alone.
    pub fn new(nest: &'k Kernel, offsets: Var, vars: &[VarInfo]) -> Option<Segments<'k>> {
        let mut kernels = nest.body.stmts.iter().filter(|stmt| !is_scalar(stmt));
        let (reduce, None) = (kernels.next()?, kernels.next()) else {
            return None;
        };
        let (kernel, _) = reduction(reduce)?;
        let (start, len) = row(nest, offsets)?;
        let own: HashSet<Var> = nest
            .body
            .stmts
            .iter()
            .flat_map(|it| &it.outs)
            .copied()
            .collect();
        let mut free = captured(kernel, vars).into_iter();
        let by_position = kernel.extents == [len]
            && matches!(nest.sink, Sink::Write)
            && !kernel.nest
            && free.all(|var| var == start || var != nest.index && !own.contains(&var))
            && uses_only_sum(&kernel.body, start, kernel.index);
        by_position.then_some(Segments { start, reduce })
    }

    /// The impl for the nest of this name, in which the kernel is called `values`.
    pub fn item(
        &self,
        host: &Host<'_>,
        name: &str,
        nest: &Kernel,
        outside: &Captured,
        values: &str,
    ) -> String {
        let Some((kernel, (combine, init))) = reduction(self.reduce) else {
            unreachable!("`new` has seen that it is one")
        };
        let places = Places::default();
        let mut inner = inner_host(host, nest, outside, &places);
        let inside = Captured::new(&inner, kernel);
        for stmt in &nest.body.stmts {
            if stmt.outs != self.reduce.outs {
                inner.stmt(stmt);
                continue;
            }
            let (outs, init) = (
                names(&stmt.outs),
                tuple(init.iter().map(|it| inner.atom(*it))),
            );
            let _ = writeln!(
                inner.text,
                "let {outs} = match total {{\n__r::Some(total) => \
                 __r::Combine::combine(&__r::Segments::values(self), {init}, total, flag),\n\
                 __r::None => {init},\n}};\nif flag.violated() {{ return; }}"
            );
        }
        finish(&mut inner, nest);
        let value = tuple(combine.left.iter().map(|it| type_name(host.scalar_of(*it))));
        let Names { head, tail, .. } = outside.names();
        let rows: String = (0..nest.body.results.len())
            .map(|at| format!("r{at},"))
            .collect();
        format!(
            "{head} __r::Segments for {name}{tail} {{\ntype Value = {value};\n\
             type Values<'s> = {values}{arguments} where Self: 's;\n\
             #[inline(always)]\nfn values(&self) -> Self::Values<'_> {{\n\
             {locals}let v{start} = 0usize;\n{literal}\n}}\n\
             #[inline(always)]\n\
             fn close<const L: usize, F: __r::Flag>(&self, index: usize, \
             total: __r::Option<Self::Value>, \
             rows: &mut <Self::Outs as __r::Rows>::Places<'_>, flag: &mut F) {{\n\
             let ({rows}) = rows;\n{body}}}\n}}\n",
            arguments = inside.arguments("'s"),
            locals = outside.locals(),
            start = self.start.0,
            literal = inside.value(values),
            body = inner.text,
        )
    }
}

/// Whether a statement computes scalars only.
fn is_scalar(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::Scalar(..) | Op::Read { .. } | Op::Check { .. } | Op::Len { .. } => true,
        Op::If { then, else_, .. } => [then, else_]
            .iter()
            .all(|it| it.stmts.iter().all(is_scalar)),
        Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    }
}

/// A reduction, its operator, and what it starts from.
fn reduction(stmt: &Stmt) -> Option<(&Kernel, (&Combine, &[Atom]))> {
    match &stmt.op {
        Op::Kernel(kernel) => match &kernel.sink {
            Sink::Reduce { combine, init, .. } => Some((kernel, (combine, init))),
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Scatter { .. } => None,
        },
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => None,
    }
}

/// Where the row of the index begins in an array with these offsets, and its length.
fn row(nest: &Kernel, offsets: Var) -> Option<(Var, Atom)> {
    let stmts = &nest.body.stmts;
    let index = Atom::Var(nest.index);
    let scalar = |op: ScalarOp, args: &[Atom]| {
        let made = stmts.iter().find(|stmt| match &stmt.op {
            Op::Scalar(of, with) => *of == op && with == args,
            _other => false,
        });
        made.map(|stmt| stmt.outs[0])
    };
    let position = |at: Atom| {
        let read = stmts.iter().find(|stmt| match &stmt.op {
            Op::Read { array, index } => *array == offsets && *index == at,
            _other => false,
        })?;
        scalar(ScalarOp::Cast, &[Atom::Var(read.outs[0])])
    };
    let next = stmts.iter().find(|stmt| is_next(stmt, index))?;
    let (start, end) = (position(index)?, position(Atom::Var(next.outs[0]))?);
    let len = scalar(ScalarOp::Sub, &[Atom::Var(end), Atom::Var(start)])?;
    Some((start, Atom::Var(len)))
}

/// Whether a statement adds 1 to `index`.
pub fn is_next(stmt: &Stmt, index: Atom) -> bool {
    match &stmt.op {
        Op::Scalar(ScalarOp::Add, args) => args.contains(&index) && args.iter().any(is_one),
        _other => false,
    }
}

fn is_one(atom: &Atom) -> bool {
    matches!(atom, Atom::Const(it) if it.bits == 1)
}

/// Whether a body uses two variables for nothing but their sum.
fn uses_only_sum(body: &Body, a: Var, b: Var) -> bool {
    let (a, b) = (Atom::Var(a), Atom::Var(b));
    let is_sum = |stmt: &Stmt| match &stmt.op {
        Op::Scalar(ScalarOp::Add, args) => *args == [a, b] || *args == [b, a],
        _other => false,
    };
    let mut used = HashSet::default();
    for stmt in body.stmts.iter().filter(|stmt| !is_sum(stmt)) {
        uses_of_stmt(stmt, &mut used);
    }
    let used = used.into_iter().map(Atom::Var);
    let mut all = used.chain(body.results.iter().copied());
    all.all(|it| it != a && it != b)
}
