//! Loops of which each trip computes whole arrays from those of the trip before, near by.
//!
//! In: a fused function. Out: the same, in which such loops know how far a trip reads (`Loop::reach`),
//! so that a backend may take a part of the arrays through several trips at once. Assumes that what
//! a kernel reads is in range, or a check of it fails.
//!
//! A loop qualifies if its body is one kernel that writes all arrays of the state over their whole
//! index space, or hands one on as another, and if all else in it (counters, the condition) is scalars
//! that do not depend on these arrays and cannot fail. An array that is handed on becomes one more
//! output of the kernel, so that all arrays of the state are of the same trip.

use crate::fused::ir::{Body, Function, Kernel, Layout, Loop, Op, Sink, Stmt, VarInfo};
use crate::ids::Var;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use std::collections::HashMap;

/// Finds the loops of `function`.
pub fn mark(function: &mut Function) {
    let mut defs = Defs::new();
    define(&function.body, &mut defs);
    mark_body(
        &mut function.body,
        &mut function.vars,
        &defs,
        Equal::default(),
    );
}

/// What scalars are.
type Defs = HashMap<Var, Def>;

enum Def {
    Scalar(ScalarOp, Vec<Atom>),
    /// One of two.
    Either(Atom, Atom),
}

/// Sizes that a check has found to be equal.
#[derive(Clone, Default)]
struct Equal(HashMap<Var, Atom>);

impl Equal {
    /// One of those that are equal.
    fn of(&self, mut atom: Atom) -> Atom {
        while let Atom::Var(var) = atom
            && let Some(other) = self.0.get(&var)
        {
            atom = *other;
        }
        atom
    }

    fn are(&self, a: Atom, b: Atom) -> bool {
        self.of(a) == self.of(b)
    }

    /// After a check that `ok` holds.
    fn learn(&mut self, ok: Atom, defs: &Defs) {
        let Atom::Var(ok) = ok else { return };
        let Some(Def::Scalar(ScalarOp::Eq, args)) = defs.get(&ok) else {
            return;
        };
        match (self.of(args[0]), self.of(args[1])) {
            (a, b) if a == b => {}
            (other, Atom::Var(var)) | (Atom::Var(var), other) => {
                self.0.insert(var, other);
            }
            (Atom::Const(_), Atom::Const(_)) => {}
        }
    }
}

fn define(body: &Body, defs: &mut Defs) {
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(op, args) => {
                defs.insert(stmt.outs[0], Def::Scalar(*op, args.clone()));
            }
            Op::If { then, else_, .. } => {
                let sides = then.results.iter().zip(&else_.results);
                for (out, (a, b)) in stmt.outs.iter().zip(sides) {
                    defs.insert(*out, Def::Either(*a, *b));
                }
                define(then, defs);
                define(else_, defs);
            }
            Op::Loop(it) => {
                define(&it.cond, defs);
                define(&it.body, defs);
            }
            Op::Kernel(it) => define(&it.body, defs),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
}

fn mark_body(body: &mut Body, vars: &mut Vec<VarInfo>, defs: &Defs, mut equal: Equal) {
    for stmt in &mut body.stmts {
        match &mut stmt.op {
            Op::If { then, else_, .. } => {
                mark_body(then, vars, defs, equal.clone());
                mark_body(else_, vars, defs, equal.clone());
            }
            Op::Loop(it) => {
                mark_body(&mut it.body, vars, defs, equal.clone());
                it.reach = reach(it, vars, defs, &equal);
                if it.reach.is_some() {
                    write_all(it, vars);
                }
            }
            Op::Check { ok, .. } => equal.learn(*ok, defs),
            Op::Scalar(..)
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::Kernel(_) => {}
        }
    }
}

/// The extents of an array of scalars.
fn dims(vars: &[VarInfo], var: Var) -> Option<Vec<Atom>> {
    match &vars[var.index()].ty {
        Layout::Plain(VarType::Array(ty)) => Some(ty.dims.iter().map(|dim| dim.value).collect()),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            None
        }
    }
}

