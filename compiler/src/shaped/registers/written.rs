//! Operations on small arrays, written out.
//!
//! In: an operation of few elements. Out: its statements once for each element, and the operator's
//! in the order of the language. Assumes that it holds no loop.

use super::operands::size;
use super::{Known, LONGEST, MOST, Pass};
use crate::ids::Var;
use crate::shaped::ir::{Body, Combine, Consumer, Op, Par, VarType};
use crate::source::SrcSpan;

impl Pass {
    /// Whether an operation gives small arrays or scalars, of few elements, by few statements.
    pub(super) fn is_short(&self, par: &Par, outs: &[Var]) -> bool {
        let fits = |out: &Var| match &self.vars[out.index()].ty {
            VarType::Scalar(_) => true,
            VarType::Array(_) => self.is_small(*out),
        };
        outs.iter().all(fits) && self.par_length(par).is_some_and(|length| length <= LONGEST)
    }

    /// How many statements an operation becomes; `None` if it has to stay.
    pub(super) fn par_length(&self, par: &Par) -> Option<usize> {
        let count = self
            .constant(par.extent)
            .filter(|count| (1..=MOST).contains(count))?;
        let each = self.length(&par.body)?;
        let more = match &par.consumer {
            Consumer::Build => 0,
            Consumer::Reduce { combine, .. } => self.length(&combine.body)?,
            Consumer::Fold { step, .. } => self.length(step)?,
            Consumer::Rows { .. }
            | Consumer::Scan { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {
                return None;
            }
        };
        Some(count as usize * (each + more))
    }

    pub(super) fn length(&self, body: &Body) -> Option<usize> {
        let lengths = body.stmts.iter().map(|stmt| match &stmt.op {
            Op::If { then, else_, .. } => Some(1 + self.length(then)? + self.length(else_)?),
            Op::Loop(_) => None,
            Op::Par(par) => self.par_length(par),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => Some(1),
        });
        lengths.sum()
    }

    /// An operation, element by element.
    pub(super) fn written_out(&mut self, par: Par, outs: &[Var], src: SrcSpan) {
        let copies = std::mem::replace(&mut self.copies, true);
        let count = self.constant(par.extent).expect("it is short");
        let elems: Vec<Vec<Known>> = (0..count)
            .map(|at| {
                self.becomes(par.index, Known::One(size(at)));
                self.again(&par.body)
            })
            .collect();
        let made = match par.consumer {
            Consumer::Build => self.built(elems, outs, src),
            Consumer::Reduce { init, combine } => {
                let init = init.iter().map(|atom| self.seen(*atom)).collect();
                let total = self.total(elems, &combine);
                self.combined(&combine, init, total)
            }
            Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => {
                let first = init.iter().map(|atom| self.seen(*atom)).collect();
                elems.into_iter().fold(first, |last, next| {
                    self.become_all(&acc, last);
                    self.become_all(&elem, next);
                    self.again(&step)
                })
            }
            Consumer::Rows { .. }
            | Consumer::Scan { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {
                unreachable!("these stay")
            }
        };
        self.copies = copies;
        self.become_all(outs, made);
    }

    /// The statements of a body once more, and what it yields.
    pub(super) fn again(&mut self, body: &Body) -> Vec<Known> {
        body.stmts.iter().for_each(|stmt| self.stmt(stmt.clone()));
        body.results.iter().map(|atom| self.seen(*atom)).collect()
    }

    pub(super) fn built(
        &mut self,
        elems: Vec<Vec<Known>>,
        outs: &[Var],
        src: SrcSpan,
    ) -> Vec<Known> {
        let array = |pass: &mut Pass, at: usize, out: Var| {
            let lengths = pass.lengths(out);
            let rows = elems
                .iter()
                .flat_map(|elem| pass.all(&elem[at], &lengths[1..], out, src));
            Known::All(rows.collect())
        };
        outs.iter()
            .enumerate()
            .map(|(at, out)| array(self, at, *out))
            .collect()
    }

    /// In the order of the language: what is recognised goes into as many accumulators as there are
    /// elements, of which the upper half goes into the lower half until one is left. (All other
    /// accumulators hold neutral elements, which change nothing.)
    pub(super) fn total(&mut self, elems: Vec<Vec<Known>>, combine: &Combine) -> Vec<Known> {
        if combine.neutral.is_none() {
            let total = elems
                .into_iter()
                .reduce(|left, right| self.combined(combine, left, right));
            return total.expect("there is an element");
        }
        let mut lanes = elems;
        let mut width = lanes.len().next_power_of_two() / 2;
        while width > 0 {
            let upper = lanes.split_off(width.min(lanes.len()));
            for (at, right) in upper.into_iter().enumerate() {
                let left = std::mem::take(&mut lanes[at]);
                lanes[at] = self.combined(combine, left, right);
            }
            width /= 2;
        }
        lanes.swap_remove(0)
    }

    pub(super) fn combined(
        &mut self,
        combine: &Combine,
        left: Vec<Known>,
        right: Vec<Known>,
    ) -> Vec<Known> {
        self.become_all(&combine.left, left);
        self.become_all(&combine.right, right);
        self.again(&combine.body)
    }
}
