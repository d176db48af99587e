//! A nest whose body is one sum over values of two parts, of which one depends on the step, the other on the
//! sum or the difference of step and innermost index, the lag: as the run time's `Lags`.
//!
//! In: a nest. Out: the trait's implementation as Rust text, where values have such parts. Assumes that
//! the struct of the nest is printed elsewhere.
//!
//! Note [Parts that move]: `window[start + (lag + k)]` depends on `lag` and `k`, but only on their sum. What it
//! depends on is seen in the normal forms of positions: where all terms of one with `lag` or `k` are
//! multiples of `lag + k`, or of `lag - k`, it is what it is for index `lag + k` (`lag - k`) and step 0. So
//! the text of that part is that of the value with 0 for the step, and likewise for steps. A check is of the
//! part that its condition follows from, and is made for each number that some sum has.

use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::columns::{Columns, needed};
use crate::emit::rust::host::Host;
use crate::emit::rust::nest::{finish, inner_host};
use crate::emit::rust::results::Places;
use crate::emit::rust::steps::Step;
use crate::emit::rust::tiles::{COLUMN, Causes, ROW, STEP, Tiles};
use crate::emit::rust::tuples::numbered;
use crate::fused::ir::{Kernel, Op, Sink, Stmt};
use crate::fused::linear::{Defs, Poly, normal};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// What depends on steps alone, and what on their sum with the index.
const LEFT: Causes = ROW;
const RIGHT: Causes = COLUMN | STEP;
/// What is neither, nor follows from these.
const OTHER: Causes = 16;

/// The implementation for the struct `name`, and how many parts there are of each kind, as text.
pub fn item(
    host: &Host<'_>,
    name: &str,
    kernel: &Kernel,
    captured: &Captured,
) -> Option<(String, String)> {
    if !matches!(kernel.sink, Sink::Write) {
        return None;
    }
    let columns = Columns::of(host, kernel)?;
    let [steps] = columns.inner.extents.as_slice() else {
        return None;
    };
    // What fails there, `steps` finds.
    let values = columns.before.iter().filter(|stmt| !is_check(stmt));
    let values = values.chain(&columns.inner.body.stmts).cloned().collect();
    let stmts = needed(values, &columns.inner.body.results).stmts;
    let Moves {
        found: causes,
        back: Some(back),
        fail,
        ..
    } = Moves::of_stmts(&columns, host, &stmts)?
    else {
        return None;
    };
    let (checks, stmts): (Vec<Stmt>, Vec<Stmt>) = stmts.into_iter().partition(is_check);
    let tiles = Tiles::split(host, &columns, stmts.clone(), &causes)?;
    let mut all = tiles.left.iter().chain(&tiles.right);
    if all.any(|part| causes[part] & OTHER != 0) {
        return None;
    }
    // The reads of a part may be out of range: where no sum has it, or a check has said so.
    let part = |vars: &[Var], side: Causes, index: Var| {
        let own = checks.iter().zip(&fail).filter(|(_, of)| **of == side);
        let mut stmts = stmts.clone();
        stmts.extend(own.map(|(check, _)| check.clone()));
        let mut steps = tiles.part_steps(&stmts, vars);
        for step in &mut steps {
            if let Step::Read { sure, .. } = step {
                *sure = false;
            }
        }
        columns.block(&steps, host, captured, index, &[])
    };
    let lies = |name: &str, vars: &[Var], along: Var| {
        let text = lying(host, kernel, captured, &columns, (&stmts, vars, along));
        text.map(|text| lies(name, &text)).unwrap_or_default()
    };
    let (left_lies, right_lies) = (
        lies("left", &tiles.left, columns.inner.index),
        lies("right", &tiles.right, columns.column),
    );
    let Names { head, tail, .. } = captured.names();
    let parts = format!("{}, {}", tiles.left.len(), tiles.right.len());
    let (lag, k) = (columns.column, columns.inner.index);
    // A sum that is 0 has the sign of what it is added to, but if that is a negative 0.
    let signless = matches!(columns.init[0], Atom::Const(it)
        if it.ty.float_value(it.bits).to_bits() != (-0.0_f64).to_bits());
    let locals = captured.scalar_locals("self");
    let text = format!(
        "{head} __r::Lags<{parts}> for {name}{tail} {{\n{types}\
         const BACK: bool = {back};\nconst ADDITIONS: usize = {additions};\n\
         const FAIL: [bool; 2] = [{left_fails}, {right_fails}];\n\
         const VANISH: [bool; 2] = [{left_vanish}, {right_vanish}];\n\
         #[inline(always)]\n\
         fn steps<F: __r::Flag>(&self, index: usize, steps: &mut usize, flag: &mut F) {{\n{count}}}\n\
         #[inline(always)]\n\
         fn left<const L: usize, F: __r::Flag>(&self, row: usize, start: usize, \
         out: <Self::Left as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
         {locals}let v{row} = row;\nlet v{lag} = 0usize;\nlet {left_slots} = out;\n{left}}}\n\
         #[inline(always)]\n\
         fn right<const L: usize, F: __r::Flag>(&self, row: usize, start: usize, \
         out: <Self::Right as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
         {locals}let v{row} = row;\nlet v{k} = 0usize;\nlet {right_slots} = out;\n{right}}}\n\
         {step}{left_lies}{right_lies}#[inline(always)]\n\
         fn finish<F: __r::Flag>(&self, index: usize, sum: Self::Scalar, \
         rows: &mut <Self::Outs as __r::Rows>::Places<'_>, flag: &mut F) {{\n{finish}}}\n}}\n",
        types = tiles.types(),
        additions = tiles.additions(),
        count = count(host, kernel, captured, &columns, *steps),
        left_slots = numbered('o', tiles.left.len()),
        right_slots = numbered('o', tiles.right.len()),
        left_vanish = signless && tiles.vanish(&tiles.left),
        right_vanish = signless && tiles.vanish(&tiles.right),
        left_fails = fail.contains(&LEFT),
        right_fails = fail.contains(&RIGHT),
        left = part(&tiles.left, LEFT, k),
        right = part(&tiles.right, RIGHT, lag),
        step = tiles.step(captured),
        finish = from_sum(host, kernel, captured, &columns),
        row = columns.row.0,
        lag = lag.0,
        k = k.0,
    );
    Some((text, parts))
}