/// The arrays of a loop's state.
pub fn states(it: &Loop, vars: &[VarInfo]) -> Vec<Var> {
    let params = it.params.iter().copied();
    params
        .filter(|param| dims(vars, *param).is_some())
        .collect()
}

/// The kernel of a trip.
pub fn kernel(it: &Loop) -> Option<(&Stmt, &Kernel)> {
    it.body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Kernel(kernel) => Some((stmt, kernel)),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => None,
    })
}

/// How far from its own outermost index an element reads the arrays of the trip before, if the loop
/// qualifies.
fn reach(it: &Loop, vars: &[VarInfo], defs: &Defs, equal: &Equal) -> Option<usize> {
    let (stmt, kernel) = kernel(it)?;
    let states = states(it, vars);
    let made: Vec<Var> = states.iter().chain(&stmt.outs).copied().collect();
    let others = it
        .body
        .stmts
        .iter()
        .filter(|other| !std::ptr::eq(*other, stmt));
    let apart = it
        .cond
        .stmts
        .iter()
        .chain(others)
        .all(|stmt| is_apart(stmt, &made));
    let whole = |var: &Var| {
        let dims = dims(vars, *var).unwrap_or_default();
        let mut pairs = dims.iter().zip(&kernel.extents);
        dims.len() == kernel.extents.len() && pairs.all(|(a, b)| equal.are(*a, *b))
    };
    let fixed = |atom: &Atom| !matches!(atom, Atom::Var(var) if it.params.contains(var));
    let next = it.params.iter().zip(&it.body.results);
    let next = next
        .filter(|(param, _)| states.contains(param))
        .all(|(_, next)| matches!(next, Atom::Var(var) if made.contains(var)));
    let qualifies = matches!(kernel.sink, Sink::Write)
        && !kernel.nest
        && !states.is_empty()
        && states.iter().all(whole)
        && kernel.extents.iter().all(fixed)
        && apart
        && next;
    let near = Near {
        vars,
        defs,
        equal,
        kernel,
        states: &states,
    };
    let span = qualifies.then(|| near.body(&kernel.body))??;
    let reach = span.low.unsigned_abs().max(span.high.unsigned_abs());
    (reach <= MOST).then_some(reach as usize)
}

/// Beyond this, slabs would hardly be longer than what they need at their ends.
const MOST: u64 = 1024;

/// Whether a statement is about scalars only, which do not depend on the arrays `made`, and cannot
/// fail.
fn is_apart(stmt: &Stmt, made: &[Var]) -> bool {
    match &stmt.op {
        Op::Scalar(..) => true,
        Op::Len { array, .. } | Op::Read { array, .. } => !made.contains(array),
        Op::If { then, else_, .. } => {
            let mut both = then.stmts.iter().chain(&else_.stmts);
            both.all(|stmt| is_apart(stmt, made))
        }
        Op::Check { .. } | Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => {
            false
        }
    }
}

/// Makes each array of the next state an output of its own, in the order of the state.
fn write_all(it: &mut Loop, vars: &mut Vec<VarInfo>) {
    let states = states(it, vars);
    let Some(stmt) = it
        .body
        .stmts
        .iter_mut()
        .find(|stmt| matches!(stmt.op, Op::Kernel(_)))
    else {
        return;
    };
    let Op::Kernel(kernel) = &mut stmt.op else {
        return;
    };
    let (mut outs, mut results) = (Vec::new(), Vec::new());
    for (param, next) in it.params.iter().zip(&mut it.body.results) {
        let Atom::Var(var) = *next else { continue };
        if !states.contains(param) {
            continue;
        }
        let made = stmt.outs.iter().position(|out| *out == var);
        match made {
            Some(at) if !outs.contains(&var) => {
                outs.push(var);
                results.push(kernel.body.results[at]);
                continue;
            }
            Some(at) => results.push(kernel.body.results[at]),
            None => {
                let info = vars[var.index()].clone();
                let Layout::Plain(VarType::Array(ty)) = &info.ty else {
                    continue;
                };
                let ty = Layout::Plain(VarType::Scalar(ty.elem));
                let out = Var::next(vars);
                vars.push(VarInfo { ty, ..info.clone() });
                let (array, index) = (var, Atom::Var(kernel.index));
                let op = Op::Read { array, index };
                kernel.body.stmts.push(Stmt {
                    outs: vec![out],
                    op,
                    src: stmt.src,
                });
                results.push(Atom::Var(out));
            }
        }
        let out = Var::next(vars);
        let info = vars[var.index()].clone();
        vars.push(info);
        outs.push(out);
        *next = Atom::Var(out);
    }
    stmt.outs = outs;
    kernel.body.results = results;
}

