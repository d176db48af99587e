//! A nest whose body is one reduction, with lanes over the innermost index instead of the
//! reduction's: as the run time's `Across`.
//!
//! In: a nest. Out: its parts, and the trait's implementation as Rust text, where that is the better
//! way through memory: where neighbours in the innermost index lie next to each other, and
//! neighbours in the reduction do not. Assumes that the struct of the nest is printed elsewhere.

use crate::emit::rust::call::product;
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::column_steps::{self, Place, StepText};
use crate::emit::rust::fresh::FreshVars;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::operator;
use crate::emit::rust::lanes::{Context, Output, block};
use crate::emit::rust::rough::{self, Open};
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{Fresh, Step, has_checks, linearise};
use crate::emit::rust::strides::{Stride, stride};
use crate::emit::rust::tuples::{names, numbered, tuple};
use crate::fused::ir::{Body, Combine, Kernel, Op, Sink, Stmt};
use crate::fused::linear::Defs;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;

/// The parts of such a nest.
pub struct Columns<'a> {
    /// The reduction.
    pub inner: &'a Kernel,
    /// Its operator.
    pub combine: &'a Combine,
    /// What it starts from.
    pub init: &'a [Atom],
    /// All indices but the innermost.
    pub row: Var,
    /// The innermost index.
    pub column: Var,
    /// The first index of a row, if anything follows from it.
    pub first: Option<Var>,
    /// What comes before the reduction, in terms of these.
    pub before: Vec<Stmt>,
    /// The reduction's results.
    pub totals: &'a [Var],
    /// What comes after it.
    after: &'a [Stmt],
    results: &'a [Atom],
    /// New variables among these.
    pub fresh: FreshVars,
}

/// Whether lanes run over the columns rather than over the steps of each reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merit {
    /// Some array is read along the columns, and it is not along the steps.
    Better,
    /// What is read lies together either way: a reduction of few steps would fill no lanes.
    ForFewSteps,
    /// Some array is read across the columns, or none along them.
    Worse,
}

