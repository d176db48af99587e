//! Operations on elements without scalars, as of `[()]`.
//!
//! In: the parts of an operation. Out: the operation, with a component that nobody reads where it has
//! none: what it checks stays, and an array has a length.

use super::ir::{Body, Consumer, Extent, Op, Par};
use super::lower::Lower;
use super::value::bool_const;
use crate::ids::Var;
use crate::prims::Scalar;
use crate::source::SrcSpan;

impl Lower<'_> {
    /// Writes an operation.
    pub(super) fn parallel(
        &mut self,
        extent: &Extent,
        index: Var,
        mut body: Body,
        mut consumer: Consumer,
        mut outs: Vec<Var>,
        src: SrcSpan,
    ) {
        if outs.is_empty() {
            outs = self.add_component(extent, &mut body, &mut consumer, src);
        }
        if let Consumer::Fold { elem, .. } = &mut consumer
            && elem.is_empty()
        {
            // As many steps as there are elements.
            body.results = vec![bool_const(false)];
            elem.push(self.scalar_var(Scalar::Bool, src));
        }
        let extent = extent.value;
        let par = Par {
            extent,
            index,
            body,
            consumer,
        };
        self.push(outs, Op::Par(par), src);
    }

    /// Gives the results of an operation a component; the variables that hold it.
    fn add_component(
        &mut self,
        extent: &Extent,
        body: &mut Body,
        consumer: &mut Consumer,
        src: SrcSpan,
    ) -> Vec<Var> {
        let nothing = bool_const(false);
        let mut scalar = || self.scalar_var(Scalar::Bool, src);
        match consumer {
            Consumer::Fold {
                init, acc, step, ..
            } => {
                init.push(nothing);
                acc.push(scalar());
                step.results.push(nothing);
                return vec![scalar()];
            }
            Consumer::Reduce { init, combine } if !combine.body.stmts.is_empty() => {
                init.push(nothing);
                combine.left.push(scalar());
                combine.right.push(scalar());
                combine.body.results.push(nothing);
                combine.neutral = None;
                body.results = vec![nothing];
                return vec![scalar()];
            }
            Consumer::Scan {
                init,
                combine,
                total,
                ..
            } if !combine.body.stmts.is_empty() => {
                init.iter_mut().for_each(|init| init.push(nothing));
                combine.left.push(scalar());
                combine.right.push(scalar());
                combine.body.results.push(nothing);
                combine.neutral = None;
                body.results = vec![nothing];
                let total = total.then(scalar);
                let prefixes = self.array_var(Scalar::Bool, vec![extent.clone()], src);
                return [prefixes].into_iter().chain(total).collect();
            }
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {}
        }
        body.results = vec![nothing];
        *consumer = Consumer::Build;
        vec![self.array_var(Scalar::Bool, vec![extent.clone()], src)]
    }
}
