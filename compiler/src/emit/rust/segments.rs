//! Nests that reduce the row of their index, which the run time does for many short rows together.
//!
//! In: a nest. Out: whether it is such a one; its impl of the run time's `Segments`, as Rust text.
//! Assumes that the nest itself and the kernel inside of it have been printed.

use crate::emit::rust::by_position::uses_only_sum;
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::columns::needed;
use crate::emit::rust::counts::condition;
use crate::emit::rust::free::{captured, visit_stmts};
use crate::emit::rust::host::Host;
use crate::emit::rust::lying::elements;
use crate::emit::rust::nest::{finish, inner_host};
use crate::emit::rust::results::Places;
use crate::emit::rust::rough::finds;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::tuples::{names, numbered, tuple};
use crate::fused::ir::{Body, Combine, Kernel, Op, Sink, Stmt, VarInfo};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// A nest whose body is one reduction of the row of its index, and scalars.
pub struct Segments<'k> {
    /// Scalars that are 0 for the first row: where the row of the index begins, say.
    zeros: Vec<Var>,
    /// How many elements it has, if rows have lengths of their own.
    len: Option<Var>,
    pub reduce: &'k Stmt,
    /// Among how many values it counts, if it does.
    among: Option<Atom>,
}

impl<'k> Segments<'k> {
    /// What `nest` reduces of rows at these offsets, if its values depend on positions alone.
    pub fn new(host: &Host<'_>, nest: &'k Kernel, offsets: Var) -> Option<Segments<'k>> {
        let vars = host.vars;
        let reduce = only_reduction(nest)?;
        let (kernel, (combine, _)) = reduction(reduce)?;
        let (start, len) = row(nest, offsets)?;
        let own = made(nest);
        let mut free = captured(kernel, vars).into_iter();
        let among = match kernel.extents.as_slice() {
            [all] if *all == Atom::Var(len) => is_plain(&kernel.body)
                .then(|| counts(nest, kernel, vars).then_some(*all))
                .flatten(),
            [some] if counts(nest, kernel, vars) => Some(*some),
            _other => return None,
        };
        let by_position = matches!(nest.sink, Sink::Write)
            && !kernel.nest
            && free.all(|var| var == start || var != nest.index && !own.contains(&var))
            && match finds(host, kernel, combine) {
                // The run time knows the index.
                true => elements(kernel).is_some_and(|(_, offset)| offset == Some(start)),
                false => uses_only_sum(&kernel.body, start, kernel.index),
            };
        by_position.then_some(Segments {
            zeros: vec![start],
            len: Some(len),
            reduce,
            among,
        })
    }

    /// Of a nest over rows of one length: `zeros` are what is 0 for the first row.
    pub fn even(reduce: &'k Stmt, zeros: Vec<Var>) -> Segments<'k> {
        let (len, among) = (None, None);
        Segments {
            zeros,
            len,
            reduce,
            among,
        }
    }

    /// Locals for what is 0 for the first row.
    pub fn zeros(&self) -> String {
        let zeros = self.zeros.iter();
        zeros
            .map(|var| format!("let v{} = 0usize;\n", var.0))
            .collect()
    }

    /// What runs the nest.
    pub fn skeleton(&self) -> &'static str {
        match self.among {
            None => "segments_to",
            Some(_) => "counted_to",
        }
    }

    /// The impl for the nest of this name of what that takes, in which the kernel is called `values`.
    pub fn items(
        &self,
        host: &Host<'_>,
        name: &str,
        nest: &Kernel,
        outside: &Captured,
        values: &str,
    ) -> String {
        let counted = self.among.map(|among| {
            let places = Places::default();
            let mut inner = inner_host(host, nest, outside, &places);
            let before = nest.body.stmts.iter();
            for stmt in before.take_while(|stmt| stmt.outs != self.reduce.outs) {
                inner.stmt(stmt);
            }
            let Names { head, tail, .. } = outside.names();
            format!(
                "{head} __r::Counted for {name}{tail} {{\n#[inline(always)]\n\
                 fn among(&self, index: usize) -> usize {{\n{body}{among}\n}}\n}}\n",
                among = inner.atom(among),
                body = inner.text,
            )
        });
        self.item(host, name, nest, outside, values) + &counted.unwrap_or_default()
    }

    /// The reduction, and the scalars of which the results are made, where the row's length is known.
    fn needed<'n>(&self, nest: &'n Kernel, init: &[Atom]) -> impl Iterator<Item = &'n Stmt> {
        let is_reduce = |stmt: &Stmt| stmt.outs == self.reduce.outs;
        let stmts = nest.body.stmts.iter();
        let scalars = stmts.filter(|it| !is_reduce(it) && it.outs != self.len.as_slice());
        let results = [&nest.body.results, init].concat();
        let needed = needed(scalars.cloned().collect(), &results).stmts;
        let outs: HashSet<Var> = needed.iter().flat_map(|it| &it.outs).copied().collect();
        let reduced = self.reduce.outs.clone();
        nest.body.stmts.iter().filter(move |stmt| {
            stmt.outs == reduced || stmt.outs.iter().all(|out| outs.contains(out))
        })
    }

    fn item(
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
        if let Some(len) = self.len {
            let _ = writeln!(inner.text, "let v{} = len;", len.0);
        }
        for stmt in self.needed(nest, init) {
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
        let rows = numbered('r', nest.body.results.len());
        format!(
            "{head} __r::Segments for {name}{tail} {{\ntype Value = {value};\n\
             type Values<'s> = {values}{arguments} where Self: 's;\n\
             #[inline(always)]\nfn values(&self) -> Self::Values<'_> {{\n\
             {locals}{zeros}{literal}\n}}\n\
             #[inline(always)]\n\
             fn close<const L: usize, F: __r::Flag>(&self, index: usize, len: usize, \
             total: __r::Option<Self::Value>, \
             rows: &mut <Self::Outs as __r::Rows>::Places<'_>, flag: &mut F) {{\n\
             let {rows} = rows;\n{body}}}\n}}\n",
            arguments = inside.arguments("'s"),
            locals = outside.locals(),
            zeros = self.zeros(),
            literal = inside.value(values),
            body = inner.text,
        )
    }
}

