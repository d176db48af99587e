//! A nest whose body is one reduction over values of two parts, one per row and step, the other per
//! column and step: as the run time's `Tiles`.
//!
//! In: the parts of the nest. Out: the trait's implementation as Rust text, where values have such
//! parts. Assumes that the implementation of `Across` is printed too.

use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::columns::{Columns, Merit, needed, var};
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::is_sum;
use crate::emit::rust::reads::READ;
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{Step, linearise};
use crate::emit::rust::tuples::{numbered, tuple};
use crate::fused::ir::{Kernel, Op, Stmt};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::{FastOp, Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a value follows from: a set of these.
pub type Causes = u8;
const OUTER: Causes = 1;
/// The row.
pub const ROW: Causes = 2;
/// The column.
pub const COLUMN: Causes = 4;
/// The step.
pub const STEP: Causes = 8;

/// More parts than that are not packed.
const MOST_PARTS: usize = 4;

/// The parts of the values.
pub struct Tiles<'a> {
    columns: &'a Columns<'a>,
    /// All statements that a value needs.
    stmts: Vec<Stmt>,
    /// Those that need both parts.
    both: Vec<Stmt>,
    /// What depends on rows, or on steps alone.
    pub left: Vec<Var>,
    /// What depends on columns.
    pub right: Vec<Var>,
    /// The type of all of them.
    scalar: Scalar,
    /// Whether steps may be combined in any order.
    free: bool,
}

impl<'a> Tiles<'a> {
    /// The parts of the values of a nest over two levels or more, if they have some.
    pub fn new(host: &Host<'_>, kernel: &Kernel, columns: &'a Columns<'a>) -> Option<Tiles<'a>> {
        let [.., height, _] = kernel.extents.as_slice() else {
            return None;
        };
        let mut stmts = columns.before.clone();
        stmts.extend(columns.inner.body.stmts.iter().cloned());
        let results = &columns.inner.body.results;
        let stmts = needed(stmts, results).stmts;
        let causes = causes(columns, *height, &stmts)?;
        Tiles::split(host, columns, stmts, &causes)
    }

    /// The parts of values that need these statements, if they have some.
    pub fn split(
        host: &Host<'_>,
        columns: &'a Columns<'a>,
        stmts: Vec<Stmt>,
        causes: &HashMap<Var, Causes>,
    ) -> Option<Tiles<'a>> {
        let results = &columns.inner.body.results;
        let of = |var: Var| causes.get(&var).copied().unwrap_or(0);
        let needs_both = |stmt: &Stmt| of(stmt.outs[0]) & (ROW | COLUMN) == ROW | COLUMN;
        let both: Vec<Stmt> = stmts
            .iter()
            .filter(|stmt| needs_both(stmt))
            .cloned()
            .collect();
        let mut parts = BTreeSet::new();
        for stmt in &both {
            let Op::Scalar(_, args) = &stmt.op else {
                continue;
            };
            parts.extend(args.iter().filter_map(|arg| var(*arg)));
        }
        parts.extend(results.iter().filter_map(|result| var(*result)));
        // What is known outside is captured.
        parts.retain(|part| causes.contains_key(part));
        parts.retain(|part| of(*part) & (ROW | COLUMN) != ROW | COLUMN);
        let (right, left): (Vec<Var>, Vec<Var>) =
            parts.into_iter().partition(|part| of(*part) & COLUMN != 0);
        let vary =
            |parts: &[Var], along: Causes| parts.iter().any(|part| of(*part) & along == along);
        let fit = |parts: &[Var]| (1..=MOST_PARTS).contains(&parts.len());
        let found = !both.is_empty()
            && vary(&left, ROW)
            && vary(&right, COLUMN | STEP)
            && fit(&left)
            && fit(&right);
        let mut tiles = Tiles {
            columns,
            stmts,
            both,
            left,
            right,
            scalar: Scalar::F64,
            free: host.vars[columns.totals[0].index()].fast,
        };
        tiles.scalar = tiles.scalar(host).filter(|_| found)?;
        Some(tiles)
    }

    /// The type of parts and values, if they have one, of which there are vectors, and only operations
    /// that vectors have.
    fn scalar(&self, host: &Host<'_>) -> Option<Scalar> {
        let of = |var: Var| self.columns.fresh.type_of(host, var);
        let ty = of(self.columns.totals[0]);
        let results = &self.columns.inner.body.results;
        let defined = self.both.iter().map(|stmt| stmt.outs[0]);
        let mut vars = self.left.iter().chain(&self.right).copied().chain(defined);
        let found = matches!(ty, Scalar::F32 | Scalar::F64)
            && is_sum(self.columns.combine)
            && matches!(results.as_slice(), [Atom::Var(_)])
            && vars.all(|var| of(var) == ty)
            && self.both.iter().all(|stmt| on_vectors(stmt).is_some());
        found.then_some(ty)
    }