impl<'a> Columns<'a> {
    /// The parts of a nest, if it is one.
    pub fn new(host: &Host<'_>, kernel: &'a Kernel, captured: &Captured) -> Option<Columns<'a>> {
        let found = Columns::of(host, kernel)?;
        let outside = |atom: &Atom| match atom {
            Atom::Var(var) => captured.has(*var),
            Atom::Const(_) => true,
        };
        let plain = found.inner.extents.iter().chain(found.init).all(outside)
            && yields_its_statements(&found.combine.body)
            && found.before.iter().all(|stmt| is_total(&stmt.op));
        plain.then_some(found)
    }

    /// The same where each reduction may have as many steps as its index says.
    pub fn of(host: &Host<'_>, kernel: &'a Kernel) -> Option<Columns<'a>> {
        let is_kernel = |stmt: &Stmt| matches!(stmt.op, Op::Kernel(_));
        let at = kernel.body.stmts.iter().position(is_kernel)?;
        let (before, rest) = kernel.body.stmts.split_at(at);
        let (it, after) = rest.split_first()?;
        let Op::Kernel(inner) = &it.op else {
            return None;
        };
        let Sink::Reduce { init, combine } = &inner.sink else {
            return None;
        };
        let plain = !inner.nest
            && combine.neutral.is_some()
            && before.iter().chain(after).all(|stmt| is_scalar(&stmt.op))
            && inner.body.stmts.iter().all(|stmt| is_scalar(&stmt.op));
        if !plain {
            return None;
        }
        let mut fresh = FreshVars::new(host);
        let split = Split::new(kernel, before, &mut fresh);
        Some(Columns {
            inner,
            combine,
            init,
            row: split.row,
            column: split.column,
            first: split.first,
            before: split.before,
            totals: &it.outs,
            after,
            results: &kernel.body.results,
            fresh,
        })
    }

    /// What memory says of lanes over the columns.
    pub fn merit(&self) -> Merit {
        let steps = self.value_steps();
        let defs = definitions(&steps);
        let strides = steps.iter().filter_map(|step| match step {
            Step::Read { index, .. } => Some((
                stride(*index, self.column, &defs),
                stride(*index, self.inner.index, &defs),
            )),
            Step::Scalar { .. } | Step::Check { .. } | Step::Loop(_) | Step::Out { .. } => None,
        });
        let strides: Vec<(Stride, Stride)> = strides.collect();
        let any = |found: fn(Stride, Stride) -> bool| {
            let mut all = strides.iter();
            all.any(|(column, step)| found(*column, *step))
        };
        // Groups are read as a whole: at each step anew, where the step moves in them.
        let apart = |column: Stride, step: Stride| match column {
            Stride::Far | Stride::Back => true,
            Stride::Group => step != Stride::Same,
            Stride::Same | Stride::Next => false,
        };
        if any(apart) {
            Merit::Worse
        } else if any(|column, step| column == Stride::Next && step.is_far()) {
            Merit::Better
        } else if any(|column, _| matches!(column, Stride::Next | Stride::Group)) {
            Merit::ForFewSteps
        } else {
            Merit::Worse
        }
    }

    /// The steps of a value.
    pub fn value_steps(&self) -> Vec<Step> {
        let mut stmts = self.before.clone();
        stmts.extend(self.inner.body.stmts.iter().cloned());
        let body = needed(stmts, &self.inner.body.results);
        linearise(&body, &mut self.fresh.clone())
    }

    /// The implementation for the struct `name`.
    pub fn item(&self, host: &Host<'_>, name: &str, captured: &Captured) -> String {
        let Names { head, tail, .. } = captured.names();
        let locals = captured.scalar_locals("self");
        let (row, k) = (self.row.0, self.inner.index.0);
        let (values, cost) = self.values(host, captured);
        let dear = self.dear(host, name, captured, &locals);
        let (left, right) = (names(&self.combine.left), names(&self.combine.right));
        let types = self.inner.body.results.iter();
        let types = types.map(|atom| scalar::type_name(scalar_type(host, *atom)));
        let value = tuple(types);
        let neutral = self.combine.neutral.iter().flatten();
        let neutral = tuple(neutral.map(|it| scalar::constant(*it)));
        let combine = operator(host, captured, &self.combine.body);
        let rough = rough::first(host, self.inner, self.combine, &value)
            .unwrap_or_else(|| rough::text(host, captured, self.combine, &value, Open::Nan));
        let step = self.step(host, captured, name, &value);
        let slots = numbered('o', self.inner.body.results.len());
        let across = format!(
            "{head} __r::Across for {name}{tail} {{\n\
             type Value = {value};\nconst COST: u32 = {cost};\n{dear}\
             #[inline(always)]\n\
             fn values<const L: usize, F: __r::Flag>(&self, row: usize, start: usize, k: usize, \
             out: <Self::Value as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let v{row} = row;\nlet v{k} = k;\nlet {slots} = out;\n{values}}}\n\
             #[inline(always)]\nfn neutral(&self) -> {value} {{ {neutral} }}\n\
             #[inline(always)]\n\
             fn combine<F: __r::Flag>(&self, {left}: {value}, {right}: {value}, flag: &mut F) \
             -> {value} {{\n{combine}}}\n{members}{rough}{finish}}}\n",
            members = step.members,
            finish = self.finish(host, captured, &locals),
        );
        step.item + &across
    }

    /// What is the same for all columns at one step.
    fn step(&self, host: &Host<'_>, captured: &Captured, name: &str, value: &str) -> StepText {
        if self.merit() != Merit::Better {
            return column_steps::plain();
        }
        let steps = self.value_steps();
        let place = Place {
            name,
            row: self.row,
            k: self.inner.index,
            value,
        };
        self.with_context(&steps, host, captured, self.column, &[], |context| {
            column_steps::spanning(&steps, context, captured, &place)
        })
        .unwrap_or_else(column_steps::plain)
    }

    /// The block of values, and the cost of one.
    fn values(&self, host: &Host<'_>, captured: &Captured) -> (String, u32) {
        let steps = self.value_steps();
        let cost = self.cost(&steps, host);
        (self.block(&steps, host, captured, self.column, &[]), cost)
    }

    /// From totals to results: combined with what the reduction starts from, then what follows it.
    fn finish(&self, host: &Host<'_>, captured: &Captured, locals: &str) -> String {
        let mut stmts = self.before.clone();
        stmts.extend(self.combined());
        stmts.extend(self.after.iter().cloned());
        let body = needed(stmts, self.results);
        let steps = linearise(&body, &mut self.fresh.clone());
        let right = &self.combine.right;
        let text = self.block(&steps, host, captured, self.column, right);
        let init = self.combine.left.iter().zip(self.init);
        let init = init.map(|(left, init)| {
            let (ty, init) = (host.type_of(*left), host.atom(*init));
            format!("let v{}: {ty} = {init};\n", left.0)
        });
        let totals = tuple(right.iter().map(|var| format!("a{}", var.0)));
        format!(
            "#[inline(always)]\n\
             fn finish<const L: usize, F: __r::Flag>(&self, row: usize, start: usize, \
             totals: &<Self::Value as __r::Product>::Lanes<{{ L }}>, \
             out: <Self::Outs as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let v{row} = row;\n{init}let {totals} = *totals;\nlet {slots} = out;\n\
             {text}}}\n",
            row = self.row.0,
            init = init.collect::<String>(),
            slots = numbered('o', self.results.len()),
        )
    }

    /// The operator's statements, which give the reduction's results.
    fn combined(&self) -> Vec<Stmt> {
        let result = |var: Var| {
            let results = self.combine.body.results.iter();
            let mut found = results.zip(self.totals);
            let found = found.find(|(result, _)| **result == Atom::Var(var));
            found.map_or(var, |(_, total)| *total)
        };
        let renamed = |stmt: &Stmt| Stmt {
            outs: stmt.outs.iter().map(|out| result(*out)).collect(),
            op: match &stmt.op {
                Op::Scalar(op, args) => {
                    let args = args.iter().map(|arg| match arg {
                        Atom::Var(var) => Atom::Var(result(*var)),
                        Atom::Const(_) => *arg,
                    });
                    Op::Scalar(*op, args.collect())
                }
                other => other.clone(),
            },
            src: stmt.src,
        };
        self.combine.body.stmts.iter().map(renamed).collect()
    }

    /// Steps as a block with lanes over `index`; `inputs` come as arrays of lanes.
    pub fn block(
        &self,
        steps: &[Step],
        host: &Host<'_>,
        captured: &Captured,
        index: Var,
        inputs: &[Var],
    ) -> String {
        self.with_context(steps, host, captured, index, inputs, |context| {
            block(steps, context)
        })
    }

    /// What a function makes of the surroundings of such a block.
    pub fn with_context<R>(
        &self,
        steps: &[Step],
        host: &Host<'_>,
        captured: &Captured,
        index: Var,
        inputs: &[Var],
        make: impl FnOnce(&Context<'_>) -> R,
    ) -> R {
        let results = steps.iter().filter(|step| matches!(step, Step::Out { .. }));
        let outputs: Vec<Output> = results
            .enumerate()
            .map(|(at, _)| Output::plain(at))
            .collect();
        make(&Context {
            types: &|var| self.fresh.type_of(host, var),
            index,
            arrays: captured.arrays(),
            outputs: &outputs,
            checks: has_checks(steps),
            inputs,
            rows: None,
            overhangs: false,
            in_parts: false,
            again: self.is_dear(host),
            once: None,
            fusing: false,
            in_threes: false,
            ends: false,
        })
    }

    /// The extents, as the run time's `Shape`.
    pub fn shape(&self, host: &Host<'_>, kernel: &Kernel) -> String {
        let (last, rows) = kernel.extents.split_last().expect("a space has levels");
        format!(
            "__r::Shape {{ rows: {}, columns: {}, steps: {} }}",
            product(host, rows),
            host.atom(*last),
            product(host, &self.inner.extents),
        )
    }
}