/// The one statement of a nest that does not compute scalars, if it is a reduction.
pub fn only_reduction(nest: &Kernel) -> Option<&Stmt> {
    let mut others = nest.body.stmts.iter().filter(|stmt| !is_scalar(stmt));
    let (only, None) = (others.next()?, others.next()) else {
        return None;
    };
    reduction(only).map(|_| only)
}

/// What the body of a nest makes.
pub fn made(nest: &Kernel) -> HashSet<Var> {
    let outs = nest.body.stmts.iter().flat_map(|it| &it.outs);
    outs.copied().collect()
}

/// Whether a body neither loops nor checks.
pub fn is_plain(body: &Body) -> bool {
    let mut plain = true;
    visit_stmts(body, &mut |stmt| {
        plain &= !matches!(stmt.op, Op::Loop(_) | Op::Check { .. });
    });
    plain
}

/// Whether a kernel in a nest counts, among as many values as scalars tell that need no check.
pub fn counts(nest: &Kernel, kernel: &Kernel, vars: &[VarInfo]) -> bool {
    let is_check = |stmt: &Stmt| matches!(stmt.op, Op::Check { .. } | Op::If { .. });
    condition(kernel, vars).is_some() && !nest.body.stmts.iter().any(is_check)
}

/// Whether a statement computes scalars only.
pub fn is_scalar(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::Scalar(..) | Op::Read { .. } | Op::Check { .. } | Op::Len { .. } => true,
        Op::If { then, else_, .. } => [then, else_]
            .iter()
            .all(|it| it.stmts.iter().all(is_scalar)),
        Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    }
}

/// A reduction, its operator, and what it starts from.
pub fn reduction(stmt: &Stmt) -> Option<(&Kernel, (&Combine, &[Atom]))> {
    match &stmt.op {
        Op::Kernel(kernel) => match &kernel.sink {
            Sink::Reduce { combine, init, .. } => Some((kernel, (combine, init))),
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => None,
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
pub fn row(nest: &Kernel, offsets: Var) -> Option<(Var, Var)> {
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
    Some((start, len))
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