fn lies(name: &str, body: &str) -> String {
    format!(
        "#[inline(always)]\n\
         fn {name}_lies(&self, row: usize) -> __r::Option<(&[Self::Scalar], usize)> {{\n{body}}}\n"
    )
}

/// If the one of these parts is an element of an array, and the next along an index the element behind it:
/// the array, and the place of the first.
fn lying(
    host: &Host<'_>,
    kernel: &Kernel,
    captured: &Captured,
    columns: &Columns<'_>,
    (stmts, parts, along): (&[Stmt], &[Var], Var),
) -> Option<String> {
    let read = stmts.iter().find(|stmt| stmt.outs == parts)?;
    let Op::Read { array, index } = read.op else {
        return None;
    };
    let field = captured.arrays().get(&array)?;
    let defs = stmts.iter().filter_map(|stmt| match &stmt.op {
        Op::Scalar(op, args) => Some((stmt.outs[0], (*op, args.as_slice()))),
        _other => None,
    });
    let place = normal(index, &defs.collect::<Defs<'_>>());
    let next = place.terms().any(|term| term == (&[along], 1));
    if !next || !field.is_plain() {
        return None;
    }
    let places = Places::default();
    let mut inner = inner_host(host, kernel, captured, &places);
    let mut text = captured.locals();
    for (name, value) in [
        (columns.row, "row"),
        (columns.column, "0usize"),
        (columns.inner.index, "0usize"),
    ] {
        let _ = writeln!(text, "let v{} = {value};", name.0);
    }
    inner.text = text;
    for stmt in &needed(stmts.to_vec(), &[index]).stmts {
        inner.stmt(stmt);
    }
    let (name, place) = (&field.field, inner.atom(index));
    let _ = writeln!(inner.text, "__r::Some(({name}, {place}))");
    Some(inner.text)
}

fn is_check(stmt: &Stmt) -> bool {
    matches!(stmt.op, Op::Check { .. })
}

/// How many steps an index has.
fn count(
    host: &Host<'_>,
    kernel: &Kernel,
    captured: &Captured,
    columns: &Columns<'_>,
    steps: Atom,
) -> String {
    let places = Places::default();
    let mut inner = inner_host(host, kernel, captured, &places);
    let before = (kernel.body.stmts.iter()).take_while(|stmt| stmt.outs != columns.totals);
    for stmt in before {
        inner.stmt(stmt);
    }
    let steps = inner.atom(steps);
    let _ = writeln!(inner.text, "*steps = {steps};");
    inner.text
}

/// The body, with the sum of the values in the place of the reduction. There is no sum if a check in front of that is
/// violated: `steps` has found it.
fn from_sum(
    host: &Host<'_>,
    kernel: &Kernel,
    captured: &Captured,
    columns: &Columns<'_>,
) -> String {
    let places = Places::default();
    let mut inner = inner_host(host, kernel, captured, &places);
    let rows = numbered('r', kernel.body.results.len());
    inner.text.insert_str(0, &format!("let {rows} = rows;\n"));
    let mut is_summed = false;
    for stmt in &kernel.body.stmts {
        if stmt.outs == columns.totals {
            let init = inner.atom(columns.init[0]);
            let (total, ty) = (stmt.outs[0], inner.type_of(stmt.outs[0]));
            let _ = writeln!(inner.text, "let v{}: {ty} = {init} + sum;", total.0);
            is_summed = true;
        } else if is_summed || !is_check(stmt) {
            inner.stmt(stmt);
        }
    }
    finish(&mut inner, kernel);
    inner.text
}

/// What values follow from.
struct Moves {
    lag: Var,
    step: Var,
    found: HashMap<Var, Causes>,
    /// Whether right parts follow from the difference, if there are some yet.
    back: Option<bool>,
    /// Which parts each check is of, in their order; of neither, if it holds.
    fail: Vec<Causes>,
}

impl Moves {
    /// What each statement's value follows from; nothing unless all are scalars, reads and checks of either
    /// part.
    fn of_stmts(columns: &Columns<'_>, host: &Host<'_>, stmts: &[Stmt]) -> Option<Moves> {
        let mut moves = Moves {
            lag: columns.column,
            step: columns.inner.index,
            found: HashMap::default(),
            back: None,
            fail: Vec::new(),
        };
        let mut defs = Defs::default();
        for stmt in stmts {
            let own = match &stmt.op {
                Op::Scalar(op, args) => {
                    let out = stmt.outs[0];
                    defs.insert(out, (*op, args));
                    let sums = matches!(op, ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul);
                    match sums && columns.fresh.type_of(host, out) == Scalar::Usize {
                        true => moves.of_sum(&normal(Atom::Var(out), &defs)),
                        false => args.iter().fold(0, |all, arg| all | moves.of(*arg)),
                    }
                }
                Op::Read { index, .. } => moves.of(*index),
                Op::Check { ok, .. } => {
                    let part = match moves.of(*ok) {
                        0 | LEFT => LEFT,
                        RIGHT => RIGHT,
                        _both if moves.never_wraps(*ok, &defs) => OTHER,
                        _both => return None,
                    };
                    moves.fail.push(part);
                    continue;
                }
                Op::Len { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::If { .. }
                | Op::Loop(_)
                | Op::Kernel(_) => return None,
            };
            moves.found.insert(stmt.outs[0], own);
        }
        Some(moves)
    }

    /// Whether a check is that the sum of lag and step is a number: as both are below extents of what memory
    /// could hold, it is.
    fn never_wraps(&self, ok: Atom, defs: &Defs<'_>) -> bool {
        let made = |atom: Atom| match atom {
            Atom::Var(var) => defs.get(&var).copied(),
            Atom::Const(_) => None,
        };
        let Some((ScalarOp::Le, [one, room])) = made(ok) else {
            return false;
        };
        let Some((ScalarOp::Sub, [Atom::Const(most), other])) = made(*room) else {
            return false;
        };
        let own = [Atom::Var(self.lag), Atom::Var(self.step)];
        most.bits == u64::MAX && own.contains(one) && own.contains(other) && one != other
    }

    fn of(&self, atom: Atom) -> Causes {
        match atom {
            Atom::Const(_) => 0,
            Atom::Var(var) if var == self.lag => OTHER,
            Atom::Var(var) if var == self.step => LEFT,
            Atom::Var(var) => self.found.get(&var).copied().unwrap_or(0),
        }
    }

    /// The same of a number in normal form.
    fn of_sum(&mut self, sum: &Poly) -> Causes {
        let (mut of_lag, mut of_step, mut others) = (0, 0, 0);
        for (vars, factor) in sum.terms() {
            match vars {
                [var] if *var == self.lag => of_lag = factor,
                [var] if *var == self.step => of_step = factor,
                several if several.contains(&self.lag) || several.contains(&self.step) => {
                    return OTHER;
                }
                others_alone => {
                    let own = others_alone.iter().map(|var| self.of(Atom::Var(*var)));
                    others |= own.fold(0, |all, one| all | one);
                }
            }
        }
        others
            | match (of_lag, of_step) {
                (0, 0) => 0,
                (0, _) => LEFT,
                (lag, step) if step == lag || step == lag.wrapping_neg() => {
                    let back = step != lag;
                    match *self.back.get_or_insert(back) == back {
                        true => RIGHT,
                        false => OTHER,
                    }
                }
                _unlike => OTHER,
            }
    }
}
