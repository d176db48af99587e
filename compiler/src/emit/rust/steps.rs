//! A kernel's body as straight-line steps with masks.
//!
//! In: the structured body of a kernel. Out: steps in order, in which every conditional has become
//! selects (both branches are computed; all operations are total) and every check and loop in a
//! branch has a mask: whether the lane is active there. Assumes the verified body holds scalars.
//!
//! Note [Lane blocks]. The unit of emitted code is a block of lanes; steps between loops form one
//! `for l in 0..L` loop of scalar code, which LLVM turns into vector code of any width. Only what
//! crosses a loop lives in arrays `[T; L]`.

use crate::fused::cost::scalar_cost;
use crate::fused::ir::{Body, Op};
use crate::ids::{CheckId, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// One step of a lane block.
#[derive(Clone, Debug)]
pub enum Step {
    /// A scalar operation.
    Scalar {
        /// What it defines.
        out: Var,
        /// The operation.
        op: ScalarOp,
        /// Its operands.
        args: Vec<Atom>,
    },
    /// An element of an array.
    Read {
        /// What it defines.
        out: Var,
        /// What is read.
        array: Var,
        /// Where.
        index: Atom,
        /// Whether the index is in range in every lane; else it is clamped.
        sure: bool,
    },
    /// Notes a violation.
    Check {
        /// The lanes in which it counts; all if missing.
        mask: Option<Atom>,
        /// The condition that must hold.
        ok: Atom,
        /// Its entry in the table of checks.
        id: CheckId,
        /// Values for the error, as the entry's kind lists them.
        values: Vec<Atom>,
    },
    /// A loop.
    Loop(LaneLoop),
    /// The value of output `at`.
    Out {
        /// Its position.
        at: usize,
        /// Its value.
        value: Atom,
    },
}

/// A loop whose lanes leave one by one.
#[derive(Clone, Debug)]
pub struct LaneLoop {
    /// The last state.
    pub outs: Vec<Var>,
    /// The state.
    pub params: Vec<Var>,
    /// The first state.
    pub init: Vec<Atom>,
    /// Lanes that take part at all.
    pub mask: Option<Atom>,
    /// The steps of the condition.
    pub cond: Vec<Step>,
    /// The condition.
    pub go_on: Atom,
    /// Whether a lane is in the loop, for the masks of the body; defined by the emitter.
    pub live: Var,
    /// The steps of a trip.
    pub body: Vec<Step>,
    /// The next state.
    pub next: Vec<Atom>,
}

/// Makes new variables for masks.
pub trait Fresh {
    /// A new variable.
    fn fresh(&mut self, ty: Scalar) -> Var;
}

/// Linearises the body of a kernel; its results become `Out` steps.
pub fn linearise(body: &Body, fresh: &mut dyn Fresh) -> Vec<Step> {
    let mut steps = Vec::with_capacity(body.stmts.len() + body.results.len());
    lower(body, None, false, fresh, &mut steps);
    let outs = body
        .results
        .iter()
        .enumerate()
        .map(|(at, value)| Step::Out { at, value: *value });
    steps.extend(outs);
    steps
}

/// `checked`: a check precedes. What is proven may rest on it, so from there on an index may be out
/// of range in lanes in which it has failed.
fn lower(
    body: &Body,
    mask: Option<Atom>,
    mut checked: bool,
    fresh: &mut dyn Fresh,
    steps: &mut Vec<Step>,
) {
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(op, args) => {
                steps.push(Step::Scalar {
                    out: stmt.outs[0],
                    op: *op,
                    args: args.clone(),
                });
            }
            Op::Read { array, index } => {
                let sure = mask.is_none() && !checked;
                let (array, index) = (*array, *index);
                steps.push(Step::Read {
                    out: stmt.outs[0],
                    array,
                    index,
                    sure,
                });
            }
            Op::Check { ok, id, values } => {
                let (ok, id, values) = (*ok, *id, values.clone());
                checked = true;
                steps.push(Step::Check {
                    mask,
                    ok,
                    id,
                    values,
                });
            }
            Op::If { cond, then, else_ } => {
                let masks = if needs_mask(then) || needs_mask(else_) {
                    branch_masks(mask, *cond, fresh, steps)
                } else {
                    (Some(*cond), Some(*cond))
                };
                lower(then, masks.0, checked, fresh, steps);
                lower(else_, masks.1, checked, fresh, steps);
                checked |= may_check(then) || may_check(else_);
                for (out, (a, b)) in stmt
                    .outs
                    .iter()
                    .zip(then.results.iter().zip(&else_.results))
                {
                    let args = vec![*cond, *a, *b];
                    steps.push(Step::Scalar {
                        out: *out,
                        op: ScalarOp::Select,
                        args,
                    });
                }
            }
            Op::Loop(it) => {
                let live = fresh.fresh(Scalar::Bool);
                let mut cond = Vec::new();
                // What the condition checks is checked in every lane that takes part.
                lower(&it.cond, mask, true, fresh, &mut cond);
                let mut body = Vec::new();
                lower(&it.body, Some(Atom::Var(live)), true, fresh, &mut body);
                checked |= has_checks(&cond) || has_checks(&body);
                steps.push(Step::Loop(LaneLoop {
                    outs: stmt.outs.clone(),
                    params: it.params.clone(),
                    init: it.init.clone(),
                    mask,
                    cond,
                    go_on: it.cond.results[0],
                    live,
                    body,
                    next: it.body.results.clone(),
                }));
            }
            Op::Len { .. } | Op::Literal(_) | Op::Update { .. } | Op::Kernel(_) => {
                unreachable!("a verified kernel body holds scalars only")
            }
        }
    }
}