/// Whether a kernel over a matrix reads an array down its columns: where what one row reads of it lies
/// apart, but next to what the row behind reads.
pub fn reads_down(host: &Host<'_>, kernel: &Kernel) -> bool {
    if kernel.extents.len() < 2 {
        return false;
    }
    let mut fresh = FreshVars::new(host);
    let split = Split::new(kernel, &kernel.body.stmts, &mut fresh);
    let body = Body {
        stmts: split.before,
        results: kernel.body.results.clone(),
    };
    let steps = linearise(&body, &mut fresh);
    let defs = definitions(&steps);
    steps.iter().any(|step| match step {
        Step::Read { index, .. } => {
            stride(*index, split.column, &defs).is_far()
                && matches!(
                    stride(*index, split.row, &defs),
                    Stride::Next | Stride::Back
                )
        }
        Step::Scalar { .. } | Step::Check { .. } | Step::Loop(_) | Step::Out { .. } => false,
    })
}

fn scalar_type(host: &Host<'_>, atom: Atom) -> Scalar {
    match atom {
        Atom::Var(var) => host.scalar_of(var),
        Atom::Const(it) => it.ty,
    }
}

/// A nest's index in two parts, and the statements that follow from them.
struct Split {
    row: Var,
    column: Var,
    first: Option<Var>,
    before: Vec<Stmt>,
}