/// Where an integer lies, relative to the outermost index: at `low..=high` from it.
#[derive(Clone, Copy)]
struct Span {
    low: i64,
    high: i64,
    /// Whether it may be negative, and so, if it is unsigned, a large number.
    negative: bool,
}

impl Span {
    const OWN: Span = Span {
        low: 0,
        high: 0,
        negative: false,
    };

    fn both(self, other: Span) -> Span {
        Span {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            negative: self.negative || other.negative,
        }
    }

    fn moved(self, by: i64) -> Option<Span> {
        Some(Span {
            low: self.low.checked_add(by)?,
            high: self.high.checked_add(by)?,
            negative: self.negative || by < 0,
        })
    }

    /// At least the number `least`, which no own index is below 0 of.
    fn at_least(self, least: i64, signed: bool) -> Span {
        Span {
            high: self.high.max(least),
            // A large number stays one.
            negative: self.negative && !signed,
            ..self
        }
    }

    /// At most the extent less `by`.
    fn below_extent(self, by: i64, signed: bool) -> Option<Span> {
        // A large number would become the last index.
        if self.negative && !signed {
            return None;
        }
        Some(Span {
            low: self.low.min(1i64.checked_sub(by)?),
            // The extent is at least 1 where there is an index.
            negative: self.negative || by > 1,
            ..self
        })
    }
}

/// Looks at what a kernel reads of the arrays of the state.
struct Near<'a> {
    vars: &'a [VarInfo],
    defs: &'a Defs,
    equal: &'a Equal,
    kernel: &'a Kernel,
    states: &'a [Var],
}