/// Whether a branch checks anything.
fn may_check(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Check { .. } => true,
        Op::If { then, else_, .. } => may_check(then) || may_check(else_),
        Op::Loop(it) => may_check(&it.cond) || may_check(&it.body),
        Op::Scalar(..)
        | Op::Read { .. }
        | Op::Len { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Kernel(_) => false,
    })
}

/// Whether a branch holds anything that must not happen in lanes that do not take it.
fn needs_mask(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Check { .. } | Op::Loop(_) => true,
        Op::If { then, else_, .. } => needs_mask(then) || needs_mask(else_),
        Op::Scalar(..)
        | Op::Read { .. }
        | Op::Len { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Kernel(_) => false,
    })
}

fn branch_masks(
    mask: Option<Atom>,
    cond: Atom,
    fresh: &mut dyn Fresh,
    steps: &mut Vec<Step>,
) -> (Option<Atom>, Option<Atom>) {
    let mut define = |op: ScalarOp, args: Vec<Atom>| {
        let out = fresh.fresh(Scalar::Bool);
        steps.push(Step::Scalar { out, op, args });
        Atom::Var(out)
    };
    let not = define(ScalarOp::Not, vec![cond]);
    match mask {
        None => (Some(cond), Some(not)),
        Some(mask) => (
            Some(define(ScalarOp::BitAnd, vec![mask, cond])),
            Some(define(ScalarOp::BitAnd, vec![mask, not])),
        ),
    }
}

/// The operands of a step itself, without those of steps inside.
pub fn operands(step: &Step) -> Vec<Atom> {
    match step {
        Step::Scalar { args, .. } => args.clone(),
        Step::Read { index, .. } => vec![*index],
        Step::Check {
            mask, ok, values, ..
        } => mask
            .iter()
            .copied()
            .chain([*ok])
            .chain(values.iter().copied())
            .collect(),
        Step::Loop(it) => it.init.iter().chain(&it.mask).copied().collect(),
        Step::Out { value, .. } => vec![*value],
    }
}

/// Whether any step, at any depth, is a check.
pub fn has_checks(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Check { .. } => true,
        Step::Loop(it) => has_checks(&it.cond) || has_checks(&it.body),
        Step::Scalar { .. } | Step::Read { .. } | Step::Out { .. } => false,
    })
}

/// Estimated operations of a step per index.
pub fn step_cost(step: &Step, types: &dyn Fn(Var) -> Scalar) -> u32 {
    match step {
        Step::Scalar { out, op, .. } => scalar_cost(*op, Some(types(*out))),
        Step::Read { .. } | Step::Check { .. } | Step::Out { .. } => 1,
        Step::Loop(it) => {
            let inner = it
                .cond
                .iter()
                .chain(&it.body)
                .map(|step| step_cost(step, types));
            inner.fold(0, u32::saturating_add).saturating_mul(10)
        }
    }
}

/// A constant operand.
pub fn as_const(atom: Atom) -> Option<Const> {
    match atom {
        Atom::Const(it) => Some(it),
        Atom::Var(_) => None,
    }
}
