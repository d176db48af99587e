//! Nests that reduce the rows of matrices, which the run time does for many narrow rows together.
//!
//! In: a nest. Out: whether it is such a one; what it takes to run it so, as Rust text.
//! Assumes that the nest itself and the kernel inside of it have been printed.

use crate::emit::rust::by_position::uses_only_sum;
use crate::emit::rust::call::extent;
use crate::emit::rust::captured::Captured;
use crate::emit::rust::columns::{uses, var};
use crate::emit::rust::free::{captured, visit_stmts};
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::repeated_item;
use crate::emit::rust::rough::finds;
use crate::emit::rust::segments::{Segments, counts, is_plain, made, only_reduction, reduction};
use crate::fused::ir::{Body, Kernel, Op, Sink, Stmt};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;

/// A nest whose body is one reduction of the row of its index of matrices, and of vectors that are as long,
/// and scalars.
pub struct Narrow<'k> {
    segments: Segments<'k>,
    width: Atom,
    matrices: Vec<Var>,
    vectors: Vec<Var>,
}

/// How to run a nest if rows are narrow, as Rust text.
pub struct Ways {
    /// Whether it may be.
    narrow: String,
    /// What comes before.
    before: String,
    /// The values of all rows, one after another.
    values: String,
    width: String,
}

impl Ways {
    /// The call for rows that are narrow, else `otherwise`.
    pub fn call(&self, (literal, n): (&str, &str), rest: &str, otherwise: &str) -> String {
        let Ways {
            narrow,
            before,
            values,
            width,
        } = self;
        format!(
            "if {narrow} {{\n\
             {before}__r::narrow_to({literal}, {values}, ({n}, {width}), {rest})\n\
             }} else {{\n{otherwise}\n}}"
        )
    }
}

impl<'k> Narrow<'k> {
    /// What `nest` reduces, if its values depend on positions in matrices, and in rows, alone.
    pub fn new(host: &Host<'_>, nest: &'k Kernel) -> Option<Narrow<'k>> {
        let reduce = only_reduction(nest)?;
        let (kernel, (combine, _)) = reduction(reduce)?;
        let &[width] = kernel.extents.as_slice() else {
            return None;
        };
        let start = Start::new(nest, kernel, width)?;
        let own = made(nest);
        let mut free = captured(kernel, host.vars).into_iter();
        let by_position = matches!(nest.sink, Sink::Write)
            && !kernel.nest
            && is_plain(&kernel.body)
            && !finds(host, kernel, combine)
            && !counts(nest, kernel, host.vars)
            && free.all(|var| start.way.contains(&var) || !own.contains(&var))
            && start.is_all_of(nest.index, &kernel.body);
        if !by_position {
            return None;
        }
        let (vectors, rest) = vectors(host, kernel, width)?;
        let matrices = arrays(&rest);
        let plain = |var: &Var| host.arrays.get(var).is_none_or(|it| it.is_plain());
        let all = !matrices.is_empty()
            && matrices.iter().chain(&vectors).all(plain)
            && uses_only_sum(&rest, start.row, kernel.index);
        all.then(|| Narrow {
            segments: Segments::even(reduce, [vec![nest.index], start.way].concat()),
            width,
            matrices,
            vectors,
        })
    }

    /// Prints what else it needs, and gives how to run it. The nest is called `name`, its kernel `values`.
    pub fn ways(
        &self,
        host: &mut Host<'_>,
        name: &str,
        nest: &Kernel,
        outside: &Captured,
        values: &str,
    ) -> Ways {
        let items = self.segments.items(host, name, nest, outside, values);
        host.items.push_str(&items);
        let (n, width) = (extent(host, nest), host.atom(self.width));
        let rows = self.vectors.iter().enumerate();
        let rows: Vec<(Var, String)> = rows.map(|(at, var)| (*var, format!("row{at}"))).collect();
        let repeated = rows.iter().map(|(var, row)| {
            let slice = host.slice(*var);
            format!("let {row} = __r::Repeated::new({slice}, {width});\n")
        });
        let before: String = repeated.collect();
        let lengths = self
            .matrices
            .iter()
            .map(|var| format!("{}.len(), ", host.slice(*var)));
        let lengths: String = lengths.collect();
        let reduce = self.segments.reduce;
        let (kernel, _) = reduction(reduce).expect("`new` has seen that it is one");
        let literal = repeated_item(host, reduce, kernel, self.width, &rows);
        Ways {
            narrow: format!("__r::is_narrow({n}, {width}, &[{lengths}])"),
            before: before + &self.segments.zeros(),
            values: literal,
            width,
        }
    }
}