impl Near<'_> {
    /// What all reads of a body reach; `None` if one may reach anywhere, or if it has loops.
    fn body(&self, body: &Body) -> Option<Span> {
        let mut all = Span::OWN;
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Read { array, index } if self.states.contains(array) => {
                    all = all.both(self.span(self.row(*index)?)?);
                }
                Op::If { then, else_, .. } => {
                    all = all.both(self.body(then)?).both(self.body(else_)?);
                }
                Op::Scalar(..) | Op::Check { .. } | Op::Read { .. } => {}
                Op::Len { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::Loop(_)
                | Op::Kernel(_) => {
                    return None;
                }
            }
        }
        Some(all)
    }

    fn scalar(&self, atom: Atom, op: ScalarOp) -> Option<&[Atom]> {
        let Atom::Var(var) = atom else { return None };
        match self.defs.get(&var)? {
            Def::Scalar(own, args) if *own == op => Some(args),
            Def::Scalar(..) | Def::Either(..) => None,
        }
    }

    /// The outermost index of a position (see `positions.rs`).
    fn row(&self, mut position: Atom) -> Option<Atom> {
        for extent in self.kernel.extents[1..].iter().rev() {
            let sum = self.scalar(position, ScalarOp::Add)?;
            let product = self.scalar(sum[0], ScalarOp::Mul)?;
            if !self.equal.are(product[1], *extent) {
                return None;
            }
            position = product[0];
        }
        Some(position)
    }

    /// Whether this is the kernel's own outermost index.
    fn is_own(&self, atom: Atom) -> bool {
        let index = Atom::Var(self.kernel.index);
        let Some(inner) = self
            .kernel
            .extents
            .get(1..)
            .filter(|inner| !inner.is_empty())
        else {
            return atom == index;
        };
        let quotient = self.scalar(atom, ScalarOp::Div);
        quotient.is_some_and(|args| args[0] == index && self.is_product(args[1], inner))
    }

    fn is_product(&self, atom: Atom, factors: &[Atom]) -> bool {
        match factors {
            [] => false,
            [one] => self.equal.are(atom, *one),
            [before @ .., last] => self.scalar(atom, ScalarOp::Mul).is_some_and(|args| {
                self.equal.are(args[1], *last) && self.is_product(args[0], before)
            }),
        }
    }

    fn span(&self, atom: Atom) -> Option<Span> {
        if self.is_own(atom) {
            return Some(Span::OWN);
        }
        let Atom::Var(var) = atom else { return None };
        let signed = match self.int(var)? {
            Scalar::Usize | Scalar::U64 => false,
            Scalar::I64 => true,
            _narrow => return None,
        };
        match self.defs.get(&var)? {
            Def::Either(a, b) => Some(self.span(*a)?.both(self.span(*b)?)),
            Def::Scalar(op, args) => self.result(*op, args, signed),
        }
    }

    fn result(&self, op: ScalarOp, args: &[Atom], signed: bool) -> Option<Span> {
        match op {
            ScalarOp::Cast => self.span(args[0]),
            ScalarOp::Add => match (number(args[0]), number(args[1])) {
                (None, Some(by)) => self.span(args[0])?.moved(by),
                (Some(by), None) => self.span(args[1])?.moved(by),
                (None, None) | (Some(_), Some(_)) => None,
            },
            ScalarOp::Sub => self.span(args[0])?.moved(-number(args[1])?),
            ScalarOp::Method(Method::SaturatingSub) if !signed => {
                let (span, by) = (self.span(args[0])?, number(args[1])?);
                let low = span.low.checked_sub(by)?;
                (by >= 0).then_some(Span { low, ..span })
            }
            ScalarOp::Max => self
                .most(args[0], args[1], signed)
                .or_else(|| self.most(args[1], args[0], signed)),
            ScalarOp::Min => self
                .least(args[0], args[1], signed)
                .or_else(|| self.least(args[1], args[0], signed)),
            ScalarOp::Clamp => {
                let least = number(args[1]).filter(|least| *least >= 0)?;
                let above = self.span(args[0])?.at_least(least, signed);
                above.below_extent(self.below(args[2])?, signed)
            }
            ScalarOp::Select => Some(self.span(args[1])?.both(self.span(args[2])?)),
            _elsewhere => None,
        }
    }

    fn most(&self, of: Atom, least: Atom, signed: bool) -> Option<Span> {
        let least = number(least).filter(|least| *least >= 0)?;
        Some(self.span(of)?.at_least(least, signed))
    }

    fn least(&self, of: Atom, most: Atom, signed: bool) -> Option<Span> {
        let by = self.below(most)?;
        self.span(of)?.below_extent(by, signed)
    }

    /// How much less than the outermost extent a number is.
    fn below(&self, atom: Atom) -> Option<i64> {
        if self.equal.are(atom, self.kernel.extents[0]) {
            return Some(0);
        }
        if let Some(args) = self.scalar(atom, ScalarOp::Sub) {
            let by = number(args[1])?;
            return self.below(args[0])?.checked_add(by);
        }
        self.below(self.scalar(atom, ScalarOp::Cast)?[0])
    }

    fn int(&self, var: Var) -> Option<Scalar> {
        match &self.vars[var.index()].ty {
            Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                None
            }
        }
    }
}

/// A small known integer.
fn number(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Const(it) if it.ty.is_int() => {
            let value = it.bits as i64;
            (value.unsigned_abs() <= MOST).then_some(value)
        }
        Atom::Const(_) | Atom::Var(_) => None,
    }
}