    /// The implementation for the struct `name`.
    pub fn item(&self, host: &Host<'_>, name: &str, captured: &Captured) -> String {
        let Names { head, tail, .. } = captured.names();
        let (row, k) = (self.columns.row.0, self.columns.inner.index.0);
        let locals = captured.scalar_locals("self");
        let part = |vars: &[Var], index: Var| {
            let steps = self.part_steps(&self.stmts, vars);
            // With a flag of its own: a part has no checks.
            let block = self.columns.block(&steps, host, captured, index, &[]);
            match block.contains(READ) {
                true => format!("let flag = &__r::Fast::default();\n{block}"),
                false => block,
            }
        };
        let of_row = part(&self.left, self.columns.inner.index);
        let of_column = part(&self.right, self.columns.column);
        format!(
            "{head} __r::Tiles<{lefts}, {rights}> for {name}{tail} {{\n\
             {types}const ALONG: bool = {along};\nconst FREE: bool = {free};\n\
             const ADDITIONS: usize = {additions};\nconst PRODUCTS: usize = {products};\n\
             #[inline(always)]\n\
             fn left<const L: usize>(&self, row: usize, start: usize, \
             out: <Self::Left as __r::Product>::Slots<'_, {{ L }}>) {{\n\
             {locals}let v{row} = row;\nlet {left_slots} = out;\n{of_row}}}\n\
             #[inline(always)]\n\
             fn right<const L: usize>(&self, row: usize, start: usize, k: usize, \
             out: <Self::Right as __r::Product>::Slots<'_, {{ L }}>) {{\n\
             {locals}let v{row} = row;\nlet v{k} = k;\nlet {right_slots} = out;\n{of_column}}}\n\
             {step}}}\n",
            lefts = self.left.len(),
            rights = self.right.len(),
            types = self.types(),
            along = self.columns.merit() == Merit::Better,
            free = self.free,
            additions = self.additions(),
            products = self.products(),
            left_slots = numbered('o', self.left.len()),
            right_slots = numbered('o', self.right.len()),
            step = self.step(captured),
        )
    }

    /// The types of values and parts.
    pub fn types(&self) -> String {
        let scalar = self.scalar.name();
        let types = |vars: &[Var]| tuple(vars.iter().map(|_| scalar));
        format!(
            "type Scalar = {scalar};\ntype Left = {};\ntype Right = {};\n",
            types(&self.left),
            types(&self.right)
        )
    }

    /// The function that makes a step. The last product and the sum are one operation, where that is allowed.
    pub fn step(&self, captured: &Captured) -> String {
        let parts = |vars: &[Var]| vars.iter().map(|var| format!("v{},", var.0)).collect();
        let (left, right): (String, String) = (parts(&self.left), parts(&self.right));
        format!(
            "#[inline(always)]\n\
             fn step<V: __r::Vector<Scalar = {scalar}>>(&self, sum: V, [{left}]: [V; {lefts}], \
             [{right}]: [V; {rights}], moved: usize, one: V) -> V {{\n{body}}}\n",
            scalar = self.scalar.name(),
            lefts = self.left.len(),
            rights = self.right.len(),
            body = self.step_body(captured),
        )
    }

    fn step_body(&self, captured: &Captured) -> String {
        let mut text = String::new();
        let atom = |atom: Atom| match atom {
            Atom::Var(var) if captured.has(var) => {
                format!("V::splat(self.{})", captured.scalar(var))
            }
            Atom::Var(var) => format!("v{}", var.0),
            Atom::Const(it) => format!("V::splat({})", scalar::constant(it)),
        };
        let result = self.columns.inner.body.results[0];
        let mut additions = 0;
        for stmt in &self.both {
            let Op::Scalar(_, args) = &stmt.op else {
                unreachable!("`scalar` has looked")
            };
            let args: Vec<String> = args.iter().map(|arg| atom(*arg)).collect();
            let name = on_vectors(stmt).expect("`scalar` has looked");
            let out = stmt.outs[0];
            if self.is_fused(stmt, result) {
                let _ = writeln!(text, "V::mul_add({}, {}, sum)", args[0], args[1]);
                return text;
            }
            let mut value = format!("V::{name}({})", args.join(", "));
            if is_addition(stmt) {
                let product = format!("V::{name}_product({}, one, {})", args[0], args[1]);
                value = format!("if moved > {additions} {{ {product} }} else {{ {value} }}");
                additions += 1;
            }
            let _ = writeln!(text, "let v{} = {value};", out.0);
        }
        let _ = writeln!(text, "V::add(sum, {})", atom(result));
        text
    }

