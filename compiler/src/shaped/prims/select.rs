//! Operators that keep some of the elements.
//!
//! Note \[Kept elements\]. What is kept of each element is an array of it, or of nothing, and the
//! result is these, joined: their lengths are the flags, whose sums say where each goes, and all go
//! there in parallel.

use super::Use;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Value, bool_const, usize_const};
use crate::source::SrcSpan;

impl<'p> Lower<'p> {
    /// `xs.filter(p)`
    pub(super) fn filter(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.selected(&array, it.src, |lower, _, element| {
            Ok(lower.apply(it.fns[0], &[element])?.atom())
        })
    }

    /// `xs.partition(p)`
    pub(super) fn partition(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let kept = self.filter(it)?;
        // What the test prints has been printed.
        let others = self.silently(|lower| {
            lower.selected(&array, it.src, |lower, _, element| {
                let flag = lower.apply(it.fns[0], &[element])?.atom();
                Ok(lower.scalar(ScalarOp::Not, &[flag], Scalar::Bool, it.src))
            })
        })?;
        Ok(Value::Product(vec![kept, others]))
    }

    /// `xs.compress(flags)`
    pub(super) fn compress(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, flags) = (self.operand(it, 0), self.operand(it, 1));
        let named = [(&array, self.named(it, 0)), (&flags, self.named(it, 1))];
        self.require_equal(&named, it.prim.info().name, it.src);
        self.selected(&array, it.src, |lower, index, _| {
            Ok(lower.read_elem(&flags, index, it.src).atom())
        })
    }

    /// `xs.run_lengths()`
    pub(super) fn run_lengths(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let starts =
            self.run_starts(&array, it.src, |lower, pair| lower.apply(it.fns[0], &pair))?;
        self.build(&starts.extent, it.src, |lower, run| {
            let start = lower.read_elem(&starts, run, it.src).atom();
            let next = lower.exact(ScalarOp::Add, run, usize_const(1), it.src);
            let end = lower.run_end(&starts, next, &array.extent, it.src)?;
            let args = [end, start];
            let count = lower.scalar(ScalarOp::Sub, &args, Scalar::Usize, it.src);
            let element = lower.read_elem(&array, start, it.src);
            Ok(Value::Product(vec![element, Value::Scalar(count)]))
        })
    }

    /// The positions at which a run of elements of `array` begins, which `differ` from the one before:
    /// those kept of all positions.
    pub(super) fn run_starts(
        &mut self,
        array: &Array,
        src: SrcSpan,
        differ: impl Fn(&mut Self, [Value; 2]) -> Lowered<Value>,
    ) -> Lowered<Array> {
        self.positions(&array.extent, src, |lower, at| {
            let is_first = lower.test(ScalarOp::Eq, at, usize_const(0), src);
            let begins = lower.branch(
                is_first,
                &[],
                src,
                |_| Ok(Value::Scalar(bool_const(true))),
                |lower| {
                    let before = lower.exact(ScalarOp::Sub, at, usize_const(1), src);
                    let pair = [before, at].map(|at| lower.read_elem(array, at, src));
                    differ(lower, pair)
                },
            )?;
            Ok(begins.atom())
        })
    }

    /// Where run `next` begins, or all `extent` elements end if there is none.
    pub(super) fn run_end(
        &mut self,
        starts: &Array,
        next: Atom,
        extent: &Extent,
        src: SrcSpan,
    ) -> Lowered<Atom> {
        let is_last = self.test(ScalarOp::Eq, next, starts.extent.value, src);
        let end = self.branch(
            is_last,
            &[],
            src,
            |_| Ok(Value::Scalar(extent.value)),
            |lower| Ok(lower.read_elem(starts, next, src)),
        )?;
        Ok(end.atom())
    }

    /// The elements of `array` for which `flag`, which is given index and element, holds. Those that are
    /// arrays are read where they lie, at the positions that are kept.
    pub(super) fn selected(
        &mut self,
        array: &Array,
        src: SrcSpan,
        flag: impl Fn(&mut Self, Atom, Value) -> Lowered<Atom>,
    ) -> Lowered<Value> {
        if !array.elem.has_array() {
            return self.kept_elements(array, src, flag);
        }
        let positions = self.positions(&array.extent, src, |lower, at| {
            let element = lower.read_elem(array, at, src);
            flag(lower, at, element)
        })?;
        self.build(&positions.extent, src, |lower, index| {
            let at = lower.read_elem(&positions, index, src).atom();
            Ok(lower.read_elem(array, at, src))
        })
    }

    /// The positions below `extent` for which `flag` holds.
    fn positions(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        flag: impl Fn(&mut Self, Atom) -> Lowered<Atom>,
    ) -> Lowered<Array> {
        let all = self.build(extent, src, |_, at| Ok(Value::Scalar(at)))?;
        let kept = self.kept_elements(&self.as_array(&all), src, |lower, at, _| flag(lower, at))?;
        Ok(self.as_array(&kept))
    }

    /// The elements of `array` for which `flag` holds, as rows of one or none. See Note
    /// \[Kept elements\].
    fn kept_elements(
        &mut self,
        array: &Array,
        src: SrcSpan,
        flag: impl Fn(&mut Self, Atom, Value) -> Lowered<Atom>,
    ) -> Lowered<Value> {
        let rows = self.build(&array.extent, src, |lower, index| {
            let element = lower.read_elem(array, index, src);
            let flag = flag(lower, index, element.clone())?;
            let count = lower.scalar(ScalarOp::Cast, &[flag], Scalar::Usize, src);
            let count = lower.at_most(count, &Size::known(1));
            lower.build(&count, src, |_, _| Ok(element.clone()))
        })?;
        self.joined(&self.as_array(&rows), src)
    }
}