/// Where the row of the index begins, and what that is made of, all of it 0 for the first row.
struct Start {
    row: Var,
    /// It and what comes before, but for the index.
    way: Vec<Var>,
}

impl Start {
    /// The one product of the row's number and the width.
    fn new(nest: &Kernel, kernel: &Kernel, width: Atom) -> Option<Start> {
        let stmts = nest.body.stmts.iter().chain(&kernel.body.stmts);
        let scalars = stmts.filter_map(|stmt| match &stmt.op {
            Op::Scalar(op, args) => Some((stmt.outs[0], (*op, args.as_slice()))),
            _other => None,
        });
        let defs: Scalars<'_> = scalars.collect();
        let mut starts = defs.iter().filter_map(|(row, (op, args))| {
            let number = match (op, args) {
                (ScalarOp::Mul, [number, by]) | (ScalarOp::Mul, [by, number]) if *by == width => {
                    number
                }
                _other => return None,
            };
            let mut way = vec![*row];
            is_number(*number, nest.index, &defs, &mut way).then_some(Start { row: *row, way })
        });
        let start = starts.next()?;
        starts.next().is_none().then_some(start)
    }

    /// Whether a body uses the index of the nest for nothing else.
    fn is_all_of(&self, index: Var, body: &Body) -> bool {
        let mut used: HashSet<Var> = body.results.iter().filter_map(|it| var(*it)).collect();
        let others = body
            .stmts
            .iter()
            .filter(|stmt| !self.way.contains(&stmt.outs[0]));
        others.for_each(|stmt| uses(stmt, &mut used));
        let way = self.way.iter().filter(|it| **it != self.row);
        way.chain([&index]).all(|it| !used.contains(it))
    }
}

/// By variable, what scalar operation gives it.
type Scalars<'a> = HashMap<Var, (ScalarOp, &'a [Atom])>;

/// Whether it is the index, or that taken apart and put together again; `way` gets what comes between.
fn is_number(number: Atom, index: Var, defs: &Scalars<'_>, way: &mut Vec<Var>) -> bool {
    if number == Atom::Var(index) {
        return true;
    }
    let def = |atom: Atom| defs.get(&var(atom)?);
    let Some((ScalarOp::Add, [rows, rest])) = def(number) else {
        return false;
    };
    let (Some((ScalarOp::Mul, [row, by])), Some((ScalarOp::Rem, of_rest))) =
        (def(*rows), def(*rest))
    else {
        return false;
    };
    way.extend([number, *rows, *rest, *row].into_iter().filter_map(var));
    let of = [Atom::Var(index), *by];
    *of_rest == of && matches!(def(*row), Some((ScalarOp::Div, of_row)) if *of_row == of)
}

/// The arrays of `width` that the kernel reads at its index and nowhere else, and its body without these reads.
fn vectors(host: &Host<'_>, kernel: &Kernel, width: Atom) -> Option<(Vec<Var>, Body)> {
    let index = Atom::Var(kernel.index);
    let is_vector = |stmt: &Stmt| match &stmt.op {
        Op::Read { array, index: at } => *at == index && host.extents(*array) == [width],
        _other => false,
    };
    let (reads, rest): (Vec<Stmt>, Vec<Stmt>) =
        kernel.body.stmts.iter().cloned().partition(is_vector);
    let body = |stmts| Body {
        stmts,
        results: kernel.body.results.clone(),
    };
    let (vectors, rest) = (arrays(&body(reads)), body(rest));
    let others = arrays(&rest);
    let apart = vectors.iter().all(|it| !others.contains(it));
    apart.then_some((vectors, rest))
}

/// The arrays that a body reads, each once.
fn arrays(body: &Body) -> Vec<Var> {
    let mut found = Vec::new();
    visit_stmts(body, &mut |stmt| {
        if let Op::Read { array, .. } = &stmt.op
            && !found.contains(array)
        {
            found.push(*array);
        }
    });
    found
}