    /// Whether a product and the sum are one operation.
    fn is_fused(&self, stmt: &Stmt, result: Atom) -> bool {
        self.free && on_vectors(stmt) == Some("mul") && Atom::Var(stmt.outs[0]) == result
    }

    /// Whether a value is 0, of either sign, if these parts are and the others are finite.
    pub fn vanish(&self, parts: &[Var]) -> bool {
        let mut zeros: BTreeSet<Var> = parts.iter().copied().collect();
        for stmt in &self.both {
            let Op::Scalar(op, args) = &stmt.op else {
                continue;
            };
            let zero = |at: usize| var(args[at]).is_some_and(|arg| zeros.contains(&arg));
            let vanishes = match op {
                ScalarOp::Add | ScalarOp::Sub => zero(0) && zero(1),
                ScalarOp::Mul => zero(0) || zero(1),
                ScalarOp::Fast(FastOp::MulAdd) => (zero(0) || zero(1)) && zero(2),
                // Infinite, or NaN.
                ScalarOp::Div if zero(1) => return false,
                _other => false,
            };
            if vanishes {
                zeros.insert(stmt.outs[0]);
            }
        }
        var(self.columns.inner.body.results[0]).is_some_and(|value| zeros.contains(&value))
    }

    /// How many additions and subtractions a value takes.
    pub fn additions(&self) -> usize {
        self.both.iter().filter(|stmt| is_addition(stmt)).count()
    }

    /// One that is fused with the sum, which is no addition then, counts twice.
    fn products(&self) -> usize {
        let result = self.columns.inner.body.results[0];
        let fused = self.both.iter().filter(|stmt| self.is_fused(stmt, result));
        self.both.len() - self.additions() + fused.count()
    }

    /// The steps of one part, of these statements.
    pub fn part_steps(&self, stmts: &[Stmt], vars: &[Var]) -> Vec<Step> {
        let results: Vec<Atom> = vars.iter().map(|var| Atom::Var(*var)).collect();
        let body = needed(stmts.to_vec(), &results);
        linearise(&body, &mut self.columns.fresh.clone())
    }

    /// How many rows share their right parts, as text.
    pub fn height(host: &Host<'_>, kernel: &Kernel) -> String {
        host.atom(kernel.extents[kernel.extents.len() - 2])
    }
}

/// Whether an operation is made where sums are made.
fn is_addition(stmt: &Stmt) -> bool {
    matches!(on_vectors(stmt), Some("add" | "sub"))
}

/// What an operation is called on vectors, if they have it.
fn on_vectors(stmt: &Stmt) -> Option<&'static str> {
    let Op::Scalar(op, _) = &stmt.op else {
        return None;
    };
    match op {
        ScalarOp::Add => Some("add"),
        ScalarOp::Sub => Some("sub"),
        ScalarOp::Mul => Some("mul"),
        ScalarOp::Div => Some("div"),
        ScalarOp::Fast(FastOp::MulAdd) => Some("mul_add"),
        _elsewhere => None,
    }
}

/// What each statement's value follows from; nothing unless all are scalars and reads. `height`: how
/// many rows one matrix has.
fn causes(columns: &Columns<'_>, height: Atom, stmts: &[Stmt]) -> Option<HashMap<Var, Causes>> {
    let mut found = HashMap::from_iter([
        (columns.row, ROW),
        (columns.column, COLUMN),
        (columns.inner.index, STEP),
    ]);
    let row = Atom::Var(columns.row);
    let first = columns.first.map(Atom::Var);
    for stmt in stmts {
        let args = match &stmt.op {
            // Which matrix it is.
            Op::Scalar(ScalarOp::Div, args) if *args == [row, height] || first == Some(args[0]) => {
                found.insert(stmt.outs[0], OUTER);
                continue;
            }
            Op::Scalar(_, args) => args.as_slice(),
            Op::Read { index, .. } => core::slice::from_ref(index),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Kernel(_) => return None,
        };
        let vars = args.iter().filter_map(|arg| var(*arg));
        let own = vars.filter_map(|var| found.get(&var));
        let own = own.fold(0, |all, one| all | one);
        found.insert(stmt.outs[0], own);
    }
    Some(found)
}