impl Split {
    /// Of a nest with these statements in front. Its index is the column where there is one level;
    /// else quotients and remainders by the innermost extent are the parts themselves.
    fn new(kernel: &Kernel, before: &[Stmt], fresh: &mut FreshVars) -> Split {
        if let [_] = kernel.extents.as_slice() {
            return Split {
                row: fresh.fresh(Scalar::Usize),
                column: kernel.index,
                first: None,
                before: before.to_vec(),
            };
        }
        let last = *kernel.extents.last().expect("a space has levels");
        let index = Atom::Var(kernel.index);
        let part = |op: ScalarOp| {
            let mut found = before.iter().filter(
                |stmt| matches!(&stmt.op, Op::Scalar(own, args) if *own == op && *args == [index, last]),
            );
            found.next().map(|stmt| stmt.outs[0])
        };
        let (row, column) = (part(ScalarOp::Div), part(ScalarOp::Rem));
        let first = fresh.fresh(Scalar::Usize);
        let mut it = Split {
            row: row.unwrap_or_else(|| fresh.fresh(Scalar::Usize)),
            column: column.unwrap_or_else(|| fresh.fresh(Scalar::Usize)),
            first: Some(first),
            before: Vec::new(),
        };
        let src = kernel.parts[0];
        let scalar = |out: Var, op: ScalarOp, args: Vec<Atom>| Stmt {
            outs: vec![out],
            op: Op::Scalar(op, args),
            src,
        };
        let start = vec![Atom::Var(it.row), last];
        it.before.push(scalar(first, ScalarOp::Mul, start));
        let both = vec![Atom::Var(first), Atom::Var(it.column)];
        it.before.push(scalar(kernel.index, ScalarOp::Add, both));
        let mut multiples = vec![last];
        for stmt in before {
            match &stmt.op {
                Op::Scalar(..) if [it.row, it.column].contains(&stmt.outs[0]) => {}
                Op::Scalar(ScalarOp::Div, args)
                    if args[0] == index && multiples.contains(&args[1]) =>
                {
                    // The column is smaller than the divisor, a multiple of its extent.
                    let args = vec![Atom::Var(first), args[1]];
                    it.before.push(scalar(stmt.outs[0], ScalarOp::Div, args));
                }
                Op::Scalar(ScalarOp::Mul, args) => {
                    if args.iter().any(|arg| multiples.contains(arg)) {
                        multiples.push(Atom::Var(stmt.outs[0]));
                    }
                    it.before.push(stmt.clone());
                }
                _other => it.before.push(stmt.clone()),
            }
        }
        it
    }
}

/// Whether a statement can neither fail nor run for long.
fn is_total(op: &Op) -> bool {
    matches!(op, Op::Scalar(..) | Op::Read { .. })
}

/// Whether a statement is straight-line code on scalars.
fn is_scalar(op: &Op) -> bool {
    match op {
        Op::Scalar(..) | Op::Read { .. } | Op::Check { .. } => true,
        Op::If { then, else_, .. } => {
            let mut stmts = then.stmts.iter().chain(&else_.stmts);
            stmts.all(|stmt| is_scalar(&stmt.op))
        }
        Op::Len { .. } | Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    }
}

/// Whether an operator is scalar operations, of which each result is another.
fn yields_its_statements(body: &Body) -> bool {
    let mut seen = HashSet::default();
    let is_own = |atom: &Atom| match atom {
        Atom::Var(var) => body.stmts.iter().any(|stmt| stmt.outs == [*var]),
        Atom::Const(_) => false,
    };
    let scalar = |stmt: &Stmt| matches!(stmt.op, Op::Scalar(..));
    body.stmts.iter().all(scalar)
        && body.results.iter().all(is_own)
        && body.results.iter().all(|atom| match atom {
            Atom::Var(var) => seen.insert(*var),
            Atom::Const(_) => false,
        })
}

/// The statements that the results need, or that may fail.
pub fn needed(stmts: Vec<Stmt>, results: &[Atom]) -> Body {
    let mut used: HashSet<Var> = results.iter().filter_map(|atom| var(*atom)).collect();
    let mut kept = Vec::with_capacity(stmts.len());
    for stmt in stmts.into_iter().rev() {
        let is_used = stmt.outs.iter().any(|out| used.contains(out));
        if !is_used && (is_total(&stmt.op) || matches!(stmt.op, Op::Len { .. })) {
            continue;
        }
        uses(&stmt, &mut used);
        kept.push(stmt);
    }
    kept.reverse();
    Body {
        stmts: kept,
        results: results.to_vec(),
    }
}

/// The variable, if it is one.
pub fn var(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}

/// Adds what a statement uses.
pub fn uses(stmt: &Stmt, used: &mut HashSet<Var>) {
    let mut add = |atoms: &[Atom]| used.extend(atoms.iter().filter_map(|atom| var(*atom)));
    match &stmt.op {
        Op::Scalar(_, args) => add(args),
        Op::Read { index, .. } => add(&[*index]),
        Op::Check { ok, values, .. } => {
            add(&[*ok]);
            add(values);
        }
        Op::If { cond, then, else_ } => {
            add(&[*cond]);
            add(&then.results);
            add(&else_.results);
            let stmts = then.stmts.iter().chain(&else_.stmts);
            stmts.for_each(|stmt| uses(stmt, used));
        }
        Op::Len { .. } => {}
        Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => {
            unreachable!("these have been ruled out")
        }
    }
}

fn definitions(steps: &[Step]) -> Defs<'_> {
    let defs = steps.iter().filter_map(|step| match step {
        Step::Scalar { out, op, args } => Some((*out, (*op, args.as_slice()))),
        Step::Read { .. } | Step::Check { .. } | Step::Loop(_) | Step::Out { .. } => None,
    });
    defs.collect()
}
